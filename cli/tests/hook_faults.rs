//! `hook` under fault, with the real program: killed at any moment, started many times at once, and on
//! a disk that is full. The store of sessions has tests of its own; these are of the whole.
//!
//! `BEHAVIOR_HOOK_KILLS` sets how many hooks are killed.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use common::{Project, Run};
use serde_json::{Value, json};

/// What is warned of changes the state of the session.
const RULES: &str = "profile: dev
rule_definitions:
  - id: noted
    trigger: bash
    action: warn
    condition: 'param(command) contains \"status\"'
    message: Noted.
";

/// What one of these tests does to the machine is not to be what another one measures.
static ALONE: Mutex<()> = Mutex::new(());

/// Hooks of one session, which keep what they keep in one directory.
struct Live {
    project: Project,
    state: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Live {
    fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let project = Project::new(&[("behavior.yaml", RULES)]);
        let state = project.path("state");
        // What was changed a moment ago is not believed to have settled.
        std::thread::sleep(Duration::from_millis(100));
        Self { project, state, _alone: alone }
    }

    /// A hook that has been given its event.
    fn start(&self, event: &str, command: &str) -> Child {
        let payload = json!({
            "session_id": "s1", "cwd": self.project.path(""), "hook_event_name": event,
            "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t1",
            "tool_response": "ok",
        });
        let mut child = self
            .project
            .command("hook claude-code")
            .env("BEHAVIOR_STATE_DIR", &self.state)
            .env("BEHAVIOR_CACHE_DIR", self.state.join("cache"))
            .env("HOME", self.project.path("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("BEHAVIOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        child
    }

    fn run(&self, event: &str, command: &str) -> Run {
        Run::from(self.start(event, command).wait_with_output().unwrap())
    }

    /// What is decided before a command runs.
    fn decision(&self, command: &str) -> String {
        let run = self.run("PreToolUse", command);
        assert_eq!(run.code, 0, "{run:?}");
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_default();
        let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str();
        decision.unwrap_or("none").to_owned()
    }

    /// How many calls the session knows of.
    fn calls(&self) -> u64 {
        let mut command = self.project.command("session list --format json");
        let output = command.env("BEHAVIOR_STATE_DIR", &self.state).output().unwrap();
        let sessions: Value = serde_json::from_slice(&output.stdout).unwrap();
        sessions["sessions"][0]["total_calls"].as_u64().unwrap_or_default()
    }

    /// The failures in the audit log, each line of which is whole.
    fn failures(&self) -> Vec<String> {
        let text = self.log();
        assert!(text.is_empty() || text.ends_with('\n'), "the last line is cut");
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
        lines.filter_map(|line| line["failure"].as_str().map(str::to_owned)).collect()
    }

    /// What the lines of the audit log say, those apart that were cut: the system stops a write of a process that
    /// is killed where a page of the file ends.
    fn whole_and_cut_lines(&self) -> (Vec<Value>, u64) {
        let text = self.log();
        let whole = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let whole: Vec<Value> = whole.collect();
        let cut = text.lines().count() - whole.len();
        (whole, cut as u64)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.state.join("audit.jsonl")).unwrap_or_default()
    }

    /// Asserts that the chain of the audit log is whole.
    #[track_caller]
    fn verify(&self) {
        let mut command = self.project.command("log verify");
        let run = Run::from(command.env("BEHAVIOR_STATE_DIR", &self.state).output().unwrap());
        assert_eq!(run.code, 0, "{run:?}");
    }
}

#[test]
fn a_hook_killed_at_any_moment_breaks_nothing() {
    let kills = std::env::var("BEHAVIOR_HOOK_KILLS").ok();
    let kills: u64 = kills.map_or(300, |text| text.parse().expect("a number of kills"));
    let live = Live::new();
    live.run("PostToolUse", "ls");
    let began = std::time::Instant::now();
    live.run("PostToolUse", "ls");
    let usual = began.elapsed();
    let (mut at_least, mut at_most) = (2, 2);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..kills {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut child = live.start("PostToolUse", "ls");
        std::thread::sleep(usual.mul_f64((random % 1200) as f64 / 1000.0));
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        at_least += u64::from(ended.success());
        at_most += 1;
        if round % 8 == 0 {
            assert_eq!(live.decision("rm -rf build"), "deny", "after {round} kills");
            assert_eq!(live.decision("git status"), "none", "after {round} kills");
        }
    }
    let (whole, cut) = live.whole_and_cut_lines();
    assert!(whole.iter().all(|line| line["failure"].is_null()), "{whole:?}");
    assert!(cut <= at_most - at_least, "{cut} lines are cut, and {at_least} hooks ended");
    live.verify();
    let calls = live.calls();
    assert!((at_least..=at_most).contains(&calls), "{at_least} <= {calls} <= {at_most}");
    assert!(at_least < at_most, "none was killed in time");
}

/// As many as fit into half the time for which a hook waits for others, on this machine as busy as it is.
#[test]
fn of_many_hooks_at_once_none_is_lost() {
    let live = Live::new();
    let mut usual = Duration::MAX;
    for _ in 0..3 {
        let began = std::time::Instant::now();
        live.run("PostToolUse", "ls");
        usual = usual.min(began.elapsed());
    }
    let many = (1500 / usual.as_millis().max(1)).clamp(10, 200) as u64;
    let children: Vec<Child> = (0..many).map(|_| live.start("PostToolUse", "ls")).collect();
    for child in children {
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    }
    assert_eq!(live.failures(), [] as [String; 0]);
    live.verify();
    assert_eq!(live.calls(), many + 3);
}

/// A small disk of its own; none where this may not mount one.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=512k,mode=700", "tmpfs"]).arg(at);
        let output = mount.stdout(Stdio::null()).stderr(Stdio::null()).status();
        output.is_ok_and(|status| status.success()).then(|| Self(at.to_owned()))
    }

    /// Takes all the room that is left.
    fn fill(&self) {
        let mut file = std::fs::File::create(self.0.join("filler")).unwrap();
        for size in [4096, 1] {
            while file.write_all(&vec![b'x'; size]).is_ok() {}
        }
    }

    fn empty(&self) {
        std::fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_lets_nothing_pass_and_leaves_nothing_half_written() {
    let live = Live::new();
    let Some(disk) = Disk::mount(&live.state) else {
        eprintln!("skipped: no disk can be mounted here");
        return;
    };
    for _ in 0..3 {
        live.run("PostToolUse", "ls");
    }
    disk.fill();
    for _ in 0..60 {
        assert_eq!(live.decision("rm -rf build"), "deny", "what is forbidden stays so");
        let decision = live.decision("git status");
        assert!(matches!(&*decision, "ask" | "none"), "{decision}");
    }
    assert_eq!(live.decision("git status"), "ask", "there is no room left by now");
    live.failures();
    disk.empty();
    assert_eq!(live.decision("git status"), "none");
    assert!((3..200).contains(&live.calls()), "{}", live.calls());
    live.failures();
    live.verify();
    let files = std::fs::read_dir(live.state.join("sessions")).unwrap();
    let names: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let is_usual = |name: &String| name.ends_with(".session") || name.ends_with(".lock");
    assert!(names.iter().all(is_usual), "{names:?}");
}
