//! Which tools run command lines, and where in a call the line stands: it is given one name, and is a text.

use std::borrow::Cow;

use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::tool_catalogue::is_shell;
use behavior_facts::tools::normalise;
use behavior_runtime::event::{POSITIONAL, Param, Value};

/// The name of the parameter with the command line of a shell.
const COMMAND: &str = COMMAND_PARAMS[0];

/// Whether a tool of this name runs command lines.
pub(crate) fn is_named_shell(name: &str) -> bool {
    let mut normal = String::new();
    normalise(name, &mut normal);
    is_shell(&normal)
}

/// Gives the command line of a shell its canonical name, and makes one of its words. What it did once it does
/// not do again: events that were written down are read like any other.
pub(crate) fn name_command(params: &mut Vec<Param<'_>>) {
    let more = take_words_beside(params);
    let named = |name: &&str| params.iter().position(|param| param.name == **name);
    let Some(param) = COMMAND_PARAMS.iter().find_map(named).and_then(|at| params.get_mut(at))
    else {
        return;
    };
    if param.name != COMMAND {
        let native = std::mem::replace(&mut param.name, Cow::Borrowed(COMMAND));
        param.native = Some(native);
    }
    let line = match (&param.value, more) {
        (Value::Json(list), _) => line_of(list),
        (Value::Text(program), Some(more)) => Some(format!("{program} {more}")),
        (Value::Text(_), None) => None,
    };
    if let Some(line) = line {
        param.value = Value::Text(Cow::Owned(line));
    }
}

/// Takes the arguments that some tools are given beside the program, quoted.
fn take_words_beside(params: &mut Vec<Param<'_>>) -> Option<String> {
    let is_beside = |param: &Param<'_>| [POSITIONAL, "arguments"].contains(&&*param.name);
    let is_program = |param: &Param<'_>| {
        COMMAND_PARAMS.contains(&&*param.name)
            && !is_beside(param)
            && param.value.as_text().is_some()
    };
    let at = params.iter().position(is_beside).filter(|_| params.iter().any(is_program))?;
    let words = match &params.get(at)?.value {
        Value::Json(list) => joined(&serde_json::from_str::<Vec<String>>(list).ok()?)?,
        Value::Text(_) => return None,
    };
    params.remove(at);
    Some(words)
}

/// The command line that a list is: what a shell is given to run, a line that stands in it as it is, else
/// the words, quoted.
fn line_of(list: &str) -> Option<String> {
    let Ok(words) = serde_json::from_str::<Vec<String>>(list) else {
        // A line, and what else a tool takes by position.
        let items = serde_json::from_str::<Vec<serde_json::Value>>(list).ok()?;
        return items.first()?.as_str().map(str::to_owned);
    };
    match words.as_slice() {
        [shell, flag, line]
            if matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh"))
                && matches!(flag.as_str(), "-c" | "-lc") =>
        {
            Some(line.clone())
        }
        [line] => Some(line.clone()),
        // No program is called so.
        [line, ..] if line.contains(' ') && !line.contains(['/', '\\']) => Some(line.clone()),
        words => joined(words),
    }
}

fn joined(words: &[String]) -> Option<String> {
    shlex::try_join(words.iter().map(String::as_str)).ok().filter(|line| !line.is_empty())
}
