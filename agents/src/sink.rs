//! What a reader of recordings finds, what it takes that, and what a whole recording amounted to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use behavior_runtime::event::Event;

/// A map by ids and names, which are short.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;
pub(crate) type HashSet<K> = std::collections::HashSet<K, foldhash::fast::RandomState>;

/// One event of a recording, with where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Item<'a> {
    /// The line of the input that the event came from, from 1. Items need not come in the order of
    /// their lines.
    pub line: u32,
    /// The session that the event belongs to.
    pub session: Cow<'a, str>,
    /// When it happened, in milliseconds since the epoch, where the recording tells.
    pub ts: Option<i64>,
    /// What happened.
    pub event: Event<'a>,
}

/// A line that was not understood. Reading goes on after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong with it, in the style of all user-facing messages.
    pub message: String,
    /// Whether it stands in a native trace, which holds nothing but events for this program: it was written for another
    /// version, or by mistake.
    pub is_native: bool,
}

impl Problem {
    /// Says what is wrong with a line.
    #[must_use]
    pub fn new(line: u32, message: String) -> Self {
        Self { line, message, is_native: false }
    }
}

/// Takes what a reader finds, as it finds it.
pub trait Sink {
    /// An event. It borrows from the reader's buffers: what is to stay must be copied.
    fn item(&mut self, item: Item<'_>);
    /// A line that was not understood.
    fn problem(&mut self, problem: Problem);
    /// Whether to stop reading; asked before each line. Sessions are not ended then.
    fn stop(&self) -> bool {
        false
    }
    /// Whether requests and responses are wanted at all; asked once, before the first line. To write
    /// them costs time, so that readers of formats other than the native one leave them out where they
    /// are not.
    fn wants_exchanges(&self) -> bool {
        true
    }
}

/// What a whole recording amounted to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Lines read, empty ones included.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Items handed on.
    pub events: u64,
    /// Lines that were not understood.
    pub problems: u64,
    /// Records of kinds that are known to hold no event.
    pub skipped: u64,
    /// Records of a sub-agent that the recording holds twice.
    pub repeated: u64,
    /// Records of unknown kinds, by kind; beyond 64 kinds the rest is counted as `(others)`.
    pub unknown: BTreeMap<String, u64>,
    /// Calls that did not run, by reason. They have no result event.
    pub never_run: BTreeMap<&'static str, u64>,
    /// Results whose call is not in the recording. Always 0 for native traces.
    pub orphan_results: u64,
    /// Calls that have no result in the recording. Always 0 for native traces.
    pub open_calls: u64,
    /// Whether the last line is cut off.
    pub truncated: bool,
}

impl Stats {
    /// Counts a record of an unknown kind.
    pub(crate) fn unknown(&mut self, kind: &str) {
        const KINDS: usize = 64;
        let short: String = kind.chars().take(64).collect();
        let kind = if self.unknown.len() < KINDS || self.unknown.contains_key(&short) {
            short
        } else {
            "(others)".to_owned()
        };
        *self.unknown.entry(kind).or_default() += 1;
    }
}
