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
mod policy;
mod runners;
mod shadow;
mod shape;
#[cfg(test)]
mod tests;
mod tool;

use behavior_runtime::code::PermissionAction;

use crate::decode::Reports;
use crate::ir::Permissions;
use crate::pattern::Pattern;
use crate::programs::Table;
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
        evasion::check(&policy, rule, reports);
    }
}

/// What is done with a call, as the end of a sentence.
fn done(action: PermissionAction) -> &'static str {
    match action {
        PermissionAction::Allow => "allowed",
        PermissionAction::DryRunFirst => "run dry first",
        PermissionAction::Ask => "asked about",
        PermissionAction::Deny => "denied",
    }
}
