//! The audit log and its chain, with the real program: `log verify`, and hooks that write at the same time.
#![cfg(unix)]

use std::io::Write;
use std::process::{Child, Command, Stdio};

use crate::common::{Project, Run};
use serde_json::{Value, json};

/// Hooks whose sessions, cache and settings are in a directory of their own.
struct Live(Project);

impl Live {
    fn new() -> Self {
        let live = Self(Project::new(&[("behavior.yaml", "profile: dev\n")]));
        std::fs::create_dir_all(live.0.path("config")).unwrap();
        live
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.0.command(line);
        command
            .env("BEHAVIOR_STATE_DIR", self.0.path("state"))
            .env("BEHAVIOR_CACHE_DIR", self.0.path("cache"))
            .env("XDG_CONFIG_HOME", self.0.path("config"))
            .env("HOME", self.0.path("home"))
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("BEHAVIOR");
        command
    }

    /// A hook that has been given a command of a session.
    fn start(&self, session: &str, command: &str) -> Child {
        let payload = json!({
            "session_id": session, "cwd": self.0.path(""), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t1",
        });
        let mut hook = self.command("hook claude-code");
        hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = hook.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        child
    }

    fn hook(&self, session: &str, command: &str) -> Run {
        Run::from(self.start(session, command).wait_with_output().unwrap())
    }

    fn run(&self, line: &str) -> Run {
        Run::from(self.command(line).output().unwrap())
    }

    fn verified(&self) -> Value {
        serde_json::from_str(&self.run("log verify --format json").out).unwrap()
    }

    fn log(&self) -> String {
        String::from_utf8(self.0.read("state/audit.jsonl")).unwrap()
    }
}

#[test]
fn hooks_of_many_sessions_write_one_chain() {
    let live = Live::new();
    live.hook("s", "ls");
    let hooks: Vec<Child> = (0..120).map(|n| live.start(&format!("s{}", n % 40), "ls")).collect();
    for hook in hooks {
        let run = Run::from(hook.wait_with_output().unwrap());
        assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
    }
    let report = live.verified();
    assert_eq!(report["findings"], json!([]), "{report:#}");
    // On a machine with much to do, some may not have had their turn in time.
    let lines = report["genuine"].as_u64().unwrap() + report["apart"].as_u64().unwrap();
    assert_eq!(lines, 121, "{report:#}");
}

#[test]
fn verify_names_the_first_broken_line() {
    let live = Live::new();
    for command in ["ls", "git status", "rm -rf build", "pwd"] {
        live.hook("s", command);
    }
    let run = live.run("log verify");
    assert_eq!((run.code, &*run.out), (0, "the log is whole: 4 lines, number 1 to 4\n"));
    let whole = live.log();
    let edited = whole.replacen("git status", "git push --force", 1);
    live.0.write("state/audit.jsonl", edited.as_bytes());
    let run = live.run("log verify");
    assert_eq!(run.code, 1, "{run:?}");
    let first = run.out.lines().next().unwrap();
    assert!(
        first.ends_with(
            "audit.jsonl:2: edited: this line, or what stands before it, is not as it was written"
        ),
        "{first}"
    );
    let found = &live.verified()["findings"];
    assert_eq!((found[0]["line"].as_u64(), found[0]["found"].as_str()), (Some(2), Some("edited")));
    // Files that are named have no head: where they end is not known.
    live.0.write(
        "copy.jsonl",
        whole.lines().take(3).map(|line| format!("{line}\n")).collect::<String>().as_bytes(),
    );
    let run = live.run("log verify copy.jsonl");
    assert_eq!((run.code, &*run.out), (0, "the log is whole: 3 lines, number 1 to 3\n"));
    live.0.write("state/audit.jsonl", &live.0.read("copy.jsonl"));
    let run = live.run("log verify");
    assert!(
        run.code == 1
            && run.out.contains("audit.jsonl:3: cut: line number 4 is missing at the end"),
        "{run:?}"
    );
}

#[test]
fn without_the_key_nothing_is_verified_and_none_is_made() {
    let live = Live::new();
    live.hook("s", "ls");
    std::fs::remove_file(live.0.path("state/key")).unwrap();
    let run = live.run("log verify");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.err.contains("state/key` nothing can be verified: there is no such file"),
        "{run:?}"
    );
    assert!(!live.0.path("state/key").exists());
}

#[test]
fn what_stands_in_the_place_of_the_head_keeps_nothing_out_of_the_log() {
    let live = Live::new();
    live.hook("s", "ls");
    let head = live.0.path("state/audit.head");
    let elsewhere = live.0.path("elsewhere");
    std::fs::rename(&head, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &head).unwrap();
    let before = std::fs::read(&elsewhere).unwrap();
    live.hook("s", "git status");
    assert_eq!(std::fs::read(&elsewhere).unwrap(), before, "no link is followed");
    std::fs::remove_file(&head).unwrap();
    assert!(Command::new("mkfifo").arg(&head).status().unwrap().success());
    live.hook("s", "pwd");
    let log = live.log();
    assert_eq!(log.lines().count(), 3, "{log}");
    let found = live.verified();
    assert_eq!((&found["apart"], &found["findings"][0]["found"]), (&json!(2), &json!("head-lost")));
}

#[test]
fn a_log_of_a_version_without_the_chain_is_no_tampering() {
    let live = Live::new();
    live.hook("s", "ls");
    std::fs::remove_file(live.0.path("state/audit.head")).unwrap();
    live.0.write(
        "state/audit.jsonl",
        b"{\"event\":\"clock\",\"now\":1}\n{\"event\":\"clock\",\"now\":2}\n",
    );
    let run = live.run("log verify");
    assert_eq!(run.code, 0, "{run:?}");
    live.hook("s", "pwd");
    let run = live.run("log verify");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("2 lines at the beginning are older than the chain"), "{run:?}");
    assert!(run.out.contains("the log is whole: 1 line, number 1 to 1"), "{run:?}");
}

/// What a line of a file of OTLP holds: the lines of the log.
fn bodies(otlp: &[u8]) -> Vec<Value> {
    let mut bodies = Vec::new();
    for line in std::str::from_utf8(otlp).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        for record in line["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap() {
            let body = record["body"]["stringValue"].as_str().unwrap();
            bodies.push(serde_json::from_str(body).unwrap());
        }
    }
    bodies
}

impl Live {
    fn send_to(&self, targets: &str) {
        self.0.write("config/behavior/audit.yaml", format!("forward:\n{targets}").as_bytes());
    }

    /// Forwards the log, and returns the numbers of all lines that a file of OTLP has then.
    fn forwarded(&self) -> Vec<u64> {
        let run = self.run("log forward");
        assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
        let lines = bodies(&self.0.read("sent.jsonl"));
        lines.iter().map(|line| line["chain"]["n"].as_u64().unwrap_or_default()).collect()
    }
}

#[test]
fn each_line_is_forwarded_once() {
    let live = Live::new();
    live.send_to(&format!(
        "  - to: otlp_file\n    path: {}\n",
        live.0.path("sent.jsonl").display()
    ));
    live.0.write("state/audit.jsonl", b"{\"event\":\"clock\",\"now\":1}\n");
    live.hook("s", "ls");
    live.hook("s", "rm -rf build");
    assert_eq!(live.forwarded(), [0, 1, 2]);
    assert_eq!(live.forwarded(), [0, 1, 2]);
    live.hook("s", "pwd");
    // Another file is begun meanwhile.
    let path = |name: &str| live.0.path(&format!("state/{name}"));
    std::fs::rename(path("audit.1.jsonl"), path("audit.2.jsonl")).unwrap();
    std::fs::rename(path("audit.jsonl"), path("audit.1.jsonl")).unwrap();
    live.hook("s", "ls");
    assert_eq!(live.forwarded(), [0, 1, 2, 3, 4]);
    // The log is begun afresh.
    for name in ["audit.head", "audit.jsonl", "audit.1.jsonl", "audit.2.jsonl"] {
        std::fs::remove_file(path(name)).unwrap();
    }
    live.hook("s", "ls");
    let run = live.run("log forward");
    assert!(
        run.code == 0 && run.err.contains("line number 4, the last one that was sent"),
        "{run:?}"
    );
    assert_eq!(live.forwarded(), [0, 1, 2, 3, 4, 1]);
}

#[test]
fn a_log_that_is_followed_is_sent_as_it_grows() {
    use std::io::{BufRead, BufReader};
    let live = Live::new();
    live.send_to("  - to: stdout\n");
    live.hook("s", "ls");
    let mut follow = live.command("log forward --follow").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follow.stdout.take().unwrap()).lines();
    for number in 1..4 {
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["chain"]["n"], number, "{line}");
        live.hook("s", "pwd");
    }
    let run = live.run("log forward");
    assert!(
        run.code == 2 && run.err.contains("another `behavior log forward` is at work"),
        "{run:?}"
    );
    follow.kill().unwrap();
    follow.wait().unwrap();
}

#[test]
fn syslog_gets_messages_and_a_target_that_fails_gets_its_lines_later() {
    let live = Live::new();
    let socket = live.0.path("syslog");
    live.send_to(&format!("  - to: syslog\n    path: {}\n  - to: stdout\n", socket.display()));
    live.hook("s", "rm -rf build");
    let run = live.run("log forward");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("does not take the log: there is no such file"), "{run:?}");
    assert_eq!(run.out, live.log(), "the others get theirs");
    let listening = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    let run = live.run("log forward");
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
    let mut bytes = [0; 8 << 10];
    let count = listening.recv(&mut bytes).unwrap();
    let message = std::str::from_utf8(&bytes[..count]).unwrap();
    assert!(message.starts_with("<108>1 20") && message.contains(" - behavior "), "{message}");
    assert!(message.ends_with(live.log().trim_end()), "{message}");
}

#[test]
fn only_the_users_and_the_administrators_word_counts() {
    let live = Live::new();
    live.hook("s", "ls");
    for name in ["audit.yaml", "behavior/audit.yaml", ".behavior/audit.yaml"] {
        live.0.write(name, b"forward:\n  - to: stdout\n");
    }
    let run = live.run("log forward");
    assert!(run.code == 2 && run.err.contains("nothing says where the log is sent"), "{run:?}");
    live.send_to("  - to: stdout\n");
    let settings = live.0.path("config/behavior/audit.yaml");
    let others = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(&settings, others).unwrap();
    let run = live.run("log forward");
    assert!(run.code == 2 && run.err.contains("only you, or root, can write"), "{run:?}");
}

#[test]
fn no_secret_of_an_older_log_is_sent() {
    let live = Live::new();
    live.send_to("  - to: stdout\n");
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let line = json!({ "event": "text", "text": format!("the token is {secret}"), "deep": [{ "a": secret }, { secret.clone(): 1 }] });
    live.0.write("state/audit.jsonl", format!("{line}\n").as_bytes());
    for run in [live.run("log forward --dry-run"), live.run("log forward")] {
        assert!(run.code == 0 && run.out.contains("the token is"), "{run:?}");
        assert!(!run.out.contains(&secret), "{run:?}");
    }
}

/// A server that answers one request after the other; returns where it is, and what it was asked.
fn server(answers: &'static [&'static str]) -> (String, std::thread::JoinHandle<Vec<String>>) {
    use std::io::{BufRead, BufReader, Read};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/in", listener.local_addr().unwrap());
    let serve = move |answer: &&str| {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut request = String::new();
        let mut length = 0;
        while !request.ends_with("\r\n\r\n") {
            let start = request.len();
            reader.read_line(&mut request).unwrap();
            let line = request[start..].to_lowercase();
            length =
                line.strip_prefix("content-length: ").map_or(length, |n| n.trim().parse().unwrap());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let rest = "content-length: 0\r\nconnection: close\r\n\r\n";
        stream.write_all(format!("HTTP/1.1 {answer}\r\n{rest}").as_bytes()).unwrap();
        request + std::str::from_utf8(&body).unwrap()
    };
    (url, std::thread::spawn(move || answers.iter().map(serve).collect()))
}

#[test]
fn a_server_gets_lines_until_it_takes_them() {
    let live = Live::new();
    let answers = &["500 No", "302 Found\r\nlocation: http://127.0.0.1:1/other", "204 Fine"];
    let (url, asked) = server(answers);
    live.send_to(&format!("  - to: http\n    url: {url}?key=hidden\n    token_env: TOKEN\n"));
    live.hook("s", "ls");
    live.hook("s", "pwd");
    let forward = || {
        let mut command = live.command("log forward");
        // What is for this machine does not leave it.
        command.env("TOKEN", "t0").env("ALL_PROXY", "http://127.0.0.1:1");
        Run::from(command.output().unwrap())
    };
    let run = live.run("log forward");
    assert!(run.code == 2 && run.err.contains("the variable `TOKEN` is not set"), "{run:?}");
    for status in ["500", "302"] {
        let run = forward();
        assert!(run.code == 2 && run.err.contains(&format!("it answers {status}")), "{run:?}");
        assert!(!run.err.contains("hidden"), "{run:?}");
    }
    for _ in 0..2 {
        let run = forward();
        assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
    }
    let asked = asked.join().unwrap();
    for request in &asked {
        assert!(request.starts_with("POST /in?key=hidden HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("authorization: Bearer t0\r\n"), "{request}");
        assert!(request.contains("content-type: application/x-ndjson\r\n"), "{request}");
        assert!(request.ends_with(&live.log()), "{request}");
    }
}
