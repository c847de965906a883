//! The rules in Rego, by the crate `regorus`: compiled to programs of its virtual machine, which is kept and asked again
//! and again, the quickest way that it has.

use std::sync::Arc;

use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;
use regorus::{Engine as Rego, Value};

use super::host::{Engine, Facts, Moment};

const RULES: &str = r#"package rules

import rego.v1

changing := {"edit", "write"}

before contains 0 if { input.tool == "edit"; not input.is_read }
before contains 1 if { input.tool == "write"; input.exists; not input.is_read }
before contains 2 if { input.tool == "read"; input.reads >= 3 }
before contains 3 if { input.tool == "bash"; regex.match(`(?i)(^|\| |; |&& )(cat|head|tail|less|more|bat|sed|awk|perl -[pi]) `, input.command) }
before contains 4 if { input.tool == "bash"; regex.match(`(?i)find \. |ls -lra|ls -r |tree |dir /s`, input.command) }
before contains 5 if { input.tool == "bash"; regex.match(`(?i)rm -rf|git reset --hard|git push --force|git push -f|git clean -fd|drop table|drop database|truncate table`, input.command) }
before contains 6 if { not input.has_text; input.calls == 0 }
before contains 7 if { input.streak >= 8 }
before contains 8 if { input.tool == "bash"; contains(input.command, "sudo ") }
before contains 9 if { input.tool in changing; endswith(input.path, ".env") }
before contains 10 if { input.tool == "bash"; startswith(input.command, "git push") }
before contains 11 if { input.tool in {"read", "grep", "glob", "web_search"} }
before contains 12 if { input.tool in changing; startswith(input.path, "src/") }

after contains 0 if { input.tool == "edit" }
after contains 1 if { input.tool in changing; input.changes >= 3 }
after contains 2 if { input.calls == 8 }
after contains 3 if { input.tool == "read"; input.streak >= 5 }
after contains 4 if { input.tool in changing; input.lint_errors > 0 }

said contains 0 if { regex.match(`(?i)not sure|unsure|don't know|uncertain|can't remember`, input.text); not input.has_searched }

tests contains 0 if { regex.match(`(?i)pytest|npm test|cargo test|go test`, input.command) }
"#;

/// Rego, a machine for each set of rules.
pub struct Regorus {
    before: RegoVM,
    after: RegoVM,
    text: RegoVM,
    tests: RegoVM,
}

impl Regorus {
    pub fn new() -> Self {
        let mut engine = Rego::new();
        engine
            .add_policy("rules.rego".to_owned(), RULES.to_owned())
            .expect("the rules can be read");
        let mut compile = |rule: &str| {
            let policy =
                engine.compile_with_entrypoint(&Arc::from(rule)).expect("the rules compile");
            let program =
                Compiler::compile_from_policy(&policy, &[rule]).expect("the rules compile");
            let mut machine = RegoVM::new_with_policy(policy);
            machine.load_program(program);
            machine
        };
        Self {
            before: compile("data.rules.before"),
            after: compile("data.rules.after"),
            text: compile("data.rules.said"),
            tests: compile("data.rules.tests"),
        }
    }
}

/// The conditions that hold, a bit for each.
fn run(machine: &mut RegoVM, input: Value) -> u32 {
    machine.set_input(input);
    let holding = machine.execute().expect("the rules can be run");
    let holding = holding.as_set().expect("the rules give a set");
    let place = |place: &Value| place.as_u32().expect("the set holds small numbers");
    holding.iter().fold(0, |all, one| all | 1 << place(one))
}

impl<'t> Engine<'t> for Regorus {
    fn holding(&mut self, moment: Moment, facts: Facts<'t>) -> u32 {
        let input: Value = [
            ("tool", Value::from(facts.tool)),
            ("path", facts.path.into()),
            ("command", facts.command.into()),
            ("text", facts.text.into()),
            ("is_read", facts.is_read.into()),
            ("exists", facts.exists.into()),
            ("has_searched", facts.has_searched.into()),
            ("has_text", facts.has_text.into()),
            ("reads", facts.reads.into()),
            ("changes", facts.changes.into()),
            ("calls", facts.calls.into()),
            ("streak", facts.streak.into()),
            ("lint_errors", facts.lint_errors.into()),
        ]
        .into_iter()
        .map(|(name, value)| (Value::from(name), value))
        .collect::<std::collections::BTreeMap<_, _>>()
        .into();
        let machine = match moment {
            Moment::Before => &mut self.before,
            Moment::After => &mut self.after,
            Moment::Text => &mut self.text,
        };
        run(machine, input)
    }

    fn runs_tests(&mut self, facts: Facts<'t>) -> bool {
        let input = std::collections::BTreeMap::from([("command".into(), facts.command.into())]);
        run(&mut self.tests, input.into()) != 0
    }
}
