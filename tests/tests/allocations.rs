//! Deciding allocates nothing where no rule fires, once a session has met its tools and targets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::alloc::System;
use std::fmt::Write as _;
use std::sync::Arc;

use behavior_agents::native;
use behavior_runtime::{Decision, FactHost, Image, Session};
use behavior_tests::samples::image_of;
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often the events are applied before they are counted: buffers have their size then, and patterns
/// that are searched often their faster engine.
const WARM_UP: usize = 80;

/// Applies the events again and again. Each must be silent, and after the first rounds none may
/// allocate; those marked as noisy are passed over.
#[track_caller]
fn check(image: Image, before: &str, events: &str) {
    let mut session = Session::new(Arc::new(image));
    let mut host = FactHost::default();
    for line in before.lines() {
        session.apply(&native::parse(line, 1).unwrap().unwrap().event, &mut host);
    }
    let lines: Vec<&str> = events.lines().collect();
    let events: Vec<_> =
        lines.iter().map(|line| native::parse(line, 1).unwrap().unwrap().event).collect();
    for round in 0..WARM_UP + 3 {
        for (line, event) in lines.iter().zip(&events) {
            if line.contains("noisy") {
                session.apply(event, &mut host);
                continue;
            }
            let region = Region::new(ALLOCATOR);
            let decision: Decision = session.apply(event, &mut host);
            let change = region.change();
            assert_eq!(decision.findings, [], "{line}");
            assert_eq!(decision.undecided, [], "{line}");
            if round >= WARM_UP {
                assert_eq!(change.allocations, 0, "{line}: {change:?}");
                assert_eq!(change.reallocations, 0, "{line}: {change:?}");
            }
        }
    }
}

/// The session has seen the files and run its tests.
const SEEN: &str = r#"{"event":"session_start","cwd":"/repo"}
{"event":"turn_start","text":"please"}
{"event":"text","text":"I will look first."}
{"event":"tool_result","tool":"grep","params":{"pattern":"fn main"}}
{"event":"tool_result","tool":"read","params":{"file_path":"src/main.rs"}}
{"event":"tool_result","tool":"read","params":{"file_path":"/repo/src/lib.rs"}}"#;

/// Calls and results of every usual tool, none of which the strictest preset has anything to say on.
const CALLS: &str = r#"{"event":"tool_call","id":"g","tool":"grep","params":{"pattern":"fn main","path":"src"}}
{"event":"tool_result","id":"g","result":"src/main.rs:1: fn main() {}"}
{"event":"tool_call","id":"1","tool":"read","params":{"file_path":"src/main.rs"}}
{"event":"tool_result","id":"1","result":"fn main() {}"}
{"event":"tool_call","id":"b","tool":"bash","params":{"command":"cargo build --release && git commit -m 'Remove the last rm -rf'","timeout":60000}}
{"event":"tool_result","id":"b","result":"   Compiling app v0.1.0"}
{"event":"tool_call","id":"2","tool":"edit","params":{"file_path":"./src/../src/main.rs","old_string":"a","new_string":"b"}}
{"event":"tool_call","id":"3","tool":"write","params":{"file_path":"/repo/src/lib.rs","content":"pub mod a;"}}
{"event":"tool_result","id":"2","result":"done","noisy":true}
{"event":"tool_result","id":"3","result":"done","noisy":true}
{"event":"tool_call","id":"4","tool":"mcp__fs__read","params":{"path":"src/lib.rs"}}
{"event":"tool_result","id":"4","result":"pub mod a;"}
{"event":"text","text":"Both files are as they should be."}
{"event":"turn_start","text":"go on"}
{"event":"text","text":"Next I will search for the callers."}"#;

/// Command lines with wrappers, texts that are run, pipes, loops and variables.
const COMMANDS: [&str; 7] = [
    "sudo -u www env A=1 nohup make -j4 > build.log 2>&1 &",
    "x=src; cd $x && ls \"$x/main.rs\" | xargs wc -l | head -n 20",
    "bash -lc 'cargo build --all && git push origin main'",
    "if [ -f Makefile ]; then git add -A; fi; for f in a b; do make \"$f\"; done",
    "( cd app; npm run build ) 2>&1 | tail -n 5; time git log --oneline -n 5",
    "timeout 60 sh -c \"git -C app$# stash list\" || git branch -d old-a",
    "git push --dry-run $remote && rm a.o b.o && docker ps -a",
];

/// One test, since the allocator counts for all threads.
#[test]
fn silent_events_allocate_nothing() {
    check(image_of("profile: dev\n"), SEEN, CALLS);
    // Under `dev` the result of an edit is never silent.
    let silent =
        "profile: dev\nrules: { verify_after_edit: false, changes_before_test_reminder: 0 }\n";
    let edits = r#"{"event":"turn_start"}
{"event":"text","text":"Now the edits."}
{"event":"tool_call","id":"2","tool":"edit","params":{"file_path":"src/main.rs","new_string":"b"}}
{"event":"tool_result","id":"2","result":"done"}
{"event":"tool_call","id":"3","tool":"write","params":{"file_path":"/repo/src/lib.rs","content":"pub mod a;"}}
{"event":"tool_result","id":"3","result":"done"}"#;
    check(image_of(silent), SEEN, edits);
    check(thousand_literals(), SEEN, CALLS);
    let rules = "rules: { confirm_destructive: true, confirm_destructive_extended: true, \
                 opaque_command: true }\n";
    let call = |command| {
        let params = json!({ "command": command });
        let call = json!({ "event": "tool_call", "id": "b", "tool": "bash", "params": params });
        format!("{call}\n{}", json!({ "event": "tool_result", "id": "b", "result": "" }))
    };
    let commands: Vec<String> = COMMANDS.into_iter().map(call).collect();
    check(image_of(rules), SEEN, &commands.join("\n"));
}

/// A thousand rules that wait for a text in a command.
fn thousand_literals() -> Image {
    let mut config = "rule_definitions:\n".to_owned();
    for rule in 0..1_000 {
        let _ = writeln!(
            config,
            "  - {{ id: r{rule}, trigger: bash, message: m, \
             condition: {{ param_contains: {{ param: command, value: \"forbidden-{rule}\" }} }} }}"
        );
    }
    image_of(&config)
}
