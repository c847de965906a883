//! The tool server, spoken to as clients do: a line of JSON for each message.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::{Project, Run};
use serde_json::{Value, json};

const CONFIG: &str = "profile: dev\nrule_definitions:\n  - { id: no_push, trigger: bash, action: block, \
                      condition: 'runs \"git push\"', message: No pushes. }\n";

/// A project with a live agent.
struct Live {
    project: Project,
}

fn surround(project: &Project, command: &mut Command) {
    command
        .env("BEHAVIOR_STATE_DIR", project.path("state"))
        .env("BEHAVIOR_CACHE_DIR", project.path("cache"))
        .env("HOME", project.path("home"))
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("CLAUDE_PROJECT_DIR")
        .env_remove("BEHAVIOR");
}

impl Live {
    fn new() -> Self {
        Self { project: Project::new(&[("behavior.yaml", CONFIG), ("a.rs", "fn main() {}\n")]) }
    }

    fn hook(&self, event: &str, tool: &str, input: &Value) -> Value {
        let payload = json!({
            "session_id": "s1", "cwd": self.project.path(""), "permission_mode": "default",
            "hook_event_name": event, "tool_name": tool, "tool_input": input, "tool_use_id": "t1",
            "tool_response": "ok", "prompt": "Go on.",
        });
        let mut command = self.project.command("hook claude-code");
        surround(&self.project, &mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, 0, "{run:?}");
        if run.out.is_empty() { Value::Null } else { serde_json::from_str(&run.out).unwrap() }
    }

    /// What is decided before a command runs.
    fn decides(&self, command: &str) -> String {
        let answer = self.hook("PreToolUse", "Bash", &json!({ "command": command }));
        let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str();
        decision.unwrap_or("none").to_owned()
    }

    fn client(&self) -> Client {
        Client::start(&self.project)
    }
}

/// A client of a server of its own.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    /// What each tool says of its results.
    promised: HashMap<String, Value>,
}

impl Client {
    fn start(project: &Project) -> Self {
        let mut client = Self::connect(project);
        let answer = client.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        assert_eq!(answer["result"]["serverInfo"]["name"], "behavior", "{answer}");
        client
            .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        let tools = client.ask("tools/list", json!({}));
        client.promised = tools["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone()))
            .collect();
        client
    }

    fn connect(project: &Project) -> Self {
        let mut command = project.command("mcp --agent claude-code");
        surround(project, &mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output, next: 0, promised: HashMap::new() }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(&[line, b"\n"].concat()).unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&message.to_string());
        loop {
            let answer = self.answer();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// The structured result of a tool, which is as its schema says, and whether it is an error.
    fn tool(&mut self, name: &str, arguments: Value) -> (Value, bool) {
        let answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        let result = &answer["result"];
        assert!(result["content"][0]["text"].is_string(), "{answer}");
        if let Some(schema) = self.promised.get(name) {
            let checked = jsonschema::validate(schema, &result["structuredContent"]);
            assert!(checked.is_ok(), "{answer}: {checked:?}");
        }
        (result["structuredContent"].clone(), result["isError"] == true)
    }

    fn done(&mut self, name: &str, arguments: Value) -> Value {
        let (result, is_error) = self.tool(name, arguments);
        assert!(!is_error, "{name}: {result}");
        result
    }

    fn refused(&mut self, name: &str, arguments: Value) -> Value {
        let (result, is_error) = self.tool(name, arguments);
        assert!(is_error, "{name}: {result}");
        result
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A client that closes the input is done.
        drop(self.input.take());
        let status = self.child.wait().unwrap();
        if !std::thread::panicking() {
            assert!(status.success(), "{status:?}");
        }
    }
}

const NO_DOCKER: &str = r#"{"trigger": "bash", "condition": "runs \"docker\"", "action": "block", "message": "Not now."}"#;

fn no_docker() -> Value {
    serde_json::from_str(NO_DOCKER).unwrap()
}

#[test]
fn what_an_agent_adds_is_enforced_by_its_hook() {
    let live = Live::new();
    live.decides("ls");
    let mut client = live.client();
    let tools = client.ask("tools/list", json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    let expected = [
        "update_constitution",
        "reset_constitution",
        "get_constitution",
        "preflight",
        "explain_decision",
        "session_status",
    ];
    assert_eq!(names, expected);
    assert_eq!(live.decides("docker ps"), "none");
    let result = client.done("update_constitution", json!({ "rule": no_docker() }));
    assert_eq!(result["entries"], json!([no_docker()]));
    assert_eq!(live.decides("docker ps"), "deny");
    assert_eq!(live.decides("ls"), "none");
    let result = client.done("reset_constitution", json!({ "rules": ["Be brief."] }));
    assert_eq!(result["entries"], json!(["Be brief."]));
    assert_eq!(live.decides("docker ps"), "none");
    let told = live.hook("UserPromptSubmit", "", &json!({}));
    assert!(told.to_string().contains("Be brief."), "{told}");
    assert_eq!(client.done("get_constitution", json!({}))["entries"], json!(["Be brief."]));
}

#[test]
fn an_agent_touches_only_what_is_its_own() {
    let live = Live::new();
    live.decides("ls");
    let mut command = live.project.command("session constitution add");
    surround(&live.project, &mut command);
    let added = Run::from(command.arg(NO_DOCKER).output().unwrap());
    assert_eq!(added.code, 0, "{added:?}");
    let mut client = live.client();
    let result = client.done("reset_constitution", json!({ "rules": [] }));
    assert_eq!(result["entries"], json!([no_docker()]));
    assert_eq!(result["by"], json!(["user"]));
    for number in 0..60 {
        client.done("update_constitution", json!({ "rule": format!("Text {number}.") }));
    }
    let list = client.done("get_constitution", json!({}));
    assert_eq!(list["entries"].as_array().unwrap().len(), 50);
    assert_eq!(list["entries"][0], no_docker());
    assert_eq!(list["entries"][1], "Text 11.");
    assert_eq!(live.decides("docker ps"), "deny");
}

#[test]
fn what_does_not_compile_comes_back_with_diagnostics() {
    let live = Live::new();
    live.decides("ls");
    let mut client = live.client();
    let wrong = json!({ "rule": { "triger": "bash", "action": "block", "message": "x" } });
    let result = client.refused("update_constitution", wrong);
    let unknown = &result["diagnostics"][0];
    assert_eq!(unknown["name"], "unknown-field", "{result}");
    assert_eq!(unknown["help"], "did you mean `trigger`?", "{result}");
    assert_eq!(result["entries"], json!([]));
    for rule in [
        json!({ "trigger": "*", "action": "allow", "message": "x" }),
        json!({ "exceptions": [{ "rule": "no_push", "reason": "x" }] }),
        json!({ "profile": "dev" }),
        json!({}),
    ] {
        client.refused("update_constitution", json!({ "rule": rule }));
    }
    // The id of a rule of the project is no way into it.
    let rule =
        json!({ "id": "no_push", "trigger": "bash", "action": "remind", "message": "Fine." });
    client.done("update_constitution", json!({ "rule": rule }));
    assert_eq!(live.decides("git push"), "deny");
    // Some clients hand a definition on as text.
    client.done("update_constitution", json!({ "rule": no_docker().to_string() }));
    assert_eq!(live.decides("docker ps"), "deny");
    client.refused("update_constitution", json!({ "rule": "{not JSON" }));
}

#[test]
fn preflight_says_what_would_be_decided_and_records_nothing() {
    let live = Live::new();
    live.decides("ls");
    let mut client = live.client();
    let calls = json!([
        { "tool": "Edit", "params": { "file_path": "a.rs", "old_string": "a", "new_string": "b" } },
        { "tool": "Read", "params": { "file_path": "a.rs" } },
        { "tool": "Edit", "params": { "file_path": "a.rs", "old_string": "a", "new_string": "b" } },
        { "tool": "Bash", "params": { "command": "git push" } },
    ]);
    let before = client.done("session_status", json!({}));
    let result = client.done("preflight", json!({ "calls": calls }));
    let decisions = result["decisions"].as_array().unwrap();
    let fired = |at: usize| {
        let findings = decisions[at]["findings"].as_array().unwrap();
        findings.iter().map(|one| one["rule"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(fired(0).contains(&"read_before_edit".to_owned()), "{result}");
    assert!(!fired(2).contains(&"read_before_edit".to_owned()), "{result}");
    assert_eq!(decisions[3]["verdict"], "deny", "{result}");
    assert!(fired(3).contains(&"no_push".to_owned()), "{result}");
    assert_eq!(client.done("session_status", json!({}))["state"], before["state"]);
    for calls in [json!(5), json!([{}]), json!([{ "tool": "x", "params": [] }]), json!([5])] {
        client.refused("preflight", json!({ "calls": calls }));
    }
}

#[test]
fn preflight_looks_at_a_plan() {
    let live = Live::new();
    live.decides("ls");
    let mut client = live.client();
    let plan = json!({
        "explain": "Mend a.rs.",
        "steps": [
            { "tool": "bash", "kwargs": { "command": "git push" } },
            { "tool": "read", "args": ["a.rs"] },
            { "tool": "edit", "args": ["a.rs", "a", "b"] },
        ],
    });
    let verdicts = |result: &Value| {
        let decisions = result["decisions"].as_array().unwrap();
        decisions.iter().map(|one| one["verdict"].clone()).collect::<Vec<_>>()
    };
    let result = client.done("preflight", json!({ "plan": plan }));
    assert_eq!(verdicts(&result), ["deny", "allow", "allow"], "{result}");
    let as_text = client.done("preflight", json!({ "plan": plan.to_string() }));
    assert_eq!(verdicts(&as_text), ["deny", "allow", "allow"], "{as_text}");
    let broken = client.refused("preflight", json!({ "plan": { "steps": [{ "toll": "bash" }] } }));
    assert_eq!(broken["diagnostics"][1]["path"], "steps[0].toll", "{broken}");
    for both in [json!({}), json!({ "plan": plan, "calls": [] }), json!({ "plan": 5 })] {
        client.refused("preflight", both);
    }
}

#[test]
fn a_denial_is_explained() {
    let live = Live::new();
    live.decides("ls");
    let mut client = live.client();
    let result = client.refused("explain_decision", json!({}));
    assert!(result["error"].as_str().unwrap().contains("no call of this session"), "{result}");
    assert_eq!(live.decides("git push origin main"), "deny");
    let result = client.done("explain_decision", json!({}));
    assert_eq!(result["verdict"], "deny", "{result}");
    assert_eq!(result["call"]["params"]["command"], "git push origin main");
    let rule = result["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "no_push");
    let rule = rule.unwrap_or_else(|| panic!("{result}"));
    assert_eq!(rule["layer"], "project");
    assert!(rule["satisfied_when"].as_str().unwrap().contains("git push"), "{rule}");
    assert_eq!(result["now"], "deny");
}

#[test]
fn what_there_is_to_read_can_be_read() {
    let live = Live::new();
    live.decides("ls");
    let mut client = live.client();
    client.done("update_constitution", json!({ "rule": no_docker() }));
    let list = client.ask("resources/list", json!({}));
    let addresses: Vec<&str> = list["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["uri"].as_str())
        .collect();
    assert_eq!(addresses, ["behavior://rules", "behavior://prompt", "behavior://language"]);
    let mut read = |uri: &str| {
        let answer = client.ask("resources/read", json!({ "uri": uri }));
        answer["result"]["contents"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    };
    let rules: Value = serde_json::from_str(&read("behavior://rules")).unwrap();
    let has = |id: &str, layer: &str| {
        let rules = rules["rules"].as_array().unwrap();
        rules.iter().any(|rule| rule["id"] == id && rule["layer"] == layer)
    };
    assert!(has("no_push", "project") && has("read_before_edit", "project"), "{rules}");
    assert!(has("constitution:0", "session"), "{rules}");
    assert!(read("behavior://prompt").len() > 1000);
    let language = read("behavior://language");
    assert!(language.contains("param_matches") && language.contains("runs"), "{language}");
    let answer = client.ask("resources/read", json!({ "uri": "file:///etc/passwd" }));
    assert!(answer["error"].is_object(), "{answer}");
}

#[test]
fn hostile_clients_get_errors_and_nothing_else() {
    let live = Live::new();
    live.decides("ls");
    let other = Live::new();
    let mut client = live.client();
    client.send("this is no JSON");
    client.send("{\"jsonrpc\": \"2.0\", \"id\": 1");
    client.send(&"[".repeat(100_000));
    client.send(&format!("{{\"jsonrpc\": \"2.0\", \"x\": \"{}\"}}", "x".repeat(6 << 20)));
    let answer = client.ask("tools/call", json!({ "name": "allow", "arguments": {} }));
    assert!(answer["error"].is_object(), "{answer}");
    let answer = client.ask("no/such/method", json!({}));
    assert!(answer["error"].is_object(), "{answer}");
    for (tool, arguments) in [
        ("update_constitution", json!({})),
        ("update_constitution", json!({ "rule": 5 })),
        ("update_constitution", json!({ "rule": "x".repeat(1 << 20) })),
        ("update_constitution", json!({ "rule": "x", "by": "user" })),
        ("update_constitution", json!({ "rule": "x", "session": 7 })),
        ("update_constitution", json!({ "rule": "x", "session": "another" })),
        ("update_constitution", json!({ "rule": "x", "session": "../../etc" })),
        ("reset_constitution", json!({ "rules": "x" })),
        ("reset_constitution", json!({ "rules": [[[]]] })),
        ("session_status", json!({ "session": "" })),
    ] {
        client.refused(tool, arguments);
    }
    let deep = format!("{}1{}", r#"{"not":"#.repeat(100), "}".repeat(100));
    let deep: Value = serde_json::from_str(&deep).unwrap();
    let rule = json!({ "trigger": "*", "message": "x", "condition": deep });
    client.refused("update_constitution", json!({ "rule": rule }));
    // Sessions of other projects are not seen, even with the same state directory.
    let mut command = other.project.command("mcp --agent claude-code");
    surround(&live.project, &mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
    let mut stranger = Client { child, input, output, next: 0, promised: HashMap::new() };
    stranger.ask(
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }),
    );
    stranger.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    let result = stranger.refused("update_constitution", json!({ "rule": "x", "session": "s1" }));
    assert!(result["error"].as_str().unwrap().contains("no session of this id"), "{result}");
    stranger.refused("session_status", json!({}));
    assert_eq!(client.done("get_constitution", json!({}))["entries"], json!([]));
    assert_eq!(live.decides("git push"), "deny");
}

/// Sends an HTTP request and returns the answer whole.
fn post(address: &str, token: Option<&str>, origin: Option<&str>, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
    let request = format!(
        "POST / HTTP/1.1\r\nHost: {address}\r\n{token}{origin}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn no_line_stays_without_an_answer() {
    let nested = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{}1{}}}",
        "[".repeat(140),
        "]".repeat(140)
    );
    let lines = [
        br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"\ud83d"}}"#.to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}".to_vec(),
        nested.into_bytes(),
    ];
    for line in lines {
        let live = Live::new();
        let mut client = live.client();
        client.send_bytes(&line);
        let answer = client.answer();
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
        assert_eq!(client.ask("ping", json!({}))["error"], Value::Null);
    }
}

#[test]
fn a_secret_in_the_wrong_place_is_not_repeated() {
    let live = Live::new();
    let secret = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");
    let mut client = live.client();
    let refused = client.refused("preflight", json!({"tool": "bash", secret: 1}));
    assert!(!refused.to_string().contains(secret), "{refused}");
}

#[test]
fn over_http_it_takes_the_token() {
    let live = Live::new();
    live.decides("ls");
    let far = live.project.run("mcp --http 0.0.0.0:0");
    assert!(far.code == 2 && far.err.contains("127.0.0.1"), "{far:?}");
    let mut command = live.project.command("mcp --agent claude-code --http 127.0.0.1:0");
    surround(&live.project, &mut command);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = |before: &str| {
        let line = lines.next().unwrap().unwrap();
        line.split_once(before).unwrap_or_else(|| panic!("{line}")).1.to_owned()
    };
    let address = said("http://").trim_end_matches('/').to_owned();
    let token = said("token: ");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": { "name": "get_constitution", "arguments": {} } })
    .to_string();
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
    let initialize = initialize.to_string();
    let answers = [
        (post(&address, None, None, &list), "401"),
        (post(&address, Some("guess"), None, &list), "401"),
        (post(&address, Some(&token), Some("https://example.com"), &list), "403"),
        (post(&address, Some(&token), None, &initialize), "200"),
        (post(&address, Some(&token), None, &list), "200"),
    ];
    child.kill().unwrap();
    child.wait().unwrap();
    for (answer, status) in &answers {
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {answer}");
    }
    assert!(answers[4].0.contains("\"entries\""), "{}", answers[4].0);
}

#[test]
fn init_registers_it_and_takes_it_out_again() {
    let before = "{\n  \"mcpServers\": { \"other\": { \"command\": \"x\" } }\n}\n";
    let toml = "model = \"x\"\n";
    let settings = "{\n  // mine\n  \"theme\": \"dark\"\n}\n";
    let files = [
        ("behavior.yaml", CONFIG),
        (".mcp.json", before),
        (".codex/config.toml", toml),
        (".gemini/settings.json", settings),
    ];
    let project = Project::new(&files);
    let init = |options: &str| {
        let mut command = project.command(&format!("init --agent all --yes {options}"));
        surround(&project, &mut command);
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.code, 0, "{run:?}");
        run
    };
    let read = |name: &str| String::from_utf8(project.read(name)).unwrap();
    let run = init("--mcp");
    assert!(run.err.contains("pi: it takes no tool servers"), "{run:?}");
    let servers: Value = serde_json::from_str(&read(".mcp.json")).unwrap();
    let server = &servers["mcpServers"]["behavior"];
    assert_eq!(server["args"], json!(["mcp"]), "{servers}");
    assert_eq!(server["command"], env!("CARGO_BIN_EXE_behavior"), "{servers}");
    assert!(read(".codex/config.toml").contains("[mcp_servers.behavior]"));
    let gemini = read(".gemini/settings.json");
    assert!(gemini.contains("\"mcpServers\"") && gemini.contains("hook gemini-cli"), "{gemini}");
    let cursor: Value = serde_json::from_str(&read(".cursor/mcp.json")).unwrap();
    assert_eq!(cursor["mcpServers"]["behavior"]["args"], json!(["mcp"]));
    let opencode: Value = serde_json::from_str(&read("opencode.json")).unwrap();
    assert_eq!(opencode["mcp"]["behavior"]["command"][1], "mcp");
    let again = init("--mcp");
    assert!(again.err.contains("nothing to change"), "{again:?}");
    init("--uninstall");
    for (name, text) in &files[1..] {
        assert_eq!(read(name), *text, "{name}");
    }
    for name in [".cursor/mcp.json", "opencode.json"] {
        assert!(!project.path(name).exists(), "{name}");
    }
}

/// The official client of another language.
#[test]
fn the_client_for_python_gets_along_with_it() {
    let has_client = Command::new("python3")
        .args(["-c", "import mcp.client.stdio"])
        .stderr(Stdio::null())
        .status();
    if !has_client.is_ok_and(|status| status.success()) {
        eprintln!("the client for Python is not tried: `pip install mcp` installs it");
        return;
    }
    let live = Live::new();
    live.decides("ls");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/mcp_client.py");
    let mut command = Command::new("python3");
    command.args([script, env!("CARGO_BIN_EXE_behavior")]).current_dir(live.project.path(""));
    surround(&live.project, &mut command);
    let run = Run::from(command.output().unwrap());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.out.trim(), "all is well", "{run:?}");
    assert_eq!(live.decides("docker ps"), "deny");
}

/// The official inspector's command line.
#[test]
fn the_inspector_gets_along_with_it() {
    let live = Live::new();
    live.decides("ls");
    let ask = |arguments: &[&str]| -> Option<Value> {
        let mut command = Command::new("mcp-inspector");
        command.arg("--cli").arg(env!("CARGO_BIN_EXE_behavior"));
        command.args(["mcp", "--agent", "claude-code", "--method"]).args(arguments);
        command.current_dir(live.project.path(""));
        surround(&live.project, &mut command);
        // It is a script of another program's, which stands on the path of whoever runs this.
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let run = Run::from(command.output().ok()?);
        assert_eq!(run.code, 0, "{run:?}");
        Some(serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}")))
    };
    let Some(listed) = ask(&["tools/list"]) else {
        eprintln!("the inspector is not tried: `npm install -g @modelcontextprotocol/inspector`");
        return;
    };
    let names: Vec<&str> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"preflight") && names.contains(&"explain_decision"), "{names:?}");
    let resources = ask(&["resources/list"]).unwrap();
    assert!(resources.to_string().contains("behavior://rules"), "{resources}");
    let rules = ask(&["resources/read", "--uri", "behavior://rules"]).unwrap();
    assert!(rules["contents"][0]["text"].is_string(), "{rules}");
    let rule = r#"rule={"trigger":"bash","condition":"runs \"docker\"","action":"block","message":"Not now."}"#;
    let called = |tool: &str, argument: &str| {
        ask(&["tools/call", "--tool-name", tool, "--tool-arg", argument]).unwrap()
    };
    let added = called("update_constitution", rule);
    assert_eq!(added["isError"], false, "{added}");
    assert_eq!(live.decides("docker ps"), "deny");
    let calls = r#"calls=[{"tool":"Bash","params":{"command":"docker x"}}]"#;
    let asked = called("preflight", calls);
    assert_eq!(asked["structuredContent"]["decisions"][0]["verdict"], "deny", "{asked}");
}
