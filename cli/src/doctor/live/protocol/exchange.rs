//! A question to the model and its answer, whatever the protocol, and what their texts have in common.

use serde_json::Value;

/// What a request tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The names of the tools that the model may ask for.
    pub tools: Vec<String>,
    /// The results of calls so far, as they stand in it.
    pub results: Vec<String>,
}

/// What the model says.
#[derive(Debug)]
pub enum Say<'a> {
    /// It asks for a call of a tool: the number of the call, the tool, and its arguments.
    Call(usize, &'a str, Value),
    /// A text, which ends the turn.
    Text(&'a str),
}

/// The body of an answer.
#[derive(Debug)]
pub struct Body {
    /// What it is.
    pub content_type: &'static str,
    /// The bytes.
    pub text: String,
}

/// A protocol.
pub trait Protocol: Sync {
    /// Tells whether the model is asked something at this path, in which letters are small.
    fn is_question(&self, path: &str) -> bool;

    /// Reads a request.
    fn read(&self, request: &Value) -> Request;

    /// Writes an answer to a request that came to this path.
    fn write(&self, path: &str, request: &Value, say: &Say<'_>) -> Body;
}

/// The name under which the model goes where the agent gives none.
pub(super) const MODEL: &str = "scripted";

impl Body {
    pub(super) fn json(value: &Value) -> Self {
        Self { content_type: "application/json", text: value.to_string() }
    }

    /// Server-sent events, with a name or without one.
    pub(super) fn events<'a>(events: impl IntoIterator<Item = (Option<&'a str>, String)>) -> Self {
        let mut text = String::new();
        for (name, data) in events {
            if let Some(name) = name {
                text.push_str(&format!("event: {name}\n"));
            }
            text.push_str(&format!("data: {data}\n\n"));
        }
        Self { content_type: "text/event-stream", text }
    }
}

/// The members of a list; none where it is none.
pub(super) fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn is_streamed(request: &Value) -> bool {
    request.get("stream").and_then(Value::as_bool).unwrap_or(false)
}

pub(super) fn model(request: &Value) -> &str {
    match text(request, "model") {
        "" => MODEL,
        name => name,
    }
}
