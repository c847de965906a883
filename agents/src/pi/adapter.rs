//! The adapters of pi and oh-my-pi: everything that is known of them, in one place.

use serde_json::{Value, json};

use crate::adapter::{AgentAdapter, AgentFacts, PROBE_FILE, ProbeCall, Protocol, Unattended};
use crate::headless::Headless;
use crate::notice::Notice;
use crate::own::{Hindrance, Installation};
use crate::pi::{NAME, headless, hook, install, tools, transcript, trust};
use crate::transcripts::Transcripts;

/// The adapter of pi.
pub(crate) struct Pi;

static FACTS: AgentFacts = AgentFacts {
    name: NAME,
    aliases: &["pi-coding-agent"],
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &[],
    recording: transcript::FORMAT,
    wiring: Some(&install::WIRING),
    protocol: Protocol::Verdict,
    refuses_in_silence: false,
    unattended: Unattended::by(&["-p", "--print"]),
};

/// The adapter of oh-my-pi, which differs from pi in where it looks for its extensions.
pub(crate) struct OhMyPi;

static OH_MY_PI: AgentFacts = AgentFacts {
    name: "oh-my-pi",
    aliases: &["omp"],
    abilities: hook::ABILITIES,
    tools: tools::TOOLS,
    implied_tools: &[],
    recording: transcript::FORMAT,
    wiring: Some(&install::OH_MY_PI),
    protocol: Protocol::Verdict,
    refuses_in_silence: false,
    unattended: Unattended::by(&["-p", "--print"]),
};

impl AgentAdapter for OhMyPi {
    fn facts(&self) -> &'static AgentFacts {
        &OH_MY_PI
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        Pi.probe(call)
    }
}

impl AgentAdapter for Pi {
    fn facts(&self) -> &'static AgentFacts {
        &FACTS
    }

    fn read<'a>(&self, text: &'a str) -> Result<Notice<'a>, String> {
        hook::read(text)
    }

    fn trust(&self, installation: &Installation<'_>) -> Vec<Hindrance> {
        trust::hindrances(installation)
    }

    fn transcripts(&self, project: &str) -> Option<Transcripts> {
        let named = project.trim_start_matches(['/', '\\']).replace(['/', '\\', ':'], "-");
        Some(Transcripts::of_project(format!("sessions/--{named}--")))
    }

    fn headless(&self) -> Result<&'static Headless, &'static str> {
        Ok(&headless::HEADLESS)
    }

    fn probe(&self, call: &ProbeCall<'_>) -> Value {
        let (tool, input) = call.input("bash", "read", json!({"path": PROBE_FILE}));
        json!({
            "hook": "tool_call", "session": call.session, "cwd": call.cwd, "headless": true,
            "event": {"toolName": tool, "toolCallId": "probe", "input": input},
        })
    }
}
