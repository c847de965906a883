//! The adapter of OpenCode: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, ProbeCall, Protocol};
use crate::notice::{Abilities, Notice};
use crate::opencode::{NAME, hook, install, tools};
use crate::recording::Format;
use crate::tools::Tool;
use crate::wiring::Wiring;

/// The adapter of OpenCode.
pub(crate) struct OpenCode;

impl AgentAdapter for OpenCode {
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
        crate::opencode::transcript::FORMAT
    }

    fn wiring(&self) -> Option<&'static Wiring> {
        Some(&install::WIRING)
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn protocol(&self) -> Protocol {
        Protocol::Verdict
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        let (tool, args) = call.input("bash", "read", json!({"filePath": call.path()}));
        json!({
            "hook": "tool.execute.before", "session": call.session, "cwd": call.cwd,
            "input": {"tool": tool, "sessionID": call.session, "callID": "probe"},
            "output": {"args": args},
        })
    }
}
