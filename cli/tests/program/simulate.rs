//! `simulate`: decisions as others read them, the timeline as people do, and how it ends.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Project, Run};
use serde_json::{Value, json};

const RULES: &str = r#"rule_definitions:
  - id: no_push
    trigger: bash
    action: block
    condition: param(command) contains "git push"
    message: "Do not push ({tool}: {param:command})."
  - id: read_first
    trigger: edit
    condition: target not in read_files
    message: "Read `{target}`."
  - id: new_only
    trigger: write
    condition: target exists
    message: "`{target}` is there."
  - id: failed
    trigger: "*"
    when: post_tool
    action: remind
    condition: { result_failed: true }
  - id: sure
    when: on_text
    condition: text matches "not sure"
    message: "Find out."
"#;

const TRACE: &str = r#"{"event":"session_start","session":"s1","agent":"a","cwd":"/w"}
{"event":"turn_start","session":"s1","text":"hello"}
{"event":"text","session":"s1","text":"I am not sure"}
{"event":"tool_call","session":"s1","id":"1","tool":"mcp__shell__Bash","params":{"command":"git push"}}
{"event":"tool_call","session":"s1","id":"2","tool":"edit","params":{"file_path":"/w/a.rs"}}
{"event":"tool_result","session":"s1","id":"2","result":"no","ok":false}
{"event":"tool_call","session":"s1","id":"3","tool":"write","params":{"file_path":"b.rs"}}
{"event":"fs","path":"c.rs","session":"s1","exists":true}
{"event":"tool_call","session":"s1","id":"4","tool":"write","params":{"file_path":"/w/c.rs"}}
{"event":"session_end","session":"s1"}
"#;

fn project() -> Project {
    Project::new(&[("behavior.yaml", RULES), ("t.jsonl", TRACE)])
}

fn lines(run: &Run) -> Vec<Value> {
    run.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn finding(
    rule: &str,
    action: &str,
    phase: &str,
    message: &str,
    rendered: &str,
    line: u32,
) -> Value {
    let severity = match action {
        "block" => "error",
        "warn" => "warning",
        _ => "info",
    };
    json!({
        "rule": rule, "action": action, "severity": severity, "phase": phase, "message": message,
        "rendered": rendered, "layer": "project", "span": { "file": "behavior.yaml", "line": line, "column": 5 },
    })
}

#[test]
fn each_decision_has_the_fields_of_the_contract() {
    let run = project().run("simulate t.jsonl --format jsonl");
    assert_eq!(run.code, 0, "{run:?}");
    let expect = [
        json!({
            "index": 1, "line": 2, "session": "s1", "turn": 1, "event": "turn_start",
            "findings": [], "classifier": { "runs": false, "reason": "disabled" },
            "directive": null, "context": [], "notices": [],
        }),
        json!({
            "index": 2, "line": 3, "session": "s1", "turn": 1, "event": "text",
            "findings": [finding("sure", "warn", "on_text", "Find out.",
                "[BEHAVIOR WARNING] Find out.\nRule: sure", 20)],
            "directive": null, "context": [], "notices": [],
        }),
        json!({
            "index": 3, "line": 4, "session": "s1", "turn": 1, "event": "tool_call",
            "tool": "bash", "native_tool": "mcp__shell__Bash", "verdict": "deny",
            "findings": [finding("no_push", "block", "pre_tool", "Do not push (bash: git push).",
                "[BEHAVIOR BLOCKED] Do not push (bash: git push).\nRule: no_push\n\
                 The call was not run.", 2)],
            "directive": null, "context": [], "notices": [],
        }),
        json!({
            "index": 4, "line": 5, "session": "s1", "turn": 1, "event": "tool_call",
            "tool": "edit", "native_tool": "edit", "verdict": "allow",
            "findings": [finding("read_first", "warn", "pre_tool", "Read `/w/a.rs`.",
                "[BEHAVIOR WARNING] Read `/w/a.rs`.\nRule: read_first", 7)],
            "directive": null, "context": [], "notices": [],
        }),
        json!({
            "index": 5, "line": 6, "session": "s1", "turn": 1, "event": "tool_result",
            "tool": "edit", "native_tool": "edit",
            "findings": [finding("failed", "remind", "post_tool", "",
                "[BEHAVIOR REMINDER]\nRule: failed", 15)],
            "directive": null, "context": [], "notices": [],
        }),
        json!({
            "index": 6, "line": 7, "session": "s1", "turn": 1, "event": "tool_call",
            "tool": "write", "native_tool": "write", "verdict": "allow", "findings": [],
            "undecided": [{ "rule": "new_only", "because": "whether `b.rs` exists" }],
            "directive": null, "context": [], "notices": [],
        }),
        json!({
            "index": 8, "line": 9, "session": "s1", "turn": 1, "event": "tool_call",
            "tool": "write", "native_tool": "write", "verdict": "allow",
            "findings": [finding("new_only", "warn", "pre_tool", "`/w/c.rs` is there.",
                "[BEHAVIOR WARNING] `/w/c.rs` is there.\nRule: new_only", 11)],
            "directive": null, "context": [], "notices": [],
        }),
    ];
    assert_eq!(lines(&run), expect);
}

#[test]
fn all_prints_one_decision_for_every_event() {
    let project = project();
    let run = project.run("simulate t.jsonl --format jsonl --all");
    let decisions = lines(&run);
    let indexes: Vec<_> = decisions.iter().filter_map(|d| d["index"].as_u64()).collect();
    assert_eq!(indexes, (0..10).collect::<Vec<_>>());
    assert_eq!(decisions[7]["event"], "fs");
    assert!(decisions[7].get("verdict").is_none(), "{}", decisions[7]);
    assert_eq!(project.json("simulate t.jsonl --format json --all")["decisions"], json!(decisions));
}

#[test]
fn the_state_stands_with_each_decision() {
    let run = project().run("simulate t.jsonl --format jsonl --all --state");
    let decisions = lines(&run);
    let expect = json!({
        "turn": 1, "calls_this_turn": 1, "total_calls": 1,
        "streak": { "tool": "edit", "length": 1 }, "violations": 3, "last_violation": "new_only",
        "sets": { "read_files": [], "edited_files": ["a.rs"], "written_files": [],
                  "searched_patterns": [] },
        "counters": { "reads_since_search": 0, "changes_since_test": 1 },
        "flags": { "has_web_searched": false },
        "recent": [{ "tool": "edit", "target": "/w/a.rs" }],
    });
    assert_eq!(decisions[9]["event"], "session_end");
    assert_eq!(decisions[9]["state"], expect, "the last look at a session that has ended");
    assert_eq!(decisions[0]["state"]["streak"], json!({ "tool": null, "length": 0 }));
    assert_eq!(decisions[0]["state"]["last_violation"], Value::Null);
}

#[test]
fn the_summary_counts_by_session_and_in_all() {
    let project = project();
    let second = TRACE.replace("\"s1\"", "\"s2\"");
    project.write("u.jsonl", format!("{TRACE}not JSON\n{second}").as_bytes());
    let summary = project.json("simulate u.jsonl --format json -q")["summary"].take();
    assert_eq!(summary["events"], 20);
    assert_eq!(summary["tool_calls"], 8);
    assert_eq!(summary["sessions"], 2);
    assert_eq!(summary["problems"], 1);
    assert_eq!(summary["problem_lines"][0]["line"], 11);
    let of_one = json!({
        "total": 5,
        "by_rule": { "no_push": 1, "read_first": 1, "new_only": 1, "failed": 1, "sure": 1 },
        "by_action": { "block": 1, "ask": 0, "warn": 3, "remind": 1 },
    });
    assert_eq!(summary["by_session"]["s1"]["findings"], of_one);
    assert_eq!(summary["by_session"]["s2"]["findings"], of_one);
    assert_eq!(summary["by_session"]["s1"]["verdicts"], json!({ "allow": 3, "ask": 0, "deny": 1 }));
    assert_eq!(summary["findings"]["total"], 10);
    assert_eq!(summary["verdicts"], json!({ "allow": 6, "ask": 0, "deny": 2 }));
    assert_eq!(summary["undecided"], 2);
}

#[test]
fn an_empty_trace_has_no_decisions() {
    let project = project();
    project.write("empty.jsonl", b"");
    let run = project.run("simulate empty.jsonl --format jsonl");
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{run:?}");
    let object = project.json("simulate empty.jsonl --format json");
    assert_eq!(object["decisions"], json!([]));
    assert_eq!(object["version"], 1);
}

#[test]
fn a_recording_without_events_is_never_well() {
    const DRIFTED: &str = "{\"timestamp\":\"t\",\"type\":\"session_news\",\"payload\":{}}\n{\"timestamp\":\"t\",\"type\":\"turn_news\",\"payload\":{}}\n";
    let policy = "rules:\n  - { id: no-deploys, kind: no_call, params: { tool: deploy } }\n";
    let project = project();
    project.write("p.policy.yaml", policy.as_bytes());
    project.write("empty.jsonl", b"");
    project.write("drifted.jsonl", DRIFTED.as_bytes());
    let formats = ["pretty", "json", "jsonl", "markdown", "github", "junit"];
    for (trace, expect) in [
        ("empty.jsonl", "it is empty"),
        (
            "--input-format codex drifted.jsonl",
            "2 records of unknown kinds (`session_news`, `turn_news`)",
        ),
    ] {
        for rules in ["", "-c p.policy.yaml"] {
            for format in formats {
                let line = format!("simulate {trace} {rules} --format {format}");
                let run = project.run(&line);
                assert_eq!(run.code, 0, "{line}: {run:?}");
                let said = run.out.clone() + if format == "jsonl" { &run.err } else { "" };
                let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(said.contains(expect) && !said.contains('✔'), "{line}: {run:?}");
                for level in ["minor", "moderate", "severe"] {
                    let run = project.run(&format!("{line} --fail-on {level}"));
                    assert_eq!(run.code, 1, "{line} {level}: {run:?}");
                }
                assert_eq!(project.run(&format!("{line} --fail-on none")).code, 0);
            }
        }
    }
    let object = project.json("simulate --input-format codex drifted.jsonl --format json");
    assert_eq!(object["summary"]["unknown_records"], 2);
    // Beside one that holds events, it is no better.
    let run = project.run("simulate t.jsonl empty.jsonl");
    assert!(
        run.out.contains("1 recording without any event: `empty.jsonl`: it is empty"),
        "{run:?}"
    );
    assert_eq!(project.run("diff t.jsonl empty.jsonl --fail-on minor").code, 1);
    let run = project.run("diff empty.jsonl t.jsonl --fail-on severe");
    assert!(
        run.err.contains("no event was found in `empty.jsonl` (the baseline): it is empty"),
        "{run:?}"
    );
}

#[test]
fn fail_on_looks_at_the_worst_finding() {
    let check = |event: &str, codes: [i32; 4]| {
        let project = project();
        project.write("one.jsonl", event.as_bytes());
        let levels = ["none", "minor", "moderate", "severe"];
        let run = |level| project.run(&format!("simulate one.jsonl -q --fail-on {level}")).code;
        assert_eq!(levels.map(run), codes, "{event}");
    };
    check(r#"{"event":"tool_result","tool":"x","ok":false}"#, [0, 1, 0, 0]);
    check(r#"{"event":"text","text":"not sure"}"#, [0, 1, 1, 0]);
    check(r#"{"event":"tool_call","tool":"bash","params":{"command":"git push"}}"#, [0, 1, 1, 1]);
    check(r#"{"event":"text","text":"sure"}"#, [0, 0, 0, 0]);
}

#[test]
fn lines_that_are_not_understood_are_counted_and_with_strict_the_end() {
    let project = project();
    let text =
        "{\"event\":\"turn_start\"}\n{\"event\":\"tool_cal\",\"tool\":\"x\"}\n{\"event\":\"tool_";
    project.write("bad.jsonl", text.as_bytes());
    let run = project.run("simulate bad.jsonl");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.out.contains("2 lines not understood: 2, 3"), "{run:?}");
    assert!(run.out.contains("cut off in its last line: bad.jsonl"), "{run:?}");
    let run = project.run("simulate bad.jsonl --strict --format jsonl");
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    assert!(run.err.contains("bad.jsonl:2: unknown event `tool_cal`; did you mean"), "{run:?}");
}

#[test]
fn what_was_not_understood_never_passes_silently() {
    let check = |text: &str, code: i32, expect: &str| {
        let project = project();
        project.write("bad.jsonl", text.as_bytes());
        let run = project.run("simulate bad.jsonl");
        assert_eq!(run.code, code, "{run:?}");
        assert_eq!(run.out.lines().find(|line| line.starts_with('!')), Some(expect), "{run:?}");
        assert!(!run.out.contains('✔'), "{run:?}");
        let found = |level| project.run(&format!("simulate bad.jsonl -q --fail-on {level}")).code;
        assert_eq!(["none", "minor", "moderate", "severe"].map(found), [code, 1, 1, 1], "{text}");
    };
    // Where nothing was understood, there was nothing to read.
    check(
        "{\"event\":\"tool_cal\"}\n",
        2,
        "! 1 line was not understood; there is nothing else in the trace",
    );
    // A trace with an event that nobody knows was not written for this version. The rest is decided on.
    check(
        "{\"event\":\"tool_call\",\"tool\":\"x\"}\n{\"event\":\"frob\"}\n",
        2,
        "! 1 line was not understood; no rule had anything to say on the rest: \
         1 tool call in 1 session",
    );
    check(
        "{\"event\":\"tool_call\",\"tool\":\"x\"}\nnot JSON\n[]\n",
        2,
        "! 2 lines were not understood; no rule had anything to say on the rest: \
         1 tool call in 1 session",
    );
}

#[test]
fn lines_of_decisions_leave_what_was_not_understood_to_standard_error() {
    let project = project();
    project.write("bad.jsonl", format!("{TRACE}{{\"event\":\"tool_\\u001b[2J\"}}\n").as_bytes());
    let run = project.run("simulate bad.jsonl --format jsonl");
    assert_eq!((run.code, lines(&run).len()), (2, 7), "{run:?}");
    let (note, told) = run.err.split_once('\n').unwrap();
    assert!(note.contains("the rule files have 1 warning"), "{run:?}");
    assert!(told.starts_with("bad.jsonl:11: unknown event"), "{run:?}");
    assert!(!told.contains('\x1b') && told.lines().count() == 1, "{run:?}");
    project.write("worse.jsonl", format!("{TRACE}{}", "not JSON\n".repeat(1025)).as_bytes());
    let run = project.run("simulate worse.jsonl --format jsonl");
    assert_eq!(run.err.lines().count(), 22, "{run:?}");
    assert!(run.err.contains("\nworse.jsonl:30: "), "{run:?}");
    assert!(run.err.ends_with("\nand 1,005 more\n"), "{run:?}");
    assert_eq!(project.run("simulate t.jsonl --format jsonl -q").err, "");
}

#[test]
fn what_cannot_be_read_is_said() {
    let project = project();
    project.write("odd.txt", b"hello\n");
    project.write("broken.yaml", b"rule_definitions: 3\n");
    project.write("none/x.txt", b"");
    let check = |line: &str, expect: &str| {
        let run = project.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {run:?}");
        assert!(run.err.contains(expect), "{line}: {run:?}");
    };
    check("simulate nowhere.jsonl", "cannot read `nowhere.jsonl`: there is no such file");
    check("simulate odd.txt", "the format of `odd.txt` is not known");
    check("simulate none", "there are no traces in `none`");
    check("simulate t.jsonl -c nowhere.yaml", "cannot read `nowhere.yaml`");
    check("simulate t.jsonl -c broken.yaml", "broken.yaml");
}

#[test]
fn recordings_of_other_formats_are_told_from_their_content() {
    let chat = json!({"messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "function":
            {"name": "bash", "arguments": r#"{"command": "git push"}"#}}]},
    ]});
    let project = project();
    let pretty = serde_json::to_string_pretty(&chat).expect("JSON");
    project.write("all/chat.json", pretty.as_bytes());
    project.write("all/package.json", b"{\"name\": \"x\", \"version\": \"1.0.0\"}");
    project.write("all/log.agentlog", br#"{"kind":"tool_call","payload":{"tool_name":"bash","arguments":{"command":"git push"}}}"#);
    let run = project.run("simulate all --format jsonl -v");
    let found: Vec<_> = lines(&run)
        .iter()
        .filter(|d| !d["verdict"].is_null())
        .map(|d| (d["file"].as_str().unwrap_or_default().to_owned(), d["verdict"].clone()))
        .collect();
    assert_eq!(
        found,
        [
            ("all/chat.json".to_owned(), json!("deny")),
            ("all/log.agentlog".to_owned(), json!("deny"))
        ]
    );
    assert!(run.err.contains("`all/package.json` is no trace and was passed over"), "{run:?}");
    let told = project.run("simulate all/chat.json --input-format openai --format jsonl");
    assert_eq!(lines(&told).len(), 2, "the turn and the call");
    project.write("log.eval", b"PK\x03\x04rest");
    let archive = project.run("simulate log.eval");
    assert!(archive.err.contains("ZIP archive") && archive.code == 2, "{archive:?}");
}

#[test]
fn compressed_recordings_are_read_as_what_they_hold() {
    fn gzip(text: &[u8]) -> Vec<u8> {
        let level = flate2::Compression::default();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
        encoder.write_all(text).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    }
    let project = project();
    let plain = project.run("simulate t.jsonl --format jsonl").out;
    let packed = gzip(TRACE.as_bytes());
    project.write("packed/t.jsonl.gz", &packed);
    project.write("packed/notes.txt.gz", &packed);
    assert_eq!(project.run("simulate packed --format jsonl").out, plain);
    let mut child = project
        .command("simulate - --format jsonl")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    for piece in [&packed[..1], &packed[1..30], &packed[30..]] {
        input.write_all(piece).expect("the program reads");
        input.flush().expect("the program reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(String::from_utf8(output.stdout).expect("text"), plain);
    project.write("cut.jsonl.gz", &packed[..packed.len() - 4]);
    let cut = project.run("simulate cut.jsonl.gz --format jsonl");
    assert_eq!((cut.out.as_str(), cut.code), (plain.as_str(), 0));
    assert!(cut.err.contains("the compressed data is cut off"), "{cut:?}");
}

#[test]
fn events_come_from_standard_input_too() {
    let project = project();
    let mut child = project
        .command("simulate - --format jsonl")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    // In pieces, as a pipe gives them: the first does not hold a whole line.
    for piece in [&TRACE[..20], &TRACE[20..]] {
        input.write_all(piece.as_bytes()).expect("the program reads");
        input.flush().expect("the program reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let from_file = project.run("simulate t.jsonl --format jsonl");
    assert_eq!(String::from_utf8(output.stdout).expect("text"), from_file.out);
}

#[test]
fn several_traces_are_reported_in_the_order_given() {
    let project = project();
    // The first is long and the others short, so that they are done before it.
    let call = r#"{"event":"tool_call","tool":"bash","params":{"command":"git push"}}"#;
    project.write("long.jsonl", format!("{call}\n").repeat(3000).as_bytes());
    for number in 0..40 {
        project.write(&format!("many/{number:02}.jsonl"), format!("{call}\n").as_bytes());
    }
    project.write("many/deep/er/00.jsonl", format!("{call}\n").as_bytes());
    project.write("many/odd.jsonl", b"hello\n");
    let run = project.run("simulate long.jsonl many t.jsonl --format jsonl -v");
    let files: Vec<_> =
        lines(&run).iter().map(|d| d["file"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(files.len(), 3000 + 41 + 7);
    let mut expect = vec!["long.jsonl".to_owned(); 3000];
    expect.extend((0..40).map(|number| format!("many/{number:02}.jsonl")));
    expect.push("many/deep/er/00.jsonl".to_owned());
    expect.extend(std::iter::repeat_n("t.jsonl".to_owned(), 7));
    assert_eq!(files, expect);
    assert!(
        run.err.contains("`many/odd.jsonl` is no trace and was passed over: its content"),
        "{}",
        run.err
    );
    let object = project.json("simulate many t.jsonl --format json");
    assert_eq!(object["decisions"].as_array().map(Vec::len), Some(48));
    assert_eq!(object["summary"]["files"], 42);
    assert_eq!(object["summary"]["findings"]["by_rule"]["no_push"], 42);
}

#[test]
fn facts_of_one_trace_are_no_facts_of_another() {
    let project = project();
    let fact = r#"{"event":"fs","path":"/x/b.rs","exists":true}"#;
    let write = r#"{"event":"tool_call","tool":"write","params":{"file_path":"/x/b.rs"}}"#;
    project.write("1.jsonl", format!("{fact}\n{write}\n").as_bytes());
    project.write("2.jsonl", format!("{write}\n").as_bytes());
    let decisions = lines(&project.run("simulate 1.jsonl 2.jsonl --format jsonl"));
    assert_eq!(decisions[0]["findings"][0]["rule"], "new_only");
    assert_eq!(decisions[1]["undecided"][0]["rule"], "new_only");
}

#[test]
fn the_disk_is_asked_only_when_told_to() {
    let project = project();
    let write = |path: &str| {
        format!(
            "{{\"event\":\"tool_call\",\"tool\":\"write\",\"params\":{{\"file_path\":\"{path}\"}}}}\n"
        )
    };
    let told = "{\"event\":\"fs\",\"path\":\"t.jsonl\",\"exists\":false}\n";
    let text = format!("{}{}{told}{}", write("t.jsonl"), write("no.rs"), write("t.jsonl"));
    project.write("w.jsonl", text.as_bytes());
    let fired = |line: &str| {
        let decisions = lines(&project.run(line));
        let fired = decisions.iter().map(|d| d["findings"].as_array().map_or(0, Vec::len));
        fired.collect::<Vec<_>>()
    };
    assert_eq!(fired("simulate w.jsonl --format jsonl"), [0, 0, 0]);
    assert_eq!(fired("simulate w.jsonl --format jsonl --live-fs"), [1, 0, 0]);
}

#[test]
fn a_transcript_of_claude_code_keeps_the_native_names() {
    let project = project();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/traces/claude-code-demo.jsonl");
    let decisions = lines(&project.run(&format!("simulate {root} --format jsonl --profile dev")));
    let edit = decisions.iter().find(|d| d["tool"] == "edit").expect("an edit");
    assert_eq!((&edit["native_tool"], &edit["event"]), (&json!("Edit"), &json!("tool_call")));
    let denied: Vec<_> = decisions.iter().filter(|d| d["verdict"] == "deny").collect();
    assert_eq!(denied.len(), 1, "{denied:?}");
    assert_eq!(denied[0]["findings"][0]["rule"], "confirm_destructive");
}

#[test]
fn the_timeline_reads_well() {
    let project = project();
    let mut command = project.command("simulate t.jsonl");
    let output = command.env("COLUMNS", "80").output().expect("the program runs");
    let expect = "\
▌ s1 · a · /w · t.jsonl

  turn 1  “hello”
     #2  text       I am not sure
         ▲ warned    sure                Find out.
     #3  bash       git push
         ■ blocked   no_push             Do not push (bash: git push).
     #4  edit       a.rs
         ▲ warned    read_first          Read `a.rs`.
     #5  edit       a.rs  (result)
         ● reminded  failed
     #6  write      b.rs
         ? undecided new_only            nothing tells whether `b.rs` exists
     #8  write      c.rs
         ▲ warned    new_only            `c.rs` is there.

  rule                action         count   first at
  no_push             ■ blocked          1   #3
  read_first          ▲ warned           1   #4
  new_only            ▲ warned           1   #8
  sure                ▲ warned           1   #2
  failed              ● reminded         1   #5

  1 blocked · 3 warned · 1 reminded   in 4 tool calls, 1 turn, 1 session (3 allowed, 1 denied)
  ? undecided: `new_only` once (first at #6: nothing tells whether `b.rs`
    exists). `fs` events or `--live-fs` tell what is on the disk
";
    assert_eq!(String::from_utf8(output.stdout).expect("text"), expect);
}

#[test]
fn the_timeline_numbers_events_as_explain_takes_them() {
    let project = project();
    // Blank lines, and lines that are not understood, are no events.
    project.write("gaps.jsonl", format!("\nnot JSON\n\n{TRACE}").as_bytes());
    let run = project.run("simulate gaps.jsonl");
    assert!(run.out.contains("\n     #3  bash       git push\n"), "{run:?}");
    assert!(run.out.contains("line 2 not understood: "), "{run:?}");
    let object = project.json("explain --trace gaps.jsonl --at 3 --format json");
    assert_eq!((&object["tool"], &object["verdict"]), (&json!("bash"), &json!("deny")), "{object}");
    let run = project.run("simulate gaps.jsonl t.jsonl");
    assert!(run.out.contains("■ blocked          2   gaps.jsonl #3\n"), "{run:?}");
}

#[test]
fn nothing_to_say_is_said_in_a_line() {
    let project = project();
    project.write(
        "calm.jsonl",
        b"{\"event\":\"turn_start\"}\n{\"event\":\"tool_call\",\"tool\":\"x\"}\n",
    );
    let run = project.run("simulate calm.jsonl");
    let expect = "✔ all is well: 1 tool call in 1 session, and no rule had anything to say\n";
    assert_eq!(run.out, expect);
}

#[test]
fn colours_come_when_asked_for() {
    let project = project();
    assert!(!project.run("simulate t.jsonl").out.contains('\x1b'));
    assert!(
        project.run("simulate t.jsonl --color always").out.contains("\x1b[1m\x1b[31m■ blocked")
    );
}

#[test]
fn a_trace_cannot_command_the_terminal() {
    let project = project();
    let event = r#"{"event":"tool_call","session":"\u001b[2J","tool":"bash","params":{"command":"git push \u001b]0;x\u0007"}}"#;
    project.write("evil.jsonl", event.as_bytes());
    let run = project.run("simulate evil.jsonl");
    assert!(run.out.contains("git push"), "{run:?}");
    assert!(!run.out.contains(['\x1b', '\x07']), "{run:?}");
}

#[test]
fn other_programs_have_their_formats() {
    let project = project();
    let github = project.run("simulate t.jsonl --format github").out;
    let line = "::error file=t.jsonl,line=4,title=no_push::Do not push (bash: git push).\n";
    assert!(github.contains(line), "{github}");
    let junit = project.run("simulate t.jsonl --format junit").out;
    assert!(
        junit.contains(
            "<testsuite name=\"t.jsonl\" tests=\"5\" skipped=\"0\" errors=\"0\" failures=\"4\">"
        ),
        "{junit}"
    );
    assert!(junit.contains("<failure message=\"fired once\" type=\"block\">"), "{junit}");
    assert!(junit.ends_with("</testsuites>\n"), "{junit}");
    let markdown = project.run("simulate t.jsonl --format markdown").out;
    assert!(markdown.contains("| `no_push` | block | 1 | `t.jsonl:4` |"), "{markdown}");
}

#[test]
fn other_programs_are_told_what_could_not_be_decided() {
    let project = project();
    let write = r#"{"event":"tool_call","tool":"write","params":{"file_path":"b.rs"}}"#;
    project.write("w.jsonl", format!("{write}\n").repeat(3).as_bytes());
    let github = project.run("simulate w.jsonl --format github").out;
    let notice = "undecided 3 times: nothing tells whether `b.rs` exists";
    assert_eq!(github, format!("::notice file=w.jsonl,line=1,title=new_only::{notice}\n"));
    assert_eq!(project.run("simulate w.jsonl --format github -q").out, "");
    let junit = project.run("simulate w.jsonl --format junit").out;
    let case = "<testcase name=\"new_only\" classname=\"default\">\n            \
                <skipped message=\"undecided: nothing tells whether `b.rs` exists\"/>\n        \
                </testcase>";
    assert_eq!(junit.matches(case).count(), 1, "{junit}");
    assert!(junit.contains(" tests=\"5\" skipped=\"1\" errors=\"0\" failures=\"0\">"), "{junit}");
    let markdown = project.run("simulate w.jsonl --format markdown").out;
    let item =
        "\n- `new_only` 3 times, first at `w.jsonl:1`: nothing tells whether `b.rs` exists\n";
    assert!(markdown.contains(item), "{markdown}");
}

#[test]
fn annotations_hold_no_control_characters() {
    let project = project();
    let event = r#"{"event":"tool_call","tool":"bash","params":{"command":"git push \u001b[2J\u0000\n::error::x"}}"#;
    project.write("evil.jsonl", event.as_bytes());
    let run = project.run("simulate evil.jsonl --format github");
    assert!(run.out.contains("git push \u{fffd}[2J\u{fffd}%0A::error::x"), "{run:?}");
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
}

#[test]
fn without_any_config_the_default_preset_is_named_once() {
    let project = Project::new(&[("t.jsonl", TRACE)]);
    let run = project.run("simulate t.jsonl -v");
    assert_eq!(run.err.matches("using the built-in `dev` preset").count(), 1, "{run:?}");
}

#[test]
fn without_any_rule_in_force_nothing_is_called_well() {
    let project = Project::new(&[("behavior.yaml", "rules: {}\n"), ("t.jsonl", TRACE)]);
    let said = "no rule is in force, so nothing can be found";
    let pretty = project.run("simulate t.jsonl -q");
    assert_eq!(pretty.out, format!("! {said}; there were 4 tool calls in 1 session\n"));
    assert!(project.run("simulate t.jsonl --format markdown").out.contains(said));
    assert_eq!(project.json("simulate t.jsonl --format json")["summary"]["rules_in_force"], 0);
    for format in ["jsonl", "junit", "github"] {
        let run = project.run(&format!("simulate t.jsonl --format {format}"));
        assert_eq!(run.err, format!("note: {said}\n"), "{format}");
    }
}

#[test]
fn junit_tells_of_lines_that_were_not_understood() {
    let project = project();
    project.write("bad.jsonl", format!("{TRACE}not <JSON>\n").as_bytes());
    let run = project.run("simulate bad.jsonl --format junit");
    assert!(run.out.contains(" tests=\"6\" skipped=\"0\" errors=\"1\" failures=\"4\">"), "{run:?}");
    let case = "<testcase name=\"every line is understood\" classname=\"trace\">\n            \
                <error message=\"not understood: 1 line\">line 11: ";
    assert!(run.out.contains(case), "{run:?}");
    assert!(!project.run("simulate t.jsonl --format junit").out.contains("<error"));
}

#[test]
fn recordings_that_cannot_be_read_are_named_with_the_reason() {
    let project = project();
    let utf16: Vec<u8> = "{\"event\":\"text\"}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    project.write("odd/marked.jsonl", &[&[0xff, 0xfe], &*utf16].concat());
    project.write("odd/plain.jsonl", &utf16);
    project.write("odd/curly.json", b"{}");
    let run = project.run("simulate odd");
    assert_eq!(run.code, 2);
    for expect in [
        "no trace in `odd` can be read, of 3 files",
        "`odd/curly.json`: its content is in no known format",
        "`odd/marked.jsonl`: it is UTF-16",
        "`odd/plain.jsonl`: it is UTF-16",
    ] {
        assert!(run.err.contains(expect), "{expect}: {}", run.err);
    }
    let run = project.run("simulate odd/marked.jsonl");
    assert!(run.err.contains("is UTF-16, and recordings are read as UTF-8"), "{}", run.err);
}

#[test]
fn lines_that_are_not_understood_are_told_beside_every_format() {
    let good = "{\"event\":\"turn_start\"}\n";
    let bad = "{\"event\":\"zap\"}\n";
    let project = Project::new(&[
        ("some.jsonl", &format!("{good}{bad}{good}")),
        ("none.jsonl", bad),
        ("behavior.yaml", "profile: dev\n"),
    ]);
    for format in ["json", "jsonl", "markdown", "github", "junit"] {
        let run = project.run(&format!("simulate some.jsonl --format {format}"));
        assert_eq!(run.code, 2, "{format}: {run:?}");
        assert!(run.err.contains("some.jsonl:2: ") && run.err.contains("zap"), "{format}: {run:?}");
        // Where nothing was understood, there was nothing to decide on.
        let run = project.run(&format!("simulate none.jsonl --format {format}"));
        assert_eq!(run.code, 2, "{format}: {run:?}");
    }
}

#[test]
fn messages_do_not_show_secrets() {
    let token = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    let config = "rule_definitions:\n  - { id: s, condition: { contains_secret: params }, message: 'x {param:command}' }\n";
    let call = format!(
        "{{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{{\"command\":\"echo {token} | cat\"}}}}\n"
    );
    let project = Project::new(&[("behavior.yaml", config), ("t.jsonl", &call)]);
    let run = project.run("simulate t.jsonl --format jsonl");
    assert!(run.out.contains("x echo [redacted:GitHub-token] | cat"), "{run:?}");
    for line in ["simulate t.jsonl", "simulate t.jsonl --format junit"] {
        let run = project.run(line);
        assert!(run.out.contains("redacted") && !run.out.contains(token), "{run:?}");
    }
}

/// What rules say, counted: in recorded sessions, and in what was decided live.
#[test]
fn stats_say_how_often_each_rule_speaks() {
    let call = |tool: &str, path: &str| json!({ "event": "tool_call", "tool": tool, "params": { "file_path": path } });
    let trace: String = ["a", "b", "a", "c", "d", "e", "f", "g"]
        .iter()
        .map(|path| format!("{}\n", call("edit", path)))
        .collect();
    let rules = "rule_definitions:\n  - { id: edits_a, trigger: edit, condition: { target_matches: a }, message: m }\n  \
                 - { id: never, trigger: write, action: block, message: m }\n";
    let project = Project::new(&[("behavior.yaml", rules), ("t.jsonl", &trace)]);
    let figures = project.json("stats t.jsonl --format json");
    assert_eq!((&figures["calls"], &figures["sessions"]), (&json!(8), &json!(1)));
    let rule = &figures["rules"][0];
    assert_eq!(
        (&rule["rule"], &rule["fired"], &rule["repeated"]),
        (&json!("edits_a"), &json!(2), &json!(1))
    );
    assert_eq!((&rule["judged"], &rule["heard"]), (&json!(2), &json!(1)));
    assert_eq!(figures["rules"][1]["rule"], "never");
    let pretty = project.run("stats t.jsonl");
    assert!(pretty.out.contains("never fired: never\n"), "{pretty:?}");
    assert!(pretty.out.contains("8 calls in 1 session; 25.00 findings"), "{pretty:?}");
    let one = project.json("stats t.jsonl --rule never --format json");
    assert_eq!(one["rules"].as_array().unwrap().len(), 1);
    assert_eq!(project.run("stats t.jsonl --rule nothing").code, 2);
    let mut live = project.command("stats");
    let live = Run::from(live.env("BEHAVIOR_STATE_DIR", project.path("state")).output().unwrap());
    assert!(live.err.contains("nothing was decided live yet"), "{live:?}");
    let entry = json!({ "event": "tool_call", "session": "s", "tool": "edit", "params": {}, "rules": ["edits_a"] });
    std::fs::create_dir_all(project.path("state")).unwrap();
    std::fs::write(project.path("state/audit.jsonl"), format!("{entry}\nno line\n\n")).unwrap();
    let mut live = project.command("stats");
    let live = Run::from(live.env("BEHAVIOR_STATE_DIR", project.path("state")).output().unwrap());
    assert!(live.err.contains("1 line of the log cannot be read"), "{live:?}");
    assert!(live.err.contains("the figures are those of all"), "{live:?}");
}

/// Labels by hand: what a rule says where it should not, and what it should say and does not.
#[test]
fn precision_holds_rules_against_labels() {
    let call = |path: &str| json!({ "event": "tool_call", "tool": "edit", "params": { "file_path": path } });
    let trace = format!("{}\n{}\n{}\n", call("a"), call("b"), call("a"));
    let rules = "rule_definitions:\n  - { id: r, trigger: edit, condition: { target_matches: a }, message: m }\n";
    let labels = "{\"trace\":\"t.jsonl\",\"line\":1,\"rule\":\"r\",\"right\":true}\n\
                  {\"trace\":\"t.jsonl\",\"line\":2,\"rule\":\"r\",\"right\":true}\n\n\
                  {\"trace\":\"t.jsonl\",\"line\":3,\"rule\":\"r\",\"right\":false,\"note\":\"seen before\"}\n";
    let project = Project::new(&[
        ("behavior.yaml", rules),
        ("t.jsonl", &trace),
        ("labels.jsonl", labels),
        ("bad.jsonl", "{\"rule\":\"r\",\"right\":true}\n"),
    ]);
    let figures = project.json("precision labels.jsonl t.jsonl --format json");
    let expected = json!({ "rule": "r", "right": 1, "wrong": 1, "missed": 1, "precision": 0.5, "recall": 0.5 });
    assert_eq!(figures["rules"], json!([expected]));
    assert_eq!(project.run("precision labels.jsonl t.jsonl --min-precision 50").code, 0);
    assert_eq!(project.run("precision labels.jsonl t.jsonl --min-recall 51").code, 1);
    let bad = project.run("precision bad.jsonl t.jsonl");
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("bad.jsonl:1: a label names its event by"), "{bad:?}");
}

#[test]
fn the_timeline_shows_what_is_asked_for() {
    let rules = "rule_definitions:\n  - { id: stops, trigger: bash, action: block, message: no }\n  - { id: warns, trigger: \"*\", message: careful }\n  - { id: of-disk, trigger: read, action: warn, condition: target_exists_on_disk, message: there }\n";
    let trace = "{\"event\":\"turn_start\",\"text\":\"one\"}\n{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{\"command\":\"ls\"}}\n{\"event\":\"turn_start\",\"text\":\"two\"}\n{\"event\":\"tool_call\",\"tool\":\"read\",\"params\":{\"file_path\":\"/a\"}}\n";
    let project = Project::new(&[("r.yaml", rules), ("t.jsonl", trace)]);
    let shown = |filter: &str| {
        let run = project.run(&format!("simulate t.jsonl -c r.yaml {filter}"));
        assert_eq!(run.code, 0, "{run:?}");
        // What everything came to is below, and is the same whatever is shown.
        let (timeline, summary) = run.out.split_once("  rule ").expect("a summary");
        assert!(summary.contains("stops") && summary.contains("warns"), "{}", run.out);
        let seen = |word| timeline.contains(word);
        [seen("■ blocked"), seen("careful"), seen("turn 1"), seen("turn 2"), seen("? undecided")]
    };
    assert_eq!(shown(""), [true; 5]);
    assert_eq!(shown("--rule stops"), [true, false, true, false, false]);
    assert_eq!(shown("--action warn"), [false, true, true, true, false]);
    assert_eq!(shown("--turn 2"), [false, true, false, true, true]);
    assert_eq!(shown("--turn 1-1"), [true, true, true, false, false]);
    assert_eq!(shown("--only stopped"), [true, false, true, false, false]);
    assert_eq!(shown("--only undecided"), [false, false, false, true, true]);
    assert_eq!(shown("--only told --rule warns"), [false, true, true, true, false]);
    let run = project.run("simulate t.jsonl -c r.yaml --rule stop");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("no rule in force is called `stop`"), "{run:?}");
    let run = project.run("simulate t.jsonl -c r.yaml --turn 3-1");
    assert_eq!(run.code, 2, "{run:?}");
    for level in ["severe", "error"] {
        assert_eq!(
            project.run(&format!("simulate t.jsonl -c r.yaml -q --fail-on {level}")).code,
            1
        );
    }
}
