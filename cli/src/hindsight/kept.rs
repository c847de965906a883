//! Recorded sessions in memory: each is read once, and again when its file changes.

use std::collections::{BTreeSet, HashMap};
use std::fs::Metadata;
use std::sync::Arc;
use std::time::SystemTime;

use behavior_agents::{Format, Item, Problem, Sink};
use behavior_runtime::event::{Call, Event, Value};

use crate::number::number;
use crate::project::describe;
use crate::simulate::compressed::Damage;
use crate::simulate::input;

/// The size in bytes of the largest file that is read, compressed or not.
const MAX_FILE: u64 = 64 << 20;
/// How many bytes the events of one file may take in memory.
pub const MAX_EVENTS: usize = 64 << 20;

/// A file as it was when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    /// Takes down what tells whether a file has changed.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), changed: metadata.modified().ok() }
    }
}

/// One event.
#[derive(Debug)]
pub struct Kept {
    /// The line, from 1.
    pub line: u32,
    /// The session, by its place in [`Recording::sessions`].
    pub session: u32,
    /// What happened.
    pub event: Event<'static>,
}

/// All events of a file.
#[derive(Debug, Default)]
pub struct Recording {
    /// The whole path.
    pub path: Arc<str>,
    /// The events, in their order.
    pub events: Vec<Kept>,
    /// The names of the sessions, in the order in which they are met.
    pub sessions: Vec<Box<str>>,
    /// How much memory the events take, about.
    pub bytes: usize,
    numbers: HashMap<Box<str>, u32>,
    /// Most events are of the same session as the one before.
    last: u32,
    /// The tools of servers that are called in it.
    pub tools: BTreeSet<String>,
    is_over: bool,
    /// How many bytes the events may take.
    most: usize,
}

/// Reads a file whose events take at most so many bytes in memory.
///
/// # Errors
/// Why it is left out, for people.
pub fn read(path: &str, most: usize, is_over: &dyn Fn() -> bool) -> Result<Recording, String> {
    let length = std::fs::metadata(path).map_err(|error| describe(&error))?.len();
    if length > MAX_FILE {
        return Err(format!("it has more than {} MiB", number(MAX_FILE >> 20)));
    }
    let found = input::find(&[path.to_owned()], None).map_err(|error| error.to_string())?;
    let trace = found.traces.into_iter().next().ok_or("it is no recording")?;
    let mut reading = Reading { recording: Recording::new(path, most), is_over };
    let read = trace
        .open(|_| {}, &Damage::default())
        .and_then(|mut input| behavior_agents::read(trace.format, &mut *input, &mut reading));
    read.map_err(|error| describe(&error))?;
    reading.end()
}

/// Reads a text.
///
/// # Errors
/// Why it is left out, for people.
pub fn read_text(
    format: Format,
    text: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<Recording, String> {
    let mut reading = Reading { recording: Recording::new("", MAX_EVENTS), is_over };
    behavior_agents::read(format, &mut text.as_bytes(), &mut reading)
        .map_err(|error| describe(&error))?;
    reading.end()
}

impl Recording {
    fn new(path: &str, most: usize) -> Self {
        Self { path: path.into(), most, ..Self::default() }
    }

    /// Returns the name of an event's session.
    #[must_use]
    pub fn session_of(&self, kept: &Kept) -> &str {
        self.sessions.get(kept.session as usize).map_or("", |name| name)
    }

    fn number_of(&mut self, session: &str) -> u32 {
        if self.sessions.get(self.last as usize).is_some_and(|name| **name == *session) {
            return self.last;
        }
        let next = u32::try_from(self.sessions.len()).unwrap_or(u32::MAX);
        self.last = *self.numbers.entry(session.into()).or_insert(next);
        if self.last == next {
            self.sessions.push(session.into());
        }
        self.last
    }

    fn is_too_large(&self) -> bool {
        self.bytes > self.most
    }
}

/// More tools of servers than this are not kept of one recording.
const MAX_TOOLS: usize = 1_000;

/// Whether a tool is one of an MCP server, by its name.
fn is_of_server(tool: &str) -> bool {
    tool.contains('.') || tool.contains("__")
}

/// Keeps what a reader finds.
struct Reading<'a> {
    recording: Recording,
    is_over: &'a dyn Fn() -> bool,
}

impl Reading<'_> {
    fn end(self) -> Result<Recording, String> {
        let mut recording = self.recording;
        if recording.is_over {
            return Err("nobody waits for it".to_owned());
        }
        if recording.is_too_large() {
            return Err(match recording.most {
                MAX_EVENTS => format!("its events have more than {} MiB", MAX_EVENTS >> 20),
                _ => "there is no more room for its events".to_owned(),
            });
        }
        recording.numbers = HashMap::new();
        recording.events.shrink_to_fit();
        Ok(recording)
    }
}

impl Sink for Reading<'_> {
    fn item(&mut self, item: Item<'_>) {
        let recording = &mut self.recording;
        if recording.is_too_large() {
            return;
        }
        if recording.events.len().is_multiple_of(1024) {
            recording.is_over = recording.is_over || (self.is_over)();
        }
        let session = recording.number_of(&item.session);
        let event = item.event.into_owned();
        if let Event::ToolCall(call) = &event
            && is_of_server(&call.tool)
            && !recording.tools.contains(&*call.tool)
            && recording.tools.len() < MAX_TOOLS
        {
            recording.tools.insert(call.tool.to_string());
        }
        recording.bytes += size_of::<Kept>() + weight(&event);
        recording.events.push(Kept { line: item.line, session, event });
    }

    fn problem(&mut self, _: Problem) {}

    fn stop(&self) -> bool {
        self.recording.is_over || self.recording.is_too_large()
    }
}

/// How much memory an event takes besides itself, about.
fn weight(event: &Event<'_>) -> usize {
    let text = |text: &Option<std::borrow::Cow<'_, str>>| text.as_ref().map_or(0, |it| it.len());
    match event {
        Event::TurnStart { text: said } | Event::TurnEnd { text: said } => text(said),
        Event::Text { text } => text.len(),
        Event::ToolCall(call) => of_call(call),
        Event::ToolResult(result) => {
            let call = result.call.as_ref().map_or(0, of_call);
            text(&result.id) + call + result.result.as_ref().map_or(0, of_value)
        }
        Event::Request { body } | Event::Response { body } | Event::Constitution { body } => {
            body.len()
        }
        Event::Fs(fact) => fact.path.len() + text(&fact.real),
        Event::ClassifierReply { raw } => raw.len(),
        Event::VerifierReply { reply: Ok(reply) | Err(reply) } => reply.len(),
        Event::UserShell { command, .. } => command.len(),
        Event::WorkflowStart { workflow, input } => workflow.len() + text(input),
        Event::SessionStart(start) => {
            let tools = start.tools.iter().flatten().map(|tool| tool.len() + size_of_val(tool));
            text(&start.cwd) + tools.sum::<usize>()
        }
        Event::StepEnd(_)
        | Event::WorkflowResume { .. }
        | Event::Clock { .. }
        | Event::Compaction
        | Event::SessionEnd => 0,
    }
}

fn of_call(call: &Call<'_>) -> usize {
    let params = call.params.iter();
    let params = params.map(|param| size_of_val(param) + param.name.len() + of_value(&param.value));
    call.tool.len() + params.sum::<usize>()
}

fn of_value(value: &Value<'_>) -> usize {
    match value {
        Value::Text(text) | Value::Json(text) => text.len(),
    }
}
