//! Trace policies of all kinds over large recordings: how much a core reads and decides on in a second,
//! what two cores make of many files, how much memory a gigabyte takes, and how long shadow-diff needs for
//! the same log. Runs the program, so this itself may be built without optimising.
//!
//! ```sh
//! cargo build --release && cargo bench -p behavior-tests --bench trace_policies
//! ```
//!
//! `BEHAVIOR_PROGRAM` names another program. shadow-diff is left out where Python does not find it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "what goes wrong here ends it")]

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use behavior_tests::stream::Numbers;
use serde_json::{Value, json};

/// How long the recordings are, in bytes.
const SIZE: usize = 100_000_000;
/// How long the one is that no disk holds.
const LARGE: u64 = 1_000_000_000;
/// The log for both programs: shadow-diff holds all of it in memory.
const SHARED: usize = 10_000_000;
const RUNS: u32 = 3;

const POLICY: &str = include_str!("../src/samples/all.policy.yaml");

fn main() {
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("behavior-policies-{}", std::process::id()));
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).unwrap();
    let bench = Bench {
        program: std::env::var_os("BEHAVIOR_PROGRAM").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/behavior"),
            PathBuf::from,
        ),
        scratch,
    };
    fs::write(bench.scratch.join("all.policy.yaml"), POLICY).unwrap();
    bench.one_core();
    bench.two_cores();
    bench.memory();
    bench.against_shadow();
    let _ = fs::remove_dir_all(&bench.scratch);
}

/// Writes the events of an exchange in some format.
type Exchange = fn(&mut String, &mut Numbers, u64);

const TEXT: &str = "The rounding happens in `Money::split`. Changing it there fixes all three callers; \
                    the tests say so, and the dashboard shows the amounts as it did before. ";

fn native(out: &mut String, numbers: &mut Numbers, number: u64) {
    for event in exchange(numbers, number) {
        out.push_str(&event.to_string());
        out.push('\n');
    }
}

/// A request, its response with a call, the call and its result.
fn exchange(numbers: &mut Numbers, number: u64) -> [Value; 4] {
    let id = format!("toolu_{number:012}");
    let said = TEXT.repeat(1 + numbers.below(4) as usize);
    let stop_reason = if number.is_multiple_of(8) { "end_turn" } else { "tool_use" };
    let input = json!({ "file_path": "src/invoice.rs", "old_string": said, "new_string": TEXT });
    let messages = json!([
        { "role": "system", "content": TEXT },
        { "role": if number % 8 == 1 { "user" } else { "tool" }, "content": said },
    ]);
    [
        json!({
            "event": "request", "model": "large", "messages": messages,
            "params": { "amount": 5, "tier": "gold" }, "metadata": { "chunks": [TEXT, said] },
        }),
        json!({
            "event": "response", "model": "large", "stop_reason": stop_reason,
            "content": [
                { "type": "text", "text": said },
                { "type": "tool_use", "id": id, "name": "edit", "input": input },
            ],
            "usage": { "input_tokens": 1200, "output_tokens": 310 },
        }),
        json!({ "event": "tool_call", "id": id, "tool": "edit", "params": input }),
        json!({ "event": "tool_result", "id": id, "result": said }),
    ]
}

fn claude_code(out: &mut String, numbers: &mut Numbers, number: u64) {
    let [_, response, call, result] = exchange(numbers, number);
    let record = |kind: &str, part: u32, message: Value| {
        json!({
            "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": "/home/dev/project",
            "sessionId": "00000000-0000-4000-8000-000000000000", "version": "2.1.0", "type": kind,
            "message": message, "uuid": format!("{number:08x}-0000-4000-8000-{part:012}"),
            "timestamp": "2026-01-01T10:00:00.000Z",
        })
    };
    let result =
        json!([{ "type": "tool_result", "tool_use_id": call["id"], "content": result["result"] }]);
    let answer = json!({
        "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "large",
        "content": response["content"], "stop_reason": response["stop_reason"], "usage": response["usage"],
    });
    for record in [
        record("assistant", 1, answer),
        record("user", 2, json!({ "role": "user", "content": result })),
    ] {
        out.push_str(&record.to_string());
        out.push('\n');
    }
}

fn agentlog(out: &mut String, numbers: &mut Numbers, number: u64) {
    let [request, response, call, result] = exchange(numbers, number);
    let call = json!({
        "tool_name": call["tool"], "tool_call_id": call["id"], "arguments": call["params"],
    });
    let result = json!({ "tool_call_id": call["tool_call_id"], "output": result["result"] });
    let records = [
        ("chat_request", request),
        ("chat_response", response),
        ("tool_call", call),
        ("tool_result", result),
    ];
    for (part, (kind, payload)) in records.into_iter().enumerate() {
        let record = json!({
            "version": "0.1", "id": format!("sha256:{number}.{part}"), "kind": kind,
            "ts": "2026-01-01T10:00:00.000Z", "parent": null, "payload": payload,
        });
        out.push_str(&record.to_string());
        out.push('\n');
    }
}

struct Bench {
    program: PathBuf,
    scratch: PathBuf,
}

impl Bench {
    /// A recording of about this many bytes; its path and how long it became.
    fn recording(&self, name: &str, size: usize, exchange: Exchange) -> (PathBuf, u64) {
        let (mut numbers, mut text, mut number) = (Numbers::new(7), String::new(), 0);
        while text.len() < size {
            number += 1;
            exchange(&mut text, &mut numbers, number);
        }
        let path = self.scratch.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
        (path, text.len() as u64)
    }

    /// `simulate` on some cores; what is found goes nowhere.
    fn simulate(&self, cores: &str, path: &Path) -> Command {
        let mut command = Command::new("taskset");
        command.args(["-c", cores]).arg(&self.program).arg("simulate").arg(path);
        command.arg("-c").arg(self.scratch.join("all.policy.yaml"));
        command.args(["--format", "jsonl", "-q"]).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn one_core(&self) {
        for (name, exchange) in
            [("native trace", native as Exchange), ("Claude Code transcript", claude_code)]
        {
            let (path, size) = self.recording("one.jsonl", SIZE, exchange);
            let time = best(|| self.simulate("0", &path));
            let note = format!("{:.0} MB/s", size as f64 / time.as_secs_f64() / 1e6);
            show(&format!("{name} of {} MB, all kinds, one core", size / 1_000_000), time, &note);
        }
    }

    fn two_cores(&self) {
        for part in 0..20 {
            self.recording(&format!("many/{part:02}.jsonl"), SIZE / 20, native);
        }
        let many = self.scratch.join("many");
        let one = best(|| self.simulate("0", &many));
        let two = best(|| self.simulate("0,1", &many));
        show("20 native traces, one core", one, "");
        let ratio = one.as_secs_f64() / two.as_secs_f64();
        show("20 native traces, two cores", two, &format!("{ratio:.2} x as fast"));
    }

    fn memory(&self) {
        let mut command = Command::new(&self.program);
        command.args(["simulate", "-", "--input-format", "native", "--format", "jsonl", "-q"]);
        command.arg("-c").arg(self.scratch.join("all.policy.yaml"));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = BufWriter::with_capacity(1 << 20, child.stdin.take().unwrap());
        let (mut numbers, mut text, mut number, mut size) = (Numbers::new(7), String::new(), 0, 0);
        let start = Instant::now();
        while size < LARGE {
            text.clear();
            number += 1;
            native(&mut text, &mut numbers, number);
            size += text.len() as u64;
            input.write_all(text.as_bytes()).unwrap();
        }
        input.flush().unwrap();
        let peak = peak_memory(&child).unwrap_or_default();
        drop(input);
        assert!(child.wait().unwrap().success());
        let note = format!("{peak} at most, before the end of the trace");
        show("1 GB made on the fly and simulated, all kinds", start.elapsed(), &note);
    }

    fn against_shadow(&self) {
        let (path, size) = self.recording("shared.agentlog", SHARED, agentlog);
        // Not called as the module that it imports.
        let script = self.scratch.join("by_shadow.py");
        fs::write(&script, SHADOW).unwrap();
        let policy = self.scratch.join("all.policy.yaml");
        let run = |what: &str| {
            let mut command = Command::new("taskset");
            command.args(["-c", "0", "python3"]).arg(&script).arg(&path).arg(&policy).arg(what);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        if !run("load").status().is_ok_and(|status| status.success()) {
            println!("(no shadow-diff here to compare with)");
            return;
        }
        let ours = best(|| self.simulate("0", &path));
        let (load, all) = (best(|| run("load")), best(|| run("check")));
        let megabytes = size / 1_000_000;
        show(&format!("agentlog of {megabytes} MB, all kinds"), ours, "");
        let ratio =
            |time: Duration| format!("{:.0} x as long", time.as_secs_f64() / ours.as_secs_f64());
        show("  by shadow-diff", all, &ratio(all));
        show("  of which without starting Python and importing it", all.saturating_sub(load), "");
    }
}

const SHADOW: &str = "
import json, logging, sys, yaml
logging.disable(logging.CRITICAL)
from shadow.hierarchical import check_policy, load_policy
log, policy, what = sys.argv[1:]
rules = load_policy(yaml.safe_load(open(policy)))
if what == 'check':
    print(len(check_policy([json.loads(line) for line in open(log)], rules)))
";

/// The best time of several runs.
fn best(make: impl Fn() -> Command) -> Duration {
    let once = || {
        let start = Instant::now();
        assert!(make().status().unwrap().success());
        start.elapsed()
    };
    (0..RUNS).map(|_| once()).min().unwrap_or_default()
}

/// The most memory that a process ever had at once, as the system says it.
fn peak_memory(child: &Child) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}

fn show(what: &str, time: Duration, note: &str) {
    println!("{what:<58} {:>12} {note}", format!("{time:.2?}"));
}
