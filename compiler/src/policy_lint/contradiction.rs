//! Rules of one priority that disagree on some calls, where neither is the exception to the other. The
//! stricter of two before the other is how exceptions are written, so what is reported is an order
//! in which the milder rule takes calls from a stricter one that also has others.

use std::collections::{HashMap, HashSet};

use super::call::Call;
use super::outcome::done;
use super::policy::{Decided, Policy, Subject};
use crate::decode::Reports;
use crate::diagnostic::Diagnostic;
use crate::ir::PolicyRule;
use crate::registry::diagnostics as d;

/// So many are reported for one rule, and for a policy.
const MAX_OF_RULE: usize = 3;
const MAX: usize = 64;

pub(super) fn check(policy: &Policy<'_>, shadowed: &HashSet<usize>, reports: &mut Reports) {
    let mut left = MAX;
    for (index, rule) in policy.permissions.rules.iter().enumerate() {
        if left == 0 {
            return;
        }
        if shadowed.contains(&index) {
            continue;
        }
        let mut found: HashMap<usize, Call> = HashMap::new();
        let mut order = Vec::new();
        for subject in policy.subjects_of(index) {
            for other in policy.before(subject, index) {
                let is_known = found.contains_key(&other.rule) || shadowed.contains(&other.rule);
                if is_known || found.len() >= MAX_OF_RULE.min(left) {
                    continue;
                }
                let Some(earlier) = policy.rule(other.rule) else { continue };
                if let Some(call) = disagreement(policy, (earlier, &other), (rule, subject)) {
                    found.insert(other.rule, call);
                    order.push(other.rule);
                }
            }
        }
        left -= found.len();
        for (earlier, call) in order.iter().filter_map(|at| policy.rule(*at).zip(found.get(at))) {
            let witness = call.witness(policy.table, rule.action);
            let report = report(earlier, rule, &call.spelled(policy.table));
            reports.push(report.witness(witness));
        }
    }
}

/// A call on which two alternatives disagree, unless the earlier is an exception to the later rule.
fn disagreement<'a>(
    policy: &Policy<'a>,
    (earlier, other): (&PolicyRule, &Subject<'a>),
    (rule, subject): (&PolicyRule, &Subject<'a>),
) -> Option<Call> {
    let is_same_standing = earlier.priority == rule.priority && earlier.action < rule.action;
    let share_mode = earlier.mode.is_none() || rule.mode.is_none() || earlier.mode == rule.mode;
    let is_known = earlier.facts.is_empty() && rule.facts.is_empty();
    if !is_same_standing || !share_mode || !is_known {
        return None;
    }
    let call = policy.shared(other, subject)?;
    let whole: Vec<_> = policy.subjects_of(subject.rule).copied().collect();
    // What takes the very same calls is no exception, though command lines that nobody knows are left to the
    // later rule, so that it does not stand in the shadow of the earlier one.
    let is_same = other.alternative == subject.alternative;
    if !is_same && policy.covering(other, &whole).is_some() {
        return None;
    }
    // Another rule may have decided already.
    let mode = rule.mode.unwrap_or_else(|| policy.usual_mode(earlier));
    let decides = policy.decide(&call, mode) == Decided::Rule(other.rule);
    decides.then_some(call)
}

fn report(earlier: &PolicyRule, rule: &PolicyRule, call: &str) -> Diagnostic {
    let message = format!(
        "`{}` and `{}` disagree on `{call}`: it is {}, since that rule comes first, and would be {} otherwise",
        earlier.name,
        rule.name,
        done(earlier.action),
        done(rule.action),
    );
    Diagnostic::new(&d::CONTRADICTING_RULES, rule.pattern_span, message)
        .label(earlier.pattern_span, format!("`{}` is looked at first", earlier.name))
        .help("put the stricter rule first, or narrow one of them")
}
