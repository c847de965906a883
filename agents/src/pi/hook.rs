//! What our extension in pi tells. A call that is blocked has no result.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, SessionStart, Value};

use crate::content::content_text;
use crate::json::{self, Json, Raw, Slot, Slots};
use crate::native;
use crate::notice::{Abilities, HookEvent, Notice};
use crate::payload;
use crate::pi::NAME;
use crate::pi::tools;

/// What these hooks can do. The extension keeps context that has no place, and puts it into the next.
pub(crate) const ABILITIES: Abilities = Abilities {
    asks: true,
    context_before_tool: false,
    context_after_tool: true,
    context_on_start: false,
    context_on_prompt: true,
    keeps_going: true,
    tells_failures: true,
    tells_call_ids: true,
    tells_text: true,
    tells_text_before_tools: true,
    tells_sub_agents: false,
    tells_responses: false,
    silent_tools: &[],
};

/// What the extension sends.
#[derive(Default)]
struct Wrapper<'a> {
    hook: Raw<'a>,
    session: Raw<'a>,
    cwd: Raw<'a>,
    headless: Raw<'a>,
    stopped_before: Raw<'a>,
    event: PiEvent<'a>,
}

impl<'a> Slots<'a> for Wrapper<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "hook" => &mut self.hook,
            "session" => &mut self.session,
            "cwd" => &mut self.cwd,
            "headless" => &mut self.headless,
            "stopped_before" => &mut self.stopped_before,
            "event" => return Slot::Object(&mut self.event),
            _ => return Slot::Ignore,
        })
    }
}

/// The event of pi.
#[derive(Default)]
struct PiEvent<'a> {
    tool: Raw<'a>,
    call: Raw<'a>,
    input: Raw<'a>,
    content: Raw<'a>,
    is_error: Raw<'a>,
    text: Raw<'a>,
    source: Raw<'a>,
    command: Raw<'a>,
    is_hidden: Raw<'a>,
    message: Message<'a>,
}

impl<'a> Slots<'a> for PiEvent<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "toolName" => &mut self.tool,
            "toolCallId" => &mut self.call,
            "input" => &mut self.input,
            "content" => &mut self.content,
            "isError" => &mut self.is_error,
            "text" => &mut self.text,
            "source" => &mut self.source,
            "command" => &mut self.command,
            "excludeFromContext" => &mut self.is_hidden,
            "message" => return Slot::Object(&mut self.message),
            _ => return Slot::Ignore,
        })
    }
}

json::slots! {
    /// A message of either side.
    struct Message { role: "role", content: "content" }
}

/// Reads what the extension sent.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let wrapper: Wrapper<'_> = payload::fields(text)?;
    let name = payload::required("hook", wrapper.hook)?;
    let hook_event = match &*name {
        "session_start" => HookEvent::SessionStart,
        "input" => HookEvent::Prompt,
        "tool_call" => HookEvent::BeforeTool,
        "tool_result" => HookEvent::AfterTool,
        "agent_end" => HookEvent::Stop,
        "session_shutdown" => HookEvent::SessionEnd,
        _ => HookEvent::Other,
    };
    let is_known = matches!(&*name, "message_end" | "session_compact" | "user_bash");
    let session = match hook_event == HookEvent::Other && !is_known {
        true => native::string("session", wrapper.session)?.unwrap_or_default(),
        false => payload::required("session", wrapper.session)?,
    };
    let about = SessionStart {
        agent: Some(Cow::Borrowed(NAME)),
        cwd: native::string("cwd", wrapper.cwd)?,
        mode: None,
        headless: native::boolean("headless", wrapper.headless)?,
        subagent: None,
        branch: None,
        tools: None,
        by_exchange: false,
    };
    let events = match &*name {
        "session_start" => vec![Event::SessionStart(about.clone())],
        "input" => prompt(&wrapper.event).into_iter().collect(),
        "message_end" => said(&wrapper.event.message).into_iter().collect(),
        "tool_call" => vec![Event::ToolCall(call(&wrapper.event)?)],
        "tool_result" => result(&wrapper.event)?,
        "agent_end" => vec![Event::TurnEnd { text: payload::text(wrapper.event.text) }],
        "session_compact" => vec![Event::Compaction],
        "user_bash" => typed(&wrapper.event).into_iter().collect(),
        "session_shutdown" => vec![Event::SessionEnd],
        _ if hook_event == HookEvent::Other => payload::unknown(&name, wrapper.event.tool)?,
        _ => Vec::new(),
    };
    Ok(Notice {
        name,
        hook_event,
        session,
        sub_agent: None,
        about,
        events,
        transcript: None,
        stopped_before: json::is_true(wrapper.stopped_before),
        counts_elsewhere: false,
        is_of_unknown_server: false,
    })
}

/// What came in; what an extension sent was not said by the user, and begins no turn.
fn prompt<'a>(event: &PiEvent<'a>) -> Option<Event<'a>> {
    let is_users = event.source.is_none_or(|source| source.get() != "\"extension\"");
    is_users.then(|| Event::TurnStart { text: payload::text(event.text) })
}

/// The text of a message of the agent.
fn said<'a>(message: &Message<'a>) -> Option<Event<'a>> {
    message.role.filter(|role| role.get() == "\"assistant\"")?;
    let text = content_text(message.content?.get());
    (!text.trim().is_empty()).then_some(Event::Text { text })
}

/// A shell line that the user typed.
fn typed<'a>(event: &PiEvent<'a>) -> Option<Event<'a>> {
    let command = payload::text(event.command)?;
    Some(Event::UserShell { command, hidden: json::is_true(event.is_hidden) })
}

fn call<'a>(event: &PiEvent<'a>) -> Result<Call<'a>, String> {
    let native = payload::required("toolName", event.tool)?;
    let id = native::string("toolCallId", event.call)?;
    payload::call(tools::find(&native), native, id, event.input)
}

fn result<'a>(event: &PiEvent<'a>) -> Result<Vec<Event<'a>>, String> {
    let call = call(event)?;
    let ok = !native::boolean("isError", event.is_error)?.unwrap_or(false);
    let value = event.content.map(Json::get).map(content_text).map(Value::Text);
    let ok = payload::ran_well(&call, value.as_ref(), ok);
    let fact = ok.then(|| payload::file_fact(&call, true)).flatten();
    Ok(fact.into_iter().chain([payload::result(call, value, ok)]).collect())
}
