//! The adapter of Cursor: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, ProbeCall, Protocol, Unattended};
use crate::answer::Said;
use crate::cursor::{NAME, hook, install, tools, transcript};
use crate::headless::Headless;
use crate::notice::{Answer, Notice};

/// The adapter of Cursor.
pub(crate) struct Cursor;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: &["cursor-agent", "cursor-cli"],
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &[],
    recording: transcript::FORMAT,
    wiring: Some(&install::WIRING),
    protocol: Protocol::Permission,
    refuses_in_silence: false,
    unattended: Unattended::by(&["-p", "--print"]),
};

impl AgentAdapter for Cursor {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn asks_at(&self, event: &str) -> bool {
        hook::asks(event)
    }

    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Err(
            "its models are only reached through the servers of Cursor, so that none of our own can take their place",
        )
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        match call.command {
            Some(command) => json!({
                "conversation_id": call.session, "workspace_roots": [call.cwd], "cwd": call.cwd,
                "hook_event_name": "beforeShellExecution", "command": command,
            }),
            None => json!({
                "conversation_id": call.session, "workspace_roots": [call.cwd], "cwd": call.cwd,
                "hook_event_name": "preToolUse", "tool_name": "Read",
                "tool_input": {"file_path": call.path()}, "tool_use_id": "probe",
            }),
        }
    }
}
