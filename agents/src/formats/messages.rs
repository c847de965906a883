//! Lists of messages as the model interfaces of OpenAI (chat and responses) and Anthropic take them:
//! a JSON list, a request that holds one in `messages` or `input`, or JSON Lines of either, or of single
//! messages. The dialects tell themselves apart message by message, so that one reader does for all.
//!
//! Lists have no ids of sessions, no times and no file system: each document is a session. Each answer
//! of the model implies the request with everything before it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::content::content_text;
use crate::document::{self, Document};
use crate::exchange::{Request, Usage, together};
use crate::fields::{elements, fields, input, number, present, text, timestamp};
use crate::flow::{Answer, At, Exchange, Flow};
use crate::json::{self, Json, Raw};
use crate::notes;
use crate::object::Object;
use crate::recording::{
    Certainty, Format, Opening, RecordingFormat, Shape, first, is, is_list, is_text,
};
use crate::sink::{Sink, Stats};
use crate::tools::{Tool, tool_call, value_of};

json::slots! {
    /// A request, or a document with messages in it, or a message itself.
    struct Top {
        messages: "messages" | "input",
        system: "system" | "instructions",
        tools: "tools" | "functions",
        model: "model",
        choices: "choices",
        output: "output",
        usage: "usage",
        session: "session_id" | "conversation_id" | "thread_id" | "trace_id",
        id: "id",
        role: "role",
        kind: "type",
    }
}

json::slots! {
    /// A message, an item of the responses interface, or a block.
    struct Message {
        kind: "type",
        role: "role",
        content: "content",
        calls: "tool_calls",
        function_call: "function_call",
        answered: "tool_call_id" | "call_id" | "tool_use_id",
        several: "tool_call_ids",
        id: "id",
        name: "name",
        function: "function",
        arguments: "arguments",
        input: "input",
        action: "action",
        output: "output",
        text: "text",
        thinking: "thinking",
        reasoning: "reasoning_content" | "reasoning",
        summary: "summary",
        refusal: "refusal",
        is_error: "is_error",
        error: "error",
        status: "status",
        stop_reason: "stop_reason",
        finish: "finish_reason",
        usage: "usage",
        model: "model",
        time: "timestamp" | "created_at" | "ts",
        message: "message",
        is_demo: "is_demo",
    }
}

json::slots! {
    /// What is counted, by the names of all interfaces.
    struct Tokens {
        input: "input_tokens",
        cache_write: "cache_creation_input_tokens",
        cache_read: "cache_read_input_tokens",
        prompt: "prompt_tokens",
        output: "output_tokens" | "completion_tokens",
        details: "output_tokens_details" | "completion_tokens_details",
        input_details: "input_tokens_details" | "prompt_tokens_details",
    }
}

json::slots! {
    struct Details { reasoning: "reasoning_tokens", cached: "cached_tokens" }
}

/// Messages as Anthropic's interface takes them.
struct Anthropic;

/// The format, as it is registered.
pub(crate) const ANTHROPIC: Format = Format::new(&Anthropic);

impl RecordingFormat for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn description(&self) -> &'static str {
        "Messages as Anthropic's interface takes them"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        (dialect(opening) == Some(Dialect::Anthropic)).then_some(Certainty::Likely)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Whose interface messages are of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    OpenAi,
    Anthropic,
}

/// Returns whose messages these are, if they are messages.
fn dialect(opening: &Opening<'_>) -> Option<Dialect> {
    const ROLES: &[&str] = &["user", "assistant", "system", "developer", "tool"];
    const ITEMS: &[&str] = &["message", "function_call", "function_call_output", "reasoning"];
    let messages = |shape: &Shape<'_>| dialect_of(shape, elements(shape.messages));
    match opening {
        Opening::List { shape, .. } if is_list(shape.messages) => Some(messages(shape)),
        Opening::List { shape, elements } => {
            let is_item = is(shape.role, ROLES) || is(shape.of_type, ITEMS);
            is_item.then(|| dialect_of(shape, elements.iter().copied()))
        }
        Opening::Object { is_document: false, .. } => None,
        Opening::Object { shape, .. } if is_list(shape.messages) || shape.choices.is_some() => {
            let message: Shape<'_> = fields(first(shape.messages));
            if is_list(shape.messages) && message.role.is_some() {
                return Some(messages(shape));
            }
            first(shape.messages).is_none().then_some(Dialect::OpenAi)
        }
        Opening::Object { shape, .. } if shape.input.is_some() && is_text(shape.model) => {
            Some(Dialect::OpenAi)
        }
        Opening::Object { shape, .. } => {
            let says = shape.content.is_some() || shape.calls.is_some();
            let is_message = is(shape.role, ROLES) && says && shape.session.is_none();
            let is_anthropic = || elements(shape.content).any(is_anthropic_block);
            is_message.then(|| match is_anthropic() {
                true => Dialect::Anthropic,
                false => Dialect::OpenAi,
            })
        }
    }
}

/// Returns whose messages these are. Where nothing tells, it makes no difference.
fn dialect_of<'a>(shape: &Shape<'_>, messages: impl Iterator<Item = Json<'a>>) -> Dialect {
    let tool: Shape<'_> = fields(first(shape.tools));
    if shape.system.is_some() || tool.input_schema.is_some() {
        return Dialect::Anthropic;
    }
    for message in messages {
        let message: Shape<'_> = fields(Some(message));
        if message.calls.is_some() || is(message.role, &["tool", "system", "developer"]) {
            return Dialect::OpenAi;
        }
        if elements(message.content).any(is_anthropic_block) {
            return Dialect::Anthropic;
        }
    }
    let is_claude = text(shape.model).is_some_and(|model| model.contains("claude"));
    if is_claude { Dialect::Anthropic } else { Dialect::OpenAi }
}

fn is_anthropic_block(block: Json<'_>) -> bool {
    let block: Shape<'_> = fields(Some(block));
    is(block.of_type, &["tool_use", "tool_result", "thinking"])
}

/// Messages or items as OpenAI's interfaces take them.
struct OpenAi;

/// The format, as it is registered.
pub(crate) const OPENAI: Format = Format::new(&OpenAi);

impl RecordingFormat for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn description(&self) -> &'static str {
        "Messages or items as OpenAI's interfaces take them"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        (dialect(opening) == Some(Dialect::OpenAi)).then_some(Certainty::Likely)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads recordings of either interface.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, false);
    // Lines that are single messages are one conversation.
    let mut lines = None;
    document::read(input, &mut flow, &mut |flow, document| {
        document_of(flow, document, &mut lines)
    })?;
    if let Some(lines) = lines {
        lines.finish(&mut flow, false);
    }
    flow.finish();
    Ok(flow.stats)
}

fn document_of(flow: &mut Flow<'_>, document: &Document<'_>, lines: &mut Option<Conversation>) {
    let line = document.line(document.text);
    if document.text.starts_with('[') {
        list(flow, document);
        return;
    }
    let mut top = Top::default();
    if let Err(error) = json::object(document.text, &mut top) {
        return flow.refuse(line, json::explain(document.text, &error));
    }
    if top.messages.is_some() || top.choices.is_some() {
        request(flow, document, &top);
    } else if top.role.is_some() || top.kind.is_some() {
        let lines = lines.get_or_insert_with(|| Conversation::new(flow.new_session(None), None));
        lines.message(flow, document.line(document.text), document.text);
    } else {
        flow.refuse(line, "the document holds no messages".to_owned());
    }
}

/// A list of messages, or of documents with messages.
fn list(flow: &mut Flow<'_>, document: &Document<'_>) {
    let mut conversation = None;
    for element in json::values(document.text) {
        let mut top = Top::default();
        // An element of another kind is told below.
        let is_object = json::object(element.get(), &mut top).is_ok();
        let is_item = top.role.is_some() || top.kind.is_some();
        if is_object && !is_item && top.messages.is_some() {
            request(flow, document, &top);
            continue;
        }
        if element.get().starts_with('[') {
            let mut inner = Conversation::new(flow.new_session(None), None);
            for message in elements(Some(element)) {
                inner.message(flow, document.line(message.get()), message.get());
            }
            inner.finish(flow, false);
            continue;
        }
        let conversation =
            conversation.get_or_insert_with(|| Conversation::new(flow.new_session(None), None));
        conversation.message(flow, document.line(element.get()), element.get());
    }
    if let Some(conversation) = conversation {
        conversation.finish(flow, false);
    }
}

fn request(flow: &mut Flow<'_>, document: &Document<'_>, top: &Top<'_>) {
    let name = text(top.session.or(top.id));
    let mut conversation = Conversation::new(flow.new_session(name.as_deref()), None);
    conversation.last.line = document.line(document.text);
    if flow.exchanges {
        conversation.request.model = text(top.model).map(Cow::into_owned);
        conversation.request.tools = present(top.tools).map(|tools| tools.get().to_owned());
        conversation.request.params = params(document.text);
        if let Some(system) = present(top.system) {
            let mut message = Object::new();
            message.text("role", "system");
            message.json("content", system.get());
            conversation.prefix.push(&message.finish());
        }
    }
    let said = top.messages.filter(|raw| raw.get().starts_with('"'));
    if let Some(said) = text(said).filter(|said| !notes::is_note(said)) {
        // A request of the responses interface may hold just what the user says.
        let at = At { line: document.line(top.messages.map_or("", Json::get)), ts: None };
        flow.turn(conversation.session, at, Some(&said));
    }
    for message in elements(top.messages).chain(elements(top.output)) {
        conversation.message(flow, document.line(message.get()), message.get());
    }
    for choice in elements(top.choices).take(1) {
        let mut fields = Message::default();
        // A choice that is no object holds no message.
        let _ = json::object(choice.get(), &mut fields);
        if let Some(message) = fields.message {
            conversation.ends = (text(fields.finish).map(Cow::into_owned), tokens(top.usage));
            conversation.message(flow, document.line(message.get()), message.get());
        }
    }
    let is_request = top.model.is_some() && top.choices.is_none() && top.output.is_none();
    conversation.finish(flow, is_request);
}

/// What a request asks for besides messages and tools.
fn params(request: &str) -> Option<String> {
    const NAMES: &[&str] = &[
        "temperature",
        "top_p",
        "max_tokens",
        "max_completion_tokens",
        "max_output_tokens",
        "stop",
        "stop_sequences",
        "seed",
        "tool_choice",
        "parallel_tool_calls",
        "response_format",
        "reasoning",
        "reasoning_effort",
        "thinking",
    ];
    let mut params = Object::new();
    // The request was read as JSON before.
    let _ = json::entries(request, |name, value| {
        if NAMES.contains(&&*name) {
            params.json(&name, value.get());
        }
    });
    (!params.is_empty()).then(|| params.finish())
}

/// The messages before an answer, as long as they are few enough to be repeated.
#[derive(Default)]
struct Prefix {
    messages: Vec<String>,
    /// Whether there were too many, so that only the last is kept.
    cut: bool,
    length: usize,
}

impl Prefix {
    const MAX: usize = 256 << 10;

    fn push(&mut self, message: &str) {
        self.length = self.length.saturating_add(message.len());
        if self.length > Self::MAX {
            self.cut = true;
            self.messages.clear();
        }
        self.messages.push(message.to_owned());
    }

    fn write(&self, request: &mut Request) {
        request.set_messages(self.messages.iter().map(String::as_str));
        request.omitted |= self.cut;
    }
}

/// One conversation.
pub(crate) struct Conversation {
    pub(crate) session: usize,
    find: Option<fn(&str) -> Option<&'static Tool>>,
    request: Request,
    prefix: Prefix,
    /// The answer that items are still added to.
    current: Option<Exchange>,
    /// Why the next answer ends, and what it counts, where something around it tells.
    ends: (Option<String>, Usage),
    /// Calls without an id, which are given one, in their order.
    unnamed: VecDeque<String>,
    count: u64,
    answered: bool,
    last: At,
}

impl Conversation {
    /// A conversation whose tools `find` knows.
    pub(crate) fn new(session: usize, find: Option<fn(&str) -> Option<&'static Tool>>) -> Self {
        Self {
            session,
            find,
            request: Request::default(),
            prefix: Prefix::default(),
            current: None,
            ends: Default::default(),
            unnamed: VecDeque::new(),
            count: 0,
            answered: false,
            last: At::default(),
        }
    }

    /// Takes in a message, which is JSON text.
    pub(crate) fn message(&mut self, flow: &mut Flow<'_>, line: u32, json: &str) {
        let mut message = Message::default();
        if let Err(error) = json::object(json, &mut message) {
            return flow
                .refuse(line, format!("a message is wrong: {}", json::explain(json, &error)));
        }
        let at = At { line, ts: timestamp(message.time) };
        self.last = at;
        let kind = text(message.kind);
        let role = text(message.role);
        match (kind.as_deref(), role.as_deref()) {
            _ if json::is_true(message.is_demo) => {
                flow.stats.skipped += 1;
                return;
            }
            (Some("reasoning"), _) => {
                let thought = content_text(message.summary.map_or("", Json::get)).into_owned();
                self.open(flow, at).thinking(&thought);
            }
            (Some(call), None) if call.ends_with("_call") => {
                self.item_call(flow, at, call, &message)
            }
            (Some(output), None) if output.ends_with("_output") => {
                let value = message.output.or(message.content);
                self.result(flow, at, &message, value);
            }
            (Some("item_reference" | "compaction"), None) => flow.stats.skipped += 1,
            (_, Some("assistant" | "model" | "ai")) => self.said(flow, at, &message),
            (_, Some("user" | "human")) => self.user(flow, at, &message),
            (_, Some("tool" | "function")) => self.result(flow, at, &message, message.content),
            (_, Some("system" | "developer")) => flow.stats.skipped += 1,
            (kind, role) => {
                let name = role.or(kind).unwrap_or("(a message without a role)");
                flow.stats.unknown(name);
            }
        }
        self.answered =
            self.current.is_some() || matches!(role.as_deref(), Some("assistant" | "model"));
        if flow.exchanges {
            self.prefix.push(json);
        }
    }

    /// The answer that is being put together.
    fn open(&mut self, flow: &mut Flow<'_>, at: At) -> &mut Exchange {
        if self.current.as_ref().is_some_and(Exchange::is_full) {
            self.close(flow);
        }
        let (request, prefix) = (&self.request, &self.prefix);
        self.current.get_or_insert_with(|| {
            let mut exchange = Exchange::new(flow, at);
            if exchange.is_wanted() {
                let mut asked = request.clone();
                prefix.write(&mut asked);
                exchange.request = Some((at, asked));
                exchange.model = request.model.clone();
            }
            exchange
        })
    }

    /// Hands on the answer that is being put together.
    fn close(&mut self, flow: &mut Flow<'_>) {
        if let Some(mut exchange) = self.current.take() {
            let (stop, usage) = std::mem::take(&mut self.ends);
            exchange.stop_reason = exchange.stop_reason.or(stop);
            if usage != Usage::default() {
                exchange.usage = usage;
            }
            flow.answer(self.session, exchange);
        }
    }

    /// A message of the model.
    fn said(&mut self, flow: &mut Flow<'_>, at: At, message: &Message<'_>) {
        let is_item = message.kind.is_some_and(|kind| kind.get() == "\"message\"")
            && message.stop_reason.is_none();
        if !is_item {
            self.close(flow);
        }
        let thought = text(message.reasoning).unwrap_or_default();
        let exchange = self.open(flow, at);
        exchange.thinking(&thought);
        if let Some(model) = text(message.model) {
            exchange.model = Some(model.into_owned());
        }
        exchange.stop_reason = text(message.stop_reason).map(Cow::into_owned);
        exchange.usage = tokens(message.usage);
        for said in [message.content, message.refusal].into_iter().filter_map(text) {
            exchange.text(at, &said);
        }
        for block in elements(message.content) {
            self.block(flow, at, block);
        }
        for call in elements(message.calls) {
            let mut fields = Message::default();
            // A call that is no object has no name, and is told of below.
            let _ = json::object(call.get(), &mut fields);
            self.chat_call(flow, at, &fields);
        }
        if let Some(call) = present(message.function_call) {
            let function = Some(call);
            self.chat_call(flow, at, &Message { function, ..Message::default() });
        }
        if !is_item {
            self.close(flow);
        }
    }

    /// A block of what the model said.
    fn block(&mut self, flow: &mut Flow<'_>, at: At, block: Json<'_>) {
        let mut fields = Message::default();
        if json::object(block.get(), &mut fields).is_err() {
            return;
        }
        match text(fields.kind).as_deref() {
            Some("tool_use" | "server_tool_use") => {
                let name = text(fields.name).unwrap_or_default();
                self.call(flow, at, text(fields.id), name, &input(fields.input));
            }
            Some("thinking" | "reasoning") => {
                let thought = text(fields.thinking.or(fields.reasoning).or(fields.text));
                self.open(flow, at).thinking(&thought.unwrap_or_default());
            }
            _ => {
                let said = text(fields.text.or(fields.refusal)).unwrap_or_default();
                self.open(flow, at).text(at, &said);
            }
        }
    }

    /// A call of the chat interface; what it calls is an object, or only a name with arguments beside it.
    fn chat_call(&mut self, flow: &mut Flow<'_>, at: At, call: &Message<'_>) {
        let mut function = Message::default();
        let object = call.function.filter(|raw| raw.get().starts_with('{'));
        let (name, arguments) = match object {
            Some(object) => {
                // It was read as JSON before.
                let _ = json::object(object.get(), &mut function);
                (function.name, function.arguments)
            }
            None => (call.function.or(call.name), call.arguments.or(call.input)),
        };
        let name = text(name).unwrap_or_default();
        self.call(flow, at, text(call.id), name, &input(arguments));
    }

    /// A call of the responses interface.
    fn item_call(&mut self, flow: &mut Flow<'_>, at: At, kind: &str, item: &Message<'_>) {
        let name = match text(item.name) {
            Some(name) => name,
            None => Cow::Owned(kind.trim_end_matches("_call").to_owned()),
        };
        let arguments = item.arguments.or(item.input).or(item.action);
        let written = match item.input.filter(|_| item.arguments.is_none()) {
            // The input of a custom tool is a text, whatever it looks like.
            Some(raw) if raw.get().starts_with('"') => {
                let mut object = Object::new();
                object.json("input", raw.get());
                Cow::Owned(object.finish())
            }
            _ => input(arguments),
        };
        let id = text(item.answered).or(text(item.id));
        self.call(flow, at, id, name, &written);
        if kind != "function_call" && kind != "custom_tool_call" && present(item.output).is_some() {
            self.result(flow, at, item, item.output);
        }
    }

    fn call(
        &mut self,
        flow: &mut Flow<'_>,
        at: At,
        id: Option<Cow<'_, str>>,
        name: Cow<'_, str>,
        input: &str,
    ) {
        let id = id.map_or_else(
            || {
                self.count += 1;
                let id = format!("call-{}", self.count);
                self.unnamed.push_back(id.clone());
                id
            },
            Cow::into_owned,
        );
        let known = self.find.and_then(|find| find(&name));
        let exchange = self.open(flow, at);
        exchange.tool_use(Some(&id), &name, input);
        let (call, _) = tool_call(known, name, Some(Cow::Owned(id)), Some(input));
        exchange.call(at, call);
    }

    /// A message of the user: results, or what the user said, which begins a turn.
    fn user(&mut self, flow: &mut Flow<'_>, at: At, message: &Message<'_>) {
        let mut is_result = false;
        for block in elements(message.content) {
            let mut fields = Message::default();
            // A block that is no object is no result.
            let _ = json::object(block.get(), &mut fields);
            if fields.kind.is_some_and(|kind| kind.get() == "\"tool_result\"") {
                is_result = true;
                self.result(flow, at, &fields, fields.content);
            }
        }
        if is_result {
            return;
        }
        let Some(said) = notes::said(message.content.map_or("", Json::get)) else {
            flow.stats.skipped += 1;
            return;
        };
        self.close(flow);
        let text = (!said.trim().is_empty()).then_some(&*said);
        flow.turn(self.session, at, text);
    }

    fn result(&mut self, flow: &mut Flow<'_>, at: At, message: &Message<'_>, value: Raw<'_>) {
        self.close(flow);
        let several = elements(message.several).next();
        let id = text(message.answered).or_else(|| text(several));
        let id = id.map(Cow::into_owned).or_else(|| self.unnamed.pop_front());
        let value = present(value).map(|raw| {
            let is_text = raw.get().starts_with('[') && !content_text(raw.get()).is_empty();
            if is_text {
                value_of_text(content_text(raw.get())).into_owned()
            } else {
                value_of(raw.get()).into_owned()
            }
        });
        let failed = json::is_true(message.is_error)
            || present(message.error).is_some()
            || message.status.is_some_and(|status| status.get() == "\"error\"");
        flow.result(self.session, at, Answer::new(id.as_deref(), value, !failed));
    }

    /// The conversation is over. Messages that nothing answers may be a request themselves.
    pub(crate) fn finish(mut self, flow: &mut Flow<'_>, is_request: bool) {
        self.close(flow);
        if is_request && flow.exchanges && !self.answered && !self.prefix.messages.is_empty() {
            let mut request = std::mem::take(&mut self.request);
            self.prefix.write(&mut request);
            flow.request(self.session, self.last, &request);
        }
        flow.end(self.session);
    }
}

fn value_of_text(text: Cow<'_, str>) -> behavior_runtime::event::Value<'_> {
    behavior_runtime::event::Value::Text(text)
}

/// What an answer counts. What the model thought is part of the output for these interfaces, and what
/// was read from a cache part of the input, but Anthropic's counts that apart.
pub(crate) fn tokens(usage: Raw<'_>) -> Usage {
    let (mut tokens, mut details) = (Tokens::default(), Details::default());
    if let Some(usage) = usage {
        // What is no object counts nothing.
        let _ = json::object(usage.get(), &mut tokens);
    }
    if let Some(raw) = tokens.details {
        let _ = json::object(raw.get(), &mut details);
    }
    if let Some(raw) = tokens.input_details {
        let _ = json::object(raw.get(), &mut details);
    }
    let (output, thinking) = (number(tokens.output), number(details.reasoning));
    Usage {
        input: number(tokens.prompt).or_else(|| {
            together([tokens.input, tokens.cache_write, tokens.cache_read].map(number))
        }),
        output: output.map(|output| output.saturating_sub(thinking.unwrap_or(0))),
        thinking,
        cached: number(tokens.cache_read).or_else(|| number(details.cached)),
    }
}

#[cfg(test)]
mod tests;
