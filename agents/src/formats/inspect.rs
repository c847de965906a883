//! The logs of Inspect (`.json`, of versions 0.3.40 to 0.3.285): one document with samples, each a session
//! `id/epoch`. What a sample's `events` tell counts, but for those of its scorers; where there are none,
//! its messages. Texts that a log keeps once and refers to are put back.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::content::content_text;
use crate::document::{self, Document};
use crate::exchange::{Request, Usage};
use crate::fields::{elements, fields, input, number, present, text, timestamp};
use crate::flow::{Answer, At, Exchange, Flow};
use crate::formats::messages::Conversation;
use crate::json::{self, Json, Raw};
use crate::never_run::NeverRun;
use crate::recording::{Certainty, Format, Opening, RecordingFormat, is_object};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::{tool_call, value_of};

/// What refers to a text that is kept elsewhere.
const ATTACHMENT: &str = "attachment://";

/// How many messages of a pool are kept, and how many ranges of it a request may name.
const POOL: usize = 1 << 16;
const RANGES: usize = 1 << 10;

json::slots! {
    struct Top { samples: "samples" }
}

json::slots! {
    struct Sample {
        id: "id",
        epoch: "epoch",
        input: "input",
        messages: "messages",
        events: "events",
        transcript: "transcript",
        attachments: "attachments",
        data: "events_data",
    }
}

json::slots! {
    /// An event of any kind.
    struct Happened {
        event: "event",
        time: "timestamp",
        completed: "completed",
        model: "model",
        input: "input",
        refs: "input_refs",
        tools: "tools",
        config: "config",
        output: "output",
        id: "id",
        function: "function",
        arguments: "arguments",
        result: "result",
        error: "error",
        span: "span_id",
        parent: "parent_id",
        kind: "type",
        name: "name",
        action: "action",
        pending: "pending",
    }
}

json::slots! {
    /// What a model put out.
    struct Output { model: "model", choices: "choices", usage: "usage", time: "time" }
}

json::slots! {
    struct Choice { message: "message", stop: "stop_reason" }
}

json::slots! {
    /// A message, a part of one, or a call.
    struct Message {
        kind: "type",
        role: "role",
        content: "content",
        calls: "tool_calls",
        text: "text",
        reasoning: "reasoning",
        id: "id",
        function: "function",
        arguments: "arguments",
    }
}

json::slots! {
    struct Tokens {
        input: "input_tokens",
        cached: "input_tokens_cache_read",
        output: "output_tokens",
        reasoning: "reasoning_tokens",
        total: "total_tokens",
    }
}

json::slots! {
    struct Fault { kind: "type", message: "message" }
}

json::slots! {
    struct Pool { messages: "messages" }
}

/// An evaluation log of Inspect.
struct EvaluationLog;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&EvaluationLog);

impl RecordingFormat for EvaluationLog {
    fn name(&self) -> &'static str {
        "inspect"
    }

    fn description(&self) -> &'static str {
        "An evaluation log of Inspect"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.document(|document| {
            let is_run = document.status.is_some() || document.plan.is_some();
            is_object(document.eval) && (is_run || document.samples.is_some())
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads a log.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, false);
    document::read(input, &mut flow, &mut log)?;
    flow.finish();
    Ok(flow.stats)
}

fn log(flow: &mut Flow<'_>, document: &Document<'_>) {
    let line = document.line(document.text);
    let mut top = Top::default();
    if let Err(error) = json::object(document.text, &mut top) {
        return flow.refuse(line, json::explain(document.text, &error));
    }
    for element in elements(top.samples) {
        if flow.sink.stop() {
            return;
        }
        sample(flow, document, &fields(Some(element)));
    }
}

fn sample(flow: &mut Flow<'_>, document: &Document<'_>, sample: &Sample<'_>) {
    let word = |raw: Raw<'_>| {
        let word = raw.map_or("", Json::get).trim_matches('"').to_owned();
        if word.is_empty() { "1".to_owned() } else { word }
    };
    let name = format!("{}/{}", word(sample.id), word(sample.epoch));
    let session = flow.new_session(Some(&name));
    let transcript: Sample<'_> = fields(sample.transcript);
    let events = elements(sample.events.or(transcript.events));
    let mut texts = HashMap::default();
    if let Some(raw) = present(sample.attachments) {
        // What is no object keeps no texts.
        let _ = json::entries(raw.get(), |key, value| {
            texts.insert(key, value);
        });
    }
    let pool = elements(fields::<Pool<'_>>(sample.data).messages).take(POOL).collect();
    let mut reader = Reader { session, texts, pool, scoring: Vec::new(), steps: 0 };
    let mut ahead = events.clone();
    if !ahead.any(|event| fields::<Happened<'_>>(Some(event)).event.is_some()) {
        let mut conversation = Conversation::new(session, None);
        for message in elements(sample.messages) {
            conversation.message(flow, document.line(message.get()), message.get());
        }
        return conversation.finish(flow, false);
    }
    let at = At { line: document.line(sample.input.map_or("", Json::get)), ts: None };
    let said = reader.prompt(sample.input);
    let begun = events.clone().next().map(|event| fields::<Happened<'_>>(Some(event)));
    let at = At { ts: begun.and_then(|event| timestamp(event.time)), ..at };
    flow.turn(session, at, (!said.trim().is_empty()).then_some(&*said));
    for event in events {
        reader.event(flow, document.line(event.get()), &fields(Some(event)));
    }
    flow.end(session);
}

/// One sample while its events are told.
struct Reader<'d> {
    session: usize,
    /// Texts that are referred to.
    texts: HashMap<Cow<'d, str>, Json<'d>>,
    /// Messages that are referred to.
    pool: Vec<Json<'d>>,
    /// The spans of scorers that are open, and the steps, which have no ids.
    scoring: Vec<String>,
    steps: u32,
}

impl Reader<'_> {
    /// What the sample asks: a text, or messages of which the last of the user counts.
    fn prompt(&self, raw: Raw<'_>) -> String {
        if let Some(said) = text(raw) {
            return self.resolved(&said);
        }
        let mut said = String::new();
        for element in elements(raw) {
            let message: Message<'_> = fields(Some(element));
            if message.role.map(Json::get) == Some("\"user\"") {
                said = self.resolved(&content_text(message.content.map_or("\"\"", Json::get)));
            }
        }
        said
    }

    /// A text, put back if it is kept elsewhere.
    fn resolved(&self, said: &str) -> String {
        let kept = said.strip_prefix(ATTACHMENT).and_then(|name| self.texts.get(name)).copied();
        kept.and_then(json::text).map_or_else(|| said.to_owned(), Cow::into_owned)
    }

    fn event(&mut self, flow: &mut Flow<'_>, line: u32, event: &Happened<'_>) {
        let at = At { line, ts: timestamp(event.time) };
        match text(event.event).as_deref() {
            Some("span_begin") => {
                let named = [event.kind, event.name].map(|raw| text(raw).unwrap_or_default());
                let inside = text(event.parent)
                    .is_some_and(|parent| self.scoring.iter().any(|span| *span == *parent));
                let scores = named.iter().any(|name| matches!(&**name, "scorer" | "scorers"));
                if inside || scores {
                    self.scoring.extend(text(event.id).map(Cow::into_owned));
                }
                flow.stats.skipped += 1;
            }
            Some("step") => {
                let scores = text(event.kind).as_deref() == Some("scorer");
                match text(event.action).as_deref() {
                    Some("begin") if scores => self.steps += 1,
                    Some("end") if scores => self.steps = self.steps.saturating_sub(1),
                    _ => {}
                }
                flow.stats.skipped += 1;
            }
            Some("model" | "tool") if self.is_scored(event) || json::is_true(event.pending) => {
                flow.stats.skipped += 1;
            }
            Some("model") => self.answer(flow, at, event),
            Some("tool") => self.tool(flow, at, event),
            Some(
                "span_end" | "sample_init" | "sample_limit" | "state" | "store" | "score"
                | "sandbox" | "input" | "info" | "error" | "logger" | "approval" | "subtask"
                | "score_edit" | "compaction",
            ) => flow.stats.skipped += 1,
            other => flow.stats.unknown(other.unwrap_or("(no event)")),
        }
    }

    fn is_scored(&self, event: &Happened<'_>) -> bool {
        let span = text(event.span);
        self.steps > 0
            || span.is_some_and(|span| self.scoring.iter().any(|scorer| *scorer == *span))
    }

    fn answer(&mut self, flow: &mut Flow<'_>, at: At, event: &Happened<'_>) {
        let output: Output<'_> = fields(event.output);
        let done = At { line: at.line, ts: timestamp(event.completed).or(at.ts) };
        let mut exchange = Exchange::new(flow, done);
        if exchange.is_wanted() {
            exchange.request = Some((at, self.request(event)));
        }
        exchange.model = text(output.model).or(text(event.model)).map(Cow::into_owned);
        let tokens: Tokens<'_> = fields(output.usage);
        let thinking = number(tokens.reasoning).filter(|count| *count > 0);
        let spent = number(tokens.output);
        exchange.usage = Usage {
            // What was read from a cache or written to one is only in the total with some models.
            input: number(tokens.total)
                .zip(spent)
                .map(|(total, spent)| total.saturating_sub(spent))
                .max(number(tokens.input)),
            output: spent.map(|spent| spent.saturating_sub(thinking.unwrap_or(0))),
            thinking,
            cached: number(tokens.cached),
        };
        exchange.latency = output.time.and_then(|time| milliseconds(time.get()));
        let choice: Choice<'_> = fields(elements(output.choices).next());
        exchange.stop_reason = text(choice.stop).map(Cow::into_owned);
        let message: Message<'_> = fields(choice.message);
        if let Some(said) = text(message.content) {
            exchange.text(done, &self.resolved(&said));
        }
        for element in elements(message.content) {
            let part: Message<'_> = fields(Some(element));
            match text(part.kind).as_deref() {
                Some("reasoning") => exchange.thinking(&text(part.reasoning).unwrap_or_default()),
                _ => {
                    let said = text(part.text).unwrap_or_default();
                    exchange.text(done, &self.resolved(&said));
                }
            }
        }
        for element in elements(message.calls) {
            let call: Message<'_> = fields(Some(element));
            let (id, name) = (text(call.id), text(call.function).unwrap_or_default());
            let written = input(call.arguments);
            exchange.tool_use(id.as_deref(), &name, &written);
            let (call, _) = tool_call(None, name, id, Some(&written));
            exchange.call(done, call);
        }
        flow.answer(self.session, exchange);
    }

    /// What the model was asked; newer logs keep the messages in a pool and name ranges of it.
    fn request(&self, event: &Happened<'_>) -> Request {
        let mut messages: Vec<Json<'_>> = elements(event.input).collect();
        for range in elements(event.refs).take(RANGES) {
            let mut ends = elements(Some(range));
            let mut bound = || ends.next().and_then(|raw| raw.get().parse::<usize>().ok());
            if let (Some(start), Some(end)) = (bound(), bound()) {
                messages.extend(self.pool.get(start..end).unwrap_or_default());
            }
            messages.truncate(POOL);
        }
        let own = |raw: Raw<'_>, open: char| {
            let raw = present(raw).filter(|raw| raw.get().starts_with(open));
            raw.map(|raw| raw.get().to_owned())
        };
        let mut request = Request {
            model: text(event.model).map(Cow::into_owned),
            tools: own(event.tools, '['),
            params: own(event.config, '{'),
            ..Request::default()
        };
        request.set_messages(messages.iter().map(|message| message.get()));
        request
    }

    /// A tool that ran, or should have.
    fn tool(&mut self, flow: &mut Flow<'_>, at: At, event: &Happened<'_>) {
        let id = text(event.id);
        let is_open = id.as_deref().is_some_and(|id| flow.is_open(self.session, id));
        if !is_open {
            let name = text(event.function).unwrap_or_default();
            let written = input(event.arguments);
            let (call, _) = tool_call(None, name, id.clone(), Some(&written));
            flow.call(self.session, at, call);
        }
        let at = At { line: at.line, ts: timestamp(event.completed).or(at.ts) };
        let fault: Fault<'_> = fields(event.error);
        let failed = present(event.error).is_some();
        let said = text(fault.message);
        let value = match &said {
            Some(said) => Some(Value::Text(Cow::Borrowed(&**said))),
            None => present(event.result).map(|raw| match json::text(raw) {
                Some(text) => Value::Text(Cow::Owned(self.resolved(&text))),
                None => value_of(raw.get()),
            }),
        };
        let mut answer = Answer::new(id.as_deref(), value, !failed);
        answer.never_run = answer.never_run.or(match text(fault.kind).as_deref() {
            Some("parsing") if said.as_deref().is_some_and(|said| said.ends_with(" not found")) => {
                Some(NeverRun::NoSuchTool)
            }
            Some("parsing") => Some(NeverRun::Input),
            Some("approval") => Some(NeverRun::Rejected),
            _ => None,
        });
        flow.result(self.session, at, answer);
    }
}

/// Seconds as whole milliseconds.
fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.parse().ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casts saturate, and no answer takes so long"
    )]
    let whole = (seconds * 1000.0).round() as u64;
    Some(whole)
}

#[cfg(test)]
mod tests;
