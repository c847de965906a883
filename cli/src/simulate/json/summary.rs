//! What everything came to, as JSON.

use std::collections::BTreeMap;

use behavior_runtime::decision::Action;
use behavior_runtime::{Layers, Verdict};
use serde::Serialize;

use super::fields::Fields;
use crate::simulate::summary::{Counts, Hollow, ProblemLine, Summary, by_rule, total};

/// What everything came to.
#[derive(Serialize)]
pub struct SummaryOutput<'a> {
    #[serde(flatten)]
    all: CountsOutput<'a>,
    rules_in_force: u32,
    files: u64,
    sessions: usize,
    problems: u64,
    problem_lines: &'a [ProblemLine],
    truncated: &'a [String],
    without_events: &'a [Hollow],
    unknown_records: u64,
    unknown_kinds: &'a BTreeMap<String, u64>,
    never_run: &'a BTreeMap<&'static str, u64>,
    orphan_results: u64,
    by_session: Fields<'a, CountsOutput<'a>>,
}

#[derive(Serialize)]
struct CountsOutput<'a> {
    events: u64,
    tool_calls: u64,
    turns: u64,
    findings: FindingCounts<'a>,
    verdicts: Fields<'a, u64>,
    permissions: Vec<PermissionCount<'a>>,
    undecided: u64,
    undecided_by_rule: Fields<'a, u64>,
}

#[derive(Serialize)]
struct FindingCounts<'a> {
    total: u64,
    by_rule: Fields<'a, u64>,
    by_action: Fields<'a, u64>,
}

/// What a rule of a policy denied or asked about; `null` is no rule.
#[derive(Serialize)]
struct PermissionCount<'a> {
    rule: Option<&'a str>,
    verdict: &'static str,
    count: u64,
}

impl<'a> SummaryOutput<'a> {
    /// Tells what a simulation under `layers` came to.
    #[must_use]
    pub fn new(summary: &'a Summary, layers: &'a Layers) -> Self {
        let sessions = summary.sessions.iter();
        Self {
            all: counts(&summary.all, layers),
            rules_in_force: layers.rules().len(),
            files: summary.files,
            sessions: summary.sessions.len(),
            problems: summary.problems,
            problem_lines: &summary.problem_lines,
            truncated: &summary.truncated,
            without_events: &summary.hollow,
            unknown_records: summary.stats.unknown.values().sum(),
            unknown_kinds: &summary.stats.unknown,
            never_run: &summary.stats.never_run,
            orphan_results: summary.stats.orphan_results,
            by_session: Fields(
                sessions.map(|(name, of)| (name.as_str(), counts(of, layers))).collect(),
            ),
        }
    }
}

fn counts<'a>(counts: &Counts, layers: &'a Layers) -> CountsOutput<'a> {
    let named = |numbers: &[(u32, u64)]| {
        let named = numbers.iter().map(|(rule, n)| (layers.rules().id(*rule), *n));
        Fields(named.collect())
    };
    let undecided: Vec<(u32, u64)> = by_rule(&counts.undecided).collect();
    let by_action = |action: &Action| (action.name(), counts.of_action(*action));
    CountsOutput {
        events: counts.events,
        tool_calls: counts.tool_calls,
        turns: counts.turns,
        findings: FindingCounts {
            total: counts.found(),
            by_rule: named(&counts.found_by_rule().into_iter().collect::<Vec<_>>()),
            by_action: Fields(Action::ALL.iter().map(by_action).collect()),
        },
        verdicts: Fields(Verdict::ALL.iter().map(|v| (v.name(), counts.verdict(*v))).collect()),
        permissions: counts
            .permissions
            .iter()
            .map(|(refusal, count)| PermissionCount {
                rule: refusal.rule.and_then(|rule| layers.policy().get(rule)).map(|rule| rule.name),
                verdict: if refusal.denies { Verdict::Deny } else { Verdict::Ask }.name(),
                count: *count,
            })
            .collect(),
        undecided: total(&counts.undecided),
        undecided_by_rule: named(&undecided),
    }
}
