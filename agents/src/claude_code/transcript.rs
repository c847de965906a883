//! The reader of transcripts: sorts records into sessions, finds turns, messages and sub-agents, and
//! hands complete messages on. Knows nothing of rules; never fails on a record it does not know.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, BufRead};

use behavior_runtime::event::{Event, SessionStart};

use crate::claude_code::SILENT;
use crate::claude_code::batch::{Answer, Batch, Held, LineEntry, Span};
use crate::claude_code::lint;
use crate::claude_code::record::{self, Block, Content, Kind, Progress, Record};
use crate::json::{self, Fault, Json};
use crate::lines::{self, Line, Lines};
use crate::native::{self, DEFAULT_SESSION};
use crate::order::{At, OpenCalls, Outlet};
use crate::payload::approval_mode;
use crate::sink::{HashMap, Problem, Sink, Stats};

/// The agent's name in events.
const AGENT: &str = "claude-code";

/// How much text may wait for results, in bytes, over all sessions.
const HELD: usize = 64 << 20;

/// What the user typed for Claude Code itself, and what came back.
const LOCAL: &[&str] =
    &["<command-", "<local-command-", "<bash-input>", "<bash-stdout>", "<bash-stderr>"];

/// Messages of Claude Code, or of other agents, where one of the user would stand: the user stopped the turn,
/// a task in the background is done, the conversation before was put in short. They begin no turn.
const NOTES: &[&str] = &[
    "[Request interrupted by user",
    "<agent-notification>",
    "<bash-notification>",
    "<task-notification>",
    "<teammate-message",
    "This session is being continued from a previous conversation",
];

/// Elements that editors and Claude Code put beside what the user typed.
const CONTEXT: &[&str] = &[
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "user-prompt-submit-hook",
];

/// Reads a transcript.
pub(super) fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut reader = Reader::new(sink);
    let mut lines = Lines::new(input, lines::LIMIT);
    let mut buffer = Vec::new();
    while !reader.sink.stop() {
        let line = lines.next(&mut buffer)?;
        let number = lines.number();
        match line {
            Line::End => {
                reader.finish();
                break;
            }
            Line::Text { text, ended } => reader.line(number, ended, text),
            other => reader.problem(native::unreadable(other, number)),
        }
        reader.stats.lines += 1;
    }
    let mut stats = reader.stats;
    stats.bytes = lines.bytes();
    Ok(stats)
}

/// Everything that is known while reading.
struct Reader<'s> {
    sink: &'s mut dyn Sink,
    stats: Stats,
    /// Whether responses are wanted.
    exchanges: bool,
    sessions: Vec<Session>,
    by_name: HashMap<String, usize>,
    /// The session of the line before, most often also that of the next.
    last: usize,
    /// In the printed stream, the sub-agent that each call started.
    tasks: HashMap<String, String>,
    /// How many bytes wait, in all sessions.
    held: usize,
    /// Room for lines that wait, and for what they hold.
    spare: Vec<String>,
    entries: Vec<LineEntry>,
}

/// One session, or one sub-agent of it.
#[derive(Default)]
struct Session {
    /// The `sessionId`, and which sub-agent of it.
    id: String,
    sub: Option<String>,
    name: String,
    started: bool,
    /// The directory and the mode as told by the records, and as handed on.
    told: Workplace,
    handed_on: Workplace,
    /// The message that the batch is of.
    message: Option<String>,
    batch: Batch,
    open: OpenCalls,
    /// Whether the context was put in short after all else: that is told by a boundary and a summary.
    is_compacted: bool,
    seen: Recent,
    line: u32,
    ts: Option<i64>,
}

impl Session {
    /// Where its events go.
    fn outlet<'o>(&'o self, sink: &'o mut dyn Sink, stats: &'o mut Stats) -> Outlet<'o> {
        Outlet { sink, stats, session: &self.name }
    }
}

/// Where a session runs.
#[derive(Clone, Default, PartialEq, Eq)]
struct Workplace {
    cwd: Option<String>,
    branch: Option<String>,
    mode: Option<String>,
}

/// One record in the line that it came in.
struct Context<'l> {
    line: &'l str,
    number: u32,
    ts: Option<i64>,
    session: usize,
}

impl<'s> Reader<'s> {
    fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            exchanges: sink.wants_exchanges(),
            sink,
            stats: Stats::default(),
            sessions: Vec::new(),
            by_name: HashMap::default(),
            last: 0,
            tasks: HashMap::default(),
            held: 0,
            spare: Vec::new(),
            entries: Vec::new(),
        }
    }

    fn problem(&mut self, problem: Option<Problem>) {
        if let Some(problem) = problem {
            self.stats.problems += 1;
            self.sink.problem(problem);
        }
    }

    fn refuse(&mut self, line: u32, message: String) {
        self.problem(Some(Problem::new(line, message)));
    }

    /// Takes in one line.
    fn line(&mut self, number: u32, ended: bool, line: &str) {
        let text = lines::trim(line);
        if text.is_empty() {
            return;
        }
        if is_silent(text) {
            self.stats.skipped += 1;
            return;
        }
        let mut record = Record::default();
        if let Err(error) = json::object(text, &mut record) {
            if error.fault == Fault::Ends && !ended {
                self.stats.truncated = true;
                self.problem(Some(native::cut_off(number)));
            } else {
                self.refuse(number, json::explain(text, &error));
            }
            return;
        }
        let Some((session, ts)) = self.record(text, number, &record) else { return };
        if !self.entries.is_empty() {
            self.hold(session, number, ts, text);
        }
    }

    /// What one record means. Entries that have to wait are left in `self.entries`.
    fn record(
        &mut self,
        line: &str,
        number: u32,
        record: &Record<'_>,
    ) -> Option<(usize, Option<i64>)> {
        let Some(name) = record::text(record.kind) else {
            self.refuse(number, "the record has no `type` to say what it is".to_owned());
            return None;
        };
        let Some(kind) = Kind::of(&name) else {
            if SILENT.contains(&&*name) {
                self.stats.skipped += 1;
            } else {
                self.stats.unknown(&name);
            }
            return None;
        };
        let ts = record.timestamp();
        match kind {
            Kind::User | Kind::Assistant => {
                let sub = self.sub_agent(record);
                let session = self.session(record, sub.as_deref());
                let context = Context { line, number, ts, session };
                self.exchange(kind, record, &context);
                Some((session, ts))
            }
            Kind::Progress => self.progress(line, number, record),
            Kind::System => {
                self.system(number, ts, record);
                None
            }
            Kind::Attachment => {
                let sub = self.sub_agent(record);
                let session = self.session(record, sub.as_deref());
                self.attachment(record, line, session);
                Some((session, ts))
            }
            Kind::PermissionMode => {
                let session = self.session(record, None);
                self.tell(session, record);
                self.stats.skipped += 1;
                None
            }
        }
    }

    /// The sub-agent that a record is of.
    fn sub_agent<'r>(&self, record: &Record<'r>) -> Option<Cow<'r, str>> {
        if let Some(call) = record::text(record.parent_call) {
            // The printed stream names the call; what it started was told before, in most versions.
            return Some(self.tasks.get(&*call).cloned().map_or(call, Cow::Owned));
        }
        json::is_true(record.sidechain)
            .then(|| record::text(record.agent).unwrap_or(Cow::Borrowed("sidechain")))
    }

    /// The session with the record's id and `sub`, which is made if it is new.
    fn session(&mut self, record: &Record<'_>, sub: Option<&str>) -> usize {
        let id = record::text(record.session).unwrap_or(Cow::Borrowed(DEFAULT_SESSION));
        if let Some(session) = self.sessions.get(self.last)
            && session.id == *id
            && session.sub.as_deref() == sub
        {
            return self.last;
        }
        let name = match sub {
            None => id.clone().into_owned(),
            Some(sub) => format!("{id}/{sub}"),
        };
        // A sub-agent runs where its session runs, unless its own records say otherwise.
        let parent = sub.and_then(|_| self.by_name.get(&*id)).and_then(|at| self.sessions.get(*at));
        let told = parent.map(|parent| (parent.told.clone(), parent.batch.version.clone()));
        let (told, version) = told.unwrap_or_default();
        self.last = *self.by_name.entry(name).or_insert_with_key(|name| {
            let mut session = Session { name: name.clone(), told, ..Session::default() };
            session.batch.version = version;
            session.sub = sub.map(str::to_owned);
            session.id = id.into_owned();
            self.sessions.push(session);
            self.sessions.len() - 1
        });
        self.last
    }

    /// A message of either side.
    fn exchange(&mut self, kind: Kind, record: &Record<'_>, context: &Context<'_>) {
        if let Some(session) = self.sessions.get_mut(context.session) {
            session.line = context.number;
            session.ts = context.ts.or(session.ts);
        }
        if record.message.content.overflowed {
            let message = format!(
                "the message has more than {} blocks; the rest was passed over",
                Content::MAX
            );
            self.refuse(context.number, message);
        }
        match kind {
            Kind::Assistant => self.assistant(record, context),
            _ => self.user(record, context),
        }
    }

    fn assistant(&mut self, record: &Record<'_>, context: &Context<'_>) {
        let key = record.message_key();
        let same = key.is_some()
            && self
                .sessions
                .get(context.session)
                .is_some_and(|session| session.message.as_deref() == key);
        if !same {
            self.begin(record, context);
            if let Some(session) = self.sessions.get_mut(context.session) {
                session.message = key.map(str::to_owned);
                session.batch.continues = false;
            }
        }
        if let Some(session) = self.sessions.get_mut(context.session) {
            session.is_compacted = false;
        }
        let content = &record.message.content;
        if record.is_local() {
            self.stats.skipped += 1;
            return;
        }
        let span = |raw: json::Raw<'_>| raw.map(|raw| Span::of(context.line, raw.get()));
        if self.exchanges {
            self.entries.push(LineEntry::Message {
                model: span(record.message.model),
                content: span(content.whole),
                stop_reason: span(record.message.stop_reason),
                usage: span(record.message.usage),
            });
        }
        let whole = content.whole.filter(|whole| whole.get().starts_with('"'));
        self.entries.extend(span(whole).map(LineEntry::Text));
        for block in &content.blocks {
            match block.kind.map(Json::get) {
                Some("\"text\"") => self.entries.extend(span(block.text).map(LineEntry::Text)),
                Some("\"tool_use\"") => self.entries.push(LineEntry::Call {
                    id: span(block.id),
                    name: span(block.name),
                    input: span(block.input),
                }),
                _ => {}
            }
        }
    }

    fn user(&mut self, record: &Record<'_>, context: &Context<'_>) {
        let content = &record.message.content;
        if content.blocks.is_empty() {
            let text = content.whole.and_then(json::text);
            self.prompt(record, context, text.as_slice(), false);
            return;
        }
        let (mut results, mut texts, mut image) = (Vec::new(), Vec::new(), false);
        for block in &content.blocks {
            match block.kind.map(Json::get) {
                Some("\"tool_result\"") => results.push(block),
                Some("\"text\"") => texts.extend(record::text(block.text)),
                Some("\"image\"" | "\"document\"") => image = true,
                _ => {}
            }
        }
        if results.is_empty() {
            self.prompt(record, context, &texts, image);
            return;
        }
        // Text beside results is Claude Code's own, such as a reminder or the note of an interruption.
        self.results(record, context, &results);
    }

    fn results(&mut self, record: &Record<'_>, context: &Context<'_>, results: &[&Block<'_>]) {
        if self.sessions.get(context.session).is_some_and(|session| !session.started) {
            self.begin(record, context);
        }
        let span = |raw: json::Raw<'_>| raw.map(|raw| Span::of(context.line, raw.get()));
        // With several results in a record, what the tool returned cannot be told apart.
        let value =
            record.tool_result.filter(|value| results.len() == 1 && value.get().starts_with('{'));
        self.entries.extend(results.iter().map(|block| {
            LineEntry::Result(Answer {
                id: span(block.call),
                content: span(block.content),
                value: span(value),
                is_error: json::is_true(block.is_error),
                denial: span(record.denial),
            })
        }));
    }

    /// What a language server found after the results that wait, as far as it is an error.
    fn attachment(&mut self, record: &Record<'_>, line: &str, session: usize) {
        let waits = self.sessions.get(session).is_some_and(|session| !session.batch.is_empty());
        let errors = record.attachment.filter(|raw| waits && lint::tells_errors(raw.get()));
        match errors {
            Some(raw) => self.entries.push(LineEntry::Diagnostics(Span::of(line, raw.get()))),
            None => self.stats.skipped += 1,
        }
    }

    /// A message of the user, if it is one: it begins a turn.
    fn prompt(
        &mut self,
        record: &Record<'_>,
        context: &Context<'_>,
        texts: &[Cow<'_, str>],
        image: bool,
    ) {
        let said: Vec<&str> =
            texts.iter().map(|text| &**text).filter(|text| is_said(text)).collect();
        if json::is_true(record.compact_summary) {
            self.compaction(record, context);
        }
        let is_not_said = record.is_not_said() || record.is_notification();
        if is_not_said || (said.is_empty() && !image) {
            self.stats.skipped += 1;
            return;
        }
        self.begin(record, context);
        let Some(session) = self.sessions.get_mut(context.session) else { return };
        session.message = None;
        let text = match said.as_slice() {
            [one] => Some(Cow::Borrowed(*one)),
            several => Some(Cow::Owned(several.join("\n"))),
        };
        let at = At { line: context.number, ts: context.ts };
        session.outlet(&mut *self.sink, &mut self.stats).emit(at, Event::TurnStart { text });
    }

    /// The context is put in short.
    fn compaction(&mut self, record: &Record<'_>, context: &Context<'_>) {
        self.begin(record, context);
        let Some(session) = self.sessions.get_mut(context.session) else { return };
        if std::mem::replace(&mut session.is_compacted, true) {
            return;
        }
        session.message = None;
        let at = At { line: context.number, ts: context.ts };
        session.outlet(&mut *self.sink, &mut self.stats).emit(at, Event::Compaction);
    }

    /// Hands on what waits, and what the record tells of where the session runs.
    fn begin(&mut self, record: &Record<'_>, context: &Context<'_>) {
        self.flush(context.session);
        self.tell(context.session, record);
        let Some(session) = self.sessions.get_mut(context.session) else { return };
        if session.started && session.told == session.handed_on {
            return;
        }
        let changed = |told: &Option<String>, before: &Option<String>| {
            told.clone().filter(|_| told != before).map(Cow::Owned)
        };
        let start = SessionStart {
            agent: (!session.started).then_some(Cow::Borrowed(AGENT)),
            cwd: changed(&session.told.cwd, &session.handed_on.cwd),
            mode: changed(&session.told.mode, &session.handed_on.mode),
            headless: None,
            subagent: session.sub.is_some().then_some(true),
            branch: changed(&session.told.branch, &session.handed_on.branch),
            tools: None,
            by_exchange: false,
        };
        session.started = true;
        let at = At { line: context.number, ts: context.ts };
        session.outlet(&mut *self.sink, &mut self.stats).emit(at, Event::SessionStart(start));
        session.handed_on = session.told.clone();
    }

    /// Notes where the session runs.
    fn tell(&mut self, session: usize, record: &Record<'_>) {
        let Some(session) = self.sessions.get_mut(session) else { return };
        // Where a commit is checked out, it says `HEAD`.
        if let Some(branch) =
            record::text(record.branch).filter(|name| !matches!(&**name, "" | "HEAD"))
            && session.told.branch.as_deref() != Some(&*branch)
        {
            session.told.branch = Some(branch.into_owned());
        }
        if let Some(cwd) = record::text(record.cwd)
            && session.told.cwd.as_deref() != Some(&*cwd)
        {
            session.told.cwd = Some(cwd.into_owned());
        }
        if let Some(version) = record::text(record.version)
            && session.batch.version.as_deref() != Some(&*version)
        {
            session.batch.version = Some(version.into_owned());
        }
        if let Some(mode) = record::text(record.mode) {
            let mode = approval_mode(mode);
            if session.told.mode.as_deref() != Some(&*mode) {
                session.told.mode = Some(mode.into_owned());
            }
        }
    }

    /// What a sub-agent did, told in the session that started it.
    fn progress(
        &mut self,
        line: &str,
        number: u32,
        record: &Record<'_>,
    ) -> Option<(usize, Option<i64>)> {
        let mut progress = Progress::default();
        let mut inner = Record::default();
        let is_agent =
            record.data.is_some_and(|data| json::object(data.get(), &mut progress).is_ok())
                && progress.kind.is_some_and(|kind| kind.get() == "\"agent_progress\"");
        let told = progress.message.filter(|_| is_agent);
        let is_message = told.is_some_and(|raw| json::object(raw.get(), &mut inner).is_ok());
        let kind = record::text(inner.kind).as_deref().and_then(Kind::of);
        let (Some(kind @ (Kind::User | Kind::Assistant)), true) = (kind, is_message) else {
            self.stats.skipped += 1;
            return None;
        };
        let agent = record::text(progress.agent).unwrap_or(Cow::Borrowed("sidechain"));
        let session = self.session(record, Some(&agent));
        inner.cwd = inner.cwd.or(record.cwd);
        inner.version = inner.version.or(record.version);
        let ts = inner.timestamp().or_else(|| record.timestamp());
        let uuid = record::text(inner.uuid).as_deref().and_then(uuid);
        let known = self.sessions.get_mut(session).zip(uuid);
        if known.is_some_and(|(session, uuid)| !session.seen.insert(uuid)) {
            self.stats.repeated += 1;
            return None;
        }
        self.exchange(kind, &inner, &Context { line, number, ts, session });
        Some((session, ts))
    }

    /// The printed stream begins each turn with a record of where it runs, and leaves the prompt out.
    fn system(&mut self, number: u32, ts: Option<i64>, record: &Record<'_>) {
        match record::text(record.subtype).as_deref() {
            Some("init") => {
                let session = self.session(record, None);
                let context = Context { line: "", number, ts, session };
                self.begin(record, &context);
                let Some(session) = self.sessions.get_mut(session) else { return };
                session.message = None;
                session.line = number;
                let (at, turn) = (At { line: number, ts }, Event::TurnStart { text: None });
                session.outlet(&mut *self.sink, &mut self.stats).emit(at, turn);
            }
            Some("compact_boundary") => {
                let sub = self.sub_agent(record);
                let session = self.session(record, sub.as_deref());
                self.compaction(record, &Context { line: "", number, ts, session });
            }
            Some("task_started") => {
                if let (Some(task), Some(call)) =
                    (record::text(record.task), record::text(record.task_call))
                {
                    self.tasks.insert(call.into_owned(), task.into_owned());
                }
                self.stats.skipped += 1;
            }
            _ => self.stats.skipped += 1,
        }
    }

    /// Keeps a record until its message is complete.
    fn hold(&mut self, session: usize, number: u32, ts: Option<i64>, record: &str) {
        let Some(session) = self.sessions.get_mut(session) else { return };
        self.held += record.len();
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text.push_str(record);
        session.batch.push(Held { text, at: At { line: number, ts } }, &mut self.entries);
        if self.held > HELD {
            (0..self.sessions.len()).for_each(|session| self.flush(session));
            // What comes next may be of the same messages.
            self.sessions.iter_mut().for_each(|session| session.batch.continues = true);
        }
    }

    fn flush(&mut self, session: usize) {
        /// How many buffers are kept for reuse, and how large one may be.
        const SPARE: (usize, usize) = (16, 1 << 20);
        let Some(session) = self.sessions.get_mut(session) else { return };
        if session.batch.is_empty() {
            return;
        }
        let (sink, stats) = (&mut *self.sink, &mut self.stats);
        let mut out = Outlet { sink, stats, session: &session.name };
        session.batch.emit(self.exchanges, &mut session.open, &mut out);
        for line in session.batch.lines.drain(..) {
            self.held = self.held.saturating_sub(line.text.len());
            if self.spare.len() < SPARE.0 && line.text.capacity() <= SPARE.1 {
                self.spare.push(line.text);
            }
        }
        session.batch.clear();
    }

    /// The recording is over.
    fn finish(&mut self) {
        (0..self.sessions.len()).for_each(|session| self.flush(session));
        for session in &self.sessions {
            self.stats.open_calls += session.open.len() as u64;
            if session.started {
                let at = At { line: session.line, ts: session.ts };
                session.outlet(&mut *self.sink, &mut self.stats).emit(at, Event::SessionEnd);
            }
        }
    }
}

/// A cheap look at whether a line is a record of a kind that tells nothing.
fn is_silent(line: &str) -> bool {
    line.strip_prefix(r#"{"type":""#)
        .and_then(|rest| rest.split_once('"'))
        .is_some_and(|(kind, rest)| rest.ends_with('}') && SILENT.contains(&kind))
}

/// Whether a text in a user's message is what the user said.
pub(crate) fn is_said(text: &str) -> bool {
    let text = text.trim();
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    !begins(LOCAL) && !begins(NOTES) && !CONTEXT.iter().any(|tag| is_element(text, tag))
}

/// Whether `text` is one element `<tag>…</tag>` and nothing else.
fn is_element(text: &str, tag: &str) -> bool {
    let inside = |text: &str| -> Option<()> {
        text.strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?;
        text.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</").map(|_| ())
    };
    inside(text).is_some()
}

/// The number that a UUID is; `None` for any other id, which need not be unique.
fn uuid(text: &str) -> Option<u128> {
    let (mut number, mut digits) = (0_u128, 0);
    for byte in text.bytes().filter(|byte| *byte != b'-') {
        number = number << 4 | u128::from(char::from(byte).to_digit(16)?);
        digits += 1;
    }
    (digits == 32 && text.len() == 36).then_some(number)
}

/// The ids that were seen lately: at least the last `Recent::MAX`.
#[derive(Default)]
struct Recent {
    new: HashSet<u128>,
    old: HashSet<u128>,
}

impl Recent {
    const MAX: usize = 1 << 16;

    /// Whether `id` is new.
    fn insert(&mut self, id: u128) -> bool {
        if self.new.contains(&id) || self.old.contains(&id) {
            return false;
        }
        if self.new.len() >= Self::MAX {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(id)
    }
}

#[cfg(test)]
mod tests;
