//! Lints on a whole policy: rules that never decide, contradict each other, say nothing or too much,
//! or are easily got around. Patterns are compared as languages, never by samples: what is claimed
//! holds for every call, and each claim comes with a call that shows it.
//!
//! This module looks at the typed program alone. It knows no file and no spelling of rules but their
//! patterns, and it changes nothing.

mod call;
mod contradiction;
mod evasion;
mod extent;
mod language;
mod outcome;
mod policy;
mod runners;
mod shadow;
mod shape;
#[cfg(test)]
mod tests;
mod tool;

use crate::decode::Reports;
use crate::ir::Permissions;
use crate::pattern::Pattern;
use crate::programs::Table;
use crate::registry::diagnostics as d;
use policy::Policy;

/// Looks at a policy. `patterns` are those of its program.
pub(crate) fn check(
    permissions: &Permissions,
    patterns: &[Pattern],
    table: &Table,
    reports: &mut Reports,
) {
    let policy = Policy::new(permissions, patterns, table);
    let extent = extent::check(&policy, reports);
    let shadowed = shadow::check(&policy, &extent, reports);
    contradiction::check(&policy, &shadowed, reports);
    let is_worth_a_look = |rule: &usize| !shadowed.contains(rule) && !extent.all.contains(rule);
    let examples = runners::examples(table);
    for rule in (0..permissions.rules.len()).filter(is_worth_a_look) {
        runners::check(&policy, rule, &examples, reports);
        // How to get around a pattern is no news where it is said that it means something else.
        if !is_misread(&policy, rule, reports) {
            evasion::check(&policy, rule, reports);
        }
    }
}

/// Whether the pattern of a rule was reported as one that reads otherwise than it looks.
fn is_misread(policy: &Policy<'_>, rule: usize, reports: &Reports) -> bool {
    let Some(rule) = policy.rule(rule) else { return false };
    let mut misread =
        reports.diagnostics.iter().filter(|one| one.kind.name == d::MISREAD_PATTERN.name);
    misread.any(|diagnostic| rule.pattern_span.contains(diagnostic.span))
}
