//! `hook`: the real program with the payloads of real agents, a process for each event, as they
//! would run it; and what it answers when something is wrong.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Project, Run};
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

    /// Trusts the project's rules as they are now, as its user would at a terminal; says whether there is one.
    fn trusted(self) -> Option<Self> {
        self.trust().then_some(self)
    }

    fn trust(&self) -> bool {
        if !crate::common::has_terminals() {
            return false;
        }
        let run = self.project.at_terminal("trust", "y", |command| {
            command
                .env("BEHAVIOR_STATE_DIR", self.project.path("state"))
                .env("HOME", self.project.path("home"));
        });
        assert!(run.out.contains("trusted"), "{run:?}");
        true
    }

    /// One event, as an agent would tell it.
    fn hook(&self, agent: &str, payload: &str) -> Run {
        self.hook_with(agent, payload, &[])
    }

    /// The hook of an agent, with nothing of whoever runs the tests around it.
    fn hook_command(&self, agent: &str) -> Command {
        let mut command = self.project.command(&format!("hook {agent}"));
        command
            .env("BEHAVIOR_STATE_DIR", self.project.path("state"))
            .env("BEHAVIOR_CACHE_DIR", self.project.path("cache"))
            .env("HOME", self.project.path("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("BEHAVIOR")
            .stdin(Stdio::piped());
        command
    }

    fn hook_with(&self, agent: &str, payload: &str, environment: &[(&str, &str)]) -> Run {
        let mut command = self.hook_command(agent);
        command.envs(environment.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
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

/// What `init` switches on says nothing of a recorded session but where something is destroyed. A patch is no command,
/// whatever its agent calls the parameter.
#[test]
fn the_guard_stops_nothing_else_of_recorded_sessions() {
    for agent in ["claude-code", "codex", "cursor", "gemini-cli", "opencode", "pi"] {
        let live = Live::new("profile: guard\n");
        for path in payloads(agent) {
            let payload = std::fs::read_to_string(&path).unwrap();
            let run = live.hook(agent, &payload);
            let is_stopped = ["BEHAVIOR BLOCKED", "BEHAVIOR ASK"]
                .iter()
                .any(|stopped| run.out.contains(stopped));
            let destroys = ["rm -rf", "drop_table"].iter().any(|what| payload.contains(what));
            assert!(!is_stopped || destroys, "{}: {run:?}", path.display());
        }
        assert_eq!(live.failures(), [] as [String; 0], "{agent}");
    }
}

#[test]
fn a_working_directory_elsewhere_is_no_part_of_the_project() {
    let live = Live::new("profile: guard\n");
    live.project.make_repository();
    live.prompt("Fix the parser.");
    let writes = |directory: &Path, name: &str| {
        let input = json!({ "file_path": directory.join(name), "content": "x" });
        let call = live.call("PreToolUse", "Write", &input);
        let mut payload: Value = serde_json::from_str(&call).unwrap();
        payload["cwd"] = json!(directory);
        decision(&answer(&live.hook("claude-code", &payload.to_string()))).to_owned()
    };
    assert_eq!(writes(Path::new("/etc"), "behavior-test.conf"), "ask");
    assert_eq!(writes(&live.project.path(""), "a.rs"), "none");
    // A link to the project is the project.
    let link = std::env::temp_dir().join(format!("behavior-link-{}", std::process::id()));
    std::os::unix::fs::symlink(live.project.path(""), &link).unwrap();
    let through = writes(&link, "b.rs");
    std::fs::remove_file(&link).unwrap();
    assert_eq!(through, "none");
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
    let Some(live) = Live::new("profile: read_control\n").trusted() else { return };
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

const NO_PUSH: &str = "rule_definitions: [{id: no_push, trigger: bash, action: block, condition: {runs: {program: \
                       git, subcommand: push}}, message: No pushes.}]\n";
const NO_CURL: &str = "rule_definitions: [{id: no_curl, trigger: bash, action: block, condition: {runs: {program: \
                       curl}}, message: No downloads.}]\n";

#[test]
fn a_sub_agent_in_a_root_of_its_own_works_under_the_rules_of_both() {
    let files = [
        ("main/behavior.yaml", NO_PUSH),
        ("main/.git/HEAD", ""),
        ("main/.git/objects/x", ""),
        ("main/sub/behavior.yaml", NO_CURL),
        ("main/sub/.git/HEAD", ""),
        ("main/sub/.git/objects/x", ""),
        ("main/sub/inner/x", ""),
        ("main/bare/.git/HEAD", ""),
        ("main/bare/.git/objects/x", ""),
    ];
    let live = Live::with(&files);
    let ask = |sub_agent: Option<&str>, folder: &str, command: &str| {
        let mut payload: Value =
            serde_json::from_str(&live.call("PreToolUse", "Bash", &json!({ "command": command })))
                .unwrap();
        payload["cwd"] = live.project.path(folder).to_str().unwrap().into();
        if let Some(id) = sub_agent {
            payload["agent_id"] = id.into();
        }
        let answer = answer(&live.hook("claude-code", &payload.to_string()));
        decision(&answer).to_owned()
    };
    let (push, curl) = ("git push", "curl https://a.example");
    assert_eq!([ask(None, "main", push), ask(None, "main", curl)], ["deny", "none"]);
    for (id, folder, of_curl) in
        [("a", "main/sub", "deny"), ("b", "main/sub/inner", "deny"), ("c", "main/bare", "none")]
    {
        assert_eq!(
            [ask(Some(id), folder, push), ask(Some(id), folder, curl)],
            ["deny", of_curl],
            "{folder}"
        );
    }
    assert_eq!(ask(Some("a"), "main", curl), "deny", "it stays where it began");
    let stray = |folder: &str, also: &str| {
        format!(
            "the session began in `{}` and is seen in `{}`, which is a root of its own: the rules of where it \
             began hold{also}",
            live.project.path("main").display(),
            live.project.path(folder).display()
        )
    };
    let on_top = ", and those of there on top";
    let expect = [stray("main/sub", on_top), stray("main/sub", on_top), stray("main/bare", "")];
    assert_eq!(live.failures(), expect, "one line each");
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
    // A project may say so only once it is trusted.
    let allows = "on_error: allow\nprofile: dev\nrulez: {}\n";
    live.project.write("behavior.yaml", allows.as_bytes());
    assert_eq!(decision(&answer_of(&live)), "ask");
    live.project.write("behavior.yaml", allows.replace("rulez: {}\n", "").as_bytes());
    if !live.trust() {
        return;
    }
    live.project.write("behavior.yaml", allows.as_bytes());
    let answer = answer_of(&live);
    assert_eq!(decision(&answer), "none");
    assert!(context(&answer).contains("the rules of the project are not valid"), "{answer}");
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
fn damaged_targets_of_a_session_ask_once_and_start_afresh() {
    let Some(live) = Live::new("profile: read_control\n").trusted() else { return };
    let file = |name: &str| json!({ "file_path": live.project.path(name) });
    const SECRET: &str = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    for name in ["a.rs", "b.rs", SECRET] {
        live.project.write(name, b"fn a() {}\n");
        live.before("Read", &file(name));
        live.after("Read", &file(name));
        assert_eq!(decision(&live.before("Edit", &file(name))), "none", "{name} was read");
    }
    let targets = live.project.path("state/sessions/claude-code@s1.targets");
    let mut bytes = std::fs::read(&targets).unwrap();
    let mut show = live.project.command("session show");
    let shown = show.env("BEHAVIOR_STATE_DIR", live.project.path("state")).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("  a.rs\n  b.rs\n  (a target with a secret)\n"), "{shown}");
    let state = std::fs::read(targets.with_extension("session")).unwrap();
    for kept in [shown.as_bytes(), &bytes, &state] {
        let kept = String::from_utf8_lossy(kept);
        assert!(kept.contains("b.rs") && !kept.contains("16C7e42F292c6912"), "{kept}");
    }
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    std::fs::write(&targets, &bytes).unwrap();
    let answer = live.before("Edit", &file("a.rs"));
    assert_eq!(decision(&answer), "ask", "{answer}");
    assert!(live.failures()[0].contains("not as it was written"), "{:?}", live.failures());
    assert_eq!(decision(&live.before("Edit", &file("a.rs"))), "deny", "nothing was read");
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
    let session = |line: &str| {
        let mut command = live.project.command(line);
        let run = command.env("BEHAVIOR_STATE_DIR", live.project.path("state")).output().unwrap();
        assert!(run.status.success(), "{run:?}");
        Run::from(run)
    };
    let listed = session("session list").out;
    assert!(listed.contains("rules were off") && !listed.contains("damaged"), "{listed}");
    let mut show = live.project.command("session show");
    let shown = show.env("BEHAVIOR_STATE_DIR", live.project.path("state")).output().unwrap();
    let shown = Run::from(shown);
    assert!(shown.err.contains("the rules were switched off for this session"), "{shown:?}");
    live.prompt("go on");
    let listed = session("session list").out;
    assert!(listed.contains("rules were off") && !listed.contains("rules off"), "{listed}");
    let told = session("session disable").err;
    assert!(told.contains("rules are off for session `s1` of claude-code"), "{told}");
    assert_eq!(live.hook("claude-code", &delete).out, "");
    assert!(session("session list").out.contains("rules off"));
    let shown = session("session show s1").out;
    let is_off = |line: &str| line.split_whitespace().eq(["rules", "off"]);
    assert!(shown.lines().any(is_off), "{shown}");
    assert!(session("session list --format json").out.contains("\"enabled\": false"));
    session("session enable s1");
    let listed = session("session list --format json").out;
    assert!(listed.contains("\"was_off\": true"), "{listed}");
    assert!(session("session show s1").out.contains("were off for a part of it"));
    let run = live.hook_with("claude-code", &delete, &[("BEHAVIOR", "off")]);
    assert_eq!(decision(&answer(&run)), "deny");
}

#[test]
fn who_names_no_session_means_none_of_another_project() {
    let live = Live::new("profile: dev\n");
    live.prompt("go on");
    let elsewhere = Project::new(&[("behavior.yaml", "profile: dev\n")]);
    let there = |line: &str| {
        let mut command = elsewhere.command(line);
        Run::from(command.env("BEHAVIOR_STATE_DIR", live.project.path("state")).output().unwrap())
    };
    for line in ["session disable", "session enable", "session show"] {
        let run = there(line);
        assert!(run.err.contains("no session of this project yet"), "{line}: {run:?}");
        assert_eq!(run.code, 2, "{line}: {run:?}");
    }
    assert!(!there("session list").out.contains("rules off"));
    let named = there("session disable --session s1");
    let named = if named.code == 0 { named } else { there("session disable s1") };
    assert!(named.err.contains("rules are off for session `s1`"), "{named:?}");
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
fn what_a_user_thinks_of_a_decision_is_kept() {
    let live = Live::new("profile: dev\n");
    live.before("Bash", &json!({ "command": "rm -rf b" }));
    let state = live.project.path("state");
    let run = |line: &str| {
        let output = live.project.command(line).env("BEHAVIOR_STATE_DIR", &state).output();
        Run::from(output.unwrap())
    };
    assert!(run("log").out.starts_with("#1 "), "{:?}", run("log"));
    assert!(run("log --wrong 1").err.contains("`confirm_destructive` should not speak there"));
    assert_eq!(run("log --right 7").code, 2);
    let (labels, log) = (state.join("labels.jsonl"), state.join("audit.jsonl"));
    let line = format!("precision {} {} --format json", labels.display(), log.display());
    let figures: Value = serde_json::from_str(&run(&line).out).unwrap();
    assert_eq!(
        (&figures["rules"][0]["wrong"], &figures["rules"][0]["precision"]),
        (&json!(1), &json!(0.0))
    );
}

#[test]
fn a_place_that_takes_no_state_asks() {
    let live = Live::new("profile: dev\n");
    // A file where the directory should be.
    live.project.write("state", b"");
    let call = live.call("PreToolUse", "Bash", &json!({ "command": "ls -la" }));
    let decided = |live: &Live| {
        let run = live.hook("claude-code", &call);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.err.contains("cannot be written down in"), "{run:?}");
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        decision(&answer).to_owned()
    };
    assert_eq!(decided(&live), "ask");
    for (on_error, expect) in [("deny", "deny"), ("allow", "none"), ("ask", "ask")] {
        // The user's word: a project's would have to be trusted, and that cannot be kept here either.
        let config = format!("profile: dev\non_error: {on_error}\n");
        std::fs::remove_file(live.project.path("behavior.yaml")).ok();
        live.project.write("home/.config/behavior/behavior.yaml", config.as_bytes());
        assert_eq!(decided(&live), expect, "{on_error}");
    }
}

#[test]
fn what_is_not_understood_is_answered_as_the_rules_say() {
    let live = Live::new("profile: dev\n");
    let unknown = json!({
        "session_id": "s1", "cwd": live.project.path(""), "hook_event_name": "PreToolCall",
        "tool_name": "Bash", "tool_input": {"command": "ls"},
    });
    let unknown = unknown.to_string();
    let no_tool = unknown.replace("PreToolCall", "PreToolUse").replace("tool_name", "tool");
    for (on_error, code) in
        [("", 2), ("on_error: deny\n", 2), ("on_error: ask\n", 2), ("on_error: allow\n", 0)]
    {
        live.project.write("behavior.yaml", format!("profile: dev\n{on_error}").as_bytes());
        if code == 0 && !live.trust() {
            return;
        }
        for payload in ["{", &no_tool, &unknown] {
            for agent in ["claude-code", "codex", "gemini-cli", "cursor"] {
                let run = live.hook(agent, payload);
                assert_eq!(run.code, code, "{on_error} {agent} {payload}: {run:?}");
                assert!(run.err.starts_with("behavior: "), "{agent} {payload}: {run:?}");
                assert!(matches!(run.out.trim(), "" | "{}"), "{agent} {payload}: {run:?}");
            }
        }
        for agent in ["opencode", "pi"] {
            let run = live.hook(agent, "{");
            let out = if code == 0 { "{\"verdict\":\"allow\"}" } else { "" };
            assert_eq!((run.code, run.out.trim()), (code, out), "{on_error} {agent}: {run:?}");
        }
    }
    let message = "the event `PreToolCall` is not known, and it is about a call of `Bash`";
    assert!(live.failures().iter().any(|failure| failure == message), "{:?}", live.failures());
    // Events that tell of calls and decide nothing stay what they are.
    for name in ["PostToolBatch", "PermissionRequest", "Notification"] {
        answer(&live.hook("claude-code", &unknown.replace("PreToolCall", name)));
    }
}

#[test]
fn rules_that_cannot_be_read_are_not_passed_over() {
    let check = |make: &dyn Fn(&Path)| {
        let live = Live::with(&[]);
        make(&live.project.path("behavior.yaml"));
        let answer = live.before("Bash", &json!({ "command": "ls" }));
        assert_eq!(decision(&answer), "ask", "{answer}");
        assert!(
            live.failures()[0].contains("cannot read `behavior.yaml`"),
            "{:?}",
            live.failures()
        );
        for line in ["check", "inspect", "compile -o out.bhv"] {
            let run = live.project.run(line);
            assert!(
                run.code == 2 && run.err.contains("cannot read `behavior.yaml`"),
                "{line}: {run:?}"
            );
        }
        let doctor = live.project.command("doctor").env("HOME", live.project.path("home")).output();
        let doctor = Run::from(doctor.unwrap());
        assert!(doctor.out.contains("error    rules: cannot read `behavior.yaml`"), "{doctor:?}");
    };
    check(&|path| std::fs::create_dir(path).unwrap());
    #[cfg(unix)]
    check(&|path| std::os::unix::fs::symlink("nowhere.yaml", path).unwrap());
}

#[test]
fn a_log_that_takes_nothing_is_told_and_stops_nothing() {
    let live = Live::new("profile: dev\n");
    std::fs::create_dir_all(live.project.path("state/audit.jsonl")).unwrap();
    let run =
        live.hook("claude-code", &live.call("PreToolUse", "Bash", &json!({"command": "rm -rf a"})));
    assert!(run.code == 0 && run.out.contains("\"deny\""), "{run:?}");
    assert_eq!(run.err.lines().count(), 1, "{run:?}");
    assert!(run.err.contains("audit.jsonl`: it is a directory"), "{run:?}");
    let mut doctor = live.project.command("doctor");
    doctor.env("HOME", live.project.path("home"));
    doctor.env("BEHAVIOR_STATE_DIR", live.project.path("state"));
    let doctor = Run::from(doctor.output().unwrap());
    assert!(
        doctor.out.contains("warning  log: what is decided cannot be written down"),
        "{doctor:?}"
    );
}

const PROMISES: &str = "profile: dev
rule_definitions:
  - { id: finish, when: on_text, action: block, message: Finish it., condition: {text_matches: later} }
";

#[test]
fn cursor_goes_on_where_what_it_wrote_was_blocked() {
    let live = Live::new(PROMISES);
    let hook = |name: &str, field: &str, value: Value| {
        let mut payload = json!({
            "conversation_id": "c1", "generation_id": "g1", "hook_event_name": name,
            "workspace_roots": [live.project.path("")], "status": "completed",
        });
        payload[field] = value;
        answer(&live.hook("cursor", &payload.to_string()))
    };
    hook("beforeSubmitPrompt", "prompt", json!("do it"));
    hook("afterAgentResponse", "text", json!("I do it later."));
    let stopped = hook("stop", "loop_count", json!(0));
    let message = stopped["followup_message"].as_str().unwrap_or_default();
    assert!(message.starts_with("[BEHAVIOR BLOCKED] Finish it."), "{stopped}");
    // It goes on for it once, and with the same turn.
    hook("beforeSubmitPrompt", "prompt", json!(message));
    hook("afterAgentResponse", "text", json!("Still later."));
    assert_eq!(hook("stop", "loop_count", json!(1))["followup_message"], Value::Null);
    let said = live.log().into_iter().filter(|line| line["event"] == "turn_start");
    assert_eq!(said.count(), 1);
    // What it writes before it goes on by itself is told with the next result.
    hook("beforeSubmitPrompt", "prompt", json!("again"));
    hook("afterAgentResponse", "text", json!("That comes later."));
    let mut call = json!({
        "conversation_id": "c1", "hook_event_name": "postToolUse", "tool_name": "Read",
        "tool_input": {"file_path": "a.rs"}, "tool_output": "x",
    });
    let told = answer(&live.hook("cursor", &call.to_string()));
    assert!(told["additional_context"].as_str().unwrap().contains("Finish it."), "{told}");
    call["hook_event_name"] = json!("stop");
    call["status"] = json!("completed");
    assert_eq!(answer(&live.hook("cursor", &call.to_string())), Value::Null);
}

#[test]
fn pi_goes_on_where_what_it_wrote_was_blocked() {
    let live = Live::new(PROMISES);
    let hook = |name: &str, stopped_before: bool, event: Value| {
        let payload = json!({
            "hook": name, "session": "p1", "cwd": live.project.path(""), "headless": false,
            "stopped_before": stopped_before, "event": event,
        });
        answer(&live.hook("pi", &payload.to_string()))
    };
    let written = |text: &str| json!({"message": {"role": "assistant", "content": [{"type": "text", "text": text}]}});
    assert_eq!(hook("message_end", false, written("later")), json!({"verdict": "allow"}));
    let stopped = hook("agent_end", false, json!({}));
    assert_eq!(stopped["verdict"], "deny", "{stopped}");
    assert!(stopped["reason"].as_str().unwrap().contains("Finish it."), "{stopped}");
    hook("message_end", true, written("later still"));
    let stopped = hook("agent_end", true, json!({}));
    assert_eq!(stopped["verdict"], "allow", "{stopped}");
    hook("message_end", false, written("done"));
    assert_eq!(hook("agent_end", false, json!({}))["verdict"], "allow");
}

#[test]
fn what_the_user_said_no_to_holds_for_sub_agents() {
    let live = Live::with(&[
        ("behavior.yaml", "profile: guard\n"),
        (".git/HEAD", "ref: refs/heads/topic\n"),
        (".git/objects/x", ""),
        ("a.py", ""),
        ("b.py", ""),
    ]);
    let prompt = |text: &str| {
        let payload = json!({
            "session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": text,
            "cwd": live.project.path(""), "transcript_path": "",
        });
        live.hook("claude-code", &payload.to_string());
    };
    let ask = |sub_agent: Option<&str>, command: &str| {
        let mut payload: Value =
            serde_json::from_str(&live.call("PreToolUse", "Bash", &json!({ "command": command })))
                .unwrap();
        payload["cwd"] = live.project.path("").to_str().unwrap().into();
        if let Some(id) = sub_agent {
            payload["agent_id"] = id.into();
        }
        let answer = answer(&live.hook("claude-code", &payload.to_string()));
        decision(&answer).to_owned()
    };
    prompt("Fix the parser, but don't touch a.py, and don't commit anything.");
    for sub_agent in [Some("one"), None] {
        assert_eq!(ask(sub_agent, "sed -i s/a/b/ a.py"), "ask", "{sub_agent:?}");
        assert_eq!(ask(sub_agent, "git commit -am x"), "ask", "{sub_agent:?}");
        assert_eq!(ask(sub_agent, "sed -i s/a/b/ b.py"), "none", "{sub_agent:?}");
    }
    // Who takes his no back takes it back for all.
    prompt("ok, edit a.py too, and commit it");
    for sub_agent in [Some("one"), Some("two"), None] {
        assert_eq!(ask(sub_agent, "sed -i s/a/b/ a.py"), "none", "{sub_agent:?}");
        assert_eq!(ask(sub_agent, "git commit -am x"), "none", "{sub_agent:?}");
    }
}

#[test]
fn with_a_session_those_of_its_sub_agents_end() {
    let live = Live::new("profile: dev\n");
    let hook = |session: &str, name: &str, more: Value| {
        let mut payload = json!({
            "conversation_id": session, "hook_event_name": name,
            "workspace_roots": [live.project.path("")],
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        live.hook("cursor", &payload.to_string());
    };
    for session in ["one", "two"] {
        hook(session, "sessionStart", json!({}));
        hook(session, "subagentStart", json!({"subagent_id": "a", "task": "look"}));
    }
    hook("one", "sessionEnd", json!({}));
    let mut names: Vec<String> = std::fs::read_dir(live.project.path("state/sessions"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".session"))
        .collect();
    names.sort();
    assert_eq!(names, ["cursor@two.session", "cursor@two@a.session"]);
}

#[test]
fn a_tool_of_an_unknown_server_is_asked_about() {
    let check = |rules: &str, server: &str, expect: &str| {
        let policy = format!("approval_mode = \"yolo\"\n{rules}");
        let live = Live::with(&[("behavior.yaml", ""), ("behavior/policy.toml", &policy)]);
        let payload = json!({
            "conversation_id": "c1", "hook_event_name": "beforeMCPExecution", "cwd": live.project.path(""),
            "tool_name": "create_issue", "tool_input": "{}", "url": "https://mcp.example.com/sse",
            "mcp_server_name": server,
        });
        let run = live.hook("cursor", &payload.to_string());
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        let found = answer["permission"].as_str().unwrap_or("none");
        assert_eq!(found, expect, "{rules} {server}: {run:?}");
        if server.is_empty() {
            let log = live.log();
            let verdict = log.last().unwrap()["verdict"].as_str().unwrap();
            assert_eq!(verdict, if expect == "none" { "allow" } else { expect });
        }
    };
    let rule = |action: &str, pattern: &str| {
        format!("[[rules]]\nname = \"r\"\naction = \"{action}\"\npattern = \"{pattern}\"\n")
    };
    check(&rule("deny", "mcp(linear/*)"), "linear", "deny");
    check(&rule("deny", "mcp(linear/*)"), "other", "none");
    check(&rule("deny", "mcp(linear/*)"), "", "ask");
    check(&rule("deny", "mcp(linear)"), "", "ask");
    check(&rule("deny", "mcp(other)"), "", "ask");
    // What every way of deciding comes to is not asked about.
    check(&rule("allow", "mcp(linear/create_issue)"), "", "none");
    check(&rule("deny", "create_issue"), "", "deny");
    check(&rule("deny", "rm *"), "", "none");
}

#[test]
fn a_rule_without_a_reason_says_what_it_denied() {
    let rule = |action: &str| {
        format!(
            "approval_mode = \"yolo\"\n[[rules]]\nname = \"net\"\naction = \"{action}\"\npattern = \"curl *\"\n"
        )
    };
    let check = |agent: &str, action: &str, expect: &str| {
        let policy = rule(action);
        let live = Live::with(&[("behavior.yaml", ""), ("behavior/policy.toml", &policy)]);
        let Some(live) = live.trusted() else { return };
        let call = live.call("PreToolUse", "Bash", &json!({"command": "curl http://x"}));
        let answer = answer(&live.hook(agent, &call));
        let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.starts_with(expect), "{agent} {action}: {reason}");
    };
    let denied = "[BEHAVIOR BLOCKED] `curl http://x` is denied by policy rule `net`\nPolicy: net\n\
                  The call was not run.";
    check("claude-code", "deny", denied);
    check("codex", "deny", denied);
    let asked = "`curl http://x` is to be asked about by policy rule `net`\nPolicy: net";
    check("claude-code", "ask_user", &format!("[BEHAVIOR ASK] {asked}"));
    check("codex", "ask_user", &format!("[BEHAVIOR BLOCKED] {asked}\nThe call was not run."));
}

#[test]
fn the_agents_mode_only_makes_the_policys_stricter() {
    let check = |agent: &str, mode: &str, policy: &str, expect: &str| {
        let policy = format!("approval_mode = \"{policy}\"\n");
        let live = Live::with(&[("behavior.yaml", ""), ("behavior/policy.toml", &policy)]);
        let Some(live) = live.trusted() else { return };
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
    }
    // The agent's own mode can only make it stricter.
    check("claude-code", "bypassPermissions", "ask", "ask");
    check("codex", "bypassPermissions", "ask", "deny");
    check("claude-code", "default", "ask", "ask");
    check("claude-code", "plan", "ask", "ask");
    check("codex", "default", "ask", "deny");
    check("claude-code", "acceptEdits", "yolo", "ask");
}

#[test]
fn a_result_of_a_program_of_ones_own_needs_only_the_id_of_its_call() {
    let live = Live::new(
        "rules: { read_before_edit: true }\nrule_definitions:\n  - { id: after, trigger: bash, \
         when: post_tool, action: warn, message: 'done: {param:command}' }\n",
    );
    let hook = |event: Value| answer(&live.hook("native", &event.to_string()));
    let call = |id: &str, tool: &str, params: Value| {
        hook(
            json!({ "event": "tool_call", "id": id, "tool": tool, "params": params, "session": "s" }),
        )
    };
    let result = |id: &str| hook(json!({ "event": "tool_result", "id": id, "session": "s" }));
    call("1", "read", json!({ "file_path": "a" }));
    call("2", "bash", json!({ "command": "make it", "as": "password=hunter2x" }));
    // Parallel calls are answered in any order.
    let after = result("2");
    assert_eq!(after["findings"][0]["message"], "done: make it", "{after}");
    assert_eq!(result("1")["tool"], "read");
    let edit = call("3", "edit", json!({ "file_path": "a" }));
    assert_eq!(edit["findings"], json!([]), "{edit}");
    // Each call has one result.
    assert_eq!(result("1")["tool"], Value::Null);
    let kept: Vec<_> = std::fs::read_dir(live.project.path("state/sessions")).unwrap().collect();
    for file in kept {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(8).any(|window| window == b"hunter2x"), "a secret was written");
    }
}

#[test]
fn what_is_in_force_and_what_is_not_is_said_beside_the_answer() {
    let event = r#"{"event":"tool_call","tool":"x","params":{},"session":"s"}"#;
    let live = Live::with(&[]);
    let first = live.hook("native", event);
    assert!(first.err.contains("using the built-in `dev` preset"), "{first:?}");
    // Once in a session.
    assert_eq!(live.hook("native", event).err, "");

    let live = Live::new(
        "rule_definitions:\n  - { id: u, action: block, condition: { foo: 1 }, message: m }\n  \
         - { id: k, message: m }\n",
    );
    let first = live.hook("native", event);
    assert_eq!(first.err, "behavior: unknown condition type: foo\n");
    assert_eq!(live.failures(), ["behavior: unknown condition type: foo"]);
    let doctor = live.project.run("doctor");
    assert!(doctor.out.contains("some that never fire: behavior: unknown"), "{doctor:?}");
}

#[test]
fn tools_that_may_be_of_a_server_are_denied_where_a_rule_is_about_one() {
    let policy = "approval_mode = \"yolo\"\n[[rules]]\nname = \"own\"\naction = \"allow\"\n\
                  pattern = \"my_tool\"\n[[rules]]\nname = \"github\"\naction = \"deny\"\n\
                  pattern = \"mcp(github/create_*)\"\n";
    let Some(live) =
        Live::with(&[("behavior.yaml", "rules: {}\n"), ("behavior/policy.toml", policy)]).trusted()
    else {
        return;
    };
    let check = |tool: &str, expect: &str| {
        let payload = json!({
            "hook": "tool.execute.before", "session": "s", "cwd": live.project.path(""),
            "input": { "tool": tool, "sessionID": "s", "callID": "c" }, "output": { "args": {} },
        });
        let answer = answer(&live.hook("opencode", &payload.to_string()));
        assert_eq!(answer["verdict"], expect, "{tool}: {answer}");
    };
    check("github_create_issue", "deny");
    check("my_tool", "allow");
    check("read", "allow");
    check("apply_patch", "allow");
}

#[test]
fn a_call_at_a_hook_that_nobody_knows_is_refused() {
    let live = Live::new("profile: dev\n");
    let call = json!({ "toolName": "bash", "toolCallId": "c", "input": { "command": "ls" } });
    let pi = json!({ "hook": "tool_started", "session": "s", "event": call });
    let input = json!({ "tool": "bash", "sessionID": "s", "callID": "c" });
    let opencode = json!({ "hook": "tool.started", "session": "s", "input": input, "output": {} });
    for (agent, payload) in [("pi", pi), ("opencode", opencode)] {
        let run = live.hook(agent, &payload.to_string());
        assert_eq!(run.code, 2, "{agent}: {run:?}");
        assert!(run.err.contains("it is about a call of `bash`"), "{agent}: {run:?}");
    }
    let other = json!({ "hook": "model_select", "session": "s", "event": { "model": "x" } });
    assert_eq!(answer(&live.hook("pi", &other.to_string()))["verdict"], "allow");
}

#[test]
fn what_waits_is_told_however_often_cursor_tells_of_a_call() {
    let Some(live) = Live::with(&[
        (
            "behavior.yaml",
            "turn_reminder: r.md\nrule_definitions:\n  - { id: w, trigger: read, action: warn, message: slowly }\n",
        ),
        ("r.md", "Be brief.\n"),
    ])
    .trusted() else {
        return;
    };
    let hook = |name: &str, more: Value| {
        let mut payload = json!({
            "hook_event_name": name, "conversation_id": "c", "generation_id": "g",
            "workspace_roots": [live.project.path("")],
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answer(&live.hook("cursor", &payload.to_string()))
    };
    let shell =
        json!({ "tool_name": "Shell", "tool_input": { "command": "ls" }, "tool_output": "a" });
    hook("beforeSubmitPrompt", json!({ "prompt": "go" }));
    hook("preToolUse", shell.clone());
    hook("beforeShellExecution", json!({ "command": "ls" }));
    hook("afterShellExecution", json!({ "command": "ls", "output": "a" }));
    let told = hook("postToolUse", shell)["additional_context"].to_string();
    assert!(told.contains("Be brief."), "{told}");

    let read = json!({ "tool_name": "Read", "tool_input": { "path": "r.md" }, "tool_output": "a" });
    hook("preToolUse", read.clone());
    hook("beforeReadFile", json!({ "file_path": "r.md", "content": "a" }));
    let told = hook("postToolUse", read)["additional_context"].to_string();
    assert!(told.contains("slowly"), "{told}");
}

/// A document of the project's may be a link, but not to a file that lies elsewhere: that may be a key.
#[cfg(unix)]
#[test]
fn no_document_behind_a_link_that_leads_out_is_told() {
    let told = |target: &str| {
        let rules = "turn_reminder: r.md\n";
        let files = [("behavior.yaml", rules), ("docs/own.md", "Be brief.\n")];
        let live = Live::with(&files).trusted()?;
        let outside = std::env::temp_dir().join(format!("behavior-key-{}", std::process::id()));
        std::fs::write(&outside, "a key").unwrap();
        let target = if target.is_empty() { outside.clone() } else { target.into() };
        std::os::unix::fs::symlink(target, live.project.path("r.md")).unwrap();
        let payload = json!({
            "session_id": "s", "cwd": live.project.path(""), "hook_event_name": "UserPromptSubmit", "prompt": "go",
        });
        let run = live.hook("claude-code", &payload.to_string());
        std::fs::remove_file(outside).unwrap();
        Some(run.out)
    };
    let (Some(out), Some(own)) = (told(""), told("docs/own.md")) else { return };
    assert!(!out.contains("a key"), "{out}");
    assert!(own.contains("Be brief."), "{own}");
}

#[test]
fn what_was_asked_for_does_not_outlive_a_message_that_was_missed() {
    let live = Live::new(
        "rule_definitions: [{id: unasked, trigger: bash, action: ask, message: m, condition: {all: [runs \"npm publish\", {not: {user_asked: publish}}]}}]\n",
    );
    let publishes =
        || decision(&live.before("Bash", &json!({"command": "npm publish"}))).to_owned();
    live.prompt("publish it");
    assert_eq!(publishes(), "none");
    // A directory in place of the state's lock: the session cannot be had.
    let locks: Vec<_> = std::fs::read_dir(live.project.path("state/sessions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "lock"))
        .collect();
    for lock in &locks {
        std::fs::remove_file(lock).unwrap();
        std::fs::create_dir(lock).unwrap();
    }
    assert!(!locks.is_empty());
    live.prompt("no, stop that");
    locks.iter().for_each(|lock| std::fs::remove_dir(lock).unwrap());
    // What it forbids nobody knows: the next call is asked about, whatever it is, and said why.
    let harmless = || live.before("Bash", &json!({"command": "ls"}));
    let answer = harmless();
    assert_eq!(decision(&answer), "ask", "{answer}");
    assert!(answer.to_string().contains("said again"), "{answer}");
    assert_eq!(decision(&harmless()), "none");
    assert_eq!(publishes(), "ask");
}

#[test]
fn a_message_whose_hook_was_killed_is_missed() {
    let live = Live::new("profile: guard\n");
    live.prompt("fix it");
    let commits = || live.before("Bash", &json!({"command": "git commit -am x"}));
    assert_eq!(decision(&commits()), "none");
    let lock = std::fs::read_dir(live.project.path("state/sessions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "lock"))
        .unwrap();
    let held = std::fs::File::options().read(true).write(true).open(lock).unwrap();
    held.lock().unwrap();
    let payload = json!({
        "session_id": "s1", "cwd": live.project.path(""), "hook_event_name": "UserPromptSubmit", "prompt": "don't commit",
    });
    let mut command = live.hook_command("claude-code");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    // It waits for the session that is held here.
    let missed = live.project.path("state/missed");
    while std::fs::read_dir(&missed).map_or(0, Iterator::count) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    held.unlock().unwrap();
    let answer = commits();
    assert_eq!(decision(&answer), "ask", "{answer}");
    // Said again in time, it holds.
    live.prompt("don't commit");
    assert!(commits().to_string().contains("against_the_users_word"));
}

#[test]
fn a_line_that_is_too_long_to_read_gets_past_no_rule_that_blocks() {
    let live = Live::new("profile: dev\n");
    for line in [
        format!("{}rm -rf build", "sudo ".repeat(49)),
        format!("{}rm -rf b", "true; ".repeat(6000)),
    ] {
        let answer = live.before("Bash", &json!({ "command": line }));
        assert_eq!(decision(&answer), "ask", "{answer}");
        let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.contains("Rule: confirm_destructive"), "{answer}");
        assert!(reason.contains("nobody can tell"), "{answer}");
    }
    let answer = live.before("Bash", &json!({ "command": "true; ".repeat(100) }));
    assert_eq!(decision(&answer), "none", "{answer}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_refuses() {
    let live = Live::new("profile: dev\n");
    let mut command = live.hook_command("claude-code");
    command.stdout(std::fs::File::create("/dev/full").unwrap()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let call = live.call("PreToolUse", "Bash", &json!({ "command": "rm -rf build" }));
    child.stdin.take().unwrap().write_all(call.as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("cannot be written"), "{run:?}");
}

#[test]
fn what_changes_under_a_session_is_told_once_and_logged() {
    let live = Live::new("profile: assistant\n");
    let call = live.call("PreToolUse", "Bash", &json!({ "command": "ls src" }));
    let told = |live: &Live| {
        let run = live.hook("claude-code", &call);
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_default();
        context(&answer).to_owned()
    };
    assert_eq!(told(&live), "");
    live.project
        .write("behavior.yaml", b"profile: assistant\nrules: { confirm_destructive: false }\n");
    let change = "the rules of the project changed since this session began";
    assert!(told(&live).contains(change));
    assert_eq!(told(&live), "", "once is enough");
    live.project.write(".claude/settings.json", b"{}");
    assert!(told(&live).contains("the settings that call this hook"));
    assert_eq!(live.failures().first().map(String::as_str), Some(change));
    assert_eq!(live.failures().len(), 2);
}

#[test]
fn an_event_that_does_not_end_is_refused_in_time() {
    let live = Live::new("profile: assistant\n");
    for start in ["", "{\"session_id\":"] {
        let mut command = live.project.command("hook claude-code");
        command.env("HOME", live.project.path("home")).env_remove("XDG_CONFIG_HOME");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(start.as_bytes()).unwrap();
        // Standard input stays open until the hook has answered.
        let run = Run::from(child.wait_with_output().unwrap());
        drop(stdin);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("the event did not end within 8 s"), "{run:?}");
    }
}

#[test]
fn no_project_switches_off_the_profile_that_its_user_chose() {
    let off = "profile: guard\nrules: { protect_rules: false }\n";
    let live = Live::new(off);
    let payload = live.call("PreToolUse", "Bash", &json!({ "command": "echo x > behavior.yaml" }));
    let verdict = |agent: &str| answer(&live.hook(agent, &payload))["hookSpecificOutput"].clone();
    assert_eq!(verdict("claude-code")["permissionDecision"], Value::Null);
    assert_eq!(verdict("claude-code --profile guard")["permissionDecision"], "deny");
}

#[test]
fn what_is_a_secret_by_the_name_of_its_parameter_is_not_logged() {
    let live = Live::new("rules: {}\n");
    let login =
        json!({ "user": "bob", "password": "hunter2-long", "api_key": "abc123def456ghi789" });
    live.before("mcp__db__login", &login);
    let log = String::from_utf8(live.project.read("state/audit.jsonl")).unwrap();
    assert!(log.contains("bob") && log.contains("password"), "{log}");
    assert!(!log.contains("hunter2") && !log.contains("abc123def"), "{log}");
}

/// What the user was asked about is the agent's own only once it has run.
#[test]
fn a_file_is_made_once_its_user_let_it_be() {
    let files = [
        ("behavior.yaml", "profile: guard\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/x", ""),
    ];
    let live = Live::with(&files);
    let write = json!({ "command": "echo x > /srv/behavior-never-made" });
    let delete = json!({ "command": "rm -rf /srv/behavior-never-made" });
    let decision = |answer: Value| answer["hookSpecificOutput"]["permissionDecision"].clone();
    assert_eq!(decision(live.before("Bash", &write)), "ask");
    assert_eq!(decision(live.before("Bash", &write)), "ask", "the user said no");
    assert_eq!(decision(live.before("Bash", &delete)), "ask", "nothing was made");
    assert_eq!(decision(live.before("Bash", &write)), "ask");
    live.after("Bash", &write);
    assert_eq!(decision(live.before("Bash", &write)), Value::Null);
    assert_eq!(decision(live.before("Bash", &delete)), Value::Null);
    assert_eq!(live.failures(), [] as [String; 0]);
}

#[test]
fn a_script_that_the_session_wrote_counts_as_if_it_stood_in_the_command() {
    let files = [
        ("behavior.yaml", "profile: guard\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/x", ""),
        ("src/a.rs", "fn a() {}\n"),
        ("own.sh", "rm -rf src\n"),
    ];
    let live = Live::with(&files);
    let run = |command: &str| {
        let answer = live.before("Bash", &json!({ "command": command }));
        answer["hookSpecificOutput"]["permissionDecision"].clone()
    };
    let write = |name: &str, text: &str| {
        let input = json!({ "file_path": live.project.path(name), "content": text });
        live.before("Write", &input);
        live.project.write(name, text.as_bytes());
        live.after("Write", &input);
    };
    write("fix.sh", "set -e\nrm -rf src\n");
    assert_eq!(run("sh fix.sh"), "ask");
    assert_eq!(run("cat fix.sh && bash -n fix.sh"), Value::Null);
    // What it is by now counts, by whomever.
    std::fs::write(live.project.path("fix.sh"), "echo done\n").unwrap();
    assert_eq!(run("sh fix.sh"), Value::Null);
    std::fs::write(live.project.path("fix.sh"), "rm -rf src\n").unwrap();
    assert_eq!(run("sh fix.sh"), "ask");
    assert_eq!(run("sh own.sh"), Value::Null, "somebody else wrote it");
    write("fix.py", "import shutil\nshutil.rmtree('src')\n");
    assert_eq!(run("python3 fix.py"), "ask");
    assert_eq!(run("sh fix.sh"), "ask");
    // No text, and more than is read.
    let long = "echo\n".repeat(1 << 18);
    for bytes in [&b"\xff\xfe\x00rm -rf src\n"[..], long.as_bytes()] {
        std::fs::write(live.project.path("fix.sh"), bytes).unwrap();
        assert_eq!(run("sh fix.sh"), Value::Null);
    }
    assert_eq!(live.failures(), [] as [String; 0]);
}
