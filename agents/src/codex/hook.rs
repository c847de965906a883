//! The hooks of Codex, as of 0.169.0. The payloads are shaped like Claude Code's; the answers are
//! not: a field that Codex does not know, a reason that is empty, `ask` or a bare `allow` make it run
//! the call.

use behavior_runtime::event::{Call, Event, FileFact, Value};

use crate::answer::{Act, Said, claude_like};
use crate::codex::NAME;
use crate::codex::calls::{self, Kind};
use crate::codex::context;
use crate::codex::outcome::Outcome;
use crate::codex::tools;
use crate::notice::{Abilities, Answer, HookEvent, Notice};
use crate::payload::{self, OF_NO_CALL, Payload, approval_mode};
use crate::tools::value_of;

/// What these hooks can do.
pub(crate) const ABILITIES: Abilities = Abilities {
    asks: false,
    context_before_tool: true,
    context_after_tool: true,
    context_on_start: true,
    context_on_prompt: true,
    keeps_going: true,
    // A command that fails is told like one that does not, and a failed MCP call is not told.
    tells_failures: false,
    tells_call_ids: true,
    tells_text: true,
    tells_text_before_tools: false,
    tells_sub_agents: true,
    tells_responses: false,
    silent_tools: &["update_plan", "todo_write"],
};

/// Reads a payload.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let payload: Payload<'_> = payload::fields(text)?;
    let name = payload.event()?;
    let hook_event = match &*name {
        "SessionStart" => HookEvent::SessionStart,
        "UserPromptSubmit" => HookEvent::Prompt,
        "PreToolUse" => HookEvent::BeforeTool,
        "PostToolUse" => HookEvent::AfterTool,
        "Stop" => HookEvent::Stop,
        "SubagentStart" => HookEvent::SubAgentStart,
        "SubagentStop" => HookEvent::SubAgentStop,
        "SessionEnd" => HookEvent::SessionEnd,
        _ => HookEvent::Other,
    };
    let mut notice = payload.notice(NAME, name, hook_event)?;
    notice.about.mode = payload::text(payload.mode).map(approval_mode);
    notice.events = match hook_event {
        HookEvent::SessionStart => payload::session_start(&notice.about, payload.source),
        HookEvent::Prompt => payload::turn_unless(context::is_context, payload.prompt),
        HookEvent::BeforeTool => {
            calls_of(&payload)?.into_iter().map(|(call, _)| Event::ToolCall(call)).collect()
        }
        HookEvent::AfterTool => results(&payload)?,
        HookEvent::Stop | HookEvent::SubAgentStop => {
            payload::text_event(payload.last).into_iter().collect()
        }
        HookEvent::SubAgentStart => {
            vec![Event::SessionStart(notice.about.clone()), Event::TurnStart { text: None }]
        }
        HookEvent::SessionEnd => vec![Event::SessionEnd],
        HookEvent::Other => payload.without_a_call(&notice.name, OF_NO_CALL)?,
    };
    Ok(notice)
}

/// The calls that one call of Codex stands for.
fn calls_of<'a>(payload: &Payload<'a>) -> Result<Vec<(Call<'a>, Kind)>, String> {
    calls::expand(payload.tool_call(tools::find)?)
}

/// The results of the same calls, with what they tell of files.
fn results<'a>(payload: &Payload<'a>) -> Result<Vec<Event<'a>>, String> {
    let value = payload.response.map(|raw| value_of(raw.get()));
    let text = match &value {
        Some(Value::Text(text) | Value::Json(text)) => &**text,
        None => "",
    };
    let calls = calls_of(payload)?;
    let kinds: Vec<&Kind> = calls.iter().map(|(_, kind)| kind).collect();
    let outcomes = Outcome::of(payload.response, text, &kinds).judge(&kinds);
    let mut events = Vec::new();
    let count = calls.len();
    for (index, ((call, kind), ok)) in calls.into_iter().zip(outcomes).enumerate() {
        let ok = payload::ran_well(&call, value.as_ref(), ok);
        events.extend(ok.then(|| fact(&call, &kind)).flatten());
        let value = payload::share(value.as_ref(), index, count);
        events.push(payload::result(call, value, ok));
    }
    Ok(events)
}

fn fact<'a>(call: &Call<'a>, kind: &Kind) -> Option<Event<'a>> {
    match (kind, &*call.tool) {
        (Kind::Patch, "delete") => match call.param("file_path")? {
            Value::Text(path) => Some(Event::Fs(FileFact {
                path: path.clone(),
                exists: false,
                ..FileFact::default()
            })),
            Value::Json(_) => None,
        },
        // A file that is moved is not where it was.
        (Kind::Patch, "edit") => None,
        _ => payload::file_fact(call, true),
    }
}

/// Writes an answer.
pub(crate) fn answer(notice: &Notice<'_>, said: Said) -> Answer {
    match (notice.hook_event, said.act) {
        (HookEvent::BeforeTool, Act::Deny | Act::Ask) => {
            claude_like::permission(notice, &said, false)
        }
        (HookEvent::AfterTool, Act::Deny) => claude_like::block_with_context(notice, &said),
        (HookEvent::Prompt | HookEvent::Stop | HookEvent::SubAgentStop, Act::Deny) => {
            claude_like::block(&said)
        }
        (
            HookEvent::SessionStart
            | HookEvent::Prompt
            | HookEvent::BeforeTool
            | HookEvent::AfterTool
            | HookEvent::SubAgentStart,
            _,
        ) => claude_like::context(notice, said.context_text().as_deref()),
        (hook_event, _) => said.kept(hook_event),
    }
}
