//! `session`: what the store has, for people and for programs.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a panic is how a test fails"
)]

#[path = "../src/live/store/mod.rs"]
#[allow(dead_code, reason = "what only the program uses")]
mod store;

mod common;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use behavior_runtime::{FactHost, Session};
use common::{Project, Run};
use serde_json::{Value, json};
use store::{Key, Seal, Store};

const RULES: &str = "state_tracking:
  sets: { tables: { add_on: [describe], target: table } }
  counters: { queries: { increment_on: [query] } }
  flags: { saved: { set_on: [backup] } }
rule_definitions:
  - { id: no_push, trigger: bash, condition: param(command) contains \"push\", message: No. }
";

const EVENTS: &str = r#"{"event":"session_start","agent":"a","cwd":"/w","mode":"ask"}
{"event":"turn_start","text":"hello"}
{"event":"tool_result","tool":"read","params":{"file_path":"/w/a.rs"}}
{"event":"tool_result","tool":"read","params":{"file_path":"/else/b.rs"}}
{"event":"tool_call","tool":"bash","params":{"command":"git push"}}
{"event":"tool_result","tool":"bash","params":{"command":"git push"}}
{"event":"tool_result","tool":"query","params":{"table":"x"}}"#;

/// A session after the events, saved.
fn saved() -> Vec<u8> {
    let files = behavior_compiler::provider::MemoryFiles::new([("behavior.yaml", RULES)]);
    let provider = behavior_compiler::provider::WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PRESETS,
        project: files,
    };
    let compilation = behavior_compiler::compile(&provider, "behavior.yaml");
    let mut session = Session::new(Arc::new(compilation.image.expect("the rules compile")));
    for line in EVENTS.lines() {
        let item = behavior_agents::native::parse(line, 1).unwrap().unwrap();
        session.apply(&item.event, &mut FactHost::default());
    }
    let mut saved = Vec::new();
    session.save(&mut saved);
    // What is kept besides comes first, nothing here; then the layers by their names.
    let parts: [&[u8]; 3] = [b"{}", b"project", &saved];
    let with_length =
        |part: &[u8]| [&u32::try_from(part.len()).unwrap().to_le_bytes(), part].concat();
    parts.into_iter().flat_map(with_length).collect()
}

fn key(agent: &str, session: &str, sub_agent: Option<&str>) -> Key {
    Key {
        agent: agent.to_owned(),
        session: session.to_owned(),
        sub_agent: sub_agent.map(str::to_owned),
    }
}

/// The store of a project, with the key that authenticates it.
fn store_of(project: &Project) -> Store {
    use std::os::unix::fs::PermissionsExt;
    const KEY: [u8; 32] = [7; 32];
    project.write("state/key", &KEY);
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(project.path("state/key"), private).unwrap();
    let mut hasher = blake3::Hasher::new_keyed(&KEY);
    hasher.update(&8u64.to_le_bytes());
    hasher.update(b"sessions");
    hasher.update(&0u64.to_le_bytes());
    Store::at(&project.path("state"), Seal::new(hasher.finalize().into()))
}

/// A project with sessions, the last one the latest.
fn project(keys: &[Key]) -> Project {
    let project = Project::new(&[]);
    let store = store_of(&project);
    let (state, now) = (saved(), SystemTime::now());
    for (age, key) in keys.iter().rev().enumerate() {
        let then = now - Duration::from_secs(150 * age as u64);
        store.open(key, Duration::ZERO).unwrap().save(&state, 0xabc, then).unwrap();
    }
    project
}

fn run(project: &Project, line: &str) -> Run {
    let mut command = project.command(&format!("session {line}"));
    command.env("BEHAVIOR_STATE_DIR", project.path("state")).env("COLUMNS", "100");
    command.output().unwrap().into()
}

fn json_of(project: &Project, line: &str) -> Value {
    let run = run(project, line);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{line}: {error}: {run:?}"))
}

#[track_caller]
fn refused(project: &Project, line: &str, expect: &str) {
    let run = run(project, line);
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(run.err.contains(expect), "{run:?}");
}

#[test]
fn sessions_are_listed_the_latest_first() {
    let none = Project::new(&[]);
    assert!(run(&none, "list").out.starts_with("0 sessions in "));
    assert_eq!(json_of(&none, "list --format json"), json!({ "version": 1, "sessions": [] }));
    let keys = [
        key("claude-code", "s1", None),
        key("claude-code", "s1", Some("sub")),
        key("codex", "S2\u{7}", None),
    ];
    let project = project(&keys);
    let run = run(&project, "list");
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "agent        session  sub-agent  last event  turn  calls  violations");
    assert!(lines[1].starts_with("codex        S2?"), "{run:?}");
    assert_eq!(lines[2], "claude-code  s1       sub        2 min ago   1     4      1");
    assert_eq!(lines[3], "claude-code  s1                  5 min ago   1     4      1");
    assert!(lines[4].starts_with("3 sessions in "), "{run:?}");
    let list = json_of(&project, "list --format json");
    let sub = &list["sessions"][1];
    assert_eq!(
        (&sub["agent"], &sub["session"], &sub["sub_agent"]),
        (&json!("claude-code"), &json!("s1"), &json!("sub"))
    );
    assert_eq!(
        (&sub["turn"], &sub["total_calls"], &sub["violations"]),
        (&json!(1), &json!(4), &json!(1))
    );
    assert!(sub["saved_at"].as_i64().unwrap() > 1_700_000_000_000);
    assert!(sub["file"].as_str().unwrap().ends_with("claude-code@s1@sub.session"));
}

#[test]
fn a_session_shows_what_it_remembers() {
    let project = project(&[key("a", "other", None), key("a", "s1-long", None)]);
    let shown = json_of(&project, "show s1 --format json");
    assert_eq!((&shown["version"], &shown["session"]), (&json!(1), &json!("s1-long")));
    assert_eq!(
        (&shown["cwd"], &shown["mode"], &shown["image"]),
        (&json!("/w"), &json!("ask"), &json!("0000000000000abc"))
    );
    let state = &shown["state"];
    assert_eq!(state["turn"], 1);
    assert_eq!(state["streak"], json!({ "tool": "query", "length": 1 }));
    assert_eq!(state["last_violation"], "no_push");
    assert_eq!(state["sets"]["read_files"], json!(["a.rs", "/else/b.rs"]));
    assert_eq!(
        (&state["counters"]["queries"], &state["flags"]["saved"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(state["recent"][0], json!({ "tool": "read", "target": "/w/a.rs" }));
    let text = run(&project, "show s1-long").out;
    for part in [
        "s1-long of a, ",
        "violations",
        "1, the last by no_push",
        "read_files (2)\n  a.rs\n  /else/b.rs\n",
        "recent calls (4)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(run(&project, "show").out.starts_with("s1-long of a, "), "the latest");
}

#[test]
fn sessions_are_cleared_one_or_all() {
    let keys = [
        key("a", "s1", None),
        key("a", "s1", Some("x")),
        key("a", "s1", Some("y")),
        key("a", "s12", None),
        key("b", "s3", None),
    ];
    let project = project(&keys);
    let left = |project: &Project| -> Vec<Value> {
        let list = json_of(project, "list --format json");
        list["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| json!([s["session"], s["sub_agent"]]))
            .collect()
    };
    refused(&project, "clear", "which session?");
    refused(&project, "clear nothing", "there is no session `nothing`");
    refused(&project, "clear s3 --agent a", "there is no session `s3` of `a`");
    refused(&project, "clear s", "`s` is not one session but 3: `s1` of a, `s12` of a, `s3` of b");
    refused(&project, "clear s1 --sub-agent z", "session `s1` has no sub-agent `z`");
    assert_eq!(left(&project).len(), 5);
    assert_eq!(run(&project, "clear s1 --sub-agent x").err, "note: cleared 1 session\n");
    assert_eq!(left(&project).len(), 4);
    assert_eq!(run(&project, "clear s1").err, "note: cleared 2 sessions\n", "not s12");
    assert_eq!(left(&project), [json!(["s3", null]), json!(["s12", null])]);
    assert_eq!(run(&project, "clear --all").code, 0);
    assert!(left(&project).is_empty());
    assert_eq!(std::fs::read_dir(project.path("state/sessions")).unwrap().count(), 0);
}

#[test]
fn damaged_sessions_are_told_and_can_be_cleared() {
    let project = project(&[key("a", "good", None)]);
    project.write("state/sessions/a@garbage.session", b"garbage");
    let store = store_of(&project);
    let mut held = store.open(&key("a", "newer", None), Duration::ZERO).unwrap();
    held.save(b"\x02\0\0\0{}\x07\0\0\0project\x04\0\0\0BHS\xff", 0, SystemTime::UNIX_EPOCH)
        .unwrap();
    drop(held);
    let text = run(&project, "list").out;
    assert!(text.contains("damaged: it holds no whole state"), "{text}");
    assert!(text.contains("damaged: the session was saved in form 255"), "{text}");
    let list = json_of(&project, "list --format json");
    assert!(list["sessions"][0]["problem"].is_null());
    assert!(list["sessions"][2]["problem"].as_str().unwrap().contains("is damaged"), "{list}");
    refused(&project, "show garbage", "is damaged: it holds no whole state; clear it");
    refused(&project, "show newer", "was saved in form 255");
    assert_eq!(run(&project, "clear garbage").code, 0);
    assert_eq!(run(&project, "clear newer").code, 0);
    assert_eq!(json_of(&project, "list --format json")["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn without_a_place_to_look_it_says_so() {
    let project = Project::new(&[]);
    let mut command = project.command("session list");
    for name in ["BEHAVIOR_STATE_DIR", "XDG_STATE_HOME", "HOME"] {
        command.env_remove(name);
    }
    let nowhere: Run = command.output().unwrap().into();
    assert_eq!(nowhere.code, 2, "{nowhere:?}");
    assert!(nowhere.err.contains("set `BEHAVIOR_STATE_DIR`"), "{nowhere:?}");
    command.env("HOME", project.path("home")).env("XDG_STATE_HOME", "relative");
    let home: Run = command.output().unwrap().into();
    assert!(home.out.ends_with("home/.local/state/behavior\n"), "{home:?}");
}

#[test]
fn long_ids_are_cut_in_the_list_and_name_the_session_all_the_same() {
    let long = "0123456789".repeat(12);
    let project = project(&[key("codex", &long, None)]);
    let list = run(&project, "list");
    let cut = format!("{}…", &long[..43]);
    assert!(list.out.contains(&format!("codex  {cut}  ")), "{list:?}");
    assert!(list.out.lines().all(|line| line.chars().count() <= 100), "{list:?}");
    assert_eq!(json_of(&project, "list --format json")["sessions"][0]["session"], long);
    assert_eq!(json_of(&project, &format!("show {cut} --format json"))["session"], long);
}
