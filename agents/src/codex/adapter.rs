//! The adapter of Codex CLI: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, ProbeCall, Protocol};
use crate::answer::Said;
use crate::codex::{NAME, hook, install, tools};
use crate::notice::{Abilities, Answer, Notice};
use crate::recording::Format;
use crate::tools::Tool;
use crate::wiring::Wiring;

/// The adapter of Codex CLI.
pub(crate) struct Codex;

impl AgentAdapter for Codex {
    fn name(&self) -> &'static str {
        NAME
    }

    fn abilities(&self) -> Abilities {
        hook::ABILITIES
    }

    fn tools(&self) -> &'static [Tool] {
        tools::TOOLS
    }

    fn implied_tools(&self) -> &'static [&'static str] {
        &["edit", "write", "delete", "read"]
    }

    fn recording(&self) -> Format {
        crate::codex::transcript::FORMAT
    }

    fn wiring(&self) -> Option<&'static Wiring> {
        Some(&install::WIRING)
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn protocol(&self) -> Protocol {
        Protocol::HookSpecific
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        // It reads files through its shell.
        call.snake_case("PreToolUse", call.input("Bash", "Bash", json!({"command": "pwd"})))
    }
}
