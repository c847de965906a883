//! Helps the tests of readers: small recordings in, events as lines of the native format out.

use crate::{Format, Item, Problem, Sink, Stats, detect, to_native};

#[derive(Default)]
struct Kept {
    lines: Vec<String>,
    changed: Vec<String>,
    problems: Vec<Problem>,
    exchanges: bool,
}

impl Sink for Kept {
    fn item(&mut self, item: Item<'_>) {
        let written = to_native(&item);
        // What is written is what is read again.
        if crate::native::parse(&written, item.line) != Ok(Some(item)) {
            self.changed.push(written.clone());
        }
        self.lines.push(written);
    }

    fn problem(&mut self, problem: Problem) {
        assert!(!problem.message.is_empty() && problem.line > 0, "{problem:?}");
        self.problems.push(problem);
    }

    fn wants_exchanges(&self) -> bool {
        self.exchanges
    }
}

#[track_caller]
fn run(format: Format, text: &str, exchanges: bool) -> (Kept, Stats) {
    let mut kept = Kept { exchanges, ..Kept::default() };
    // What is completed beyond the format has tests of its own.
    let stats = format.read(&mut text.as_bytes(), &mut kept).expect("memory can be read");
    assert_eq!(kept.changed, [] as [&str; 0]);
    assert_eq!((stats.bytes, stats.events), (text.len() as u64, kept.lines.len() as u64));
    (kept, stats)
}

/// The recording is told for what it is, and holds these events; requests and responses are left out.
#[track_caller]
pub(crate) fn check(format: Format, text: &str, expect: &[&str]) {
    assert_eq!(detect(text.as_bytes()), Some(format), "{text}");
    let (kept, _) = run(format, text, false);
    assert_eq!(kept.lines, expect, "\n{}\n", kept.lines.join("\n"));
}

/// The same in short: the events without sessions, times, and what begins and ends sessions.
#[track_caller]
pub(crate) fn check_short(format: Format, text: &str, expect: &[&str]) {
    assert_eq!(detect(text.as_bytes()), Some(format), "{text}");
    let (kept, _) = run(format, text, false);
    let told: Vec<String> = kept.lines.iter().filter_map(|line| short(line)).collect();
    assert_eq!(told, expect, "\n{}\n", told.join("\n"));
}

fn short(line: &str) -> Option<String> {
    let mut event: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(line).expect("an event is JSON");
    let kind = event.shift_remove("event").expect("every event has its kind");
    let kind = kind.as_str().expect("a name").to_owned();
    event.shift_remove("session");
    event.shift_remove("ts");
    if kind.starts_with("session_") {
        return None;
    }
    Some(format!("{kind} {}", serde_json::Value::Object(event)))
}

/// All events of the recording, requests and responses too.
pub(crate) fn events_of(format: Format, text: &str) -> Vec<String> {
    run(format, text, true).0.lines
}

/// The requests and responses of the recording.
#[track_caller]
pub(crate) fn check_exchanges(format: Format, text: &str, expect: &[&str]) {
    let (kept, _) = run(format, text, true);
    let is_exchange = |line: &&String| {
        line.contains("\"event\":\"request\"") || line.contains("\"event\":\"response\"")
    };
    let found: Vec<&String> = kept.lines.iter().filter(is_exchange).collect();
    assert_eq!(found, expect);
}

/// The lines that are not understood.
#[track_caller]
pub(crate) fn problems(format: Format, text: &str) -> Vec<Problem> {
    run(format, text, false).0.problems
}

/// What reading the recording counts.
#[track_caller]
pub(crate) fn stats(format: Format, text: &str) -> Stats {
    run(format, text, true).1
}

/// What a recording counts besides its events, without the kinds and reasons.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) problems: u64,
    pub(crate) skipped: u64,
    pub(crate) repeated: u64,
    pub(crate) unknown: u64,
    pub(crate) never_run: u64,
    pub(crate) orphan_results: u64,
    pub(crate) open_calls: u64,
    pub(crate) truncated: bool,
}

/// What reading the recording counts.
#[track_caller]
pub(crate) fn check_counts(format: Format, text: &str, expect: Counts) {
    let stats = stats(format, text);
    let found = Counts {
        problems: stats.problems,
        skipped: stats.skipped,
        repeated: stats.repeated,
        unknown: stats.unknown.values().sum(),
        never_run: stats.never_run.values().sum(),
        orphan_results: stats.orphan_results,
        open_calls: stats.open_calls,
        truncated: stats.truncated,
    };
    assert_eq!(found, expect);
}
