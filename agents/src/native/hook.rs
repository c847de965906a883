//! One native event as what an agent told its hook, for programs that speak the native events. Such a
//! program does as it likes with the answer.

use std::borrow::Cow;

use behavior_runtime::event::{Event, SessionStart};

use crate::notice::{Abilities, HookEvent, Notice};

/// What a program of one's own can do.
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
    tells_text_before_tools: true,
    tells_sub_agents: true,
    tells_responses: true,
    silent_tools: &[],
};

/// Reads one event.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let Some(item) = super::item(crate::lines::trim(text), 1)? else {
        return Err("the event is empty; write one native event to standard input".to_owned());
    };
    let hook_event = match &item.event {
        Event::SessionStart(_) => HookEvent::SessionStart,
        Event::TurnStart { .. } => HookEvent::Prompt,
        Event::ToolCall(_) => HookEvent::BeforeTool,
        Event::ToolResult(_) => HookEvent::AfterTool,
        Event::TurnEnd { .. } => HookEvent::Stop,
        Event::SessionEnd => HookEvent::SessionEnd,
        _ => HookEvent::Other,
    };
    let about = match &item.event {
        Event::SessionStart(start) => start.clone(),
        _ => SessionStart::default(),
    };
    Ok(Notice {
        name: Cow::Borrowed(item.event.name()),
        hook_event,
        session: item.session,
        sub_agent: None,
        about,
        events: vec![item.event],
        transcript: None,
        stopped_before: false,
        counts_elsewhere: false,
        is_of_unknown_server: false,
    })
}
