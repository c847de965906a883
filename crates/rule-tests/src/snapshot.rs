//! All that rules said to the events of a test, as a text that people compare.

use std::collections::HashMap;
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

/// How two texts differ, for people: the first line that does, and what is no longer said, or new.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    let (before, after) = (said(expected), said(found));
    let gone = listed("no longer said", &without(&before, &after));
    let new = listed("new", &without(&after, &before));
    format!("{}{gone}{new}", first_difference(expected, found))
}

fn first_difference(expected: &str, found: &str) -> String {
    let mut lines = (1..).zip(expected.lines().zip(found.lines()));
    if let Some((number, (expected, found))) = lines.find(|(_, (a, b))| a != b) {
        return format!("line {number} of the snapshot is `{expected}`, found `{found}`");
    }
    let (expected, found) = (expected.lines().count(), found.lines().count());
    format!("the snapshot has {expected} lines, found {found}")
}

/// So many of the things that are no longer said, or new, are named.
const MAX_NAMED: usize = 5;

/// What was said, without its words, such as `warn read_first`, each with the number of its event.
fn said(text: &str) -> Vec<(&str, &str)> {
    let mut at = "";
    let mut found = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("  ") {
            None => at = line.split(' ').next().unwrap_or_default(),
            // What goes on from the line above.
            Some(rest) if rest.starts_with(' ') => {}
            Some(rest) => found.push((at, rest.split(':').next().unwrap_or_default())),
        }
    }
    found
}

/// What stands in one list and not in another; of the same things, as many as are left.
fn without<'t>(list: &[(&'t str, &'t str)], other: &[(&str, &str)]) -> Vec<(&'t str, &'t str)> {
    let mut left: HashMap<(&str, &str), usize> = HashMap::new();
    for one in other {
        *left.entry(*one).or_default() += 1;
    }
    let mut is_missing = |one: &&(&'t str, &'t str)| match left.get_mut(*one) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    list.iter().filter(|one| is_missing(one)).copied().collect()
}

fn listed(what: &str, said: &[(&str, &str)]) -> String {
    if said.is_empty() {
        return String::new();
    }
    let named = said.iter().take(MAX_NAMED).map(|(at, label)| format!("`{label}` at {at}"));
    let more = match said.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("; {what}: {}{more}", named.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn what_falls_away_and_what_is_new_is_named() {
        let before = "11 tool_result\n  warn careless: Look.\n    Twice.\n12 tool_call bash\n  block push: No.\n13 events\n";
        let after = "12 tool_call bash\n  block push: Never.\n  remind b: x\n13 events\n";
        assert_eq!(
            difference(before, after),
            "line 1 of the snapshot is `11 tool_result`, found `12 tool_call bash`; no longer said: `warn careless` at 11; \
             new: `remind b` at 12"
        );
        let other = before.replace("No.", "Never.");
        assert_eq!(
            difference(before, &other),
            "line 5 of the snapshot is `  block push: No.`, found `  block push: Never.`"
        );
    }
}
