//! The way from what a reader finds to events: for each session the answer of the model that came last is
//! kept until the next one, so that [`order`] can put its calls before all of their results. Knows no
//! format.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, SessionStart, Value};
use behavior_runtime::exchange::stop_reason as stop_reason_of;

use crate::exchange::{Blocks, Request, Response, Told, ToolNames, Usage};
use crate::never_run::NeverRun;
pub(crate) use crate::order::At;
use crate::order::{self, FileAct, OpenCalls, Outlet, Reply};
use crate::sink::{HashMap, Problem, Sink, Stats};
use behavior_runtime::replay::DEFAULT_SESSION;

/// How much may wait for results, in bytes, over all sessions.
const HELD: usize = 64 << 20;

/// What the tool of a call is called that names none.
const UNNAMED: &str = "unknown";

/// What the refusals of this project's own hooks begin with.
const BLOCKED: &str = "[BEHAVIOR BLOCKED]";

/// Where a session runs; what is not known leaves what was known before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) agent: Option<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) mode: Option<String>,
}

/// One answer of the model, as it is put together.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    wanted: bool,
    /// What the recording says of the answer, where that is the body of a response already: as it
    /// is written.
    pub(crate) told: Option<Told>,
    /// Where it begins.
    pub(crate) at: Option<At>,
    /// The request that it answers.
    pub(crate) request: Option<(At, Request)>,
    pub(crate) model: Option<String>,
    pub(crate) stop_reason: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) latency: Option<u64>,
    blocks: Blocks,
    steps: Vec<(At, Event<'static>)>,
    /// How much is in it, in bytes.
    size: usize,
}

impl Exchange {
    /// An answer that is longer is handed on in parts, in bytes.
    const MAX: usize = 16 << 20;

    /// An empty answer that begins at `at`.
    pub(crate) fn new(flow: &Flow<'_>, at: At) -> Self {
        Self { wanted: flow.exchanges, at: Some(at), ..Self::default() }
    }

    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.blocks.is_empty()
    }

    fn asks_for_tools(&self) -> bool {
        self.steps.iter().any(|(_, event)| matches!(event, Event::ToolCall(_)))
    }

    /// Whether so much is in it that it cannot be one answer.
    pub(crate) fn is_full(&self) -> bool {
        self.size > Self::MAX
    }

    /// Whether a block or a request is worth writing.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted && self.told.is_none()
    }

    /// Text to the user. A blank one tells nothing.
    pub(crate) fn text(&mut self, at: At, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if self.is_wanted() {
            self.blocks.text("text", text);
        }
        let text = Cow::Owned(text.to_owned());
        self.step(at, Event::Text { text });
    }

    fn step(&mut self, at: At, event: Event<'static>) {
        self.size += size_of(&event);
        self.steps.push((at, event));
    }

    /// What the model thought.
    pub(crate) fn thinking(&mut self, text: &str) {
        self.size += text.len();
        if self.is_wanted() && !text.trim().is_empty() {
            self.blocks.text("thinking", text);
        }
    }

    /// The block of a call, by the recording's own names. `input` is JSON text.
    pub(crate) fn tool_use(&mut self, id: Option<&str>, name: &str, input: &str) {
        if self.is_wanted() {
            self.blocks.tool_use(id, name, input);
        }
    }

    /// A call that is about to run; its block is added by [`Exchange::tool_use`].
    pub(crate) fn call(&mut self, at: At, call: Call<'_>) {
        self.step(at, Event::ToolCall(owned(call)));
    }
}

/// A tool's result.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) id: Option<String>,
    pub(crate) value: Option<Value<'static>>,
    pub(crate) ok: bool,
    /// Why the call did not run, where it did not.
    pub(crate) never_run: Option<NeverRun>,
    /// Whether the file of the call was there before it, where the recording tells.
    pub(crate) existed: Option<bool>,
}

impl Answer {
    /// A result with a text or any other value.
    pub(crate) fn new(id: Option<&str>, value: Option<Value<'_>>, ok: bool) -> Self {
        let id = id.map(str::to_owned);
        let is_ours = !ok && value.as_ref().and_then(Value::as_text).is_some_and(starts_blocked);
        let never_run = is_ours.then_some(NeverRun::Hook);
        Self { id, value: value.map(Value::into_owned), ok, never_run, existed: None }
    }
}

impl Reply for (At, Answer) {
    fn at(&self) -> At {
        self.0
    }

    fn id(&self) -> Option<&str> {
        self.1.id.as_deref()
    }

    fn ok(&self) -> bool {
        self.1.ok
    }

    fn never_run(&self, _tool: Option<&str>) -> Option<NeverRun> {
        self.1.never_run
    }

    fn existed(&self, _act: FileAct) -> Option<bool> {
        self.1.existed
    }

    fn value(&self) -> Option<Value<'_>> {
        self.1.value.as_ref().map(|value| match value {
            Value::Text(text) => Value::Text(Cow::Borrowed(text)),
            Value::Json(json) => Value::Json(Cow::Borrowed(json)),
        })
    }
}

fn starts_blocked(text: &str) -> bool {
    text.trim_start().starts_with(BLOCKED)
}

#[derive(Default)]
struct Session {
    name: String,
    started: bool,
    /// Whether nothing says where it ends.
    by_exchange: bool,
    told: About,
    handed_on: About,
    steps: Vec<(At, Event<'static>)>,
    results: Vec<(At, Answer)>,
    open: OpenCalls,
    last: At,
}

/// Everything that is known while a recording is read.
pub(crate) struct Flow<'s> {
    pub(crate) sink: &'s mut dyn Sink,
    pub(crate) stats: Stats,
    /// Whether requests and responses are wanted.
    pub(crate) exchanges: bool,
    /// Whether the names of tools are known, so that results tell of files.
    facts: bool,
    sessions: Vec<Session>,
    by_name: HashMap<String, usize>,
    held: usize,
}

impl<'s> Flow<'s> {
    /// Events go to `sink`. With `facts`, the results of file tools tell of files.
    pub(crate) fn new(sink: &'s mut dyn Sink, facts: bool) -> Self {
        let exchanges = sink.wants_exchanges();
        let (sessions, by_name) = (Vec::new(), HashMap::default());
        Self { sink, stats: Stats::default(), exchanges, facts, sessions, by_name, held: 0 }
    }

    /// The session called `name`, which is made if it is new.
    pub(crate) fn session(&mut self, name: &str) -> usize {
        if let Some(session) = self.by_name.get(name) {
            return *session;
        }
        self.sessions.push(Session { name: name.to_owned(), ..Session::default() });
        self.by_name.insert(name.to_owned(), self.sessions.len() - 1);
        self.sessions.len() - 1
    }

    /// A session of its own for what is called `name`, which something before may be called too.
    pub(crate) fn new_session(&mut self, name: Option<&str>) -> usize {
        let base = name.unwrap_or(DEFAULT_SESSION);
        let mut number = 1_u32;
        loop {
            let name = if number == 1 { base.to_owned() } else { format!("{base}/{number}") };
            if !self.by_name.contains_key(&name) {
                return self.session(&name);
            }
            // Recordings that hold many sessions of one name are not looked through from the start.
            number = match number {
                1 => u32::try_from(self.sessions.len()).unwrap_or(u32::MAX).max(2),
                number => number.saturating_add(1),
            };
        }
    }

    /// The recording does not say where the session ends: to rules on sessions, each exchange with
    /// the user is one.
    pub(crate) fn split_by_exchange(&mut self, session: usize) {
        if let Some(session) = self.sessions.get_mut(session) {
            session.by_exchange = true;
        }
    }

    /// What is known of where a session runs; told with the next event of it.
    pub(crate) fn about(&mut self, session: usize, about: About) {
        let Some(session) = self.sessions.get_mut(session) else { return };
        let told = &mut session.told;
        told.agent = about.agent.or(told.agent.take());
        told.cwd = about.cwd.or(told.cwd.take());
        told.mode = about.mode.or(told.mode.take());
    }

    /// A line that was not understood.
    pub(crate) fn refuse(&mut self, line: u32, message: String) {
        self.stats.problems += 1;
        self.sink.problem(Problem::new(line, message));
    }

    /// A turn begins.
    pub(crate) fn turn(&mut self, session: usize, at: At, text: Option<&str>) {
        self.flush(session);
        self.start(session, at);
        let text = text.map(Cow::Borrowed);
        self.emit(session, at, Event::TurnStart { text });
    }

    /// The agent's context is put in short.
    pub(crate) fn compaction(&mut self, session: usize, at: At) {
        self.flush(session);
        self.start(session, at);
        self.emit(session, at, Event::Compaction);
    }

    /// An answer of the model is complete but for the results of its calls.
    pub(crate) fn answer(&mut self, session: usize, exchange: Exchange) {
        self.flush(session);
        let Some(name) = self.sessions.get(session).map(|session| session.name.clone()) else {
            return;
        };
        let at = exchange.at.unwrap_or_default();
        if exchange.wanted {
            let asks_for_tools = exchange.asks_for_tools();
            if let Some((at, request)) = exchange.request {
                let body = Cow::Owned(request.body(&name, at.ts));
                self.step(session, at, Event::Request { body });
            }
            let body = Cow::Owned(match exchange.told {
                Some(told) => told.body("response", &name, at.ts),
                None => {
                    let content = exchange.blocks.finish();
                    let names = names_of(&exchange.steps);
                    let stop_reason = exchange.stop_reason.as_deref();
                    let response = Response {
                        model: exchange.model.as_deref(),
                        content: Some(&content),
                        tool_names: names.as_deref(),
                        stop_reason: stop_reason
                            .and_then(|told| stop_reason_of(told, asks_for_tools)),
                        usage: exchange.usage,
                        latency: exchange.latency,
                    };
                    response.body(&name, at.ts)
                }
            });
            self.step(session, at, Event::Response { body });
        }
        for (at, event) in exchange.steps {
            self.step(session, at, event);
        }
    }

    /// A request that nothing answers.
    pub(crate) fn request(&mut self, session: usize, at: At, request: &Request) {
        self.flush(session);
        let name = self.sessions.get(session).map(|session| session.name.clone());
        let body = Cow::Owned(request.body(&name.unwrap_or_default(), at.ts));
        self.step(session, at, Event::Request { body });
    }

    /// A call that no answer of the model holds.
    pub(crate) fn call(&mut self, session: usize, at: At, call: Call<'_>) {
        self.step(session, at, Event::ToolCall(owned(call)));
    }

    /// Whether a call with this id waits for its result.
    pub(crate) fn is_open(&self, session: usize, id: &str) -> bool {
        let Some(session) = self.sessions.get(session) else { return false };
        let is_this = |event: &Event<'_>| match event {
            Event::ToolCall(call) => call.id.as_deref() == Some(id),
            _ => false,
        };
        session.open.contains_key(id) || session.steps.iter().any(|(_, event)| is_this(event))
    }

    /// Something that happened outside of the model's answers, in its place.
    pub(crate) fn step(&mut self, session: usize, at: At, event: Event<'static>) {
        self.held += size_of(&event);
        let Some(held) = self.sessions.get_mut(session) else { return };
        held.steps.push((at, event));
        self.limit();
    }

    /// A result. It is handed on after all calls of the answer before it.
    pub(crate) fn result(&mut self, session: usize, at: At, answer: Answer) {
        self.held += answer.value.as_ref().map_or(0, size_of_value) + 64;
        let Some(held) = self.sessions.get_mut(session) else { return };
        held.results.push((at, answer));
        self.limit();
    }

    fn limit(&mut self) {
        if self.held > HELD {
            (0..self.sessions.len()).for_each(|session| self.flush(session));
            self.held = 0;
        }
    }

    /// Hands on what waits.
    pub(crate) fn flush(&mut self, session: usize) {
        let Some(held) = self.sessions.get_mut(session) else { return };
        if held.steps.is_empty() && held.results.is_empty() {
            return;
        }
        let (steps, results) = (std::mem::take(&mut held.steps), std::mem::take(&mut held.results));
        let first = steps.first().map(|(at, _)| *at).or(results.first().map(|(at, _)| *at));
        self.start(session, first.unwrap_or_default());
        let Some(held) = self.sessions.get_mut(session) else { return };
        let past = steps.iter().map(|(at, _)| *at).chain(results.iter().map(|(at, _)| *at));
        held.last = past.last().unwrap_or(held.last);
        let (sink, stats) = (&mut *self.sink, &mut self.stats);
        let mut out = Outlet { sink, stats, session: &held.name };
        order::hand_on(steps.into_iter(), &results, self.facts, &mut held.open, &mut out);
        // Long recordings of many sessions flush one at a time; what is left is an upper bound.
        if self.sessions.len() == 1 {
            self.held = 0;
        }
    }

    /// Tells that the session begins, or what has changed of where it runs.
    fn start(&mut self, session: usize, at: At) {
        let Some(held) = self.sessions.get_mut(session) else { return };
        if held.started && held.told == held.handed_on {
            return;
        }
        let changed = |told: &Option<String>, before: &Option<String>| {
            told.clone().filter(|_| told != before).map(Cow::Owned)
        };
        let start = SessionStart {
            agent: changed(&held.told.agent, &held.handed_on.agent),
            cwd: changed(&held.told.cwd, &held.handed_on.cwd),
            mode: changed(&held.told.mode, &held.handed_on.mode),
            headless: None,
            subagent: None,
            branch: None,
            tools: None,
            by_exchange: held.by_exchange,
        };
        held.started = true;
        held.handed_on = held.told.clone();
        self.emit(session, at, Event::SessionStart(start));
    }

    fn emit(&mut self, session: usize, at: At, event: Event<'_>) {
        let Some(held) = self.sessions.get_mut(session) else { return };
        held.last = at;
        let (sink, stats) = (&mut *self.sink, &mut self.stats);
        Outlet { sink, stats, session: &held.name }.emit(at, event);
    }

    /// A session is over, as the document that held it is.
    pub(crate) fn end(&mut self, session: usize) {
        self.flush(session);
        let Some(held) = self.sessions.get_mut(session) else { return };
        self.stats.open_calls += std::mem::take(&mut held.open).len() as u64;
        let last = held.last;
        if std::mem::take(&mut held.started) {
            self.emit(session, last, Event::SessionEnd);
        }
    }

    /// The recording is over.
    pub(crate) fn finish(&mut self) {
        (0..self.sessions.len()).for_each(|session| self.end(session));
    }
}

/// What the tools that are called in an answer are called otherwise.
fn names_of(steps: &[(At, Event<'static>)]) -> Option<String> {
    let mut names = ToolNames::default();
    for (_, event) in steps {
        if let Event::ToolCall(call) = event
            && let Some(native) = call.native_tool.as_deref()
        {
            names.note(native, &call.tool);
        }
    }
    names.finish()
}

fn size_of(event: &Event<'_>) -> usize {
    /// What the parts of an event take besides their text.
    const PART: usize = 128;
    PART + match event {
        Event::Text { text } | Event::Request { body: text } | Event::Response { body: text } => {
            text.len()
        }
        Event::ToolCall(call) => {
            call.params.iter().map(|param| size_of_value(&param.value) + PART).sum()
        }
        _ => 0,
    }
}

fn size_of_value(value: &Value<'_>) -> usize {
    let (Value::Text(text) | Value::Json(text)) = value;
    text.len()
}

/// A call that borrows nothing, and has a name.
fn owned(call: Call<'_>) -> Call<'static> {
    let tool = if call.tool.is_empty() { Cow::Borrowed(UNNAMED) } else { call.tool };
    Call { tool, ..call }.into_owned()
}
