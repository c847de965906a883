//! The adapter of Cursor: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, ProbeCall, Protocol};
use crate::answer::Said;
use crate::cursor::{NAME, hook, install, tools};
use crate::notice::{Abilities, Answer, Notice};
use crate::recording::Format;
use crate::tools::Tool;
use crate::wiring::Wiring;

/// The adapter of Cursor.
pub(crate) struct Cursor;

impl AgentAdapter for Cursor {
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
        crate::cursor::transcript::FORMAT
    }

    fn wiring(&self) -> Option<&'static Wiring> {
        Some(&install::WIRING)
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn protocol(&self) -> Protocol {
        Protocol::Permission
    }

    fn answer(&self, notice: &Notice<'_>, said: Said) -> Answer {
        hook::answer(notice, said)
    }

    fn asks_at(&self, event: &str) -> bool {
        hook::asks(event)
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
