//! Sessions that show problems of rules are true: the test that is made of one fails on the rules as they are written,
//! and holds on the rules as they were meant.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::{BTreeMap, BTreeSet};

use behavior_compiler::diagnostic::{Example, Wanted};
use behavior_compiler::problem::{Problem, problems};
use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::registry::diagnostics;
use behavior_compiler::witness::{as_session, as_test, show};
use behavior_compiler::{Severity, rule_test};
use behavior_rule_tests::{NoRules, Runner, Test};
use behavior_tests::documents::Documents;

/// Lints of rules that nothing which happens would show, and why.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("unused-state", "nobody asks for it, so nothing comes of it"),
    ("empty-message", "what it should say, nobody knows"),
    ("empty-placeholder", "what should stand there, nobody knows"),
    ("literal-placeholder", "the message says what it says, only not what it looks like"),
    ("set-operation-in-pattern", "the pattern means what it says, only not what it looks like"),
    (
        "constant-condition",
        "that a rule never fires holds of all sessions, and no single one shows it",
    ),
    ("no-effect", "what has no effect is not seen"),
    ("no-rules", "there is no rule"),
    ("agent-cannot", "the agent makes the difference, and not what happens"),
    ("agent-told-later", "the agent makes the difference, and not what happens"),
    ("classifier-without-brain", "no model answers in a session like this"),
    ("verifier-without-brain", "no model answers in a session like this"),
    ("unknown-provider", "no model answers in a session like this"),
    ("unusable-brain", "no model answers in a session like this"),
    ("key-in-rules", "who can read the file can read the key"),
];

type Files = WithLibrary<MemoryFiles>;

fn files(name: &str, text: &str, test: Option<(&str, &str)>) -> Files {
    let all = std::iter::once((name, text)).chain(test);
    let project = MemoryFiles::new(all.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let (library, presets) = (behavior_stdlib::file, behavior_stdlib::PROFILES);
    WithLibrary { library, presets, project }
}

/// The problems of a file, with what shows them.
fn shown(name: &str, text: &str) -> Vec<Problem> {
    let files = files(name, text, None);
    let mut found = problems(&behavior_compiler::compile(&files, name));
    show(&files, &mut found);
    found
}

/// What fails of a test beside a file.
fn failures(name: &str, text: &str, test: &str) -> Vec<String> {
    let beside = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let test_name = format!("{beside}shown.test.yaml");
    let files = files(name, text, Some((&test_name, test)));
    let suite = rule_test::read(&files, &test_name).unwrap();
    let faults: Vec<&str> = suite.diagnostics.iter().map(|one| &*one.message).collect();
    assert_eq!(faults, Vec::<&str>::new(), "{test}");
    let mut runner = Runner::new(&files, None, || Box::new(Documents::default()));
    let test = Test { suite: &suite, test: &suite.tests[0], number: 0 };
    match runner.run(test) {
        Ok(result) => result.failures.iter().map(ToString::to_string).collect(),
        Err(no_rules) => match &*no_rules {
            NoRules::Missing(why) => panic!("{why}"),
            NoRules::Broken(broken) => panic!("{:?}", broken.diagnostics),
        },
    }
}

/// The examples of lints of configs, by the name of the lint.
fn of_rules() -> impl Iterator<Item = (&'static str, &'static Example)> {
    let lints = diagnostics::ALL.iter().filter(|kind| kind.severity != Severity::Error);
    let examples = lints.flat_map(|kind| kind.examples.iter().map(|example| (kind.name, example)));
    examples.filter(|(_, example)| example.file == "behavior.yaml")
}

#[test]
fn lints_of_rules_are_shown_or_there_is_a_reason_for_not() {
    let mut without = BTreeSet::new();
    for (name, example) in of_rules() {
        let found = shown(example.file, &example.wrong());
        if found.iter().all(|problem| problem.name != name || problem.witness.is_none()) {
            without.insert(name);
        }
    }
    assert_eq!(without, NOT_SHOWN.iter().map(|(name, _)| *name).collect());
}

#[test]
fn what_is_shown_is_true_and_is_mended_by_what_is_written_instead() {
    for (name, example) in of_rules() {
        let wrong = example.wrong();
        for problem in shown(example.file, &wrong) {
            let Some(witness) = &problem.witness else { continue };
            let test = as_test(example.file, witness);
            assert_ne!(failures(example.file, &wrong, &test), Vec::<String>::new(), "{test}");
            let right = example.right().unwrap();
            // There, the second rule has an id of its own.
            if name != "overridden-rule" {
                let failed = failures(example.file, &right, &test);
                assert_eq!(failed, Vec::<String>::new(), "{name}\n{test}");
            }
        }
    }
}

#[test]
fn what_shows_a_problem_of_a_policy_is_true() {
    let kinds = diagnostics::ALL.iter().flat_map(|kind| kind.examples);
    let mut count = 0;
    for example in kinds.filter(|example| example.file == "behavior/policy.toml") {
        let wrong = example.wrong();
        for witness in shown(example.file, &wrong).iter().filter_map(|it| it.witness.as_ref()) {
            let test = as_test(example.file, witness);
            assert_ne!(failures(example.file, &wrong, &test), Vec::<String>::new(), "{test}");
            count += 1;
        }
    }
    assert!(count >= 4, "{count}");
}

/// The tests that are made of the problems of a config, by the lint.
fn tests_of(text: &str) -> BTreeMap<&'static str, String> {
    let found = shown("behavior.yaml", text);
    let shown = found.iter().filter_map(|it| Some((it.name, it.witness.as_ref()?)));
    shown.map(|(name, witness)| (name, as_test("behavior.yaml", witness))).collect()
}

#[test]
fn what_was_meant_is_what_the_test_expects() {
    let rule = "rule_definitions:\n  - id: a\n    message: Not so.\n";
    let test = |rest: &str| tests_of(&format!("{rule}{rest}")).into_values().next().unwrap();
    let one = |name: &str, event: &str, expected: &str| {
        format!(
            "tests:\n  - name: {name}\n    config: \"behavior.yaml\"\n    events:\n      - {event}\n    expect:\n      - {expected}\n"
        )
    };
    let flags = "    trigger: bash\n    condition: { runs: { program: rm, flags: [-rf] } }\n";
    let call = r#"{"bash":{"command":"rm -rf"}}"#;
    assert_eq!(test(flags), one("\"rm -rf\"", call, r#"{ at: 0, rules: ["a"] }"#));
    let all = "    action: block\n";
    let call = r#"{"read":{"file_path":"a.rs"}}"#;
    let passes = one("\"read(a.rs)\"", call, "{ at: 0, rules: [] }") + "    exactly: true\n";
    assert_eq!(test(all), passes);
    let prices = "    when: on_text\n    condition: { text_matches: 'costs $\\d+' }\n";
    let text = r#"{"text":"costs $1"}"#;
    assert_eq!(test(prices), one("\"costs $1\"", text, r#"{ at: 0, rules: ["a"] }"#));
}

#[test]
fn state_that_nothing_fills_is_shown_by_what_should() {
    let text = "rule_definitions:\n  - { id: first, trigger: edit, condition: target not in seen, message: Read it. }\n\
                state_tracking:\n  sets: { seen: { target: file_path } }\n";
    let found = shown("behavior.yaml", text);
    let witness = found.iter().find(|it| it.name == "never-filled").unwrap();
    let witness = witness.witness.as_ref().unwrap();
    assert_eq!(witness.spelled, "edit(a.rs)");
    assert!(matches!(&witness.wanted, Wanted::Passes { rule, .. } if rule == "first"));
    let session = as_session(witness);
    let tools: Vec<&str> = session.lines().filter(|line| line.contains("tool_call")).collect();
    assert_eq!(tools.len(), 2, "{session}");
    assert!(tools[0].contains("\"read\"") && tools[1].contains("\"edit\""), "{session}");
}

#[test]
fn what_does_not_come_true_is_not_shown() {
    // The rule cannot fire on what the lint is about, since nothing sets the flag.
    let text = "rule_definitions:\n  - { id: a, trigger: bash, message: No., condition: { all: [ { runs: { program: rm, \
                flags: [-rf] } }, { flag_is: { name: saved, value: true } } ] } }\nstate_tracking:\n  flags: { saved: { set_on: [never_called] } }\n";
    let found = tests_of(text);
    let test = found.get("bundled-flags").unwrap();
    assert!(test.contains("never_called"), "{test}");
    let never = text.replace("set_on: [never_called]", "set_when: runs \"true\"");
    assert_eq!(tests_of(&never).get("bundled-flags"), None);
}
