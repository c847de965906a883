//! What is known of each agent: its tools, its transcripts and trace formats, and how its hooks talk.
//!
//! [`hook::Agent`] reads what a running agent tells its hook and writes the answer. [`read`] turns a recorded session into the runtime's events, one line at a time and in bounded
//! memory. It decides nothing and touches no file: the caller opens the input and owns the output.

mod adapter;
mod answer;
pub mod claude_code;
pub mod codex;
pub mod cursor;
mod detect;
mod document;
mod exchange;
mod flow;
mod formats;
pub mod gemini_cli;
pub mod hook;
pub mod install;
mod json;
mod lines;
pub mod native;
mod notice;
mod object;
pub mod opencode;
mod patch;
mod payload;
pub mod pi;
pub mod probe;
mod recording;
mod registry;
mod settings;
#[cfg(test)]
mod testing;
mod time;
pub mod tools;
mod wiring;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

use behavior_runtime::event::Event;

pub use native::to_native;
pub use recording::Format;

/// A map by ids and names, which are short.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

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

/// The format of a recording, from its first bytes (64 KiB are enough for all but odd ones), or `None`
/// where they do not tell. Lines that are not JSON are passed over, and the text may be cut off.
#[must_use]
pub fn detect(first_bytes: &[u8]) -> Option<Format> {
    detect::format(first_bytes)
}

/// Reads a whole recording and hands everything in it to `sink`.
///
/// Memory is bounded by the longest line (128 MiB; longer ones are passed over as problems), by the
/// 64 MiB of a transcript that may wait for results, and by the number of sessions and open calls. A
/// recording that is one JSON document, or that has to be known to its end, is read up to 256 MiB.
///
/// # Errors
///
/// Only what `input` reports. What is wrong inside the recording goes to [`Sink::problem`].
pub fn read(format: Format, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    format.read(input, sink)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(detect(text.as_bytes()).map(Format::name), expect, "{text}");
    }

    #[test]
    fn formats_are_told_from_content() {
        check(r#"{"event":"turn_start"}"#, Some("native"));
        check("\u{feff}\n# a note\n{\"session\":\"s\",\"event\":\"te", None);
        check("\u{feff}\n# a note\n{\"session\":\"s\",\"event\":\"text\",\"te", Some("native"));
        check(r#"{"type":"summary","summary":"x","leafUuid":"y"}"#, Some("claude-code"));
        check(r#"{"parentUuid":null,"isSidechain":false,"message":{"co"#, Some("claude-code"));
        check(r#"{"type":"system","subtype":"init","session_id":"x"}"#, Some("claude-code"));
        check(
            r#"{"type":"permission-mode","permissionMode":"default","sessionId":"x"}"#,
            Some("claude-code"),
        );
    }

    #[test]
    fn other_formats_are_told_apart() {
        for (text, format) in [
            (r#"{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}"#, "codex"),
            (r#"{"type":"session","version":3,"id":"x","cwd":"/"}"#, "pi"),
            (r#"{"type":"title","v":1,"title":""}"#, "pi"),
            (r#"{"sessionId":"x","projectHash":"y","kind":"main"}"#, "gemini-cli"),
            (r#"{"role":"user","message":{"content":[]}}"#, "cursor"),
            (
                r#"{"version":"0.1","id":"sha256:x","kind":"metadata","ts":"t","payload":{}}"#,
                "agentlog",
            ),
            (r#"[{"role":"user","content":"hi"}]"#, "openai"),
            (r#"{"model":"claude-x","messages":[{"role":"user","content":"hi"}]"#, "anthropic"),
            (r#"{"model":"m","input":[{"role":"user","content":"hi"}]}"#, "openai"),
            (r#"{"info":{"id":"s"},"messages":[{"info":{"role":"us"#, "opencode"),
            (r#"{"resourceSpans":[{"resou"#, "otel"),
            (r#"{"environment":"main","trajectory":[{"action":"ls"#, "swe-agent"),
            (r#"{"info":{},"messages":[],"trajectory_format":"mini-swe-agent-1"}"#, "swe-agent"),
            (r#"{"id":1,"source":"user","action":"message","args":{}}"#, "openhands"),
            (r#"{"id":"1","source":"agent","kind":"ActionEvent"}"#, "openhands"),
            (r#"{"version":2,"status":"success","eval":{"task":"x"#, "inspect"),
        ] {
            check(text, Some(format));
            let pretty = text.replace(",\"", ",\n \"").replacen('{', "{\n ", 1);
            if !matches!(format, "codex" | "pi") {
                check(&pretty, Some(format));
            }
        }
    }

    #[test]
    fn what_is_no_recording_is_none() {
        for text in [
            "",
            "not JSON",
            r#"{"event":"page_view","sessionId":"x"}"#,
            r#"{"id":"1","timestamp":"t","type":"user","content":"hi"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            r#"{"name":"x","version":"1.0.0","dependencies":{}}"#,
            r#"[1,2,3]"#,
            r#"{"messages":["a"]}"#,
            r#"{"type":"session.created","properties":{"info":{"id":"x"}}}"#,
        ] {
            check(text, None);
        }
    }
}
