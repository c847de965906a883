//! `behavior diff`: two recordings under one policy, and recordings under two sets of rules.

use crate::common::Project;
use serde_json::{Value, json};

const POLICY: &str = "\
rules:
  - { id: no-deploys, kind: no_call, params: { tool: deploy } }
  - { id: budget, kind: max_total_tokens, params: { limit: 10 }, severity: warning }
  - { id: polite, kind: must_include_text, params: { text: thanks }, severity: info }
";

/// A response that calls tools, says a text and uses tokens.
fn response(tools: &[&str], text: &str, tokens: u64) -> String {
    let calls = tools.iter().map(|name| json!({ "type": "tool_use", "name": name, "input": {} }));
    let content: Vec<Value> =
        std::iter::once(json!({ "type": "text", "text": text })).chain(calls).collect();
    let usage = json!({ "input_tokens": tokens });
    format!("{}\n", json!({ "event": "response", "content": content, "usage": usage }))
}

fn project() -> Project {
    let good = response(&["read"], "thanks", 3);
    let bad = response(&["deploy", "deploy"], "no", 30);
    Project::new(&[
        ("p.policy.yaml", POLICY),
        ("good.jsonl", &good),
        ("bad.jsonl", &bad),
        ("other-figures.jsonl", &response(&["read", "deploy"], "no", 77)),
    ])
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|found| found["rule"].as_str().unwrap()).collect()
}

#[test]
fn regressions_and_fixes_are_told_apart() {
    let value = project().json("diff good.jsonl bad.jsonl -c p.policy.yaml --format json");
    assert_eq!(names(&value["regressions"]), ["no-deploys", "no-deploys", "budget", "polite"]);
    assert_eq!((&value["fixes"], &value["unchanged"]), (&json!([]), &json!(0)));
    assert_eq!((&value["worst"], &value["version"]), (&json!("severe"), &json!(1)));
    let first = &value["regressions"][0];
    assert_eq!(first["kind"], "no_call");
    assert_eq!((&first["pair"], &first["session"]), (&json!(0), &json!("default")));
    assert_eq!((&first["line"], &first["index"]), (&json!(1), &json!(0)));
    assert_eq!(value["regressions"][2]["pair"], Value::Null);
    let back = project().json("diff bad.jsonl good.jsonl -c p.policy.yaml --format json");
    assert_eq!(names(&back["fixes"]), ["no-deploys", "no-deploys", "budget", "polite"]);
    assert_eq!((&back["regressions"], &back["worst"]), (&json!([]), &json!("none")));
    assert_eq!(back["summary"]["by_rule"]["no-deploys"], json!({ "regressions": 0, "fixes": 2 }));
}

#[test]
fn figures_make_no_other_violation() {
    let value = project().json("diff bad.jsonl other-figures.jsonl -c p.policy.yaml --format json");
    assert_eq!(names(&value["regressions"]), [""; 0]);
    assert_eq!(names(&value["fixes"]), ["no-deploys"]);
    assert_eq!(value["unchanged"], 3);
}

#[test]
fn a_trace_does_not_differ_from_itself() {
    for name in ["good.jsonl", "bad.jsonl"] {
        let value = project().json(&format!("diff {name} {name} -c p.policy.yaml --format json"));
        assert_eq!((&value["regressions"], &value["fixes"]), (&json!([]), &json!([])));
    }
}

#[test]
fn the_gate_trips_at_the_worst_regression() {
    let check = |sides: &str, level: &str, expect: i32| {
        let run = project().run(&format!("diff {sides} -c p.policy.yaml --fail-on {level}"));
        assert_eq!(run.code, expect, "{sides} {level}: {}", run.out);
        assert!(run.out.contains("unchanged"), "what was found is told first: {}", run.out);
    };
    check("good.jsonl bad.jsonl", "none", 0);
    check("good.jsonl bad.jsonl", "severe", 1);
    check("bad.jsonl good.jsonl", "minor", 0);
    check("bad.jsonl other-figures.jsonl", "minor", 0);
    let warning = POLICY.replace("{ tool: deploy }", "{ tool: none }");
    let project = Project::new(&[
        ("p.policy.yaml", &warning),
        ("a.jsonl", &response(&[], "thanks", 3)),
        ("b.jsonl", &response(&[], "thanks", 30)),
    ]);
    for (level, expect) in [("severe", 0), ("moderate", 1), ("minor", 1)] {
        let run = project.run(&format!("diff a.jsonl b.jsonl -c p.policy.yaml --fail-on {level}"));
        assert_eq!(run.code, expect, "{level}");
    }
}

#[test]
fn lines_that_are_not_understood_never_pass_a_gate() {
    let project = Project::new(&[
        ("p.policy.yaml", POLICY),
        ("a.jsonl", &response(&[], "thanks", 3)),
        ("b.jsonl", &format!("{}{{\"event\":\"respons\"}}\n", response(&[], "thanks", 3))),
    ]);
    let command = "diff a.jsonl b.jsonl -c p.policy.yaml";
    let run = project.run(command);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("b.jsonl:2: unknown event `respons`"), "{}", run.err);
    assert_eq!(project.run(&format!("{command} --fail-on severe")).code, 1);
    assert_eq!(project.run(&format!("{command} --strict")).code, 2);
    let value = project.json(&format!("{command} --format json"));
    assert_eq!(value["summary"]["candidate"]["problems"], 1);
}

#[test]
fn every_format_names_the_rule_and_the_place() {
    let formats = [
        ("pretty", "+ error no-deploys"),
        ("jsonl", "\"change\":\"regression\""),
        ("markdown", "| `no-deploys` | error |"),
        ("github", "::error file=bad.jsonl,line=1,title=regression%3A no-deploys::"),
        ("junit", "<testcase name=\"no-deploys\" classname=\"rule\">\n            <failure"),
        ("sarif", "\"ruleId\": \"no-deploys\""),
    ];
    for (format, expect) in formats {
        let command = format!("diff good.jsonl bad.jsonl -c p.policy.yaml --format {format}");
        let run = project().run(&command);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains(expect), "{format}:\n{}", run.out);
    }
}

#[test]
fn sessions_with_names_by_chance_are_looked_at_together() {
    let policy =
        "rules:\n  - { id: each, kind: max_turns, params: { limit: 1 }, scope: session }\n";
    let trace = |names: &[&str]| -> String {
        let line = |name: &&str| json!({ "event": "response", "session": name }).to_string();
        names.iter().map(|name| line(name) + "\n").collect()
    };
    let project = Project::new(&[
        ("p.policy.yaml", policy),
        ("a.jsonl", &trace(&["u1", "u1", "u2"])),
        ("b.jsonl", &trace(&["v1", "v1", "v2"])),
        ("c.jsonl", &trace(&["v1", "v2", "v2"])),
        ("d.jsonl", &trace(&["v1", "v1", "v2", "v2"])),
    ]);
    let count = |command: &str| {
        let value = project.json(&format!("diff {command} -c p.policy.yaml --format json"));
        (names(&value["regressions"]).len(), names(&value["fixes"]).len())
    };
    assert_eq!(count("a.jsonl b.jsonl"), (0, 0));
    assert_eq!(count("a.jsonl c.jsonl"), (0, 0));
    assert_eq!(count("a.jsonl d.jsonl"), (1, 0));
}

/// Two sessions, of which the ones in `deploys` deploy.
fn sessions(names: &[&str], deploys: &[&str]) -> String {
    let line = |name: &&str| {
        let tool = if deploys.contains(name) { "deploy" } else { "read" };
        let content = json!([{ "type": "tool_use", "name": tool, "input": {} }]);
        format!("{}\n", json!({ "event": "response", "content": content, "session": name }))
    };
    names.iter().map(line).collect()
}

#[test]
fn a_fix_in_one_session_hides_no_regression_in_another() {
    let rule = |scope: &str| {
        format!(
            "rules:\n  - {{ id: no-deploys, kind: no_call, params: {{ tool: deploy }}, scope: {scope} }}\n"
        )
    };
    let project = Project::new(&[
        ("session.policy.yaml", &rule("session")),
        ("trace.policy.yaml", &rule("trace")),
        ("base.jsonl", &sessions(&["a", "b", "c"], &["a", "c"])),
        ("swap.jsonl", &sessions(&["a", "b", "c"], &["b", "c"])),
        ("renamed.jsonl", &sessions(&["x", "y", "z"], &["y", "z"])),
    ]);
    let json = |side: &str, scope: &str| {
        project.json(&format!("diff base.jsonl {side} -c {scope}.policy.yaml --format json"))
    };
    let swap = json("swap.jsonl", "session");
    assert_eq!(swap["regressions"][0]["session"], "b");
    assert_eq!(swap["fixes"][0]["session"], "a");
    assert_eq!((&swap["unchanged"], &swap["worst"]), (&json!(1), &json!("severe")));
    // A rule on the whole trace does not tell sessions apart, but what moved is said.
    let swap = json("swap.jsonl", "trace");
    assert_eq!((&swap["regressions"], &swap["unchanged"]), (&json!([]), &json!(2)));
    assert_eq!(swap["moved"][0]["session"], "b");
    for scope in ["session", "trace"] {
        let renamed = json("renamed.jsonl", scope);
        let lists = ["regressions", "fixes", "moved", "lost"].map(|list| names(&renamed[list]));
        assert_eq!(lists, [const { Vec::<&str>::new() }; 4], "{renamed}");
    }
    let run = project.run("diff base.jsonl swap.jsonl -c trace.policy.yaml");
    assert!(run.out.contains("2 unchanged (1 of them in another session)"), "{}", run.out);
    assert!(run.out.contains("~ error no-deploys  session b, pair 1, line 2"), "{}", run.out);
}

#[test]
fn sessions_that_the_candidate_lacks_are_said_loudly() {
    let project = Project::new(&[
        ("p.policy.yaml", POLICY.split_inclusive('\n').take(2).collect::<String>().as_str()),
        ("base.jsonl", &sessions(&["a", "b", "c"], &["a", "b"])),
        ("less.jsonl", &sessions(&["a", "c"], &[])),
        ("none.jsonl", ""),
        ("renamed.jsonl", &sessions(&["x", "y", "z"], &[])),
    ]);
    let value = project.json("diff base.jsonl less.jsonl -c p.policy.yaml --format json");
    assert_eq!((names(&value["fixes"]).len(), names(&value["lost"]).len()), (1, 1));
    assert_eq!(value["lost"][0]["session"], "b");
    assert_eq!(value["summary"]["missing_sessions"], 1);
    let formats = ["pretty", "json", "jsonl", "markdown", "github", "junit", "sarif"];
    for (side, expect) in [
        ("less.jsonl", "1 of the 3 sessions in the baseline has no counterpart in the candidate"),
        ("none.jsonl", "3 of the 3 sessions in the baseline have no counterpart in the candidate"),
    ] {
        for format in formats {
            let line = format!("diff base.jsonl {side} -c p.policy.yaml --format {format}");
            for (gate, code) in [("", 0), ("--fail-on none", 0), ("--fail-on severe", 1)] {
                let run = project.run(&format!("{line} {gate}"));
                assert_eq!(run.code, code, "{side} {format} {gate}");
                let count = expect.split(' ').next().unwrap();
                let said = match format {
                    "json" => run.out.contains(&format!("\"missing_sessions\": {count}")),
                    _ => run.out.contains(expect),
                };
                assert!(said, "{side} {format}:\n{}", run.out.replace('\n', " "));
            }
        }
    }
    let run = project.run("diff base.jsonl less.jsonl -c p.policy.yaml");
    assert!(run.out.contains("no fix: `b`"), "{}", run.out);
    let renamed = "diff base.jsonl renamed.jsonl -c p.policy.yaml --fail-on minor";
    assert_eq!(project.run(renamed).code, 0, "other names are no missing sessions");
}

#[test]
fn a_table_names_the_file_and_shortens_the_session() {
    let name = "0b4f5a0e-8a55-4d4b-9f4e-7a3a4c1d2e3f";
    let project = Project::new(&[
        ("p.policy.yaml", POLICY),
        ("a.jsonl", &sessions(&[name], &[])),
        ("b.jsonl", &sessions(&[name], &[name])),
    ]);
    let run = project.run("diff a.jsonl b.jsonl -c p.policy.yaml --format markdown");
    let expect = "| `no-deploys` | error | `b.jsonl, session 0b4f5a0e-8a5…, pair 0, line 1` |";
    assert!(run.out.contains(expect), "{}", run.out);
}

#[test]
fn files_with_other_names_are_looked_at_together() {
    let bad = response(&["deploy"], "thanks", 3);
    let good = response(&["read"], "thanks", 3);
    let project = Project::new(&[
        ("p.policy.yaml", POLICY),
        ("before/one.jsonl", &bad),
        ("before/two.jsonl", &good),
        ("after/x-one.jsonl", &bad),
        ("after/x-two.jsonl", &good),
        ("worse/x-one.jsonl", &bad),
        ("worse/x-two.jsonl", &bad),
    ]);
    let value = project.json("diff before after -c p.policy.yaml --format json");
    assert_eq!((names(&value["regressions"]), names(&value["fixes"])), (vec![], vec![]));
    assert_eq!(
        (&value["unchanged"], &value["summary"]["missing_sessions"]),
        (&json!(1), &json!(0))
    );
    let value = project.json("diff before worse -c p.policy.yaml --format json");
    assert_eq!(names(&value["regressions"]), ["no-deploys"]);
}

#[test]
fn directories_are_held_against_each_other_file_by_file() {
    let bad = response(&["deploy"], "thanks", 3);
    let good = response(&["read"], "thanks", 3);
    let project = Project::new(&[
        ("p.policy.yaml", POLICY),
        ("before/one.jsonl", &bad),
        ("before/two.jsonl", &good),
        ("after/one.jsonl", &good),
        ("after/two.jsonl", &bad),
    ]);
    let value = project.json("diff before after -c p.policy.yaml --format json");
    let files = |list: &Value| list[0]["file"].as_str().unwrap().to_owned();
    assert_eq!(files(&value["regressions"]), "two.jsonl");
    assert_eq!(files(&value["fixes"]), "one.jsonl");
}

#[test]
fn two_sets_of_rules_are_compared_by_what_they_do() {
    let rule = |action: &str| {
        format!(
            "rule_definitions:\n  - {{ id: no-rm, trigger: bash, action: {action}, message: no, condition: {{ runs: \"rm *\" }} }}\n"
        )
    };
    let events = [
        json!({ "event": "tool_call", "tool": "bash", "params": { "command": "ls" } }),
        json!({ "event": "tool_call", "tool": "bash", "params": { "command": "rm x" } }),
        json!({ "event": "tool_call", "tool": "bash", "params": { "command": "rm y" } }),
    ];
    let trace: String = events.iter().map(|event| format!("{event}\n")).collect();
    let project = Project::new(&[
        ("old.yaml", "rule_definitions: []\n"),
        ("warn.yaml", &rule("warn")),
        ("block.yaml", &rule("block")),
        ("t.jsonl", &trace),
    ]);
    let value = project.json("diff --rules old.yaml block.yaml t.jsonl --format json");
    let change = &value["changes"][0];
    assert_eq!((&change["rule"], &change["change"]), (&json!("no-rm"), &json!("fires")));
    assert_eq!((&change["count"], &change["first"]["line"]), (&json!(2), &json!(2)));
    assert_eq!(change["first"]["new"], json!({ "verdict": "deny", "actions": ["block"] }));
    assert_eq!(change["events"].as_array().unwrap().len(), 2);
    assert_eq!(value["summary"]["verdicts"], json!({ "allow → deny": 2 }));
    assert_eq!((&value["summary"]["changed"], &value["worst"]), (&json!(2), &json!("severe")));

    let value = project.json("diff --rules block.yaml warn.yaml t.jsonl --format json");
    assert_eq!(value["changes"][0]["change"], "does something else");
    let same = project.json("diff --rules warn.yaml warn.yaml t.jsonl --format json");
    assert_eq!((&same["changes"], &same["worst"]), (&json!([]), &json!("none")));
    let gone = project.run("diff --rules warn.yaml old.yaml t.jsonl --fail-on moderate");
    assert_eq!(gone.code, 1, "what no rule finds any more may happen again: {}", gone.out);
    assert_eq!(project.run("diff --rules warn.yaml old.yaml t.jsonl --fail-on severe").code, 0);
    assert_eq!(project.run("diff --rules block.yaml old.yaml t.jsonl --fail-on severe").code, 1);
    for rules in ["block.yaml warn.yaml", "warn.yaml block.yaml"] {
        let run = project.run(&format!("diff --rules {rules} t.jsonl --fail-on severe"));
        assert_eq!(run.code, 1, "{rules}: {}", run.out);
    }
    for format in ["pretty", "markdown", "github", "json", "jsonl", "junit", "sarif"] {
        let run =
            project.run(&format!("diff --rules block.yaml warn.yaml t.jsonl --format {format}"));
        assert_eq!(run.code, 0, "{format}: {run:?}");
        assert!(run.out.contains("block → warn"), "{format}: {}", run.out);
    }
    assert!(gone.out.contains("- no-rm no longer fires  twice"), "{}", gone.out);
    let more = project.run("diff --rules old.yaml warn.yaml t.jsonl --fail-on moderate");
    assert_eq!(more.code, 1);
}

#[test]
fn what_is_needed_is_said() {
    let project = project();
    let run = project.run("diff good.jsonl -c p.policy.yaml");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("BASELINE and CANDIDATE"), "{}", run.err);
    let run = project.run("diff good.jsonl gone.jsonl -c p.policy.yaml");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot read `gone.jsonl`"), "{}", run.err);
}

/// A rule of every kind, each violated by the recording.
const ALL_KINDS: &str = include_str!("../../../tests/src/samples/all.policy.yaml");
const TRACE: &str = include_str!("../../../tests/src/samples/exchanges.jsonl");

#[test]
fn no_kind_of_rule_sees_a_trace_differ_from_itself() {
    let project = Project::new(&[
        ("all.policy.yaml", ALL_KINDS),
        ("before/a.jsonl", TRACE),
        ("after/a.jsonl", TRACE),
        (
            "shorter.jsonl",
            TRACE.split_once('\n').unwrap().1.split_once("{\"event\":\"tool_call\"").unwrap().0,
        ),
    ]);
    for sides in ["before/a.jsonl before/a.jsonl", "before/a.jsonl after/a.jsonl", "before after"] {
        let line = format!("diff {sides} -c all.policy.yaml --format json --fail-on minor");
        let run = project.run(&line);
        assert_eq!(run.code, 0, "{run:?}");
        let report: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(report["regressions"], json!([]), "{sides}");
        assert_eq!(report["fixes"], json!([]), "{sides}");
        assert_eq!(report["worst"], "none");
        let rules = ALL_KINDS.matches("- id:").count() + ALL_KINDS.matches("- { id:").count();
        assert!(report["unchanged"].as_u64().unwrap() >= rules as u64, "{report}");
    }
    let run = project.run("diff shorter.jsonl before/a.jsonl -c all.policy.yaml --fail-on minor");
    assert_eq!(run.code, 1, "more of a trace violates more: {run:?}");
}
