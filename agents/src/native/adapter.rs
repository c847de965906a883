//! The adapter of programs that speak the native events: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, ProbeCall, Protocol};
use crate::native::{NAME, hook};
use crate::notice::{Abilities, Notice};
use crate::recording::Format;

/// The adapter of programs that speak the native events.
pub(crate) struct Native;

impl AgentAdapter for Native {
    fn name(&self) -> &'static str {
        NAME
    }

    fn abilities(&self) -> Abilities {
        hook::ABILITIES
    }

    fn recording(&self) -> Format {
        crate::native::FORMAT
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn protocol(&self) -> Protocol {
        Protocol::Verdict
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        let (tool, params) = call.input("bash", "read", json!({"file_path": call.path()}));
        json!({"event": "tool_call", "session": call.session, "tool": tool, "params": params})
    }
}
