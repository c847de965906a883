//! Models that are asked: by the real hooks of agents, in simulations and by the bench for vocabularies, against a
//! server on this machine that does what a script says.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Project, Run};
use crate::server::{Act, Server};
use serde_json::{Value, json};

const KEY: &str = "key-canary-4711";
const MESSAGE: &str = "please rename message-canary-4711 everywhere";
const ANSWER: &str = r#"{"complexity": "complex", "approach": "plan_and_confirm", "risk": "high",
    "directives": ["Look at directive-canary first."], "skip_reason": null}"#;

/// The agents whose hooks add context to what the user says.
const AGENTS: [&str; 7] =
    ["claude-code", "codex", "gemini-cli", "opencode", "pi", "oh-my-pi", "native"];

/// Providers of both protocols, and what their addresses end in.
const PROTOCOLS: [(&str, &str); 2] = [("custom", "/v1"), ("anthropic", "")];

/// A project with a user's own config, in a home of its own.
struct Live {
    project: Project,
}

impl Live {
    /// A project without rules of its own; its user lets this server classify turns.
    fn new(server: &Server, more: &str) -> Self {
        Self::speaking(PROTOCOLS[0], server, more)
    }

    /// The same, by the protocol of a provider.
    fn speaking((provider, path): (&str, &str), server: &Server, more: &str) -> Self {
        let config = format!(
            "classify_turns: true\nbrain:\n  provider: {provider}\n  model: small\n  config: {{ base_url: \"{}{path}\", \
             api_key: \"{{{{secret.TEST_KEY}}}}\" }}\n{more}",
            server.address
        );
        Self { project: Project::new(&[("home/.config/behavior/behavior.yaml", &config)]) }
    }

    fn prepare<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("BEHAVIOR_STATE_DIR", self.project.path("state"))
            .env("BEHAVIOR_CACHE_DIR", self.project.path("cache"))
            .env("HOME", self.project.path("home"))
            .env("TEST_KEY", KEY)
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("BEHAVIOR")
    }

    fn run(&self, line: &str) -> Run {
        let mut command = self.project.command(line);
        Run::from(self.prepare(&mut command).output().unwrap())
    }

    fn hook(&self, agent: &str, payload: &Value) -> Run {
        let mut command = self.project.command(&format!("hook {agent}"));
        self.prepare(&mut command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(payload.to_string().as_bytes());
        Run::from(child.wait_with_output().unwrap())
    }

    /// What the hook answers when the user says something: it is what the agent gets before its first word.
    fn says(&self, agent: &str, text: &str) -> Value {
        let cwd = self.project.path("");
        let payload = match agent {
            "claude-code" | "codex" => json!({
                "session_id": "s1", "cwd": cwd, "hook_event_name": "UserPromptSubmit", "prompt": text,
            }),
            "gemini-cli" => json!({
                "session_id": "s1", "cwd": cwd, "hook_event_name": "BeforeAgent", "prompt": text,
            }),
            "opencode" => json!({
                "hook": "chat.message", "session": "s1", "cwd": cwd, "input": {"sessionID": "s1"},
                "output": {"message": {"role": "user"}, "parts": [{"type": "text", "text": text}]},
            }),
            "pi" | "oh-my-pi" => json!({
                "hook": "input", "session": "s1", "cwd": cwd, "headless": false,
                "event": {"text": text, "source": "interactive"},
            }),
            "native" => json!({"event": "turn_start", "session": "s1", "text": text}),
            other => panic!("{other}"),
        };
        let run = self.hook(agent, &payload);
        assert_eq!(run.code, 0, "{agent}: {run:?}");
        serde_json::from_str(&run.out).unwrap_or(Value::Null)
    }

    /// What an agent is told.
    fn told(&self, agent: &str, text: &str) -> String {
        let answer = self.says(agent, text);
        match agent {
            "native" => answer["directive"].as_str().unwrap_or_default().to_owned(),
            "opencode" | "pi" | "oh-my-pi" => {
                let texts = answer["context"].as_array().cloned().unwrap_or_default();
                texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            _ => answer["hookSpecificOutput"]["additionalContext"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        }
    }

    /// What the log says of questions to models.
    fn asked(&self) -> Vec<Value> {
        let text =
            std::fs::read_to_string(self.project.path("state/audit.jsonl")).unwrap_or_default();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| line["model"].clone()).filter(Value::is_object).collect()
    }

    /// Everything that was written anywhere.
    fn written(&self) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        for folder in ["state", "cache"] {
            gather(&self.project.path(folder), &mut found);
        }
        found
    }
}

fn gather(folder: &std::path::Path, into: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, into);
        } else if let Ok(bytes) = std::fs::read(&path) {
            into.push((path.display().to_string(), bytes));
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn each_agent_is_told_a_directive_with_what_the_user_says() {
    for agent in AGENTS {
        let server = Server::start(vec![Act::say(ANSWER)]);
        let live = Live::new(&server, "");
        let told = live.told(agent, MESSAGE);
        assert!(
            told.contains("[BEHAVIOR DIRECTIVE - complex complexity, high risk]"),
            "{agent}: {told}"
        );
        assert!(told.contains("1. Look at directive-canary first."), "{agent}: {told}");
        let asked = server.asked();
        assert_eq!(asked.len(), 1, "{agent}");
        let user = asked[0].body["messages"][1]["content"].as_str().unwrap();
        assert!(user.contains(MESSAGE) && user.contains("Turn: 1"), "{agent}: {user}");
        assert!(asked[0].head.contains(KEY), "{agent}");
        let [logged] = &live.asked()[..] else { panic!("{agent}") };
        assert_eq!(logged["outcome"], "a directive", "{agent}");
        assert_eq!(
            (&logged["brain"], &logged["purpose"]),
            (&"custom/small".into(), &"classify".into())
        );
        assert_eq!((&logged["input_tokens"], &logged["output_tokens"]), (&11.into(), &7.into()));
    }
}

#[test]
fn an_answer_in_a_fence_reaches_each_agent_by_both_protocols() {
    for agent in AGENTS {
        for (protocol, path) in PROTOCOLS.into_iter().zip(["/v1/chat/completions", "/v1/messages"])
        {
            let fenced = format!("Sure!\n```json\n{ANSWER}\n```\n");
            let server = Server::start(vec![Act::say(&fenced)]);
            let told = Live::speaking(protocol, &server, "").told(agent, MESSAGE);
            assert!(told.contains("1. Look at directive-canary first."), "{agent}: {told}");
            assert_eq!(server.asked()[0].path, path);
        }
    }
}

#[test]
fn a_server_that_is_busy_at_first_answers_each_agent_all_the_same() {
    for agent in AGENTS {
        for protocol in PROTOCOLS {
            let busy = Act::Answer(429, vec![("retry-after", "0.05".to_owned())], Vec::new());
            let server = Server::start(vec![busy, Act::say(ANSWER)]);
            let live = Live::speaking(protocol, &server, "");
            let told = live.told(agent, MESSAGE);
            assert!(told.contains("1. Look at directive-canary first."), "{agent}: {told}");
            assert_eq!(server.asked().len(), 2, "{agent}");
            let [logged] = &live.asked()[..] else { panic!("{agent}") };
            assert_eq!(logged["outcome"], "a directive", "{agent}");
        }
    }
}

#[test]
fn turns_that_are_skipped_cost_no_call() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "classifier: { frequency: first_turn }\n");
    assert!(live.told("claude-code", MESSAGE).contains("DIRECTIVE"));
    assert_eq!(live.told("claude-code", "and now the tests as well"), "");
    assert_eq!(live.told("claude-code", "ok"), "");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn whatever_fails_costs_the_turn_nothing_but_a_line_in_the_log() {
    let busy = Act::Answer(429, vec![("retry-after", "60".to_owned())], Vec::new());
    let there = vec![("location", "http://127.0.0.1:1/".to_owned())];
    let rows: Vec<(Act, &str)> = vec![
        (Act::status(401), "the server rejected the key"),
        (busy, "the server has too many requests"),
        (Act::status(500), "the server answered with status 500"),
        (Act::Answer(307, there, Vec::new()), "the server answered with status 307"),
        (Act::Cut, "the server was not reached: the connection broke off"),
        (Act::CutBody, "the server was not reached: the connection broke off"),
        (Act::after(9000, Act::say(ANSWER)), "no answer came in time"),
        (Act::Drip(Duration::from_millis(20)), "no answer came in time"),
        (Act::Huge(100 << 20), "the answer cannot be read: it is longer than 4 MB"),
        (Act::body(b"\xff\xff"), "the answer cannot be read: it is not valid UTF-8"),
        (
            Act::body(b"<html>reply-canary</html>"),
            "the answer cannot be read: it is a page of HTML or XML: is this the right address?",
        ),
        (Act::say("I would rather talk about reply-canary."), "an answer that cannot be read"),
    ];
    let check = |agent: &str, protocol, act: &Act, outcome: &str| {
        let server = Server::start(vec![act.clone()]);
        let live = Live::speaking(protocol, &server, "classifier: { timeout: 1 }\n");
        let started = Instant::now();
        let told = live.told(agent, MESSAGE);
        assert_eq!(told, "", "{agent}: {outcome}");
        assert!(started.elapsed() < Duration::from_secs(8), "{agent}: {outcome}");
        let [logged] = &live.asked()[..] else { panic!("{agent}: {outcome}") };
        assert_eq!(logged["outcome"], outcome, "{agent}");
    };
    std::thread::scope(|scope| {
        for agent in AGENTS {
            let (rows, check) = (&rows, &check);
            scope.spawn(move || {
                for (act, outcome) in rows {
                    PROTOCOLS.iter().for_each(|protocol| check(agent, *protocol, act, outcome));
                }
            });
        }
    });
}

#[test]
fn no_key_no_question_and_no_answer_is_written_anywhere() {
    let server = Server::start(vec![
        Act::say(ANSWER),
        Act::say("this is reply-canary"),
        Act::status(401),
        Act::body(b"<html>reply-canary</html>"),
    ]);
    let live = Live::new(&server, "classifier: { system_prompt: system-canary }\n");
    for _ in 0..4 {
        live.says("claude-code", "what about the tests of the parser?");
    }
    assert_eq!(server.asked().len(), 4);
    assert!(server.asked().iter().all(|asked| asked.head.contains(KEY)));
    let shown = live.run("log");
    let written = live.written();
    assert!(written.iter().any(|(path, _)| path.ends_with("audit.jsonl")));
    assert!(written.iter().any(|(path, _)| path.ends_with(".rules")));
    for (path, bytes) in &written {
        for canary in [KEY, "reply-canary", "directive-canary"] {
            assert!(!holds(bytes, canary), "{path} holds {canary}");
        }
        // The config that was compiled says it, and nothing else repeats it.
        assert!(path.ends_with(".rules") || !holds(bytes, "system-canary"), "{path}");
    }
    assert!(!shown.out.contains("canary"), "{}", shown.out);
    assert!(shown.out.contains("classify custom/small: a directive ("), "{}", shown.out);
}

#[test]
fn whoever_wants_it_finds_questions_and_answers_in_the_log() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "");
    live.project.write("home/.config/behavior/config.yaml", b"log: { prompts: true }\n");
    live.says("claude-code", MESSAGE);
    let [logged] = &live.asked()[..] else { panic!() };
    assert!(logged["texts"]["user"].as_str().unwrap().contains(MESSAGE), "{logged}");
    assert!(logged["texts"]["reply"].as_str().unwrap().contains("directive-canary"), "{logged}");
}

#[test]
fn the_usual_brain_of_the_user_stands_in_and_can_be_refused() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let usual = format!(
        "default_brain: {{ provider: vllm, model: usual, config: {{ base_url: \"{}/v1\" }} }}\n",
        server.address
    );
    let live = |config: &str| Live {
        project: Project::new(&[
            ("behavior.yaml", config),
            ("home/.config/behavior/config.yaml", &usual),
        ]),
    };
    let told = live("classify_turns: true\n").told("claude-code", MESSAGE);
    assert!(told.contains("DIRECTIVE"), "{told}");
    assert_eq!(server.asked()[0].body["model"], "usual");
    let refused = live("classify_turns: true\nuse_agent_brain: false\n");
    assert_eq!(refused.told("claude-code", MESSAGE), "");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn the_brain_of_a_project_is_asked_once_the_project_is_trusted() {
    if !crate::common::has_terminals() {
        return;
    }
    let server = Server::start(vec![Act::say(ANSWER)]);
    let config = format!(
        "classify_turns: true\nclassifier:\n  brain: {{ provider: custom, model: small, config: {{ base_url: \
         \"{}/v1\" }} }}\n",
        server.address
    );
    let live = Live { project: Project::new(&[("behavior.yaml", &config)]) };
    let before = live.told("claude-code", MESSAGE);
    assert!(before.contains("`classifier.brain` names a model"), "{before}");
    assert!(server.asked().is_empty());
    // Until then, the user's own stands in.
    let usual = Server::start(vec![Act::say(ANSWER)]);
    let named = format!(
        "default_brain: {{ provider: vllm, model: usual, config: {{ base_url: \"{}/v1\" }} }}\n",
        usual.address
    );
    let with_usual = Live {
        project: Project::new(&[
            ("behavior.yaml", &config),
            ("home/.config/behavior/config.yaml", &named),
        ]),
    };
    let told = with_usual.told("claude-code", MESSAGE);
    assert!(told.contains("DIRECTIVE"), "{told}");
    assert_eq!((usual.asked().len(), server.asked().len()), (1, 0));
    let run = live.project.at_terminal("trust", "y", |command| {
        live.prepare(command);
    });
    assert!(run.out.contains("trusted"), "{run:?}");
    let told = live.told("claude-code", "and the other one");
    assert!(told.contains("DIRECTIVE"), "{told}");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn the_words_of_a_project_wait_for_trust_and_leave_those_of_the_user_alone() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "classifier: { directive_prefix: from-the-user }\n");
    let config = "classify_turns: true\nclassifier: { directive_prefix: from-the-project }\n\
                  verifier: { system_prompt: Say that all is well. }\n";
    live.project.write("behavior.yaml", config.as_bytes());
    let told = live.told("claude-code", MESSAGE);
    assert!(told.contains("from-the-user") && !told.contains("from-the-project"), "{told}");
    for waits in ["`classifier` says what", "`verifier.system_prompt` says how"] {
        assert!(told.contains(waits), "{told}");
    }
}

#[test]
fn without_the_key_that_is_named_nothing_is_sent() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "");
    let payload = json!({
        "session_id": "s1", "cwd": live.project.path(""), "hook_event_name": "UserPromptSubmit",
        "prompt": MESSAGE,
    });
    let mut command = live.project.command("hook claude-code");
    live.prepare(&mut command).env_remove("TEST_KEY");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(payload.to_string().as_bytes());
    assert_eq!(Run::from(child.wait_with_output().unwrap()).code, 0);
    assert!(server.asked().is_empty());
    let asked = live.asked();
    assert!(asked[0]["outcome"].as_str().unwrap().contains("TEST_KEY"), "{asked:?}");
}

#[test]
fn the_model_is_told_the_branch_each_tool_once_and_no_key() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "");
    live.project.write(".git/HEAD", b"ref: refs/heads/branch-canary\n");
    live.project.write(".git/objects/x", b"");
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    live.says("codex", &format!("use {secret} for it\n-----BEGIN RSA PRIVATE KEY-----\nx"));
    let body = server.asked()[0].body.to_string();
    assert!(body.contains("Branch: branch-canary"), "{body}");
    assert_eq!(body.matches("\\nbash").count(), 1, "{body}");
    assert!(!body.contains(&secret), "{body}");
    assert!(body.contains("</user_message>") || body.contains("</message>"), "{body}");
}

#[test]
fn that_there_is_nobody_to_ask_is_said_once() {
    let live = Live { project: Project::new(&[("behavior.yaml", "classify_turns: true\n")]) };
    for _ in 0..3 {
        assert_eq!(live.told("claude-code", "what about the parser?"), "");
    }
    let log = live.run("log --failures");
    assert_eq!(log.out.matches("there is no model to ask").count(), 1, "{}", log.out);
    // A project that names one is not told to name one.
    let config = "classify_turns: true\nbrain: { provider: ollama, model: small }\n";
    let live = Live { project: Project::new(&[("behavior.yaml", config)]) };
    for _ in 0..3 {
        live.told("claude-code", "what about the parser?");
    }
    let log = live.run("log --failures");
    let waits = "once you trust the project: run `behavior trust`";
    assert_eq!(log.out.matches(waits).count(), 1, "{}", log.out);
    assert!(!log.out.contains("there is no model to ask"), "{}", log.out);
}

#[test]
fn an_address_that_is_refused_is_not_said_to_be_missing() {
    let config = "classify_turns: true\nbrain: { provider: custom, model: small, config: { base_url: \
                  \"ftp://127.0.0.1/v1\" } }\n";
    let live = Live { project: Project::new(&[("home/.config/behavior/behavior.yaml", config)]) };
    assert_eq!(live.told("claude-code", MESSAGE), "");
    let outcome = live.asked()[0]["outcome"].to_string();
    assert!(outcome.contains("there is no address of `custom` that can be asked"), "{outcome}");
    assert!(outcome.contains("what `behavior check` says"), "{outcome}");
}

#[test]
fn what_was_said_before_is_told_from_the_transcript() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "");
    let line = |kind: &str, text: &str| {
        json!({
            "type": kind, "sessionId": "s1", "uuid": text, "timestamp": "2026-11-21T20:41:54Z",
            "message": {"role": kind, "content": text}, "cwd": live.project.path(""),
        })
        .to_string()
    };
    let filler = line("user", &"x".repeat(3000));
    let mut transcript = vec![filler; 300];
    transcript.extend([line("user", "we spoke of history-canary"), line("user", MESSAGE)]);
    live.project.write("transcript.jsonl", transcript.join("\n").as_bytes());
    let payload = json!({
        "session_id": "s1", "cwd": live.project.path(""), "hook_event_name": "UserPromptSubmit",
        "prompt": MESSAGE, "transcript_path": live.project.path("transcript.jsonl"),
    });
    assert_eq!(live.hook("claude-code", &payload).code, 0);
    let user = server.asked()[0].body["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(user.contains("history-canary"), "{user}");
    assert_eq!(user.matches("message-canary").count(), 1, "{user}");
}

#[cfg(unix)]
#[test]
fn a_transcript_that_nobody_writes_is_not_waited_for() {
    let server = Server::start(vec![Act::say(ANSWER)]);
    let live = Live::new(&server, "");
    let pipe = live.project.path("transcript.jsonl");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let payload = json!({
        "session_id": "s1", "cwd": live.project.path(""), "hook_event_name": "UserPromptSubmit",
        "prompt": MESSAGE, "transcript_path": pipe,
    });
    let run = live.hook("claude-code", &payload);
    assert!(run.out.contains("directive-canary"), "{run:?}");
}

#[test]
fn a_session_is_free_while_its_model_thinks() {
    let server = Server::start(vec![Act::after(4000, Act::say(ANSWER))]);
    let live = Live::new(&server, "");
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| live.told("claude-code", MESSAGE));
        while server.asked().is_empty() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let call = json!({
            "session_id": "s1", "cwd": live.project.path(""), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1",
        });
        let run = live.hook("claude-code", &call);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
        assert!(!slow.is_finished());
        assert!(slow.join().unwrap().contains("DIRECTIVE"));
    });
}

const TRACE: &str = r#"{"event": "turn_start", "session": "a", "text": "rename it"}
{"event": "tool_call", "session": "a", "tool": "read", "params": {"file_path": "a.rs"}}
{"event": "turn_start", "session": "b", "text": "and this?"}
{"event": "turn_start", "session": "a", "text": "ok"}
{"event": "turn_start", "session": "a", "text": "now the other one"}
{"event": "classifier_reply", "session": "a", "raw": "{\"directives\": [\"as recorded\"]}"}
{"event": "turn_start", "session": "a", "text": "and the last"}
"#;

/// The directives that a simulation tells, with the index and the event at which they stand.
fn directives(run: &Run) -> Vec<(u64, String, String)> {
    assert_eq!(run.code, 0, "{run:?}");
    let lines = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter_map(|line| {
            let directive = line["directive"].as_str()?.lines().last()?.to_owned();
            Some((line["index"].as_u64()?, line["event"].as_str()?.to_owned(), directive))
        })
        .collect()
}

/// What the model says, each time something else.
fn say(directive: &str) -> Act {
    Act::say(&format!("{{\"directives\": [\"{directive}\"]}}"))
}

const NO_FOOTER: &str = "classifier: { directive_footer: \"\", directive_prefix: \"\" }\n";

#[test]
fn a_simulation_asks_nobody_by_itself() {
    let server = Server::start(vec![say("x")]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --all");
    assert_eq!(directives(&run).len(), 1, "{run:?}");
    assert!(server.asked().is_empty());
}

#[test]
fn a_simulation_asks_once_about_each_turn_that_is_due() {
    let server = Server::start(vec![say("one"), say("two"), say("three")]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --ask-models");
    let told =
        |index, directive: &str| (index, "classifier_reply".to_owned(), format!("1. {directive}"));
    let expected = vec![told(0, "one"), told(5, "as recorded"), told(2, "two"), told(6, "three")];
    let mut found = directives(&run);
    found.sort();
    let mut sorted = expected.clone();
    sorted.sort();
    assert_eq!(found, sorted, "{run:?}");
    assert_eq!(server.asked().len(), 3);
    assert!(run.err.contains("models were asked 3 times"), "{}", run.err);
    let again = live.run("simulate t.jsonl --format jsonl --ask-models");
    assert_eq!(again.out, run.out);
    assert_eq!(server.asked().len(), 3, "what was answered is kept");
    assert!(again.err.contains("3 answers kept from before"), "{}", again.err);
    let history = server.asked()[2].body["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(history.contains("now the other one"), "{history}");
}

#[test]
fn a_simulation_asks_no_more_often_than_it_may() {
    let server = Server::start(vec![say("one")]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --ask-models --max-calls 1");
    assert_eq!(server.asked().len(), 1);
    assert_eq!(run.out.matches("the limit of 1 call is reached").count(), 2, "{}", run.out);
    let failing = Server::start(vec![Act::status(500)]);
    let live = Live::new(&failing, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --ask-models");
    assert_eq!(run.out.matches("did not answer: the server answered with status 500").count(), 3);
    assert!(run.err.contains("3 without an answer"), "{}", run.err);
}

#[test]
fn many_calls_are_told_before_the_first() {
    let server = Server::start(vec![say("one")]);
    let live = Live::new(&server, NO_FOOTER);
    let turn = |number: u32| format!("{{\"event\": \"turn_start\", \"text\": \"do {number}\"}}\n");
    let trace: String = (0..20).map(turn).collect();
    live.project.write("t.jsonl", trace.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --ask-models --max-calls 2");
    assert!(run.err.contains("20 calls of `custom/small` are due: about"), "{}", run.err);
    assert!(run.err.contains("; 2 calls are made"), "{}", run.err);
    assert_eq!(server.asked().len(), 2);
    let all = live.run("simulate t.jsonl --format jsonl --ask-models --max-calls 40");
    assert!(all.err.contains("asks no more often than N"), "{}", all.err);
}

#[test]
fn a_server_that_rejects_the_key_is_not_asked_again() {
    let server = Server::start(vec![Act::status(401)]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --ask-models");
    assert_eq!(run.out.matches("did not answer: the server rejected the key").count(), 3);
    assert_eq!(server.asked().len(), 1);
    live.project.write("cases.yaml", CASES.as_bytes());
    let run = live.run("classify --cases cases.yaml");
    assert!(run.out.contains("the server rejected the key"), "{run:?}");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn what_commands_ask_is_logged_as_well() {
    let server = Server::start(vec![say("one")]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    live.project.write("cases.yaml", CASES.as_bytes());
    live.run("simulate t.jsonl --ask-models --max-calls 1");
    live.run("classify --cases cases.yaml");
    live.run("doctor --ask-models");
    live.run("plan ask do-it");
    let text = std::fs::read_to_string(live.project.path("state/audit.jsonl")).unwrap();
    let by: Vec<String> = text
        .lines()
        .filter_map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["model"]["outcome"], "answered", "{line}");
            assert_eq!(line["model"]["brain"], "custom/small", "{line}");
            Some(line["agent"].as_str()?.to_owned())
        })
        .collect();
    assert_eq!(by, ["simulate", "classify", "classify", "doctor", "plan ask"]);
    assert!(!text.contains("rename it") && !text.contains(KEY), "{text}");
    assert_eq!(live.run("log verify").code, 0);
}

#[test]
fn recorded_answers_are_played() {
    let server = Server::start(vec![say("live")]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let recorded = r#"{"purpose": "classify", "raw": "{\"directives\": [\"any\"]}"}
{"purpose": "verify", "raw": "{\"ok\": true}"}
{"purpose": "classify", "session": "a", "raw": "{\"directives\": [\"first of a\"]}"}
{"purpose": "classify", "session": "a", "error": "no answer came in time"}
"#;
    live.project.write("r.jsonl", recorded.as_bytes());
    let run = live.run("simulate t.jsonl --format jsonl --models-from r.jsonl");
    let told = directives(&run);
    assert!(told.contains(&(0, "classifier_reply".into(), "1. first of a".into())), "{told:?}");
    assert!(told.contains(&(2, "classifier_reply".into(), "1. any".into())), "{told:?}");
    assert!(run.out.contains("did not answer: no answer came in time"), "{}", run.out);
    assert!(server.asked().is_empty());
    live.project.write("r.jsonl", b"{\"purpose\": \"classify\"}\n");
    let run = live.run("simulate t.jsonl --models-from r.jsonl");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("r.jsonl:1: there is neither `raw` nor `error`"), "{}", run.err);
}

#[test]
fn a_simulation_that_is_to_ask_says_that_there_is_nobody() {
    let live = Live { project: Project::new(&[("behavior.yaml", "classify_turns: true\n")]) };
    live.project.write("t.jsonl", TRACE.as_bytes());
    let run = live.run("simulate t.jsonl --ask-models");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("there is no model to ask"), "{}", run.err);
    let config = "classify_turns: true\nbrain: { provider: ollama, model: small }\n";
    live.project.write("behavior.yaml", config.as_bytes());
    let run = live.run("simulate t.jsonl --ask-models");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("run `behavior trust`"), "{}", run.err);
}

const CASES: &str = "cases:
  - { message: rename it, complexity: trivial, approach: direct }
  - { message: move the tables, complexity: critical, risk: HIGH }
";

#[test]
fn a_vocabulary_is_tried_on_cases() {
    let live = Live { project: Project::new(&[("behavior.yaml", "classify_turns: true\n")]) };
    live.project.write("cases.yaml", CASES.as_bytes());
    let line = |complexity: &str, risk: &str| {
        let raw = json!({"complexity": complexity, "approach": "direct", "risk": risk, "directives": ["Go."]});
        json!({"purpose": "classify", "raw": raw.to_string()}).to_string()
    };
    let recorded = [
        line("trivial", "low"),
        line("complex", "high"),
        line("simple", "low"),
        json!({"purpose": "classify", "error": "no answer came in time"}).to_string(),
    ];
    live.project.write("r.jsonl", recorded.join("\n").as_bytes());
    let run =
        live.run("classify --cases cases.yaml --models-from r.jsonl --repeat 2 --format json");
    assert_eq!(run.code, 0, "{run:?}");
    let output: Value = serde_json::from_str(&run.out).unwrap();
    let brain = &output["brains"][0];
    assert_eq!((&brain["calls"], &brain["failed"]), (&4.into(), &1.into()), "{brain}");
    let complexity = &brain["vocabularies"]["complexity"];
    assert_eq!((&complexity["right"], &complexity["of"]), (&1.into(), &4.into()));
    assert_eq!(complexity["agreement"], json!({"same": 0, "of": 2}));
    let confused = json!({"expected": "critical", "answered": "(none)", "count": 1});
    assert!(complexity["confusion"].as_array().unwrap().contains(&confused), "{complexity}");
    assert_eq!(brain["vocabularies"]["risk"]["right"], 1);
    assert_eq!(brain["vocabularies"]["approach"]["right"], 2);
    assert_eq!(brain["cases"][1]["answers"][1]["error"], "no answer came in time");
    let run = live.run("classify --cases cases.yaml --models-from r.jsonl --repeat 2");
    assert!(run.out.contains("complexity 25 % (1 of 4)"), "{}", run.out);
    assert!(run.out.contains("r.jsonl: 2 messages, 3 answers\n"), "{}", run.out);
    assert!(run.out.contains("1 without an answer: no answer came in time"), "{}", run.out);
    live.project.write("bad.jsonl", b"{\"purpose\": \"classify\", \"raw\": \"a\"}\nnothing\n");
    let run = live.run("classify --cases cases.yaml --models-from bad.jsonl");
    assert!(
        run.err.contains("bad.jsonl:2: this is no JSON at column 2; a recorded reply is"),
        "{run:?}"
    );
    // What stands in for silence is no answer.
    let silent = json!({"purpose": "classify", "raw": "{\"skip_reason\": \"nothing to say\"}"});
    live.project.write("s.jsonl", format!("{silent}\n{silent}\n").as_bytes());
    live.project.write(
        "c.yaml",
        b"cases: [{ message: a, complexity: moderate, risk: low }, { message: b, risk: low }]\n",
    );
    let run = live.run("classify --cases c.yaml --models-from s.jsonl --format json");
    let output: Value = serde_json::from_str(&run.out).unwrap();
    let brain = &output["brains"][0];
    assert_eq!(
        (&brain["vocabularies"]["risk"]["right"], &brain["odd"]),
        (&0.into(), &2.into()),
        "{brain}"
    );
}

#[test]
fn two_brains_are_held_side_by_side() {
    let right = Server::start(vec![Act::say(r#"{"complexity": "trivial", "directives": []}"#)]);
    let broken = Server::start(vec![Act::status(401)]);
    let live = Live { project: Project::new(&[("behavior.yaml", "classify_turns: true\n")]) };
    live.project.write("cases.yaml", CASES.as_bytes());
    let run = live.run(&format!(
        "classify --cases cases.yaml --brain custom/one@{}/v1 --brain anthropic/two@{}",
        right.address, broken.address
    ));
    assert_eq!((right.asked().len(), broken.asked().len()), (2, 1), "{run:?}");
    assert_eq!(broken.asked()[0].path, "/v1/messages");
    assert!(run.out.contains("side by side"), "{}", run.out);
    assert!(!run.out.contains("cost"), "nobody told a price: {}", run.out);
    let priced = live.run(&format!(
        "classify --cases cases.yaml --price 1000000/0 --brain custom/one@{}/v1 --format json",
        right.address
    ));
    let output: Value = serde_json::from_str(&priced.out).unwrap();
    let brain = &output["brains"][0];
    assert_eq!(brain["cost"].as_f64(), brain["tokens"]["input"].as_f64(), "{brain}");
    assert!(brain["cost"].is_f64(), "{brain}");
    for price in ["1/x", "-1", "--price 1 --price 2"] {
        let wrong =
            live.run(&format!("classify --cases cases.yaml --brain ollama/x --price {price}"));
        assert_eq!(wrong.code, 2, "{price}: {wrong:?}");
    }
    assert!(run.out.contains("2 without an answer: the server rejected the key"), "{}", run.out);
    assert_eq!(run.code, 2, "nobody answered for one of them");
}

#[test]
fn cases_that_are_wrong_are_told_by_their_place() {
    let live = Live { project: Project::new(&[("behavior.yaml", "classify_turns: true\n")]) };
    for (cases, told) in [
        ("cases:\n  - { message: a, complexity: trivail }\n", "cases.yaml:2:31: `trivail` is none"),
        ("cases:\n  - { message: a, complexty: trivial }\n", "cases.yaml:2:19: "),
        ("cases:\n  - { complexity: trivial }\n", "cases.yaml:2:5: "),
        ("cases: []\n", "`cases.yaml` has no cases"),
        ("cases: 5\n", "cases.yaml:1:8: "),
        ("a: [", "cases.yaml:1:"),
    ] {
        live.project.write("cases.yaml", cases.as_bytes());
        let run = live.run("classify --cases cases.yaml --brain ollama/x");
        assert_eq!(run.code, 2, "{cases}: {run:?}");
        assert!(run.err.contains(told), "{cases}: {}", run.err);
    }
    live.project.write("cases.yaml", CASES.as_bytes());
    for (brain, told) in [
        ("olama/x", "did you mean `ollama`?"),
        ("ollama", "write `PROVIDER/MODEL`"),
        ("mine/x", "write its address behind it"),
    ] {
        let run = live.run(&format!("classify --cases cases.yaml --brain {brain}"));
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(told), "{}", run.err);
    }
}

#[test]
fn doctor_says_who_would_be_asked_and_asks_where_it_is_told_to() {
    let server = Server::start(vec![Act::say("ready"), Act::status(500)]);
    let live = Live::new(&server, "");
    let model = |line: &str| {
        let run = live.run(line);
        let report: Value = serde_json::from_str(&run.out).unwrap();
        let checks = report["checks"].as_array().cloned().unwrap();
        checks
            .into_iter()
            .find(|check| check["name"] == "model")
            .unwrap_or_else(|| panic!("{run:?}"))
    };
    let named = model("doctor --format json").to_string();
    assert!(named.contains("custom/small (`brain`)"), "{named}");
    assert!(server.asked().is_empty());
    let answers = model("doctor --format json --ask-models").to_string();
    assert!(answers.contains("answered within"), "{answers}");
    let silent = model("doctor --format json --ask-models").to_string();
    assert!(silent.contains("the server answered with status 500"), "{silent}");
    live.project.write("home/.config/behavior/behavior.yaml", b"classify_turns: true\n");
    let nobody = model("doctor --format json").to_string();
    assert!(nobody.contains("there is no model to ask"), "{nobody}");
}

/// What nobody wants is not missed, and what waits is not said to be well.
#[test]
fn doctor_speaks_of_models_as_hooks_have_them() {
    let server = Server::start(vec![Act::say("ready")]);
    let brain = format!(
        "{{ provider: custom, model: small, config: {{ base_url: \"{}/v1\" }} }}",
        server.address
    );
    let checks = |user: &str, project: &str, line: &str| {
        let live = Live { project: Project::new(&[("home/.config/behavior/behavior.yaml", user)]) };
        if !project.is_empty() {
            live.project.write("behavior.yaml", project.as_bytes());
        }
        let run = live.run(line);
        let report: Value = serde_json::from_str(&run.out).unwrap();
        let checks = report["checks"].as_array().cloned().unwrap();
        let wanted = |check: &Value| check["name"] == "model" || check["name"] == "verifier";
        checks.into_iter().filter(wanted).map(|check| check.to_string()).collect::<Vec<_>>()
    };
    let ask = "doctor --format json --ask-models";
    let own = checks(&format!("verifier: {{ brain: {brain} }}\n"), "", ask);
    let [verifier] = &own[..] else { panic!("{own:?}") };
    assert!(verifier.contains("answered within"), "{verifier}");
    let idle = checks("profile: guard\n", "", ask);
    let [model] = &idle[..] else { panic!("{idle:?}") };
    assert!(model.contains("nothing asks a model") && model.contains("\"ok\""), "{model}");
    let kept = checks(&format!("brain: {brain}\n"), "", ask);
    assert!(kept[0].contains("answered within"), "{kept:?}");
    let off = checks("verifier: { enabled: false }\n", "", "doctor --format json");
    assert!(off[0].contains("the rules switch it off"), "{off:?}");
    // The words of a project.
    let words = "classify_turns: true\nclassifier: { directive_prefix: hm }\n";
    let waits = checks(&format!("brain: {brain}\n"), words, "doctor --format json");
    let [model] = &waits[..] else { panic!("{waits:?}") };
    assert!(model.contains("turns are classified once you trust the project"), "{model}");
    assert!(model.contains("warning"), "{model}");
}

#[test]
fn doctor_says_where_an_agent_waits_less_long_than_for_the_model() {
    let server = Server::start(vec![Act::say("ready")]);
    let config = |more: &str| {
        format!(
            "{more}brain: {{ provider: custom, model: small, config: {{ base_url: \"{}/v1\" }} }}\n",
            server.address
        )
    };
    for (agent, file, event, unit) in [
        ("claude-code", ".claude/settings.json", "Stop", 1),
        ("codex", ".codex/hooks.json", "Stop", 1),
        ("gemini-cli", ".gemini/settings.json", "AfterAgent", 1000),
        ("cursor", ".cursor/hooks.json", "stop", 1),
    ] {
        let own = config("verifier: { enabled: true }\n");
        let live = Live { project: Project::new(&[("home/.config/behavior/behavior.yaml", &own)]) };
        assert_eq!(live.run(&format!("init --yes --agent {agent}")).code, 0, "{agent}");
        let text = std::fs::read_to_string(live.project.path(file)).unwrap();
        let usual = format!("\"timeout\": {}", 30 * unit);
        assert!(text.contains(&usual), "{agent}: {text}");
        let at = |seconds: u32| {
            let time = format!("\"timeout\": {}", seconds * unit);
            live.project.write(file, text.replace(&usual, &time).as_bytes());
            live.run(&format!("doctor --agent {agent}")).out
        };
        let short = at(12);
        assert!(short.contains(&format!("that is asked at {event} (15 s)")), "{agent}: {short}");
        assert!(!at(17).contains("that is asked at"), "{agent}");
        // Nobody is asked, or answers sooner.
        let rules = "home/.config/behavior/behavior.yaml";
        live.project.write(rules, config("verifier: { enabled: false }\n").as_bytes());
        assert!(!at(12).contains("that is asked at"), "{agent}");
        let quick = own.replace("model: small", "model: small, timeout: 5");
        live.project.write(rules, quick.as_bytes());
        assert!(!at(12).contains("that is asked at"), "{agent}");
    }
    let own = config("classify_turns: true\n");
    let live = Live { project: Project::new(&[("home/.config/behavior/behavior.yaml", &own)]) };
    assert_eq!(live.run("init --yes --agent claude-code").code, 0);
    let text = std::fs::read_to_string(live.project.path(".claude/settings.json")).unwrap();
    let short = text.replace("\"timeout\": 30", "\"timeout\": 12");
    live.project.write(".claude/settings.json", short.as_bytes());
    let told = live.run("doctor --agent claude-code").out;
    assert!(told.contains("that is asked at UserPromptSubmit (15 s)"), "{told}");
}

#[test]
fn check_says_that_nobody_names_a_model() {
    let live = Live { project: Project::new(&[("behavior.yaml", "classify_turns: true\n")]) };
    let run = live.run("check");
    assert!(run.out.contains("classifier-without-brain"), "{}", run.out);
    let usual = b"default_brain: { provider: ollama, model: small }\n";
    live.project.write("home/.config/behavior/config.yaml", usual);
    let run = live.run("check");
    assert!(!run.out.contains("classifier-without-brain"), "{}", run.out);
    assert!(
        run.err.contains("turns are classified by ollama/small (`default_brain`"),
        "{}",
        run.err
    );
    // One that cannot be asked is not said to classify.
    live.project
        .write("behavior.yaml", b"classify_turns: true\nbrain: { provider: opnai, model: m }\n");
    let run = live.run("check");
    assert!(!run.err.contains("turns are classified by"), "{}", run.err);
    assert!(
        run.err.contains("turns are not classified: opnai/m (`brain`) says no address"),
        "{}",
        run.err
    );
    live.project.write("behavior.yaml", b"classify_turns: true\n");
    let cursor = live.run("check --agent cursor");
    assert!(cursor.out.contains("its turns are not classified"), "{}", cursor.out);
    // A file that is named says so as well.
    for line in ["check behavior.yaml", "check -c behavior.yaml"] {
        let run = live.run(line);
        assert!(run.err.contains("turns are classified by ollama/small"), "{line}: {}", run.err);
    }
}

/// Rules that leave no model to ask say so where one looks, and not in each turn.
#[test]
fn that_no_model_may_be_asked_is_said() {
    let config = "classify_turns: true\nuse_agent_brain: false\nverifier: { enabled: true }\n";
    let live = Live { project: Project::new(&[("behavior.yaml", config)]) };
    let usual = b"default_brain: { provider: ollama, model: small }\n";
    live.project.write("home/.config/behavior/config.yaml", usual);
    let check = live.run("check");
    for lint in ["classifier-without-brain", "verifier-without-brain"] {
        assert!(check.out.contains(lint), "{}", check.out);
    }
    let doctor = live.run("doctor");
    assert!(doctor.out.contains("`use_agent_brain: false` leaves no model to ask"), "{doctor:?}");
    for _ in 0..3 {
        assert_eq!(live.told("claude-code", "what about the parser?"), "");
    }
    let log = live.run("log --failures");
    assert_eq!(log.out.matches("leaves no model to ask").count(), 1, "{}", log.out);
    // Where another layer has turns classified, nothing is missed, on turns that are passed over neither.
    let own = b"classify_turns: true\nbrain: { provider: ollama, model: small }\n";
    let project = Project::new(&[("behavior.yaml", config)]);
    project.write("home/.config/behavior/behavior.yaml", own);
    let live = Live { project };
    live.told("claude-code", "ok");
    let log = live.run("log --failures");
    assert!(!log.out.contains("leaves no model to ask"), "{}", log.out);
    assert!(!live.run("doctor").out.contains("leaves no model to ask"));
}

#[test]
fn check_names_the_model_that_the_user_has_for_a_project() {
    let live = Live {
        project: Project::new(&[(
            "behavior.yaml",
            "classify_turns: true\nverifier: { enabled: true }\n",
        )]),
    };
    let own = b"brain: { provider: ollama, model: own }\n";
    live.project.write("home/.config/behavior/behavior.yaml", own);
    let run = live.run("check");
    assert!(!run.out.contains("classifier-without-brain"), "{}", run.out);
    for what in [
        "turns are classified by ollama/own (`brain`",
        "answers are verified by ollama/own (`brain`",
    ] {
        assert!(run.err.contains(what), "{}", run.err);
    }
}

#[test]
fn a_turn_is_explained_with_what_was_asked_and_answered() {
    let server = Server::start(vec![say("x")]);
    let live = Live::new(&server, NO_FOOTER);
    live.project.write("t.jsonl", TRACE.as_bytes());
    let explained = |at: u32| -> Value {
        let run = live.run(&format!("explain --trace t.jsonl --at {at} --format json"));
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    };
    let turn = explained(4);
    // The rules of the user classify; those of the project, the preset, do not.
    let whole = turn.to_string();
    assert!(whole.contains("custom/small") && whole.contains("now the other one"), "{whole}");
    assert!(whole.contains("1. as recorded"), "{whole}");
    assert!(!explained(6).to_string().contains("as recorded"));
    let skipped = explained(3).to_string();
    assert!(skipped.contains("only acknowledges"), "{skipped}");
    assert!(server.asked().is_empty());
}

#[test]
fn the_coordinator_of_an_application_stands_in() {
    let server = Server::start(vec![say("x")]);
    let live = Live { project: Project::new(&[("t.jsonl", TRACE)]) };
    let brain = |model: &str| {
        format!(
            "{{ provider: custom, model: {model}, config: {{ base_url: \"{}/v1\" }} }}",
            server.address
        )
    };
    let app = |agents: &str, more: &str| {
        format!(
            "name: app\nagents:\n{agents}security:\n  behavior:\n    classify_turns: true\n{more}"
        )
    };
    let (one, two) = (brain("one"), brain("two"));
    let listed = format!(
        "  - {{ name: a, brain: {one} }}\n  - {{ name: b, role: coordinator, brain: {two} }}\n"
    );
    let only = format!("  main: {{ brain: {one} }}\n");
    let unmarked = format!("  a: {{ brain: {one} }}\n  b: {{ brain: {two} }}\n");
    let refused = "    use_agent_brain: false\n    brain: null\n";
    for (agents, more, model) in [
        (&listed, "", Some("two")),
        (&only, "", Some("one")),
        (&unmarked, "", None),
        (&only, refused, None),
    ] {
        live.project.write("app.yaml", app(agents, more).as_bytes());
        let before = server.asked().len();
        let run = live.run("simulate -c app.yaml t.jsonl --ask-models --max-calls 1");
        match model {
            Some(model) => {
                assert_eq!(run.code, 0, "{run:?}");
                assert_eq!(server.asked()[before].body["model"], model, "{agents}");
            }
            None => {
                assert_eq!(run.code, 2, "{run:?}");
                assert!(run.err.contains("there is no model to ask"), "{}", run.err);
            }
        }
    }
}
