//! Claude Code: its tools, its hooks and its transcripts, which are JSON Lines of many kinds of record.
//! The facts hold for versions 1.0 to 2.1; kinds of record that are unknown are counted, not refused.

pub(crate) mod adapter;
mod batch;
pub(crate) mod headless;
pub(crate) mod hook;
pub(crate) mod install;
mod lint;
mod outcome;
mod record;
pub mod tools;
pub(crate) mod transcript;

use std::io::{self, BufRead};

use crate::json;
use crate::recording::{Format, RecordingFormat};
use crate::sink::{Sink, Stats};

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "claude-code";

/// Kinds of record that tell nothing of what the agent did: titles, snapshots, settings of the
/// user interface, texts put into the context.
const SILENT: &[&str] = &[
    "agent-name",
    "ai-title",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "custom-title",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "pr-link",
    "queue-operation",
    "rate_limit_event",
    "relocated",
    "result",
    "started",
    "stream_event",
    "summary",
    "tag",
    "task-summary",
    "tool_progress",
    "worktree-state",
];

/// A session transcript of Claude Code, or what it prints with `--output-format stream-json`.
struct Transcript;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Transcript);

impl RecordingFormat for Transcript {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn description(&self) -> &'static str {
        "A transcript of Claude Code, or what it prints with `--output-format stream-json`"
    }

    fn is_record(&self, line: &str) -> bool {
        is_record(line)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        transcript::read(input, sink)
    }
}

/// Whether `line`, perhaps cut off, is a record of a transcript.
pub(crate) fn is_record(line: &str) -> bool {
    let mut record = record::Record::default();
    // What was read before an error is enough.
    let _ = json::object(line, &mut record);
    let Some(kind) = record.kind.and_then(json::text) else {
        // Some records have their kind after a long message; these keys come first and are no
        // other agent's.
        return record.parent.is_some() && record.sidechain.is_some();
    };
    let known = record::Kind::of(&kind).is_some() || SILENT.contains(&&*kind);
    known && (record.session.is_some() || record.parent.is_some() || record.owner.is_some())
}
