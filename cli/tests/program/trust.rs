//! `behavior trust`: what a project may do before and after its user trusts it, and who can give trust.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Project, Run};
use serde_json::{Value, json};

/// Allows `make`, and denies what begins like it.
const POLICY: &str = "approval_mode = \"agent\"\n\n[[rules]]\nname = \"test\"\naction = \"allow\"\n\
     pattern = \"make test\"\n\n[[rules]]\nname = \"no make\"\npriority = \"default\"\n\
     action = \"deny\"\npattern = \"make *\"\n";

struct Cloned {
    project: Project,
}

impl Cloned {
    fn new() -> Self {
        let files = [("behavior.yaml", "profile: assistant\n"), ("behavior/policy.toml", POLICY)];
        Self { project: Project::new(&files) }
    }

    fn surround(&self, command: &mut Command) {
        command.env("HOME", self.project.path("home")).env_remove("XDG_CONFIG_HOME");
        for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_PROJECT_DIR", "BEHAVIOR"] {
            command.env_remove(name);
        }
        for name in ["BEHAVIOR_STATE_DIR", "BEHAVIOR_CACHE_DIR"] {
            command.env_remove(name);
        }
    }

    fn policy(&self, text: &str) {
        self.project.write("behavior/policy.toml", text.as_bytes());
    }

    /// What the hook answers to a shell command.
    fn hook(&self, session: &str, command: &str) -> Value {
        let payload = json!({
            "session_id": session, "cwd": self.project.path(""), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": { "command": command }, "tool_use_id": "t",
        });
        let mut hook = self.project.command("hook claude-code");
        self.surround(&mut hook);
        hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = hook.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        let output = if run.out.is_empty() { "{}" } else { &run.out };
        serde_json::from_str::<Value>(output).unwrap()["hookSpecificOutput"].take()
    }

    #[track_caller]
    fn decides(&self, command: &str, expect: &str) {
        let answer = self.hook("s", command);
        let decision = answer["permissionDecision"].as_str().unwrap_or("none");
        assert_eq!(decision, expect, "{command}: {answer}");
    }

    fn trust(&self, arguments: &str, typed: &str) -> Run {
        let line = format!("trust {arguments}");
        self.project.at_terminal(&line, typed, |command| self.surround(command))
    }
}

#[test]
fn an_allow_waits_for_trust_and_denials_do_not() {
    if !crate::common::has_terminals() {
        return;
    }
    let cloned = Cloned::new();
    cloned.decides("make test", "deny");
    cloned.decides("make deploy", "deny");
    let refused = cloned.trust("", "n");
    assert!(refused.out.contains("the policy rule `test` allows calls"), "{refused:?}");
    assert!(refused.out.contains("nothing was changed"), "{refused:?}");
    cloned.decides("make test", "deny");
    cloned.trust("", "y");
    cloned.decides("make test", "none");
    cloned.decides("make deploy", "deny");
    assert!(cloned.trust("", "").out.contains("are trusted"));
}

#[test]
fn an_edit_that_asks_for_no_more_stays_trusted() {
    if !crate::common::has_terminals() {
        return;
    }
    let cloned = Cloned::new();
    cloned.trust("", "y");
    let stricter = "[[rules]]\nname = \"no rm\"\naction = \"deny\"\npattern = \"rm *\"\n";
    cloned.policy(&format!("# moved\n{POLICY}{stricter}"));
    cloned.decides("make test", "none");
    cloned.decides("rm x", "deny");
    let more = "[[rules]]\nname = \"all\"\naction = \"allow\"\npattern = \"make deploy\"\n";
    cloned.policy(&format!("{POLICY}{more}"));
    cloned.decides("make test", "deny");
    cloned.decides("make deploy", "deny");
    cloned.policy(POLICY);
    cloned.decides("make test", "none");
}

#[test]
fn a_mode_that_asks_is_not_lost_with_an_edit_that_wants_more() {
    if !crate::common::has_terminals() {
        return;
    }
    let cloned = Cloned::new();
    let asking = POLICY.replace("\"agent\"", "\"ask\"");
    cloned.policy(&asking);
    // Before, the mode has no say.
    cloned.decides("ls -l", "none");
    cloned.trust("", "y");
    cloned.decides("ls -l", "ask");
    cloned.decides("make test", "none");
    let more = "[[rules]]\nname = \"all\"\naction = \"allow\"\npattern = \"make deploy\"\n";
    cloned.policy(&format!("{asking}{more}"));
    cloned.decides("ls -l", "ask");
    cloned.decides("make test", "deny");
}

#[test]
fn trust_is_listed_and_taken_back() {
    if !crate::common::has_terminals() {
        return;
    }
    let cloned = Cloned::new();
    let list = |cloned: &Cloned| cloned.trust("--list", "").out;
    assert!(list(&cloned).contains("no project is trusted"));
    cloned.trust("", "y");
    assert!(list(&cloned).contains("the policy rule `test` allows calls"), "{}", list(&cloned));
    assert!(cloned.trust("--revoke", "").out.contains("trust was taken back"));
    cloned.decides("make test", "deny");
    assert!(list(&cloned).contains("no project is trusted"));
}

#[test]
fn what_waits_is_told_once_in_a_session() {
    let cloned = Cloned::new();
    let tells = |session: &str| {
        cloned.hook(session, "ls")["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    let first = tells("a");
    assert!(first.contains("`behavior trust`") && first.contains("`test` allows"), "{first}");
    assert_eq!(tells("a"), "");
    assert!(tells("b").contains("`behavior trust`"));
}

#[test]
fn without_a_person_there_is_no_trust() {
    let cloned = Cloned::new();
    let mut command = cloned.project.command("trust");
    cloned.surround(&mut command);
    let run = Run::from(command.stdin(Stdio::null()).output().unwrap());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("trust is given at a terminal"), "{run:?}");
    if !crate::common::has_terminals() {
        return;
    }
    // A program called as an agent is.
    let program = env!("CARGO_BIN_EXE_behavior");
    let agent = format!("exec -a claude bash -c '{program} trust; true'");
    let mut command = Command::new("script");
    command.args(["-qec", &format!("bash -c \"{agent}\""), "/dev/null"]);
    command.current_dir(cloned.project.path(""));
    cloned.surround(&mut command);
    let run = Run::from(command.stdin(Stdio::null()).output().unwrap());
    assert!(run.out.contains("only a person can give trust"), "{run:?}");
    cloned.decides("make test", "deny");
}

#[test]
fn commands_that_show_rules_do_not_wait() {
    let cloned = Cloned::new();
    let mut command = cloned.project.command("explain --format json --command");
    cloned.surround(&mut command);
    let run = Run::from(command.arg("make test").output().unwrap());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(value["permission"]["rule"], "test", "{run:?}");
    assert!(run.err.contains("in hooks, this waits for `behavior trust`"), "{run:?}");
}
