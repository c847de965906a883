//! Holds what was decided at an event against what a test expects there.

use std::fmt::Write;

use behavior_compiler::closest;
use behavior_compiler::decode::Spanned;
use behavior_compiler::rule_test::{
    Expectation, ExpectedCall, ExpectedState, ExpectedTransition, ExpectedVerifier,
};
use behavior_runtime::constitution::entry_of;
use behavior_runtime::decision::{Permission, Verdict, Verification};
use behavior_runtime::report::StateReport;
use behavior_runtime::workflow::{Transition, WorkflowError};
use behavior_runtime::{Layers, Session};

use crate::play::Outcome;
use crate::runner::Failure;

/// What happened at one entry of a test: at a short form's call and at its result.
#[derive(Debug, Default)]
pub(crate) struct Seen<'o> {
    /// The ids of the rules that fired, in their order, each as often as it did.
    pub rules: Vec<&'o str>,
    pub messages: Vec<&'o str>,
    undecided: Vec<&'o str>,
    verdict: Option<Verdict>,
    permission: Option<Permission>,
    directives: Vec<&'o str>,
    verifications: Vec<&'o Verification>,
    transition: Option<&'o Transition>,
    state: Option<&'o Session>,
}

impl<'o> Seen<'o> {
    /// Adds what came of an event. What was excepted or allowed has no effect and counts for nothing.
    pub fn add(&mut self, outcome: &'o Outcome, layers: &'o Layers) {
        let decision = &outcome.decision;
        let id = |rule: u32| layers.rules().id(rule);
        for finding in decision.effective() {
            self.rules.push(id(finding.rule));
            self.messages.push(&finding.message);
        }
        self.undecided.extend(decision.undecided.iter().map(|undecided| id(undecided.rule)));
        self.verdict = decision.verdict.or(self.verdict);
        self.permission = decision.permission.or(self.permission);
        self.directives.extend(decision.besides().directive.as_deref());
        self.verifications.extend(decision.besides().verifier.as_ref());
        self.transition = decision.besides().workflow.as_ref().or(self.transition);
        self.state = outcome.state.as_ref().or(self.state);
    }
}

/// Adds to `failures` what is not as expected.
pub(crate) fn compare(
    at: usize,
    expected: &Expectation,
    is_exact: bool,
    seen: &Seen<'_>,
    layers: &Layers,
    failures: &mut Vec<Failure>,
) {
    let fail = |failures: &mut Vec<Failure>, what: String| {
        failures.push(Failure { at: Some(at), what, rule: None });
    };
    if let Some(rules) = &expected.rules {
        let rules: Vec<&str> = rules.0.iter().map(|rule| &*rule.value).collect();
        compare_rules(at, &rules, is_exact, seen, layers, failures);
    } else if is_exact && !seen.rules.is_empty() {
        unexpected(at, &seen.rules, failures);
    }
    if let Some(verdict) = &expected.verdict {
        let (expected, found) = (verdict.value.name(), seen.verdict.map_or("none", Verdict::name));
        if found != expected {
            fail(failures, format!("expected the verdict `{expected}`, found `{found}`"));
        }
    }
    if let Some(message) = &expected.message
        && !seen.messages.iter().any(|found| **found == *message.value)
    {
        let found = quoted(&seen.messages);
        fail(failures, format!("expected the message {:?}, found {found}", message.value));
    }
    if let Some(part) = &expected.message_contains
        && !seen.messages.iter().any(|found| found.contains(&*part.value))
    {
        let found = quoted(&seen.messages);
        fail(failures, format!("expected a message with {:?}, found {found}", part.value));
    }
    if let Some(directive) = &expected.directive
        && !seen.directives.iter().any(|found| **found == *directive.value)
    {
        let found = quoted(&seen.directives);
        fail(failures, format!("expected the directive {:?}, found {found}", directive.value));
    }
    for rule in expected.undecided.iter().flat_map(|undecided| &undecided.0) {
        if !seen.undecided.contains(&&*rule.value) {
            let what = format!("expected that `{}` is undecided, and it is not", rule.value);
            failures.push(Failure { at: Some(at), what, rule: Some(rule.value.to_string()) });
        }
    }
    if let Some(expected) = &expected.verifier {
        let none = Verification::default();
        let found = seen.verifications.last().copied().unwrap_or(&none);
        verifier(&expected.value, found, &mut |what| fail(failures, what));
    }
    if let Some(workflow) = &expected.workflow {
        compare_transition(&workflow.value, seen.transition, &mut |what| fail(failures, what));
    }
    permission(expected, seen, layers, &mut |what| fail(failures, what));
    if let Some(state) = &expected.state {
        match seen.state {
            Some(session) => compare_state(&state.value, session, &mut |what| fail(failures, what)),
            None => fail(failures, "the session is over and remembers nothing".to_owned()),
        }
    }
}

fn compare_transition(
    expected: &ExpectedTransition,
    found: Option<&Transition>,
    fail: &mut dyn FnMut(String),
) {
    let Some(found) = found else {
        return fail("expected something to follow in a workflow, and none runs here".to_owned());
    };
    let number = |number: Option<u32>| number.map_or("none".to_owned(), |one| one.to_string());
    let text = |text: &Option<Spanned<Box<str>>>| text.as_ref().map(|one| one.value.to_string());
    let or_none = |text: Option<&str>| text.unwrap_or("none").to_owned();
    let compared = [
        ("action", text(&expected.action), found.action.name().to_owned()),
        ("step", expected.step.as_ref().map(|one| one.value.text.to_string()), number(found.step)),
        (
            "iteration",
            expected.iteration.as_ref().map(|one| one.value.0.to_string()),
            number(found.iteration),
        ),
        ("agent", text(&expected.agent), or_none(found.agent.as_deref())),
        (
            "risk",
            expected.risk.as_ref().map(|one| one.value.to_string()),
            found.risk.map_or("none".to_owned(), |risk| risk.value().to_string()),
        ),
        ("error", text(&expected.error), or_none(found.error.map(WorkflowError::name))),
        (
            "paused",
            expected.paused.as_ref().map(|one| one.value.to_string()),
            found.paused.to_string(),
        ),
    ];
    for (name, expected, found) in compared {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            fail(format!("expected `{name}` of the workflow to be `{expected}`, found `{found}`"));
        }
    }
    if let Some(part) = &expected.reason_contains
        && !found.reason.as_deref().unwrap_or_default().contains(&*part.value)
    {
        let found = found.reason.as_deref().unwrap_or("none");
        fail(format!("expected a reason with {:?}, found {found:?}", part.value));
    }
}

fn compare_rules(
    at: usize,
    expected: &[&str],
    is_exact: bool,
    seen: &Seen<'_>,
    layers: &Layers,
    failures: &mut Vec<Failure>,
) {
    if expected.is_empty() {
        return unexpected(at, &seen.rules, failures);
    }
    let mut left = seen.rules.clone();
    for rule in expected {
        if let Some(found) = left.iter().position(|found| found == rule) {
            left.remove(found);
            continue;
        }
        let mut what = format!("expected the rule `{rule}`, ");
        if layers.rules().find(rule).is_none() && entry_of(rule).is_none() {
            what.push_str("which is not in force");
            if let Some(near) = closest(rule, layers.rules().iter().map(|rule| rule.id)) {
                let _ = write!(what, "; did you mean `{near}`?");
            }
        } else if seen.rules.is_empty() {
            what.push_str("and no rule fired");
        } else {
            let _ = write!(what, "found {}", named(&seen.rules));
        }
        failures.push(Failure { at: Some(at), what, rule: Some((*rule).to_owned()) });
    }
    if is_exact {
        unexpected(at, &left, failures);
    }
}

/// Adds a failure for each rule that fired and was not expected.
pub(crate) fn unexpected(at: usize, rules: &[&str], failures: &mut Vec<Failure>) {
    for rule in rules {
        let what = format!("the rule `{rule}` fired, and was not expected");
        failures.push(Failure { at: Some(at), what, rule: Some((*rule).to_owned()) });
    }
}

fn verifier(expected: &ExpectedVerifier, found: &Verification, fail: &mut dyn FnMut(String)) {
    let word = |holds: bool| if holds { "" } else { "not " };
    let answer = found.answer.as_ref();
    let asks = found.due.is_some_and(|due| due.asks);
    let flags = answer.is_some_and(|answer| answer.flag.is_some());
    let fails = answer.is_some_and(|answer| answer.error.is_some());
    for (what, expected, found) in [
        ("asked", expected.asks, asks),
        ("found to flag the response", expected.flags, flags),
        ("found to fail", expected.fails, fails),
    ] {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            let (expected, found) = (word(expected), word(found));
            fail(format!("expected the verifier to be {expected}{what}, and it is {found}so"));
        }
    }
    let reason = found.due.map_or("none", |due| due.reason.name());
    if let Some(expected) = expected.reason.as_deref().filter(|expected| *expected != reason) {
        fail(format!("expected the verifier's reason `{expected}`, found `{reason}`"));
    }
    for (what, expected, found) in [
        ("tool calls", &expected.tool_calls, &found.tool_calls),
        ("inspections", &expected.inspections, &found.inspections),
    ] {
        let Some(expected) = expected else { continue };
        let expected: Vec<&str> = expected.0.iter().map(|text| &**text).collect();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        if expected != found {
            let (expected, found) = (named(&expected), named(&found));
            fail(format!("expected the verifier's {what} {expected}, found {found}"));
        }
    }
}

fn permission(
    expected: &Expectation,
    seen: &Seen<'_>,
    layers: &Layers,
    fail: &mut dyn FnMut(String),
) {
    let found = seen.permission.map_or("none", |permission| permission.action.name());
    if let Some(permission) = &expected.permission
        && permission.value.name() != found
    {
        let expected = permission.value.name();
        fail(format!("expected the permission `{expected}`, found `{found}`"));
    }
    if let Some(rule) = &expected.permission_rule {
        let found = seen.permission.and_then(|permission| permission.rule);
        let found = found.and_then(|row| layers.policy().get(row)).map(|rule| rule.name);
        if found != Some(&*rule.value) {
            let found = found.map_or("none".to_owned(), |found| format!("`{found}`"));
            fail(format!("expected the policy's rule `{}`, found {found}", rule.value));
        }
    }
}

/// Holds the tool that ran last and the calls that are remembered against what is expected.
fn compare_calls(expected: &ExpectedState, report: &StateReport<'_>, fail: &mut dyn FnMut(String)) {
    if let Some(streak) = &expected.streak {
        let (tool, length) = report.streak.unwrap_or(("none", 0));
        let is_tool = streak.tool.as_ref().is_none_or(|wanted| **wanted == *tool);
        let is_length = streak.length.is_none_or(|wanted| wanted.0 == i64::from(length));
        if !is_tool || !is_length {
            let wanted = streak.tool.as_deref().unwrap_or("any tool");
            let times = streak.length.map_or("some".to_owned(), |length| length.0.to_string());
            fail(format!(
                "expected a streak of `{wanted}`, {times} calls, found `{tool}`, {length} calls"
            ));
        }
    }
    let Some(calls) = &expected.recent else { return };
    let is_it = |(wanted, found): (&ExpectedCall, &(&str, &str))| {
        wanted.tool.as_ref().is_none_or(|tool| **tool == *found.0)
            && wanted.target.as_ref().is_none_or(|target| **target == *found.1)
    };
    if calls.len() != report.recent.len() || !calls.iter().zip(&report.recent).all(is_it) {
        let shown = |(tool, target): &(&str, &str)| format!("`{tool}` of `{target}`");
        let found: Vec<String> = report.recent.iter().map(shown).collect();
        let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
        fail(format!("expected {} recent calls as they are written, found {found}", calls.len()));
    }
}

fn compare_state(expected: &ExpectedState, session: &Session, fail: &mut dyn FnMut(String)) {
    let report = session.report();
    let numbers = [
        ("turn", expected.turn, i64::from(report.turn)),
        ("calls_this_turn", expected.calls_this_turn, i64::from(report.calls_this_turn)),
        (
            "total_calls",
            expected.total_calls,
            i64::try_from(report.total_calls).unwrap_or(i64::MAX),
        ),
        ("violations", expected.violations, i64::try_from(report.violations).unwrap_or(i64::MAX)),
    ];
    for (name, expected, found) in numbers {
        if let Some(expected) = expected.filter(|expected| expected.0 != found) {
            fail(format!("expected `{name}` to be {}, found {found}", expected.0));
        }
    }
    if let Some(expected) = &expected.last_violation
        && report.last_violation != Some(expected)
    {
        let found = report.last_violation.unwrap_or("none");
        fail(format!("expected the last violation `{expected}`, found `{found}`"));
    }
    compare_calls(expected, &report, fail);
    for (name, targets) in expected.sets.iter().flat_map(|sets| &sets.0) {
        let mut expected: Vec<&str> = targets.0.iter().map(|target| &**target).collect();
        let found = report.sets.iter().find(|(known, _)| *known == &*name.value);
        let Some((_, found)) = found else {
            let known = report.sets.iter().map(|(known, _)| *known);
            fail(nothing_called("set", &name.value, known));
            continue;
        };
        let mut found = found.clone();
        expected.sort_unstable();
        found.sort_unstable();
        if expected != found {
            fail(format!(
                "expected {} in the set `{}`, found {}",
                named(&expected),
                name.value,
                named(&found)
            ));
        }
    }
    let counters = expected.counters.iter().flat_map(|counters| &counters.0);
    for (name, expected) in counters {
        match report.counters.iter().find(|(known, _)| *known == &*name.value) {
            Some((_, found)) if *found == expected.0 => {}
            Some((_, found)) => {
                let name = &name.value;
                fail(format!("expected the counter `{name}` to be {}, found {found}", expected.0));
            }
            None => {
                let known = report.counters.iter().map(|(known, _)| *known);
                fail(nothing_called("counter", &name.value, known));
            }
        }
    }
    for (name, expected) in expected.flags.iter().flat_map(|flags| &flags.0) {
        match report.flags.iter().find(|(known, _)| *known == &*name.value) {
            Some((_, found)) if found == expected => {}
            Some((_, found)) => {
                fail(format!("expected the flag `{}` to be {expected}, found {found}", name.value));
            }
            None => {
                let known = report.flags.iter().map(|(known, _)| *known);
                fail(nothing_called("flag", &name.value, known));
            }
        }
    }
}

fn nothing_called<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> String {
    match closest(name, known) {
        Some(near) => format!("there is no {what} called `{name}`; did you mean `{near}`?"),
        None => format!("there is no {what} called `{name}`"),
    }
}

/// `` `a`, `b` ``, or `nothing`.
fn named(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

fn quoted(texts: &[&str]) -> String {
    match texts {
        [] => "none".to_owned(),
        texts => texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", "),
    }
}
