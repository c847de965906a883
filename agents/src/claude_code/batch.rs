//! What one API message holds, kept until it is complete, so that [`order`] can put its calls before their
//! results. Lines are kept as they came and taken apart only when they are handed on.

use std::borrow::Cow;

use behavior_runtime::event::{Event, Value};

use crate::claude_code::lint;
use crate::claude_code::outcome::{self, Failure};
use crate::claude_code::record::{FileResult, Tokens};
use crate::claude_code::tools;
use crate::content::content_text;
use crate::exchange::{Blocks, Response, ToolNames, Usage, together};
use crate::json::{self, Json};
use crate::lint::Errors;
use crate::never_run::NeverRun;
use crate::order::{self, At, FileAct, OpenCalls, Outlet, Reply};
use crate::tools::tool_call;

/// A part of a kept line, as byte offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Where `part` is in `line`, which it must be borrowed from. Lines are far below 4 GiB.
    pub(crate) fn of(line: &str, part: &str) -> Self {
        let start = part.as_ptr().addr().saturating_sub(line.as_ptr().addr());
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(start + part.len()) }
    }

    fn get(self, line: &str) -> &str {
        line.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A line that waits.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) text: String,
    pub(crate) at: At,
}

/// Something in a line that waits. Spans are of raw JSON values.
#[derive(Debug)]
pub(crate) enum LineEntry {
    /// A part of the API message itself.
    Message {
        model: Option<Span>,
        content: Option<Span>,
        stop_reason: Option<Span>,
        usage: Option<Span>,
    },
    Text(Span),
    Call {
        id: Option<Span>,
        name: Option<Span>,
        input: Option<Span>,
    },
    Result(Answer),
    /// What a language server found after the results before it.
    Diagnostics(Span),
}

/// A tool's result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) id: Option<Span>,
    /// What the model was shown.
    pub(crate) content: Option<Span>,
    /// What the tool returned, where the record has it as an object.
    pub(crate) value: Option<Span>,
    pub(crate) is_error: bool,
    pub(crate) denial: Option<Span>,
}

/// The lines of one session's current message and its results.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) lines: Vec<Held>,
    /// The version of Claude Code that writes them.
    pub(crate) version: Option<String>,
    /// What the lines hold, with the index of the line.
    entries: Vec<(u32, LineEntry)>,
    /// Whether a part of the message was handed on already, with all that it counts.
    pub(crate) continues: bool,
}

/// One entry with the line it is of.
struct EntryPlace<'b> {
    line: &'b Held,
    /// The version of Claude Code that wrote the line.
    version: Option<&'b str>,
}

impl<'b> EntryPlace<'b> {
    fn json(&self, span: Option<Span>) -> Option<&'b str> {
        span.map(|span| span.get(&self.line.text))
    }

    fn text(&self, span: Option<Span>) -> Option<Cow<'b, str>> {
        self.json(span).and_then(json::text_of)
    }
}

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a line with what it holds.
    pub(crate) fn push(&mut self, line: Held, entries: &mut Vec<LineEntry>) {
        let index = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        self.entries.extend(entries.drain(..).map(|entry| (index, entry)));
        self.lines.push(line);
    }

    /// Forgets the lines.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
        self.entries.clear();
    }

    fn place(&self, index: u32) -> Option<EntryPlace<'_>> {
        let version = self.version.as_deref();
        self.lines.get(index as usize).map(|line| EntryPlace { line, version })
    }

    /// Hands on everything. Responses are told where `exchanges` are wanted.
    pub(crate) fn emit(&self, exchanges: bool, open: &mut OpenCalls, out: &mut Outlet<'_>) {
        if exchanges {
            self.emit_response(out);
        }
        let errors = self.errors();
        let reply = |entry| self.reply(entry, &errors);
        let replies: Vec<_> = self.entries.iter().filter_map(reply).collect();
        let steps = self.entries.iter().filter_map(|entry| self.step(entry));
        order::hand_on(steps, &replies, true, open, out);
    }

    /// The text or the call that an entry is.
    fn step(&self, (index, entry): &(u32, LineEntry)) -> Option<(At, Event<'_>)> {
        let place = self.place(*index)?;
        let event = match entry {
            LineEntry::Text(span) => Event::Text { text: place.text(Some(*span))? },
            LineEntry::Call { id, name, input } => {
                let native = place.text(*name).unwrap_or_default();
                let known = tools::find(&native);
                let (call, _) = tool_call(known, native, place.text(*id), place.json(*input));
                Event::ToolCall(call)
            }
            LineEntry::Message { .. } | LineEntry::Result(_) | LineEntry::Diagnostics(_) => {
                return None;
            }
        };
        Some((place.line.at, event))
    }

    /// The result that an entry is.
    fn reply<'b>(
        &'b self,
        (index, entry): &(u32, LineEntry),
        errors: &'b [(String, Errors)],
    ) -> Option<PlacedAnswer<'b>> {
        let LineEntry::Result(answer) = entry else { return None };
        let (answer, place) = (*answer, self.place(*index)?);
        let id = place.text(answer.id);
        Some(PlacedAnswer { answer, place, id, errors })
    }

    /// The files in which errors were found while the results waited.
    fn errors(&self) -> Vec<(String, Errors)> {
        let told = self.entries.iter().filter_map(|(index, entry)| match entry {
            LineEntry::Diagnostics(span) => self.place(*index)?.json(Some(*span)),
            _ => None,
        });
        told.flat_map(lint::errors).collect()
    }

    /// Puts the parts of the message together. What counts for all of it is repeated in each, and the
    /// last is right.
    fn emit_response(&self, out: &mut Outlet<'_>) {
        let mut blocks = Blocks::default();
        let (mut response, mut stop, mut named) = (Response::default(), None, None);
        let mut first = None;
        for (index, entry) in &self.entries {
            let (LineEntry::Message { model, content, stop_reason, usage }, Some(place)) =
                (entry, self.place(*index))
            else {
                continue;
            };
            first.get_or_insert(place.line.at);
            blocks.content(place.json(*content).unwrap_or_default());
            named = place.text(*model).or(named);
            stop = place.text(*stop_reason).or(stop);
            if let Some(usage) = place.json(*usage).filter(|_| !self.continues) {
                response.usage = tokens(usage);
            }
        }
        let Some(at) = first else { return };
        let content = blocks.finish();
        response.content = Some(&content);
        let called = self.called();
        let mut names = ToolNames::default();
        called.iter().for_each(|(native, known)| names.note(native, known));
        let names = names.finish();
        response.tool_names = names.as_deref();
        response.model = named.as_deref();
        response.stop_reason = stop.as_deref();
        let body = Cow::Owned(response.body(out.session, at.ts));
        out.emit(at, Event::Response { body });
    }

    /// The known tools that are called: their own names with the canonical ones.
    fn called(&self) -> Vec<(Cow<'_, str>, &'static str)> {
        let calls = self.entries.iter().filter_map(|(index, entry)| match entry {
            LineEntry::Call { name, .. } => self.place(*index)?.text(*name),
            _ => None,
        });
        calls.filter_map(|name| tools::find(&name).map(|tool| (name, tool.canonical))).collect()
    }
}

/// What is counted: what comes from a cache or goes into one is input too; thinking is part of the
/// output.
fn tokens(usage: &str) -> Usage {
    let mut tokens = Tokens::default();
    // What is no object counts nothing.
    let _ = json::object(usage, &mut tokens);
    let number = |raw: json::Raw<'_>| raw.and_then(|raw| raw.get().parse().ok());
    let input = together([tokens.input, tokens.cache_write, tokens.cache_read].map(number));
    Usage {
        input,
        output: number(tokens.output),
        thinking: None,
        cached: number(tokens.cache_read),
    }
}

/// A result in the line that it came in.
struct PlacedAnswer<'b> {
    answer: Answer,
    place: EntryPlace<'b>,
    id: Option<Cow<'b, str>>,
    /// The files in which errors were found after it, with the errors.
    errors: &'b [(String, Errors)],
}

impl<'b> PlacedAnswer<'b> {
    /// What the model was shown.
    fn shown(&self) -> Option<Cow<'b, str>> {
        self.place.json(self.answer.content).map(content_text)
    }

    /// What a tool returned, an object, with the errors that were found in its file since.
    fn with_errors(&self, value: &'b str) -> Cow<'b, str> {
        let whole = Cow::Borrowed(value);
        if self.errors.is_empty() {
            return whole;
        }
        let mut file = FileResult::default();
        // What is no object is of no file.
        let _ = json::object(value, &mut file);
        let path = file.path.and_then(json::text);
        let errors = self.errors.iter().find(|(found, _)| path.as_deref() == Some(found));
        match (errors, value.strip_suffix('}')) {
            (Some((_, errors)), Some(open)) if file.kind.map(Json::get) != Some("\"text\"") => {
                Cow::Owned(format!("{open},\"lint\":{}}}", errors.list()))
            }
            _ => whole,
        }
    }
}

impl Reply for PlacedAnswer<'_> {
    fn at(&self) -> At {
        self.place.line.at
    }

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn ok(&self) -> bool {
        !self.answer.is_error
    }

    fn never_run(&self, tool: Option<&str>) -> Option<NeverRun> {
        if !self.answer.is_error {
            return None;
        }
        let (text, denial) =
            (self.shown().unwrap_or_default(), self.place.text(self.answer.denial));
        let version = self.place.version;
        outcome::never_run(&Failure { text: &text, denial: denial.as_deref(), tool, version })
    }

    fn existed(&self, act: FileAct) -> Option<bool> {
        if self.answer.is_error {
            return outcome::file_existed(&self.shown()?);
        }
        if act != FileAct::Make {
            return None;
        }
        let mut past = FileResult::default();
        if let Some(value) = self.place.json(self.answer.value) {
            // What is no object tells nothing, which is what the default says.
            let _ = json::object(value, &mut past);
        }
        existed_before(&past)
    }

    /// What the tool returned, else what the model was shown.
    fn value(&self) -> Option<Value<'_>> {
        match self.place.json(self.answer.value) {
            Some(value) => Some(Value::Json(self.with_errors(value))),
            None => self.shown().map(Value::Text),
        }
    }
}

fn existed_before(past: &FileResult<'_>) -> Option<bool> {
    match past.kind.map(json::Json::get) {
        Some("\"create\"") => Some(false),
        Some("\"update\"") => Some(true),
        // An empty original may be an empty file or none at all.
        _ => past
            .original
            .is_some_and(|text| text.get().len() > 2 && text.get().starts_with('"'))
            .then_some(true),
    }
}
