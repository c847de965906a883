//! What is served: tools, and texts to read. Knows nothing of the protocol.

use serde_json::{Map, Value};

/// A tool, as clients see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, for models.
    pub description: &'static str,
    /// The JSON Schema of its arguments, an object.
    pub input: Value,
    /// The JSON Schema of what it returns where nothing goes wrong.
    pub output: Value,
    /// Whether it changes nothing.
    pub is_read_only: bool,
}

/// A text that clients may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its address.
    pub uri: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is, for models.
    pub description: &'static str,
    /// Its media type.
    pub mime_type: &'static str,
}

/// What a tool answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The structured result, an object.
    pub result: Value,
    /// Whether that is what went wrong.
    pub is_error: bool,
}

/// What is served. There is one call at a time, each on a thread of its own.
pub trait Toolbox: Send + Sync + 'static {
    /// What models are told about the whole.
    fn instructions(&self) -> String;
    /// The tools.
    fn tools(&self) -> Vec<Tool>;
    /// Calls a tool; `None` where there is none of that name.
    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Option<Answer>;
    /// The texts.
    fn resources(&self) -> Vec<Resource>;
    /// Returns a text, or why it cannot be had; `None` where there is none of that address.
    fn read(&self, uri: &str) -> Option<Result<String, String>>;
}
