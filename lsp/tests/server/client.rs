//! An editor for tests: speaks to the real server over a pair of in-memory streams.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_lsp::{NoRecordings, Recordings};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

/// Where the project of tests is.
const ROOT: &str = "file:///project";

/// How long anything may take before the test has failed.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    next_id: i64,
    /// What came while something else was waited for.
    inbox: Vec<Value>,
    server: JoinHandle<std::io::Result<()>>,
    pub capabilities: Value,
}

pub fn uri(name: &str) -> String {
    format!("{ROOT}/{name}")
}

/// Runs a test against a server over these files, and ends the session as the protocol wants.
#[track_caller]
pub fn session<F: Future<Output = Client>>(
    files: &[(&str, &str)],
    capabilities: Value,
    test: impl FnOnce(Client) -> F,
) {
    session_with(files, capabilities, Value::Null, Arc::new(NoRecordings), test);
}

/// As [`session`], with what the user set, and somebody who has recordings.
#[track_caller]
pub fn session_with<F: Future<Output = Client>>(
    files: &[(&str, &str)],
    capabilities: Value,
    options: Value,
    recordings: Arc<dyn Recordings>,
    test: impl FnOnce(Client) -> F,
) {
    let files = files.iter().map(|(name, text)| (format!("/project/{name}"), *text));
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: MemoryFiles::new(files),
    };
    runtime().block_on(async {
        let whole = async {
            let client = Client::connect(provider, capabilities, options, recordings).await;
            let client = test(client).await;
            client.end().await;
        };
        tokio::time::timeout(PATIENCE, whole).await.expect("the server answers in time");
    });
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime")
}

impl Client {
    pub fn unconnected(provider: WithLibrary<MemoryFiles>) -> Self {
        Self::with_recordings(provider, Arc::new(NoRecordings))
    }

    fn with_recordings(
        provider: WithLibrary<MemoryFiles>,
        recordings: Arc<dyn Recordings>,
    ) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(theirs);
        let library = Some("/library".to_owned());
        let server =
            tokio::spawn(behavior_lsp::serve(provider, library, recordings, input, output));
        let (reader, writer) = tokio::io::split(ours);
        let reader = BufReader::new(reader);
        Self { reader, writer, next_id: 0, inbox: Vec::new(), server, capabilities: Value::Null }
    }

    async fn connect(
        provider: WithLibrary<MemoryFiles>,
        capabilities: Value,
        options: Value,
        recordings: Arc<dyn Recordings>,
    ) -> Self {
        let mut client = Self::with_recordings(provider, recordings);
        let folders = json!([{ "uri": ROOT, "name": "project" }]);
        let params = json!({ "processId": null, "rootUri": ROOT, "workspaceFolders": folders,
                             "capabilities": capabilities, "initializationOptions": options });
        let result = client.request("initialize", params).await;
        client.capabilities = result["capabilities"].clone();
        client.notify("initialized", json!({})).await;
        client
    }

    async fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null).await, Value::Null);
        self.notify("exit", Value::Null).await;
        self.server.await.expect("no panic").expect("an orderly end");
    }

    /// Leaves without a word.
    pub async fn leave(self) -> std::io::Result<()> {
        drop((self.reader, self.writer));
        self.server.await.expect("no panic")
    }

    /// Waits until the server has ended by itself.
    pub async fn wait_for_end(self) -> std::io::Result<()> {
        self.server.await.expect("no panic")
    }

    pub async fn send(&mut self, message: &Value) {
        self.send_body(&message.to_string()).await;
    }

    /// Sends a message that need not be one.
    pub async fn send_body(&mut self, body: &str) {
        let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.writer.write_all(text.as_bytes()).await.expect("the server reads");
    }

    async fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).await.expect("the server writes");
            assert!(!line.is_empty(), "the server hung up");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a number"),
                _ if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).await.expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    pub async fn notify(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message).await;
    }

    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message).await;
        let answer = self.answer_to(self.next_id).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// The whole answer to a request, be it an error.
    pub async fn answer_to(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let answer = self.receive().await;
            if answer["id"] == id && answer.get("method").is_none() {
                return answer;
            }
            self.inbox.push(answer);
        }
    }

    /// The first message of the method that fits, from what came already or what comes.
    pub async fn wait_for(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let is_it = |message: &Value| message["method"] == method && fits(&message["params"]);
        if let Some(at) = self.inbox.iter().position(is_it) {
            return self.inbox.remove(at);
        }
        loop {
            let message = self.receive().await;
            if is_it(&message) {
                return message;
            }
            self.inbox.push(message);
        }
    }

    pub async fn open(&mut self, name: &str, text: &str) {
        let document =
            json!({ "uri": uri(name), "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    pub async fn change(&mut self, name: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri(name), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params).await;
    }

    pub async fn close(&mut self, name: &str) {
        let params = json!({ "textDocument": { "uri": uri(name) } });
        self.notify("textDocument/didClose", params).await;
    }

    /// The diagnostics that are published for a version of a file, raw.
    pub async fn published(&mut self, name: &str, version: Option<i32>) -> Vec<Value> {
        let fits = |params: &Value| {
            params["uri"] == uri(name) && params["version"].as_i64() == version.map(i64::from)
        };
        let message = self.wait_for("textDocument/publishDiagnostics", fits).await;
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    /// The same as `line:column-line:column level[code] first line`.
    pub async fn diagnostics(&mut self, name: &str, version: i32) -> Vec<String> {
        self.published(name, Some(version)).await.iter().map(shown).collect()
    }

    /// The versions that were published and not looked at, in order.
    pub fn versions(&self, name: &str) -> Vec<i64> {
        let about = self.inbox.iter().filter(|message| message["params"]["uri"] == uri(name));
        about.filter_map(|message| message["params"]["version"].as_i64()).collect()
    }

    /// Whether anything about a file has been published that nobody has looked at.
    pub fn has_news(&self, name: &str) -> bool {
        let is_it = |message: &Value| message["params"]["uri"] == uri(name);
        self.inbox.iter().any(is_it)
    }
}

pub fn shown(diagnostic: &Value) -> String {
    let range = &diagnostic["range"];
    let place = |end: &str| format!("{}:{}", range[end]["line"], range[end]["character"]);
    let level = ["", "error", "warning", "info", "hint"]
        [diagnostic["severity"].as_u64().expect("a level") as usize];
    let code = diagnostic["code"].as_str().expect("a name");
    let message = diagnostic["message"].as_str().expect("a message");
    let message = message.lines().next().unwrap_or_default();
    format!("{}-{} {level}[{code}] {message}", place("start"), place("end"))
}
