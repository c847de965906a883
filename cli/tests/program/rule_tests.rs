//! `behavior test` as its users see it: what is found, what is said of what fails, and how it ends.

use crate::common::Project;

const RULES: &str = "rule_definitions:
  - id: no_push
    trigger: bash
    action: block
    condition: { runs: git push }
    message: Not now.
    examples:
      fires: [bash: { command: sudo git push }]
      passes: [bash: { command: git status }]
  - id: quiet
    trigger: write
    message: m
";

const TESTS: &str = "tests:
  - name: pushes are stopped
    events: [bash: { command: git push }]
    expect: [{ at: 0, rules: [no_push], verdict: deny }]
  - name: a look is allowed
    events: [bash: { command: git status }]
    expect: [{ at: 0, rules: [] }]
    exactly: true
";

const FAILING: &str = "tests:
  - name: a look is stopped
    events: [bash: { command: git status }]
    expect: [{ at: 0, rules: [no_push] }]
";

#[test]
fn tests_and_examples_of_the_project_are_run() {
    let project = Project::new(&[
        ("behavior.yaml", RULES),
        ("behavior.test.yaml", TESTS),
        ("sub/more.test.yaml", TESTS),
        ("sub/foreign.test.yaml", "name: nothing of ours\n"),
    ]);
    let run = project.run("test");
    assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
    assert_eq!(
        run.out,
        "6 tests, 2 of them examples of rules: 6 passed\n\
         rules: 1 of 2 fired in some test; never `quiet`\n"
    );
    let preset = Project::new(&[("behavior.yaml", &format!("profile: dev\n{RULES}"))]);
    let run = preset.run("test");
    assert!(run.out.contains("; never `quiet`; never "), "{run:?}");
    assert!(run.out.contains(" built-in rules\n"), "{run:?}");
    let run = project.run("test sub/more.test.yaml");
    assert!(run.out.starts_with("2 tests: 2 passed\n"), "{run:?}");
    let run = project.run("test behavior.yaml");
    assert!(run.out.starts_with("2 tests, 2 of them examples of rules: 2 passed\n"), "{run:?}");
}

/// A slip of the pen does not make a test one of another program, which nobody runs.
#[test]
fn a_misspelt_test_is_no_test_that_passes() {
    let events = "tests:\n  - name: n\n    evnts: [{ edit: { file_path: a } }]\n    expect: [{ at: 0, rules: [x] }]\n";
    for (name, text) in [
        ("a.test.yaml", events.to_owned()),
        ("tests/a.test.yaml", events.to_owned()),
        ("a.test.yaml", events.replace("tests:", "test:")),
        ("a.test.yaml", events.replace("evnts:", "calls:")),
        ("a.test.yaml", events.replace("tests:", "tests: [")),
    ] {
        for rules in [&[("behavior.yaml", RULES)][..], &[]] {
            let project = Project::new(rules);
            project.write(name, text.as_bytes());
            let run = project.run("test");
            assert_eq!(run.code, 2, "{text}{run:?}");
            assert!(run.err.contains(name), "{text}{run:?}");
        }
    }
    let foreign = Project::new(&[("user.test.json", "{\"tests\": [{\"input\": 1}]}\n")]);
    let run = foreign.run("test");
    assert!(run.err.contains("no file `*.test.yaml` with a list `tests` of events"), "{run:?}");
}

#[test]
fn rules_that_are_named_take_the_place_of_those_near_a_test() {
    let other = RULES.replace("git push", "git fetch");
    let files = [("behavior.yaml", RULES), ("other.yaml", &other), ("behavior.test.yaml", TESTS)];
    let project = Project::new(&files);
    assert_eq!(project.run("test behavior.test.yaml").code, 0);
    let run = project.run("test -c other.yaml behavior.test.yaml");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("failed pushes are stopped (line 2)"), "{run:?}");
}

#[test]
fn who_has_no_test_is_told_how_to_make_one() {
    let rules = "rule_definitions:\n  - { id: quiet, trigger: read, message: x }\n";
    let project = Project::new(&[("behavior.yaml", rules)]);
    let run = project.run("test");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("0 tests: 0 passed\nno rule has a test: "), "{run:?}");
    assert!(run.out.contains("--from-trace"), "{run:?}");
}

#[test]
fn an_explanation_says_what_the_rule_asks_for_and_counts_as_the_test_does() {
    let rules = "state_tracking:\n  flags:\n    saved: { set_on: write }\nrule_definitions:\n  - id: save\n    trigger: bash\n    action: block\n    condition: 'runs \"git push\" and not flag(saved)'\n    message: Save.\n";
    let tests = "tests:\n  - name: a push\n    events:\n      - write: { file_path: a.rs }\n      - bash: { command: git push }\n    expect: [{ at: 1, rules: [save] }]\n";
    let project = Project::new(&[("behavior.yaml", rules), ("behavior.test.yaml", tests)]);
    let run = project.run("test");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("✘ not flag(saved)  ← decided"), "{run:?}");
    // The short form before is two events, and one entry.
    assert!(run.out.contains("      at 1, line 5 of behavior.test.yaml"), "{run:?}");
    assert!(!run.out.contains("event 2"), "{run:?}");
}

#[test]
fn what_fails_is_explained_with_its_place() {
    let project = Project::new(&[("behavior.yaml", RULES), ("behavior.test.yaml", FAILING)]);
    let run = project.run("test behavior.test.yaml");
    assert_eq!(run.code, 1, "{run:?}");
    for part in [
        "behavior.test.yaml\n  failed a look is stopped (line 2)\n",
        "    at 0: expected the rule `no_push`, and no rule fired\n",
        "line 3 of behavior.test.yaml",
        "no_push  did not fire",
        "runs \"git push\"",
        "behavior.yaml:5:16",
        "1 test: 0 passed, 1 failed\n",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
}

#[test]
fn an_example_that_does_not_hold_fails_the_run_and_not_the_check() {
    let rules = RULES.replace("sudo git push", "git fetch");
    let project = Project::new(&[("behavior.yaml", &rules)]);
    assert_eq!(project.run("check").code, 0);
    let run = project.run("test");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("example 1 of `no_push` (fires) (line 8)"), "{run:?}");
    assert!(run.out.contains("the rule `no_push` does not fire, and should"), "{run:?}");
    let rules = RULES.replace("fires:", "fire:");
    let run = Project::new(&[("behavior.yaml", &rules)]).run("test");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("did you mean `fires`?"), "{run:?}");
}

/// Several examples may stand on one line; each is explained by its own event.
#[test]
fn an_example_is_explained_by_its_own_event() {
    let passes = "passes: [bash: { command: ls }, bash: { command: git push }]";
    let rules = RULES.replace("passes: [bash: { command: git status }]", passes);
    let run = Project::new(&[("behavior.yaml", &rules)]).run("test");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("the rule `no_push` fires, and should let this pass"), "{run:?}");
    assert!(!run.out.contains("did not fire"), "{}", run.out);
}

/// A rule that stands in a test is explained in the file that it stands in.
#[test]
fn a_rule_in_a_test_is_explained_in_its_file() {
    let test = "tests:
  - { name: a, rules: [{ id: r, trigger: bash, condition: target exists, message: m }], events: [bash: ], expect: [{ at: 0, rules: [r] }] }
";
    let run = Project::new(&[("l.test.yaml", test)]).run("test l.test.yaml");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("l.test.yaml:2:"), "{}", run.out);
    assert!(!run.out.contains("l.test.yaml.yaml"), "{}", run.out);
}

#[test]
fn what_cannot_be_run_ends_with_2_and_says_why() {
    let project = Project::new(&[
        ("behavior.yaml", RULES),
        ("a.test.yaml", "tests:\n  - evnts: [edit: ]\n    expect: []\n"),
        ("b.test.yaml", "tests:\n  - config: none.yaml\n    events: [edit: ]\n    expect: []\n"),
        (
            "c.test.yaml",
            "tests:\n  - rules:\n      - { id: r, triger: edit }\n    events: [edit: ]\n    expect: []\n",
        ),
    ]);
    for (line, part) in [
        ("test a.test.yaml", "unknown field `evnts` in a rule test"),
        ("test b.test.yaml", "b.test.yaml:2: cannot read `none.yaml`: there is no such file"),
        ("test c.test.yaml", "c.test.yaml:3:18"),
        ("test d.test.yaml", "cannot read `d.test.yaml`: there is no such file"),
    ] {
        let run = project.run(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.err.contains(part), "{line}: {run:?}");
    }
    let run = Project::new(&[]).run("test");
    assert_eq!(run.code, 2);
    assert!(run.err.starts_with("error: nothing to test"), "{run:?}");
}

#[test]
fn snapshots_are_written_when_asked_and_held_against_then() {
    let test = "tests:\n  - name: all\n    events: [bash: { command: git push }]\n    snapshot: snaps/all.snap\n";
    let project = Project::new(&[("behavior.yaml", RULES), ("behavior.test.yaml", test)]);
    let run = project.run("test");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("there is no snapshot `snaps/all.snap` yet"), "{run:?}");
    assert_eq!(project.run("test --update").code, 0);
    let written = std::fs::read_to_string(project.path("snaps/all.snap")).unwrap_or_default();
    assert_eq!(written, "0 tool_call bash: deny\n  block no_push: Not now.\n1 event\n");
    assert_eq!(project.run("test").code, 0);
    project.write("behavior.yaml", RULES.replace("Not now.", "Never.").as_bytes());
    let run = project.run("test");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("line 2 of the snapshot is `  block no_push: Not now.`"), "{run:?}");
}

#[test]
fn a_snapshot_is_written_below_its_test_and_over_nothing_else() {
    let test = |path: &str| {
        format!(
            "tests:\n  - name: all\n    events: [bash: {{ command: git push }}]\n    snapshot: {path}\n"
        )
    };
    let project = Project::new(&[("t/behavior.yaml", RULES), ("kept.txt", "mine\n")]);
    let absolute = project.path("kept.txt");
    for path in ["../kept.txt", "a/../../kept.txt", absolute.to_str().unwrap()] {
        project.write("t/behavior.test.yaml", test(path).as_bytes());
        let run = project.run("test t --update");
        assert!(run.code != 0 && (run.out + &run.err).contains("a snapshot lies in the folder"));
        assert_eq!(project.read("kept.txt"), b"mine\n");
    }
    project.write("t/notes.txt", b"mine\n");
    project.write("t/behavior.test.yaml", test("notes.txt").as_bytes());
    let run = project.run("test t --update");
    assert!(run.code != 0 && run.err.contains("is no snapshot"), "{run:?}");
    assert_eq!(project.read("t/notes.txt"), b"mine\n");
}

#[test]
fn a_test_can_be_made_of_what_happened() {
    let trace = "{\"event\":\"turn_start\",\"text\":\"Push \\\"it\\\"\"}\n\
                 {\"event\":\"tool_call\",\"id\":\"a\",\"tool\":\"bash\",\"params\":{\"command\":\"git push\"}}\n\
                 {\"event\":\"text\",\"text\":\"later\"}\n";
    let project = Project::new(&[("behavior.yaml", RULES), ("t.jsonl", trace)]);
    let run = project.run("test --from-trace t.jsonl --at 1");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.out.contains("later"), "{run:?}");
    project.write("behavior.test.yaml", run.out.as_bytes());
    // What is printed is laid out as `fmt` does it.
    assert_eq!(project.run("fmt --check behavior.test.yaml").code, 0, "{run:?}");
    let run = project.run("test behavior.test.yaml");
    assert!(run.code == 0 && run.out.starts_with("1 test: 1 passed"), "{run:?}");
    let run = project.run("test --from-trace t.jsonl --at 9");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no event 9"), "{run:?}");
}

#[test]
fn programs_read_what_came_of_tests() {
    let project = Project::new(&[("behavior.yaml", RULES), ("behavior.test.yaml", FAILING)]);
    let run = project.run("test --format json behavior.test.yaml");
    let value: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_default();
    let at = |pointer: &str| value.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/version"), 1);
    assert_eq!(at("/tests/0/passed"), false);
    assert_eq!(at("/tests/0/line"), 2);
    assert_eq!(at("/tests/0/failures/0/rule"), "no_push");
    assert_eq!(at("/tests/0/explanations/0/rules/0/rule"), "no_push");
    assert_eq!(at("/summary/failed"), 1);
    assert_eq!(at("/coverage/rules"), 2);
    let run = project.run("test --format github behavior.test.yaml");
    assert_eq!(
        run.out,
        "::error file=behavior.test.yaml,line=2,title=a look is stopped::at 0: expected the rule \
         `no_push`, and no rule fired\n"
    );
    let run = project.run("test --format junit behavior.test.yaml");
    assert!(run.out.contains("<testsuite name=\"behavior.test.yaml\" tests=\"1\""), "{run:?}");
    assert!(run.out.contains("failures=\"1\""), "{run:?}");
}

#[test]
fn only_what_a_change_can_affect_runs_again() {
    use std::io::{BufRead, BufReader};
    let other = TESTS.replace("tests:", "# Others.\ntests:");
    let files = [("behavior.yaml", RULES), ("a.test.yaml", TESTS), ("b.test.yaml", &other)];
    let project = Project::new(&files);
    let mut command = project.command("test --watch a.test.yaml b.test.yaml");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut said = BufReader::new(child.stderr.take().expect("notes")).lines();
    let mut told = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut until = |part: &str| {
        let found = told.by_ref().map_while(Result::ok).find(|line| line.contains(part));
        assert!(found.is_some(), "{part} is not said");
    };
    let mut again = || {
        let mut lines = said.by_ref().map_while(Result::ok);
        let lines: Vec<String> =
            lines.by_ref().take_while(|line| !line.contains("run again when")).collect();
        lines.into_iter().find(|line| line.contains("were run again"))
    };
    until("4 tests: 4 passed");
    assert_eq!(again(), None);
    // What the other file said is told again.
    project.write("b.test.yaml", FAILING.as_bytes());
    until("3 tests: 2 passed, 1 failed");
    assert!(again().is_some_and(|line| line.contains("1 of 2 files")));
    // Both are about these rules.
    project.write("behavior.yaml", format!("{RULES}\n# Changed.\n").as_bytes());
    until("3 tests: 2 passed, 1 failed");
    assert_eq!(again(), None);
    // What was not there is a change too: the nearest rules are others now.
    project.write("b.yaml", RULES.as_bytes());
    until("3 tests: 2 passed, 1 failed");
    assert!(again().is_some_and(|line| line.contains("1 of 2 files")));
    child.kill().expect("it runs still");
    child.wait().expect("it ends");
}

#[test]
fn tests_run_again_when_a_file_changes() {
    use std::io::{BufRead, BufReader};
    let project = Project::new(&[("behavior.yaml", RULES), ("behavior.test.yaml", TESTS)]);
    let mut command = project.command("test --watch behavior.test.yaml");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut until = |part: &str| {
        let found = lines.by_ref().map_while(Result::ok).find(|line| line.contains(part));
        assert!(found.is_some(), "{part} is not said");
    };
    until("2 tests: 2 passed");
    project.write("behavior.test.yaml", FAILING.as_bytes());
    until("1 test: 0 passed, 1 failed");
    child.kill().expect("it runs still");
    child.wait().expect("it ends");
}

/// Where a test says the root of the repository, whole paths are decided on, and what it does not tell is named.
#[test]
fn a_test_says_where_its_repository_is() {
    let rules = "rule_definitions:
  - { id: away, trigger: '*', action: block, condition: { all: [{ writes: { is: outside } }, { not: { param_matches: { param: content, pattern: y } } }] }, message: m }
  - { id: top, trigger: '*', action: block, condition: { writes: '//conf/**' }, message: m }
";
    let test = |root: &str| {
        format!(
            "tests:
  - name: t
{root}    events:
      - write: {{ file_path: /etc/x, content: x }}
      - write: {{ file_path: /repo/conf/x, content: x }}
      - write: {{ file_path: conf/x, content: x }}
    expect:
      - {{ at: 0, rules: [away] }}
      - {{ at: 1, rules: [top] }}
      - {{ at: 2, rules: [top] }}
    exactly: true
"
        )
    };
    let project = Project::new(&[
        ("behavior.yaml", rules),
        ("with.test.yaml", &test("    root: /repo\n")),
        ("without.test.yaml", &test("")),
        ("wrong.test.yaml", &test("    root: repo\n")),
    ]);
    let run = project.run("test with.test.yaml");
    assert_eq!(run.code, 0, "{run:?}");
    let run = project.run("test without.test.yaml");
    assert!(run.out.contains("nothing tells where the root of the repository is"), "{run:?}");
    let marked = run.out.lines().find(|line| line.contains("← decided")).unwrap_or_default();
    assert!(marked.contains("writes is outside"), "{run:?}");
    let run = project.run("test wrong.test.yaml");
    assert!(run.err.contains("the root of a test is a whole path"), "{run:?}");
}
