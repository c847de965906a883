//! The debug adapter, spoken to as editors do: scripted sessions of the protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::common::Project;
use serde_json::{Value, json};

const CONFIG: &str = "\
state_tracking:
  sets:
    seen: { add_on: [read] }
  counters:
    reads: { increment_on: [read] }
rule_definitions:
  - id: no_push
    trigger: bash
    action: block
    condition: 'runs \"git push\"'
    message: No pushes.
  - id: read_first
    trigger: edit
    action: warn
    condition:
      all:
        - target_not_in_set: seen
    message: Read it first.
";

/// Two sessions; `fs` stands for events on which no rule is looked at.
const TRACE: &str = r#"{"event":"session_start","cwd":"/p"}
{"event":"turn_start","text":"Go on."}
{"event":"tool_call","id":"1","tool":"read","params":{"file_path":"/p/a.rs"}}
{"event":"tool_result","id":"1","ok":true}
{"event":"tool_call","session":"other","id":"1","tool":"edit","params":{"file_path":"/p/a.rs"}}

{"event":"tool_call","id":"2","tool":"edit","params":{"file_path":"/p/a.rs"}}
{"event":"tool_result","id":"2","ok":true}
{"event":"turn_start","text":"And now?"}
{"event":"tool_call","id":"3","tool":"bash","params":{"command":"git push origin main"}}
{"event":"session_end"}
"#;

/// A client of the adapter.
struct Client {
    project: Project,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    seq: u64,
    /// Events that came before the answer that was waited for.
    events: Vec<Value>,
}

impl Client {
    fn start(files: &[(&str, &str)]) -> Self {
        let project = Project::new(files);
        let mut command = project.command("dap");
        command
            .env("HOME", project.path("home"))
            .env("BEHAVIOR_CACHE_DIR", project.path("cache"))
            .env_remove("XDG_CONFIG_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { project, child, input, output, seq: 0, events: Vec::new() }
    }

    /// A session that stands at the first event.
    fn launched(files: &[(&str, &str)], more: &Value) -> Self {
        let mut client = Self::start(files);
        client.ask("initialize", json!({ "adapterID": "behavior" }));
        let mut launch = json!({ "trace": "trace.jsonl" });
        for (name, value) in more.as_object().unwrap() {
            launch[name] = value.clone();
        }
        client.ask("launch", launch);
        client.event("initialized");
        client
    }

    fn path(&self, name: &str) -> String {
        self.project.path(name).canonicalize().unwrap().to_str().unwrap().to_owned()
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the adapter has left");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Asks, and returns the whole answer.
    fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.seq += 1;
        let request = json!({
            "seq": self.seq, "type": "request", "command": command, "arguments": arguments
        });
        let body = request.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
        loop {
            let message = self.read();
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], self.seq);
                return message;
            }
            self.events.push(message);
        }
    }

    /// Asks, and returns the body of the answer.
    #[track_caller]
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.request(command, arguments);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].clone()
    }

    /// Asks for what is refused, and returns the reason.
    #[track_caller]
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.request(command, arguments);
        assert_eq!(answer["success"], false, "{command}: {answer}");
        answer["message"].as_str().unwrap().to_owned()
    }

    /// Waits for an event.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let event = if self.events.is_empty() { self.read() } else { self.events.remove(0) };
            if event["event"] == name {
                return event["body"].clone();
            }
        }
    }

    /// Where it stands: the reason, and the frames as `name@line`.
    fn stopped(&mut self) -> (String, Vec<String>) {
        let stopped = self.event("stopped");
        let thread = stopped["threadId"].clone();
        let trace = self.ask("stackTrace", json!({ "threadId": thread }));
        let frames = trace["stackFrames"].as_array().unwrap().iter();
        let frames =
            frames.map(|frame| format!("{}@{}", frame["name"].as_str().unwrap(), frame["line"]));
        (stopped["reason"].as_str().unwrap().to_owned(), frames.collect())
    }

    /// Goes, and returns where it stands then.
    #[track_caller]
    fn go(&mut self, command: &str) -> String {
        self.ask(command, json!({ "threadId": 1 }));
        let (reason, frames) = self.stopped();
        format!("{reason}: {}", frames.join(" < "))
    }

    /// The variables of a scope, by their paths.
    fn variable(&mut self, path: &[&str]) -> String {
        let scopes = self.ask("scopes", json!({ "frameId": 1 }));
        let mut list: Vec<Value> = scopes["scopes"].as_array().unwrap().clone();
        let mut value = String::new();
        for name in path {
            let found = list.iter().find(|one| one["name"] == *name);
            let found = found.unwrap_or_else(|| panic!("no `{name}` among {list:?}")).clone();
            value = found["value"].as_str().unwrap_or_default().to_owned();
            let reference = found["variablesReference"].clone();
            list = Vec::new();
            if reference != 0 {
                let inside = self.ask("variables", json!({ "variablesReference": reference }));
                list = inside["variables"].as_array().unwrap().clone();
            }
        }
        value
    }

    fn evaluate(&mut self, expression: &str) -> String {
        let answer = self.request("evaluate", json!({ "expression": expression, "frameId": 1 }));
        match answer["success"].as_bool().unwrap() {
            true => answer["body"]["result"].as_str().unwrap().to_owned(),
            false => format!("!{}", answer["message"].as_str().unwrap()),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

const FILES: &[(&str, &str)] = &[("behavior.yaml", CONFIG), ("trace.jsonl", TRACE)];

#[test]
fn steps_lead_through_the_events_and_back() {
    let mut client = Client::launched(FILES, &json!({}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stopped(), ("entry".to_owned(), vec!["#0 session_start@1".to_owned()]));
    let threads = client.ask("threads", json!({}));
    assert_eq!(threads["threads"][1], json!({ "id": 2, "name": "other" }));
    assert_eq!(client.go("next"), "step: #1 turn_start: Go on.@2");
    assert_eq!(client.go("next"), "step: #2 tool_call: read /p/a.rs@3");
    assert_eq!(client.go("next"), "step: #3 tool_result@4");
    // The other session's event is passed over, and stepped into when that is asked for.
    assert_eq!(client.go("next"), "step: #5 tool_call: edit /p/a.rs@7");
    assert_eq!(client.go("stepBack"), "step: #3 tool_result@4");
    let into = "step: read_first (warn)@12 < #4 tool_call: edit /p/a.rs@5";
    assert_eq!(client.go("stepIn"), into);
    assert_eq!(client.go("stepOut"), "step: #7 turn_start: And now?@9");
    assert_eq!(client.go("continue"), "step: the end of the recording@11");
    assert_eq!(client.go("stepBack"), "step: #9 session_end@11");
    assert_eq!(client.go("reverseContinue"), "entry: #0 session_start@1");
    assert_eq!(client.go("stepBack"), "entry: #0 session_start@1");
    client.ask("disconnect", json!({}));
    client.event("terminated");
}

#[test]
fn breakpoints_stop_both_ways() {
    let mut client = Client::launched(FILES, &json!({ "stopOnEntry": false }));
    let rules = client.path("behavior.yaml");
    let trace = client.path("trace.jsonl");
    let lines = |path: &str, lines: &[u32]| {
        let breakpoints: Vec<_> = lines.iter().map(|line| json!({ "line": line })).collect();
        json!({ "source": { "path": path }, "breakpoints": breakpoints })
    };
    // The message of a rule stands for the rule, a condition for itself, and a line above all for nothing.
    let set = client.ask("setBreakpoints", lines(&rules, &[11, 17, 2]));
    let verified: Vec<_> = set["breakpoints"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(verified, ["7", "17", "no rule stands here"]);
    // An empty line stands for the next event.
    let set = client.ask("setBreakpoints", lines(&trace, &[6]));
    assert_eq!(told(&set["breakpoints"][0]), "7");
    let set = client.ask("setBreakpoints", lines("/nowhere/none.yaml", &[1]));
    assert!(told(&set["breakpoints"][0]).starts_with("no rule of this file is in force"));
    client.ask("configurationDone", json!({}));
    let first = "breakpoint: read_first (warn)@12 < #4 tool_call: edit /p/a.rs@5";
    let (reason, frames) = client.stopped();
    assert_eq!(format!("{reason}: {}", frames.join(" < ")), first);
    let second = "breakpoint: #5 tool_call: edit /p/a.rs@7";
    assert_eq!(client.go("continue"), second);
    let third = "breakpoint: no_push (block)@7 < #8 tool_call: bash git push origin main@10";
    assert_eq!(client.go("continue"), third);
    assert_eq!(client.go("reverseContinue"), second);
    assert_eq!(client.go("reverseContinue"), first);
    assert_eq!(client.go("continue"), second);
    assert_eq!(client.go("continue"), third);
    assert_eq!(client.go("continue"), "step: the end of the recording@11");
    assert_eq!(client.go("reverseContinue"), third);
    client.ask("continue", json!({ "threadId": 1 }));
    client.stopped();
    client.ask("continue", json!({ "threadId": 1 }));
    client.event("terminated");
}

/// The line of a breakpoint, or why it stands nowhere.
fn told(breakpoint: &Value) -> String {
    match breakpoint["verified"].as_bool().unwrap() {
        true => breakpoint["line"].to_string(),
        false => breakpoint["message"].as_str().unwrap().to_owned(),
    }
}

#[test]
fn rules_by_name_kinds_of_decisions_and_conditions_stop() {
    let mut client = Client::launched(FILES, &json!({ "stopOnEntry": true }));
    let named = json!({ "breakpoints": [{ "name": "read_first" }, { "name": "read_frist" }] });
    let set = client.ask("setFunctionBreakpoints", named);
    assert_eq!(set["breakpoints"][1]["message"], "no rule called `read_frist` is in force");
    client.ask("setExceptionBreakpoints", json!({ "filters": ["deny"] }));
    client.ask("configurationDone", json!({}));
    client.stopped();
    let at_rule = "function breakpoint: read_first (warn)@12 < #4 tool_call: edit /p/a.rs@5";
    assert_eq!(client.go("continue"), at_rule);
    let denied = "exception: no_push (block)@7 < #8 tool_call: bash git push origin main@10";
    assert_eq!(client.go("continue"), denied);
    client.go("reverseContinue");
    client.go("reverseContinue");
    // Of all calls, only the one on which the condition holds.
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    let trace = client.path("trace.jsonl");
    let condition = |line: u32| json!({ "line": line, "condition": "target in seen" });
    let breakpoints: Vec<_> = [3, 5, 7, 8].map(condition).into_iter().collect();
    let wanted = json!({ "source": { "path": trace }, "breakpoints": breakpoints });
    client.ask("setBreakpoints", wanted);
    assert_eq!(client.go("continue"), "breakpoint: #5 tool_call: edit /p/a.rs@7");
}

#[test]
fn conditions_that_nobody_understands_are_told_and_stop_nothing() {
    let mut client = Client::launched(FILES, &json!({}));
    let trace = client.path("trace.jsonl");
    let condition = |line: u32, text: &str| json!({ "line": line, "condition": text });
    let breakpoints = [condition(3, "bogus ("), condition(5, "target in seen"), condition(7, " ")];
    let wanted = json!({ "source": { "path": trace }, "breakpoints": breakpoints });
    let set = client.ask("setBreakpoints", wanted);
    let verified: Vec<_> =
        set["breakpoints"].as_array().unwrap().iter().map(|it| it["verified"].clone()).collect();
    assert_eq!(verified, [false, true, true]);
    assert!(set["breakpoints"][0]["message"].as_str().is_some_and(|why| !why.is_empty()));
    let named = json!({ "breakpoints": [{ "name": "no_push", "condition": "turn >" }] });
    let set = client.ask("setFunctionBreakpoints", named);
    assert_eq!(set["breakpoints"][0]["verified"], false);
    client.ask("configurationDone", json!({}));
    client.stopped();
    assert_eq!(client.go("continue"), "breakpoint: #5 tool_call: edit /p/a.rs@7");
    assert_eq!(client.go("continue"), "step: the end of the recording@11");
}

#[test]
fn state_and_conditions_are_those_of_the_event() {
    let mut client = Client::launched(FILES, &json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    client.stopped();
    // Before anything has happened, nothing is remembered.
    assert_eq!(client.evaluate("reads"), "0");
    for _ in 0..3 {
        client.go("next");
    }
    assert_eq!(client.variable(&["Event", "id"]), "1");
    assert_eq!(client.variable(&["State", "sets", "seen"]), "empty");
    assert_eq!(client.variable(&["State afterwards", "sets", "seen"]), "a.rs");
    assert_eq!(client.variable(&["State afterwards", "counters", "reads"]), "1");
    assert_eq!(client.evaluate("reads"), "0");
    client.go("next");
    assert_eq!(client.variable(&["Event", "params", "file_path"]), "/p/a.rs");
    assert_eq!(client.variable(&["Decision", "verdict"]), "allow");
    assert_eq!(client.evaluate("seen"), "a.rs");
    assert_eq!(client.evaluate("reads"), "1");
    assert_eq!(client.evaluate("turn"), "1");
    assert_eq!(client.evaluate("target in seen"), "true");
    assert_eq!(client.evaluate("not target in seen"), "false");
    assert_eq!(client.evaluate("exists(target)"), "unknown");
    assert!(client.evaluate("nonsense of a kind").starts_with('!'));
    assert_eq!(client.variable(&["State", "sets", "seen", "[0]"]), "a.rs");
    // Back in time, things are as they were.
    client.go("stepBack");
    assert_eq!(client.evaluate("reads"), "0");
    client.go("continue");
    client.go("stepBack");
    client.go("stepBack");
    assert_eq!(client.variable(&["Decision", "verdict"]), "deny");
    assert_eq!(client.variable(&["Decision", "findings", "no_push", "message"]), "No pushes.");
    assert_eq!(client.evaluate("runs \"git push\""), "true");
}

/// Two calls wait at once; one result repeats no id, and the last belongs to no call.
const RESULTS: &str = r#"{"event":"tool_call","id":"1","tool":"read","params":{"file_path":"/p/a.rs"}}
{"event":"tool_call","id":"2","tool":"bash","params":{"command":"make"}}
{"event":"tool_result","id":"2","result":"made","ok":true}
{"event":"tool_result","ok":true}
{"event":"tool_result","id":"9","ok":true}
"#;

#[test]
fn conditions_are_asked_of_results_with_the_calls_that_they_belong_to() {
    let files = [("behavior.yaml", CONFIG), ("trace.jsonl", RESULTS)];
    let mut client = Client::launched(&files, &json!({}));
    let trace = client.path("trace.jsonl");
    let at = |line: u32, condition: &str| json!({ "line": line, "condition": condition });
    let breakpoints = [at(3, "result matches \"made\""), at(4, "counter(reads) >= 1")];
    let wanted = json!({ "source": { "path": trace }, "breakpoints": breakpoints });
    client.ask("setBreakpoints", wanted);
    client.ask("configurationDone", json!({}));
    client.stopped();
    assert_eq!(client.go("continue"), "breakpoint: #2 tool_result@3");
    assert_eq!(client.evaluate("result matches \"made\""), "true");
    assert_eq!(client.evaluate("param(command) contains \"make\""), "true");
    assert_eq!(client.evaluate("param(command) contains \"cake\""), "false");
    // A condition sees what the result changes, as a rule does; a value alone is that before.
    assert_eq!(client.go("continue"), "breakpoint: #3 tool_result@4");
    assert_eq!(client.evaluate("counter(reads)"), "0");
    assert_eq!(client.evaluate("target in seen"), "true");
    assert_eq!(client.evaluate("target matches \"*/b.rs\""), "false");
    assert_eq!(client.go("next"), "step: #4 tool_result@5");
    let reason = client.evaluate("counter(reads) >= 1");
    assert!(reason.ends_with("nothing tells which call it is the result of"), "{reason}");
    let none = json!({ "source": { "path": trace }, "breakpoints": [] });
    client.ask("setBreakpoints", none);
    // Stops of before have been heard: the next one is that of the step.
    client.events.clear();
    client.ask("stepBack", json!({ "threadId": 1 }));
    assert_eq!(client.event("stopped")["description"], "the event before");
}

#[test]
fn rules_of_the_library_stand_in_copies_of_its_files() {
    let mut client = Client::launched(FILES, &json!({ "profile": "dev" }));
    client.ask("setExceptionBreakpoints", json!({ "filters": ["deny", "finding"] }));
    client.ask("configurationDone", json!({}));
    client.stopped();
    client.ask("continue", json!({ "threadId": 1 }));
    client.event("stopped");
    let trace = client.ask("stackTrace", json!({ "threadId": 1, "levels": 1 }));
    let frame = &trace["stackFrames"][0];
    let path = frame["source"]["path"].as_str().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let line = usize::try_from(frame["line"].as_u64().unwrap()).unwrap() - 1;
    let id = frame["name"].as_str().unwrap().split(' ').next().unwrap();
    assert!(text.lines().nth(line).unwrap().contains(id), "{frame}");
    // A breakpoint there is one on the rule.
    let breakpoints = json!([{ "line": line + 1 }]);
    let wanted = json!({ "source": { "path": path }, "breakpoints": breakpoints });
    let set = client.ask("setBreakpoints", wanted);
    assert_eq!(told(&set["breakpoints"][0]), (line + 1).to_string());
}

#[test]
fn a_long_recording_is_gone_back_in() {
    let mut trace = String::new();
    for at in 0..20_000 {
        let command = if at % 5_000 == 7 { "git push" } else { "ls" };
        trace.push_str(&format!(
            "{{\"event\":\"tool_call\",\"id\":\"{at}\",\"tool\":\"bash\",\"params\":{{\"command\":\"{command}\"}}}}\n"
        ));
    }
    let files = [("behavior.yaml", CONFIG), ("trace.jsonl", trace.as_str())];
    let mut client = Client::launched(&files, &json!({}));
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "no_push" }] }));
    client.ask("configurationDone", json!({}));
    client.stopped();
    let at = |number: u32| {
        let line = number + 1;
        format!(
            "function breakpoint: no_push (block)@7 < #{number} tool_call: bash git push@{line}"
        )
    };
    for number in [7, 5_007, 10_007, 15_007] {
        assert_eq!(client.go("continue"), at(number));
    }
    assert_eq!(client.go("continue"), "step: the end of the recording@20000");
    for number in [15_007, 10_007, 5_007, 7] {
        assert_eq!(client.go("reverseContinue"), at(number));
    }
    assert_eq!(client.go("stepIn"), "step: #8 tool_call: bash ls@9");
    assert_eq!(client.go("reverseContinue"), at(7));
    assert_eq!(client.go("reverseContinue"), "entry: #0 tool_call: bash ls@1");
    // Somebody who does not want to wait need not.
    client.ask("continue", json!({ "threadId": 1 }));
    client.ask("pause", json!({ "threadId": 1 }));
    client.event("stopped");
}

#[test]
fn what_cannot_be_is_said() {
    let broken = "rule_definitions:\n  - { id: x, triger: bash, message: m }\n";
    let mut client = Client::start(&[("broken.yaml", broken), ("empty.jsonl", ""), ("x.txt", "?")]);
    client.ask("initialize", json!({}));
    let not_yet = "nothing is being debugged: `launch` a recording first";
    assert_eq!(client.refused("threads", json!({})), not_yet);
    assert_eq!(client.refused("next", json!({ "threadId": 1 })), not_yet);
    assert_eq!(client.refused("launch", json!({})), "`trace` is missing: the path of a recording");
    let missing = client.refused("launch", json!({ "trace": "none.jsonl" }));
    assert_eq!(missing, "cannot read `none.jsonl`: there is no such file");
    let broken = json!({ "trace": "empty.jsonl", "config": "broken.yaml" });
    let reason = client.refused("launch", broken);
    assert!(reason.starts_with("broken.yaml:2: "), "{reason}");
    assert_eq!(
        client.refused("launch", json!({ "trace": "empty.jsonl" })),
        "`empty.jsonl` has no events"
    );
    let reason = client.refused("launch", json!({ "trace": "x.txt" }));
    assert!(reason.starts_with("the format of `x.txt` is not known"), "{reason}");
    assert!(reason.ends_with("name the format with `inputFormat` if it is one"), "{reason}");
    let unknown = json!({ "trace": "empty.jsonl", "profile": "nowhere" });
    let reason = client.refused("launch", unknown);
    assert!(reason.starts_with("`profile`: "), "{reason}");
    let reason = client.refused("launch", json!({ "trace": "-" }));
    assert_eq!(reason, "standard input is the client's: name the file of a recording");
    let reason = client.refused("launch", json!({ "trace": "x.txt", "inputFormat": "what" }));
    assert!(reason.starts_with("`what` is no format of recordings: they are native, "), "{reason}");
    assert!(client.refused("launch", json!({ "trace": 7 })).starts_with("the request is wrong: "));
    assert_eq!(client.refused("dance", json!({})), "the request `dance` is not known here");
    // What is no request at all is passed over.
    let input = client.input.as_mut().unwrap();
    write!(input, "Content-Length: 1\r\n\r\n{{").unwrap();
    client.event("output");
    client.ask("disconnect", json!({}));
}
