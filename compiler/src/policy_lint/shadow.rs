//! Rules that never decide a call, since others before them take all that they take.

use std::collections::{HashMap, HashSet};

use behavior_image::code::PermissionAction;

use super::call::Call;
use super::extent::{self, Extent};
use super::outcome::done;
use super::policy::{Decided, Policy, Subject};
use crate::decode::Reports;
use crate::diagnostic::Diagnostic;
use crate::ir::PolicyRule;
use crate::registry::diagnostics as d;

/// Reports them; returns their indexes.
pub(super) fn check(policy: &Policy<'_>, extent: &Extent, reports: &mut Reports) -> HashSet<usize> {
    let mut shadowed: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, rule) in policy.permissions.rules.iter().enumerate() {
        if extent.nothing.contains(&index) {
            continue;
        }
        if let Some((covering, subject)) = covering(policy, index, rule) {
            let covering = deciding(&covering, &shadowed);
            reports.push(report(policy, rule, &covering, &subject));
            shadowed.insert(index, covering);
        }
    }
    shadowed.into_keys().collect()
}

/// Rules, with those in place of each that never decides itself that take all that it takes.
fn deciding(rules: &[usize], shadowed: &HashMap<usize, Vec<usize>>) -> Vec<usize> {
    let of = |rule: &usize| shadowed.get(rule).cloned().unwrap_or_else(|| vec![*rule]);
    let mut rules: Vec<usize> = rules.iter().flat_map(of).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// The rules that take all that a rule takes, and one of its alternatives.
fn covering<'a>(
    policy: &Policy<'a>,
    index: usize,
    rule: &PolicyRule,
) -> Option<(Vec<usize>, Subject<'a>)> {
    let mut all = Vec::new();
    let mut first = None;
    for subject in policy.subjects_of(index) {
        if extent::nothing(policy, subject).is_some() {
            continue;
        }
        let before = policy.before(subject, index);
        for mode in policy.modes(rule) {
            let holds = |other: &Subject<'a>| {
                let own = policy.rule(other.rule).and_then(|rule| rule.mode);
                (own.is_none() || own == mode) && !policy.has_facts(other.rule)
            };
            let others: Vec<_> = before.iter().copied().filter(holds).collect();
            all.extend(policy.covering(subject, &others)?);
        }
        first.get_or_insert(*subject);
    }
    all.sort_unstable();
    all.dedup();
    first.map(|subject| (all, subject))
}

fn report(
    policy: &Policy<'_>,
    rule: &PolicyRule,
    covering: &[usize],
    subject: &Subject<'_>,
) -> Diagnostic {
    let others: Vec<&PolicyRule> =
        covering.iter().filter_map(|index| policy.rule(*index)).collect();
    let names: Vec<String> =
        others.iter().take(3).map(|other| format!("`{}`", other.name)).collect();
    let names = names.join(" and ");
    let is_denied = others.iter().all(|other| other.action == PermissionAction::Deny);
    let is_emptied = rule.action == PermissionAction::Allow && is_denied;
    let decides = |call: &Call| match policy.decide(call, policy.usual_mode(rule)) {
        Decided::Rule(other) => covering.contains(&other),
        Decided::NoRule | Decided::Unknown => false,
    };
    // A rule that takes only some of it may decide on the example before.
    let example = policy.example(subject).filter(decides);
    let call = example.as_ref().map(|call| call.spelled(policy.table));
    let (kind, mut message) = if is_emptied {
        let message = format!("`{}` allows nothing: {names} denies it all before", rule.name);
        (&d::EMPTIED_ALLOW, message)
    } else {
        let verb = if others.len() == 1 { "takes" } else { "together take" };
        let message = format!("`{}` never decides: {names} {verb} all of it before", rule.name);
        (&d::SHADOWED_RULE, message)
    };
    let actions: HashSet<_> = others.iter().map(|other| done(other.action)).collect();
    if let (Some(call), [done]) = (call, actions.into_iter().collect::<Vec<_>>().as_slice()) {
        message += &format!("; `{call}` is {done}");
    }
    let witness = example.and_then(|call| call.witness(policy.table, rule.action));
    let mut diagnostic = Diagnostic::new(kind, rule.pattern_span, message).witness(witness);
    for other in others.iter().take(3) {
        let label = format!("`{}` comes first and is as wide", other.name);
        diagnostic = diagnostic.label(other.pattern_span, label);
    }
    let weaker = others.iter().any(|other| other.priority > rule.priority);
    let is_same = others.iter().all(|other| other.action == rule.action);
    diagnostic.help(match (is_same, weaker) {
        (true, _) => "delete this rule: what it says is said already",
        (false, true) => "narrow the rule of higher priority, or delete this one",
        (false, false) => "move this rule before the other, narrow the other, or delete this one",
    })
}
