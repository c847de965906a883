//! Events in rule tests and examples, as they are being written.

use super::siblings::Beside;
use super::tools_named::{NamedTool, is_list_of_events};
use crate::parameters;
use crate::registry::schema::Shape;
use crate::rule_test::{NATIVE_EVENTS, fields_of};
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
    let is_list = |step: &Step| matches!(step, Step::Key(key) if is_list_of_events(key));
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

/// The name of the native event that the mapping around an offset spells out, such as `{ event: tool_call }`.
pub(super) fn spelled_out(beside: &Beside<'_>) -> Option<String> {
    let event = beside.with(&["event"])?.get("event")?.as_str()?;
    Some(event.to_owned())
}

/// The keys that an event, or the parameters of a tool, may have and has not. `named` says which tools the project
/// names.
pub(super) fn keys(
    inside: Inside<'_>,
    others: &[String],
    beside: &Beside<'_>,
    named: impl FnOnce() -> Vec<NamedTool>,
) -> Vec<Key> {
    let mut found = match inside {
        Inside::Event => match spelled_out(beside).filter(|_| !others.is_empty()) {
            Some(event) => fields(&event),
            None if others.is_empty() => beginnings(named()),
            None => vec![
                key("result", "what the call gave", Shape::Text),
                key("ok", "whether it succeeded", Shape::Bool),
                key("session", "whose it is", Shape::Text),
                key("ts", "when, in milliseconds", Shape::Int(0, i64::MAX)),
            ],
        },
        Inside::Params("params") if spelled_out(beside).is_some() => {
            let tool = beside.with(&["tool"]).and_then(|event| event.get("tool")?.as_str());
            tool.map(|tool| params(tool, named)).unwrap_or_default()
        }
        Inside::Params(event) if NATIVE_EVENTS.contains(&event) => fields(event),
        Inside::Params(tool) => params(tool, named),
    };
    found.retain(|key| !others.contains(&key.text));
    found
}

fn key(text: &str, detail: &str, shape: Shape) -> Key {
    Key { text: text.into(), detail: detail.into(), shape }
}

/// What an event may begin with: the tools of the project, those that are named most, native events, other tools.
fn beginnings(named: Vec<NamedTool>) -> Vec<Key> {
    let call = |tool: &str| key(tool, "a call and its result", Shape::Any);
    let is_own = |tool: &&NamedTool| !TOOLS.contains(&&*tool.name) && tool.name != "*";
    let mut found: Vec<Key> = named.iter().filter(is_own).map(|tool| call(&tool.name)).collect();
    found.extend(TOOLS.iter().map(|tool| call(tool)));
    found.extend(NATIVE_EVENTS.iter().map(|name| key(name, "native event", Shape::Text)));
    found.push(key("event", "a native event with its fields", Shape::Text));
    for name in tool_names::names() {
        if found.iter().all(|key| key.text != name) {
            found.push(call(name));
        }
    }
    found
}

/// The fields of a native event.
fn fields(event: &str) -> Vec<Key> {
    let detail = format!("field of the event `{event}`");
    let shape = |field: &str| match field {
        "ok" | "exists" | "headless" | "hidden" | "by_exchange" => Shape::Bool,
        "ts" | "now" | "size" | "mtime" | "lines" => Shape::Int(0, i64::MAX),
        "params" | "native_params" => Shape::Any,
        _ => Shape::Text,
    };
    fields_of(event).map(|field| key(field, &detail, shape(field))).collect()
}

/// The parameters of a tool: what is known of it, else what the project asks of it.
fn params(tool: &str, named: impl FnOnce() -> Vec<NamedTool>) -> Vec<Key> {
    let detail = format!("parameter of `{tool}`");
    if let Some(known) = parameters::of(&tool.to_lowercase()) {
        return known.iter().map(|param| key(param, &detail, Shape::Text)).collect();
    }
    let asked = named().into_iter().filter(|known| known.name == tool);
    let asked = asked.flat_map(|known| known.params);
    asked.map(|param| key(&param, &detail, Shape::Text)).collect()
}
