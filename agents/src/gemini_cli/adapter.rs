//! The adapter of Gemini CLI: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, PROBE_FILE, ProbeCall, Protocol};
use crate::answer::Said;
use crate::gemini_cli::{NAME, hook, install, tools};
use crate::notice::{Abilities, Answer, Notice};
use crate::recording::Format;
use crate::tools::Tool;
use crate::wiring::Wiring;

/// The adapter of Gemini CLI.
pub(crate) struct GeminiCli;

impl AgentAdapter for GeminiCli {
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
        crate::gemini_cli::transcript::FORMAT
    }

    fn wiring(&self) -> Option<&'static Wiring> {
        Some(&install::WIRING)
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn protocol(&self) -> Protocol {
        Protocol::Decision
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        let reads = json!({"file_path": PROBE_FILE});
        call.snake_case("BeforeTool", call.input("run_shell_command", "read_file", reads))
    }
}
