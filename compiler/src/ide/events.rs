//! Events in rule tests and examples, as they are being written.

use crate::parameters;
use crate::registry::schema::Shape;
use crate::rule_test::NATIVE_EVENTS;
use crate::syntax::cursor::Step;
use crate::tool_names;

/// What is being written of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside<'p> {
    /// Its own keys.
    Event,
    /// The parameters of a tool.
    Params(&'p str),
}

/// A key that can be written.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The key.
    pub text: String,
    /// What it is.
    pub detail: String,
    /// What stands behind it.
    pub shape: Shape,
}

/// Which part of an event a path leads to, if it leads into one.
pub(super) fn place(path: &[Step]) -> Option<Inside<'_>> {
    let is_list = |step: &Step| matches!(step, Step::Key(key) if matches!(key.as_str(), "events" | "fires" | "passes"));
    let at = path.iter().rposition(is_list)?;
    let rest: Vec<&Step> = path.get(at + 1..)?.iter().filter(|step| **step != Step::Item).collect();
    match rest.as_slice() {
        [] => Some(Inside::Event),
        [Step::Key(tool)] => Some(Inside::Params(tool)),
        _ => None,
    }
}

/// The tools that are named most.
const TOOLS: &[&str] =
    &["bash", "edit", "write", "read", "glob", "grep", "web_fetch", "web_search"];

/// The keys that an event, or the parameters of a tool, may have and has not.
pub(super) fn keys(inside: Inside<'_>, others: &[String]) -> Vec<Key> {
    let key =
        |text: &str, detail: &str, shape| Key { text: text.into(), detail: detail.into(), shape };
    let mut found: Vec<Key> = match inside {
        Inside::Event if others.is_empty() => {
            let tools = TOOLS.iter().map(|tool| key(tool, "a call and its result", Shape::Any));
            let known = tool_names::names().filter(|name| !TOOLS.contains(name));
            let known = known.map(|name| key(name, "a call and its result", Shape::Any));
            let native = NATIVE_EVENTS.iter().map(|name| key(name, "native event", Shape::Text));
            let event =
                std::iter::once(key("event", "a native event with its fields", Shape::Text));
            tools.chain(native).chain(event).chain(known).collect()
        }
        Inside::Event => vec![
            key("result", "what the call gave", Shape::Text),
            key("ok", "whether it succeeded", Shape::Bool),
            key("session", "whose it is", Shape::Text),
            key("ts", "when, in milliseconds", Shape::Int(0, i64::MAX)),
        ],
        Inside::Params(tool) => {
            let params = parameters::of(&tool.to_lowercase()).unwrap_or_default();
            let detail = format!("parameter of `{tool}`");
            params.iter().map(|param| key(param, &detail, Shape::Text)).collect()
        }
    };
    found.retain(|key| !others.contains(&key.text));
    found
}
