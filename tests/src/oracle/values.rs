//! Parameters, targets and values as texts.

use behavior_runtime::event::{Call, Value};

/// What a call is about.
#[derive(Clone, Debug)]
pub struct Target {
    /// The text, as given.
    pub text: String,
    /// Whether it is a file's path.
    pub is_path: bool,
}

/// Where a call's target is looked for, in order.
const USUAL: [&str; 7] = ["file_path", "path", "filepath", "url", "query", "pattern", "target"];

/// A parameter by its canonical or its native name.
pub fn param<'c>(call: &'c Call<'_>, name: &str) -> Option<&'c Value<'c>> {
    let is_it =
        |name: &str, native: Option<&str>, wanted: &str| name == wanted || native == Some(wanted);
    let found = call.params.iter().find(|p| is_it(&p.name, p.native.as_deref(), name));
    found.map(|param| &param.value)
}

/// The first string that is not empty, of `first` and the usual parameters.
pub fn target(call: &Call<'_>, first: &[Box<str>]) -> Option<Target> {
    let names = first.iter().map(|name| &**name).chain(USUAL);
    for name in names {
        if let Some(Value::Text(text)) = param(call, name)
            && !text.is_empty()
        {
            let is_path = name == "path" || name == "filepath" || name.ends_with("_path");
            return Some(Target { text: text.to_string(), is_path });
        }
    }
    None
}

/// A string's text, or compact JSON.
pub fn whole(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Json(json) => parsed(json).to_string(),
    }
}

/// What a parameter is matched on: the elements of a list, else the whole value.
pub fn candidates(value: &Value<'_>) -> Vec<String> {
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    match json(value) {
        serde_json::Value::Array(items) => items.into_iter().map(text).collect(),
        other => vec![text(other)],
    }
}

/// The value as JSON.
pub fn json(value: &Value<'_>) -> serde_json::Value {
    match value {
        Value::Text(text) => serde_json::Value::String(text.to_string()),
        Value::Json(json) => parsed(json),
    }
}

fn parsed(json: &str) -> serde_json::Value {
    serde_json::from_str(json).expect("events hold valid JSON")
}

/// What a message shows of a value: no secrets, and of a long one the beginning.
pub fn shown(text: &str) -> String {
    shorten(&behavior_secrets::redacted(text, usize::MAX))
}

/// The first 97 characters and `...`, of more than 100.
pub fn shorten(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= 100 {
        return text.to_owned();
    }
    characters.into_iter().take(97).collect::<String>() + "..."
}
