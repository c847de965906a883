//! The adapter of Claude Code: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, ProbeCall, Protocol};
use crate::answer::Said;
use crate::claude_code::{NAME, hook, install, tools};
use crate::notice::{Abilities, Answer, Notice};
use crate::recording::Format;
use crate::tools::Tool;
use crate::wiring::Wiring;

/// The adapter of Claude Code.
pub(crate) struct ClaudeCode;

impl AgentAdapter for ClaudeCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn abilities(&self) -> Abilities {
        hook::ABILITIES
    }

    fn tools(&self) -> &'static [Tool] {
        tools::TOOLS
    }

    fn recording(&self) -> Format {
        crate::claude_code::FORMAT
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

    fn refuses_in_silence(&self) -> bool {
        true
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        call.snake_case("PreToolUse", call.input("Bash", "Read", json!({"file_path": call.path()})))
    }
}
