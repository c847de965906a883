//! The trajectories of SWE-agent (`.traj`, 0.5 to 1.1) and mini-swe-agent (1 and 2): one JSON document.
//! There are no ids of sessions or calls, and no exit codes in SWE-agent's: its results are all taken
//! for good. An action is a command line of the agent's shell, unless the history holds it as a call.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::content::content_text;
use crate::document::{self, Document};
use crate::fields::{elements, fields, input, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::formats::messages::{Conversation, tokens};
use crate::json::{self, Json, Raw};
use crate::object::Object;
use crate::recording::{
    Certainty, Format, Opening, RecordingFormat, Shape, first, is_list, is_text,
};
use crate::sink::{Sink, Stats};
use crate::tools::{Tool, look_up, renamed, tool, tool_call};

/// The tools that have other names here, in the order of their native names.
const TOOLS: &[Tool] = &[
    tool("bash", "bash"),
    tool("create", "create"),
    renamed("execute_bash", "bash", &[("cmd", "command")]),
];

/// How many messages may be passed over to find the one of an action: those that asked for nothing.
const NEAR: usize = 16;

json::slots! {
    struct Top {
        trajectory: "trajectory",
        history: "history",
        messages: "messages",
        instance: "instance_id",
    }
}

json::slots! {
    /// A step of a trajectory, or a message of the history.
    struct Step {
        action: "action",
        observation: "observation",
        response: "response",
        thought: "thought",
        state: "state",
        role: "role",
        content: "content",
        calls: "tool_calls",
        is_demo: "is_demo",
        extra: "extra",
    }
}

json::slots! {
    struct State { cwd: "working_dir" }
}

json::slots! {
    struct Call { id: "id", function: "function", name: "name", arguments: "arguments" }
}

json::slots! {
    struct Extra { response: "response", time: "timestamp" }
}

json::slots! {
    struct Answered { model: "model", usage: "usage" }
}

/// A trajectory of SWE-agent or mini-swe-agent.
struct Trajectory;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Trajectory);

impl RecordingFormat for Trajectory {
    fn name(&self) -> &'static str {
        "swe-agent"
    }

    fn description(&self) -> &'static str {
        "A trajectory of SWE-agent or mini-swe-agent"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.document(|document| {
            let run: MiniRun<'_> = fields(document.info);
            let is_run =
                document.messages.is_some() && (run.exit.is_some() || run.version.is_some());
            let step: Shape<'_> = fields(first(document.history));
            let acts = step.action.is_some() || step.observation.is_some();
            is_list(document.trajectory)
                || is_text(document.trajectory_format)
                || is_run
                || step.role.is_some() && (acts || step.agent.is_some())
                || !acts && step.message_type.is_some()
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

json::slots! {
    /// What mini-swe-agent notes of a run.
    struct MiniRun { exit: "exit_status", version: "mini_version" }
}

/// Reads a trajectory.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, false);
    document::read(input, &mut flow, &mut trajectory)?;
    flow.finish();
    Ok(flow.stats)
}

fn find(native: &str) -> Option<&'static Tool> {
    look_up(TOOLS, native)
}

fn trajectory(flow: &mut Flow<'_>, document: &Document<'_>) {
    let line = document.line(document.text);
    let mut top = Top::default();
    if let Err(error) = json::object(document.text, &mut top) {
        return flow.refuse(line, json::explain(document.text, &error));
    }
    let session = flow.new_session(text(top.instance).as_deref());
    let agent = if top.messages.is_some() { "mini-swe-agent" } else { "swe-agent" };
    let agent = Some(agent.to_owned());
    flow.about(session, About { agent, ..About::default() });
    if top.trajectory.is_some() {
        steps(flow, document, session, &top);
    } else if top.history.is_some() {
        let mut conversation = Conversation::new(session, Some(find));
        for message in elements(top.history) {
            conversation.message(flow, document.line(message.get()), message.get());
        }
        conversation.finish(flow, false);
    } else if top.messages.is_some() {
        messages(flow, document, session, top.messages);
    } else {
        flow.refuse(line, "the document has no `trajectory`, `history` or `messages`".to_owned());
    }
    flow.end(session);
}

/// The actions of a trajectory. The history tells what the user said, and the calls as the model wrote
/// them, where there is one for each action.
fn steps(flow: &mut Flow<'_>, document: &Document<'_>, session: usize, top: &Top<'_>) {
    let history = || elements(top.history).map(|message| fields::<Step<'_>>(Some(message)));
    let is_of = |message: &Step<'_>, role: &str| {
        message.role.map(Json::get) == Some(role) && !json::is_true(message.is_demo)
    };
    let said = history().find(|message| is_of(message, "\"user\""));
    let prompt = said.map(|message| content_text(message.content.map_or("", Json::get)));
    let mut written = history().filter(|message| is_of(message, "\"assistant\""));
    let first = At { line: document.line(top.trajectory.map_or("", Json::get)), ts: None };
    flow.turn(session, first, prompt.as_deref().filter(|prompt| !prompt.trim().is_empty()));
    for (number, element) in (1_u64..).zip(elements(top.trajectory)) {
        if flow.sink.stop() {
            return;
        }
        let at = At { line: document.line(element.get()), ts: None };
        let step: Step<'_> = fields(Some(element));
        let state = text(step.state).unwrap_or_default();
        let mut told = State::default();
        // Older versions write the state as JSON in a string.
        let _ = match step.state {
            Some(raw) if raw.get().starts_with('{') => json::object(raw.get(), &mut told),
            _ => json::object(&state, &mut told),
        };
        let message = text(step.action).and_then(|action| {
            let mut ahead = written.clone();
            let is_it = |message: &Step<'_>| text(message.action).as_deref() == Some(&*action);
            let found = ahead.by_ref().take(NEAR).find(is_it)?;
            written = ahead;
            Some(found)
        });
        one(flow, session, at, number, &step, message.as_ref());
        let cwd = text(told.cwd).map(Cow::into_owned);
        flow.about(session, About { cwd, ..About::default() });
    }
}

/// One step: what the model said, and its action with what came of it.
fn one(
    flow: &mut Flow<'_>,
    session: usize,
    at: At,
    number: u64,
    step: &Step<'_>,
    message: Option<&Step<'_>>,
) {
    let mut exchange = Exchange::new(flow, at);
    exchange.text(at, &text(step.thought.or(step.response)).unwrap_or_default());
    let call: Call<'_> = fields(elements(message.and_then(|message| message.calls)).next());
    let function: Call<'_> = fields(call.function);
    let own = Cow::Owned(format!("step-{number}"));
    let (id, name, input) = match (text(function.name), text(step.action)) {
        (Some(name), _) => (text(call.id).unwrap_or(own), name, input(function.arguments)),
        (None, Some(action)) => {
            let mut object = Object::new();
            object.text("command", action.trim_end());
            (own, Cow::Borrowed("bash"), Cow::Owned(object.finish()))
        }
        (None, None) => return flow.answer(session, exchange),
    };
    exchange.tool_use(Some(&id), &name, &input);
    let (call, _) = tool_call(find(&name), name, Some(id.clone()), Some(&input));
    exchange.call(at, call);
    flow.answer(session, exchange);
    if step.observation.is_some() {
        let said = step.observation.and_then(json::text).unwrap_or_default();
        flow.result(session, at, Answer::new(Some(&id), Some(Value::Text(said)), true));
    }
}

/// The messages of mini-swe-agent: calls, or commands between fences, each answered by what the user is
/// made to say.
fn messages(flow: &mut Flow<'_>, document: &Document<'_>, session: usize, raw: Raw<'_>) {
    let has_calls = elements(raw).any(|message| fields::<Step<'_>>(Some(message)).calls.is_some());
    if has_calls {
        let mut conversation = Conversation::new(session, Some(find));
        for message in elements(raw) {
            conversation.message(flow, document.line(message.get()), message.get());
        }
        return conversation.finish(flow, false);
    }
    let mut open: Option<String> = None;
    for (number, element) in (1_u64..).zip(elements(raw)) {
        let message: Step<'_> = fields(Some(element));
        let extra: Extra<'_> = fields(message.extra);
        let at = At { line: document.line(element.get()), ts: timestamp(extra.time) };
        let said = content_text(message.content.map_or("", Json::get));
        match text(message.role).as_deref() {
            Some("system" | "exit") => flow.stats.skipped += 1,
            Some("user") => match open.take() {
                Some(id) => {
                    let ok = returned(&said).unwrap_or(true);
                    let value = Some(Value::Text(said));
                    flow.result(session, at, Answer::new(Some(&id), value, ok));
                }
                None => flow.turn(session, at, (!said.trim().is_empty()).then_some(&*said)),
            },
            Some("assistant") => {
                let response: Answered<'_> = fields(extra.response);
                let mut exchange = Exchange::new(flow, at);
                exchange.model = text(response.model).map(Cow::into_owned);
                exchange.usage = tokens(response.usage);
                exchange.text(at, &said);
                if let Some(command) = fenced(&said) {
                    let id = format!("step-{number}");
                    let mut object = Object::new();
                    object.text("command", command);
                    let written = object.finish();
                    exchange.tool_use(Some(&id), "bash", &written);
                    let (name, own) = (Cow::Borrowed("bash"), Some(Cow::Borrowed(&*id)));
                    let (call, _) = tool_call(None, name, own, Some(&written));
                    exchange.call(at, call);
                    open = Some(id);
                }
                flow.answer(session, exchange);
            }
            other => flow.stats.unknown(other.unwrap_or("(no role)")),
        }
    }
}

/// The command between the fences of a message, where there is just one.
fn fenced(said: &str) -> Option<&str> {
    let mut found = None;
    let mut rest = said;
    while let Some((_, after)) = rest.split_once("```") {
        let (inside, behind) = after.split_once("```")?;
        let (kind, command) = inside.split_once('\n').unwrap_or_default();
        if matches!(kind.trim(), "bash" | "mswea_bash_command") {
            if found.is_some() {
                return None;
            }
            found = Some(command.trim());
        }
        rest = behind;
    }
    found
}

/// Whether the command succeeded, where what came back says so.
fn returned(said: &str) -> Option<bool> {
    let (_, rest) = said.split_once("<returncode>")?;
    let (code, _) = rest.split_once("</returncode>")?;
    Some(code.trim() == "0")
}

#[cfg(test)]
mod tests;
