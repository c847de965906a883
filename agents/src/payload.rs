//! What the payloads of the agents' hooks have in common: the fields of those that write snake case,
//! and the parts that a notice is made of. What an event means, each agent's own folder says.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, FileFact, SessionStart, ToolResult, Value};

use crate::failure;
use crate::json::{self, Raw};
use crate::native::{self, Params};
use crate::notice::{HookEvent, Notice};
use crate::tools::{Tool, tool_call};

json::slots! {
    /// The fields of a payload. No agent has all of them.
    struct Payload {
        name: "hook_event_name",
        session: "session_id",
        conversation: "conversation_id",
        cwd: "cwd",
        roots: "workspace_roots",
        mode: "permission_mode",
        transcript: "transcript_path",
        agent: "agent_id",
        sub_agent: "subagent_id",
        background: "is_background_agent",
        prompt: "prompt",
        source: "source",
        trigger: "trigger",
        task: "task",
        call: "tool_use_id",
        tool: "tool_name",
        input: "tool_input",
        response: "tool_response",
        output: "tool_output",
        error: "error",
        error_message: "error_message",
        failure: "failure_type",
        command: "command",
        file: "file_path",
        server: "mcp_server_name",
        mcp: "mcp_context",
        text: "text",
        message: "agent_message",
        last: "last_assistant_message",
        said: "prompt_response",
        active: "stop_hook_active",
        status: "status",
        loops: "loop_count",
    }
}

/// The events that name a tool and are not about a call that is to be decided on, in the hooks of Claude
/// Code and of agents that have taken them over.
pub(crate) const OF_NO_CALL: &[&str] =
    &["Notification", "PermissionDenied", "PermissionRequest", "PostToolBatch"];

/// The permission modes of the same agents that have a name of ours; others keep theirs, and leave what
/// they mean to the policy. `default` is one of those: nobody has chosen it.
const PERMISSION_MODES: &[(&str, &str)] =
    &[("acceptEdits", "autoEdit"), ("bypassPermissions", "yolo")];

/// The approval mode for a permission mode.
pub(crate) fn approval_mode(native: Cow<'_, str>) -> Cow<'_, str> {
    let known = PERMISSION_MODES.iter().find(|(theirs, _)| *theirs == native);
    known.map_or(native, |(_, ours)| Cow::Borrowed(ours))
}

json::slots! {
    /// What the payload of a tool of an MCP server says of it.
    struct McpContext { server: "server_name", tool: "tool_name" }
}

/// Reads the fields of `text`, which must be one JSON object.
pub(crate) fn fields<'a, S: json::Slots<'a> + Default>(text: &'a str) -> Result<S, String> {
    let text = crate::lines::trim(text);
    if text.is_empty() {
        return Err(
            "the payload is empty; the agent must write what happened to standard input".to_owned()
        );
    }
    let mut fields = S::default();
    json::object(text, &mut fields)
        .map_err(|error| format!("the payload is {}", explain(text, &error)))?;
    Ok(fields)
}

fn explain(text: &str, error: &json::Error) -> String {
    json::explain(text, error).replace("expected a JSON object, but found", "not a JSON object but")
}

/// A string that must be there and not be empty.
pub(crate) fn required<'a>(name: &str, raw: Raw<'a>) -> Result<Cow<'a, str>, String> {
    match native::string(name, raw)? {
        Some(text) if !text.is_empty() => Ok(text),
        Some(_) => Err(format!("`{name}` is empty")),
        None => Err(format!("the payload has no `{name}`")),
    }
}

/// A string where there is one; any other value tells nothing.
pub(crate) fn text<'a>(raw: Raw<'a>) -> Option<Cow<'a, str>> {
    raw.and_then(json::text)
}

/// The beginning of a name that anybody may have chosen.
fn shortened(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}

/// A string that is not blank.
pub(crate) fn said<'a>(raw: Raw<'a>) -> Option<Cow<'a, str>> {
    text(raw).filter(|text| !text.trim().is_empty())
}

/// Text of the agent, if it wrote any.
pub(crate) fn text_event(raw: Raw<'_>) -> Option<Event<'_>> {
    said(raw).map(|text| Event::Text { text })
}

/// What is in an event of a name that nobody knows: nothing, unless it names a tool, so that it may be
/// a call.
pub(crate) fn unknown<'a>(name: &str, tool: Raw<'_>) -> Result<Vec<Event<'a>>, String> {
    if said(tool).is_none() { Ok(Vec::new()) } else { Err(unknown_call(name, tool)) }
}

/// Why an event is not passed over.
fn unknown_call(name: &str, tool: Raw<'_>) -> String {
    let of = said(tool).map(|tool| format!(" of `{}`", shortened(&tool))).unwrap_or_default();
    format!("the event `{}` is not known, and it is about a call{of}", shortened(name))
}

/// The beginning of a session; of one that goes on after its context was put in short, that too.
pub(crate) fn session_start<'a>(about: &SessionStart<'a>, source: Raw<'a>) -> Vec<Event<'a>> {
    let is_compacted = source.is_some_and(|source| source.get() == "\"compact\"");
    let compaction = is_compacted.then_some(Event::Compaction);
    std::iter::once(Event::SessionStart(about.clone())).chain(compaction).collect()
}

/// A turn with what the user said.
pub(crate) fn turn(raw: Raw<'_>) -> Event<'_> {
    Event::TurnStart { text: text(raw) }
}

/// The same, and nothing where the agent has written the text itself.
pub(crate) fn turn_unless<'a>(is_note: fn(&str) -> bool, raw: Raw<'a>) -> Vec<Event<'a>> {
    let text = text(raw);
    let is_note = text.as_deref().is_some_and(is_note);
    if is_note { Vec::new() } else { vec![Event::TurnStart { text }] }
}

impl<'a> Payload<'a> {
    /// The name of the event.
    pub(crate) fn event(&self) -> Result<Cow<'a, str>, String> {
        required("hook_event_name", self.name)
    }

    /// What is in an event that is none of those that rules are about: nothing.
    ///
    /// An event of a name that nobody knows may be a call all the same, of a version of the agent
    /// that came later: one that names a tool, or has what a tool is given, is not
    /// passed over.
    pub(crate) fn without_a_call(
        &self,
        name: &str,
        of_no_call: &[&str],
    ) -> Result<Vec<Event<'a>>, String> {
        match of_no_call.contains(&name) || said(self.tool).is_none() && self.input.is_none() {
            true => Ok(Vec::new()),
            false => Err(unknown_call(name, self.tool)),
        }
    }

    /// A notice of that event without anything that happened.
    pub(crate) fn notice(
        &self,
        agent: &'static str,
        name: Cow<'a, str>,
        hook_event: HookEvent,
    ) -> Result<Notice<'a>, String> {
        let (field, session) = match self.conversation {
            Some(_) => ("conversation_id", self.conversation),
            None => ("session_id", self.session),
        };
        let session = match hook_event {
            // What no rule is about need not say where it happened.
            HookEvent::Other => native::string(field, session)?.unwrap_or_default(),
            _ => required(field, session)?,
        };
        Ok(Notice {
            name,
            hook_event,
            session,
            sub_agent: text(self.agent),
            about: SessionStart {
                agent: Some(Cow::Borrowed(agent)),
                cwd: native::string("cwd", self.cwd)?,
                mode: None,
                headless: None,
                subagent: None,
                branch: None,
                tools: None,
                by_exchange: false,
            },
            events: Vec::new(),
            transcript: text(self.transcript),
            stopped_before: json::is_true(self.active),
            counts_elsewhere: false,
            is_of_unknown_server: false,
        })
    }

    /// The call that the payload is about, by an agent's table of tools.
    pub(crate) fn tool_call(
        &self,
        find: impl FnOnce(&str) -> Option<&'static Tool>,
    ) -> Result<Call<'a>, String> {
        let native = required("tool_name", self.tool)?;
        call(find(&native), native, native::string("tool_use_id", self.call)?, self.input)
    }
}

/// A call of which nothing may be left out.
pub(crate) fn call<'a>(
    known: Option<&'static Tool>,
    native: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
    input: Raw<'a>,
) -> Result<Call<'a>, String> {
    let (call, overflowed) = tool_call(known, native, id, input.map(json::Json::get));
    if overflowed {
        return Err(format!(
            "the call of `{}` has more than {} parameters",
            call.tool,
            Params::MAX
        ));
    }
    Ok(call)
}

/// Whether a call has done what it was to do, as far as its result tells; `ok` is what the agent says.
pub(crate) fn ran_well(call: &Call<'_>, result: Option<&Value<'_>>, ok: bool) -> bool {
    ok && !failure::is_told(&call.tool, result)
}

/// The result of `call`, which it repeats.
pub(crate) fn result<'a>(call: Call<'a>, result: Option<Value<'a>>, ok: bool) -> Event<'a> {
    Event::ToolResult(ToolResult { id: call.id.clone(), call: Some(call), result, ok })
}

/// What each of `count` calls that were one call returned. A long text is not copied for each of them:
/// the first has it.
pub(crate) fn share<'a>(
    value: Option<&Value<'a>>,
    index: usize,
    count: usize,
) -> Option<Value<'a>> {
    /// How much all copies together may take, in bytes.
    const MAX: usize = 4 << 20;
    let (Value::Text(text) | Value::Json(text)) = value?;
    (index == 0 || text.len().saturating_mul(count) <= MAX).then(|| value.cloned()).flatten()
}

/// That the file of a call is there, or is not, once the call has ended.
pub(crate) fn file_fact<'a>(call: &Call<'a>, exists: bool) -> Option<Event<'a>> {
    let path = match &*call.tool {
        "read" | "edit" | "write" => call.param("file_path")?,
        _ => return None,
    };
    match path {
        Value::Text(path) if !path.is_empty() => {
            Some(Event::Fs(FileFact { path: path.clone(), exists, ..FileFact::default() }))
        }
        _ => None,
    }
}

/// Another call that came with the first: it has an id of its own, behind the first one's.
pub(crate) fn numbered<'a>(id: Option<&Cow<'a, str>>, number: usize) -> Option<Cow<'a, str>> {
    match (id, number) {
        (None, _) => None,
        (Some(id), 0 | 1) => Some(id.clone()),
        (Some(id), number) => Some(Cow::Owned(format!("{id}/{number}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_change_their_names_only_where_there_is_one_of_ours() {
        for (native, expect) in
            [("acceptEdits", "autoEdit"), ("bypassPermissions", "yolo"), ("plan", "plan")]
        {
            assert_eq!(approval_mode(Cow::Borrowed(native)), expect);
        }
        assert_eq!(approval_mode(Cow::Borrowed("default")), "default", "it is left to the policy");
    }
}
