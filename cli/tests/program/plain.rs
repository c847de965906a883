//! Nothing that this program prints commands a terminal, turns text around or hides it: whatever names, texts
//! and arguments it was given.

use crate::common::Project;

/// Characters that deceive, each of another kind.
const CANARY: &str = "x\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{200b}\u{e0041}\u{7f}y";

/// The characters as YAML and JSON both have them.
fn written() -> String {
    let units: Vec<String> = CANARY.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    format!("\"{}\"", units.concat().replace("\\udb40\\udc41", "\u{e0041}"))
}

fn is_canary(character: char) -> bool {
    let others = ['\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{e0041}', '\u{7f}', '\u{1b}'];
    others.contains(&character)
}

#[test]
fn nothing_that_deceives_is_printed() {
    let in_json = written();
    let rules = format!(
        "rule_definitions:\n  - id: a\n    trigger: \"*\"\n    action: block\n    message: {in_json}\n    \
         condition: {{ param_contains: {{ param: command, value: {in_json} }} }}\n"
    );
    let events = format!(
        "{{\"event\":\"tool_call\",\"id\":\"1\",\"tool\":\"bash\",\"params\":{{\"command\":{in_json}}}}}\n\
         {{\"event\":\"tool_call\",\"id\":\"2\",\"tool\":{in_json},\"params\":{{\"file_path\":{in_json}}}}}\n"
    );
    let trace = "t\u{202e}\u{9b}race.jsonl";
    let project = Project::new(&[
        ("behavior.yaml", &*rules),
        ("wrong.yaml", &format!("rules: {{ {in_json}: true }}\n")),
        (trace, &*events),
    ]);
    let mut lines = vec![
        "check behavior.yaml".to_owned(),
        "inspect behavior.yaml".to_owned(),
        "inspect behavior.yaml --format json".to_owned(),
        format!("no-such\u{9b}command\u{202e}"),
        format!("check {trace}.yaml"),
        format!("check --no-such\u{1b}[31m"),
        format!("explain --command echo\u{202e}\u{1b}[2J"),
        format!("explain --command echo\u{202e}\u{9b} --format json"),
    ];
    for format in ["pretty", "concise", "json"] {
        lines.push(format!("check wrong.yaml --format {format}"));
    }
    for format in ["pretty", "json", "jsonl", "github", "junit", "markdown"] {
        lines.push(format!("simulate -c behavior.yaml {trace} --format {format}"));
    }
    for line in lines {
        let run = project.run(&line);
        for text in [&run.out, &run.err] {
            assert!(!text.contains(is_canary), "{line:?}: {text:?}");
        }
        assert!(!run.out.is_empty() || !run.err.is_empty(), "{line:?}");
    }
    // Of JSON, the value is the same.
    let shown = project.run(&format!("simulate -c behavior.yaml {trace} --format json"));
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(shown["decisions"][0]["findings"][0]["message"], CANARY);
}

#[test]
fn what_agents_are_told_does_not_deceive() {
    let in_json = written();
    let rules = format!(
        "rule_definitions:\n  - {{ id: a, trigger: bash, action: block, message: {in_json} }}\n"
    );
    let project = Project::new(&[("behavior.yaml", &*rules)]);
    let payload = format!(
        "{{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"tool_name\":\"Bash\",\
         \"tool_input\":{{\"command\":{in_json}}}}}"
    );
    project.write("payload", payload.as_bytes());
    let run = |line: &str| {
        let mut command = project.command(line);
        command.env("BEHAVIOR_STATE_DIR", project.path("state"));
        command.env("BEHAVIOR_CACHE_DIR", project.path("cache"));
        command.env("XDG_CONFIG_HOME", project.path("config"));
        command.stdin(std::fs::File::open(project.path("payload")).unwrap());
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let answer = run("hook claude-code");
    assert!(answer[0].contains("deny"), "{answer:?}");
    let log = run("log");
    assert!(log[0].contains("bash"), "{log:?}");
    for text in answer.iter().chain(&log) {
        assert!(!text.contains(is_canary), "{text:?}");
    }
}
