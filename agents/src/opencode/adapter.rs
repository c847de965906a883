//! The adapter of OpenCode: everything that is known of it, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, ProbeCall, Protocol, Unattended};
use crate::headless::Headless;
use crate::notice::Notice;
use crate::opencode::{NAME, headless, hook, install, tools, transcript};

/// The adapter of OpenCode.
pub(crate) struct OpenCode;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: &[],
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &[],
    recording: transcript::FORMAT,
    wiring: Some(&install::WIRING),
    protocol: Protocol::Verdict,
    refuses_in_silence: false,
    unattended: Unattended::by(&["run"]),
};

impl AgentAdapter for OpenCode {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Ok(&headless::HEADLESS)
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
