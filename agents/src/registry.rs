//! Every agent and every format of recordings, in the order in which they are listed. What is here is known to
//! the command line, to detection and to the tests of the documents; there is no other list of them.

use crate::adapter::AgentAdapter;
use crate::formats::{agentlog, inspect, messages, openhands, otel, swe_agent};
use crate::recording::Format;
use crate::{claude_code, codex, cursor, gemini_cli, native, opencode, pi};

static FORMATS: [Format; 15] = [
    native::FORMAT,
    claude_code::FORMAT,
    codex::transcript::FORMAT,
    gemini_cli::transcript::FORMAT,
    gemini_cli::telemetry::FORMAT,
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

    /// Returns the format of a name or an alias.
    #[must_use]
    pub fn named(name: &str) -> Option<Format> {
        Format::all().find(|format| format.name() == name || format.aliases().contains(&name))
    }
}

/// An agent whose hooks are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// Cursor.
    Cursor,
    /// OpenCode, through a plugin that runs the hook.
    OpenCode,
    /// pi, through an extension that runs the hook.
    Pi,
    /// oh-my-pi, which takes the extension of pi from folders of its own.
    OhMyPi,
    /// Any program that speaks the native events and takes a decision as JSON.
    Native,
}

impl Agent {
    /// Every agent.
    pub const ALL: [Agent; 8] = [
        Agent::ClaudeCode,
        Agent::Codex,
        Agent::GeminiCli,
        Agent::Cursor,
        Agent::OpenCode,
        Agent::Pi,
        Agent::OhMyPi,
        Agent::Native,
    ];

    /// Returns what is known of the agent. There is no other place that tells agents apart.
    pub(crate) fn adapter(self) -> &'static dyn AgentAdapter {
        match self {
            Agent::ClaudeCode => &claude_code::adapter::ClaudeCode,
            Agent::Codex => &codex::adapter::Codex,
            Agent::GeminiCli => &gemini_cli::adapter::GeminiCli,
            Agent::Cursor => &cursor::adapter::Cursor,
            Agent::OpenCode => &opencode::adapter::OpenCode,
            Agent::Pi => &pi::adapter::Pi,
            Agent::OhMyPi => &pi::adapter::OhMyPi,
            Agent::Native => &native::adapter::Native,
        }
    }
}
