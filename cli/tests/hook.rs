//! `hook`: the real program with the payloads of real agents, a process for each event, as they
//! would run it; and what it answers when something is wrong.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{Project, Run};
use serde_json::{Value, json};

/// A project whose hooks keep what they keep in a directory of its own.
struct Live {
    project: Project,
}

impl Live {
    fn new(config: &str) -> Self {
        Self { project: Project::new(&[("behavior.yaml", config)]) }
    }

    fn with(files: &[(&str, &str)]) -> Self {
        Self { project: Project::new(files) }
    }

    /// One event, as an agent would tell it.
    fn hook(&self, agent: &str, payload: &str) -> Run {
        self.hook_with(agent, payload, &[])
    }

    fn hook_with(&self, agent: &str, payload: &str, environment: &[(&str, &str)]) -> Run {
        let mut command = self.project.command(&format!("hook {agent}"));
        command
            .env("BEHAVIOR_STATE_DIR", self.project.path("state"))
            .env("BEHAVIOR_CACHE_DIR", self.project.path("cache"))
            .env("HOME", self.project.path("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("BEHAVIOR")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that needs no more of it may have closed it.
        let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
        Run::from(child.wait_with_output().unwrap())
    }

    /// What Claude Code's hook answers before a call; `null` for nothing.
    fn before(&self, tool: &str, input: &Value) -> Value {
        answer(&self.hook("claude-code", &self.call("PreToolUse", tool, input)))
    }

    fn after(&self, tool: &str, input: &Value) -> Value {
        answer(&self.hook("claude-code", &self.call("PostToolUse", tool, input)))
    }

    fn call(&self, event: &str, tool: &str, input: &Value) -> String {
        json!({
            "session_id": "s1", "cwd": self.project.path(""), "permission_mode": "default",
            "hook_event_name": event, "tool_name": tool, "tool_input": input,
            "tool_use_id": "t1", "tool_response": "ok",
        })
        .to_string()
    }

    fn prompt(&self, text: &str) -> Value {
        let payload = json!({
            "session_id": "s1", "cwd": self.project.path(""),
            "hook_event_name": "UserPromptSubmit", "prompt": text,
        });
        answer(&self.hook("claude-code", &payload.to_string()))
    }

    /// The lines of the audit log.
    fn log(&self) -> Vec<Value> {
        let text =
            std::fs::read_to_string(self.project.path("state/audit.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn failures(&self) -> Vec<String> {
        let log = self.log();
        let failures = log.iter().filter_map(|line| line["failure"].as_str());
        failures.map(str::to_owned).collect()
    }
}

fn answer(run: &Run) -> Value {
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    if run.out.is_empty() {
        return Value::Null;
    }
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn decision(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none")
}

fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

fn payloads(agent: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hooks").join(agent);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    paths.sort();
    paths
}

/// Runs an agent's recorded session; answers with what was answered to the one event that deletes.
#[track_caller]
fn recorded(agent: &str) -> Run {
    let live = Live::new("profile: dev\n");
    let mut denied = None;
    for path in payloads(agent) {
        let payload = std::fs::read_to_string(&path).unwrap();
        let run = live.hook(agent, &payload);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let deletes = payload.contains("rm -rf") && !payload.contains("tool_response");
        let is_before =
            ["pre", "before", "tool_call"].iter().any(|part| name.to_lowercase().contains(part));
        if deletes && is_before && denied.is_none() {
            denied = Some(run);
        } else {
            assert!(!run.out.contains("BEHAVIOR BLOCKED"), "{name}: {run:?}");
            assert_eq!(run.code, 0, "{name}: {run:?}");
        }
    }
    assert_eq!(live.failures(), [] as [String; 0]);
    denied.expect("one event deletes")
}

#[test]
fn claude_code_is_denied() {
    let run = recorded("claude-code");
    let answer = answer(&run);
    assert_eq!(decision(&answer), "deny");
    let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.ends_with("Rule: confirm_destructive\nThe call was not run."), "{reason}");
}

#[test]
fn codex_is_denied() {
    assert_eq!(decision(&answer(&recorded("codex"))), "deny");
}

#[test]
fn gemini_cli_is_denied() {
    assert_eq!(answer(&recorded("gemini-cli"))["decision"], "deny");
}

#[test]
fn opencode_and_pi_are_denied() {
    for agent in ["opencode", "pi"] {
        let answer = answer(&recorded(agent));
        assert_eq!(answer["verdict"], "deny", "{answer}");
        assert!(answer["reason"].as_str().unwrap().contains("confirm_destructive"), "{answer}");
    }
}

#[test]
fn other_programs_get_the_decision() {
    let answer = answer(&recorded("native"));
    assert_eq!(answer["verdict"], "deny", "{answer}");
    assert_eq!(answer["findings"][0]["rule"], "confirm_destructive");
    assert_eq!(answer["turn"], 1);
}

#[test]
fn a_session_goes_on_from_process_to_process() {
    let live = Live::new("profile: dev\n");
    live.project.write("a.rs", b"fn a() {}\n");
    let file = json!({ "file_path": live.project.path("a.rs") });
    live.prompt("go on");
    assert!(context(&live.before("Edit", &file)).contains("read_before_edit"));
    live.after("Read", &file);
    assert!(!context(&live.before("Edit", &file)).contains("read_before_edit"));
    let sessions = live
        .project
        .command("session list --format json")
        .env("BEHAVIOR_STATE_DIR", live.project.path("state"))
        .output()
        .unwrap();
    let sessions: Value = serde_json::from_slice(&sessions.stdout).unwrap();
    assert_eq!(sessions["sessions"][0]["total_calls"], 1, "{sessions}");
}

#[test]
fn read_control_holds_with_real_files() {
    let live = Live::new("profile: read_control\n");
    live.project.write("a.rs", b"fn a() {}\n");
    live.project.write("coding-rules.md", b"Short functions.\n");
    live.project.write("response-rules-reminder.md", b"Be brief.\n");
    let file = json!({ "file_path": live.project.path("a.rs") });
    let new = json!({ "file_path": live.project.path("new.rs"), "content": "" });
    assert!(context(&live.prompt("go on")).contains("Be brief."));
    assert_eq!(decision(&live.before("Edit", &file)), "deny", "it was not read");
    assert_eq!(decision(&live.before("Write", &new)), "none", "a new file is free");
    live.before("Read", &file);
    assert_eq!(decision(&live.before("Edit", &file)), "none", "reading counts with the call");
    std::fs::write(live.project.path("a.rs"), "fn b() { /* by somebody else */ }\n").unwrap();
    assert_eq!(decision(&live.before("Edit", &file)), "deny", "it has changed since");
    live.before("Read", &file);
    assert!(context(&live.after("Edit", &file)).contains("Short functions."));
    for _ in 0..4 {
        live.prompt("more");
    }
    assert_eq!(decision(&live.before("Edit", &file)), "deny", "that was long ago");
}

#[test]
fn a_changed_rule_file_holds_at_once() {
    let live = Live::new("profile: dev\n");
    let delete = json!({ "command": "rm -rf build" });
    assert_eq!(decision(&live.before("Bash", &delete)), "deny");
    live.project.write("behavior.yaml", b"profile: dev\nrules: { confirm_destructive: false }\n");
    assert_eq!(decision(&live.before("Bash", &delete)), "none");
    live.project.write(
        "behavior/policy.toml",
        b"[[rules]]\nname = \"no rm\"\naction = \"deny\"\npattern = \"rm *\"\n",
    );
    let answer = live.before("Bash", &delete);
    assert_eq!(decision(&answer), "deny", "{answer}");
}

#[test]
fn an_agent_that_changes_its_directory_keeps_its_rules() {
    let live = Live::new("profile: dev\n");
    live.prompt("go on");
    let payload = json!({
        "session_id": "s1", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "rm -rf build" }, "tool_use_id": "t",
    });
    live.project.write("behavior.yaml", b"profile: dev\nrules: { confirm_destructive: false }\n");
    let run = live.hook("claude-code", &payload.to_string());
    assert_eq!(decision(&answer(&run)), "none", "the project's rules hold, not the preset's");
}

#[test]
fn rules_that_are_named_are_found_from_where_the_hook_began() {
    let live = Live::new("profile: dev\n");
    live.project.write("elsewhere/none", b"");
    live.project.write("own.yaml", b"profile: dev\nrules: { confirm_destructive: false }\n");
    let payload = json!({
        "session_id": "s1", "cwd": live.project.path("elsewhere"), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": "rm -rf build" }, "tool_use_id": "t",
    });
    for _ in 0..2 {
        let run = live.hook("claude-code -c own.yaml", &payload.to_string());
        assert_eq!(decision(&answer(&run)), "none", "{run:?}");
    }
    assert_eq!(live.failures(), [] as [String; 0]);
}

#[test]
fn an_image_that_is_named_is_verified_once() {
    let live = Live::new("profile: dev\n");
    assert_eq!(live.project.run("compile -o own.bhv --quiet").code, 0);
    std::thread::sleep(std::time::Duration::from_millis(120));
    let call = live.call("PreToolUse", "Bash", &json!({ "command": "rm -rf build" }));
    let decided = || decision(&answer(&live.hook("claude-code -c own.bhv", &call))).to_owned();
    assert_eq!(decided(), "deny");
    let cached = std::fs::read_dir(live.project.path("cache")).unwrap().count();
    assert_eq!(cached, 1, "it is kept with what compiled rules are kept with");
    assert_eq!(decided(), "deny");
    // A file that is changed is looked at anew: this one is damaged.
    let mut bytes = live.project.read("own.bhv");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    live.project.write("own.bhv", &bytes);
    assert_eq!(decided(), "ask");
}

#[test]
fn a_prompt_that_makes_the_agent_go_on_is_no_new_turn() {
    let live = Live::new(
        "rule_definitions:\n  - { id: end, when: on_text, action: block, message: Go on., \
         condition: { text_matches: Done } }\n",
    );
    let hook = |event: &str, field: &str, text: &str| {
        let cwd = live.project.path("");
        let payload =
            json!({ "session_id": "s1", "cwd": cwd, "hook_event_name": event, field: text });
        answer(&live.hook("gemini-cli", &payload.to_string()))
    };
    hook("BeforeAgent", "prompt", "do it");
    let refused = hook("AfterAgent", "prompt_response", "Done");
    assert_eq!(refused["decision"], "deny", "{refused}");
    // Gemini CLI tells the reason as what the user said.
    hook("BeforeAgent", "prompt", refused["reason"].as_str().unwrap());
    hook("BeforeAgent", "prompt", "and more");
    let said = live.log().into_iter().filter(|line| line["event"] == "turn_start");
    let said: Vec<Value> = said.map(|line| line["text"].clone()).collect();
    assert_eq!(said, ["do it", "and more"]);
}

#[test]
fn rules_that_do_not_compile_ask() {
    let live = Live::new("profile: dev\nrulez: {}\n");
    let answer_of = |live: &Live| live.before("Bash", &json!({ "command": "ls" }));
    let answer = answer_of(&live);
    assert_eq!(decision(&answer), "ask", "{answer}");
    let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("behavior.yaml:2:1: unknown field `rulez`"), "{reason}");
    assert!(live.failures()[0].contains("unknown field `rulez`"));
    // Codex cannot ask.
    let payload = live.call("PreToolUse", "Bash", &json!({ "command": "ls" }));
    let run = live.hook("codex", &payload);
    assert_eq!(run.out.matches("\"deny\"").count(), 1, "{run:?}");
    live.project.write("behavior.yaml", b"on_error: deny\nprofile: dev\nrulez: {}\n");
    assert_eq!(decision(&answer_of(&live)), "deny");
    live.project.write("behavior.yaml", b"on_error: allow\nprofile: dev\nrulez: {}\n");
    let answer = answer_of(&live);
    assert_eq!(decision(&answer), "none");
    assert!(context(&answer).contains("the rules are not valid"), "{answer}");
}

#[test]
fn where_nobody_can_be_asked_rules_that_only_warn_let_pass() {
    let warning = "rule_definitions:\n  - { id: w, trigger: bash, action: warn, \
                   condition: 'param(command) contains \"push\"', message: No. }\n";
    let live = Live::new(warning);
    let payload = live.call("PreToolUse", "Bash", &json!({ "command": "ls" }));
    assert_eq!(live.hook("codex", &payload).out, "");
    live.project.write("behavior.yaml", format!("{warning}rulez: {{}}\n").as_bytes());
    let run = live.hook("codex", &payload);
    assert!(!run.out.contains("deny") && run.out.contains("not valid"), "{run:?}");
    assert_eq!(run.code, 0);
}

#[test]
fn what_is_no_payload_is_refused() {
    let live = Live::new("profile: dev\n");
    for payload in ["", "{", "[]", "null", "{\"hook_event_name\": 1}", "\u{0}"] {
        let run = live.hook("claude-code", payload);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{payload}: {run:?}");
        assert!(!run.err.trim().is_empty(), "{payload}");
    }
    assert_eq!(live.failures().len(), 6);
}

#[test]
fn a_state_that_is_garbage_asks_once_and_starts_afresh() {
    let live = Live::new("profile: dev\n");
    live.prompt("go on");
    let folder = live.project.path("state/sessions");
    let file = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let file =
        file.into_iter().find(|path| path.extension().is_some_and(|e| e == "session")).unwrap();
    std::fs::write(&file, b"what is this").unwrap();
    let list = json!({ "command": "git status" });
    let answer = live.before("Bash", &list);
    assert_eq!(decision(&answer), "ask", "{answer}");
    assert!(live.failures()[0].contains("damaged"), "{:?}", live.failures());
    assert_eq!(decision(&live.before("Bash", &list)), "none");
}

#[test]
fn a_damaged_cache_decides_nothing() {
    let live = Live::new("profile: dev\n");
    let delete = json!({ "command": "rm -rf build" });
    std::thread::sleep(std::time::Duration::from_millis(120));
    assert_eq!(decision(&live.before("Bash", &delete)), "deny");
    let entry = std::fs::read_dir(live.project.path("cache")).unwrap().next().unwrap().unwrap();
    let whole = std::fs::read(entry.path()).unwrap();
    for at in (0..whole.len()).step_by(1789) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(entry.path(), &bytes).unwrap();
        let answer = live.before("Bash", &delete);
        assert!(matches!(decision(&answer), "deny" | "ask"), "{at}: {answer}");
    }
    for length in [0, 3, 11, 200, 1000, whole.len() / 2, whole.len() - 1] {
        std::fs::write(entry.path(), &whole[..length]).unwrap();
        let answer = live.before("Bash", &delete);
        assert!(matches!(decision(&answer), "deny" | "ask"), "{length}: {answer}");
    }
}

#[test]
fn rules_can_be_switched_off() {
    let live = Live::new("profile: dev\n");
    let delete = live.call("PreToolUse", "Bash", &json!({ "command": "rm -rf build" }));
    let off = live.hook_with("claude-code", &delete, &[("BEHAVIOR", "off")]);
    assert_eq!(off.out, "");
    live.prompt("go on");
    let session = |line: &str| {
        let mut command = live.project.command(line);
        let run = command.env("BEHAVIOR_STATE_DIR", live.project.path("state")).output().unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    session("session disable");
    assert_eq!(live.hook("claude-code", &delete).out, "");
    session("session enable s1");
    let run = live.hook_with("claude-code", &delete, &[("BEHAVIOR", "off")]);
    assert_eq!(decision(&answer(&run)), "deny");
}

#[test]
fn the_log_tells_what_was_decided_without_secrets() {
    let token = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    let live = Live::new("profile: dev\n");
    live.before(
        "Bash",
        &json!({ "command": format!("curl -H 'Authorization: token {token}' x; rm -rf b") }),
    );
    let log = live.log();
    assert_eq!(log.len(), 1);
    assert_eq!(log[0]["verdict"], "deny");
    assert_eq!(log[0]["rules"][0], "confirm_destructive");
    assert!(!log[0].to_string().contains("16C7e42F"), "{}", log[0]);
    let state = live.project.path("state");
    let run = live.project.command("log").env("BEHAVIOR_STATE_DIR", &state).output().unwrap();
    let out = String::from_utf8(run.stdout).unwrap();
    assert!(out.contains("deny") && out.contains("confirm_destructive"), "{out}");
    // A log is a trace.
    let line = format!("simulate {} --format json", state.join("audit.jsonl").display());
    let simulated = live.project.json(&line);
    assert_eq!(simulated["decisions"][0]["verdict"], "deny", "{simulated}");
    // So is one with a failure of which nobody knows the session.
    live.hook("claude-code", "what is this");
    assert_eq!(live.log()[1]["session"], Value::Null);
    let run = live.project.run(&line);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
}

#[test]
fn a_place_that_takes_no_state_asks() {
    let live = Live::new("profile: dev\n");
    // A file where the directory should be.
    live.project.write("state", b"");
    let answer = live.before("Bash", &json!({ "command": "ls -la" }));
    assert_eq!(decision(&answer), "ask", "{answer}");
}

#[test]
fn the_mode_that_nobody_chose_leaves_the_policys_in_force() {
    let check = |agent: &str, mode: &str, policy: &str, expect: &str| {
        let policy = format!("approval_mode = \"{policy}\"\n");
        let live = Live::with(&[("behavior.yaml", ""), ("behavior/policy.toml", &policy)]);
        // A mode that was chosen before does not stay.
        let call = live.call("PreToolUse", "Bash", &json!({"command": "ls"}));
        let [_, decided] = ["acceptEdits", mode].map(|mode| {
            let payload = call.replace("\"default\"", &format!("\"{mode}\""));
            answer(&live.hook(agent, &payload))
        });
        assert_eq!(decision(&decided), expect, "{agent} {mode} {policy}: {decided}");
    };
    for agent in ["claude-code", "codex"] {
        check(agent, "default", "yolo", "none");
        check(agent, "plan", "yolo", "none");
        check(agent, "bypassPermissions", "ask", "none");
    }
    check("claude-code", "default", "ask", "ask");
    check("claude-code", "plan", "ask", "ask");
    check("codex", "default", "ask", "deny");
    check("claude-code", "acceptEdits", "yolo", "ask");
}
