//! Requests to a model and its responses, written as bodies of native `request` and `response` events.
//! Blocks are written as the recording has them; nothing here reads a format.

use std::borrow::Cow;

use behavior_facts::tools::{normalise, selects_as_trigger};

use crate::json::{Fields, Json};
use crate::object::Object;
use behavior_runtime::replay::DEFAULT_SESSION;

/// The tokens of one response, as far as the recording counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) input: Option<u64>,
    pub(crate) output: Option<u64>,
    /// Beside those of the output.
    pub(crate) thinking: Option<u64>,
    /// Those of the input that were read from a cache.
    pub(crate) cached: Option<u64>,
}

/// What is counted in parts, together; `None` where nothing is.
pub(crate) fn together<const N: usize>(parts: [Option<u64>; N]) -> Option<u64> {
    parts.into_iter().flatten().reduce(u64::saturating_add)
}

/// One answer of a model.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Response<'a> {
    pub(crate) model: Option<&'a str>,
    /// The blocks: the JSON text of a list.
    pub(crate) content: Option<&'a str>,
    /// What else tools of its blocks are called: what [`ToolNames::finish`] gives.
    pub(crate) tool_names: Option<&'a str>,
    pub(crate) stop_reason: Option<&'a str>,
    pub(crate) usage: Usage,
    /// How long the answer took, in milliseconds.
    pub(crate) latency: Option<u64>,
}

impl Response<'_> {
    /// The body of the event. It is a whole line of the native format.
    pub(crate) fn body(&self, session: &str, ts: Option<i64>) -> String {
        let mut body = begin("response", session, ts);
        body.optional("model", self.model);
        if let Some(content) = self.content {
            body.json("content", content);
        }
        if let Some(names) = self.tool_names {
            body.json("tool_names", names);
        }
        body.optional("stop_reason", self.stop_reason);
        let mut usage = Object::new();
        usage.number("input_tokens", self.usage.input);
        usage.number("output_tokens", self.usage.output);
        usage.number("thinking_tokens", self.usage.thinking);
        usage.number("cached_tokens", self.usage.cached);
        if !usage.is_empty() {
            body.json("usage", &usage.finish());
        }
        body.number("latency_ms", self.latency);
        body.finish()
    }
}

/// A request to a model. Parts are JSON text, as the recording has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) model: Option<String>,
    /// The messages: a list.
    pub(crate) messages: Option<String>,
    /// Whether messages before the last were left out.
    pub(crate) omitted: bool,
    /// What the model is asked to do otherwise: an object.
    pub(crate) params: Option<String>,
    /// The tools it is offered: a list.
    pub(crate) tools: Option<String>,
    /// What the recording notes beside it: an object.
    pub(crate) metadata: Option<String>,
    /// More fields, as the recording has them.
    pub(crate) told: Told,
}

impl Request {
    /// How long the messages may be, in bytes: each request repeats those before it.
    const MAX: usize = 256 << 10;

    /// Sets the messages; of too many only the last is written.
    pub(crate) fn set_messages<'m>(&mut self, messages: impl Iterator<Item = &'m str> + Clone) {
        let sizes = messages.clone().map(|message| message.len() + 1);
        let (count, length) = sizes.fold((0_usize, 0), |(n, sum), size| (n + 1, sum + size));
        self.omitted = length > Self::MAX;
        let kept = if self.omitted { count.saturating_sub(1) } else { 0 };
        let mut list = Blocks::default();
        messages.skip(kept).for_each(|message| list.raw(message));
        self.messages = Some(list.finish());
    }

    /// The body of the event. It is a whole line of the native format.
    pub(crate) fn body(&self, session: &str, ts: Option<i64>) -> String {
        let mut body = begin("request", session, ts);
        body.optional("model", self.model.as_deref());
        body.all_of(&self.told.0);
        let parts = [
            ("messages", &self.messages),
            ("params", &self.params),
            ("tools", &self.tools),
            ("metadata", &self.metadata),
        ];
        for (key, json) in parts {
            if let Some(json) = json {
                body.json(key, json);
            }
        }
        body.boolean("messages_omitted", self.omitted.then_some(true));
        body.finish()
    }
}

/// The fields of a request or a response whose names and shapes are those of the native events, as
/// they are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told(Object);

impl Told {
    /// The fields of a request but its messages, which are told by themselves.
    pub(crate) fn of_request(fields: &Fields<'_>) -> Self {
        let mut told = Self::default();
        fields.iter().filter(|(name, _)| name != "messages").for_each(|field| told.add(field));
        told
    }

    /// The fields of a response. A format whose responses have a reason why they ended tells by one
    /// that has none that there was none.
    pub(crate) fn of_response(fields: &Fields<'_>) -> Self {
        let mut told = Self::default();
        fields.iter().for_each(|field| told.add(field));
        if fields.field("stop_reason").is_none_or(|reason| reason.get() == "null") {
            told.0.json("no_stop_reason", "true");
        }
        told
    }

    /// Adds a field, unless the event has one of its own that is called the same.
    fn add(&mut self, (name, value): &(Cow<'_, str>, Json<'_>)) {
        if !matches!(&**name, "event" | "session" | "ts") {
            self.0.json(name, value.get());
        }
    }

    /// The body of the event. It is a whole line of the native format.
    pub(crate) fn body(&self, event: &str, session: &str, ts: Option<i64>) -> String {
        let mut body = begin(event, session, ts);
        body.all_of(&self.0);
        body.finish()
    }
}

/// What requests and responses have in common.
fn begin(event: &str, session: &str, ts: Option<i64>) -> Object {
    let mut body = Object::new();
    body.text("event", event);
    if session != DEFAULT_SESSION {
        body.text("session", session);
    }
    body.number("ts", ts);
    body
}

/// The canonical names of tools that the blocks of a response call otherwise.
#[derive(Debug, Default)]
pub(crate) struct ToolNames<'a>(Vec<(&'a str, Vec<String>)>);

impl<'a> ToolNames<'a> {
    /// Notes a call. A name that rules know for the canonical one anyway is not told.
    pub(crate) fn note(&mut self, native: &'a str, canonical: &'a str) {
        let mut normal = String::new();
        normalise(native, &mut normal);
        if selects_as_trigger(canonical, &normal) {
            return;
        }
        let known = self.0.iter_mut().find(|(known, _)| *known == native);
        match known {
            Some((_, names)) if names.iter().any(|name| name == canonical) => {}
            Some((_, names)) => names.push(canonical.to_owned()),
            None => self.0.push((native, vec![canonical.to_owned()])),
        }
    }

    /// The JSON text of an object with a list of canonical names for each of the recording's.
    pub(crate) fn finish(self) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let mut names = Object::new();
        for (native, canonical) in self.0 {
            names.texts(native, &canonical);
        }
        Some(names.finish())
    }
}

/// A list of blocks that is being written.
#[derive(Debug, Default)]
pub(crate) struct Blocks(String);

impl Blocks {
    /// Adds one block, or several between which commas stand already.
    pub(crate) fn raw(&mut self, blocks: &str) {
        let blocks = blocks.trim();
        if blocks.is_empty() {
            return;
        }
        self.0.push(if self.0.is_empty() { '[' } else { ',' });
        self.0.push_str(blocks);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a block of text; `kind` is also what its text is called.
    pub(crate) fn text(&mut self, kind: &str, text: &str) {
        let mut block = Object::new();
        block.text("type", kind);
        block.text(kind, text);
        self.raw(&block.finish());
    }

    /// Adds a call. `input` is JSON text.
    pub(crate) fn tool_use(&mut self, id: Option<&str>, name: &str, input: &str) {
        let mut block = Object::new();
        block.text("type", "tool_use");
        block.optional("id", id);
        block.text("name", name);
        block.json("input", input);
        self.raw(&block.finish());
    }

    /// Adds the blocks of `list`, or a text block if it is a string.
    pub(crate) fn content(&mut self, list: &str) {
        let inside = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(blocks) = inside {
            self.raw(blocks);
        } else if list.starts_with('"') {
            self.raw(&format!("{{\"type\":\"text\",\"text\":{list}}}"));
        }
    }

    /// The JSON text of the list.
    pub(crate) fn finish(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "[]" } else { "]" });
        self.0
    }
}
