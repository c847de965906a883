//! A recording in memory: its events in order, and the sessions that they belong to.

use std::collections::HashMap;

use behavior_agents::{Item, Problem, Sink, to_native};
use behavior_runtime::event::{Event, ToolResult};

/// How much is kept of a recording, in bytes of its events in the native format.
const MAX_BYTES: usize = 256 << 20;

/// One event.
#[derive(Debug)]
pub struct Recorded {
    /// The line in the recording, from 1.
    pub line: u32,
    /// The session, by its place in [`Recording::sessions`].
    pub session: usize,
    /// When it happened, in milliseconds since the epoch, where the recording tells.
    pub ts: Option<i64>,
    /// What happened.
    pub event: Event<'static>,
    /// Of a result, the call that it belongs to, by its place in [`Recording::events`].
    pub call: Option<usize>,
}

/// All events of a recording.
#[derive(Debug, Default)]
pub struct Recording {
    /// The events, in their order.
    pub events: Vec<Recorded>,
    /// The names of the sessions, in the order in which they are met.
    pub sessions: Vec<String>,
    /// How many lines were not understood.
    pub problems: u64,
    numbers: HashMap<String, usize>,
    /// The calls that wait for their results, of each session, the oldest first.
    open: HashMap<usize, Vec<usize>>,
    bytes: usize,
    wants_exchanges: bool,
}

impl Recording {
    /// Begins without events; requests and responses are asked for where rules look at them.
    pub fn new(wants_exchanges: bool) -> Self {
        Self { wants_exchanges, ..Self::default() }
    }

    /// Returns whether it was too large to be kept.
    pub fn is_too_large(&self) -> bool {
        self.bytes > MAX_BYTES
    }

    /// Returns the name of an event's session.
    pub fn session_of(&self, recorded: &Recorded) -> &str {
        self.sessions.get(recorded.session).map_or("", String::as_str)
    }

    /// Returns an event as a line of the native format.
    pub fn native(&self, recorded: &Recorded) -> String {
        let Recorded { line, ts, event, .. } = recorded;
        let session = self.session_of(recorded).into();
        to_native(&Item { line: *line, session, ts: *ts, event: event.clone() })
    }

    /// Returns an event as it is asked about by itself. A result that does not repeat its call has it then: whoever is
    /// asked knows the state of the session, but no parameters of calls.
    pub fn whole(&self, recorded: &Recorded) -> Event<'static> {
        let mut event = recorded.event.clone();
        if let Event::ToolResult(result) = &mut event
            && result.call.as_ref().is_none_or(|call| call.params.is_empty())
            && let Some(Recorded { event: Event::ToolCall(call), .. }) =
                recorded.call.and_then(|at| self.events.get(at))
        {
            result.call = Some(call.clone());
        }
        event
    }

    /// Takes the call that a result belongs to: by its id, else the oldest of its tool, or of any where it names none.
    fn take_call(&mut self, session: usize, result: &ToolResult<'_>) -> Option<usize> {
        let Self { open, events, .. } = self;
        let open = open.get_mut(&session)?;
        let call = |at: &usize| match &events.get(*at)?.event {
            Event::ToolCall(call) => Some(call),
            _ => None,
        };
        let named = result.call.as_ref().filter(|call| !call.tool.is_empty());
        let is_of_tool =
            |at: &usize| named.is_none_or(|named| call(at).is_some_and(|it| it.tool == named.tool));
        let found = match &result.id {
            // Most often it is the newest.
            Some(id) => {
                open.iter().rposition(|at| call(at).is_some_and(|it| it.id.as_ref() == Some(id)))
            }
            None => open.iter().position(is_of_tool),
        };
        found.map(|found| open.remove(found))
    }

    fn number_of(&mut self, session: &str) -> usize {
        if let Some(number) = self.numbers.get(session) {
            return *number;
        }
        let number = self.sessions.len();
        self.sessions.push(session.to_owned());
        self.numbers.insert(session.to_owned(), number);
        number
    }
}

impl Sink for Recording {
    fn item(&mut self, item: Item<'_>) {
        if self.is_too_large() {
            return;
        }
        self.bytes += to_native(&item).len() + size_of::<Recorded>();
        let session = self.number_of(&item.session);
        let (line, ts, event) = (item.line, item.ts, item.event.into_owned());
        let call = match &event {
            Event::ToolResult(result) => self.take_call(session, result),
            _ => None,
        };
        if let Event::ToolCall(_) = event {
            self.open.entry(session).or_default().push(self.events.len());
        }
        self.events.push(Recorded { line, session, ts, event, call });
    }

    fn problem(&mut self, _: Problem) {
        self.problems += 1;
    }

    fn stop(&self) -> bool {
        self.is_too_large()
    }

    fn wants_exchanges(&self) -> bool {
        self.wants_exchanges
    }
}
