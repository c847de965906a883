//! What one call of Codex stands for: the files of a patch, the calls of a script, the files that a
//! command prints. As of 0.169.0.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Param, Value};

use crate::codex::prints::{self, Printed};
use crate::codex::script::{self, Step};
use crate::codex::tools;
use crate::patch;
use crate::payload::numbered;
use crate::tools::tool_call;

/// What stands for the command of a script in which nobody can see what runs: the shell's reader
/// takes it for a program that is not known.
const OPAQUE: &str = "$script";

/// The tool that a script is which calls none. By its own name it would run commands, and nobody would know
/// which.
const HARMLESS: &str = "script";

/// What a call is besides what it says.
pub(crate) enum Kind {
    /// The call itself.
    Own,
    /// A part of a patch.
    Patch,
    /// A command of a script.
    Command,
    /// A file that a command prints.
    Read(Printed),
}

/// The calls that one call of Codex stands for, in canonical names; none for one that only looks after
/// a command which runs already.
///
/// # Errors
///
/// When a patch in it is about too many files.
pub(crate) fn expand(call: Call<'_>) -> Result<Vec<(Call<'_>, Kind)>, String> {
    let native = call.native_tool.clone().unwrap_or_else(|| call.tool.clone());
    match &*call.tool {
        "apply_patch" => match text_of(&call, &["command", "input", "patch"]) {
            Some((param, text)) => patch_calls(&native, &param, &call, &text),
            None => Ok(vec![(call, Kind::Own)]),
        },
        "exec" => script_calls(call),
        "bash" => shell_calls(call),
        "write_stdin" | "wait" if looks_after(&call) => Ok(Vec::new()),
        _ => Ok(vec![(call, Kind::Own)]),
    }
}

/// The first of `names` that is a string, with its value; the only parameter if it is one.
fn text_of<'a>(call: &Call<'a>, names: &[&str]) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
    let named = names.iter().find_map(|name| call.params.iter().find(|param| param.name == *name));
    let only = || call.params.first().filter(|_| call.params.len() == 1);
    let param = named.or_else(only)?;
    match &param.value {
        Value::Text(text) => Some((param.name.clone(), text.clone())),
        Value::Json(_) => None,
    }
}

/// Whether a call only asks what a command or a script that runs has printed, and types nothing into it.
fn looks_after(call: &Call<'_>) -> bool {
    ["session_id", "cell_id"].iter().any(|id| call.param(id).is_some())
        && call.param("chars").is_none_or(|typed| typed.as_text() == Some(""))
}

fn patch_calls<'a>(
    tool: &Cow<'a, str>,
    param: &Cow<'a, str>,
    call: &Call<'a>,
    text: &str,
) -> Result<Vec<(Call<'a>, Kind)>, String> {
    let calls = patch::calls(tool, param, call.id.as_ref(), text)?;
    Ok(calls.into_iter().map(|call| (call, Kind::Patch)).collect())
}

/// A command, then the files that it prints, or the files of the patch that it applies.
fn shell_calls<'a>(call: Call<'a>) -> Result<Vec<(Call<'a>, Kind)>, String> {
    let line = call.param("command").and_then(Value::as_text);
    let (printed, patch) =
        line.map(|line| (prints::of_text(line), prints::patch_of_text(line))).unwrap_or_default();
    let id = call.id.clone();
    let mut calls = vec![(call, Kind::Own)];
    if let Some(text) = patch {
        add_patch(&mut calls, id.as_ref(), &text)?;
    }
    add_reads(&mut calls, id.as_ref(), printed);
    Ok(calls)
}

/// Adds the files of a patch that is part of a call.
fn add_patch<'a>(
    calls: &mut Vec<(Call<'a>, Kind)>,
    id: Option<&Cow<'a, str>>,
    text: &str,
) -> Result<(), String> {
    let name = Cow::Borrowed("apply_patch");
    for mut part in patch::calls(&name, &Cow::Borrowed("patch"), id, text)? {
        part.id = numbered(id, calls.len() + 1);
        calls.push((part, Kind::Patch));
    }
    Ok(())
}

/// Adds a `read` for each file. It has no name of the agent's own: no rule on commands is about it.
fn add_reads<'a>(
    calls: &mut Vec<(Call<'a>, Kind)>,
    id: Option<&Cow<'a, str>>,
    printed: Vec<Printed>,
) {
    for file in printed {
        let params = vec![own("file_path", file.path.clone())];
        let id = numbered(id, calls.len() + 1);
        let read = Call { id, tool: Cow::Borrowed("read"), native_tool: None, params };
        calls.push((read, Kind::Read(file)));
    }
}

fn own(name: &'static str, value: String) -> Param<'static> {
    Param { name: Cow::Borrowed(name), native: None, value: Value::Text(Cow::Owned(value)) }
}

/// The calls of a script, commands with the files that they print. A script that makes none is one itself;
/// one in which nobody can see what runs is a command that nobody knows, too.
fn script_calls(call: Call<'_>) -> Result<Vec<(Call<'_>, Kind)>, String> {
    let mut call = call;
    // The script itself is no command line, though its tool has the name of a shell.
    for param in call.params.iter_mut().filter(|param| param.native.is_some()) {
        param.name = param.native.take().unwrap_or_default();
    }
    let Some((_, text)) = text_of(&call, &["input", "command", "code", "source"]) else {
        return Ok(vec![(call, Kind::Own)]);
    };
    let script = script::read(&text);
    let shell = |command: String, number: usize| {
        let params = vec![own("command", command)];
        let id = numbered(call.id.as_ref(), number);
        let native_tool = Some(call.tool.clone());
        Call { id, tool: Cow::Borrowed("bash"), native_tool, params }
    };
    let mut calls = Vec::new();
    for step in script.steps {
        match step {
            Step::Command { name, input } => {
                let id = numbered(call.id.as_ref(), calls.len() + 1);
                let mut command = other_call(name, id, Some(&input));
                command.native_tool = Some(call.tool.clone());
                // What hooks are given back is the script.
                command.params.iter_mut().for_each(|param| param.native = None);
                let line = command.param("command").and_then(Value::as_text);
                let printed = line.map(prints::of_text).unwrap_or_default();
                calls.push((command, Kind::Command));
                add_reads(&mut calls, call.id.as_ref(), printed);
            }
            Step::Patch(text) => add_patch(&mut calls, call.id.as_ref(), &text)?,
            Step::Tool { name, input } => {
                let id = numbered(call.id.as_ref(), calls.len() + 1);
                calls.push((other_call(name, id, input.as_deref()), Kind::Own));
            }
        }
    }
    if script.opaque {
        let mut opaque = shell(OPAQUE.to_owned(), calls.len() + 1);
        opaque.params.extend(call.params.iter().filter(|param| param.name != "command").cloned());
        calls.push((opaque, Kind::Own));
    }
    if calls.is_empty() && !script.polls {
        call.tool = Cow::Borrowed(HARMLESS);
        return Ok(vec![(call, Kind::Own)]);
    }
    Ok(calls)
}

/// A call of a tool by its name in a script. `input` is a JSON object.
fn other_call<'a>(name: String, id: Option<Cow<'a, str>>, input: Option<&str>) -> Call<'a> {
    let (call, _) = tool_call(tools::find(&name), Cow::Owned(name), None, input);
    let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    let params = call.params.into_iter().map(|param| Param {
        name: own(param.name),
        native: param.native.map(own),
        value: param.value.into_owned(),
    });
    Call {
        id,
        tool: own(call.tool),
        native_tool: call.native_tool.map(own),
        params: params.collect(),
    }
}
