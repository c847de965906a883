//! Spans of OpenTelemetry that follow the GenAI conventions (`gen_ai.*`): OTLP documents with
//! `resourceSpans`, or JSON Lines of spans as the console and file exporters of JavaScript and Python
//! write them. Holds for the conventions of 2024 to 2026; older names are understood too.
//!
//! A span is exported when it ends, so that children come before their parents: spans are put in the
//! order in which they began, in a document all of them, in lines within a window. A conversation is a
//! session, an agent that another invokes is one of its own. What exporters leave out (contents are
//! recorded only where that is switched on) cannot be told.

use std::borrow::Cow;
use std::io::{self, BufRead};

use crate::document::{self, Document};
use crate::exchange::{Blocks, Request, Usage};
use crate::fields::{elements, embedded, fields, input, present, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::json::{self, Json, Raw};
use crate::notes;
use crate::object::Object;
use crate::recording::{Certainty, Format, Opening, RecordingFormat, Shape, is_object, is_text};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::{tool_call, value_of};
use behavior_runtime::replay::DEFAULT_SESSION;

/// How many spans wait to be put in order, and how many bytes.
const WINDOW: (usize, usize) = (1 << 14, 64 << 20);

/// How far up agents are looked for, against circles.
const MAX_DEPTH: usize = 64;

json::slots! {
    /// A document, or a span of any exporter.
    struct Top {
        resources: "resourceSpans" | "resource_spans",
        scopes: "scopeSpans" | "scope_spans" | "instrumentationLibrarySpans",
        spans: "spans",
        trace: "traceId" | "trace_id",
        span: "spanId" | "span_id",
        parent: "parentSpanId" | "parent_id" | "parent_span_id",
        parent_context: "parentSpanContext",
        context: "_spanContext" | "spanContext" | "context",
        start: "startTimeUnixNano" | "startTime" | "start_time",
        end: "endTimeUnixNano" | "endTime" | "end_time",
        attributes: "attributes",
        status: "status",
    }
}

json::slots! {
    struct Status { code: "code" | "status_code" }
}

json::slots! {
    /// An attribute of OTLP.
    struct Attribute { key: "key", value: "value" }
}

json::slots! {
    /// The value of one.
    struct Typed {
        string: "stringValue",
        int: "intValue",
        double: "doubleValue",
        boolean: "boolValue",
        list: "arrayValue",
    }
}

json::slots! {
    struct List { values: "values" }
}

json::slots! {
    /// A message, or a part of one.
    struct Part {
        role: "role",
        parts: "parts",
        kind: "type",
        content: "content",
        id: "id",
        name: "name",
        arguments: "arguments",
    }
}

/// The attributes that are looked at, by all names that they had.
const ATTRIBUTES: &[(&str, Name)] = &[
    ("agent_name", Name::Agent),
    ("gen_ai.agent.name", Name::Agent),
    ("gen_ai.conversation.id", Name::Conversation),
    ("gen_ai.input.messages", Name::Input),
    ("gen_ai.operation.name", Name::Operation),
    ("gen_ai.output.messages", Name::Output),
    ("gen_ai.request.model", Name::RequestModel),
    ("gen_ai.response.finish_reasons", Name::Finish),
    ("gen_ai.response.model", Name::Model),
    ("gen_ai.system", Name::System),
    ("gen_ai.system_instructions", Name::Instructions),
    ("gen_ai.tool.call.arguments", Name::Arguments),
    ("gen_ai.tool.call.id", Name::Call),
    ("gen_ai.tool.call.result", Name::Result),
    ("gen_ai.tool.call_id", Name::Call),
    ("gen_ai.tool.definitions", Name::Tools),
    ("gen_ai.tool.name", Name::Tool),
    ("gen_ai.usage.completion_tokens", Name::OutputTokens),
    ("gen_ai.usage.cache_read.input_tokens", Name::CachedTokens),
    ("gen_ai.usage.input_tokens", Name::InputTokens),
    ("gen_ai.usage.output_tokens", Name::OutputTokens),
    ("gen_ai.usage.prompt_tokens", Name::InputTokens),
    ("session.id", Name::Session),
    ("tool_arguments", Name::Arguments),
    ("tool_response", Name::Result),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Agent,
    Arguments,
    Call,
    Conversation,
    Finish,
    Input,
    InputTokens,
    CachedTokens,
    Instructions,
    Model,
    Operation,
    Output,
    OutputTokens,
    RequestModel,
    Result,
    Session,
    System,
    Tool,
    Tools,
}

/// What a span is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Chat,
    Tool,
    Agent,
}

/// A span of interest.
struct Span {
    line: u32,
    id: String,
    parent: String,
    trace: String,
    /// In nanoseconds since the epoch.
    start: i128,
    end: i128,
    failed: bool,
    operation: Operation,
    /// The values, as texts; what is no string is JSON text.
    attributes: HashMap<Name, String>,
}

/// Spans of OpenTelemetry about generative AI.
struct Spans;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Spans);

impl RecordingFormat for Spans {
    fn name(&self) -> &'static str {
        "otel"
    }

    fn description(&self) -> &'static str {
        "Spans of OpenTelemetry about generative AI"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        let is_span = |fields: &Shape<'_>| is_object(fields.context) || is_text(fields.span);
        let speaks = |raw: &json::Json<'_>| raw.get().contains("\"gen_ai.");
        opening
            .record(|fields| {
                fields.resources.is_some()
                    || is_span(fields) && fields.attributes.as_ref().is_some_and(speaks)
            })
            .or_else(|| opening.list(|first| is_span(first) && first.attributes.is_some()))
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads spans.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, false);
    let mut reader = Reader::default();
    document::read(input, &mut flow, &mut |flow, document| reader.document(flow, document))?;
    reader.tell(&mut flow, 0);
    flow.finish();
    Ok(flow.stats)
}

#[derive(Default)]
struct Reader {
    spans: Vec<Span>,
    held: usize,
    /// The agents that were seen, by their span: the parent, and the agent's name.
    agents: HashMap<String, (String, String)>,
    /// The sessions in which an agent was invoked and nothing said yet.
    pending: HashMap<usize, At>,
}

impl Reader {
    fn document(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        if document.text.starts_with('[') {
            for span in json::values(document.text) {
                self.span(flow, document, span);
            }
        } else {
            let mut top = Top::default();
            if let Err(error) = json::object(document.text, &mut top) {
                return flow.refuse(line, json::explain(document.text, &error));
            }
            if top.resources.is_some() {
                self.resources(flow, document, top.resources);
            } else {
                self.fields(flow, line, &top, document.text.len());
            }
        }
        if self.spans.len() > WINDOW.0 || self.held > WINDOW.1 {
            self.tell(flow, self.spans.len() / 2);
        }
    }

    fn resources(&mut self, flow: &mut Flow<'_>, document: &Document<'_>, resources: Raw<'_>) {
        for resource in elements(resources) {
            let resource: Top<'_> = fields(Some(resource));
            for scope in elements(resource.scopes) {
                let scope: Top<'_> = fields(Some(scope));
                for span in elements(scope.spans) {
                    self.span(flow, document, span);
                }
            }
        }
    }

    fn span(&mut self, flow: &mut Flow<'_>, document: &Document<'_>, span: Json<'_>) {
        let line = document.line(span.get());
        self.fields(flow, line, &fields(Some(span)), span.get().len());
    }

    /// Keeps a span, if it is of interest.
    fn fields(&mut self, flow: &mut Flow<'_>, line: u32, span: &Top<'_>, length: usize) {
        let attributes = attributes(span.attributes);
        let Some(operation) = operation(&attributes) else {
            let named = attributes.get(&Name::Operation);
            match named {
                Some(name) if !is_known(name) => flow.stats.unknown(name),
                _ => flow.stats.skipped += 1,
            }
            return;
        };
        let context: Top<'_> = fields(span.context);
        let parent: Top<'_> = fields(span.parent_context);
        let own = |raw: Raw<'_>| text(raw).map(Cow::into_owned).unwrap_or_default();
        let status: Status<'_> = fields(span.status);
        let code = status.code.map(Json::get).unwrap_or_default();
        self.held += length;
        self.spans.push(Span {
            line,
            id: own(span.span.or(context.span)),
            parent: own(span.parent.or(parent.span)),
            trace: own(span.trace.or(context.trace)),
            start: nanoseconds(span.start),
            end: nanoseconds(span.end),
            failed: matches!(code, "2" | "\"STATUS_CODE_ERROR\"" | "\"ERROR\""),
            operation,
            attributes,
        });
    }

    /// Tells the spans that began first, all but `keep`.
    fn tell(&mut self, flow: &mut Flow<'_>, keep: usize) {
        for span in &self.spans {
            if span.operation == Operation::Agent {
                let name = span.get(Name::Agent).unwrap_or("agent").to_owned();
                self.agents.insert(span.id.clone(), (span.parent.clone(), name));
            }
        }
        self.spans.sort_by_key(|span| span.start);
        let told = self.spans.len().saturating_sub(keep);
        let spans: Vec<Span> = self.spans.drain(..told).collect();
        for span in &spans {
            if flow.sink.stop() {
                return;
            }
            self.happened(flow, span);
        }
        self.held /= 2;
        if keep == 0 {
            let pending: Vec<(usize, At)> = self.pending.drain().collect();
            for (session, at) in pending {
                flow.turn(session, at, None);
            }
        }
    }

    fn happened(&mut self, flow: &mut Flow<'_>, span: &Span) {
        let session = self.session(flow, span);
        match span.operation {
            Operation::Agent => {
                self.pending.insert(session, span.at());
            }
            Operation::Chat => {
                self.turn(flow, session, span);
                chat(flow, session, span);
            }
            Operation::Tool => {
                self.turn(flow, session, span);
                tool(flow, session, span);
            }
        }
    }

    /// A turn begins where the user spoke last, or an agent was invoked.
    fn turn(&mut self, flow: &mut Flow<'_>, session: usize, span: &Span) {
        let pending = self.pending.remove(&session);
        let said = span.get(Name::Input).and_then(said);
        if said.is_some() || pending.is_some() {
            flow.turn(session, pending.unwrap_or_else(|| span.at()), said.as_deref());
        }
    }

    /// The conversation, and for an agent that another invoked, which one.
    fn session(&self, flow: &mut Flow<'_>, span: &Span) -> usize {
        let named = span.get(Name::Conversation).or_else(|| span.get(Name::Session));
        let base =
            named.unwrap_or(if span.trace.is_empty() { DEFAULT_SESSION } else { &span.trace });
        let mut above = Vec::new();
        let mut at = match span.operation {
            Operation::Agent => &span.id,
            _ => &span.parent,
        };
        for _ in 0..MAX_DEPTH {
            let Some((parent, name)) = self.agents.get(at) else { break };
            above.push((at, name));
            at = parent;
        }
        let agent = above.first().map(|(_, name)| (*name).clone());
        let session = match above.first() {
            Some((id, name)) if above.len() > 1 => flow.session(&format!("{base}/{name}-{id}")),
            _ => flow.session(base),
        };
        let agent = agent.or_else(|| span.get(Name::Agent).map(str::to_owned));
        flow.about(session, About { agent, ..About::default() });
        session
    }
}

impl Span {
    fn get(&self, name: Name) -> Option<&str> {
        self.attributes.get(&name).map(String::as_str)
    }

    fn at(&self) -> At {
        At { line: self.line, ts: milliseconds(self.start) }
    }

    fn ended(&self) -> At {
        At { line: self.line, ts: milliseconds(self.end) }
    }
}

fn milliseconds(nanoseconds: i128) -> Option<i64> {
    i64::try_from(nanoseconds / 1_000_000).ok().filter(|milliseconds| *milliseconds != 0)
}

/// A time as exporters write it: nanoseconds in a string or a number, seconds and nanoseconds in a
/// list, or RFC 3339.
fn nanoseconds(raw: Raw<'_>) -> i128 {
    let Some(raw) = present(raw) else { return 0 };
    let mut pair = elements(Some(raw));
    if let (Some(seconds), Some(rest)) = (pair.next(), pair.next()) {
        let number = |json: Json<'_>| json.get().parse::<i64>().unwrap_or(0);
        return i128::from(number(seconds)) * 1_000_000_000 + i128::from(number(rest));
    }
    let digits = raw.get().trim_matches('"');
    match digits.parse::<i64>() {
        Ok(whole) => i128::from(whole),
        Err(_) => timestamp(Some(raw)).map_or(0, |time| i128::from(time) * 1_000_000),
    }
}

/// The attributes of interest, whether they are a list of OTLP or an object.
fn attributes(raw: Raw<'_>) -> HashMap<Name, String> {
    let mut found = HashMap::default();
    let mut add = |key: &str, value: Raw<'_>| {
        let known = ATTRIBUTES.binary_search_by(|(name, _)| (*name).cmp(key)).ok();
        if let (Some((_, name)), Some(value)) = (known.and_then(|at| ATTRIBUTES.get(at)), value) {
            found.insert(*name, text(Some(value)).map_or(value.get().to_owned(), Cow::into_owned));
        }
    };
    let Some(raw) = raw else { return found };
    if raw.get().starts_with('{') {
        // It was read as JSON before.
        let _ = json::entries(raw.get(), |key, value| add(&key, Some(value)));
    }
    for element in elements(Some(raw)) {
        let attribute: Attribute<'_> = fields(Some(element));
        let typed: Typed<'_> = fields(attribute.value);
        let first = elements(fields::<List<'_>>(typed.list).values).next();
        let listed = fields::<Typed<'_>>(first).string;
        let value = typed.string.or(typed.int).or(typed.double).or(typed.boolean).or(listed);
        add(&text(attribute.key).unwrap_or_default(), value);
    }
    found
}

fn operation(attributes: &HashMap<Name, String>) -> Option<Operation> {
    let named = attributes.get(&Name::Operation).map(String::as_str);
    match named {
        Some("chat" | "text_completion" | "generate_content" | "llm_call") => Some(Operation::Chat),
        Some("execute_tool" | "tool_call") => Some(Operation::Tool),
        Some("invoke_agent" | "agent_call") => Some(Operation::Agent),
        // The first conventions had no name of the operation.
        None if attributes.contains_key(&Name::Tool) => Some(Operation::Tool),
        None if attributes.contains_key(&Name::System)
            && attributes.contains_key(&Name::RequestModel) =>
        {
            Some(Operation::Chat)
        }
        _ => None,
    }
}

/// Operations that are known to hold no event.
fn is_known(operation: &str) -> bool {
    matches!(
        operation,
        "create_agent"
            | "embeddings"
            | "retrieval"
            | "schedule_tool_calls"
            | "user_prompt"
            | "system_prompt"
            | "invoke_workflow"
    )
}

/// What the user said, where that is the last message.
fn said(messages: &str) -> Option<String> {
    let messages = embedded(messages)?;
    let mut message = Part::default();
    json::object(json::values(messages).last()?.get(), &mut message).ok()?;
    if message.role.map(Json::get) != Some("\"user\"") {
        return None;
    }
    let mut said = Vec::new();
    said.extend(text(message.content).map(Cow::into_owned));
    for part in elements(message.parts) {
        let part: Part<'_> = fields(Some(part));
        if part.kind.map(Json::get) == Some("\"text\"") {
            said.extend(text(part.content).map(Cow::into_owned));
        }
    }
    said.retain(|text| !notes::is_note(text));
    (!said.is_empty()).then(|| said.join("\n"))
}

fn chat(flow: &mut Flow<'_>, session: usize, span: &Span) {
    let mut exchange = Exchange::new(flow, span.ended());
    if exchange.is_wanted() {
        exchange.request = Some((span.at(), request(span)));
    }
    let model = span.get(Name::Model).or_else(|| span.get(Name::RequestModel));
    exchange.model = model.map(str::to_owned);
    let finish = span.get(Name::Finish);
    let listed = finish.and_then(embedded).filter(|json| json.starts_with('['));
    let first = listed.and_then(|list| text(json::values(list).next())).map(Cow::into_owned);
    exchange.stop_reason = first.or_else(|| finish.map(str::to_owned));
    let count = |name| span.get(name).and_then(|number| number.parse().ok());
    exchange.usage = Usage {
        input: count(Name::InputTokens),
        output: count(Name::OutputTokens),
        thinking: None,
        cached: count(Name::CachedTokens),
    };
    exchange.latency = u64::try_from((span.end - span.start) / 1_000_000).ok();
    let output = span.get(Name::Output).and_then(embedded);
    for message in json::values(output.unwrap_or_default()) {
        let message: Part<'_> = fields(Some(message));
        if let Some(said) = text(message.content) {
            exchange.text(span.ended(), &said);
        }
        for part in elements(message.parts) {
            block(&mut exchange, span.ended(), &fields(Some(part)));
        }
    }
    flow.answer(session, exchange);
}

fn block(exchange: &mut Exchange, at: At, part: &Part<'_>) {
    match text(part.kind).as_deref() {
        Some("text") => exchange.text(at, &text(part.content).unwrap_or_default()),
        Some("reasoning" | "thinking") => {
            exchange.thinking(&text(part.content).unwrap_or_default());
        }
        Some("tool_call") => {
            let (id, name) = (text(part.id), text(part.name).unwrap_or_default());
            let written = input(part.arguments);
            exchange.tool_use(id.as_deref(), &name, &written);
            let (call, _) = tool_call(None, name, id, Some(&written));
            exchange.call(at, call);
        }
        _ => {}
    }
}

/// What the model was asked, with messages of role and content.
fn request(span: &Span) -> Request {
    let own = |name| span.get(name).and_then(embedded).map(str::to_owned);
    let mut list = Vec::new();
    if let Some(parts) = span.get(Name::Instructions) {
        list.push(message("system", parts));
    }
    if let Some(messages) = span.get(Name::Input).and_then(embedded) {
        for raw in json::values(messages) {
            let fields: Part<'_> = fields(Some(raw));
            let role = text(fields.role).unwrap_or_default();
            let parts = fields.parts.or(fields.content);
            list.push(message(&role, parts.map_or("[]", Json::get)));
        }
    }
    let mut request = Request {
        model: span.get(Name::RequestModel).map(str::to_owned),
        tools: own(Name::Tools).filter(|tools| tools.starts_with('[')),
        ..Request::default()
    };
    if !list.is_empty() {
        request.set_messages(list.iter().map(String::as_str));
    }
    request
}

/// A message of role and content. Texts are blocks with a text; other parts are as recorded.
fn message(role: &str, parts: &str) -> String {
    let mut blocks = Blocks::default();
    match embedded(parts) {
        Some(list) if list.starts_with('[') => {
            for part in json::values(list) {
                let fields: Part<'_> = fields(Some(part));
                match (fields.kind.map(Json::get), text(fields.content)) {
                    (Some("\"text\""), Some(said)) => blocks.text("text", &said),
                    _ => blocks.raw(part.get()),
                }
            }
        }
        Some(string) if string.starts_with('"') => blocks.content(string),
        _ => blocks.text("text", parts),
    }
    let mut message = Object::new();
    message.text("role", role);
    message.json("content", &blocks.finish());
    message.finish()
}

/// A tool that ran: the result of a call that a response holds, or the call too.
fn tool(flow: &mut Flow<'_>, session: usize, span: &Span) {
    let own = format!("span-{}", span.id);
    let id = span.get(Name::Call).unwrap_or(&own);
    if !flow.is_open(session, id) {
        let name = span.get(Name::Tool).unwrap_or_default();
        let written = span.get(Name::Arguments).and_then(embedded).unwrap_or("{}");
        let (id, name) = (Cow::Borrowed(id), Cow::Borrowed(name));
        let (call, _) = tool_call(None, name, Some(id), Some(written));
        flow.call(session, span.at(), call);
    }
    let value = span.get(Name::Result).map(|result| match embedded(result) {
        Some(json) => value_of(json),
        None => behavior_runtime::event::Value::Text(Cow::Borrowed(result)),
    });
    flow.result(session, span.ended(), Answer::new(Some(id), value, !span.failed));
}

#[cfg(test)]
mod tests;
