//! Every format of recordings, in the order in which they are listed. What is here is known to the command
//! line, to detection and to the tests of the documents; there is no other list.

use crate::formats::{agentlog, inspect, messages, openhands, otel, swe_agent};
use crate::recording::Format;
use crate::{claude_code, codex, cursor, gemini_cli, native, opencode, pi};

static FORMATS: [Format; 14] = [
    native::FORMAT,
    claude_code::FORMAT,
    codex::transcript::FORMAT,
    gemini_cli::transcript::FORMAT,
    pi::transcript::FORMAT,
    opencode::transcript::FORMAT,
    cursor::transcript::FORMAT,
    agentlog::FORMAT,
    messages::OPENAI,
    messages::ANTHROPIC,
    otel::FORMAT,
    swe_agent::FORMAT,
    openhands::FORMAT,
    inspect::FORMAT,
];

impl Format {
    /// This project's own trace.
    pub const NATIVE: Format = native::FORMAT;

    /// A transcript of Claude Code.
    pub const CLAUDE_CODE: Format = claude_code::FORMAT;

    /// Returns every format.
    pub fn all() -> impl ExactSizeIterator<Item = Format> {
        FORMATS.iter().copied()
    }
}
