//! The rollouts of Codex: JSON Lines `{timestamp, type, payload}`, as written by versions 0.50 to 0.169.
//! Records without that envelope, as versions before it wrote them, are counted as unknown.
//!
//! The items of the model up to the first output are one response, and the token count that comes after
//! them is its usage. A fork repeats what its parent did before; all of it counts as the fork's.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::codex::calls::{self, Kind};
use crate::codex::context;
use crate::codex::outcome::Outcome as Told;
use crate::codex::tools;
use crate::content::content_text;
use crate::document::{self, Document};
use crate::exchange::Usage;
use crate::fields::{input, number, present, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::json::{self, Raw};
use crate::never_run::NeverRun;
use crate::object::Object;
use crate::payload::{numbered, share};
use crate::recording::{Certainty, Format, Opening, RecordingFormat, is};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::{tool_call, value_of};
use behavior_runtime::replay::DEFAULT_SESSION;

/// Kinds of record, and of `event_msg`, that tell nothing that another record does not.
const SILENT: &[&str] = &[
    "account/rateLimits/updated",
    "agent_message",
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "background_event",
    "collab_agent_interaction_end",
    "collab_agent_spawn_end",
    "collab_close_end",
    "collab_waiting_end",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "entered_review_mode",
    "error",
    "exited_review_mode",
    "ghost_snapshot",
    "guardian_assessment",
    "image_generation_end",
    "inter_agent_communication_metadata",
    "item_completed",
    "plan_update",
    "stream_error",
    "sub_agent_activity",
    "task_complete",
    "thread_goal_updated",
    "thread_name_updated",
    "thread_settings_applied",
    "turn.completed",
    "turn_aborted",
    "undo_completed",
    "view_image_tool_call",
    "warning",
    "web_search_begin",
    "web_search_end",
    "world_state",
];

/// What stands in place of an output where a call did not run.
const REFUSALS: &[(&str, NeverRun)] = &[
    ("Command blocked by PreToolUse hook", NeverRun::Hook),
    ("Tool call blocked by PreToolUse hook", NeverRun::Hook),
    ("exec command rejected by user", NeverRun::Rejected),
    ("patch rejected by user", NeverRun::Rejected),
    ("rejected by user", NeverRun::Rejected),
    ("unsupported call:", NeverRun::NoSuchTool),
    ("unsupported custom tool call:", NeverRun::NoSuchTool),
    ("failed to parse function arguments", NeverRun::Input),
];

json::slots! {
    struct Record { time: "timestamp", kind: "type", payload: "payload" }
}

json::slots! {
    /// The payloads of all kinds of record.
    struct Payload {
        kind: "type",
        id: "id",
        cwd: "cwd",
        model: "model",
        approval: "approval_policy",
        sandbox: "sandbox_policy",
        role: "role",
        content: "content",
        name: "name",
        arguments: "arguments",
        input: "input",
        action: "action",
        call: "call_id",
        output: "output",
        status: "status",
        summary: "summary",
        message: "message",
        info: "info",
        usage: "usage",
        exit_code: "exit_code",
        success: "success",
        result: "result",
        item: "item",
    }
}

json::slots! {
    struct Info { last: "last_token_usage" }
}

json::slots! {
    struct Tokens {
        input: "input_tokens",
        cached: "cached_input_tokens",
        output: "output_tokens",
        reasoning: "reasoning_output_tokens",
    }
}

json::slots! {
    struct Outcome { ok: "Ok", error: "Err", kind: "type", content: "content", is_error: "isError" }
}

/// A rollout of Codex CLI.
struct Rollout;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Rollout);

impl RecordingFormat for Rollout {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn description(&self) -> &'static str {
        "A rollout of Codex CLI"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.record(|fields| is(fields.of_type, RECORDS) && fields.payload.is_some())
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// The types of a record.
const RECORDS: &[&str] = &[
    "event_msg",
    "response_item",
    "session_meta",
    "token_usage_record",
    "turn_context",
    "world_state",
];

/// Reads a rollout.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, true);
    let mut reader = Reader::default();
    document::read(input, &mut flow, &mut |flow, document| reader.record(flow, document))?;
    reader.close(&mut flow);
    flow.finish();
    Ok(flow.stats)
}

#[derive(Default)]
struct Reader {
    session: Option<usize>,
    model: Option<String>,
    /// The response that is being put together, and the results of its calls.
    current: Option<Exchange>,
    results: Vec<(At, Answer)>,
    /// Whether the response is complete.
    answered: bool,
    /// What the open calls stand for, by id.
    parts: HashMap<String, Vec<Kind>>,
    /// What events told of calls before their outputs: whether they succeeded.
    outcomes: HashMap<String, bool>,
    /// Whether the context was put in short since the model answered last.
    is_compacted: bool,
    /// What the user said last, where nothing has come after it.
    said: Option<String>,
}

impl Reader {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let (mut record, mut payload) = (Record::default(), Payload::default());
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        let Some(kind) = text(record.kind) else {
            return flow.stats.unknown("(no type)");
        };
        if let Some(body) = record.payload {
            // A payload that is no object has no fields.
            let _ = json::object(body.get(), &mut payload);
        }
        let at = At { line, ts: timestamp(record.time) };
        match &*kind {
            "session_meta" => self.meta(flow, &payload),
            "turn_context" => self.context(flow, &payload),
            "response_item" if record.payload.is_some() => self.item(flow, at, &payload),
            "event_msg" if record.payload.is_some() => self.event(flow, at, &payload),
            "compacted" => self.compaction(flow, at),
            "token_usage_record" => self.usage(payload.usage),
            known if SILENT.contains(&known) => flow.stats.skipped += 1,
            other => flow.stats.unknown(other),
        }
    }

    fn session(&mut self, flow: &mut Flow<'_>) -> usize {
        *self.session.get_or_insert_with(|| {
            let session = flow.new_session(None);
            flow.about(session, about(None, None));
            session
        })
    }

    /// The first header is the session's own; a fork has its parent's after it.
    fn meta(&mut self, flow: &mut Flow<'_>, payload: &Payload<'_>) {
        if self.session.is_some() {
            flow.stats.skipped += 1;
            return;
        }
        let id = text(payload.id);
        let session = flow.new_session(Some(id.as_deref().unwrap_or(DEFAULT_SESSION)));
        flow.about(session, about(text(payload.cwd), None));
        self.session = Some(session);
    }

    fn context(&mut self, flow: &mut Flow<'_>, payload: &Payload<'_>) {
        let session = self.session(flow);
        let unbound =
            payload.sandbox.is_some_and(|sandbox| sandbox.get().contains("\"danger-full-access\""));
        let mode = text(payload.approval).map(|policy| match &*policy {
            "on-request" | "untrusted" => Cow::Borrowed("ask"),
            "never" if unbound => Cow::Borrowed("yolo"),
            _ => policy,
        });
        flow.about(session, about(text(payload.cwd), mode));
        if let Some(model) = text(payload.model) {
            self.model = Some(model.into_owned());
        }
    }

    /// Something of the conversation with the model.
    fn item(&mut self, flow: &mut Flow<'_>, at: At, payload: &Payload<'_>) {
        let kind = text(payload.kind).unwrap_or_default();
        match &*kind {
            "message" => match text(payload.role).as_deref() {
                Some("assistant") => {
                    let said = content_text(payload.content.map_or("", json::Json::get));
                    self.open(flow, at).text(at, &said);
                }
                Some("user") => {
                    let said = context::said(payload.content.map_or("", json::Json::get));
                    self.turn(flow, at, &said);
                }
                _ => flow.stats.skipped += 1,
            },
            "reasoning" => {
                let thought = content_text(payload.summary.map_or("", json::Json::get));
                self.open(flow, at).thinking(&thought);
            }
            "function_call" | "local_shell_call" | "tool_search_call" => {
                let name = text(payload.name).unwrap_or(match &*kind {
                    "local_shell_call" => Cow::Borrowed("local_shell"),
                    _ => Cow::Borrowed("tool_search"),
                });
                let written = input(payload.arguments.or(payload.action));
                self.call(flow, at, payload, &name, &written);
            }
            "custom_tool_call" => {
                let name = text(payload.name).unwrap_or_default();
                // Scripts and patches are texts; what other tools are given may be an object in one.
                let given = payload.input.filter(|_| !matches!(&*name, "exec" | "apply_patch"));
                let written = match input(given) {
                    object if given.is_some() && object.starts_with('{') => object,
                    _ => {
                        let mut object = Object::new();
                        object.json("input", payload.input.map_or("\"\"", json::Json::get));
                        Cow::Owned(object.finish())
                    }
                };
                self.call(flow, at, payload, &name, &written);
            }
            "web_search_call" | "image_generation_call" => {
                let name = kind.trim_end_matches("_call").to_owned();
                let id = text(payload.id).or_else(|| text(payload.call));
                // The interface runs these itself, so that no output comes.
                let native = payload.action.map_or("{}", json::Json::get).to_owned();
                self.call(flow, at, payload, &name, &native);
                let ok = text(payload.status).is_none_or(|status| status == "completed");
                let id = id.map(Cow::into_owned);
                self.results.push((at, Answer::new(id.as_deref(), None, ok)));
                self.answered = true;
            }
            "function_call_output"
            | "custom_tool_call_output"
            | "local_shell_call_output"
            | "tool_search_output" => self.output(flow, at, payload),
            known if SILENT.contains(&known) => flow.stats.skipped += 1,
            other => flow.stats.unknown(other),
        }
    }

    fn event(&mut self, flow: &mut Flow<'_>, at: At, payload: &Payload<'_>) {
        let kind = text(payload.kind).unwrap_or_default();
        match &*kind {
            "user_message" => self.turn(flow, at, &text(payload.message).unwrap_or_default()),
            "token_count" => {
                let mut info = Info::default();
                if let Some(raw) = payload.info {
                    // Old versions write `null` here.
                    let _ = json::object(raw.get(), &mut info);
                }
                self.usage(info.last);
            }
            "context_compacted" => self.compaction(flow, at),
            "task_started" => flow.stats.skipped += 1,
            "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end" => {
                self.told(payload);
                flow.stats.skipped += 1;
            }
            known if SILENT.contains(&known) => flow.stats.skipped += 1,
            other => flow.stats.unknown(other),
        }
    }

    /// What an event tells of a call whose output comes later.
    fn told(&mut self, payload: &Payload<'_>) {
        let code = payload.exit_code.map(|code| code.get() == "0");
        let success = payload.success.map(|success| success.get() == "true");
        let mut outcome = Outcome::default();
        if let Some(result) = payload.result {
            // What is no object tells nothing.
            let _ = json::object(result.get(), &mut outcome);
        }
        let failed = outcome.error.is_some()
            || outcome.ok.is_some_and(|ok| ok.get().contains("\"isError\":true"));
        let ok = code.or(success).or(payload.result.map(|_| !failed));
        if let (Some(id), Some(ok)) = (text(payload.call), ok)
            && self.parts.contains_key(&*id)
        {
            self.outcomes.insert(id.into_owned(), ok);
        }
    }

    /// A message of the user begins a turn; it is told as an event, as an item, or as both.
    fn turn(&mut self, flow: &mut Flow<'_>, at: At, said: &str) {
        let said = said.trim();
        if context::is_context(said) || self.said.as_deref() == Some(said) {
            flow.stats.skipped += 1;
            return;
        }
        self.close(flow);
        let session = self.session(flow);
        flow.turn(session, at, (!said.is_empty()).then_some(said));
        self.said = Some(said.to_owned());
    }

    /// The context is put in short, which a record and an event tell.
    fn compaction(&mut self, flow: &mut Flow<'_>, at: At) {
        if std::mem::replace(&mut self.is_compacted, true) {
            flow.stats.skipped += 1;
            return;
        }
        self.close(flow);
        let session = self.session(flow);
        flow.compaction(session, at);
    }

    /// The response that is being put together; a new one after the results of the last.
    fn open(&mut self, flow: &mut Flow<'_>, at: At) -> &mut Exchange {
        if self.answered || self.current.as_ref().is_some_and(Exchange::is_full) {
            self.close(flow);
        }
        self.session(flow);
        self.said = None;
        self.is_compacted = false;
        let model = &self.model;
        self.current.get_or_insert_with(|| {
            let mut exchange = Exchange::new(flow, at);
            exchange.model = model.clone();
            exchange
        })
    }

    fn close(&mut self, flow: &mut Flow<'_>) {
        let session = self.session;
        if let (Some(exchange), Some(session)) = (self.current.take(), session) {
            flow.answer(session, exchange);
        }
        for (at, answer) in self.results.drain(..) {
            if let Some(session) = session {
                flow.result(session, at, answer);
            }
        }
        self.answered = false;
    }

    fn call(
        &mut self,
        flow: &mut Flow<'_>,
        at: At,
        payload: &Payload<'_>,
        name: &str,
        written: &str,
    ) {
        let id = text(payload.call).or_else(|| text(payload.id));
        let exchange = self.open(flow, at);
        exchange.tool_use(id.as_deref(), name, written);
        let native = Cow::Borrowed(name);
        let (whole, _) = tool_call(tools::find(name), native, id.clone(), Some(written));
        let parts = match calls::expand(whole) {
            Ok(parts) => parts,
            Err(message) => return flow.refuse(at.line, message),
        };
        let exchange = self.open(flow, at);
        let mut kinds = Vec::new();
        for (part, kind) in parts {
            exchange.call(at, part);
            kinds.push(kind);
        }
        if let Some(id) = id {
            self.parts.insert(id.into_owned(), kinds);
        }
    }

    fn output(&mut self, flow: &mut Flow<'_>, at: At, payload: &Payload<'_>) {
        self.session(flow);
        self.answered = true;
        let id = text(payload.call);
        let value = value(payload.output);
        let said = value.as_ref().and_then(Value::as_text).unwrap_or_default().to_owned();
        let told = id.as_deref().and_then(|id| self.outcomes.remove(id));
        let never_run =
            REFUSALS.iter().find(|(start, _)| said.starts_with(start)).map(|(_, reason)| *reason);
        let kinds = id.as_deref().and_then(|id| self.parts.remove(id));
        // A call that stands for none has no result either.
        let count = kinds.as_ref().map_or(1, Vec::len);
        let kinds = kinds.unwrap_or_else(|| vec![Kind::Own]);
        let kinds: Vec<&Kind> = kinds.iter().collect();
        let outcomes = Told::of(payload.output, &said, &kinds).judge(&kinds);
        for (index, ok) in outcomes.into_iter().enumerate() {
            let ok = ok && told.unwrap_or(true);
            let id = numbered(id.as_ref(), index + 1);
            let part = share(value.as_ref(), index, count);
            let mut answer = Answer::new(id.as_deref(), part, ok && never_run.is_none());
            answer.never_run = answer.never_run.or(never_run);
            self.results.push((at, answer));
        }
        /// As many results wait for the count of tokens.
        const MAX: usize = 1 << 12;
        if self.results.len() > MAX {
            self.close(flow);
        }
    }

    fn usage(&mut self, usage: Raw<'_>) {
        let mut tokens = Tokens::default();
        if let Some(raw) = usage {
            // What is no object counts nothing.
            let _ = json::object(raw.get(), &mut tokens);
        }
        let (Some(exchange), Some(output)) = (&mut self.current, number(tokens.output)) else {
            return;
        };
        let thinking = number(tokens.reasoning);
        exchange.usage = Usage {
            input: number(tokens.input),
            output: Some(output.saturating_sub(thinking.unwrap_or(0))),
            thinking,
            cached: number(tokens.cached),
        };
        self.answered = true;
    }
}

fn about(cwd: Option<Cow<'_, str>>, mode: Option<Cow<'_, str>>) -> About {
    About {
        agent: Some("codex".to_owned()),
        cwd: cwd.map(Cow::into_owned),
        mode: mode.map(Cow::into_owned),
    }
}

/// An output: a text, a list of texts, or an object that holds one.
fn value(raw: Raw<'_>) -> Option<Value<'_>> {
    let raw = present(raw)?;
    let joined = raw.get().starts_with('[').then(|| content_text(raw.get()));
    match joined.filter(|text| !text.is_empty()) {
        Some(text) => Some(Value::Text(text)),
        None => Some(value_of(raw.get())),
    }
}

#[cfg(test)]
mod tests;
