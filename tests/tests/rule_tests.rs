//! The rule tests of the standard library and of the examples.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::rule_test;
use behavior_rule_tests::{NoRules, Runner, Test};
use behavior_tests::documents::Documents;

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

/// What a test file reports, a line for each failure: those of its tests, and what is wrong with the file itself.
fn run(project: MemoryFiles, name: &str) -> Vec<(String, Vec<String>)> {
    let library = behavior_stdlib::file;
    let provider = WithLibrary { library, presets: behavior_stdlib::PROFILES, project };
    let suite = rule_test::read(&provider, name).unwrap();
    let problems: Vec<_> = suite.diagnostics.iter().map(|d| d.message.clone()).collect();
    if !problems.is_empty() {
        return vec![("the file".to_owned(), problems)];
    }
    let mut runner = Runner::new(&provider, None, || Box::new(Documents::default()));
    let tests = suite.tests.iter().enumerate();
    let tests = tests.map(|(number, test)| Test { suite: &suite, test, number });
    let run = |test: Test<'_>| {
        let failures = match runner.run(test) {
            Ok(result) => result.failures.iter().map(ToString::to_string).collect(),
            Err(no_rules) => match &*no_rules {
                NoRules::Missing(why) => vec![why.clone()],
                NoRules::Broken(compilation) => {
                    compilation.diagnostics.iter().map(|d| d.message.clone()).collect()
                }
            },
        };
        (test.name(), failures)
    };
    tests.map(run).collect()
}

fn add_files(folder: &Path, prefix: &str, files: &mut MemoryFiles) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            add_files(&entry.path(), &format!("{name}/"), files);
        } else {
            files.files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

#[track_caller]
fn check(folder: &str) {
    let mut files = Vec::new();
    test_files(&root().join(folder), &mut files);
    assert!(!files.is_empty(), "{folder} has no rule tests");
    let mut failed = Vec::new();
    for path in files {
        let mut project = MemoryFiles::default();
        add_files(path.parent().unwrap(), "", &mut project);
        let results = run(project, path.file_name().unwrap().to_str().unwrap());
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        println!("{name}: {} tests", results.len());
        let failures = results.iter().filter(|(_, failures)| !failures.is_empty());
        failed
            .extend(failures.map(|(test, all)| format!("{name}: {test}\n  {}", all.join("\n  "))));
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

/// A pair of `tests/said`: what a user says, the command that comes of it, and whether a careful person wants to be asked.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
struct Pair {
    /// What he said before, a message of each turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    said: String,
    command: String,
    asked: bool,
    branch: String,
    /// Whether `guard` does not answer so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    open: bool,
}

impl Pair {
    /// What pairs have in common that are tried together.
    fn kind(&self) -> (&str, bool, usize) {
        (&self.branch, self.asked, self.before.len())
    }
}

/// Whether each of some pairs of one branch and one label, with so many messages before, is answered as it is labelled.
fn answers(pairs: &[&Pair], branch: &str, asked: bool, before: usize) -> Vec<bool> {
    let verdict = if asked { "ask" } else { "allow" };
    let mut test = format!(
        "tests:\n  - events:\n      - {{ event: session_start, cwd: /repo, branch: {branch} }}\n"
    );
    let names: Vec<String> = (0..before).map(|turn| format!("before{turn}")).collect();
    for name in names.iter().map(String::as_str).chain(["said"]) {
        writeln!(test, "      - {{ event: turn_start, text: \"{{{{case.{name}}}}}\" }}").unwrap();
    }
    writeln!(
        test,
        "      - bash: {{ command: \"{{{{case.command}}}}\" }}\n    \
         expect: [{{ at: {}, verdict: {verdict} }}]\n    cases:",
        before + 2
    )
    .unwrap();
    for pair in pairs {
        let mut case = serde_json::json!({ "said": pair.said, "command": pair.command });
        for (name, text) in names.iter().zip(&pair.before) {
            case[name] = text.as_str().into();
        }
        writeln!(test, "      - {case}").unwrap();
    }
    let files = [("behavior.yaml", "profile: guard\n"), ("said.test.yaml", &*test)];
    let results = run(MemoryFiles::new(files), "said.test.yaml");
    assert_eq!(results.len(), pairs.len(), "{:?}", results.first());
    results.into_iter().map(|(_, failures)| failures.is_empty()).collect()
}

#[test]
fn the_guard_answers_what_people_say_as_it_is_marked() {
    let path = root().join("tests/said/pairs.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let pairs: Vec<Pair> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut now = pairs.clone();
    let kinds: BTreeSet<(&str, bool, usize)> = pairs.iter().map(Pair::kind).collect();
    for kind in kinds {
        let is_one = |pair: &&Pair| pair.kind() == kind;
        let group: Vec<&Pair> = pairs.iter().filter(is_one).collect();
        let (branch, asked, before) = kind;
        let met = answers(&group, branch, asked, before);
        let own = now.iter_mut().filter(|pair| is_one(&&**pair));
        own.zip(met).for_each(|(pair, is_met)| pair.open = !is_met);
    }
    if std::env::var_os("UPDATE_SAID").is_some() {
        let lines = now.iter().map(|pair| serde_json::to_string(pair).unwrap() + "\n");
        fs::write(&path, lines.collect::<String>()).unwrap();
    }
    let changed: Vec<&Pair> =
        now.iter().zip(&pairs).filter(|(now, before)| now != before).map(|(now, _)| now).collect();
    assert!(
        changed.is_empty(),
        "{} pairs are answered otherwise than they are marked (UPDATE_SAID=1 marks them anew): {changed:#?}",
        changed.len()
    );
}

/// Each recipe is a rule file, and the tests of it.
#[test]
fn the_recipes_do_what_their_tests_say() {
    let text = fs::read_to_string(root().join("docs/recipes.md")).unwrap();
    let blocks = |part: &str| -> Vec<String> {
        let behind = part.split("```yaml\n").skip(1);
        behind.map(|block| block.split("```").next().unwrap().to_owned()).collect()
    };
    let recipes: Vec<&str> = text.split("\n## ").skip(1).collect();
    assert_eq!(recipes.len(), 10, "ten wishes");
    let mut failed = Vec::new();
    for recipe in recipes {
        let [rules, tests] = <[String; 2]>::try_from(blocks(recipe)).unwrap();
        let files = [("behavior.yaml", &*rules), ("behavior.test.yaml", &*tests)];
        let results = run(MemoryFiles::new(files), "behavior.test.yaml");
        assert!(!results.is_empty(), "{recipe}");
        failed.extend(results.into_iter().filter(|(_, failures)| !failures.is_empty()));
    }
    assert_eq!(failed, [], "what a recipe says is not so");
}

/// What a test file with this one test reports.
#[track_caller]
fn reports(test: &str, expect: &[&str]) {
    let text = format!("tests:\n  - {}\n", test.trim().replace('\n', "\n    "));
    let beside = "rule_definitions: [{ id: beside, trigger: show, message: m }]";
    let trace = "{\"event\":\"tool_call\",\"tool\":\"show\",\"params\":{}}\n";
    let files = MemoryFiles::new([
        ("rules.yaml", beside),
        ("rules.test.yaml", &*text),
        ("t.jsonl", trace),
        ("x.snap", "0 tool_call show\n  warn beside: other\n2 events\n"),
    ]);
    let results = run(files, "rules.test.yaml");
    let found: Vec<&String> = results.iter().flat_map(|(_, failures)| failures).collect();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn what_fires_and_is_not_expected_fails() {
    let rule = "rules: [{ id: r, trigger: edit, message: \"<{target}>\" }]\n";
    let edit = "events: [edit: { file_path: a.rs }]\n";
    let test = |expect: &str| format!("{rule}{edit}{expect}");
    reports(&test("expect: [{ at: 0, rules: [r], verdict: allow, message: <a.rs> }]"), &[]);
    reports(&test("expect: [{ at: 0, message_contains: a.r }]"), &[]);
    reports(&test("expect: []"), &[]);
    reports(
        &test("expect: []\nexactly: true"),
        &["at 0: the rule `r` fired, and was not expected"],
    );
    reports(
        &test("expect: [{ at: 0, rules: [], verdict: deny, message: x }]"),
        &[
            "at 0: the rule `r` fired, and was not expected",
            "at 0: expected the verdict `deny`, found `allow`",
            "at 0: expected the message \"x\", found \"<a.rs>\"",
        ],
    );
    reports(&test("expect: [{ at: 1, rules: [r] }]"), &["there is no event 1"]);
    reports(&test("expect: []\nexpects: []"), &["unknown field `expects` in a rule test"]);
    reports(
        &test("expect: [{ at: 0, rules: [rr] }]"),
        &["at 0: expected the rule `rr`, which is not in force; did you mean `r`?"],
    );
}

#[test]
fn other_rules_may_fire_unless_the_test_says_exactly() {
    let rules = "rules:
  - { id: a, trigger: edit, message: m }
  - { id: b, trigger: edit, message: m }
events: [edit: ]
expect: [{ at: 0, rules: [b] }]
";
    reports(rules, &[]);
    reports(&format!("{rules}exactly: true"), &["at 0: the rule `a` fired, and was not expected"]);
}

#[test]
fn a_test_without_rules_is_about_the_file_beside_it() {
    reports("events: [show: {}]\nexpect: [{ at: 0, rules: [beside] }]", &[]);
}

#[test]
fn a_test_named_after_a_policy_is_about_it() {
    let policy = "[[rules]]\nname = \"a\"\naction = \"deny\"\npattern = \"bash(git push *)\"\n";
    let test = "tests:\n  - events: [bash: { command: git push origin }]\n    expect: [{ at: 0, permission: deny }]\n";
    let files = MemoryFiles::new([("p.toml", policy), ("p.test.yaml", test)]);
    let results = run(files, "p.test.yaml");
    assert!(results.iter().all(|(_, failures)| failures.is_empty()), "{results:?}");
    assert_eq!(results.len(), 1);
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

#[test]
fn short_events_say_results_failures_and_turns() {
    let rules = "rules:
  - { id: failed, trigger: bash, when: post_tool, condition: result_failed, message: m }
  - { id: said, when: on_text, condition: { text_matches: unsure }, message: m }
events:
  - turn_start: Fix it
  - { bash: { command: ls }, ok: false, result: no such file }
  - { bash: { command: ls }, result: a.rs }
  - text: I am unsure.
  - compaction
  - clock: 5
  - fs: { path: a.rs, exists: true }
";
    let expect = "expect: [{ at: 1, rules: [failed], state: { turn: 1, total_calls: 1 } }, { at: 3, rules: [said] }]\nexactly: true";
    reports(&format!("{rules}{expect}"), &[]);
}

#[test]
fn events_that_cannot_be_are_reported_with_what_was_meant() {
    let test = |event: &str| format!("events: [{event}]\nexpect: []");
    reports(&test("compactoin"), &["unknown event `compactoin`"]);
    reports(&test("{ event: tex, text: a }"), &["unknown event `tex`"]);
    reports(&test("{ event: text, txt: a }"), &["unknown field `txt` in the event `text`"]);
    reports(&test("{ edit: {}, rseult: a }"), &["unknown field `rseult` in the event `edit`"]);
    reports(&test("bash: ls"), &["the params of the tool `bash` are a mapping, found a string"]);
    reports("expect: []", &["a test needs events"]);
    reports("events: [edit: ]", &["a test that expects nothing cannot fail"]);
    reports(
        "config: {}\nrules: []\nevents: [edit: ]\nexpect: []",
        &["`config` and `rules` exclude each other"],
    );
}

#[test]
fn what_a_session_remembers_can_be_expected() {
    let config = "config:
  state_tracking:
    sets: { seen: { add_on: read } }
    counters: { edits: { increment_on: edit } }
    flags: { done: { set_on: finish } }
events: [read: { file_path: b.rs }, read: { file_path: a.rs }, edit: , finish: ]
";
    let state = "sets: { seen: [a.rs, b.rs] }, counters: { edits: 1 }, flags: { done: true }";
    reports(&format!("{config}expect: [{{ at: 3, state: {{ {state} }} }}]"), &[]);
    let state =
        "turn: 1, sets: { seen: a.rs, sen: [] }, counters: { edits: 2 }, flags: { done: false }";
    reports(
        &format!("{config}expect: [{{ at: 3, state: {{ {state} }} }}]"),
        &[
            "at 3: expected `turn` to be 1, found 0",
            "at 3: expected `a.rs` in the set `seen`, found `a.rs`, `b.rs`",
            "at 3: there is no set called `sen`; did you mean `seen`?",
            "at 3: expected the counter `edits` to be 2, found 1",
            "at 3: expected the flag `done` to be false, found true",
        ],
    );
    let calls = "[{ tool: read, target: b.rs }, { target: a.rs }, { tool: edit }, {}]";
    let state = format!("streak: {{ tool: finish, length: 1 }}, recent: {calls}");
    reports(&format!("{config}expect: [{{ at: 3, state: {{ {state} }} }}]"), &[]);
    let state = "streak: { tool: read, length: 2 }, recent: [{ tool: read }, { target: c.rs }]";
    reports(
        &format!("{config}expect: [{{ at: 1, state: {{ {state} }} }}]"),
        &[
            "at 1: expected 2 recent calls as they are written, found `read` of `b.rs`, `read` of `a.rs`",
        ],
    );
    reports(
        &format!("{config}expect: [{{ at: 1, state: {{ streak: {{ tool: edit, length: 2 }} }} }}]"),
        &["at 1: expected a streak of `edit`, 2 calls, found `read`, 2 calls"],
    );
}

#[test]
fn a_table_runs_the_test_for_each_row() {
    let test = "rules: [{ id: r, trigger: \"*\", condition: { writes: \"*.lock\" }, message: m }]
events: [edit: { file_path: \"{{case.file}}\" }]
expect: [{ at: 0, rules: \"{{case.rules}}\" }]
";
    let rows = "cases: [{ file: a.lock, rules: [r] }, { file: a.rs, rules: [] }]";
    reports(&format!("{test}{rows}"), &[]);
    let wrong = "cases: [{ file: a.lock, rules: [] }, { file: a.rs, rules: [r] }]";
    reports(
        &format!("{test}{wrong}"),
        &[
            "at 0: the rule `r` fired, and was not expected",
            "at 0: expected the rule `r`, and no rule fired",
        ],
    );
    reports(
        &format!("{test}cases: [{{ fil: a.lock, rules: [] }}]"),
        &["this row of `cases` has no `file`"],
    );
}

#[test]
fn a_recording_can_stand_in_for_events() {
    reports("trace: t.jsonl\nexpect: [{ at: 0, rules: [beside] }]", &[]);
    reports(
        "trace: t.jsonl\nexpect: [{ at: 7, rules: [beside] }]",
        &["at 7: there is no such event: the recording has 1"],
    );
    reports(
        "trace: other.jsonl\nexpect: []",
        &["cannot read the recording `other.jsonl`: there is no such file"],
    );
}

#[test]
fn a_snapshot_holds_all_that_was_said() {
    reports(
        "events: [show: ]\nsnapshot: x.snap",
        &["line 2 of the snapshot is `  warn beside: other`, found `  warn beside: m`"],
    );
    reports(
        "events: [show: ]\nsnapshot: y.snap",
        &["there is no snapshot `y.snap` yet: `--update` writes it"],
    );
}

/// A rule that stands in a test points to its own place there, on whatever line.
#[test]
fn rules_in_a_test_keep_their_places() {
    let block = "tests:
  - name: é
    rules:
      - id: r
        trigger: edit
        message: m
    events: [edit: ]
    expect: [{ at: 0, rules: [r] }]
";
    let second = "tests:
  - { name: a, rules: [{ id: r, trigger: edit, message: m }], events: [edit: ], expect: [{ at: 0 }] }
";
    let first = "tests: [{ name: a, rules: [{ id: r, trigger: edit, message: m }], events: [edit: ], expect: [{ at: 0 }] }]
";
    for (text, place) in [(block, (4, 9)), (second, (2, 24)), (first, (1, 28))] {
        let files = WithLibrary {
            library: behavior_stdlib::file,
            presets: behavior_stdlib::PROFILES,
            project: MemoryFiles::new([("x.test.yaml", text)]),
        };
        let suite = rule_test::read(&files, "x.test.yaml").unwrap();
        let file = suite.sources.iter().next().unwrap().1;
        let inline = rule_test::inline_config(file, &suite.tests[0].value).unwrap();
        let files = rule_test::InTest { below: &files, inline: &inline };
        let image = behavior_compiler::compile(&files, &inline.name).image.unwrap();
        let found = image.rules().get(0).unwrap().place;
        assert_eq!((found.file, (found.line, found.column)), ("x.test.yaml", place));
    }
}

#[test]
fn the_native_events_are_those_of_recordings() {
    assert_eq!(rule_test::NATIVE_EVENTS, *behavior_agents::native::EVENTS);
}

#[test]
fn examples_of_rules_are_run() {
    let text = "rule_definitions:
  - id: r
    trigger: bash
    condition: { runs: git push }
    message: m
    examples:
      fires:
        - bash: { command: git push }
        - bash: { command: git status }
        - [read: { file_path: a }, bash: { command: sudo git push }]
      passes:
        - bash: { command: git status }
        - bash: { command: git push -f }
";
    let library = behavior_stdlib::file;
    let project = MemoryFiles::new([("behavior.yaml", text)]);
    let provider = WithLibrary { library, presets: behavior_stdlib::PROFILES, project };
    let mut runner = Runner::new(&provider, None, || Box::new(Documents::default()));
    let rules = runner
        .rules_of(vec!["behavior.yaml".to_owned()], behavior_compiler::Options::default())
        .unwrap();
    let results = behavior_rule_tests::of_rules(&rules, || Box::new(Documents::default()));
    let failed: Vec<_> = results
        .iter()
        .flat_map(|result| result.failures.iter().map(|f| (result.line, f.to_string())))
        .collect();
    assert_eq!(results.len(), 5);
    assert_eq!(
        failed,
        [
            (9, "at 0: the rule `r` does not fire, and should".to_owned()),
            (13, "at 0: the rule `r` fires, and should let this pass".to_owned()),
        ]
    );
}
