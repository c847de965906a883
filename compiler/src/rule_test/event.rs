//! Events as people write them in tests: native events, and short forms of them.

use serde_json::{Map, Value, json};

use super::impossible::impossible;
use crate::decode::{Decode, Reports, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Entry, Kind, Node};
use crate::trace_policy::json_of;

/// A kind of native event.
struct NativeEvent {
    name: &'static str,
    /// The field that a short form's text or number is.
    main: Option<&'static str>,
    /// Its fields besides those of all events; `None` where it may have others, too.
    fields: Option<&'static [&'static str]>,
}

/// The fields of all events.
const COMMON: &[&str] = &["event", "session", "ts", "subagent", "branch"];

const fn native(
    name: &'static str,
    main: Option<&'static str>,
    fields: &'static [&'static str],
) -> NativeEvent {
    NativeEvent { name, main, fields: Some(fields) }
}

const EVENTS: &[NativeEvent] = &[
    native(
        "session_start",
        Some("cwd"),
        &["agent", "cwd", "mode", "headless", "tools", "by_exchange"],
    ),
    native("turn_start", Some("text"), &["text"]),
    native("turn_end", Some("text"), &["text"]),
    native("text", Some("text"), &["text"]),
    native("tool_call", None, &["id", "tool", "params", "native_tool", "native_params"]),
    native(
        "tool_result",
        None,
        &["id", "tool", "params", "result", "ok", "native_tool", "native_params"],
    ),
    NativeEvent { name: "request", main: None, fields: None },
    NativeEvent { name: "response", main: None, fields: None },
    native("fs", Some("path"), &["path", "exists", "size", "mtime", "lines", "real"]),
    native("clock", Some("now"), &["now"]),
    native("classifier_reply", Some("raw"), &["raw"]),
    native("verifier_reply", Some("raw"), &["raw", "error"]),
    native("user_shell", Some("command"), &["command", "hidden"]),
    native("constitution", None, &["op", "rule", "rules", "by"]),
    native("workflow_start", Some("workflow"), &["workflow", "input"]),
    native(
        "step_end",
        Some("step"),
        &["step", "agent", "ok", "output", "control", "control_error", "oversight"],
    ),
    native("workflow_resume", Some("how"), &["how"]),
    native("compaction", None, &[]),
    native("session_end", None, &[]),
];

/// The names of the native events.
pub const NATIVE_EVENTS: [&str; EVENTS.len()] = {
    let mut names = [""; EVENTS.len()];
    let mut index = 0;
    while index < EVENTS.len() {
        #[expect(
            clippy::indexing_slicing,
            reason = "both are as long, and this runs at compile time"
        )]
        {
            names[index] = EVENTS[index].name;
        }
        index += 1;
    }
    names
};

/// What may stand beside the tool of a short form: what its result says, and whose it is.
const BESIDE: &[&str] = &["result", "ok", "session", "ts"];

/// What to do where an entry names several tools.
const ONE_EVENT: &str = "each entry is one event: a tool with its params, and beside it `result`, `ok`, \
     `session` or `ts`";

/// One event of a test, checked and otherwise as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct EventNode(pub Node);

impl Decode for EventNode {
    const SHAPE: Shape = Shape::Any;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match read(node) {
            Ok(_) => Some(Self(node.clone())),
            Err(diagnostic) => {
                if !matches!(node.kind, Kind::Broken) {
                    reports.push(*diagnostic);
                }
                None
            }
        }
    }
}

/// Returns the tool that an event calls, where its name stands, and its parameters; `None` for other events.
pub(super) fn call_of(event: &EventNode) -> Option<(&str, Span, Option<&Node>)> {
    let node = &event.0;
    if node.entry("event").is_some() {
        let tool = node.get("tool")?;
        return Some((tool.as_str()?, tool.span, node.get("params")));
    }
    let mut entries = node.entries()?.iter();
    let named = entries.find(|entry| !BESIDE.contains(&&*entry.key.text))?;
    let is_native = NATIVE_EVENTS.contains(&&*named.key.text);
    (!is_native).then_some((&*named.key.text, named.key.span, Some(&named.value)))
}

/// One native event of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The entry of `events` that it comes from, from 0.
    pub at: usize,
    /// The native event.
    pub event: Value,
    /// Whether it is the result of a short form, which a denied call does not have.
    pub is_result_of_short: bool,
    /// Where the entry begins in its file.
    pub offset: u32,
}

/// Returns the native events that stand for entries of `events`.
#[must_use]
pub fn steps(events: &[EventNode]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, node) in events.iter().enumerate() {
        let offset = node.0.span.start;
        let step = |event, is_result_of_short| Step { at, event, is_result_of_short, offset };
        match read(&node.0) {
            Ok(Read::Native(event)) => steps.push(step(event, false)),
            Ok(Read::Call { tool, params, beside }) => {
                let (call, result) = call(at, &tool, params, beside);
                steps.push(step(call, false));
                steps.push(step(result, true));
            }
            // It was reported when the test was read.
            Err(_) => {}
        }
    }
    steps
}

/// The call and the result that a short form stands for.
fn call(at: usize, tool: &str, params: Value, beside: Map<String, Value>) -> (Value, Value) {
    let id = format!("short-{at}");
    let mut call = json!({"event": "tool_call", "id": id, "tool": tool, "params": params});
    let mut result = json!({"event": "tool_result", "id": id});
    for (name, value) in beside {
        let is_of_both = matches!(name.as_str(), "session" | "ts");
        if let (Some(call), true) = (call.as_object_mut(), is_of_both) {
            call.insert(name.clone(), value.clone());
        }
        if let Some(result) = result.as_object_mut() {
            result.insert(name, value);
        }
    }
    (call, result)
}

/// What an entry stands for.
enum Read {
    /// A native event.
    Native(Value),
    /// A call and its result.
    Call { tool: String, params: Value, beside: Map<String, Value> },
}

fn read(node: &Node) -> Result<Read, Box<Diagnostic>> {
    match &node.kind {
        Kind::String(word) => bare(node, word),
        Kind::Map(entries) if node.entry("event").is_some() => native_event(node, entries),
        Kind::Map(entries) => short(node, entries),
        _ => Err(Box::new(
            impossible(node.span, format!("an event is a mapping, found {}", node.describe()))
                .help("write a tool with its params, such as `edit: { file_path: a.rs }`"),
        )),
    }
}

/// A word alone is an event without fields.
fn bare(node: &Node, word: &str) -> Result<Read, Box<Diagnostic>> {
    if NATIVE_EVENTS.contains(&word) {
        return Ok(Read::Native(json!({"event": word})));
    }
    let diagnostic =
        Diagnostic::new(&d::UNKNOWN_VALUE, node.span, format!("unknown event `{word}`"));
    Err(Box::new(did_you_mean(diagnostic, word, NATIVE_EVENTS.into_iter(), "events")))
}

fn native_event(node: &Node, entries: &[Entry]) -> Result<Read, Box<Diagnostic>> {
    let named = node.get("event").unwrap_or(node);
    let Some(word) = named.as_str() else {
        let message = "`event` is the name of a native event";
        return Err(Box::new(Diagnostic::new(&d::WRONG_TYPE, named.span, message)));
    };
    let Some(event) = EVENTS.iter().find(|event| event.name == word) else {
        bare(named, word)?;
        return Ok(Read::Native(json_of(node)));
    };
    check_fields(event, entries)?;
    Ok(Read::Native(json_of(node)))
}

/// Reports a field that a native event does not have.
fn check_fields(event: &NativeEvent, entries: &[Entry]) -> Result<(), Box<Diagnostic>> {
    let Some(own) = event.fields else { return Ok(()) };
    let names = || COMMON.iter().chain(own).copied();
    match entries.iter().find(|entry| names().all(|name| name != &*entry.key.text)) {
        None => Ok(()),
        Some(entry) => {
            Err(Box::new(unknown(entry, &format!("the event `{}`", event.name), names())))
        }
    }
}

fn unknown<'n>(
    entry: &Entry,
    of: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Diagnostic {
    let written = &*entry.key.text;
    let message = format!("unknown field `{written}` in {of}");
    let diagnostic = Diagnostic::new(&d::UNKNOWN_FIELD, entry.key.span, message);
    did_you_mean(diagnostic, written, names, "fields")
}

fn short(node: &Node, entries: &[Entry]) -> Result<Read, Box<Diagnostic>> {
    let is_beside = |entry: &&Entry| BESIDE.contains(&&*entry.key.text);
    let mut named = entries.iter().filter(|entry| !is_beside(entry));
    let Some(first) = named.next() else {
        let message = "an event names a tool with its params, or a native event";
        return Err(Box::new(impossible(node.span, message)));
    };
    if let Some(second) = named.next() {
        let of = format!("the event `{}`", first.key.text);
        let diagnostic = unknown(second, &of, BESIDE.iter().copied());
        let is_misspelt = !diagnostic.fixes.is_empty();
        return Err(Box::new(if is_misspelt { diagnostic } else { diagnostic.help(ONE_EVENT) }));
    }
    let beside = entries.iter().filter(is_beside);
    let beside: Map<String, Value> =
        beside.map(|entry| (entry.key.text.to_string(), json_of(&entry.value))).collect();
    match EVENTS.iter().find(|event| event.name == &*first.key.text) {
        Some(event) => short_native(event, first, beside),
        None => short_call(first, beside),
    }
}

/// `turn_start: Fix it`, or `fs: { path: a.rs, exists: true }`.
fn short_native(
    event: &NativeEvent,
    entry: &Entry,
    beside: Map<String, Value>,
) -> Result<Read, Box<Diagnostic>> {
    let mut fields = Map::new();
    fields.insert("event".to_owned(), event.name.into());
    match (&entry.value.kind, event.main) {
        (Kind::Null, _) => {}
        (Kind::Map(entries), _) => {
            check_fields(event, entries)?;
            if let Value::Object(own) = json_of(&entry.value) {
                fields.extend(own);
            }
        }
        (Kind::Seq(_), _) | (_, None) => {
            let message = format!("the fields of the event `{}` are a mapping", event.name);
            return Err(Box::new(Diagnostic::new(&d::WRONG_TYPE, entry.value.span, message)));
        }
        (_, Some(main)) => {
            fields.insert(main.to_owned(), json_of(&entry.value));
        }
    }
    fields.extend(beside);
    Ok(Read::Native(fields.into()))
}

fn short_call(entry: &Entry, beside: Map<String, Value>) -> Result<Read, Box<Diagnostic>> {
    let params = match &entry.value.kind {
        Kind::Null => Value::Object(Map::new()),
        Kind::Map(_) | Kind::Seq(_) => json_of(&entry.value),
        _ => {
            let tool = &entry.key.text;
            let message = format!(
                "the params of the tool `{tool}` are a mapping, found {}",
                entry.value.describe()
            );
            let diagnostic = Diagnostic::new(&d::WRONG_TYPE, entry.value.span, message);
            return Err(Box::new(diagnostic.help(format!(
                "write `{tool}: {{ name: value }}`, by the names of its parameters"
            ))));
        }
    };
    Ok(Read::Call { tool: entry.key.text.to_string(), params, beside })
}
