//! Completion holds to what `check` takes, and knows what the files of a project name.

use super::{Project, RuleFile, Store};
use crate::provider::{MemoryFiles, WithLibrary};

/// A standard library as small as can be.
fn library(name: &str) -> Option<&'static str> {
    match name {
        "rules.yaml" => Some("state_tracking:\n  sets:\n    read_files: { add_on: [read] }\n"),
        "programs.yaml" => Some("programs: { git: {} }\n"),
        "classes.yaml" => Some("command_classes: {}\n"),
        "dev.yaml" => Some("name: dev\n"),
        _ => None,
    }
}

/// What is offered at the cursor of one of some files, the last, by its label.
fn labels(files: &[(&str, &str)]) -> Vec<String> {
    let (name, marked) = files.last().expect("a file");
    let offset = marked.find('‸').expect("a cursor") as u32;
    let text = marked.replacen('‸', "", 1);
    let others = files[..files.len() - 1].iter().copied();
    let project = MemoryFiles::new(others.chain([(*name, text.as_str())]));
    let provider = WithLibrary { library, presets: &["dev"], project };
    let file = RuleFile::new(*name, text.clone());
    let project = Project { provider: &provider, store: &Store::default() };
    let found = super::complete(&file, project, offset);
    found.into_iter().map(|completion| completion.label).collect()
}

fn in_config(marked: &str) -> Vec<String> {
    labels(&[("behavior.yaml", marked)])
}

#[track_caller]
fn has(found: &[String], wanted: &[&str], unwanted: &[&str]) {
    for name in wanted {
        assert!(found.iter().any(|known| known == name), "no `{name}` in {found:?}");
    }
    for name in unwanted {
        assert!(found.iter().all(|known| known != name), "`{name}` in {found:?}");
    }
}

#[test]
fn conditions_and_placeholders_are_those_of_the_phase() {
    let rule = |when: &str, rest: &str| {
        format!("rule_definitions:\n  - id: a\n    when: {when}\n    {rest}\n    trigger: \"*\"\n")
    };
    for when in ["on_text", "turn_end"] {
        let found = in_config(&rule(when, "condition: ‸"));
        has(&found, &["not"], &["target not in read_files", "target is secret"]);
        let found = in_config(&rule(when, "condition:\n      ‸"));
        has(&found, &["all"], &["target_not_in_set", "param_matches"]);
        let found = in_config(&rule(when, "message: \"{‸\""));
        has(&found, &["turn"], &["target", "tool", "param"]);
    }
    let found = in_config(&rule("pre_tool", "condition: ‸"));
    has(&found, &["target not in read_files"], &["result contains \"made\""]);
    has(&in_config(&rule("pre_tool", "message: \"{‸\"")), &["target", "param"], &[]);
}

#[test]
fn samples_have_names_that_there_are() {
    let rule = "rule_definitions:\n  - id: a\n    trigger: bash\n    condition: ";
    has(&in_config(&format!("{rule}fl‸")), &[], &["flag(backup_created)"]);
    let declared = format!("state_tracking:\n  flags:\n    asked: {{ set_on: ask }}\n{rule}fl‸");
    has(&in_config(&declared), &["flag(asked)"], &["flag(backup_created)"]);
    let found = in_config(&format!("{rule}param‸"));
    assert!(found.iter().any(|it| it.starts_with("param(command) ")), "{found:?}");
    assert!(found.iter().all(|it| !it.starts_with("param(query)")), "{found:?}");
}

#[test]
fn events_of_tests_have_their_own_fields() {
    let test = |event: &str| {
        let text = format!("tests:\n  - name: a\n    events:\n      - {event}\n");
        labels(&[("behavior.yaml", "profile: dev\n"), ("behavior.test.yaml", &text)])
    };
    let call = test("{ event: tool_call, ‸ }");
    has(&call, &["id", "tool", "params", "session", "ts"], &["ok", "result", "event"]);
    has(&test("{ event: tool_result, id: x, ‸ }"), &["ok", "result"], &["id", "exists"]);
    has(&test("{ bash: { command: ls }, ‸ }"), &["ok", "result", "session", "ts"], &["id"]);
    has(&test("fs: { ‸ }"), &["path", "exists"], &["command"]);
    has(&test("{ event: tool_call, tool: ‸ }"), &["bash", "web_fetch"], &[]);
    has(&test("{ event: tool_call, tool: bash, params: { ‸ } }"), &["command"], &["tool"]);
    assert_eq!(test("{ bash: { command: ls }, ok: ‸ }"), ["true", "false"]);
}

/// A project that has tools of its own.
const CONFIG: &str = "\
rule_definitions:
  - id: a
    trigger: [database.execute]
    condition: 'param(query) matches \"DROP\"'
    message: No.
state_tracking:
  flags:
    ready: { set_on: database.backup }
";

#[test]
fn tools_that_the_project_names_are_offered() {
    let own = format!("{CONFIG}    other: {{ set_on: dat‸ }}\n");
    has(&in_config(&own), &["database.execute", "database.backup"], &["dat"]);
    let rule = CONFIG.replace("[database.execute]", "dat‸").replace("ready", "go");
    has(&in_config(&rule), &["database.backup"], &[]);
    let beside = |name: &str, text: &str| labels(&[("behavior.yaml", CONFIG), (name, text)]);
    let test = |event: &str| {
        beside(
            "behavior.test.yaml",
            &format!("tests:\n  - name: a\n    events:\n      - {event}\n"),
        )
    };
    has(&test("dat‸"), &["database.execute", "database.backup"], &[]);
    has(&test("database.execute: { ‸ }"), &["query"], &["command"]);
    let policy = "[[rules]]\nname = \"a\"\naction = \"deny\"\npattern = \"dat‸\"\n";
    has(&beside("behavior/policy.toml", policy), &["database.execute"], &[]);
    let trace = "rules:\n  - id: a\n    kind: forbidden_tool\n    params:\n      tool: dat‸\n";
    has(&beside("behavior/x.policy.yaml", trace), &["database.execute"], &[]);
    // What only a test or a policy names is a tool, too.
    let test = "tests:\n  - name: a\n    events:\n      - ledger.post: { amount: 1 }\n";
    let rule = "rule_definitions:\n  - id: a\n    trigger: led‸\n";
    let found = labels(&[("behavior.test.yaml", test), ("behavior.yaml", rule)]);
    has(&found, &["ledger.post"], &[]);
    let rule = "rule_definitions:\n  - id: a\n    trigger: ledger.post\n    condition: param(‸\n";
    let found = labels(&[("behavior.test.yaml", test), ("behavior.yaml", rule)]);
    assert_eq!(found.first().map(String::as_str), Some("amount"), "{found:?}");
}
