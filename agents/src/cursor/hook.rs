//! The hooks of Cursor. It tells one call at several of them:
//!
//! | call | before it, the one that counts | also told before it | after it, the one that counts |
//! |---|---|---|---|
//! | shell command | `beforeShellExecution` | `preToolUse` | `postToolUse`, `postToolUseFailure` |
//! | tool of an MCP server | `beforeMCPExecution` | `preToolUse` | the same |
//! | file that is read | `preToolUse` | `beforeReadFile` | the same |
//! | any other | `preToolUse` | | the same |
//!
//! `beforeShellExecution` and `beforeMCPExecution` count because only they can ask. A call is decided
//! on at every hook before it, so that none can be left out of the settings to get round a rule.
//! `afterShellExecution`, `afterMCPExecution` and `afterFileEdit` repeat a result without saying
//! whether it is one of a failure, and nothing can be answered: they tell at most of a file.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, FileFact, Param, Value};

use crate::answer::{self, Act, Said};
use crate::cursor::NAME;
use crate::cursor::tools;
use crate::json::{self, Json, Raw};
use crate::native;
use crate::notice::{Abilities, Answer, HookEvent, Notice};
use crate::object::Object;
use crate::payload::{self, Payload};
use crate::tools::{Tool, tool_call, value_of};

/// What these hooks can do.
pub(crate) const ABILITIES: Abilities = Abilities {
    asks: true,
    context_before_tool: false,
    context_after_tool: true,
    context_on_start: true,
    context_on_prompt: false,
    keeps_going: true,
    tells_failures: true,
    // The hooks that count before shell commands and tools of MCP servers have none.
    tells_call_ids: false,
    tells_text: true,
    tells_text_before_tools: true,
    // That one stops is told without saying which.
    tells_sub_agents: false,
    tells_responses: false,
    silent_tools: &[],
};

/// What stands before the names of tools of MCP servers.
const MCP: &str = "MCP:";

/// The hook of a call that failed.
const FAILED: &str = "postToolUseFailure";

/// Reads a payload.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let payload: Payload<'_> = payload::fields(text)?;
    let name = payload.event()?;
    let hook_event = hook_event(&name, &payload);
    let mut notice = payload.notice(NAME, name, hook_event)?;
    if notice.about.cwd.is_none() {
        notice.about.cwd = first_root(payload.roots);
    }
    notice.about.headless = native::boolean("is_background_agent", payload.background)?;
    notice.sub_agent = payload::said(payload.sub_agent);
    notice.stopped_before = native::integer("loop_count", payload.loops)?.unwrap_or(0) > 0;
    notice.counts_elsewhere = match &*notice.name {
        "beforeReadFile" => true,
        "preToolUse" => {
            let tool = payload::text(payload.tool).unwrap_or_default();
            tool.starts_with(MCP) || tools::find(&tool).is_some_and(|tool| tool.canonical == "bash")
        }
        _ => false,
    };
    notice.is_of_unknown_server =
        notice.name == "beforeMCPExecution" && payload::said(payload.server).is_none();
    notice.events = events(&payload, &notice)?;
    Ok(notice)
}

/// Whether the user is asked at a hook that replies so; `preToolUse` takes `ask` and does not.
pub(crate) fn asks(name: &str) -> bool {
    matches!(name, "beforeShellExecution" | "beforeMCPExecution")
}

/// The hooks that name a tool and are not about a call that is to be decided on.
const OF_NO_CALL: &[&str] = &["afterMCPExecution"];

fn hook_event(name: &str, payload: &Payload<'_>) -> HookEvent {
    match name {
        "sessionStart" => HookEvent::SessionStart,
        "beforeSubmitPrompt" => HookEvent::Prompt,
        "beforeShellExecution" | "beforeMCPExecution" | "beforeReadFile" | "preToolUse" => {
            HookEvent::BeforeTool
        }
        "postToolUse" | FAILED => HookEvent::AfterTool,
        // Nobody keeps an agent going that its user has stopped.
        "stop" if payload::text(payload.status).is_some_and(|status| status != "completed") => {
            HookEvent::Other
        }
        "stop" => HookEvent::Stop,
        "subagentStart" => HookEvent::SubAgentStart,
        "subagentStop" if payload.sub_agent.is_some() => HookEvent::SubAgentStop,
        "sessionEnd" => HookEvent::SessionEnd,
        _ => HookEvent::Other,
    }
}

fn events<'a>(payload: &Payload<'a>, notice: &Notice<'a>) -> Result<Vec<Event<'a>>, String> {
    Ok(match &*notice.name {
        "sessionStart" => vec![Event::SessionStart(notice.about.clone())],
        "beforeSubmitPrompt" => vec![payload::turn(payload.prompt)],
        "beforeShellExecution" => vec![Event::ToolCall(shell_call(payload)?)],
        "beforeMCPExecution" => vec![Event::ToolCall(mcp_call(payload)?)],
        "beforeReadFile" => vec![Event::ToolCall(read_call(payload)?)],
        "preToolUse" => {
            let text = payload::text_event(payload.message);
            text.into_iter().chain([Event::ToolCall(call(payload)?)]).collect()
        }
        "postToolUse" => success(payload)?,
        FAILED => failure(payload)?,
        "afterFileEdit" => {
            let path = payload::required("file_path", payload.file)?;
            vec![Event::Fs(FileFact { path, exists: true, ..FileFact::default() })]
        }
        "afterAgentResponse" => payload::text_event(payload.text).into_iter().collect(),
        "subagentStart" => {
            vec![Event::SessionStart(notice.about.clone()), payload::turn(payload.task)]
        }
        "sessionEnd" => vec![Event::SessionEnd],
        name if notice.hook_event == HookEvent::Other => {
            payload.without_a_call(name, OF_NO_CALL)?
        }
        _ => Vec::new(),
    })
}

/// The first of the folders that are open.
fn first_root(roots: Raw<'_>) -> Option<Cow<'_, str>> {
    let text = roots.map(Json::get)?;
    let roots: Vec<String> = serde_json::from_str(text).ok()?;
    roots.into_iter().next().map(Cow::Owned)
}

fn shell_call<'a>(payload: &Payload<'a>) -> Result<Call<'a>, String> {
    let command = payload::required("command", payload.command)?;
    let value = Value::Text(command);
    let params = vec![Param { name: Cow::Borrowed("command"), native: None, value }];
    let native_tool = Some(Cow::Borrowed("Shell"));
    Ok(Call { id: None, tool: Cow::Borrowed("bash"), native_tool, params })
}

fn read_call<'a>(payload: &Payload<'a>) -> Result<Call<'a>, String> {
    let value = Value::Text(payload::required("file_path", payload.file)?);
    let params = vec![Param { name: Cow::Borrowed("file_path"), native: None, value }];
    let native_tool = Some(Cow::Borrowed("Read"));
    Ok(Call { id: None, tool: Cow::Borrowed("read"), native_tool, params })
}

/// A call of a tool of an MCP server, whose input is JSON inside a string.
fn mcp_call<'a>(payload: &Payload<'a>) -> Result<Call<'a>, String> {
    let native = payload::required("tool_name", payload.tool)?;
    let tool = match payload::said(payload.server) {
        Some(server) => Cow::Owned(format!("mcp__{server}__{native}")),
        None => native,
    };
    with_input(None, tool, None, payload.input)
}

/// A call as `preToolUse` and what follows it tell of it. Of a tool of an MCP server it does not say
/// which server.
fn call<'a>(payload: &Payload<'a>) -> Result<Call<'a>, String> {
    let native = payload::required("tool_name", payload.tool)?;
    let id = native::string("tool_use_id", payload.call)?;
    let Some(name) = native.strip_prefix(MCP).map(|name| format!("mcp__{}", name.trim())) else {
        return with_input(tools::find(&native), native, id, payload.input);
    };
    let call = with_input(None, Cow::Owned(name), id, payload.input)?;
    Ok(Call { native_tool: Some(native), ..call })
}

/// A call with an input that is an object, or the text of one.
fn with_input<'a>(
    known: Option<&'static Tool>,
    tool: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
    input: Raw<'a>,
) -> Result<Call<'a>, String> {
    let Some(text) = payload::text(input) else {
        return payload::call(known, tool, id, input);
    };
    if text.trim().is_empty() {
        return payload::call(known, tool, id, None);
    }
    let mut inner = Nothing;
    json::object(crate::lines::trim(&text), &mut inner)
        .map_err(|error| format!("`tool_input` is {}", json::explain(&text, &error)))?;
    let (call, overflowed) = tool_call(known, tool, id, Some(crate::lines::trim(&text)));
    if overflowed {
        return Err(format!("the call of `{}` has too many parameters", call.tool));
    }
    Ok(owned(&call))
}

/// No field at all: what is wanted is only whether it is an object.
struct Nothing;

impl<'a> json::Slots<'a> for Nothing {
    fn slot(&mut self, _: &str) -> json::Slot<'_, 'a> {
        json::Slot::Ignore
    }
}

/// A copy of a call that borrows nothing.
fn owned(call: &Call<'_>) -> Call<'static> {
    let own = |text: &Cow<'_, str>| Cow::Owned(text.clone().into_owned());
    let value = |value: &Value<'_>| match value {
        Value::Text(text) => Value::Text(own(text)),
        Value::Json(json) => Value::Json(own(json)),
    };
    Call {
        id: call.id.as_ref().map(own),
        tool: own(&call.tool),
        native_tool: call.native_tool.as_ref().map(own),
        params: call
            .params
            .iter()
            .map(|param| Param {
                name: own(&param.name),
                native: param.native.as_ref().map(own),
                value: value(&param.value),
            })
            .collect(),
    }
}

json::slots! {
    /// What a shell command returned.
    struct Output { code: "exitCode" | "exit_code" }
}

fn success<'a>(payload: &Payload<'a>) -> Result<Vec<Event<'a>>, String> {
    let call = call(payload)?;
    let text = payload::text(payload.output);
    let mut output = Output::default();
    let inner = text.as_deref().map(crate::lines::trim).unwrap_or_default();
    let is_object = json::object(inner, &mut output).is_ok();
    let ok = output.code.is_none_or(|code| code.get() == "0");
    let value = match payload.output {
        Some(_) if is_object => Some(Value::Json(Cow::Owned(inner.to_owned()))),
        raw => raw.map(|raw| value_of(raw.get())),
    };
    let ok = payload::ran_well(&call, value.as_ref(), ok);
    let exists = call.tool != "delete";
    let fact = ok.then(|| payload::file_fact(&call, exists)).flatten();
    Ok(fact.into_iter().chain([payload::result(call, value, ok)]).collect())
}

fn failure<'a>(payload: &Payload<'a>) -> Result<Vec<Event<'a>>, String> {
    let call = call(payload)?;
    // A call that was not permitted did not run.
    if payload::text(payload.failure).is_some_and(|kind| kind == "permission_denied") {
        return Ok(Vec::new());
    }
    let value = payload::text(payload.error_message).map(Value::Text);
    Ok(vec![payload::result(call, value, false)])
}

/// Writes an answer. It is never empty before something happens: an empty text is no JSON, which
/// Cursor may be set to take for a refusal.
pub(crate) fn answer(notice: &Notice<'_>, said: Said) -> Answer {
    let mut object = Object::new();
    match (notice.hook_event, said.act) {
        (HookEvent::BeforeTool, Act::Deny | Act::Ask) => {
            let asks = asks(&notice.name);
            let decision = if said.act == Act::Ask && asks { "ask" } else { "deny" };
            let mut reason = said.whole();
            if said.act == Act::Ask && !asks {
                reason.push_str(NOT_ASKED);
            }
            object.text("permission", decision);
            object.text("user_message", &reason);
            object.text("agent_message", &reason);
            answer::json(object)
        }
        (HookEvent::Prompt, Act::Deny) => {
            object.boolean("continue", Some(false));
            object.text("user_message", &said.whole());
            answer::json(object)
        }
        (HookEvent::Stop | HookEvent::SubAgentStop, Act::Deny) => {
            object.text("followup_message", &said.whole());
            answer::json(object)
        }
        (HookEvent::AfterTool, _) if notice.name != FAILED => context(&said),
        (HookEvent::SessionStart, _) => context(&said),
        (HookEvent::BeforeTool | HookEvent::Prompt | HookEvent::SubAgentStart, _) => {
            Answer { later: said.context, ..answer::json(object) }
        }
        (HookEvent::AfterTool, Act::Deny) => {
            Answer { later: vec![said.whole()], ..Answer::default() }
        }
        (hook_event, _) => said.kept(hook_event),
    }
}

/// What is said of a call whose user should be asked at a hook that cannot.
const NOT_ASKED: &str =
    "\n\nIts user would have been asked, but Cursor cannot ask about this tool.";

fn context(said: &Said) -> Answer {
    let text = said.whole();
    if text.is_empty() {
        return Answer::default();
    }
    let mut object = Object::new();
    object.text("additional_context", &text);
    answer::json(object)
}
