//! What one API message holds, kept until it is complete: its calls come first, then their results,
//! whatever the order of the lines. That also tells, before a call, what its result says of the file.
//! Lines are kept as they came and taken apart only when they are handed on.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, FileFact, ToolResult, Value};

use crate::claude_code::outcome::{self, Failure};
use crate::claude_code::record::{FileResult, Tokens};
use crate::claude_code::tools;
use crate::content::content_text;
use crate::exchange::{Blocks, Response, ToolNames, Usage, together};
use crate::json;
use crate::never_run::NeverRun;
use crate::sink::{HashMap, Item, Sink, Stats};
use crate::tools::tool_call;

/// Where events go, and what is counted on the way.
pub(crate) struct Out<'s> {
    pub(crate) sink: &'s mut dyn Sink,
    pub(crate) stats: Stats,
    /// Whether responses are wanted.
    pub(crate) exchanges: bool,
}

impl Out<'_> {
    pub(crate) fn emit(&mut self, session: &str, line: u32, ts: Option<i64>, event: Event<'_>) {
        self.stats.events += 1;
        self.sink.item(Item { line, session: Cow::Borrowed(session), ts, event });
    }
}

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
    pub(crate) number: u32,
    pub(crate) ts: Option<i64>,
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

/// A call whose result did not come with its message.
#[derive(Debug)]
pub(crate) struct OpenCall {
    tool: String,
    file: Option<(String, FileAct)>,
}

/// The calls of one session that wait for a result, by id.
pub(crate) type OpenCalls = HashMap<String, OpenCall>;

/// The calls of one message that have a result, by id: their file and what the result says.
type Judged<'b> = HashMap<Cow<'b, str>, (Option<Cow<'b, str>>, Outcome)>;

/// What a tool does with its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileAct {
    Read,
    /// Changes a file that must be there.
    Edit,
    /// Changes a file, or makes it where the text to replace is empty.
    EditOrCreate,
    Write,
}

/// What a result says of its call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Outcome {
    never_run: Option<NeverRun>,
    existed: Option<bool>,
    exists: Option<bool>,
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

    /// Hands on everything: texts and calls in the order they came, then the results.
    pub(crate) fn emit(&self, session: &str, open: &mut OpenCalls, out: &mut Out<'_>) {
        self.emit_response(session, out);
        let answers = self.answers();
        let mut judged = Judged::default();
        for (index, entry) in &self.entries {
            let Some(place) = self.place(*index) else { continue };
            match entry {
                LineEntry::Text(span) => {
                    let Some(text) = place.text(Some(*span)) else { continue };
                    out.emit(session, place.line.number, place.line.ts, Event::Text { text });
                }
                LineEntry::Call { id, name, input } => {
                    let native = place.text(*name).unwrap_or_default();
                    let known = tools::find(&native);
                    let (call, _) =
                        tool_call(known, native.clone(), place.text(*id), place.json(*input));
                    let file = file_of(&call, &native);
                    let answer = call.id.as_deref().and_then(|id| answers.get(id));
                    let outcome = answer.map(|(answer, place)| {
                        judge(answer, place, Some(&native), file.as_ref().map(|(_, act)| *act))
                    });
                    let existed = outcome.and_then(|outcome| outcome.existed);
                    if let (Some((path, _)), Some(exists)) = (&file, existed) {
                        emit_fact(session, &place, path, exists, out);
                    }
                    if let Some(id) = call.id.clone() {
                        match outcome {
                            Some(outcome) => {
                                judged.insert(id, (file.map(|(path, _)| path), outcome));
                            }
                            None => {
                                let file = file.map(|(path, act)| (path.into_owned(), act));
                                let waiting = OpenCall { tool: native.into_owned(), file };
                                open.insert(id.into_owned(), waiting);
                            }
                        }
                    } else {
                        out.stats.open_calls += 1;
                    }
                    out.emit(session, place.line.number, place.line.ts, Event::ToolCall(call));
                }
                LineEntry::Message { .. } | LineEntry::Result(_) => {}
            }
        }
        self.emit_results(session, open, judged, out);
    }

    /// Puts the parts of the message together. What counts for all of it is repeated in each, and the
    /// last is right.
    fn emit_response(&self, session: &str, out: &mut Out<'_>) {
        let mut blocks = Blocks::default();
        let (mut response, mut stop, mut named) = (Response::default(), None, None);
        let mut first = None;
        for (index, entry) in &self.entries {
            let (LineEntry::Message { model, content, stop_reason, usage }, Some(place)) =
                (entry, self.place(*index))
            else {
                continue;
            };
            first.get_or_insert((place.line.number, place.line.ts));
            blocks.content(place.json(*content).unwrap_or_default());
            named = place.text(*model).or(named);
            stop = place.text(*stop_reason).or(stop);
            if let Some(usage) = place.json(*usage).filter(|_| !self.continues) {
                response.usage = tokens(usage);
            }
        }
        let Some((line, ts)) = first else { return };
        let content = blocks.finish();
        response.content = Some(&content);
        let called = self.called();
        let mut names = ToolNames::default();
        called.iter().for_each(|(native, known)| names.note(native, known));
        let names = names.finish();
        response.tool_names = names.as_deref();
        response.model = named.as_deref();
        response.stop_reason = stop.as_deref();
        let body = Cow::Owned(response.body(session, ts));
        out.emit(session, line, ts, Event::Response { body });
    }

    /// The known tools that are called: their own names with the canonical ones.
    fn called(&self) -> Vec<(Cow<'_, str>, &'static str)> {
        let calls = self.entries.iter().filter_map(|(index, entry)| match entry {
            LineEntry::Call { name, .. } => self.place(*index)?.text(*name),
            _ => None,
        });
        calls.filter_map(|name| tools::find(&name).map(|tool| (name, tool.canonical))).collect()
    }

    fn emit_results<'b>(
        &'b self,
        session: &str,
        open: &mut OpenCalls,
        mut judged: Judged<'b>,
        out: &mut Out<'_>,
    ) {
        for (index, entry) in &self.entries {
            let (LineEntry::Result(answer), Some(place)) = (entry, self.place(*index)) else {
                continue;
            };
            let id = place.text(answer.id);
            let known = id.as_deref().and_then(|id| {
                judged.remove(id).or_else(|| {
                    let late = open.remove(id)?;
                    let act = late.file.as_ref().map(|(_, act)| *act);
                    let mut outcome = judge(answer, &place, Some(&late.tool), act);
                    // The call is past: what its result tells holds from here on only.
                    outcome.exists = outcome.exists.or(outcome.existed);
                    Some((late.file.map(|(path, _)| Cow::Owned(path)), outcome))
                })
            });
            let (path, outcome) = known.unwrap_or_else(|| {
                out.stats.orphan_results += 1;
                (None, judge(answer, &place, None, None))
            });
            if let (Some(path), Some(exists)) = (&path, outcome.exists) {
                emit_fact(session, &place, path, exists, out);
            }
            match outcome.never_run {
                Some(reason) => *out.stats.never_run.entry(reason.name()).or_default() += 1,
                None => {
                    let ok = !answer.is_error;
                    let result = ToolResult { id, call: None, result: result(answer, &place), ok };
                    out.emit(session, place.line.number, place.line.ts, Event::ToolResult(result));
                }
            }
        }
    }

    /// The first result for each call id.
    fn answers(&self) -> HashMap<Cow<'_, str>, (&Answer, EntryPlace<'_>)> {
        let mut answers = HashMap::default();
        for (index, entry) in &self.entries {
            let (LineEntry::Result(answer), Some(place)) = (entry, self.place(*index)) else {
                continue;
            };
            if let Some(id) = place.text(answer.id) {
                answers.entry(id).or_insert((answer, place));
            }
        }
        answers
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
    Usage { input, output: number(tokens.output), thinking: None }
}

fn emit_fact(session: &str, place: &EntryPlace<'_>, path: &str, exists: bool, out: &mut Out<'_>) {
    let fact = FileFact { path: Cow::Borrowed(path), exists, ..FileFact::default() };
    out.emit(session, place.line.number, place.line.ts, Event::Fs(fact));
}

/// The file that a call works on, if it is one of the file tools.
fn file_of<'b>(call: &Call<'b>, native: &str) -> Option<(Cow<'b, str>, FileAct)> {
    tools::find(native)?;
    let act = match &*call.tool {
        "read" => FileAct::Read,
        "write" => FileAct::Write,
        "edit" if may_create(call) => FileAct::EditOrCreate,
        "edit" => FileAct::Edit,
        _ => return None,
    };
    match call.param("file_path")? {
        Value::Text(path) if !path.is_empty() => Some((path.clone(), act)),
        _ => None,
    }
}

/// Whether an edit replaces the empty text, which makes the file if it is not there.
fn may_create(call: &Call<'_>) -> bool {
    match (call.param("old_string"), call.param("edits")) {
        (Some(old), _) => old.as_text() == Some(""),
        (None, Some(Value::Json(edits))) => {
            edits.contains(r#""old_string":"""#) || edits.contains(r#""old_string": """#)
        }
        _ => false,
    }
}

/// What a result says of its call and of the call's file.
fn judge(
    answer: &Answer,
    place: &EntryPlace<'_>,
    tool: Option<&str>,
    act: Option<FileAct>,
) -> Outcome {
    if answer.is_error {
        let text = place.json(answer.content).map(content_text).unwrap_or_default();
        let denial = place.text(answer.denial);
        let failure =
            Failure { text: &text, denial: denial.as_deref(), tool, version: place.version };
        let existed = act.and_then(|_| outcome::file_existed(&text));
        return Outcome { never_run: outcome::never_run(&failure), existed, exists: None };
    }
    let (existed, exists) = match act {
        None => (None, None),
        Some(FileAct::Read | FileAct::Edit) => (Some(true), None),
        Some(act) => {
            let mut past = FileResult::default();
            if let Some(value) = place.json(answer.value) {
                // What is no object tells nothing, which is what the default says.
                let _ = json::object(value, &mut past);
            }
            (existed_before(act, &past), Some(true))
        }
    };
    Outcome { never_run: None, existed, exists }
}

fn existed_before(act: FileAct, past: &FileResult<'_>) -> Option<bool> {
    match (act, past.kind.map(json::Json::get)) {
        (FileAct::Write, Some("\"create\"")) => Some(false),
        (FileAct::Write, Some("\"update\"")) => Some(true),
        // An empty original may be an empty file or none at all.
        _ => past
            .original
            .is_some_and(|text| text.get().len() > 2 && text.get().starts_with('"'))
            .then_some(true),
    }
}

/// The value of a result: what the tool returned, else what the model was shown.
fn result<'b>(answer: &Answer, place: &EntryPlace<'b>) -> Option<Value<'b>> {
    match place.json(answer.value) {
        Some(value) => Some(Value::Json(Cow::Borrowed(value))),
        None => place.json(answer.content).map(|content| Value::Text(content_text(content))),
    }
}
