//! An editor for tests: speaks to the real language server, and answers what it is asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::common::Project;

/// The server with a client that is told things.
pub struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
    next: u64,
    /// What is chosen where the user is asked something.
    pub choice: Option<&'static str>,
    /// What the user was asked.
    pub asked: Vec<String>,
    /// What the server wrote into the client's log.
    pub logged: Vec<String>,
    /// How often the server said that there are other lenses.
    pub refreshed: u32,
    /// What was published last of each file.
    pub published: std::collections::BTreeMap<String, Value>,
}

impl Editor {
    /// Starts a session in a project, with what the user set and what the client can do besides.
    pub fn new(project: &Project, options: &Value, capabilities: &Value) -> Self {
        let mut command = project.command("lsp");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.env("BEHAVIOR_CACHE_DIR", project.path("cache"));
        command.env("HOME", project.path("home")).env_remove("XDG_CONFIG_HOME");
        for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR"] {
            command.env_remove(name);
        }
        let mut child = command.spawn().expect("the program runs");
        let folder = project.path("").canonicalize().expect("a path");
        let input = child.stdin.take().expect("an input");
        let output = BufReader::new(child.stdout.take().expect("an output"));
        let mut editor = Self {
            child,
            input,
            output,
            folder,
            next: 0,
            choice: None,
            asked: Vec::new(),
            logged: Vec::new(),
            refreshed: 0,
            published: std::collections::BTreeMap::new(),
        };
        let mut all = json!({
            "general": { "positionEncodings": ["utf-8"] },
            "workspace": { "codeLens": { "refreshSupport": true },
                           "inlayHint": { "refreshSupport": true } },
            "window": { "showDocument": { "support": true } },
        });
        if let (Some(all), Some(more)) = (all.as_object_mut(), capabilities.as_object()) {
            all.extend(more.clone());
        }
        let root = editor.uri("");
        let params = json!({ "processId": null, "rootUri": root.trim_end_matches('/'),
                             "capabilities": all, "initializationOptions": options });
        editor.request("initialize", &params);
        editor.notify("initialized", &json!({}));
        editor
    }

    /// The address of a file of the project.
    pub fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder.display().to_string().trim_end_matches('/'))
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())
            .expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    /// The next message; what the server asks is answered.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the server writes");
            assert!(read > 0, "the server hung up");
            match line.trim().split_once(": ") {
                Some((_, value)) => length = value.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a message");
        let message: Value = serde_json::from_slice(&body).expect("JSON");
        let params = &message["params"];
        let answer = match message["method"].as_str() {
            Some("window/showMessageRequest") => {
                self.asked.push(params["message"].as_str().expect("a text").to_owned());
                self.choice.map_or(Value::Null, |title| json!({ "title": title }))
            }
            Some("workspace/codeLens/refresh") => {
                self.refreshed += 1;
                Value::Null
            }
            Some("window/showDocument") => {
                self.asked.push(params["uri"].as_str().expect("an address").to_owned());
                json!({ "success": true })
            }
            Some("window/logMessage") => {
                self.logged.push(params["message"].as_str().expect("a text").to_owned());
                return message;
            }
            Some("textDocument/publishDiagnostics") => {
                let uri = params["uri"].as_str().expect("an address").to_owned();
                self.published.insert(uri, params["diagnostics"].clone());
                return message;
            }
            Some(_) if message.get("id").is_some() => Value::Null,
            _ => return message,
        };
        self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": answer }));
        message
    }

    pub fn open(&mut self, name: &str) -> String {
        let text = std::fs::read_to_string(self.folder.join(name)).expect("a file");
        let document =
            json!({ "uri": self.uri(name), "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        text
    }

    pub fn change(&mut self, name: &str, version: u32, text: &str) {
        let document = json!({ "uri": self.uri(name), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", &params);
    }

    pub fn lenses(&mut self, name: &str) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": self.uri(name) } });
        let found = self.request("textDocument/codeLens", &params);
        found.as_array().cloned().unwrap_or_default()
    }

    /// The titles of a document's lenses as `line title`, from 0.
    pub fn titles(&mut self, name: &str) -> Vec<String> {
        self.lenses(name).iter().map(title).collect()
    }

    /// Asks for lenses until they fit.
    pub fn titles_when(&mut self, name: &str, fit: impl Fn(&[String]) -> bool) -> Vec<String> {
        let started = std::time::Instant::now();
        loop {
            let titles = self.titles(name);
            if fit(&titles) {
                return titles;
            }
            assert!(started.elapsed().as_secs() < 60, "nothing fits: {titles:#?}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Waits until the server has asked for something to be shown, which it does beside its answers.
    pub fn wait_until_asked(&mut self) {
        let started = std::time::Instant::now();
        while self.asked.is_empty() {
            self.receive();
            assert!(started.elapsed().as_secs() < 60, "nothing is asked");
        }
    }

    pub fn end(mut self) {
        self.request("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
        self.child.wait().expect("the server ends");
    }
}

pub fn title(lens: &Value) -> String {
    let title = lens["command"]["title"].as_str().expect("a title");
    format!("{} {title}", lens["range"]["start"]["line"])
}
