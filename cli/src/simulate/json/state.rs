//! The state of a session as JSON.

use behavior_runtime::report::StateReport;
use serde::Serialize;

use super::fields::Fields;

/// A session's state.
#[derive(Serialize)]
pub struct StateOutput<'a> {
    turn: u32,
    calls_this_turn: u32,
    total_calls: u64,
    streak: Streak<'a>,
    violations: u64,
    last_violation: Option<&'a str>,
    sets: Fields<'a, &'a [&'a str]>,
    counters: Fields<'a, i64>,
    flags: Fields<'a, bool>,
    recent: Vec<RecentCall<'a>>,
}

#[derive(Serialize)]
struct Streak<'a> {
    tool: Option<&'a str>,
    length: u32,
}

#[derive(Serialize)]
struct RecentCall<'a> {
    tool: &'a str,
    target: &'a str,
}

impl<'a> StateOutput<'a> {
    /// Tells what `report` tells.
    #[must_use]
    pub fn new(report: &'a StateReport<'a>) -> Self {
        let (tool, length) = report.streak.unzip();
        let recent = report.recent.iter();
        Self {
            turn: report.turn,
            calls_this_turn: report.calls_this_turn,
            total_calls: report.total_calls,
            streak: Streak { tool, length: length.unwrap_or(0) },
            violations: report.violations,
            last_violation: report.last_violation,
            sets: Fields(report.sets.iter().map(|(name, set)| (*name, &**set)).collect()),
            counters: Fields(report.counters.clone()),
            flags: Fields(report.flags.clone()),
            recent: recent.map(|&(tool, target)| RecentCall { tool, target }).collect(),
        }
    }
}
