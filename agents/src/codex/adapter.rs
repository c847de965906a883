//! The adapter of Codex CLI: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, ProbeCall, Protocol, Unattended};
use crate::answer::Said;
use crate::codex::{ALIASES, NAME, headless, hook, install, tools, transcript, trust};
use crate::headless::Headless;
use crate::notice::{Answer, Notice};
use crate::own::{Hindrance, Installation};
use crate::transcripts::Transcripts;

/// The adapter of Codex CLI.
pub(crate) struct Codex;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: ALIASES,
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &["edit", "write", "delete", "read"],
    recording: transcript::FORMAT,
    wiring: Some(&install::WIRING),
    protocol: Protocol::HookSpecific,
    refuses_in_silence: false,
    unattended: Unattended::by(&["exec"]),
};

impl AgentAdapter for Codex {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn trust(&self, installation: &Installation<'_>) -> Vec<Hindrance> {
        trust::hindrances(installation)
    }

    fn transcripts(&self, project: &str) -> Option<Transcripts> {
        Some(Transcripts::of_all("sessions", "cwd", project))
    }

    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Ok(&headless::HEADLESS)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        // It reads files through its shell.
        call.snake_case("PreToolUse", call.input("Bash", "Bash", json!({"command": "pwd"})))
    }
}
