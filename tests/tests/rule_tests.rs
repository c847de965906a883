//! The rule tests of the standard library and of the examples.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::fs;
use std::path::{Path, PathBuf};

use behavior_tests::rule_tests::{Neighbour, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rule test files below a folder.
fn test_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            test_files(&path, found);
        } else if path.to_str().unwrap().ends_with(".test.yaml") {
            found.push(path);
        }
    }
    found.sort();
}

#[track_caller]
fn check(folder: &str) {
    let mut files = Vec::new();
    test_files(&root().join(folder), &mut files);
    assert!(!files.is_empty(), "{folder} has no rule tests");
    let mut failed = Vec::new();
    for path in files {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let results = run(&text, &Neighbour::of(&path).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("{name}: {} tests", results.len());
        for result in &results {
            if result.failures.is_empty() {
                continue;
            }
            failed.push(format!("{name}: {}\n  {}", result.name, result.failures.join("\n  ")));
        }
    }
    assert!(failed.is_empty(), "{} tests failed:\n\n{}", failed.len(), failed.join("\n\n"));
}

#[test]
fn the_standard_library_does_what_its_tests_say() {
    check("stdlib-profiles");
}

#[test]
fn the_examples_do_what_their_tests_say() {
    check("examples");
}

/// What a test file with this one test reports.
#[track_caller]
fn reports(test: &str, expect: &[&str]) {
    let files = behavior_compiler::provider::MemoryFiles::new([(
        "rules.yaml",
        "rule_definitions: [{ id: beside, trigger: show, message: m }]",
    )]);
    let neighbour = Neighbour { files, entry: "rules.yaml".to_owned() };
    let text = format!("tests:\n  - {}\n", test.trim().replace('\n', "\n    "));
    let results = run(&text, &neighbour).unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].failures, expect, "{test}");
}

#[test]
fn what_fires_and_is_not_expected_fails() {
    let rule = "rules: [{ id: r, trigger: edit, message: \"<{target}>\" }]\n";
    let edit = "events: [edit: { file_path: a.rs }]\n";
    let test = |expect: &str| format!("{rule}{edit}{expect}");
    reports(&test("expect: [{ at: 0, rules: [r], verdict: allow, message: <a.rs> }]"), &[]);
    reports(&test("expect: []"), &[]);
    reports(&test("expect: []\nexactly: true"), &["at 0: nothing was expected, found [\"r\"]"]);
    reports(
        &test("expect: [{ at: 0, rules: [], verdict: deny, message: x }]"),
        &[
            "at 0: expected [], found [\"r\"]",
            "at 0: expected the verdict deny, found allow",
            "at 0: expected \"x\", found [\"<a.rs>\"]",
        ],
    );
    reports(&test("expect: [{ at: 1, rules: [r] }]"), &["there is no event 1"]);
    reports(&test("expect: []\nexpects: []"), &["unknown field `expects` in a rule test"]);
}

#[test]
fn a_test_without_rules_is_about_the_file_beside_it() {
    reports("events: [show: {}]\nexpect: [{ at: 0, rules: [beside] }]", &[]);
}

#[test]
fn findings_before_and_after_a_short_form_stand_at_one_place() {
    let rules = "rules:
  - { id: before, trigger: edit, message: m }
  - { id: after, trigger: edit, when: post_tool, message: m }
  - { id: no, trigger: write, action: block, condition: \"true\", message: m }
  - { id: never, trigger: write, when: post_tool, message: m }
events: [edit: , write: ]
";
    let expect = "expect: [{ at: 0, rules: [before, after] }, { at: 1, rules: [no], verdict: deny }]\nexactly: true";
    reports(&format!("{rules}{expect}"), &[]);
}
