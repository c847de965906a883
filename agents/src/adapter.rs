//! What an agent is, as far as anything here depends on it. Each agent's folder has one adapter, and
//! [`registry`](crate::registry) lists them all. Nothing here knows any of them.

use serde_json::Value;

use crate::answer::{self, Said};
use crate::headless::Headless;
use crate::notice::{Abilities, Answer, Notice};
use crate::own::{Hindrance, Installation};
use crate::recording::Format;
use crate::tools::Tool;
use crate::transcripts::Transcripts;
use crate::wiring::Wiring;

/// What is known of an agent, apart from how it speaks.
pub(crate) struct AgentFacts {
    /// The name that commands and events use, such as `claude-code`.
    pub(crate) name: &'static str,
    /// What it is called besides.
    pub(crate) aliases: &'static [&'static str],
    /// What its hooks can do.
    pub(crate) abilities: Abilities,
    /// The tools that are known of it, in the order of their native names.
    pub(crate) tools: &'static [Tool],
    /// The canonical tools as calls of which its patches and shell commands are told, too.
    pub(crate) implied_tools: &'static [&'static str],
    /// The format of the recordings that it writes.
    pub(crate) recording: Format,
    /// Where and how its hooks are set, if it has settings for them.
    pub(crate) wiring: Option<&'static Wiring>,
    /// How it takes an answer.
    pub(crate) protocol: Protocol,
    /// Whether exit code 2 refuses without a text on standard error, too.
    pub(crate) refuses_in_silence: bool,
    /// What shows that it was given all that it does, and nobody sits before it.
    pub(crate) unattended: Unattended,
}

/// What shows that an agent runs with nobody before it. What shows nothing may be attended.
pub(crate) struct Unattended {
    /// Words of its command line; what follows a `=` in one does not count.
    pub(crate) words: &'static [&'static str],
    /// A variable that it sets for its hooks, and the value that says so.
    pub(crate) variable: Option<(&'static str, &'static str)>,
}

impl Unattended {
    /// For an agent that says so in its events, or never.
    pub(crate) const UNKNOWN: Self = Self::by(&[]);

    /// For one whose command line shows it.
    pub(crate) const fn by(words: &'static [&'static str]) -> Self {
        Self { words, variable: None }
    }
}

/// An agent whose hooks are known.
pub(crate) trait AgentAdapter: Sync {
    /// Returns what is known of it.
    fn facts(&self) -> &'static AgentFacts;

    /// Reads what it wrote to its hook's standard input.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, for people.
    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String>;

    /// Writes an answer.
    fn answer(&self, _notice: &Notice<'_>, said: Said) -> Answer {
        answer::plain(said)
    }

    /// Tells whether its user can be asked at the event of this name, if at any.
    fn asks_at(&self, _event: &str) -> bool {
        true
    }

    /// Tells whether an ask hangs where nobody sits at the agent's terminal, which its events do not tell.
    fn hangs_without_terminal(&self) -> bool {
        false
    }

    /// Returns where it keeps the recordings of a project, by the project's whole path; `None` where that is not known.
    fn transcripts(&self, _project: &str) -> Option<Transcripts> {
        None
    }

    /// Returns what it has not been told yet by its user, so that it does not call our hooks.
    fn trust(&self, _installation: &Installation<'_>) -> Vec<Hindrance> {
        Vec::new()
    }

    /// Returns how it is started with nobody at it, against a model on this machine, or why it cannot be.
    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Err("how to start it with nobody at it, against a model on this machine, is not known")
    }

    /// Returns the event that it sends before a call of its shell with a command, or before one that reads.
    fn probe(&self, call: &ProbeCall<'_>) -> Value;
}

/// How an agent takes an answer before a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// `permissionDecision` for the event, else `decision`. No answer lets the call happen.
    HookSpecific,
    /// `decision`. No answer lets the call happen.
    Decision,
    /// `permission`. There is always an answer.
    Permission,
    /// `verdict`, for a program that runs the hook and takes any failure for a refusal.
    Verdict,
}

/// A call to try a hook with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeCall<'a> {
    /// The command line, of a call of the shell.
    pub(crate) command: Option<&'a str>,
    pub(crate) session: &'a str,
    pub(crate) cwd: &'a str,
}

/// A file for calls that read.
pub(crate) const PROBE_FILE: &str = "README.md";

impl ProbeCall<'_> {
    /// Returns the whole path of the file to read.
    pub(crate) fn path(&self) -> String {
        format!("{}/{PROBE_FILE}", self.cwd)
    }

    /// Returns the parameters of the shell, or else `reads`, and which of two tools that is.
    pub(crate) fn input<'t>(
        &self,
        shell: &'t str,
        reader: &'t str,
        reads: Value,
    ) -> (&'t str, Value) {
        match self.command {
            Some(command) => (shell, serde_json::json!({"command": command})),
            None => (reader, reads),
        }
    }

    /// Returns the payload of agents whose hooks are like those of Claude Code.
    pub(crate) fn snake_case(&self, event: &str, (tool, input): (&str, Value)) -> Value {
        serde_json::json!({
            "session_id": self.session, "cwd": self.cwd, "hook_event_name": event,
            "tool_name": tool, "tool_input": input, "tool_use_id": "probe",
        })
    }
}
