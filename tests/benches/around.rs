//! What this program adds to what agents take: a workflow of three steps against its three commands alone, and the tools
//! of the tool server, each asked over standard input and output.
//!
//! ```sh
//! cargo build --release --bin behavior
//! cargo bench -p behavior-tests --bench around
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "what goes wrong here ends it")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How often each is done.
const RUNS: usize = 50;

fn main() {
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("behavior-around-{}", std::process::id()));
    let _ = fs::remove_dir_all(&scratch);
    let program = std::env::var_os("BEHAVIOR_PROGRAM").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/behavior"),
        PathBuf::from,
    );
    let program = program.canonicalize().expect("build the program first");
    workflow(&scratch.join("workflow"), &program);
    tools(&scratch.join("tools"), &program);
    let _ = fs::remove_dir_all(&scratch);
}

/// A command in a project, where nothing of the user's is found.
fn command(program: &Path, project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(project).stdin(Stdio::null()).stdout(Stdio::null());
    for (name, folder) in [
        ("HOME", "home"),
        ("XDG_CONFIG_HOME", "config"),
        ("BEHAVIOR_STATE_DIR", "state"),
        ("BEHAVIOR_CACHE_DIR", "cache"),
    ] {
        command.env(name, project.join(folder));
    }
    command
}

fn write(project: &Path, name: &str, text: &str) {
    let path = project.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Prints the least, the middle and the most.
fn print(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |index: usize| times.get(index).copied().unwrap_or_default().as_secs_f64() * 1e3;
    println!("{name:40} {:8.2} {:8.2} {:8.2} ms", at(0), at(times.len() / 2), at(times.len() - 1));
}

fn workflow(project: &Path, program: &Path) {
    write(project, "behavior/agents.yaml", "agents:\n  a: { run: [\"true\"] }\n");
    let step = "{ type: step, agentId: a }";
    let template = format!("name: three\nsteps: [{step}, {step}, {step}]\n");
    write(project, "templates/workflows/three.yaml", &template);
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        for _ in 0..3 {
            assert!(command(Path::new("true"), project, &[]).status().unwrap().success());
        }
        alone.push(start.elapsed());
        let start = Instant::now();
        let run = command(program, project, &["workflow", "run", "three"]).status();
        assert!(run.unwrap().success());
        together.push(start.elapsed());
    }
    print("three commands", alone);
    print("… as the steps of a workflow", together);
}

/// The tool server, and a client of it.
struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: u64,
}

impl Server {
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        let id = self.id;
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(self.to, "{line}").unwrap();
        let mut answer = String::new();
        self.from.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }
}

fn tools(project: &Path, program: &Path) {
    write(project, "behavior.yaml", "profile: guard\n");
    // A session that the tools are about.
    let payload = json!({
        "session_id": "s1", "cwd": project, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "tool_use_id": "t1",
    });
    let mut hook = command(program, project, &["hook", "claude-code"]);
    let mut child = hook.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());

    let mut started = command(program, project, &["mcp"]);
    let mut child = started.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut server = Server { child, to, from: BufReader::new(from), id: 0 };
    server.ask(
        "initialize",
        &json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }),
    );
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    writeln!(server.to, "{ready}").unwrap();
    let rule = json!({"trigger": "bash", "action": "warn", "condition": "runs \"make\"", "message": "Hm."});
    let call = json!({"tool": "bash", "params": {"command": "rm -rf src && git push --force"}});
    for (name, arguments) in [
        ("preflight", json!({"calls": [call]})),
        ("update_constitution", json!({"rule": "Never touch the migrations."})),
        ("update_constitution", json!({"rule": rule})),
        ("get_constitution", json!({})),
        ("explain_decision", json!({})),
        ("session_status", json!({})),
    ] {
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            let result = server.ask("tools/call", &json!({"name": name, "arguments": arguments}));
            times.push(start.elapsed());
            assert!(result.is_object(), "{name}");
        }
        print(&format!("tool {name}"), times);
    }
    drop(server.to);
    let _ = server.child.wait();
}
