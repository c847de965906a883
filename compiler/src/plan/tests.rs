use behavior_runtime::event::Value as EventValue;
use serde_json::json;

use super::{Checked, read};
use crate::diagnostic::Severity;

fn names(checked: &Checked) -> Vec<&'static str> {
    checked.diagnostics.iter().map(|one| one.kind.name).collect()
}

#[track_caller]
fn check(text: &str, expect: &[&str], is_valid: bool) {
    let checked = read("a.plan.json", text);
    assert_eq!(names(&checked), expect, "{text}");
    assert_eq!(checked.is_valid(), is_valid, "{text}");
}

#[test]
fn every_fault_is_found_at_once() {
    for text in ["[]", "null", "5", r#""a plan""#, "true"] {
        check(text, &["wrong-type"], false);
    }
    check("", &["syntax"], false);
    check("{}", &["missing-field"], false);
    check(r#"{"steps": {}, "explain": "e"}"#, &["wrong-type"], false);
    check(r#"{"steps": null, "explain": "e"}"#, &["wrong-type"], false);
    let text = r#"{"steps": ["read", {}, {"tool": ""}, {"tool": 1}, {"tool": null}, {"tool": " "},
        {"tool": "read", "args": {}}, {"tool": "read", "args": null}, {"tool": "read", "kwargs": []},
        {"tool": "read", "kwargs": null}], "explain": "e"}"#;
    let checked = read("a.plan.json", text);
    let found: Vec<_> =
        checked.diagnostics.iter().map(|one| (one.kind.name, checked.step_at(one.span))).collect();
    assert_eq!(
        found,
        [
            ("wrong-type", Some(0)),
            ("missing-field", Some(1)),
            ("empty-name", Some(2)),
            ("wrong-type", Some(3)),
            ("wrong-type", Some(4)),
            ("empty-name", Some(5)),
            ("wrong-type", Some(6)),
            ("wrong-type", Some(7)),
            ("wrong-type", Some(8)),
        ]
    );
    // The place is the value's own.
    let third = &checked.diagnostics[2];
    assert_eq!(&text[third.span.start as usize..third.span.end as usize], r#""""#);
}

#[test]
fn what_nobody_reads_is_a_fault() {
    check(
        r#"{"step": [{"tool": "read", "args": ["a"]}], "explain": "e"}"#,
        &["unknown-field"],
        false,
    );
    check(r#"{"steps": [{"tool": "ls", "kwarg": {}}], "explain": "e"}"#, &["unknown-field"], false);
}

#[test]
fn lints_are_warnings() {
    let all = r#"{"steps": [
        {"tool": "Raed", "args": ["a"]},
        {"tool": "Read", "args": ["a", {"limit": 3}]},
        {"tool": "Edit", "args": ["b", "x", "y"]},
        {"tool": "Bash", "args": ["cat a"]},
        {"tool": "TodoWrite", "args": [[{"content": "c", "status": "done"}]]}
    ]}"#;
    check(
        all,
        &[
            "no-explanation",
            "unknown-tool",
            "options-in-args",
            "edit-without-read",
            "shell-for-files",
            "unknown-todo-state",
        ],
        true,
    );
    let checked = read("a.plan.json", all);
    assert!(checked.diagnostics.iter().all(|one| one.severity == Severity::Warning));
    assert_eq!(checked.diagnostics[1].help.as_deref(), Some("did you mean `read`?"));
    assert_eq!(checked.step_at(checked.diagnostics[0].span), None);
}

#[test]
fn files_that_were_read_under_another_spelling_were_read() {
    check(
        r#"{"steps": [{"tool": "READ", "kwargs": {"path": "./src/../a.py"}},
            {"tool": "multiedit", "args": ["a.py", [{"old": "x", "new": "y"}]]}], "explain": "e"}"#,
        &[],
        true,
    );
}

#[test]
fn commands_that_are_for_no_file_tool_are_left_alone() {
    for command in
        ["cargo test | tail -5", "git status", "ps aux | grep x", "echo done", "make 2>/dev/null"]
    {
        let text =
            json!({"steps": [{"tool": "bash", "args": [command]}], "explain": "e"}).to_string();
        check(&text, &[], true);
    }
    for command in ["ls -la", "sed -i s/a/b/ f", "echo x > f", "cd src && cat a.rs", "grep -r x ."]
    {
        let text =
            json!({"steps": [{"tool": "bash", "args": [command]}], "explain": "e"}).to_string();
        check(&text, &["shell-for-files"], true);
    }
}

#[test]
fn a_step_is_a_call_with_canonical_names() {
    let text = r#"{"steps": [
        {"tool": "MultiEdit", "args": ["a", []]},
        {"tool": "edit", "args": ["a", "x", "y", {"replace_all": true}]},
        {"tool": "write", "args": ["a", "x", {"force": true}]},
        {"tool": "write", "args": ["a", "x"], "kwargs": {"force": true}},
        {"tool": "deploy", "args": ["now"], "kwargs": {"to": "prod"}}
    ], "explain": "e"}"#;
    let steps = read("a.plan.json", text).plan.steps;
    let call = steps[0].call();
    assert_eq!((&*call.tool, call.native_tool.as_deref()), ("edit", Some("multi_edit")));
    assert_eq!(call.param("file_path"), Some(&EventValue::Text("a".into())));
    assert_eq!(steps[1].call().param("replace_all"), Some(&EventValue::Json("true".into())));
    assert_eq!(steps[2].arguments().problem.as_deref(), Some("`force` counts only in `kwargs`"));
    assert!(!steps[2].forces() && steps[3].forces());
    assert_eq!(steps[3].arguments().problem, None);
    let deploy = steps[4].call();
    assert_eq!((&*deploy.tool, deploy.params.len()), ("deploy", 2));
}

#[test]
fn huge_plans_take_time_in_proportion() {
    let step = r#"{"tool":"Edit","args":["a","b","c"]},"#;
    let text = format!(r#"{{"steps":[{}{{"tool":"ls"}}],"explain":"e"}}"#, step.repeat(100_000));
    let checked = read("a.plan.json", &text);
    assert_eq!(checked.plan.steps.len(), 100_001);
    assert_eq!(names(&checked), ["edit-without-read"]);
    let deep = format!(r#"{{"steps":{}}}"#, "[".repeat(100_000));
    assert!(!read("a.plan.json", &deep).is_valid());
}
