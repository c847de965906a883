//! What sessions decide where paths have several names and tools are many: cases in which the image
//! and the naive evaluator once differed, or could have.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::fmt::Write as _;
use std::sync::Arc;

use behavior_agents::native;
use behavior_compiler::compile;
use behavior_runtime::{Decision, FactHost, Image, Replay, Session, Verdict};
use behavior_tests::samples::{image_of, small_provider};

/// The events' decisions, and the session at the end.
fn run(image: Image, trace: &str) -> (Vec<Decision>, Replay) {
    let mut replay = Replay::new(Arc::new(image));
    let decide = |(index, line): (usize, &str)| {
        let item = native::parse(line, index as u32 + 1).unwrap().unwrap();
        replay.apply(&item.session, &item.event)
    };
    let decisions = trace.lines().enumerate().map(decide).collect();
    (decisions, replay)
}

/// Which of the events the one rule with this condition fires on, from 0.
#[track_caller]
fn check(condition: &str, trace: &str, expect: &[usize]) {
    let config = format!(
        "state_tracking:\n  sets:\n    seen: {{ add_on: [read], fingerprint: true }}\n\
         rule_definitions:\n  - {{ id: r, trigger: [edit, lint], when: {phase}, message: m, condition: {condition} }}\n",
        phase = if condition.contains("result") { "post_tool" } else { "pre_tool" },
    );
    let (decisions, _) = run(image_of(&config), trace);
    let fires = |decision: &Decision| !decision.findings.is_empty();
    let fired: Vec<usize> =
        (0..).zip(&decisions).filter(|(_, d)| fires(d)).map(|(i, _)| i).collect();
    assert_eq!(fired, expect, "{condition}\n{trace}");
}

fn edits(cwd: &str, paths: &[&str]) -> String {
    let mut trace = format!("{{\"event\":\"session_start\",\"cwd\":\"{cwd}\"}}\n");
    for path in paths {
        let _ = writeln!(
            trace,
            "{{\"event\":\"tool_call\",\"tool\":\"edit\",\"params\":{{\"file_path\":\"{path}\"}}}}"
        );
    }
    trace
}

#[test]
fn a_path_glob_sees_a_file_by_all_its_names() {
    let paths =
        ["src/a.rs", "/repo/src/a.rs", "../repo/src/a.rs", "../../etc/passwd", "/etc/passwd"];
    check(r#"{ target_matches: "./src/*" }"#, &edits("/repo", &paths), &[1, 2, 3]);
    check(r#"{ target_matches: "/repo/src/*" }"#, &edits("/repo", &paths), &[1, 2, 3]);
    check(r#"{ target_matches: "/etc/*" }"#, &edits("/repo", &paths), &[4, 5]);
    check(r#"{ target_matches: "./src/*" }"#, &edits("/repo/./x/..", &paths), &[1, 2, 3]);
    check(r#"{ target_matches: "./etc/*" }"#, &edits("/", &paths), &[4, 5]);
}

#[test]
fn what_is_told_of_a_link_is_told_of_its_file() {
    let trace = r#"{"event":"fs","path":"/link.rs","exists":true,"size":1,"mtime":1,"real":"/real.rs"}
{"event":"tool_result","tool":"read","params":{"file_path":"/link.rs"}}
{"event":"tool_call","tool":"edit","params":{"file_path":"/link.rs"}}
{"event":"tool_call","tool":"edit","params":{"file_path":"/real.rs"}}
{"event":"fs","path":"/link.rs","exists":true,"size":2,"mtime":1,"real":"/real.rs"}
{"event":"tool_call","tool":"edit","params":{"file_path":"/link.rs"}}
{"event":"tool_call","tool":"edit","params":{"file_path":"/real.rs"}}"#;
    check("{ target_in_set: seen }", trace, &[2, 3, 5, 6]);
    check("{ target_changed_since: seen }", trace, &[5, 6]);
}

#[test]
fn escapes_in_the_json_of_a_result_hide_nothing() {
    let trace = r#"{"event":"tool_result","tool":"lint","params":{},"result":{"l\u0069nt":[{"severity":"error"}]}}
{"event":"tool_result","tool":"lint","params":{},"result":{"l\\u0069nt":[{"severity":"error"}]}}"#;
    check("{ result_has_lint_errors: true }", trace, &[0]);
}

#[test]
fn results_find_their_tool_however_many_tools_there_are() {
    const TOOLS: usize = 3_000;
    let mut trace = String::new();
    let id = |tool: usize| format!("\"id\":\"{tool}\"");
    for tool in 0..TOOLS + 5 {
        if tool < TOOLS {
            let id = id(tool);
            let _ = writeln!(
                trace,
                r#"{{"event":"tool_call",{id},"tool":"ns.tool{tool}","params":{{}}}}"#
            );
        }
        if let Some(earlier) = tool.checked_sub(5) {
            let _ = writeln!(trace, r#"{{"event":"tool_result",{}}}"#, id(earlier));
        }
    }
    let mut replay = Replay::new(Arc::new(image_of("rule_definitions: []\n")));
    let mut results = 0;
    for line in trace.lines() {
        let item = native::parse(line, 1).unwrap().unwrap();
        let decision = replay.apply(&item.session, &item.event);
        if line.contains("tool_result") {
            let session = replay.session(&item.session).unwrap();
            assert_eq!(session.tool_name(decision.tool.unwrap()), format!("tool{results}"));
            results += 1;
        }
    }
    assert_eq!(results, TOOLS);
    let report = replay.session("default").unwrap().report();
    assert_eq!(report.streak, Some((&*format!("tool{}", TOOLS - 1), 1)));
}

const NO_TEXT: &str = "rule_definitions:\n  - { id: plan, message: m, condition: { no_text_before_tools: true } }\n\
                       \x20 - { id: told, message: m, condition: { not: { no_text_before_tools: true } } }\n\
                       \x20 - { id: both, message: m, condition: no text before tools and first tool this turn }\n";

/// What becomes of the rules of [`NO_TEXT`] on a call behind some text: `rule` or `rule?`.
#[track_caller]
fn check_text(text_unknown: bool, text: &str, expect: &[&str]) {
    let mut session = Session::new(Arc::new(image_of(NO_TEXT)));
    session.set_text_unknown(text_unknown);
    let text = serde_json::json!({ "event": "text", "text": text }).to_string();
    let call = r#"{"event":"tool_call","tool":"bash","params":{"command":"ls"}}"#;
    let mut decision = Decision::default();
    for line in [r#"{"event":"turn_start"}"#, &text, call] {
        let item = native::parse(line, 1).unwrap().unwrap();
        decision = session.apply(&item.event, &mut FactHost::default());
    }
    let id = |rule: u32| session.image().rules().get(rule).unwrap().id.to_owned();
    let undecided = decision.undecided.iter().map(|undecided| {
        assert_eq!(undecided.needs, "whether the agent wrote text before the call");
        format!("{}?", id(undecided.rule))
    });
    let fired = decision.findings.iter().map(|finding| id(finding.rule));
    assert_eq!(fired.chain(undecided).collect::<Vec<_>>(), expect, "{text_unknown} {text:?}");
}

#[test]
fn text_that_nobody_sees_leaves_open_whether_there_was_some() {
    check_text(false, "", &["plan", "both"]);
    check_text(true, "", &["plan?", "told?", "both?"]);
    check_text(false, "I will look.", &["told"]);
    check_text(true, "I will look.", &["told"]);
}

#[track_caller]
fn check_on_error(config: &str, compiles: bool, expect: Option<Verdict>) {
    let compilation = compile(&small_provider(&[("behavior.yaml", config)]), "behavior.yaml");
    assert_eq!(compilation.image.is_some(), compiles, "{config}");
    assert_eq!(compilation.program.on_error, expect, "{config}");
    if let Some(image) = &compilation.image {
        assert_eq!(image.on_error(), expect, "{config}");
    }
}

#[test]
fn what_errors_are_answered_with_is_known_of_rules_with_errors() {
    check_on_error("rule_definitions: []", true, None);
    check_on_error("on_error: allow", true, Some(Verdict::Allow));
    check_on_error("on_error: deny", true, Some(Verdict::Deny));
    check_on_error("on_error: ask\nprofile: nowhere", false, Some(Verdict::Ask));
    check_on_error(
        "rule_definitions: [{ id: a, triger: x }]\non_error: deny",
        false,
        Some(Verdict::Deny),
    );
    check_on_error("on_error: deny\nrule_definitions: [\n", false, Some(Verdict::Deny));
    check_on_error("on_error: block", false, None);
}

/// Rules that wait for more numbers than are held for each tool, and more that wait for none.
#[test]
fn many_rules_of_one_tool_fire_in_order() {
    const MANY: usize = 100;
    let mut config = String::from("state_tracking:\n  counters:\n");
    for number in 0..MANY {
        let _ = writeln!(config, "    c{number}: {{ increment_on: [t{number}] }}");
    }
    config.push_str("rule_definitions:\n");
    for number in 0..MANY {
        let rule = |id: &str, condition: &str| {
            format!(
                "  - {{ id: {id}{number}, trigger: edit, message: m, condition: {condition} }}\n"
            )
        };
        config.push_str(&rule(
            "waits",
            &format!("{{ counter_gte: {{ name: c{number}, value: 2 }} }}"),
        ));
        config.push_str(&rule("looks", "{ no_text_before_tools: true }"));
    }
    let call =
        |tool: &str| format!("{{\"event\":\"tool_call\",\"tool\":\"{tool}\",\"params\":{{}}}}\n");
    let result = |tool: &str| format!("{{\"event\":\"tool_result\",\"tool\":\"{tool}\"}}\n");
    let runs = |tool: &str| call(tool) + &result(tool);
    let trace = ["t7", "t40", "t93", "t40", "t7"].map(runs).concat() + &call("edit");
    let image = image_of(&config);
    let names: Vec<String> = (0..image.rules().len())
        .filter_map(|rule| Some(image.rules().get(rule)?.id.to_owned()))
        .collect();
    let (decisions, _) = run(image, &trace);
    let last = decisions.last().unwrap();
    let fired: Vec<&str> =
        last.findings.iter().map(|finding| names[finding.rule as usize].as_str()).collect();
    let mut expect: Vec<String> = (0..MANY).map(|number| format!("looks{number}")).collect();
    expect.insert(40, "waits40".to_owned());
    expect.insert(7, "waits7".to_owned());
    assert_eq!(fired, expect);
}

/// Rules on commands, and a counter that some commands reset.
const OFTEN_MET: &str = r#"
state_tracking:
  counters:
    changes:
      increment_on: [edit]
      reset_on: []
      reset_when: { tool: bash, param: command, matches: "pytest|go test" }
rule_definitions:
- { id: careful, trigger: [bash], when: pre_tool, action: warn, message: a, condition: { param_matches: { param: command, pattern: "rm -rf|git reset" } } }
- { id: often, trigger: ["*"], when: pre_tool, action: warn, message: b, condition: { consecutive_gte: 3 } }
- id: never
  trigger: [bash]
  when: pre_tool
  action: block
  message: c
  condition:
    all:
    - param_matches: { param: command, pattern: "drop table|truncate" }
    - counter_gte: { name: changes, value: 2 }
- { id: untested, trigger: [bash], when: post_tool, action: remind, message: d, condition: { counter_gte: { name: changes, value: 1 } } }
- { id: failed, trigger: [bash], when: post_tool, action: warn, message: e, condition: { result_failed: true } }
"#;

/// What those rules say, in the simplest way.
#[derive(Default)]
struct Expected {
    changes: u32,
    last: String,
    row: u32,
}

impl Expected {
    fn call(&self, tool: &str, command: &str) -> Vec<&'static str> {
        let row = if self.last == tool { self.row + 1 } else { 1 };
        let has = |texts: &[&str]| texts.iter().any(|text| command.to_lowercase().contains(text));
        let mut found = Vec::new();
        found.extend(has(&["rm -rf", "git reset"]).then_some("careful"));
        found.extend((row >= 3).then_some("often"));
        found.extend((has(&["drop table", "truncate"]) && self.changes >= 2).then_some("never"));
        found
    }

    fn result(&mut self, tool: &str, command: &str, ok: bool) -> Vec<&'static str> {
        self.row = if self.last == tool { self.row + 1 } else { 1 };
        tool.clone_into(&mut self.last);
        let command = command.to_lowercase();
        match tool {
            "edit" => self.changes += 1,
            _ if command.contains("pytest") || command.contains("go test") => self.changes = 0,
            _ => {}
        }
        let mut found = Vec::new();
        if tool == "bash" {
            found.extend((self.changes >= 1).then_some("untested"));
            found.extend((!ok).then_some("failed"));
        }
        found
    }
}

#[test]
fn a_tool_that_is_met_often_is_decided_on_as_at_first() {
    const COMMANDS: [&str; 9] = [
        "pytest -q",
        "ls",
        "PyTest",
        "rm -rf out && go test ./...",
        "go build",
        "drop table t",
        "git reset --hard; truncate -s 0 x",
        "Git Reset && drop table t && pytest",
        "echo drop",
    ];
    let image = Arc::new(image_of(OFTEN_MET));
    let mut replay = Replay::new(Arc::clone(&image));
    let mut expected = Expected::default();
    let mut number = 7_u64;
    let mut below = |end: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (number >> 33) % end
    };
    let mut decide = |line: &str| -> (Verdict, Vec<String>) {
        let item = native::parse(line, 1).unwrap().unwrap();
        let decision = replay.apply(&item.session, &item.event);
        let ids = decision.findings.iter().map(|finding| image.rules().id(finding.rule).to_owned());
        (decision.verdict(), ids.collect())
    };
    for id in 0..600 {
        let tool = if below(3) == 0 { "edit" } else { "bash" };
        let command = COMMANDS[below(COMMANDS.len() as u64) as usize];
        let ok = below(4) != 0;
        let params = match tool {
            "edit" => r#"{"file_path":"a"}"#.to_owned(),
            _ => format!(r#"{{"timeout":60,"command":"{command}"}}"#),
        };
        let command = if tool == "bash" { command } else { "" };
        let call =
            format!(r#"{{"event":"tool_call","id":"{id}","tool":"{tool}","params":{params}}}"#);
        let (verdict, found) = decide(&call);
        assert_eq!(found, expected.call(tool, command), "call {id}: {command}");
        if verdict == Verdict::Deny {
            continue;
        }
        let result = format!(r#"{{"event":"tool_result","id":"{id}","ok":{ok}}}"#);
        let (_, found) = decide(&result);
        assert_eq!(found, expected.result(tool, command, ok), "result {id}: {command}");
    }
}

/// What is kept of sessions that have been silent for long, of more than decide at once, is what they remembered.
#[test]
fn sessions_that_rest_go_on_as_they_were() {
    const SESSIONS: usize = 9_000;
    let config = "state_tracking:\n  counters:\n    edits: { increment_on: [edit] }\n  sets:\n    seen: { add_on: [read] }\n\
                  rule_definitions:\n  - { id: third, trigger: edit, message: m, condition: { all: [{ counter_gte: { name: edits, value: 2 } }, { target_in_set: seen }] } }\n";
    let mut replay = Replay::new(Arc::new(image_of(config)));
    let mut fired = Vec::new();
    for round in 0..4 {
        for session in 0..SESSIONS {
            let tool = if round == 0 { "read" } else { "edit" };
            let line = format!(
                r#"{{"session":"s{session}","event":"tool_call","tool":"{tool}","params":{{"file_path":"/w/{session}.rs"}}}}"#
            );
            let item = native::parse(&line, 1).unwrap().unwrap();
            let decision = replay.apply(&item.session, &item.event);
            let done = format!(
                r#"{{"session":"s{session}","event":"tool_result","tool":"{tool}","ok":true}}"#
            );
            let done = native::parse(&done, 1).unwrap().unwrap();
            replay.apply(&done.session, &done.event);
            if !decision.findings.is_empty() {
                fired.push((round, session));
            }
        }
    }
    let expect: Vec<(i32, usize)> = (0..SESSIONS).map(|session| (3, session)).collect();
    assert!(fired == expect, "{} fired, first {:?}", fired.len(), fired.first());
    // Who only looks at one sees the same.
    let line =
        r#"{"session":"s0","event":"tool_call","tool":"edit","params":{"file_path":"/w/0.rs"}}"#;
    let item = native::parse(line, 1).unwrap().unwrap();
    assert_eq!(replay.explain("s0", &item.event).remove(0).1.decision.findings.len(), 1);
    assert_eq!(replay.session("s1").expect("it has begun").report().turn, 0);
    assert_eq!(replay.by_session("s2").map(|(slot, _)| slot), Some(2));
    assert!(replay.session("nobody").is_none());
}
