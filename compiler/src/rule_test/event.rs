//! Events as people write them in tests: native events, and short forms of them.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::impossible::impossible;
use crate::decode::{Decode, Reports, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::fragment::excerpt;
use crate::parameters;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Entry, Kind, Node};
use crate::tool_names::begins_command;
use crate::trace_policy::AsJson;

/// A kind of native event.
struct NativeEvent {
    name: &'static str,
    /// What happens.
    docs: &'static str,
    /// The field that a short form's text or number is.
    main: Option<&'static str>,
    /// Its fields besides those of all events; `None` where it may have others, too.
    fields: Option<&'static [&'static str]>,
}

/// The fields of all events.
const COMMON: &[&str] = &["event", "session", "ts", "subagent", "branch"];

const fn native(
    name: &'static str,
    docs: &'static str,
    main: Option<&'static str>,
    fields: &'static [&'static str],
) -> NativeEvent {
    NativeEvent { name, docs, main, fields: Some(fields) }
}

const EVENTS: &[NativeEvent] = &[
    native(
        "session_start",
        "A session begins: whose it is, where it works, in which approval mode.",
        Some("cwd"),
        &["agent", "cwd", "mode", "headless", "tools", "by_exchange"],
    ),
    native("turn_start", "The user says something: a turn begins.", Some("text"), &["text"]),
    native(
        "turn_end",
        "The agent has done its turn: rules with `when: turn_end` are looked at.",
        Some("text"),
        &["text"],
    ),
    native(
        "text",
        "The agent writes a text: rules with `when: on_text` are looked at.",
        Some("text"),
        &["text"],
    ),
    native(
        "tool_call",
        "The agent is about to call a tool: rules with `when: pre_tool` are looked at.",
        None,
        &["id", "tool", "params", "native_tool", "native_params"],
    ),
    native(
        "tool_result",
        "A call has ended: rules with `when: post_tool` are looked at.",
        None,
        &["id", "tool", "params", "result", "ok", "native_tool", "native_params"],
    ),
    NativeEvent {
        name: "request",
        docs: "A model is asked. Only trace policies look at it.",
        main: None,
        fields: None,
    },
    NativeEvent {
        name: "response",
        docs: "A model has answered. Only trace policies look at it.",
        main: None,
        fields: None,
    },
    native(
        "fs",
        "What is known of a file: whether it is there, how large it is, when it was changed.",
        Some("path"),
        &["path", "exists", "size", "mtime", "lines", "real"],
    ),
    native("clock", "What time it is, in milliseconds since 1970.", Some("now"), &["now"]),
    native(
        "classifier_reply",
        "What the model answered that the classifier asked.",
        Some("raw"),
        &["raw"],
    ),
    native(
        "verifier_reply",
        "What the model answered that the verifier asked.",
        Some("raw"),
        &["raw", "error"],
    ),
    native(
        "user_shell",
        "The user runs a command, past the agent.",
        Some("command"),
        &["command", "hidden"],
    ),
    native(
        "constitution",
        "The session makes a rule for itself, changes one or lets it go.",
        None,
        &["op", "rule", "rules", "by"],
    ),
    native("workflow_start", "A workflow begins.", Some("workflow"), &["workflow", "input"]),
    native(
        "step_end",
        "A step of a workflow has ended.",
        Some("step"),
        &["step", "agent", "ok", "output", "control", "control_error", "oversight"],
    ),
    native("workflow_resume", "A workflow that was halted goes on.", Some("how"), &["how"]),
    native("compaction", "The agent's context was made shorter.", None, &[]),
    native("session_end", "The session is over.", None, &[]),
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

/// Returns what happens with a native event.
pub(crate) fn docs_of(event: &str) -> Option<&'static str> {
    EVENTS.iter().find(|known| known.name == event).map(|known| known.docs)
}

/// Returns the fields that a native event may have besides `event`, its own first; of one that is not known, those that
/// all have.
pub(crate) fn fields_of(event: &str) -> impl Iterator<Item = &'static str> {
    let own = EVENTS.iter().find(|known| known.name == event).and_then(|known| known.fields);
    let common = COMMON.iter().filter(|field| **field != "event");
    own.unwrap_or_default().iter().chain(common).copied()
}

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
    call_in(&event.0)
}

/// The same of an event that nobody has checked.
pub(crate) fn call_in(node: &Node) -> Option<(&str, Span, Option<&Node>)> {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The entry of `events` that it comes from, from 0.
    pub at: usize,
    /// The native event, as a line of JSON.
    pub event: Box<str>,
    /// Whether a workflow begins with it.
    pub starts_workflow: bool,
    /// Whether it is the result of a short form, which a denied call does not have.
    pub is_result_of_short: bool,
    /// Where the entry begins in its file.
    pub offset: u32,
}

/// Returns the native events that stand for entries of `events`.
#[must_use]
pub fn steps(events: &[EventNode]) -> Vec<Step> {
    let mut steps = Vec::with_capacity(2 * events.len());
    let mut line = Vec::new();
    for (at, node) in events.iter().enumerate() {
        let offset = node.0.span.start;
        let mut step = |fields: Fields<'_>, is_result_of_short| {
            // Strings and numbers of a file are always JSON.
            line.clear();
            let _ = serde_json::to_writer(&mut line, &fields);
            let event = std::str::from_utf8(&line).unwrap_or_default().into();
            let starts_workflow = fields.is_event("workflow_start");
            steps.push(Step { at, event, starts_workflow, is_result_of_short, offset });
        };
        match read(&node.0) {
            Ok(Read::Native(fields)) => step(fields, false),
            Ok(Read::Call(short)) => {
                let (call, result) = short.both(at);
                step(call, false);
                step(result, true);
            }
            // It was reported when the test was read.
            Err(_) => {}
        }
    }
    steps
}

/// What an entry stands for.
enum Read<'n> {
    /// A native event.
    Native(Fields<'n>),
    /// A call and its result.
    Call(ShortCall<'n>),
}

/// The fields of a native event. Of those of one name, the last counts.
#[derive(Default)]
struct Fields<'n>(Vec<(&'n str, Field<'n>)>);

/// The value of a field.
enum Field<'n> {
    Node(&'n Node),
    Text(Cow<'n, str>),
    NoParams,
}

impl<'n> Fields<'n> {
    fn of(name: &'n str) -> Self {
        Self(vec![("event", Field::Text(Cow::Borrowed(name)))])
    }

    fn set(&mut self, name: &'n str, field: Field<'n>) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = field,
            None => self.0.push((name, field)),
        }
    }

    fn extend(&mut self, entries: impl Iterator<Item = &'n Entry>) {
        entries.for_each(|entry| self.set(&entry.key.text, Field::Node(&entry.value)));
    }

    fn is_event(&self, name: &str) -> bool {
        self.0.iter().any(|(key, field)| {
            let is_named = match field {
                Field::Node(node) => node.as_str() == Some(name),
                Field::Text(text) => **text == *name,
                Field::NoParams => false,
            };
            *key == "event" && is_named
        })
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, field)| (name, field)))
    }
}

impl Serialize for Field<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Node(node) => AsJson(node).serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::NoParams => serializer.collect_map(std::iter::empty::<((), ())>()),
        }
    }
}

/// A tool with its parameters, and what stands beside them.
struct ShortCall<'n> {
    tool: &'n str,
    params: Option<&'n Node>,
    beside: Vec<&'n Entry>,
}

impl<'n> ShortCall<'n> {
    /// The call and the result that a short form stands for.
    fn both(self, at: usize) -> (Fields<'n>, Fields<'n>) {
        let id = || Field::Text(format!("short-{at}").into());
        let mut call = Fields::of("tool_call");
        call.set("id", id());
        call.set("tool", Field::Text(self.tool.into()));
        call.set("params", self.params.map_or(Field::NoParams, Field::Node));
        let of_both = |entry: &&&Entry| matches!(&*entry.key.text, "session" | "ts");
        call.extend(self.beside.iter().filter(of_both).copied());
        let mut result = Fields::of("tool_result");
        result.set("id", id());
        result.extend(self.beside.into_iter());
        (call, result)
    }
}

fn read(node: &Node) -> Result<Read<'_>, Box<Diagnostic>> {
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

/// The tool that an entry names as the value of `tool`, as hooks do.
fn named_by_field(entry: &Entry) -> Option<&str> {
    matches!(&*entry.key.text, "tool" | "tool_name" | "name").then(|| entry.value.as_str())?
}

/// What a short form is written as whose name people give to somebody's words.
fn of_words(name: &str) -> Option<&'static str> {
    match name {
        "user" | "human" | "prompt" | "said" | "message" | "turn" => Some("turn_start"),
        "assistant" | "agent" | "model" => Some("text"),
        _ => None,
    }
}

/// The call that is meant by words: a command, or a tool with what it is given.
fn said_in_words(words: &str) -> Option<String> {
    let (first, rest) = words.split_once(' ')?;
    match parameters::of(first) {
        Some([param, ..]) => Some(format!("{first}: {{ {param}: {} }}", rest.trim())),
        _ => begins_command(first).then(|| format!("bash: {{ command: {words} }}")),
    }
}

/// A word alone is an event without fields.
fn bare<'n>(node: &Node, word: &'n str) -> Result<Read<'n>, Box<Diagnostic>> {
    if NATIVE_EVENTS.contains(&word) {
        return Ok(Read::Native(Fields::of(word)));
    }
    let diagnostic =
        Diagnostic::new(&d::UNKNOWN_VALUE, node.span, format!("unknown event `{word}`"));
    if let Some(call) = said_in_words(word) {
        return Err(Box::new(diagnostic.help(format!("write the call as `{call}`"))));
    }
    Err(Box::new(did_you_mean(diagnostic, word, NATIVE_EVENTS.into_iter(), "events")))
}

fn native_event<'n>(node: &'n Node, entries: &'n [Entry]) -> Result<Read<'n>, Box<Diagnostic>> {
    let named = node.get("event").unwrap_or(node);
    let Some(word) = named.as_str() else {
        let message = "`event` is the name of a native event";
        return Err(Box::new(Diagnostic::new(&d::WRONG_TYPE, named.span, message)));
    };
    match EVENTS.iter().find(|event| event.name == word) {
        Some(event) => check_fields(event, entries)?,
        None => drop(bare(named, word)?),
    }
    let mut fields = Fields::default();
    fields.extend(entries.iter());
    Ok(Read::Native(fields))
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

fn short<'n>(node: &Node, entries: &'n [Entry]) -> Result<Read<'n>, Box<Diagnostic>> {
    let is_beside = |entry: &&Entry| BESIDE.contains(&&*entry.key.text);
    let mut named = entries.iter().filter(|entry| !is_beside(entry));
    let Some(first) = named.next() else {
        let message = "an event names a tool with its params, or a native event";
        return Err(Box::new(impossible(node.span, message)));
    };
    if let Some(second) = named.next() {
        let of = format!("the event `{}`", first.key.text);
        let diagnostic = unknown(second, &of, BESIDE.iter().copied());
        return Err(Box::new(match (named_by_field(first), diagnostic.fixes.is_empty()) {
            (Some(tool), _) => diagnostic
                .help(format!("the tool is the name: `{tool}: {{ {}: … }}`", second.key.text)),
            (None, true) => diagnostic.help(ONE_EVENT),
            (None, false) => diagnostic,
        }));
    }
    let beside: Vec<&Entry> = entries.iter().filter(is_beside).collect();
    match EVENTS.iter().find(|event| event.name == &*first.key.text) {
        Some(event) => short_native(event, first, beside),
        None => short_call(first, beside),
    }
}

/// `turn_start: Fix it`, or `fs: { path: a.rs, exists: true }`.
fn short_native<'n>(
    event: &'static NativeEvent,
    entry: &'n Entry,
    beside: Vec<&'n Entry>,
) -> Result<Read<'n>, Box<Diagnostic>> {
    let mut fields = Fields::of(event.name);
    match (&entry.value.kind, event.main) {
        (Kind::Null, _) => {}
        (Kind::Map(entries), _) => {
            check_fields(event, entries)?;
            fields.extend(entries.iter());
        }
        (Kind::Seq(_), _) | (_, None) => {
            let message = format!("the fields of the event `{}` are a mapping", event.name);
            return Err(Box::new(Diagnostic::new(&d::WRONG_TYPE, entry.value.span, message)));
        }
        (_, Some(main)) => fields.set(main, Field::Node(&entry.value)),
    }
    fields.extend(beside.into_iter());
    Ok(Read::Native(fields))
}

fn short_call<'n>(entry: &'n Entry, beside: Vec<&'n Entry>) -> Result<Read<'n>, Box<Diagnostic>> {
    let params = match &entry.value.kind {
        Kind::Null => None,
        Kind::Map(_) | Kind::Seq(_) => Some(&entry.value),
        _ => {
            let tool = &entry.key.text;
            let message = format!(
                "the params of the tool `{tool}` are a mapping, found {}",
                entry.value.describe()
            );
            let diagnostic = Diagnostic::new(&d::WRONG_TYPE, entry.value.span, message);
            let help = match (of_words(tool), parameters::of(tool), entry.value.as_str()) {
                (Some(event), ..) => {
                    format!("what is said is an event of its own: `{event}: TEXT`")
                }
                (None, Some([param, ..]), Some(value)) => {
                    format!("write `{tool}: {{ {param}: {} }}`", excerpt(value))
                }
                _ => format!("write `{tool}: {{ name: value }}`, by the names of its parameters"),
            };
            return Err(Box::new(diagnostic.help(help)));
        }
    };
    Ok(Read::Call(ShortCall { tool: &entry.key.text, params, beside }))
}
