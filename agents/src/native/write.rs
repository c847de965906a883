//! Events written as lines of the native format. Reading such a line gives the same event again.

use behavior_runtime::event::{Call, Event, FileFact, Param, SessionStart, ToolResult};
use behavior_runtime::workflow::{Oversight, StepEnd};

use crate::object::Object;
use crate::sink::Item;
use behavior_runtime::replay::DEFAULT_SESSION;

/// The event as one line of the native format, without a line feed.
///
/// The agent's own names go into `native_tool` and `native_params`, where they differ.
#[must_use]
pub fn to_native(item: &Item<'_>) -> String {
    if let Event::Request { body } | Event::Response { body } | Event::Constitution { body } =
        &item.event
    {
        // The body is the whole line already; a line feed in it can only be a blank between tokens.
        return body.replace(['\n', '\r'], " ");
    }
    let mut line = Object::new();
    line.text("event", item.event.name());
    if item.session != DEFAULT_SESSION {
        line.text("session", &item.session);
    }
    line.number("ts", item.ts);
    match &item.event {
        Event::SessionStart(start) => session_start(&mut line, start),
        Event::TurnStart { text } | Event::TurnEnd { text } => {
            line.optional("text", text.as_deref())
        }
        Event::Text { text } => line.text("text", text),
        Event::ToolCall(tool_call) => call(&mut line, tool_call),
        Event::ToolResult(result) => tool_result(&mut line, result),
        Event::Fs(fact) => file_fact(&mut line, fact),
        Event::Clock { now } => line.number("now", Some(*now)),
        Event::ClassifierReply { raw } | Event::VerifierReply { reply: Ok(raw) } => {
            line.text("raw", raw);
        }
        Event::VerifierReply { reply: Err(error) } => line.text("error", error),
        Event::UserShell { command, hidden } => {
            line.text("command", command);
            line.boolean("hidden", hidden.then_some(true));
        }
        Event::WorkflowStart { workflow, input } => {
            line.text("workflow", workflow);
            line.optional("input", input.as_deref());
        }
        Event::StepEnd(end) => step_end(&mut line, end),
        Event::WorkflowResume { how } => line.text("how", how.name()),
        Event::Request { .. }
        | Event::Response { .. }
        | Event::Constitution { .. }
        | Event::Compaction
        | Event::SessionEnd => {}
    }
    line.finish()
}

fn step_end(line: &mut Object, end: &StepEnd<'_>) {
    line.number("step", Some(i64::from(end.step)));
    line.optional("agent", end.agent.as_deref());
    line.boolean("ok", (!end.ok).then_some(false));
    line.optional("output", end.output.as_deref());
    line.optional("control", end.control.as_deref());
    line.optional("control_error", end.unreadable.as_deref());
    let said = match &end.oversight {
        Some(Oversight::Advice(advice)) => Some(("advice", advice)),
        Some(Oversight::Failed(error)) => Some(("error", error)),
        None => None,
    };
    if let Some((name, text)) = said {
        let mut oversight = Object::new();
        oversight.text(name, text);
        line.json("oversight", &oversight.finish());
    }
}

fn session_start(line: &mut Object, start: &SessionStart<'_>) {
    line.optional("agent", start.agent.as_deref());
    line.optional("cwd", start.cwd.as_deref());
    line.optional("mode", start.mode.as_deref());
    line.boolean("headless", start.headless);
    line.boolean("subagent", start.subagent);
    line.optional("branch", start.branch.as_deref());
    if let Some(tools) = &start.tools {
        line.json("tools", &serde_json::json!(tools).to_string());
    }
    line.boolean("by_exchange", start.by_exchange.then_some(true));
}

fn call(line: &mut Object, call: &Call<'_>) {
    line.optional("id", call.id.as_deref());
    line.text("tool", &call.tool);
    line.optional("native_tool", call.native_tool.as_deref());
    line.json("params", &params(&call.params));
    let mut natives = Object::new();
    for param in &call.params {
        natives.optional(&param.name, param.native.as_deref());
    }
    if !natives.is_empty() {
        line.json("native_params", &natives.finish());
    }
}

fn params(params: &[Param<'_>]) -> String {
    let mut object = Object::new();
    for param in params {
        object.value(&param.name, &param.value);
    }
    object.finish()
}

fn tool_result(line: &mut Object, result: &ToolResult<'_>) {
    match &result.call {
        // A call's own id is the result's, where both are known.
        Some(repeated) => call(line, &Call { id: result.id.clone(), ..repeated.clone() }),
        None => line.optional("id", result.id.as_deref()),
    }
    if let Some(value) = &result.result {
        line.value("result", value);
    }
    line.boolean("ok", (!result.ok).then_some(false));
}

fn file_fact(line: &mut Object, fact: &FileFact<'_>) {
    line.text("path", &fact.path);
    line.boolean("exists", Some(fact.exists));
    line.number("size", fact.size);
    line.number("mtime", fact.mtime);
    line.number("lines", fact.lines);
    line.optional("real", fact.real.as_deref());
}
