//! The state of a session in terms for people: names instead of indexes.

use crate::classifier::{ActionView, SetView, SnapshotInput, snapshot};
use crate::session::Session;
use behavior_facts::path::relative_to;

/// A session's state, names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateReport<'a> {
    /// The turn, from 1; 0 before the first.
    pub turn: u32,
    /// Calls of this turn that have ended.
    pub calls_this_turn: u32,
    /// Calls that have ended.
    pub total_calls: u64,
    /// The tool that ran last and how often in a row.
    pub streak: Option<(&'a str, u32)>,
    /// How many findings count as violations.
    pub violations: u64,
    /// The id of the rule of the last violation.
    pub last_violation: Option<&'a str>,
    /// Each set's name and targets, oldest use first; paths under the working directory relative to it.
    pub sets: Vec<(&'a str, Vec<&'a str>)>,
    /// Each counter's name and value.
    pub counters: Vec<(&'a str, i64)>,
    /// Each flag's name and value.
    pub flags: Vec<(&'a str, bool)>,
    /// The last calls, oldest first: tool and target.
    pub recent: Vec<(&'a str, &'a str)>,
}

impl Session {
    /// The state in terms for people.
    #[must_use]
    pub fn report(&self) -> StateReport<'_> {
        let state = &self.engine.state;
        let image = self.image();
        let cwd = self.cwd();
        StateReport {
            turn: state.turn,
            calls_this_turn: state.turn_calls,
            total_calls: state.total_calls,
            streak: state.streak.map(|(name, length)| (self.engine.tools.name(name), length)),
            violations: state.violations,
            last_violation: state
                .last_violation
                .and_then(|rule| image.rules().get(rule))
                .map(|r| r.id),
            sets: image
                .sets()
                .zip(&state.sets)
                .map(|(name, set)| (name, set.iter().map(|t| relative_to(t, cwd)).collect()))
                .collect(),
            counters: image.counters().zip(state.counters.iter().copied()).collect(),
            flags: image.flags().zip(state.flags.iter().copied()).collect(),
            recent: state
                .recent
                .iter()
                .map(|(name, t)| (self.engine.tools.name(name), t))
                .collect(),
        }
    }
}

impl Session {
    /// The state as the classifier is told of it.
    #[must_use]
    pub fn snapshot(&self) -> String {
        let report = self.report();
        snapshot(&SnapshotInput {
            turn: report.turn,
            total_calls: report.total_calls,
            calls_this_turn: u64::from(report.calls_this_turn),
            streak: report.streak,
            violations: report.violations,
            last_violation: report.last_violation,
            sets: report.sets.iter().map(|(name, targets)| set_view(name, targets)).collect(),
            counters: report
                .counters
                .iter()
                .map(|&(name, value)| (name, value.unsigned_abs()))
                .collect(),
            active_flags: report
                .flags
                .iter()
                .filter(|(_, is_set)| *is_set)
                .map(|(name, _)| *name)
                .collect(),
            recent_actions: report
                .recent
                .iter()
                .map(|&(tool, target)| action(tool, target))
                .collect(),
        })
    }
}

fn set_view<'a>(name: &'a str, targets: &[&'a str]) -> SetView<'a> {
    const SHOWN: usize = 5;
    let recent = targets.iter().skip(targets.len().saturating_sub(SHOWN)).copied().collect();
    SetView { name, count: targets.len(), recent }
}

fn action<'a>(tool: &'a str, target: &'a str) -> ActionView<'a> {
    ActionView { tool, target: (!target.is_empty()).then_some(target) }
}
