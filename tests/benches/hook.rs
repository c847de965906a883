//! What a hook costs an agent: from starting the process to its answer, against a program that does
//! nothing, and against the same rules in other languages, all in one run.
//!
//! ```sh
//! cargo xtask release
//! cargo bench -p behavior-tests --bench hook
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "what goes wrong here ends it")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

/// So many files a long session has read: what a hook takes does not depend on it.
const FILES: usize = 5_000;
/// How often each program is started.
const RUNS: usize = 300;

fn main() {
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("behavior-hook-{}", std::process::id()));
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).unwrap();
    let program = std::env::var_os("BEHAVIOR_PROGRAM").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/behavior"),
        PathBuf::from,
    );
    let program = installed(&scratch, &program);
    let mut contestants = vec![empty(&scratch)];
    for (name, config) in [
        ("dev preset", "profile: dev\n".to_owned()),
        ("10 rules", many(10)),
        ("10,000 rules", many(10_000)),
    ] {
        contestants.push(hook(&scratch, &program, name, &config));
    }
    for files in [0, FILES] {
        contestants.push(reader(&scratch, &program, files));
    }
    contestants.extend(others(&scratch));
    measure(&mut contestants);
    let _ = fs::remove_dir_all(&scratch);
}

/// A program that is started again and again.
struct Contestant {
    name: String,
    command: Vec<PathBuf>,
    directory: PathBuf,
    environment: Vec<(&'static str, PathBuf)>,
    payload: PathBuf,
    times: Vec<Duration>,
}

/// So many rules on shell commands.
fn many(rules: usize) -> String {
    let rule = |index| {
        format!(
            "  - id: rule_{index:05}\n    trigger: [bash]\n    action: warn\n    condition:\n      \
             param_contains: {{ param: command, value: \"secret_{index:05}\" }}\n    \
             message: \"No {{param:command}} here.\"\n"
        )
    };
    format!("rule_definitions:\n{}", (0..rules).map(rule).collect::<String>())
}

/// A hook on reading a file, in a session that has read so many before.
fn reader(scratch: &Path, program: &Path, files: usize) -> Contestant {
    let name = format!("a session of {files} files");
    let mut contestant = hook(scratch, program, &name, "profile: read_control\n");
    let read = |number: usize| {
        json!({
            "session_id": "f3f4cd1f-4429-4f86-a6da-b29c38b60507",
            "cwd": contestant.directory,
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": { "file_path": contestant.directory.join(format!("src/some/folder/{number}.rs")) },
            "tool_use_id": "toolu_4b509b677d6d4414a9bf7ead",
            "tool_response": "ok",
        })
    };
    for number in (0..files).chain([FILES / 2]) {
        fs::write(&contestant.payload, read(number).to_string()).unwrap();
        if number < files {
            once(&contestant);
        }
    }
    contestant.times.clear();
    contestant
}

fn payload(directory: &Path) -> PathBuf {
    let path = directory.join("payload.json");
    let event = json!({
        "session_id": "f3f4cd1f-4429-4f86-a6da-b29c38b60507",
        "transcript_path": "/home/dev/.claude/projects/demo/f3f4cd1f.jsonl",
        "cwd": directory,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {
            "command": "cd services/billing && cargo build --release --locked 2>&1 | tail -n 20",
            "description": "Build the service",
        },
        "tool_use_id": "toolu_4b509b677d6d4414a9bf7ead",
    });
    fs::write(&path, event.to_string()).unwrap();
    path
}

fn hook(scratch: &Path, program: &Path, name: &str, config: &str) -> Contestant {
    let directory = scratch.join(name.replace([' ', ','], "-"));
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("behavior.yaml"), config).unwrap();
    // What was changed a moment ago is not believed to have settled.
    std::thread::sleep(Duration::from_millis(100));
    Contestant {
        name: format!("behavior, {name}"),
        command: vec![program.to_owned(), "hook".into(), "claude-code".into()],
        environment: vec![
            ("BEHAVIOR_STATE_DIR", directory.join("state")),
            ("BEHAVIOR_CACHE_DIR", directory.join("cache")),
        ],
        payload: payload(&directory),
        directory,
        times: Vec::new(),
    }
}

/// A copy of a program, which is how programs are installed. What a linker has just written lies in
/// memory in smaller pieces.
fn installed(scratch: &Path, program: &Path) -> PathBuf {
    let copy = scratch.join("installed").join(program.file_name().unwrap());
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    fs::copy(program, &copy).unwrap();
    copy
}

/// A static program that does nothing.
fn empty(scratch: &Path) -> Contestant {
    let source = scratch.join("empty.rs");
    let program = scratch.join("empty");
    fs::write(&source, "fn main() {}\n").unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(["-O", "-C", "target-feature=+crt-static", "-o"])
        .args([&program, &source])
        .status();
    assert!(built.is_ok_and(|status| status.success()), "rustc builds an empty program");
    Contestant {
        name: "a static program that does nothing".to_owned(),
        command: vec![installed(scratch, &program)],
        environment: Vec::new(),
        payload: payload(scratch),
        directory: scratch.to_owned(),
        times: Vec::new(),
    }
}

/// Hooks in other languages for what the `dev` preset says of this event, where these are installed.
fn others(scratch: &Path) -> Vec<Contestant> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/hooks");
    let known = [
        ("Python", "python3", "plain.py"),
        ("Node", "node", "plain.mjs"),
        ("bash and jq", "bash", "plain.sh"),
    ];
    let needs = |interpreter: &str| {
        let found = Command::new(interpreter).arg("--version").stdout(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    let mut found = Vec::new();
    for (name, interpreter, script) in known {
        if !needs(interpreter) || script == "plain.sh" && !needs("jq") {
            println!("(no {name} here to compare with)");
            continue;
        }
        let directory = scratch.join(script);
        fs::create_dir_all(&directory).unwrap();
        found.push(Contestant {
            name: format!("the same by hand in {name}"),
            command: vec![interpreter.into(), scripts.join(script)],
            environment: vec![("HOOK_STATE", directory.join("state.json"))],
            payload: payload(&directory),
            directory,
            times: Vec::new(),
        });
    }
    found
}

/// Starts all of them in turn, so that each meets the machine in the same mood.
fn measure(contestants: &mut [Contestant]) {
    for round in 0..RUNS + 20 {
        for contestant in &mut *contestants {
            // Slow ones tell enough in fewer runs.
            let is_slow = contestant.times.first().is_some_and(|time| time.as_millis() >= 8);
            if is_slow && round % 10 != 0 {
                continue;
            }
            let time = once(contestant);
            if round >= 20 {
                contestant.times.push(time);
            }
        }
    }
    let middle = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    let base = contestants.first_mut().map_or(Duration::ZERO, |first| middle(&mut first.times));
    for contestant in contestants {
        let time = middle(&mut contestant.times);
        let least = contestant.times.first().copied().unwrap_or_default();
        println!(
            "{:<42} {:>10} middle, {:>10} least {:>7.2} x nothing",
            contestant.name,
            format!("{time:.1?}"),
            format!("{least:.1?}"),
            time.as_secs_f64() / base.as_secs_f64()
        );
    }
}

fn once(contestant: &Contestant) -> Duration {
    let (program, arguments) = contestant.command.split_first().expect("there is a program");
    let input = File::open(&contestant.payload).unwrap();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&contestant.directory).stdin(input);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.envs(contestant.environment.iter().cloned());
    let start = Instant::now();
    let status = command.status();
    let time = start.elapsed();
    assert!(status.is_ok_and(|status| status.success()), "{} fails", contestant.name);
    time
}
