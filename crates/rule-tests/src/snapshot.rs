//! All that rules said to the events of a test, as a text that people compare.

use std::fmt::Write;

use behavior_runtime::Layers;
use behavior_runtime::decision::Verdict;

use crate::play::Outcome;

/// Writes what was decided. Events to which nothing was said are left out.
pub(crate) fn text(outcomes: &[Outcome], layers: &Layers) -> String {
    let mut out = String::new();
    for outcome in outcomes {
        let decision = &outcome.decision;
        let verdict = decision.verdict.filter(|verdict| *verdict != Verdict::Allow);
        let is_silent = verdict.is_none()
            && decision.findings.is_empty()
            && decision.undecided.is_empty()
            && decision.besides.is_none();
        if is_silent {
            continue;
        }
        let verdict = verdict.map(|verdict| format!(": {}", verdict.name())).unwrap_or_default();
        let _ = writeln!(out, "{} {}{verdict}", outcome.at, outcome.event);
        let id = |rule: u32| layers.rules().id(rule);
        for finding in &decision.findings {
            let granted = if finding.granted.is_some() { ", allowed" } else { "" };
            let (action, id) = (finding.action.name(), id(finding.rule));
            let _ = writeln!(out, "  {action} {id}{granted}: {}", indented(&finding.message));
        }
        for undecided in &decision.undecided {
            let _ = writeln!(out, "  undecided {}: {}", id(undecided.rule), undecided.needs);
        }
        let besides = decision.besides();
        for (name, texts) in [("context", &besides.context), ("problem", &besides.problems)] {
            for text in texts {
                let _ = writeln!(out, "  {name}: {}", indented(text));
            }
        }
        if let Some(due) = besides.verifier.as_ref().and_then(|verifier| verifier.due) {
            let _ = writeln!(out, "  verifier: {}", due.reason.name());
        }
        let answer = besides.verifier.as_ref().and_then(|verifier| verifier.answer.as_ref());
        if let Some(flag) = answer.and_then(|answer| answer.flag.as_ref()) {
            let _ = writeln!(out, "  flag: {flag}");
        }
        for notice in &besides.notices {
            let _ = writeln!(out, "  user {}: {}", notice.level.name(), notice.text);
        }
        if let Some(directive) = &besides.directive {
            let _ = writeln!(out, "  directive: {}", indented(directive));
        }
    }
    let count = outcomes.len();
    let _ = writeln!(out, "{count} event{}", if count == 1 { "" } else { "s" });
    out
}

/// Returns whether a text is a snapshot, by how each ends: with how many events there were.
#[must_use]
pub fn is_snapshot(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let count = last.strip_suffix(" events").or_else(|| last.strip_suffix(" event"));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// A text whose further lines stand under its first one.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n    ")
}

/// The first line in which two texts differ, for people.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    let mut lines = (1..).zip(expected.lines().zip(found.lines()));
    if let Some((number, (expected, found))) = lines.find(|(_, (a, b))| a != b) {
        return format!("line {number} of the snapshot is `{expected}`, found `{found}`");
    }
    let (expected, found) = (expected.lines().count(), found.lines().count());
    format!("the snapshot has {expected} lines, found {found}")
}
