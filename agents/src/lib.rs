//! What is known of each agent: its tools, its transcripts and trace formats, and how its hooks talk.
//!
//! [`hook::Agent`] reads what a running agent tells its hook and writes the answer. [`read`] turns a recorded session into the runtime's events, one line at a time and in bounded
//! memory. It decides nothing and touches no file: the caller opens the input and owns the output.

mod adapter;
mod answer;
pub mod claude_code;
pub mod codex;
mod command_line;
mod completed;
mod content;
pub mod cursor;
mod detect;
mod document;
mod exchange;
mod failure;
mod fields;
mod flow;
mod formats;
pub mod gemini_cli;
pub mod headless;
pub mod hindrance;
pub mod hook;
pub mod install;
mod json;
mod lines;
mod lint;
mod matcher;
pub mod native;
mod never_run;
mod notes;
mod notice;
mod notify;
mod object;
pub mod opencode;
mod order;
mod own;
mod patch;
mod payload;
pub mod pi;
pub mod portable;
pub mod probe;
mod recording;
mod registry;
mod settings;
mod sink;
#[cfg(test)]
mod testing;
mod time;
mod tool_server;
pub mod tools;
mod transcripts;
mod tree;
mod wiring;

use std::io::{self, BufRead};

pub use native::to_native;
pub use recording::Format;
pub use sink::{Item, Problem, Sink, Stats};
pub use transcripts::Transcripts;

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
    if format == Format::NATIVE {
        return format.read(input, sink);
    }
    let mut sink = completed::Completed::new(sink);
    let mut stats = format.read(input, &mut sink)?;
    stats.events += sink.added;
    Ok(stats)
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
