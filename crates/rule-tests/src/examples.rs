//! The `examples` of rules: calls on which a rule fires, and others that it lets pass.

use std::sync::Arc;

use behavior_compiler::ir::Rule;
use behavior_compiler::rule_test::{ExampleEvents, steps};

use crate::compare::Seen;
use crate::play;
use crate::rules::Rules;
use crate::runner::{Failure, MakeHost, TestResult};

/// Runs the examples of all rules that are in force.
#[must_use]
pub fn of_rules(rules: &Arc<Rules>, host: MakeHost) -> Vec<TestResult> {
    let mut results = Vec::new();
    for rule in &rules.compilation.program.rules {
        // Each list is counted by itself, from 1, as people do.
        let fires = (1..).zip(rule.examples.fires.iter().flatten());
        let passes = (1..).zip(rule.examples.passes.iter().flatten());
        let fires = fires.map(|(number, example)| (number, example, true));
        for (number, example, must_fire) in
            fires.chain(passes.map(|(number, example)| (number, example, false)))
        {
            results.push(run(rules, rule, number, example, must_fire, host));
        }
    }
    results
}

fn run(
    rules: &Arc<Rules>,
    rule: &Rule,
    number: usize,
    example: &ExampleEvents,
    must_fire: bool,
    host: MakeHost,
) -> TestResult {
    let steps = steps(&example.events);
    let source = rules.compilation.sources.get(example.span.file);
    let list = if must_fire { "fires" } else { "passes" };
    let mut result = TestResult {
        file: source.map(|source| source.name.clone()).unwrap_or_default(),
        line: source.map_or(0, |source| source.position(example.span.start).line),
        span: example.span,
        name: format!("example {number} of `{}` ({list})", rule.id),
        failures: Vec::new(),
        fired: Vec::new(),
        rules: Some(Arc::clone(rules)),
        snapshot: None,
    };
    let outcomes = match play::steps(&rules.layers, &steps, host(), &|_| false) {
        Ok(outcomes) => outcomes,
        Err((at, why)) => {
            result.failures.push(Failure { at: Some(at), what: why, rule: None });
            return result;
        }
    };
    let last = example.events.len().saturating_sub(1);
    let mut seen = Seen::default();
    for outcome in outcomes.iter().filter(|outcome| outcome.at == last) {
        seen.add(outcome, &rules.layers);
    }
    let fired = seen.rules.contains(&&*rule.id);
    result.fired = outcomes.iter().flat_map(|o| &o.decision.findings).map(|f| f.rule).collect();
    if fired != must_fire {
        let what = match must_fire {
            true => format!("the rule `{}` does not fire, and should", rule.id),
            false => format!("the rule `{}` fires, and should let this pass", rule.id),
        };
        result.failures.push(Failure { at: Some(last), what, rule: Some(rule.id.to_string()) });
    }
    result
}
