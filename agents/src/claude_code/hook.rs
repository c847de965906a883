//! The hooks of Claude Code, as of 2.1.197: which of its events tell what, and the answers that it
//! was seen to honour. A tool that Claude Code does not know fires nothing before it.

use behavior_runtime::event::{Event, Value};

use crate::answer::{Act, Said, claude_like};
use crate::claude_code::NAME;
use crate::claude_code::outcome::{self, Failure};
use crate::claude_code::{tools, transcript};
use crate::json::Json;
use crate::never_run::NeverRun;
use crate::notice::{Abilities, Answer, HookEvent, Notice};
use crate::payload::{self, OF_NO_CALL, Payload, approval_mode};
use crate::tools::value_of;

/// What these hooks can do.
pub(crate) const ABILITIES: Abilities = Abilities {
    asks: true,
    context_before_tool: true,
    context_after_tool: true,
    context_on_start: true,
    context_on_prompt: true,
    keeps_going: true,
    tells_failures: true,
    tells_call_ids: true,
    tells_text: true,
    tells_text_before_tools: false,
    tells_sub_agents: true,
    tells_responses: false,
    silent_tools: &[],
};

/// The event of a call that failed.
const FAILED: &str = "PostToolUseFailure";

/// Reads a payload.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let payload: Payload<'_> = payload::fields(text)?;
    let name = payload.event()?;
    let hook_event = match &*name {
        "SessionStart" => HookEvent::SessionStart,
        "UserPromptSubmit" => HookEvent::Prompt,
        "PreToolUse" => HookEvent::BeforeTool,
        "PostToolUse" | FAILED => HookEvent::AfterTool,
        "Stop" => HookEvent::Stop,
        "SubagentStart" => HookEvent::SubAgentStart,
        "SubagentStop" => HookEvent::SubAgentStop,
        "SessionEnd" => HookEvent::SessionEnd,
        // A batch repeats what was told of each of its calls.
        _ => HookEvent::Other,
    };
    let mut notice = payload.notice(NAME, name, hook_event)?;
    notice.about.mode = payload::text(payload.mode).map(approval_mode);
    notice.events = events(&payload, &notice)?;
    Ok(notice)
}

fn events<'a>(payload: &Payload<'a>, notice: &Notice<'a>) -> Result<Vec<Event<'a>>, String> {
    Ok(match notice.hook_event {
        HookEvent::SessionStart => payload::session_start(&notice.about, payload.source),
        HookEvent::Prompt => {
            payload::turn_unless(|text| !transcript::is_said(text), payload.prompt)
        }
        HookEvent::BeforeTool => vec![Event::ToolCall(payload.tool_call(tools::find)?)],
        HookEvent::AfterTool if notice.name == FAILED => failure(payload)?,
        HookEvent::AfterTool => success(payload)?,
        HookEvent::Stop | HookEvent::SubAgentStop => {
            payload::text_event(payload.last).into_iter().collect()
        }
        HookEvent::SubAgentStart => {
            vec![Event::SessionStart(notice.about.clone()), Event::TurnStart { text: None }]
        }
        HookEvent::SessionEnd => vec![Event::SessionEnd],
        HookEvent::Other => payload.without_a_call(&notice.name, OF_NO_CALL)?,
    })
}

fn success<'a>(payload: &Payload<'a>) -> Result<Vec<Event<'a>>, String> {
    let call = payload.tool_call(tools::find)?;
    let value = payload.response.map(|raw| value_of(raw.get()));
    let ok = payload::ran_well(&call, value.as_ref(), true);
    let fact = ok.then(|| payload::file_fact(&call, true)).flatten();
    Ok(fact.into_iter().chain([payload::result(call, value, ok)]).collect())
}

fn failure<'a>(payload: &Payload<'a>) -> Result<Vec<Event<'a>>, String> {
    let call = payload.tool_call(tools::find)?;
    let text = payload.error.map(Json::get).map(crate::content::content_text).unwrap_or_default();
    let tool = payload::text(payload.tool);
    let failure = Failure { text: &text, denial: None, tool: tool.as_deref(), version: None };
    let exists = outcome::file_existed(&text);
    let mut events: Vec<Event<'_>> =
        exists.and_then(|exists| payload::file_fact(&call, exists)).into_iter().collect();
    if outcome::never_run(&failure).is_none_or(NeverRun::is_failure) {
        events.push(payload::result(call, Some(Value::Text(text)), false));
    }
    Ok(events)
}

/// Writes an answer.
pub(crate) fn answer(notice: &Notice<'_>, said: Said) -> Answer {
    match (notice.hook_event, said.act) {
        (HookEvent::BeforeTool, Act::Deny | Act::Ask) => {
            claude_like::permission(notice, &said, true)
        }
        // A failed call has no result that could be refused.
        (HookEvent::AfterTool, Act::Deny) if notice.name == FAILED => {
            claude_like::context(notice, Some(&said.whole()))
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
