//! What our plugin in OpenCode tells. OpenCode has a session of its own for each sub-agent, tells
//! nothing after a tool that failed, and cannot ask its user on behalf of a plugin.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, FileFact, SessionStart, Value};

use crate::json::{self, Elements, Json, Raw, Slot, Slots};
use crate::native;
use crate::notice::{Abilities, HookEvent, Notice};
use crate::opencode::NAME;
use crate::opencode::lint;
use crate::opencode::tools;
use crate::patch;
use crate::payload;
use crate::tools::value_of;

/// What these hooks can do.
pub(crate) const ABILITIES: Abilities = Abilities {
    asks: false,
    // The plugin keeps it and puts it behind the result.
    context_before_tool: false,
    context_after_tool: true,
    // Likewise, behind the next prompt.
    context_on_start: false,
    context_on_prompt: true,
    // By a message that the plugin sends, as part of what OpenCode itself puts there.
    keeps_going: true,
    tells_failures: false,
    tells_call_ids: true,
    tells_text: true,
    tells_text_before_tools: true,
    tells_sub_agents: true,
    tells_responses: false,
    silent_tools: &[],
};

/// What the plugin sends.
#[derive(Default)]
struct Wrapper<'a> {
    hook: Raw<'a>,
    session: Raw<'a>,
    cwd: Raw<'a>,
    stopped_before: Raw<'a>,
    input: Input<'a>,
    output: Output<'a>,
}

impl<'a> Slots<'a> for Wrapper<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        match key {
            "hook" => Slot::Keep(&mut self.hook),
            "session" => Slot::Keep(&mut self.session),
            "cwd" => Slot::Keep(&mut self.cwd),
            "stopped_before" => Slot::Keep(&mut self.stopped_before),
            "input" => Slot::Object(&mut self.input),
            "output" => Slot::Object(&mut self.output),
            _ => Slot::Ignore,
        }
    }
}

json::slots! {
    /// The first argument of a hook.
    struct Input { tool: "tool", session: "sessionID", call: "callID", args: "args" }
}

/// The second argument of a hook.
#[derive(Default)]
struct Output<'a> {
    args: Raw<'a>,
    output: Raw<'a>,
    text: Raw<'a>,
    metadata: Metadata<'a>,
    parts: Parts<'a>,
}

impl<'a> Slots<'a> for Output<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        match key {
            "args" => Slot::Keep(&mut self.args),
            "output" => Slot::Keep(&mut self.output),
            "text" => Slot::Keep(&mut self.text),
            "metadata" => Slot::Object(&mut self.metadata),
            "parts" => Slot::Elements(&mut self.parts),
            _ => Slot::Ignore,
        }
    }
}

json::slots! {
    /// What a tool tells of its run.
    struct Metadata { exit: "exit" }
}

json::slots! {
    /// A part of a message.
    struct Part { kind: "type", text: "text", synthetic: "synthetic" }
}

/// The parts of a message.
#[derive(Default)]
struct Parts<'a>(Vec<Part<'a>>);

impl<'a> Elements<'a> for Parts<'a> {
    fn begin(&mut self) {
        self.0.clear();
    }

    fn element(&mut self) -> Option<&mut dyn Slots<'a>> {
        /// As many parts of a message are read.
        const MAX: usize = 1 << 16;
        if self.0.len() == MAX {
            return None;
        }
        self.0.push(Part::default());
        self.0.last_mut().map(|part| part as &mut dyn Slots<'a>)
    }

    fn whole(&mut self, _: Json<'a>) {}
}

/// Reads what the plugin sent.
pub(crate) fn read(text: &str) -> Result<Notice<'_>, String> {
    let wrapper: Wrapper<'_> = payload::fields(text)?;
    let name = payload::required("hook", wrapper.hook)?;
    let hook_event = match &*name {
        "session.created" => HookEvent::SessionStart,
        "chat.message" => HookEvent::Prompt,
        "tool.execute.before" => HookEvent::BeforeTool,
        "tool.execute.after" => HookEvent::AfterTool,
        "session.idle" => HookEvent::Stop,
        "session.deleted" => HookEvent::SessionEnd,
        _ => HookEvent::Other,
    };
    let session = wrapper.session.or(wrapper.input.session);
    let is_known = hook_event != HookEvent::Other
        || matches!(&*name, "experimental.text.complete" | "session.compacted");
    let session = match is_known {
        true => payload::required("session", session)?,
        false => native::string("session", session)?.unwrap_or_default(),
    };
    let about = SessionStart {
        agent: Some(Cow::Borrowed(NAME)),
        cwd: native::string("cwd", wrapper.cwd)?,
        mode: None,
        headless: None,
        subagent: None,
        branch: None,
        tools: None,
        by_exchange: false,
    };
    let events = match &*name {
        "session.created" => vec![Event::SessionStart(about.clone())],
        "chat.message" => prompt(&wrapper.output.parts).into_iter().collect(),
        "tool.execute.before" => {
            calls(&wrapper, wrapper.output.args)?.into_iter().map(Event::ToolCall).collect()
        }
        "tool.execute.after" => results(&wrapper)?,
        "experimental.text.complete" => {
            payload::text_event(wrapper.output.text).into_iter().collect()
        }
        "session.idle" => vec![Event::TurnEnd { text: payload::text(wrapper.output.text) }],
        "session.compacted" => vec![Event::Compaction],
        "session.deleted" => vec![Event::SessionEnd],
        _ if hook_event == HookEvent::Other => payload::unknown(&name, wrapper.input.tool)?,
        _ => Vec::new(),
    };
    let is_of_unknown_server = name == "tool.execute.before"
        && payload::text(wrapper.input.tool).is_some_and(|tool| may_be_of_server(&tool));
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
        is_of_unknown_server,
    })
}

/// Whether a tool may be one of a server: those are called `server_tool`, and both names may hold more
/// of these signs, so that nobody knows where the one ends.
fn may_be_of_server(tool: &str) -> bool {
    tool.contains('_') && tools::find(tool).is_none()
}

/// What the user said: the parts of a message that OpenCode did not put there itself. One of nothing else
/// begins no turn.
fn prompt<'a>(parts: &Parts<'a>) -> Option<Event<'a>> {
    let own = || parts.0.iter().filter(|part| !json::is_true(part.synthetic));
    if own().next().is_none() && !parts.0.is_empty() {
        return None;
    }
    let said = own().filter(|part| part.kind.is_some_and(|kind| kind.get() == "\"text\""));
    let mut texts: Vec<Cow<'_, str>> = said.filter_map(|part| payload::text(part.text)).collect();
    let text = match texts.len() {
        0 | 1 => texts.pop(),
        _ => Some(Cow::Owned(texts.join("\n"))),
    };
    Some(Event::TurnStart { text })
}

/// The calls that a payload's call stands for.
fn calls<'a>(wrapper: &Wrapper<'a>, args: Raw<'a>) -> Result<Vec<Call<'a>>, String> {
    let native = payload::required("tool", wrapper.input.tool)?;
    let id = native::string("callID", wrapper.input.call)?;
    expand(payload::call(tools::find(&native), native, id, args)?)
}

/// The calls that one call stands for: more than one if it is a patch.
///
/// # Errors
///
/// When a patch is about too many files.
pub(crate) fn expand(call: Call<'_>) -> Result<Vec<Call<'_>>, String> {
    let native = call.native_tool.clone().unwrap_or_else(|| call.tool.clone());
    if call.tool != "apply_patch" {
        return Ok(vec![call]);
    }
    let param = call.params.iter().find(|param| matches!(&*param.name, "patchText" | "patch"));
    match param.map(|param| (&param.name, &param.value)) {
        Some((name, Value::Text(text))) => patch::calls(&native, name, call.id.as_ref(), text),
        _ => Ok(vec![call]),
    }
}

fn results<'a>(wrapper: &Wrapper<'a>) -> Result<Vec<Event<'a>>, String> {
    let value = wrapper.output.output.map(|raw| value_of(raw.get()));
    let exit = wrapper.output.metadata.exit.map(Json::get);
    let ok = matches!(exit, None | Some("0" | "null"));
    let mut events = Vec::new();
    let calls = calls(wrapper, wrapper.input.args.or(wrapper.output.args))?;
    let count = calls.len();
    for (index, call) in calls.into_iter().enumerate() {
        let ok = payload::ran_well(&call, value.as_ref(), ok);
        events.extend(ok.then(|| fact(&call)).flatten());
        let value = payload::share(value.as_ref(), index, count);
        let value = lint::with_errors(&call.tool, value);
        events.push(payload::result(call, value, ok));
    }
    Ok(events)
}

fn fact<'a>(call: &Call<'a>) -> Option<Event<'a>> {
    match (&*call.tool, call.param("file_path")) {
        ("delete", Some(Value::Text(path))) => {
            Some(Event::Fs(FileFact { path: path.clone(), exists: false, ..FileFact::default() }))
        }
        // A patch may have moved the file.
        ("edit", _) if call.param("patch").is_some() => None,
        _ => payload::file_fact(call, true),
    }
}
