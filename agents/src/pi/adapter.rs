//! The adapter of pi and oh-my-pi: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, PROBE_FILE, ProbeCall, Protocol};
use crate::notice::{Abilities, Notice};
use crate::pi::{NAME, hook, install, tools};
use crate::recording::Format;
use crate::tools::Tool;
use crate::wiring::Wiring;

/// The adapter of pi and oh-my-pi.
pub(crate) struct Pi;

impl AgentAdapter for Pi {
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
        crate::pi::transcript::FORMAT
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
        let (tool, input) = call.input("bash", "read", json!({"path": PROBE_FILE}));
        json!({
            "hook": "tool_call", "session": call.session, "cwd": call.cwd, "headless": true,
            "event": {"toolName": tool, "toolCallId": "probe", "input": input},
        })
    }
}
