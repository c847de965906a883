//! Rules that are added for one session: by its user between two events, and in traces. The hook enforces them from
//! the next event on.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Project, Run};
use serde_json::{Value, json};

const CONFIG: &str = "rule_definitions:\n  - { id: no_push, trigger: bash, action: block, \
                      condition: 'runs \"git push\"', message: No pushes. }\n";

/// A project with a live agent.
struct Live {
    project: Project,
}

impl Live {
    fn new() -> Self {
        Self { project: Project::new(&[("behavior.yaml", CONFIG)]) }
    }

    fn surround(&self, command: &mut Command) {
        command
            .env("BEHAVIOR_STATE_DIR", self.project.path("state"))
            .env("BEHAVIOR_CACHE_DIR", self.project.path("cache"))
            .env("HOME", self.project.path("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("BEHAVIOR");
    }

    fn hook(&self, agent: &str, payload: &Value) -> Value {
        let mut command = self.project.command(&format!("hook {agent}"));
        self.surround(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, 0, "{run:?}");
        if run.out.is_empty() { Value::Null } else { serde_json::from_str(&run.out).unwrap() }
    }

    /// What Claude Code is answered before it runs a command.
    fn bash(&self, session: &str, sub_agent: Option<&str>, command: &str) -> Value {
        let mut payload = json!({
            "session_id": session, "cwd": self.project.path(""), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": { "command": command }, "tool_use_id": "t1",
        });
        if let Some(sub_agent) = sub_agent {
            payload["agent_id"] = json!(sub_agent);
        }
        self.hook("claude-code", &payload)
    }

    fn prompt(&self, session: &str, text: &str) -> Value {
        let payload = json!({
            "session_id": session, "cwd": self.project.path(""),
            "hook_event_name": "UserPromptSubmit", "prompt": text,
        });
        self.hook("claude-code", &payload)
    }

    /// `behavior session constitution` with arguments.
    fn constitution(&self, arguments: &[&str]) -> Run {
        let mut command = self.project.command("session constitution");
        self.surround(&mut command);
        Run::from(command.args(arguments).output().unwrap())
    }
}

/// What an answer decides.
fn decision(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none")
}

fn reason(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default()
}

const NO_REMOVAL: &str = r#"{"trigger": "bash", "condition": "runs \"rm -rf\"", "action": "block", "message": "Not now."}"#;

#[test]
fn what_a_user_adds_holds_from_the_next_event_on_for_that_session_alone() {
    let live = Live::new();
    assert_eq!(decision(&live.bash("one", None, "rm -rf build")), "none");
    live.bash("two", None, "ls");
    let added = live.constitution(&["add", NO_REMOVAL, "--session", "one"]);
    assert_eq!(
        (added.code, added.err.contains("1 rule for session `one`")),
        (0, true),
        "{added:?}"
    );
    for _ in 0..2 {
        let answer = live.bash("one", None, "rm -rf build");
        assert_eq!(decision(&answer), "deny", "{answer}");
        assert!(reason(&answer).contains("Not now.\nRule: constitution:0"), "{answer}");
    }
    assert_eq!(decision(&live.bash("one", None, "ls")), "none");
    assert_eq!(decision(&live.bash("two", None, "rm -rf build")), "none");
    // What the project says stays.
    assert_eq!(decision(&live.bash("one", None, "git push")), "deny");
}

#[test]
fn what_is_added_holds_for_sub_agents_of_before_and_of_later() {
    let live = Live::new();
    live.bash("one", None, "ls");
    assert_eq!(decision(&live.bash("one", Some("before"), "rm -rf build")), "none");
    live.constitution(&["add", NO_REMOVAL, "--session", "one"]);
    assert_eq!(decision(&live.bash("one", Some("before"), "rm -rf build")), "deny");
    assert_eq!(decision(&live.bash("one", Some("later"), "rm -rf build")), "deny");
}

#[test]
fn texts_are_told_in_every_turn() {
    let live = Live::new();
    live.prompt("one", "Begin.");
    live.constitution(&["add", "Never touch the migrations."]);
    for _ in 0..2 {
        let answer = live.prompt("one", "Go on.");
        assert!(answer.to_string().contains("Never touch the migrations."), "{answer}");
    }
    let list = live.constitution(&["get", "--format", "json"]);
    let list: Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!(list["entries"], json!(["Never touch the migrations."]));
    assert_eq!(list["by"], json!(["user"]));
}

#[test]
fn what_has_no_place_any_more_is_told() {
    let live = Live::new();
    live.bash("one", None, "ls");
    let list: String = (0..51)
        .map(|number| format!("- {{ trigger: bash, action: warn, message: \"{number}\" }}\n"))
        .collect();
    live.project.write("rules.yaml", list.as_bytes());
    let run = live.constitution(&["add", "--file", "rules.yaml"]);
    assert!(run.err.contains("a session keeps 50 rules: the oldest one is not kept"), "{run:?}");
}

#[test]
fn what_is_wrong_is_refused_with_what_is_wrong() {
    let live = Live::new();
    let run = live.constitution(&["add", "Too early."]);
    assert!(run.err.contains("there is no session of this project yet"), "{run:?}");
    live.bash("one", None, "ls");
    let run =
        live.constitution(&["add", r#"{"triger": "bash", "action": "block", "message": "x"}"#]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("unknown field `triger`"), "{run:?}");
    let run =
        live.constitution(&["add", r#"{"trigger": "bash", "action": "allow", "message": "x"}"#]);
    assert_eq!(run.code, 2, "{run:?}");
    live.project.write(
        "rules.yaml",
        b"rule_definitions:\n  - { trigger: bash, action: ask, message: Sure? }\n  - { trigger: edit, message: Hm. }\n",
    );
    let run = live.constitution(&["add", "--file", "rules.yaml"]);
    assert!(run.err.contains("2 rules for"), "{run:?}");
    assert_eq!(decision(&live.bash("one", None, "ls")), "ask");
    let run = live.constitution(&["reset"]);
    assert!(run.err.contains("at a terminal"), "{run:?}");
    assert_eq!(decision(&live.bash("one", None, "ls")), "ask");
}

#[test]
fn a_person_takes_rules_away_at_a_terminal() {
    if !crate::common::has_terminals() {
        return;
    }
    let live = Live::new();
    live.bash("one", None, "ls");
    live.constitution(&["add", NO_REMOVAL]);
    assert_eq!(decision(&live.bash("one", None, "rm -rf build")), "deny");
    let line = "session constitution reset";
    let run = live.project.at_terminal(line, "", |command| live.surround(command));
    assert!(run.out.contains("0 rules for"), "{run:?}");
    assert_eq!(decision(&live.bash("one", None, "rm -rf build")), "none");
}

#[test]
fn no_agent_takes_rules_of_a_user_away() {
    let live = Live::new();
    live.bash("one", None, "ls");
    live.constitution(&["add", NO_REMOVAL]);
    let answer = live.bash("one", None, "echo y | behavior session constitution reset");
    assert_eq!(decision(&answer), "deny", "{answer}");
    assert!(reason(&answer).contains("only a person may run"), "{answer}");
    assert_eq!(decision(&live.bash("one", None, "behavior session constitution get")), "none");
    // The state cannot be written either: what is kept is authenticated.
    let sessions = live.project.path("state/sessions");
    let mut files = std::fs::read_dir(&sessions).unwrap().flatten().map(|entry| entry.path());
    let file = files.find(|path| path.extension().is_some_and(|end| end == "session"));
    let file = file.expect("the session is kept");
    let bytes = std::fs::read(&file).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains("Not now."), "the rules are kept with the session");
    let at = bytes.windows(8).position(|part| part == b"Not now.").unwrap();
    let mut changed = bytes.clone();
    changed[at] = b'n';
    std::fs::write(&file, changed).unwrap();
    let answer = live.bash("one", None, "rm -rf build");
    assert_ne!(decision(&answer), "none", "a state that somebody else wrote is believed: {answer}");
}

#[test]
fn a_program_of_ones_own_changes_them_by_events() {
    let live = Live::new();
    let event = |event: Value| live.hook("native", &event);
    let update = json!({
        "event": "constitution", "session": "s", "op": "update",
        "rule": { "trigger": "bash", "action": "ask", "message": "Sure?" },
    });
    let answer = event(update);
    assert_eq!(answer["constitution"], json!({ "op": "update", "count": 1 }));
    let call = json!({ "event": "tool_call", "session": "s", "tool": "bash", "params": { "command": "ls" } });
    let answer = event(call.clone());
    assert_eq!(answer["verdict"], "ask", "{answer}");
    assert_eq!(answer["findings"][0]["rule"], "constitution:0");
    assert_eq!(answer["findings"][0]["layer"], "session");
    let read = event(json!({ "event": "constitution", "session": "s", "op": "get" }));
    assert_eq!(read["constitution"]["entries"][0]["message"], "Sure?", "{read}");
    event(json!({ "event": "constitution", "session": "s", "op": "remove" }));
    assert_eq!(event(call)["verdict"], "allow");
}

#[test]
fn traces_and_explanations_know_them() {
    let live = Live::new();
    let events = [
        json!({ "event": "constitution", "op": "update", "rule": "A text." }),
        json!({ "event": "constitution", "op": "update", "rule":
            { "trigger": "bash", "condition": "runs \"ls\"", "action": "block", "message": "No." } }),
        json!({ "event": "constitution", "op": "update", "rule": { "trigger": 5 } }),
        json!({ "event": "turn_start", "text": "Go." }),
        json!({ "event": "tool_call", "tool": "bash", "params": { "command": "ls" } }),
        json!({ "event": "tool_call", "tool": "bash", "params": { "command": "pwd" } }),
    ];
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    live.project.write("trace.jsonl", lines.join("\n").as_bytes());
    let run = live.project.run("simulate trace.jsonl -c behavior.yaml --format jsonl");
    let decisions: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(decisions[0]["constitution"], json!({ "op": "update", "count": 1 }));
    assert_eq!(decisions[2]["constitution"]["count"], 2);
    let refused = &decisions[2]["constitution"]["refused"][0];
    assert_eq!(refused["severity"], "error", "{refused}");
    assert!(refused["message"].is_string() && refused["span"].is_object(), "{refused}");
    assert_eq!(decisions[3]["context"], json!(["A text."]));
    let finding = &decisions[4]["findings"][0];
    assert_eq!(decisions[4]["verdict"], "deny");
    assert_eq!(
        (&finding["rule"], &finding["layer"], &finding["span"]["line"]),
        (&json!("constitution:1"), &json!("session"), &json!(2))
    );
    assert_eq!(decisions[5]["verdict"], "allow");
    let summary = live.project.json("simulate trace.jsonl -c behavior.yaml --format json");
    assert_eq!(summary["summary"]["findings"]["by_rule"]["constitution:1"], 1, "{summary}");
    let pretty = live.project.run("simulate trace.jsonl -c behavior.yaml");
    assert!(pretty.out.contains("constitution:1"), "{pretty:?}");
    let why = live.project.json(
        "explain --trace trace.jsonl --at 5 --rule constitution:1 -c behavior.yaml --format json",
    );
    assert_eq!(why["layer"], "session", "{why}");
    assert_eq!(why["rules"][0]["rule"], "constitution:1", "{why}");
    let why = live.project.run("explain --trace trace.jsonl --at 4 -c behavior.yaml");
    assert!(
        why.out.contains("rules of the session") && why.out.contains("constitution:1"),
        "{why:?}"
    );
    let none = live
        .project
        .run("explain --trace trace.jsonl --at 4 --rule constitution:7 -c behavior.yaml");
    assert!(none.err.contains("no rule `constitution:7` at that event"), "{none:?}");
}
