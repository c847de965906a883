//! The events of OpenHands. V0: `{id, source, action, args}` and `{observation, content, cause}`, as a
//! list, as lines, or in the `history` of each line of an evaluation's output. V1 (software-agent-sdk):
//! lines with a `kind` such as `ActionEvent` and `ObservationEvent`. Holds for 0.9 to 1.x.
//!
//! V0 pairs an observation with its action by `cause`, else by order. Neither tells usage by response.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::content::content_text;
use crate::document::{self, Document};
use crate::fields::{elements, fields, input, present, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::json::{self, Json};
use crate::never_run::NeverRun;
use crate::object::Object;
use crate::recording::{Certainty, Format, Opening, RecordingFormat, Shape, first, is_text};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::{Tool, look_up, renamed, tool, tool_call, value_of};

/// The tools that have other names here, in the order of their native names.
const TOOLS: &[Tool] = &[
    tool("browse", "browse"),
    renamed("delegate", "task", &[("task", "prompt")]),
    renamed("edit", "edit", FILE),
    tool("execute_bash", "bash"),
    renamed("read", "read", FILE),
    tool("run", "bash"),
    tool("task_tracker", "todo_write"),
    tool("terminal", "bash"),
    renamed("write", "write", FILE),
];

/// One tool that does what its `command` says.
const EDITOR: &[Tool] = &[
    renamed("create", "write", EDITED),
    renamed("insert", "edit", EDITED),
    renamed("str_replace", "edit", EDITED),
    renamed("undo_edit", "edit", EDITED),
    renamed("view", "read", EDITED),
];

const FILE: &[(&str, &str)] = &[("path", "file_path")];
const EDITED: &[(&str, &str)] = &[
    ("path", "file_path"),
    ("file_text", "content"),
    ("old_str", "old_string"),
    ("new_str", "new_string"),
];

/// Kinds of event that tell nothing of what the agent did.
const SILENT: &[&str] = &[
    "Condensation",
    "CondensationRequest",
    "CondensationSummaryEvent",
    "ConversationErrorEvent",
    "ConversationStateUpdateEvent",
    "LLMCompletionLogEvent",
    "PauseEvent",
    "SystemPromptEvent",
    "TokenEvent",
    "agent_state_changed",
    "change_agent_state",
    "condensation",
    "null",
    "recall",
    "system",
];

/// As many results wait for the calls of one response to be complete.
const MAX: usize = 1 << 12;

json::slots! {
    /// An event of either version, or a line of an evaluation's output.
    struct Record {
        id: "id",
        instance: "instance_id",
        history: "history",
        source: "source",
        time: "timestamp",
        kind: "kind",
        action: "action",
        args: "args",
        observation: "observation",
        content: "content",
        extras: "extras",
        cause: "cause",
        code: "exit_code",
        thought: "thought",
        command: "command",
        written_code: "code",
        path: "path",
        url: "url",
        metadata: "tool_call_metadata",
        name: "tool_name",
        call: "tool_call_id",
        written: "tool_call",
        response: "llm_response_id",
        reasoning: "reasoning_content",
        message: "llm_message",
        error: "error",
        reason: "rejection_reason",
    }
}

json::slots! {
    struct Extras { code: "exit_code", metadata: "metadata", call: "tool_call_id" }
}

json::slots! {
    struct Args { content: "content", thought: "thought", final_thought: "final_thought" }
}

json::slots! {
    /// What a V1 observation holds, a message, or a call.
    struct Inner {
        content: "content",
        output: "output",
        text: "text",
        is_error: "is_error",
        code: "exit_code",
        arguments: "arguments",
        command: "command",
    }
}

/// Events of OpenHands.
struct Events;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Events);

impl RecordingFormat for Events {
    fn name(&self) -> &'static str {
        "openhands"
    }

    fn description(&self) -> &'static str {
        "Events of OpenHands"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        let document = |document: &Shape<'_>| {
            let Some(event) = first(document.history) else { return false };
            // Older versions write pairs of an action and its observation.
            let is_pair = event.get().starts_with('[');
            let fields: Shape<'_> = fields(if is_pair { first(Some(event)) } else { Some(event) });
            fields.action.is_some() || !is_pair && fields.observation.is_some()
        };
        opening
            .record(is_event)
            .or_else(|| opening.list(is_event))
            .or_else(|| opening.document(document))
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

fn is_event(fields: &Shape<'_>) -> bool {
    let kind = text(fields.kind).unwrap_or_default();
    let has_source = fields.source.is_some();
    let is_v1 = has_source
        && (kind.ends_with("Event") || kind.ends_with("Observation") || kind == "Condensation");
    let acts = is_text(fields.action) || is_text(fields.observation);
    is_v1 || acts && (has_source || is_text(fields.content) || fields.message.is_some())
}

/// Reads events.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, true);
    let mut reader = Reader::default();
    document::read(input, &mut flow, &mut |flow, document| reader.document(flow, document))?;
    reader.close(&mut flow);
    flow.finish();
    Ok(flow.stats)
}

#[derive(Default)]
struct Reader {
    session: Option<usize>,
    /// The response that is put together, which one it is, and the results of its calls.
    current: Option<(String, Exchange)>,
    results: Vec<(At, Answer)>,
    /// The calls of V0 by the action's id, and the latest.
    calls: HashMap<String, String>,
    latest: Option<String>,
    count: u64,
    any: bool,
}

impl Reader {
    fn document(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        if document.text.starts_with('[') {
            self.history(flow, document, None, document.text);
            return;
        }
        let mut record = Record::default();
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        match record.history.filter(|raw| raw.get().starts_with('[')) {
            Some(history) => self.history(flow, document, text(record.instance), history.get()),
            None => self.event(flow, line, &record),
        }
    }

    /// A session by itself. Some versions write pairs of an action and its observation.
    fn history(
        &mut self,
        flow: &mut Flow<'_>,
        document: &Document<'_>,
        name: Option<Cow<'_, str>>,
        events: &str,
    ) {
        self.close(flow);
        *self = Self { session: Some(flow.new_session(name.as_deref())), ..Self::default() };
        for element in json::values(events) {
            let alone = (!element.get().starts_with('[')).then_some(element);
            for event in elements(Some(element)).chain(alone) {
                self.event(flow, document.line(event.get()), &fields(Some(event)));
            }
        }
        self.close(flow);
        if let Some(session) = self.session.take() {
            flow.end(session);
        }
    }

    fn session(&mut self, flow: &mut Flow<'_>) -> usize {
        let session = *self.session.get_or_insert_with(|| flow.new_session(None));
        let agent = Some("openhands".to_owned());
        flow.about(session, About { agent, ..About::default() });
        session
    }

    fn event(&mut self, flow: &mut Flow<'_>, line: u32, record: &Record<'_>) {
        self.session(flow);
        let at = At { line, ts: timestamp(record.time) };
        let action = present(record.action).filter(|raw| raw.get().starts_with('"'));
        let observation = present(record.observation).filter(|raw| raw.get().starts_with('"'));
        match (text(record.kind).as_deref(), text(action), text(observation)) {
            (Some(kind), _, _) => self.event_v1(flow, at, kind, record),
            (None, Some(action), _) => self.action(flow, at, &action, record),
            (None, None, Some(observation)) => self.observation(flow, at, &observation, record),
            _ => flow.stats.unknown("(no kind)"),
        }
        self.any = true;
        let is_full = self.current.as_ref().is_some_and(|(_, exchange)| exchange.is_full());
        if is_full || self.results.len() > MAX {
            self.close(flow);
        }
    }

    /// An event of V1.
    fn event_v1(&mut self, flow: &mut Flow<'_>, at: At, kind: &str, record: &Record<'_>) {
        match kind {
            "ActionEvent" => self.action_v1(flow, at, record),
            "ObservationEvent" => {
                let inner: Inner<'_> = fields(record.observation);
                let said = content_text(
                    inner.content.or(inner.output).or(inner.text).map_or("\"\"", Json::get),
                );
                let code = present(inner.code).is_some_and(|code| code.get() != "0");
                let ok = !json::is_true(inner.is_error) && !code;
                self.result(at, text(record.call), Some(Value::Text(said)), ok, None);
            }
            "AgentErrorEvent" => {
                let value = record.error.map(|raw| value_of(raw.get()));
                let said = text(record.error).unwrap_or_default();
                let never_run = match &*said {
                    said if said.contains("not found. Available") => Some(NeverRun::NoSuchTool),
                    said if said.starts_with("Error validating") => Some(NeverRun::Input),
                    _ => None,
                };
                self.result(at, text(record.call), value, false, never_run);
            }
            "UserRejectObservation" => {
                let value = record.reason.map(|raw| value_of(raw.get()));
                self.result(at, text(record.call), value, false, Some(NeverRun::Rejected));
            }
            "MessageEvent" => {
                let inner: Inner<'_> = fields(record.message);
                let said = content_text(inner.content.map_or("\"\"", Json::get)).into_owned();
                let by_agent = record.source.map(Json::get) == Some("\"agent\"");
                self.message(flow, at, &said, !by_agent);
            }
            known if SILENT.contains(&known) => flow.stats.skipped += 1,
            other => flow.stats.unknown(other),
        }
    }

    /// A call of V1; those of one response are told apart by its id.
    fn action_v1(&mut self, flow: &mut Flow<'_>, at: At, record: &Record<'_>) {
        let response = text(record.response).unwrap_or_default().into_owned();
        let same = self.current.as_ref().is_some_and(|(name, _)| *name == response);
        if !same || response.is_empty() {
            self.close(flow);
        }
        let written: Inner<'_> = fields(record.written);
        let arguments = match present(written.arguments) {
            Some(arguments) => input(Some(arguments)),
            None => input(record.action),
        };
        let (id, name) = (text(record.call), text(record.name).unwrap_or_default());
        let thought = content_text(record.thought.map_or("\"\"", Json::get)).into_owned();
        let reasoning = text(record.reasoning).unwrap_or_default();
        let exchange = self.open(flow, at, &response);
        exchange.thinking(&reasoning);
        exchange.text(at, &thought);
        add_call(exchange, at, id, name, &arguments);
    }

    fn open(&mut self, flow: &Flow<'_>, at: At, name: &str) -> &mut Exchange {
        let make = || (name.to_owned(), Exchange::new(flow, at));
        &mut self.current.get_or_insert_with(make).1
    }

    /// Hands on the response that is put together, with its results.
    fn close(&mut self, flow: &mut Flow<'_>) {
        let Some(session) = self.session else { return };
        if let Some((_, exchange)) = self.current.take() {
            flow.answer(session, exchange);
        }
        for (at, answer) in self.results.drain(..) {
            flow.result(session, at, answer);
        }
    }

    fn message(&mut self, flow: &mut Flow<'_>, at: At, said: &str, by_user: bool) {
        self.close(flow);
        let session = self.session(flow);
        if by_user {
            flow.turn(session, at, (!said.trim().is_empty()).then_some(said));
        } else {
            self.open(flow, at, "").text(at, said);
        }
    }

    /// An action of V0: a message, or a call.
    fn action(&mut self, flow: &mut Flow<'_>, at: At, action: &str, record: &Record<'_>) {
        let args: Args<'_> = fields(record.args);
        let by_user = match record.source.map(Json::get) {
            Some(source) => source == "\"user\"",
            // Old versions leave out who speaks; the task comes first.
            None => !self.any,
        };
        let thought = text(record.thought.or(args.thought)).unwrap_or_default();
        match action {
            "message" => {
                let said = text(record.content.or(args.content)).unwrap_or_default();
                self.message(flow, at, &said, by_user);
            }
            "finish" | "reject" => {
                let said = text(args.final_thought).unwrap_or(thought);
                self.message(flow, at, &said, false);
            }
            "think" => {
                self.close(flow);
                self.open(flow, at, "").thinking(&thought);
            }
            silent if SILENT.contains(&silent) => flow.stats.skipped += 1,
            _ if by_user => flow.stats.skipped += 1,
            _ => {
                self.close(flow);
                self.count += 1;
                let metadata: Extras<'_> = fields(record.metadata);
                let own = format!("action-{}", self.count);
                let id = text(metadata.call).map_or(own, Cow::into_owned);
                if let Some(key) = record.id {
                    self.calls.insert(key.get().to_owned(), id.clone());
                }
                self.latest = Some(id.clone());
                let written = match record.args {
                    Some(_) => input(record.args),
                    None => Cow::Owned(flat(record)),
                };
                let exchange = self.open(flow, at, "");
                exchange.text(at, &thought);
                add_call(exchange, at, Some(Cow::Owned(id)), Cow::Borrowed(action), &written);
            }
        }
    }

    /// What came of an action of V0.
    fn observation(&mut self, flow: &mut Flow<'_>, at: At, kind: &str, record: &Record<'_>) {
        if SILENT.contains(&kind) {
            flow.stats.skipped += 1;
            return;
        }
        let extras: Extras<'_> = fields(record.extras);
        let inner: Extras<'_> = fields(extras.metadata);
        let code = [record.code, extras.code, inner.code].into_iter().find_map(present);
        let ok = kind != "error" && code.is_none_or(|code| code.get() == "0");
        let never_run = (kind == "user_rejected").then_some(NeverRun::Rejected);
        let cause = present(record.cause).and_then(|cause| self.calls.remove(cause.get()));
        let id = cause.or_else(|| self.latest.take());
        if id.is_none() {
            // What the agent's own steps bring about, such as recalling, is no result.
            flow.stats.skipped += 1;
            return;
        }
        let value = record.content.map(|raw| value_of(raw.get()));
        self.result(at, id.map(Cow::Owned), value, ok, never_run);
    }

    fn result(
        &mut self,
        at: At,
        id: Option<Cow<'_, str>>,
        value: Option<Value<'_>>,
        ok: bool,
        never_run: Option<NeverRun>,
    ) {
        let mut answer = Answer::new(id.as_deref(), value, ok);
        answer.never_run = answer.never_run.or(never_run);
        self.results.push((at, answer));
    }
}

/// The fields of an old action that are its parameters: there are no `args`.
fn flat(record: &Record<'_>) -> String {
    let named = [
        ("command", record.command),
        ("code", record.written_code),
        ("path", record.path),
        ("url", record.url),
        ("content", record.content),
    ];
    let mut object = Object::new();
    for (name, raw) in named {
        if let Some(raw) = raw {
            object.json(name, raw.get());
        }
    }
    object.finish()
}

/// Adds a call by its canonical name.
fn add_call(
    exchange: &mut Exchange,
    at: At,
    id: Option<Cow<'_, str>>,
    name: Cow<'_, str>,
    written: &str,
) {
    exchange.tool_use(id.as_deref(), &name, written);
    let known = match &*name {
        "file_editor" | "str_replace_editor" => {
            let mut inner = Inner::default();
            // What is no object names no command.
            let _ = json::object(written, &mut inner);
            look_up(EDITOR, &text(inner.command).unwrap_or_default())
        }
        name => look_up(TOOLS, name),
    };
    let (call, _) = tool_call(known, name, id, Some(written));
    exchange.call(at, call);
}

#[cfg(test)]
mod tests;
