//! What a format of recorded sessions is: its name, how it is detected, how it is read. Each format is
//! declared beside its reader; [`registry`](crate::registry) lists them all. Nothing here knows any of them.

use std::fmt;
use std::io::{self, BufRead};

use crate::fields::{elements, text};
use crate::json::{self, Json, Raw};
use crate::sink::{Sink, Stats};

/// A format that recordings come in.
pub(crate) trait RecordingFormat: Sync {
    /// Returns the name on the command line and in messages.
    fn name(&self) -> &'static str;

    /// Returns other names that are accepted.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns what such a recording is, in one line for people.
    fn description(&self) -> &'static str;

    /// Tells whether `line`, perhaps cut off, is a record of this format and of no other.
    fn is_record(&self, _line: &str) -> bool {
        false
    }

    /// Tells how surely a recording that opens so is of this format.
    fn detect(&self, _opening: &Opening<'_>) -> Option<Certainty> {
        None
    }

    /// Reads a whole recording and hands everything in it to `sink`.
    ///
    /// # Errors
    ///
    /// Only what `input` reports.
    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats>;
}

/// A registered format.
#[derive(Clone, Copy)]
pub struct Format(&'static dyn RecordingFormat);

impl Format {
    pub(crate) const fn new(format: &'static dyn RecordingFormat) -> Self {
        Self(format)
    }

    /// Returns the name on the command line and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns other names that are accepted.
    #[must_use]
    pub fn aliases(self) -> &'static [&'static str] {
        self.0.aliases()
    }

    /// Returns what such a recording is, in one line for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.0.description()
    }

    pub(crate) fn is_record(self, line: &str) -> bool {
        self.0.is_record(line)
    }

    pub(crate) fn detect(self, opening: &Opening<'_>) -> Option<Certainty> {
        self.0.detect(opening)
    }

    pub(crate) fn read(self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        self.0.read(input, sink)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Format({})", self.name())
    }
}

/// How surely a recording is of a format. The surest format wins; of several, the first in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    /// It is, unless it is anything else.
    Likely,
    /// It is a document that looks so, or a list.
    Document,
    /// It has a record that looks so, which may be any line.
    Record,
}

json::slots! {
    /// The fields by which documents and records are told apart.
    struct Shape {
        kind: "kind",
        of_type: "type",
        id: "id",
        payload: "payload",
        session: "sessionId",
        project: "projectHash",
        role: "role",
        message: "message",
        content: "content",
        calls: "tool_calls",
        messages: "messages",
        input: "input",
        choices: "choices",
        system: "system",
        tools: "tools",
        model: "model",
        cwd: "cwd",
        pad: "v",
        info: "info",
        parts: "parts",
        trajectory: "trajectory",
        trajectory_format: "trajectory_format",
        history: "history",
        eval: "eval",
        status: "status",
        samples: "samples",
        plan: "plan",
        source: "source",
        action: "action",
        observation: "observation",
        resources: "resourceSpans" | "resource_spans",
        attributes: "attributes",
        context: "_spanContext" | "spanContext" | "context",
        span: "spanId" | "span_id",
        input_schema: "input_schema",
        agent: "agent",
        message_type: "message_type",
    }
}

/// What a recording opens with, or one of its lines.
pub(crate) enum Opening<'a> {
    /// An object; where it is no document, it is a line behind the first, which is too weak a hint for all that
    /// a document may be.
    Object {
        /// Its fields.
        shape: Shape<'a>,
        /// Whether it may be a whole document.
        is_document: bool,
    },
    /// A list, as the first thing.
    List {
        /// The fields of its first element.
        shape: Shape<'a>,
        /// Its elements.
        elements: Vec<Json<'a>>,
    },
}

impl<'a> Opening<'a> {
    /// Returns [`Certainty::Record`] where this is an object that is what `is_so` says.
    pub(crate) fn record(&self, is_so: impl FnOnce(&Shape<'a>) -> bool) -> Option<Certainty> {
        let Opening::Object { shape, .. } = self else { return None };
        is_so(shape).then_some(Certainty::Record)
    }

    /// Returns [`Certainty::Document`] where this is a document that is what `is_so` says.
    pub(crate) fn document(&self, is_so: impl FnOnce(&Shape<'a>) -> bool) -> Option<Certainty> {
        let Opening::Object { shape, is_document: true } = self else { return None };
        is_so(shape).then_some(Certainty::Document)
    }

    /// Returns [`Certainty::Document`] where this is a list whose first element is what `is_so` says.
    pub(crate) fn list(&self, is_so: impl FnOnce(&Shape<'a>) -> bool) -> Option<Certainty> {
        let Opening::List { shape, .. } = self else { return None };
        is_so(shape).then_some(Certainty::Document)
    }
}

/// Returns the first element of a list.
pub(crate) fn first<'a>(raw: Raw<'a>) -> Raw<'a> {
    elements(raw).next()
}

/// Tells whether a field is one of these texts.
pub(crate) fn is(raw: Raw<'_>, names: &[&str]) -> bool {
    text(raw).is_some_and(|name| names.contains(&&*name))
}

/// Tells whether a field is an object.
pub(crate) fn is_object(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get().starts_with('{'))
}

/// Tells whether a field is a list.
pub(crate) fn is_list(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get().starts_with('['))
}

/// Tells whether a field is a text.
pub(crate) fn is_text(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get().starts_with('"'))
}
