//! The hooks of Gemini CLI, as of 0.61.0. It honours `decision` and not Claude Code's
//! `permissionDecision`; an `ask` of a hook is asked even in yolo mode, and hangs where nobody is there; and it looks for an answer on
//! standard error too, where nothing is on standard output.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, Param, Value};

use crate::answer::{self, Act, Said};
use crate::command_line::{is_named_shell, name_command};
use crate::gemini_cli::NAME;
use crate::gemini_cli::context::is_context;
use crate::gemini_cli::tools;
use crate::json::{self, Raw};
use crate::never_run::NeverRun;
use crate::notice::{Abilities, Answer, HookEvent, Notice};
use crate::object::Object;
use crate::payload::{self, McpContext, Payload, numbered};
use crate::tools::value_of;

/// What these hooks can do.
pub(crate) const ABILITIES: Abilities = Abilities {
    asks: true,
    context_before_tool: false,
    context_after_tool: true,
    context_on_start: true,
    context_on_prompt: true,
    keeps_going: true,
    tells_failures: true,
    tells_call_ids: false,
    tells_text: true,
    // What the model says comes in pieces, so that only the whole of it is read, at the end.
    tells_text_before_tools: false,
    tells_sub_agents: false,
    tells_responses: false,
    silent_tools: &[],
};

/// Why a call did not run, by what Gemini CLI says in place of its result.
pub(crate) fn refusal(said: &str) -> Option<NeverRun> {
    match said {
        _ if said.starts_with("Tool execution blocked") => Some(NeverRun::Hook),
        _ if said.starts_with("Tool execution denied by policy") => Some(NeverRun::Permission),
        _ if said.starts_with("Tool \"") && said.contains("not found") => {
            Some(NeverRun::NoSuchTool)
        }
        _ => None,
    }
}

/// Reads a payload.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let payload: Payload<'_> = payload::fields(text)?;
    let name = payload.event()?;
    let hook_event = match &*name {
        "SessionStart" => HookEvent::SessionStart,
        "BeforeAgent" => HookEvent::Prompt,
        "BeforeTool" => HookEvent::BeforeTool,
        "AfterTool" => HookEvent::AfterTool,
        "AfterAgent" => HookEvent::Stop,
        "SessionEnd" => HookEvent::SessionEnd,
        _ => HookEvent::Other,
    };
    let mut notice = payload.notice(NAME, name, hook_event)?;
    notice.events = match hook_event {
        HookEvent::SessionStart => payload::session_start(&notice.about, payload.source),
        HookEvent::Prompt => payload::turn_unless(is_context, payload.prompt),
        HookEvent::BeforeTool => calls(&payload)?.into_iter().map(Event::ToolCall).collect(),
        HookEvent::AfterTool => results(&payload)?,
        HookEvent::Stop => payload::text_event(payload.said).into_iter().collect(),
        HookEvent::SessionEnd => vec![Event::SessionEnd],
        HookEvent::Other if notice.name == "PreCompress" => compaction(payload.trigger),
        HookEvent::SubAgentStart | HookEvent::SubAgentStop | HookEvent::Other => {
            payload.without_a_call(&notice.name, &["Notification"])?
        }
    };
    Ok(notice)
}

/// That the context is put in short, where the user has asked for it. Gemini CLI asks itself before each answer
/// whether it is time, and tells of that in the same words.
fn compaction(trigger: Raw<'_>) -> Vec<Event<'_>> {
    let is_asked_for = payload::said(trigger).as_deref() == Some("manual");
    is_asked_for.then_some(Event::Compaction).into_iter().collect()
}

/// The calls that a payload's call stands for.
fn calls<'a>(payload: &Payload<'a>) -> Result<Vec<Call<'a>>, String> {
    let mut call = payload.tool_call(tools::find)?;
    let name = mcp_name(payload).or_else(|| tools::mcp_name(&call.tool, None).map(Cow::Owned));
    if let Some(name) = name {
        rename(&mut call, name);
    }
    Ok(expand(call))
}

/// The call; one that reads several files is a `read` of each that is named, too.
pub(crate) fn expand(call: Call<'_>) -> Vec<Call<'_>> {
    let files = match &*call.tool {
        "read_many_files" => named_files(&call),
        _ => Vec::new(),
    };
    let id = call.id.clone();
    let mut calls = vec![call];
    for file in files {
        let value = Value::Text(Cow::Owned(file));
        let params = vec![Param { name: Cow::Borrowed("file_path"), native: None, value }];
        let id = numbered(id.as_ref(), calls.len() + 1);
        calls.push(Call { id, tool: Cow::Borrowed("read"), native_tool: None, params });
    }
    calls
}

/// Gives a call the common name of its tool.
pub(crate) fn rename<'a>(call: &mut Call<'a>, name: Cow<'a, str>) {
    let native = std::mem::replace(&mut call.tool, name);
    if native != call.tool {
        call.native_tool.get_or_insert(native);
    }
    if is_named_shell(&call.tool) {
        name_command(&mut call.params);
    }
}

/// The name of a tool of an MCP server, whose own name runs the two parts together.
fn mcp_name<'a>(payload: &Payload<'a>) -> Option<Cow<'a, str>> {
    let mut mcp = McpContext::default();
    json::object(payload.mcp?.get(), &mut mcp).ok()?;
    let server = payload::said(mcp.server)?;
    let tool = payload::said(mcp.tool).or_else(|| payload::said(payload.tool))?;
    Some(Cow::Owned(format!("mcp__{server}__{tool}")))
}

/// The files among the patterns of a call.
fn named_files(call: &Call<'_>) -> Vec<String> {
    /// As many files as this are told apart.
    const MAX: usize = 256;
    let lists = ["include", "paths"].into_iter().filter_map(|name| call.param(name));
    let lists = lists.filter_map(|value| match value {
        Value::Json(json) => serde_json::from_str::<Vec<String>>(json).ok(),
        Value::Text(_) => None,
    });
    lists.flatten().filter(|path| !path.contains(['*', '?', '[', '{'])).take(MAX).collect()
}

json::slots! {
    /// What a tool returned.
    struct Response { content: "llmContent", error: "error" }
}

fn results<'a>(payload: &Payload<'a>) -> Result<Vec<Event<'a>>, String> {
    let mut response = Response::default();
    if let Some(raw) = payload.response {
        // What is no object has no content, and is the result as it is.
        let _ = json::object(raw.get(), &mut response);
    }
    let value = response.content.or(payload.response).map(|raw| value_of(raw.get()));
    let reported = response.error.is_some_and(|error| error.get() != "null");
    let mut events = Vec::new();
    let calls = calls(payload)?;
    let count = calls.len();
    for (index, call) in calls.into_iter().enumerate() {
        let text = value.as_ref().and_then(Value::as_text).unwrap_or_default();
        let ok = !(reported || call.tool == "bash" && command_failed(text));
        let ok = payload::ran_well(&call, value.as_ref(), ok);
        events.extend(ok.then(|| payload::file_fact(&call, true)).flatten());
        let value = payload::share(value.as_ref(), index, count);
        events.push(payload::result(call, value, ok));
    }
    Ok(events)
}

/// Whether what was made of a command's output tells of a failure: in the lines behind the output,
/// which are Gemini CLI's own.
pub(crate) fn command_failed(text: &str) -> bool {
    const NOTES: [&str; 4] =
        ["</untrusted_context>", "Process Group PGID:", "Background PIDs:", ""];
    for line in text.lines().rev() {
        if let Some(code) = line.strip_prefix("Exit Code:") {
            return !matches!(code.trim(), "0" | "(none)");
        }
        if let Some(signal) = line.strip_prefix("Signal:") {
            return signal.trim() != "(none)";
        }
        let is_note = NOTES.iter().any(|note| match *note {
            "" => line.is_empty(),
            note => line.starts_with(note),
        });
        if !is_note {
            return false;
        }
    }
    false
}

/// Writes an answer.
pub(crate) fn answer(notice: &Notice<'_>, said: Said) -> Answer {
    let mut object = Object::new();
    match (notice.hook_event, said.act) {
        (HookEvent::BeforeTool | HookEvent::Prompt | HookEvent::Stop, Act::Deny | Act::Ask) => {
            object.text("decision", if said.act == Act::Ask { "ask" } else { "deny" });
            object.text("reason", &said.whole());
            // A call that does not run is not on the screen otherwise.
            if let Some(text) = &said.for_user {
                object.text("systemMessage", text);
            }
            answer::json(object)
        }
        // A refusal would hide the result from the agent, which is to know what it has done.
        (HookEvent::SessionStart | HookEvent::Prompt | HookEvent::AfterTool, _) => {
            let text = said.whole();
            if text.is_empty() {
                return Answer::default();
            }
            let mut inner = Object::new();
            inner.text("hookEventName", &notice.name);
            inner.text("additionalContext", &text);
            object.json("hookSpecificOutput", &inner.finish());
            answer::json(object)
        }
        (hook_event, _) => said.kept(hook_event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_told_from_the_output() {
        let check = |text: &str, failed: bool| assert_eq!(command_failed(text), failed, "{text}");
        check(
            "<untrusted_context>\nOutput: x\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>",
            true,
        );
        check("Output: x\nProcess Group PGID: 7", false);
        check("Output: x\nExit Code: 0", false);
        check("Output: x\nExit Code: 1\nmore output", false);
        check("Output: (empty)\nSignal: 9\nBackground PIDs: 1, 2\n", true);
        check("", false);
    }
}
