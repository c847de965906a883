//! Everything that was found out, and how bad it is.

use super::checks::{Check, Failed};
use super::finding::Level;
use super::installed::Installed;
use super::live::Seen;

/// Everything that was found out.
pub struct Diagnosis {
    pub(super) installed: Vec<Installed>,
    pub(super) checks: Vec<Check>,
    pub(super) failures: Vec<Failed>,
    /// What was seen of agents that were started.
    pub(super) live: Vec<Seen>,
}

impl Diagnosis {
    fn levels(&self) -> impl Iterator<Item = Level> {
        let of_hooks = self.installed.iter().flat_map(Installed::findings);
        let of_hooks = of_hooks.map(|(_, finding)| finding.level);
        let hindrances = self.installed.iter().flat_map(|one| &one.hindrances);
        let of_hooks = of_hooks.chain(hindrances.map(|finding| finding.level));
        let of_checks = self.checks.iter().map(|check| check.finding.level);
        let of_live = self.live.iter().map(|seen| seen.finding.level);
        let of_checks = of_checks.chain(of_live);
        of_hooks.chain(of_checks).chain(self.failures.first().map(|_| Level::Warning))
    }

    pub(super) fn worst(&self) -> Level {
        self.levels().max().unwrap_or(Level::Good)
    }

    pub(super) fn count(&self, level: Level) -> usize {
        self.levels().filter(|found| *found == level).count()
    }
}
