//! The adapter of Gemini CLI: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, PROBE_FILE, ProbeCall, Protocol, Unattended};
use crate::answer::Said;
use crate::gemini_cli::{NAME, headless, hook, install, tools, transcript, trust};
use crate::headless::Headless;
use crate::notice::{Answer, Notice};
use crate::own::{Hindrance, Installation};

/// The adapter of Gemini CLI.
pub(crate) struct GeminiCli;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: &["gemini"],
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &[],
    recording: transcript::FORMAT,
    wiring: Some(&install::WIRING),
    protocol: Protocol::Decision,
    refuses_in_silence: false,
    unattended: Unattended::by(&["-p", "--prompt"]),
};

impl AgentAdapter for GeminiCli {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn hangs_without_terminal(&self) -> bool {
        true
    }

    fn trust(&self, installation: &Installation<'_>) -> Vec<Hindrance> {
        trust::hindrances(installation)
    }

    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Ok(&headless::HEADLESS)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        let reads = json!({"file_path": PROBE_FILE});
        call.snake_case("BeforeTool", call.input("run_shell_command", "read_file", reads))
    }
}
