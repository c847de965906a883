//! The adapter of programs that speak the native events: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, ProbeCall, Protocol, Unattended};
use crate::native::{FORMAT, NAME, hook};
use crate::notice::Notice;

/// The adapter of programs that speak the native events.
pub(crate) struct Native;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: &[],
    abilities: hook::ABILITIES,
    tools: &[],
    implied_tools: &[],
    recording: FORMAT,
    wiring: None,
    protocol: Protocol::Verdict,
    refuses_in_silence: false,
    unattended: Unattended::UNKNOWN,
};

impl AgentAdapter for Native {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        let (tool, params) = call.input("bash", "read", json!({"file_path": call.path()}));
        json!({"event": "tool_call", "session": call.session, "tool": tool, "params": params})
    }
}
