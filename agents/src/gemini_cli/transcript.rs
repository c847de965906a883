//! The logs of Gemini CLI: JSON Lines since 0.40 (a header, then messages, where a repeated id replaces a
//! message, `$set` changes fields and `$rewindTo` takes messages back), and one JSON document before.
//! Holds for 0.61; of older logs that hold `history`, the texts only.
//!
//! What is taken back is left out, so that a log is read to its end before anything of it is told.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::content::content_text;
use crate::document::{self, Document};
use crate::exchange::Usage;
use crate::fields::{elements, fields, input, number, present, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::gemini_cli::{context, hook, tools};
use crate::json::{self, Json, Raw};
use crate::never_run::NeverRun;
use crate::payload::{numbered, share};
use crate::recording::{Certainty, Format, Opening, RecordingFormat, Shape, first};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::{tool_call, value_of};

/// How much of a log is kept until its end, in bytes.
const MAX: usize = 256 << 20;

json::slots! {
    /// The header, a message, or a change.
    struct Record {
        session: "sessionId",
        project: "projectHash",
        kind: "type",
        id: "id",
        set: "$set",
        rewind: "$rewindTo",
        messages: "messages" | "history",
        role: "role",
    }
}

json::slots! {
    struct Set { messages: "messages" }
}

json::slots! {
    struct Message {
        kind: "type" | "role",
        time: "timestamp" | "ts",
        content: "content" | "parts",
        thoughts: "thoughts",
        calls: "toolCalls",
        tokens: "tokens",
        model: "model",
    }
}

json::slots! {
    struct Tokens { input: "input", cached: "cached", output: "output", thoughts: "thoughts" }
}

json::slots! {
    /// A call, or the answer of a function.
    struct Call {
        id: "id",
        name: "name",
        display: "displayName",
        args: "args",
        result: "result",
        status: "status",
        time: "timestamp",
        function: "functionResponse",
        response: "response",
    }
}

json::slots! {
    /// What a function answered, or a thought.
    struct Said { output: "output", error: "error", subject: "subject", description: "description" }
}

/// A chat log of Gemini CLI.
struct ChatLog;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&ChatLog);

impl RecordingFormat for ChatLog {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn description(&self) -> &'static str {
        "A chat log of Gemini CLI"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        let record = opening.record(|fields| fields.session.is_some() && fields.project.is_some());
        record.or_else(|| {
            opening.document(|document| {
                let first: Shape<'_> = fields(first(document.history));
                first.role.is_some() && first.parts.is_some()
            })
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads a log.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, true);
    let mut log = Log::default();
    document::read(input, &mut flow, &mut |flow, document| log.record(flow, document))?;
    log.tell(&mut flow);
    flow.finish();
    Ok(flow.stats)
}

/// A message that may still be replaced or taken back.
struct Held {
    line: u32,
    id: Option<String>,
    text: String,
}

#[derive(Default)]
struct Log {
    session: Option<String>,
    messages: Vec<Held>,
    /// Where each message is, by id.
    index: HashMap<String, usize>,
    held: usize,
    full: bool,
}

impl Log {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let mut record = Record::default();
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        if let Some(set) = record.set {
            let mut fields = Set::default();
            // What sets no messages changes nothing here.
            let _ = json::object(set.get(), &mut fields);
            match fields.messages {
                Some(_) => self.replace(flow, document, fields.messages),
                None => flow.stats.skipped += 1,
            }
        } else if let Some(id) = text(record.rewind) {
            self.rewind(flow, &id);
        } else if record.messages.is_some() || (record.session.is_some() && record.kind.is_none()) {
            self.header(flow, document, &record);
        } else if record.kind.is_some() || record.role.is_some() {
            self.push(flow, line, record.id, document.text);
        } else {
            flow.stats.unknown("(no type)");
        }
    }

    /// The header; in a document, the messages too. Another header begins another session.
    fn header(&mut self, flow: &mut Flow<'_>, document: &Document<'_>, record: &Record<'_>) {
        let name = text(record.session).map(Cow::into_owned);
        if name != self.session && !self.messages.is_empty() {
            self.tell(flow);
        }
        self.session = name;
        for message in elements(record.messages) {
            let mut fields = Record::default();
            // What is no object is told as a message without a type.
            let _ = json::object(message.get(), &mut fields);
            self.push(flow, document.line(message.get()), fields.id, message.get());
        }
    }

    fn replace(&mut self, flow: &mut Flow<'_>, document: &Document<'_>, messages: Raw<'_>) {
        flow.stats.skipped += self.messages.len() as u64;
        self.messages.clear();
        self.index.clear();
        for message in elements(messages) {
            let mut fields = Record::default();
            let _ = json::object(message.get(), &mut fields);
            self.push(flow, document.line(message.get()), fields.id, message.get());
        }
    }

    /// The messages from that with the id on did not happen, as far as the rest of the log goes.
    fn rewind(&mut self, flow: &mut Flow<'_>, id: &str) {
        let Some(at) = self.index.get(id).copied() else {
            flow.stats.skipped += 1;
            return;
        };
        for held in self.messages.drain(at.min(self.messages.len())..) {
            flow.stats.skipped += 1;
            if let Some(id) = held.id {
                self.index.remove(&id);
            }
        }
    }

    fn push(&mut self, flow: &mut Flow<'_>, line: u32, id: Raw<'_>, message: &str) {
        self.held += message.len() + size_of::<Held>();
        if self.held > MAX {
            if !std::mem::replace(&mut self.full, true) {
                let most = MAX >> 20;
                flow.refuse(
                    line,
                    format!("the log is longer than {most} MiB; the rest was left out"),
                );
            }
            return;
        }
        let id = text(id).map(Cow::into_owned);
        let known = id.as_deref().and_then(|id| self.index.get(id)).copied();
        if let Some(held) = known.and_then(|at| self.messages.get_mut(at)) {
            flow.stats.repeated += 1;
            held.text = message.to_owned();
            return;
        }
        if let Some(id) = &id {
            self.index.insert(id.clone(), self.messages.len());
        }
        self.messages.push(Held { line, id, text: message.to_owned() });
    }

    /// Tells what is left.
    fn tell(&mut self, flow: &mut Flow<'_>) {
        self.index.clear();
        let messages = std::mem::take(&mut self.messages);
        if messages.is_empty() {
            return;
        }
        let session = flow.new_session(self.session.take().as_deref());
        let agent = Some("gemini-cli".to_owned());
        flow.about(session, About { agent, ..About::default() });
        for held in messages {
            if flow.sink.stop() {
                return;
            }
            message(flow, session, &held);
        }
    }
}

fn message(flow: &mut Flow<'_>, session: usize, held: &Held) {
    let mut message = Message::default();
    if let Err(error) = json::object(&held.text, &mut message) {
        return flow.refuse(held.line, json::explain(&held.text, &error));
    }
    let at = At { line: held.line, ts: timestamp(message.time) };
    match text(message.kind).as_deref() {
        Some("user") => prompt(flow, session, at, &message),
        Some("gemini" | "model") => said(flow, session, at, &message),
        Some("info") if is_compaction(&message) => flow.compaction(session, at),
        Some("info" | "error" | "warning") => flow.stats.skipped += 1,
        Some(other) => flow.stats.unknown(other),
        None => flow.stats.unknown("(no type)"),
    }
}

/// Whether a note tells that the context was put in short.
fn is_compaction(message: &Message<'_>) -> bool {
    let said = content_text(message.content.map_or("", Json::get));
    said.starts_with("Chat history compressed")
        || said.contains("A compressed context will be sent for future messages")
}

/// A message of the user; the answers of functions come again where the user would speak.
fn prompt(flow: &mut Flow<'_>, session: usize, at: At, message: &Message<'_>) {
    let is_answer = elements(message.content).any(|part| {
        let mut fields = Call::default();
        json::object(part.get(), &mut fields).is_ok() && fields.function.is_some()
    });
    let said = content_text(message.content.map_or("", Json::get));
    if is_answer || context::is_context(&said) {
        flow.stats.skipped += 1;
        return;
    }
    flow.turn(session, at, (!said.trim().is_empty()).then_some(&*said));
}

fn said(flow: &mut Flow<'_>, session: usize, at: At, message: &Message<'_>) {
    let mut exchange = Exchange::new(flow, at);
    exchange.model = text(message.model).map(Cow::into_owned);
    let mut tokens = Tokens::default();
    if let Some(raw) = message.tokens {
        // What is no object counts nothing.
        let _ = json::object(raw.get(), &mut tokens);
    }
    exchange.usage = Usage {
        input: number(tokens.input),
        output: number(tokens.output),
        thinking: number(tokens.thoughts),
        cached: number(tokens.cached),
    };
    for thought in elements(message.thoughts) {
        let mut fields = Said::default();
        let _ = json::object(thought.get(), &mut fields);
        let parts = [text(fields.subject), text(fields.description)];
        exchange.thinking(&parts.into_iter().flatten().collect::<Vec<_>>().join("\n"));
    }
    exchange.text(at, &content_text(message.content.map_or("", Json::get)));
    let mut results = Vec::new();
    for call in elements(message.calls) {
        let mut fields = Call::default();
        // What is no object has no name, and is a call of nothing.
        let _ = json::object(call.get(), &mut fields);
        tool_calls(&mut exchange, at, &fields, &mut results);
    }
    flow.answer(session, exchange);
    for (at, answer) in results {
        flow.result(session, at, answer);
    }
}

/// A call with its result.
fn tool_calls(exchange: &mut Exchange, at: At, call: &Call<'_>, results: &mut Vec<(At, Answer)>) {
    let (id, name) = (text(call.id), text(call.name).unwrap_or_default());
    let written = input(call.args);
    exchange.tool_use(id.as_deref(), &name, &written);
    let (mut whole, _) = tool_call(tools::find(&name), name, id.clone(), Some(&written));
    if let Some(name) = tools::mcp_name(&whole.tool, text(call.display).as_deref()) {
        hook::rename(&mut whole, Cow::Owned(name));
    }
    let is_shell = whole.tool == "bash";
    let calls = hook::expand(whole);
    let count = calls.len();
    calls.into_iter().for_each(|call| exchange.call(at, call));
    let status = text(call.status);
    let (value, failed) = outcome(call.result);
    if value.is_none() && !matches!(status.as_deref(), Some("success" | "error" | "cancelled")) {
        return;
    }
    let said = value.as_ref().and_then(Value::as_text).unwrap_or_default();
    let failed = failed || matches!(status.as_deref(), Some("error" | "cancelled"));
    let ok = !(failed || is_shell && hook::command_failed(said));
    let never_run = match status.as_deref() {
        Some("cancelled") => Some(NeverRun::Cancelled),
        _ => hook::refusal(said),
    };
    let existed = (!ok && said.contains("File not found")).then_some(false);
    let at = At { line: at.line, ts: timestamp(call.time).or(at.ts) };
    for index in 0..count {
        let id = numbered(id.as_ref(), index + 1);
        let mut answer = Answer::new(id.as_deref(), share(value.as_ref(), index, count), ok);
        answer.never_run = answer.never_run.or(never_run.filter(|_| !ok));
        answer.existed = existed;
        results.push((at, answer));
    }
}

/// What a function answered, and whether that is an error.
fn outcome(result: Raw<'_>) -> (Option<Value<'_>>, bool) {
    let Some(result) = present(result) else { return (None, false) };
    let (mut part, mut inner, mut said) = (Call::default(), Call::default(), Said::default());
    if let Some(first) = elements(Some(result)).next() {
        // A part that is no object holds no answer, and is shown as it is.
        let _ = json::object(first.get(), &mut part);
    }
    if let Some(function) = part.function {
        let _ = json::object(function.get(), &mut inner);
    }
    if let Some(response) = inner.response {
        let _ = json::object(response.get(), &mut said);
    }
    let failed = said.error.is_some();
    let raw = said.error.or(said.output).or(inner.response).unwrap_or(result);
    (Some(value_of(raw.get())), failed)
}

#[cfg(test)]
mod tests;
