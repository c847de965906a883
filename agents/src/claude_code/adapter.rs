//! The adapter of Claude Code: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, ProbeCall, Protocol, Unattended};
use crate::answer::Said;
use crate::claude_code::{FORMAT, NAME, headless, hook, install, tools};
use crate::headless::Headless;
use crate::notice::{Answer, Notice};
use crate::transcripts::Transcripts;

/// The adapter of Claude Code.
pub(crate) struct ClaudeCode;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: &["claude"],
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &[],
    recording: FORMAT,
    wiring: Some(&install::WIRING),
    protocol: Protocol::HookSpecific,
    refuses_in_silence: true,
    unattended: Unattended {
        words: &["-p", "--print"],
        variable: Some(("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")),
    },
};

impl AgentAdapter for ClaudeCode {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn transcripts(&self, project: &str) -> Option<Transcripts> {
        let named: String =
            project.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' }).collect();
        Some(Transcripts::of_project(format!("projects/{named}")))
    }

    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Ok(&headless::HEADLESS)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        call.snake_case("PreToolUse", call.input("Bash", "Read", json!({"file_path": call.path()})))
    }
}
