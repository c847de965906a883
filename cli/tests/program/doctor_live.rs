//! `doctor --live`: an agent is started in a throw-away copy, and what is said of it is what happened. The agents here
//! are scripts that speak the protocol of Claude Code; real ones are no part of these tests. Nothing but the loopback
//! interface is listened to.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Project, Run};
use serde_json::Value;

/// An agent that does as the word in place of `MODE` says.
const AGENT: &str = r#"#!/usr/bin/env python3
import json, os, subprocess, sys, time, urllib.request
MODE = "%MODE%"
if "--version" in sys.argv:
    print("9.8.7 (Fake)")
    sys.exit(0)
open(os.path.join("%SEEN%"), "w").write(json.dumps({"cwd": os.getcwd(), "env": dict(os.environ)}))
if MODE == "login":
    sys.exit("Not logged in: please run /login")
if MODE == "early":
    sys.exit("it fell over")
if MODE == "hangs":
    child = subprocess.Popen(["sleep", "1000"])
    open("%SEEN%.child", "w").write(str(child.pid))
    time.sleep(1000)

def ask(messages):
    body = {"model": "m", "stream": False, "tools": [{"name": "Bash"}], "messages": messages}
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=20))["content"][0]

def hook(command):
    settings = json.load(open(".claude/settings.json"))
    event = {"session_id": "s", "cwd": os.getcwd(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {"command": command}, "tool_use_id": "t"}
    for group in settings["hooks"]["PreToolUse"]:
        if group.get("matcher", "*") not in ("*", "Bash"):
            continue
        for one in group["hooks"]:
            env = {name: value for name, value in os.environ.items() if MODE != "drops" or "PROFILE" not in name}
            ran = subprocess.run(["sh", "-c", one["command"]], input=json.dumps(event), text=True, capture_output=True, env=env)
            if ran.returncode == 2:
                return ran.stderr
            if ran.stdout.strip():
                said = json.loads(ran.stdout).get("hookSpecificOutput", {})
                if said.get("permissionDecision") in ("deny", "ask"):
                    return said["permissionDecisionReason"]
    return None

messages = [{"role": "user", "content": "go"}]
while True:
    block = ask(messages)
    if block["type"] == "text":
        break
    command = block["input"]["command"]
    reason = None if MODE in ("deaf", "refuses") else hook(command)
    if MODE == "refuses":
        reason = "the user said no"
    if MODE == "ignores":
        reason = None
    if MODE == "half":
        sys.exit(0)
    if reason is None:
        subprocess.run(["sh", "-c", command])
    told = "no" if MODE == "mute" and reason else reason
    messages += [{"role": "assistant", "content": [block]},
                 {"role": "user", "content": [{"type": "tool_result", "tool_use_id": block["id"], "content": told or "done"}]}]
"#;

/// A project with the hook of Claude Code, and an agent on the path that does as it is told.
struct Scene {
    project: Project,
}

impl Scene {
    fn new(mode: &str, rules: &str) -> Self {
        let project =
            Project::new(&[("work/behavior.yaml", rules), ("home/keep", ""), ("tmp/keep", "")]);
        let seen = project.path("seen");
        let text = AGENT.replace("%MODE%", mode).replace("%SEEN%", seen.to_str().unwrap());
        project.write("bin/claude", text.as_bytes());
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(project.path("bin/claude"), executable).unwrap();
        let scene = Self { project };
        let init = Run::from(scene.command("init --yes --agent claude-code").output().unwrap());
        assert_eq!(init.code, 0, "{init:?}");
        scene
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.project.command(line);
        self.surround(&mut command);
        command.stdin(Stdio::null());
        command
    }

    fn surround(&self, command: &mut Command) {
        for name in [
            "BEHAVIOR",
            "BEHAVIOR_CACHE_DIR",
            "BEHAVIOR_STATE_DIR",
            "CLAUDE_CONFIG_DIR",
            "XDG_CACHE_HOME",
            "XDG_CONFIG_HOME",
            "XDG_STATE_HOME",
        ] {
            command.env_remove(name);
        }
        let path =
            format!("{}:{}", self.project.path("bin").display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("HOME", self.project.path("home"));
        command.env("TMPDIR", self.project.path("tmp")).env("COLUMNS", "200");
        command.current_dir(self.project.path("work"));
    }

    fn live(&self, more: &str) -> (i32, Value) {
        let line = format!("doctor --live --yes --format json {more}");
        let run = Run::from(self.command(&line).output().unwrap());
        let value: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        self.left_nothing();
        (run.code, value["live"][0].clone())
    }

    /// Nothing of the throw-away copy is there any more, and nothing was written into the project or the home.
    fn left_nothing(&self) {
        let names = |folder: &str| {
            let entries = std::fs::read_dir(self.project.path(folder)).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(names("tmp"), ["keep"]);
        assert_eq!(names("work"), [".claude", "behavior.yaml"]);
    }
}

fn has_python() -> bool {
    let has =
        Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success());
    if !has {
        eprintln!("agents are not tried: there is no `python3` to play them here");
    }
    has
}

const PLAIN: &str = "profile: dev\n";

#[track_caller]
fn check(mode: &str, rules: &str, level: &str, found: &str, says: &str) {
    if !has_python() {
        return;
    }
    let (code, seen) = Scene::new(mode, rules).live("");
    assert_eq!(
        (&seen["level"], &seen["found"]),
        (&level.into(), &found.into()),
        "{mode}: {seen:#}"
    );
    assert!(seen["message"].as_str().unwrap().contains(says), "{mode}: {seen:#}");
    assert_eq!(code, i32::from(level == "error"), "{mode}: {seen:#}");
    assert_eq!(seen["program_version"], "9.8.7 (Fake)");
}

#[test]
fn an_agent_that_is_stopped_is_seen_to_be() {
    check("good", PLAIN, "ok", "blocked", "told its model why");
    check("mute", PLAIN, "warning", "blocked", "was not told why");
}

#[test]
fn rules_of_the_project_that_stop_the_harmless_call_are_named() {
    let strict = "profile: dev\nrule_definitions:\n  - { id: no_touch, trigger: bash, action: block, condition: { runs: touch }, message: No. }\n";
    check("good", strict, "warning", "blocked", "your rules stopped (no_touch)");
}

#[test]
fn an_agent_that_runs_what_was_blocked_is_found_out() {
    check("ignores", PLAIN, "error", "ignored", "ran it all the same");
    check("deaf", PLAIN, "error", "not called", "did not call the hook");
    check("drops", PLAIN, "error", "let through", "goes by other rules");
}

#[test]
fn an_agent_that_does_nothing_proves_nothing() {
    check("early", PLAIN, "error", "ended early", "it said: `it fell over`");
    check("refuses", PLAIN, "error", "nothing ran", "proves nothing about the hook");
    check("login", PLAIN, "error", "login", "wants somebody to log in");
    check(
        "half",
        PLAIN,
        "error",
        "ended early",
        "did not come back with the result of the harmless",
    );
}

#[test]
fn an_agent_that_takes_too_long_is_ended_with_what_it_started() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("hangs", PLAIN);
    let (code, seen) = scene.live("--timeout 6");
    assert_eq!((code, &seen["found"]), (1, &"too long".into()), "{seen:#}");
    assert!(seen["message"].as_str().unwrap().contains("after 6 s"), "{seen:#}");
    assert!(has_ended(&scene), "what it started still runs");
}

/// Whether the child of an agent that hangs is gone, or will be at once.
fn has_ended(scene: &Scene) -> bool {
    let child = String::from_utf8(scene.project.read("seen.child")).unwrap();
    let until = Instant::now() + Duration::from_secs(5);
    let is_alive = || {
        let line = format!("kill -0 {child} 2>/dev/null");
        let answers = Command::new("sh").args(["-c", &line]).status().unwrap().success();
        let is_zombie = std::fs::read_to_string(format!("/proc/{child}/stat"))
            .is_ok_and(|stat| stat.contains(") Z "));
        answers && !is_zombie
    };
    while is_alive() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    !is_alive()
}

#[test]
fn who_breaks_off_leaves_nothing_behind() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("hangs", PLAIN);
    let mut command = scene.command("doctor --live --yes");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while !scene.project.path("seen.child").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("broken off"), "{run:?}");
    scene.left_nothing();
    assert!(has_ended(&scene), "what it started still runs");
}

#[test]
fn hooks_of_others_are_left_out_and_named() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("good", PLAIN);
    let settings = String::from_utf8(scene.project.read("work/.claude/settings.json")).unwrap();
    let mut settings: Value = serde_json::from_str(&settings).unwrap();
    let ours = settings["hooks"]["PreToolUse"][0]["hooks"][0].clone();
    let trap = |name: &str| format!("touch {}", scene.project.path(name).display());
    let theirs = serde_json::json!({"type": "command", "command": trap("theirs")});
    let mut wrapped = ours.clone();
    wrapped["command"] =
        format!("{}; {}", ours["command"].as_str().unwrap(), trap("wrapped")).into();
    settings["hooks"]["PreToolUse"][0]["hooks"] = serde_json::json!([theirs, ours, wrapped]);
    settings["apiKeyHelper"] = trap("helper").into();
    let text = settings.to_string();
    scene.project.write("work/.claude/settings.json", text.as_bytes());
    let (code, seen) = scene.live("");
    assert_eq!((code, &seen["found"]), (0, &"blocked".into()), "{seen:#}");
    let told = seen["left_out"].to_string();
    for name in ["theirs", "wrapped", "apiKeyHelper"] {
        assert!(told.contains(name), "{name}: {told}");
        assert!(!scene.project.path(name).exists(), "{name} was run");
    }
    assert!(!scene.project.path("helper").exists(), "a setting went along");
    assert_eq!(scene.project.read("work/.claude/settings.json"), text.as_bytes());
}

#[test]
fn what_keeps_the_hook_from_being_called_is_seen_or_comes_first() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("good", PLAIN);
    let path = "work/.claude/settings.json";
    let text = String::from_utf8(scene.project.read(path)).unwrap();
    let mut settings: Value = serde_json::from_str(&text).unwrap();
    settings["hooks"]["PreToolUse"][0]["matcher"] = "Read".into();
    scene.project.write(path, settings.to_string().as_bytes());
    let (code, seen) = scene.live("");
    assert_eq!((code, &seen["found"]), (1, &"not called".into()), "{seen:#}");
    assert_eq!(seen["program_version"], "9.8.7 (Fake)", "{seen:#}");
    settings["disableAllHooks"] = true.into();
    scene.project.write(path, settings.to_string().as_bytes());
    let (code, seen) = scene.live("");
    assert_eq!((code, &seen["found"]), (1, &"not called".into()), "{seen:#}");
    assert_eq!(seen["program"], Value::Null, "it was started: {seen:#}");
}

#[test]
fn an_agent_sees_nothing_of_the_users_environment() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("good", PLAIN);
    let mut command = scene.command("doctor --live --yes");
    command.env("ANTHROPIC_AUTH_TOKEN", "secret").env("HTTPS_PROXY", "http://proxy.example");
    assert_eq!(Run::from(command.output().unwrap()).code, 0);
    let seen: Value = serde_json::from_slice(&scene.project.read("seen")).unwrap();
    let tmp = scene.project.path("tmp").canonicalize().unwrap();
    let tmp = tmp.to_str().unwrap();
    for folder in [&seen["cwd"], &seen["env"]["HOME"], &seen["env"]["TMPDIR"]] {
        assert!(folder.as_str().unwrap().starts_with(tmp), "{seen:#}");
    }
    assert!(seen["env"].get("ANTHROPIC_AUTH_TOKEN").is_none(), "{seen:#}");
    assert!(seen["env"].get("HTTPS_PROXY").is_none(), "{seen:#}");
    assert!(seen["env"]["ANTHROPIC_BASE_URL"].as_str().unwrap().starts_with("http://127.0.0.1:"));
}

#[test]
fn nothing_is_started_without_a_yes() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("good", PLAIN);
    let nobody = Run::from(scene.command("doctor --live").output().unwrap());
    assert_eq!((nobody.code, nobody.out.as_str()), (2, ""), "{nobody:?}");
    assert!(nobody.err.contains("with `--yes`"), "{nobody:?}");
    let unmeant = Run::from(scene.command("doctor --yes").output().unwrap());
    assert_eq!(unmeant.code, 2, "{unmeant:?}");
    if crate::common::has_terminals() {
        let no = scene.project.at_terminal("doctor --live", "n", |command| scene.surround(command));
        assert!(no.out.contains("bin/claude, 9.8.7 (Fake), in "), "{no:?}");
        assert!(no.out.contains("nothing was started"), "{no:?}");
        assert!(!scene.project.path("seen").exists(), "it was started");
        let yes =
            scene.project.at_terminal("doctor --live", "y", |command| scene.surround(command));
        assert!(yes.out.contains("did not run the canary"), "{yes:?}");
    }
    scene.left_nothing();
}

#[test]
fn no_agent_may_have_agents_started() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("good", PLAIN);
    let agent = scene.project.path("bin/codex");
    let text =
        format!("#!/bin/sh\n{} doctor --live --yes\nexit $?\n", env!("CARGO_BIN_EXE_behavior"));
    scene.project.write("bin/codex", text.as_bytes());
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(&agent);
    scene.surround(&mut command);
    let run = Run::from(command.stdin(Stdio::null()).output().unwrap());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("only a person can have agents started"), "{run:?}");
    assert!(!scene.project.path("seen").exists(), "it was started");
}

#[test]
fn what_cannot_be_started_says_why() {
    if !has_python() {
        return;
    }
    let scene = Scene::new("good", PLAIN);
    std::fs::remove_file(scene.project.path("bin/claude")).unwrap();
    let mut command = scene.command("doctor --live --yes --format json");
    command.env("PATH", "/usr/bin:/bin");
    let run = Run::from(command.output().unwrap());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &value["live"][0]["found"]), (1, &"not started".into()), "{value:#}");
    assert!(run.out.contains("there is no program `claude`"), "{run:?}");
    scene.project.write("work/.claude/settings.json", b"{ // mine\n}\n");
    let run = Run::from(scene.command("doctor --live --yes").output().unwrap());
    assert_eq!(run.code, 1, "{run:?}");
    let init = Run::from(scene.command("init --yes --agent cursor").output().unwrap());
    assert_eq!(init.code, 0, "{init:?}");
    let line = "doctor --live --yes --format json --agent cursor";
    let run = Run::from(scene.command(line).output().unwrap());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &value["live"][0]["found"]), (0, &"not possible".into()), "{value:#}");
}
