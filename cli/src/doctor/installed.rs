//! A hook that stands in a settings file, with all that was found out of it.

use behavior_agents::hook::Agent;
use behavior_agents::install::Command;

use super::finding::Finding;
use super::trial::Trial;
use crate::wiring::Scope;

/// A hook in a settings file.
pub struct Installed {
    pub(super) agent: Agent,
    pub(super) scope: Scope,
    /// The file, as users know it.
    pub(super) file: String,
    /// The line or the words that the agent runs; none where the file tells none.
    pub(super) command: Option<Command>,
    /// Whether all events are there, and which not.
    pub(super) events: Finding,
    /// Whether the agent calls it and hears it.
    pub(super) called: Finding,
    /// What keeps it from that.
    pub(super) hindrances: Vec<Finding>,
    /// Whether some of that would not be seen in a copy of the file with the hook.
    pub(super) is_kept_out: bool,
    /// What came of trying it.
    pub(super) trial: Option<Trial>,
}

impl Installed {
    /// Everything that was found out, each with its name.
    pub(super) fn findings(&self) -> Vec<(&'static str, &Finding)> {
        let mut findings = vec![("events", &self.events)];
        if let Some(trial) = &self.trial {
            findings.extend([
                ("program", &trial.program),
                ("fires", &trial.fires),
                ("blocks", &trial.blocks),
                ("fails_closed", &trial.fails_closed),
            ]);
        }
        findings
    }
}
