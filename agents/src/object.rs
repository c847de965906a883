//! JSON that is written: objects field by field, in the order in which the fields are given.
//! Nothing here knows what is written.

use behavior_json::plain::escaped;
use std::fmt::Write as _;

use behavior_runtime::event::Value;

/// A JSON object that is being written.
#[derive(Clone, Debug)]
pub(crate) struct Object(String);

impl Default for Object {
    fn default() -> Self {
        Self::new()
    }
}

impl Object {
    pub(crate) fn new() -> Self {
        Self("{".to_owned())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    pub(crate) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }

    fn key(&mut self, key: &str) {
        if !self.is_empty() {
            self.0.push(',');
        }
        self.quote(key);
        self.0.push(':');
    }

    fn quote(&mut self, text: &str) {
        let is_plain = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
        if text.bytes().all(is_plain) {
            self.0.push('"');
            self.0.push_str(text);
            self.0.push('"');
        } else {
            // Every text can be written.
            self.0.push_str(&escaped(&serde_json::to_string(text).unwrap_or_default()));
        }
    }

    pub(crate) fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.quote(text);
    }

    pub(crate) fn optional(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    pub(crate) fn number(&mut self, key: &str, number: Option<impl std::fmt::Display>) {
        if let Some(number) = number {
            self.key(key);
            let _ = write!(self.0, "{number}");
        }
    }

    pub(crate) fn boolean(&mut self, key: &str, value: Option<bool>) {
        self.number(key, value);
    }

    pub(crate) fn json(&mut self, key: &str, json: &str) {
        self.key(key);
        match memchr::memchr2(b'\n', b'\r', json.as_bytes()) {
            Some(_) => self.0.push_str(&json.replace(['\n', '\r'], " ")),
            None => self.0.push_str(json),
        }
    }

    /// All fields of another one.
    pub(crate) fn all_of(&mut self, other: &Object) {
        // What was begun is behind its brace.
        let fields = other.0.get(1..).unwrap_or_default();
        if !self.is_empty() && !fields.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(fields);
    }

    /// A list of texts.
    pub(crate) fn texts(&mut self, key: &str, texts: &[String]) {
        self.key(key);
        self.0.push('[');
        for (index, text) in texts.iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            self.quote(text);
        }
        self.0.push(']');
    }

    pub(crate) fn value(&mut self, key: &str, value: &Value<'_>) {
        match value {
            Value::Text(text) => self.text(key, text),
            Value::Json(json) => self.json(key, json),
        }
    }
}
