//! Trace policies through the binary: simulated over recordings, enforced live.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Project, Run};
use serde_json::{Value, json};

const SCOPED: &str = "\
rules:
  - { id: each, kind: max_turns, params: { limit: 1 }, scope: session }
  - { id: whole, kind: max_turns, params: { limit: 3 } }
  - { id: never, kind: no_call, params: { tool: deploy } }
";

fn decisions(project: &Project, options: &str) -> Vec<Value> {
    let run = project.run(&format!("simulate t.jsonl -c p.policy.yaml --format jsonl {options}"));
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn response(session: &str) -> String {
    format!("{}\n", json!({ "event": "response", "session": session, "content": [] }))
}

/// The index of each decision with what was found, by rule and pair.
fn found(decisions: &[Value]) -> Vec<(Value, String)> {
    let of = |decision: &Value| {
        let one = |finding: &Value| format!("{} {}", finding["rule"], finding["pair"]);
        let all: Vec<_> = decision["findings"].as_array().unwrap().iter().map(one).collect();
        (decision["index"].clone(), all.join(", ").replace('"', ""))
    };
    decisions.iter().map(of).filter(|(_, all)| !all.is_empty()).collect()
}

#[test]
fn one_place_for_what_is_about_a_whole_session() {
    let trace = ["a", "b", "a", "b", "c"].map(response).concat();
    let project =
        Project::new(&[("p.policy.yaml", SCOPED), ("t.jsonl", &trace), ("none.jsonl", "")]);
    let run = project.run("simulate t.jsonl -c p.policy.yaml");
    let lines: Vec<_> =
        run.out.lines().map(str::trim).filter(|line| line.starts_with('#')).collect();
    assert_eq!(lines, ["#2  end", "#3  end", "#4  end"], "{}", run.out);
    let github = project.run("simulate t.jsonl -c p.policy.yaml --format github");
    for line in [3, 4, 5] {
        assert!(github.out.contains(&format!("file=t.jsonl,line={line},")), "{}", github.out);
    }
    let diff = project.json("diff none.jsonl t.jsonl -c p.policy.yaml --format json");
    let place = |found: &Value| {
        (found["rule"].as_str().unwrap().to_owned(), found["index"].clone(), found["line"].clone())
    };
    let places: Vec<_> = diff["regressions"].as_array().unwrap().iter().map(place).collect();
    let expect = [("each", 2, 3), ("each", 3, 4), ("whole", 4, 5)];
    let expect = expect.map(|(rule, index, line)| (rule.to_owned(), json!(index), json!(line)));
    assert_eq!(places, expect);
    // And `explain` has the same to say of these events, and only of them.
    for (at, rule) in
        [(0, None), (1, None), (2, Some("each")), (3, Some("each")), (4, Some("whole"))]
    {
        let line = format!("explain --trace t.jsonl --at {at} -c p.policy.yaml --format json");
        let why = project.json(&line);
        let rules = why["rules"].as_array().unwrap();
        let fired = rules.iter().find(|rule| rule["outcome"] == "fired");
        assert_eq!(fired.map(|fired| fired["rule"].as_str().unwrap()), rule, "{why:#}");
        if let Some(fired) = fired {
            let saw = fired["steps"].as_array().unwrap().last().unwrap()["saw"].as_str().unwrap();
            let of = if rule == Some("each") { "session" } else { "trace" };
            assert!(saw.starts_with(&format!("at the end of the {of}: there were")), "{saw}");
        }
    }
}

#[test]
fn what_is_about_a_whole_session_stands_on_its_last_decision() {
    let trace = ["a", "b", "a", "b", "c"].map(response).concat();
    let project = Project::new(&[("p.policy.yaml", SCOPED), ("t.jsonl", &trace)]);
    let expect = [
        (json!(2), "each null".to_owned()),
        (json!(3), "each null".to_owned()),
        (json!(4), "whole null".to_owned()),
    ];
    assert_eq!(found(&decisions(&project, "")), expect);
    let all = decisions(&project, "--all");
    assert_eq!(all.len(), 5, "exactly one for every event");
    let indexes: Vec<_> = all.iter().map(|decision| decision["index"].as_u64().unwrap()).collect();
    assert_eq!(indexes, [0, 1, 2, 3, 4], "in input order");
    assert_eq!(found(&all), expect);
    let kinds = &all[2]["findings"][0];
    assert_eq!((&kinds["kind"], &kinds["severity"]), (&json!("max_turns"), &json!("error")));
    let run = project.run("simulate t.jsonl -c p.policy.yaml --format json");
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        value["summary"]["by_session"]["a"]["findings"]["by_rule"]["each"], 1,
        "{}",
        value["summary"]
    );
}

#[test]
fn an_empty_trace_has_one_decision() {
    let policy = "rules:\n  - { id: once, kind: must_call_once, params: { tool: report } }\n";
    let project = Project::new(&[("p.policy.yaml", policy), ("t.jsonl", "")]);
    let all = decisions(&project, "");
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["index"], Value::Null);
    assert_eq!(found(&all), [(Value::Null, "once null".to_owned())]);
    assert_eq!(project.run("simulate t.jsonl -c p.policy.yaml --fail-on severe").code, 1);
}

#[test]
fn every_format_tells_what_is_found_at_the_end() {
    let trace = ["a", "a"].map(response).concat();
    let project = Project::new(&[("p.policy.yaml", SCOPED), ("t.jsonl", &trace)]);
    for format in ["pretty", "json", "jsonl", "junit", "github", "markdown"] {
        let run = project.run(&format!("simulate t.jsonl -c p.policy.yaml --format {format}"));
        assert!(
            run.out.contains("there were 2 responses, and 1 is allowed"),
            "{format}: {}",
            run.out
        );
    }
    assert_eq!(project.run("simulate t.jsonl -c p.policy.yaml --fail-on severe").code, 1);
    assert_eq!(project.run("simulate t.jsonl -c p.policy.yaml -q --fail-on severe").code, 1);
}

#[test]
fn an_image_watches_as_its_policy_does() {
    let trace = ["a", "a"].map(response).concat();
    let project = Project::new(&[("p.policy.yaml", SCOPED), ("t.jsonl", &trace)]);
    assert_eq!(project.run("compile p.policy.yaml -o p.bhv").code, 0);
    let of = |rules: &str| project.run(&format!("simulate t.jsonl -c {rules} --format jsonl")).out;
    assert_eq!(of("p.bhv"), of("p.policy.yaml"));
    let value = project.json("inspect p.bhv --format json");
    let monitor = &value["monitors"][0];
    assert_eq!((&monitor["id"], &monitor["kind"]), (&json!("each"), &json!("max_turns")));
    assert_eq!((&monitor["scope"], &monitor["severity"]), (&json!("session"), &json!("error")));
    assert_eq!(value["rules"], json!([]));
}

#[test]
fn a_projects_trace_policies_are_found_and_checked() {
    let project = Project::new(&[
        ("behavior.yaml", "rules: {}\n"),
        ("behavior/team.policy.yaml", SCOPED),
        (
            "behavior/more.policy.json",
            "[{\"id\":\"m\",\"kind\":\"no_call\",\"params\":{\"tool\":\"x\"}}]",
        ),
    ]);
    let value = project.json("inspect --format json");
    let ids: Vec<_> =
        value["monitors"].as_array().unwrap().iter().map(|m| m["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["m", "each", "whole", "never"]);
    assert_eq!(project.json("check --format json")["summary"]["files"], 3);
    assert!(project.run("explain each").out.contains("rule of a trace policy"));
    assert!(project.run("explain must_followup").out.contains("kind of trace rule"));
}

#[test]
fn an_event_explains_what_was_looked_at() {
    let policy = "\
rules:
  - id: large
    kind: forbidden_text
    params: { text: sure }
    when: [{ path: model, op: \"==\", value: m }, { path: request.params.amount, op: \">\", value: 5 }]
";
    let events = [
        json!({ "event": "request", "model": "m" }),
        json!({ "event": "response", "content": "sure" }),
        json!({ "event": "request", "model": "m", "params": { "amount": 9 } }),
        json!({ "event": "response", "content": "sure" }),
    ];
    let trace: String = events.iter().map(|event| format!("{event}\n")).collect();
    let project = Project::new(&[("p.policy.yaml", policy), ("t.jsonl", &trace)]);
    let explain =
        |at: u32| project.run(&format!("explain --trace t.jsonl --at {at} -c p.policy.yaml")).out;
    let silent = explain(1);
    assert!(
        silent.contains("request.params.amount > 5") && silent.contains("nothing is there"),
        "{silent}"
    );
    let found = explain(3);
    assert!(found.contains("the response contains \"sure\""), "{found}");
}

#[test]
fn a_call_after_a_final_answer_is_explained_as_it_is_decided() {
    let policy = "rules:\n  - { id: small, kind: no_call, params: { tool: deploy }, when: { path: model, op: \"==\", value: m } }\n";
    let events = [
        json!({ "event": "request", "model": "m" }),
        json!({ "event": "response", "content": "done", "stop_reason": "end_turn" }),
        json!({ "event": "tool_call", "tool": "deploy", "params": {} }),
    ];
    let trace: String = events.iter().map(|event| format!("{event}\n")).collect();
    let project = Project::new(&[("p.policy.yaml", policy), ("t.jsonl", &trace)]);
    assert_eq!(found(&decisions(&project, "")), [], "the answer's pair is over");
    let explained = project.run("explain --trace t.jsonl --at 2 -c p.policy.yaml").out;
    assert!(explained.contains("nothing is there"), "{explained}");
}

#[test]
fn live_sessions_are_held_to_them() {
    let policy = "\
rules:
  - { id: no-deploys, kind: no_call, params: { tool: deploy } }
  - { id: confirm, kind: must_call_before, params: { first: confirm, then: refund } }
  - { id: soft, kind: must_call_before, params: { first: look, then: jump }, severity: warning }
  - { id: budget, kind: max_total_tokens, params: { limit: 10 } }
";
    let project =
        Project::new(&[("behavior.yaml", "rules: {}\n"), ("behavior/team.policy.yaml", policy)]);
    let hook = |event: Value| -> Value {
        let mut command = project.command("hook native");
        command
            .env("BEHAVIOR_STATE_DIR", project.path("state"))
            .env("BEHAVIOR_CACHE_DIR", project.path("cache"))
            .env("HOME", project.path("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("BEHAVIOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{} {}", run.out, run.err))
    };
    let call = |tool: &str| {
        let answer =
            hook(json!({ "event": "tool_call", "session": "s", "tool": tool, "params": {} }));
        let rules: Vec<_> =
            answer["findings"].as_array().unwrap().iter().map(|f| f["rule"].clone()).collect();
        (answer["verdict"].as_str().unwrap().to_owned(), Value::Array(rules))
    };
    let is = |verdict: &str, rules: Value| (verdict.to_owned(), rules);
    assert_eq!(call("deploy"), is("deny", json!(["no-deploys"])));
    assert_eq!(call("refund"), is("deny", json!(["confirm"])));
    assert_eq!(call("refund"), is("deny", json!(["confirm"])), "what was denied never happened");
    assert_eq!(call("jump"), is("allow", json!(["soft"])));
    assert_eq!(call("confirm"), is("allow", json!([])));
    assert_eq!(call("refund"), is("allow", json!([])));
    let usage = json!({ "input_tokens": 9, "output_tokens": 9 });
    hook(json!({ "event": "response", "session": "s", "content": [], "usage": usage }));
    assert_eq!(call("read"), is("deny", json!(["budget"])));
    let other = hook(json!({ "event": "tool_call", "session": "t", "tool": "read", "params": {} }));
    assert_eq!(other["verdict"], "allow", "another session has its own budget");
}

#[test]
fn what_the_rules_hide_is_pointed_at() {
    const SLIPS: &str = "\
rules:
  - { id: one, kind: no_call, params: { tool: x }, when: { path: request.mesages.0, op: \"==\", value: a } }
  - { id: two, kind: required_stop_reason, params: { allowed: [endturn] } }
  - { id: three, kind: no_call, params: { tool: x } }
";
    let trace = response("a");
    let project = Project::new(&[("p.policy.yaml", SLIPS), ("t.jsonl", &trace)]);
    let note = "the rule files have 2 warnings: `behavior check p.policy.yaml` shows them";
    for command in ["simulate t.jsonl", "diff t.jsonl t.jsonl"] {
        let run = project.run(&format!("{command} -c p.policy.yaml"));
        assert!(run.err.contains(note), "{run:?}");
        assert!(!run.err.contains("never asked"), "{run:?}");
        let run = project.run(&format!("{command} -c p.policy.yaml -q"));
        assert_eq!(run.err, "");
        let run = project.run(&format!("{command} -c p.policy.yaml -v"));
        assert!(run.err.contains("never asked: `one`: no pair or call"), "{run:?}");
    }
}

#[test]
fn parameters_are_explained_in_full_with_their_defaults() {
    let run = Project::new(&[]).run("explain must_be_grounded");
    let text = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for expect in ["such as `request.metadata.retrieved_chunks`.", "from 0 to 1. (default: `0.5`)"]
    {
        assert!(text.contains(expect), "{text}");
    }
}
