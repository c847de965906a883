//! The rules that tests expect, held against those that there are. Reports only.

use super::event::EventNode;
use super::named_files::may_bring_rules;
use super::records::{Expectation, RuleTest};
use crate::decode::{Spanned, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::ir::Program;
use crate::provider::SourceProvider;
use crate::registry::diagnostics as d;
use crate::source::Span;

/// The rules that a test names: each with its place.
pub(super) fn named(test: &RuleTest) -> impl Iterator<Item = &Spanned<Box<str>>> {
    test.expect.iter().flatten().flat_map(named_by).flatten()
}

fn named_by(it: &Spanned<Expectation>) -> [&[Spanned<Box<str>>]; 2] {
    [&it.value.rules, &it.value.undecided]
        .map(|list| list.as_ref().map(|names| names.0.as_slice()).unwrap_or_default())
}

/// The rules of a policy that a test names.
fn named_of_policy(test: &RuleTest) -> impl Iterator<Item = &Spanned<Box<str>>> {
    test.expect.iter().flatten().filter_map(|it| it.value.permission_rule.as_ref())
}

/// What is said of the names that no rule of a program has. Sessions that are given rules of their own may have others.
pub(super) fn unknown(
    test: &RuleTest,
    program: &Program,
    provider: &dyn SourceProvider,
    folder: &str,
) -> Vec<Diagnostic> {
    let is_open =
        test.events.iter().flatten().any(brings_rules) || may_bring_rules(provider, folder, test);
    if is_open {
        return Vec::new();
    }
    let rules = program.rules.iter().map(|rule| &*rule.id);
    let rules: Vec<&str> =
        rules.chain(program.monitors.iter().map(|monitor| &*monitor.id)).collect();
    let of_policy = program.permissions.iter().flat_map(|permissions| &permissions.rules);
    let of_policy: Vec<&str> = of_policy.map(|rule| &*rule.name).collect();
    let report = |known: &[&str], name: &Spanned<Box<str>>| {
        (!known.contains(&&*name.value)).then(|| no_rule(&name.value, name.span, known))
    };
    let named = named(test).filter_map(|name| report(&rules, name));
    named.chain(named_of_policy(test).filter_map(|name| report(&of_policy, name))).collect()
}

fn no_rule(name: &str, span: Span, known: &[&str]) -> Diagnostic {
    let message = format!("no rule that this test is about is called `{name}`");
    let diagnostic = Diagnostic::new(&d::UNKNOWN_RULE, span, message);
    did_you_mean(diagnostic, name, known.iter().copied(), "rules in force")
}

/// Whether an event gives its session rules of its own, or stands for events of another kind.
fn brings_rules(event: &EventNode) -> bool {
    let node = &event.0;
    let is_it = |word: Option<&str>| word == Some("constitution");
    is_it(node.as_str())
        || is_it(node.get("event").and_then(|name| name.as_str()))
        || node.entry("constitution").is_some()
}
