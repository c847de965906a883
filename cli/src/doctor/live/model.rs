//! A model that says what a script tells it to, on 127.0.0.1: it asks for two commands, one after the other, and then
//! ends its turn. How far it is follows from the request alone. It answers only who knows its path, keeps no request,
//! and never connects anywhere.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use behavior_agents::headless::Headless;
use serde_json::{Value, json};

use super::http;
use super::protocol::{self, Body, Say};

/// How often it is looked whether somebody connects.
const TICK: Duration = Duration::from_millis(5);
/// So many are heard at a time.
const MAX_CONNECTIONS: usize = 32;
/// What ends a turn.
const END: &str = "That is all.";

/// What the model asks for.
#[derive(Clone, Debug)]
pub struct Script {
    /// The commands, in their order.
    pub commands: [String; 2],
    /// What the agent is to be told in place of the result of the last one.
    pub reason: String,
}

/// How the talk went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// How often the model was asked something.
    pub questions: usize,
    /// Whether a shell was offered to it.
    pub has_shell: bool,
    /// How many of the commands it has asked for.
    pub asked: usize,
    /// Whether it was told the reason in place of the last result.
    pub was_told: bool,
}

/// A model that listens until it goes away.
pub struct Model {
    /// Where it is asked.
    pub url: String,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    headless: &'static Headless,
    /// What its path begins with.
    path: String,
    script: Script,
    talk: Mutex<Talk>,
    is_over: AtomicBool,
    connections: AtomicUsize,
}

impl Model {
    /// Begins to listen for the agent. `token` is what only it is told.
    ///
    /// # Errors
    /// When the system gives no port.
    pub fn start(headless: &'static Headless, script: Script, token: &str) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let path = format!("/{token}");
        let url = format!("http://{}{path}", listener.local_addr()?);
        let (talk, is_over, connections) = Default::default();
        let shared = Arc::new(Shared { headless, path, script, talk, is_over, connections });
        let server = Arc::clone(&shared);
        let listening = std::thread::spawn(move || listen(&listener, &server));
        Ok(Self { url, shared, listening: Some(listening) })
    }

    /// Returns how the talk went so far.
    pub fn talk(&self) -> Talk {
        *self.shared.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.is_over.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(TICK);
            continue;
        };
        if shared.connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            // Who breaks off asks again.
            let _ = shared.serve(&stream);
            shared.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

impl Shared {
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let call = http::read(stream)?;
        let known = call.path.strip_prefix(&self.path).map(str::to_lowercase);
        let body = known.map(|path| match &*call.method {
            "POST" => self.answer(&path, &call.body),
            // Some want to know which models there are.
            _ => Body {
                content_type: "application/json",
                text: json!({"data": [], "models": [], "object": "list"}).to_string(),
            },
        });
        http::write(stream, &call.method, body.as_ref())
    }

    fn answer(&self, path: &str, body: &[u8]) -> Body {
        let protocol = protocol::of(self.headless.api);
        if !protocol.is_question(path) {
            return Body { content_type: "application/json", text: "{}".to_owned() };
        }
        let request: Value = serde_json::from_slice(body).unwrap_or_default();
        let read = protocol.read(&request);
        let is_offered = |shell: &&(&str, &str)| read.tools.iter().any(|tool| tool == shell.0);
        let shell = self.headless.shells.iter().find(is_offered);
        self.note(shell.is_some(), &read.results);
        let command = self.script.commands.get(read.results.len());
        let say = match (shell, command) {
            (Some((tool, parameter)), Some(command)) => {
                let arguments = json!({*parameter: command, "description": "try the hook"});
                Say::Call(read.results.len(), tool, arguments)
            }
            // At its end, or where it is asked for a title and is offered no tool.
            _ => Say::Text(END),
        };
        protocol.write(path, &request, &say)
    }

    fn note(&self, has_shell: bool, results: &[String]) {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        talk.questions += 1;
        talk.has_shell |= has_shell;
        let commands = self.script.commands.len();
        if has_shell {
            talk.asked = talk.asked.max(commands.min(results.len() + 1));
        }
        let last = results.get(commands - 1);
        talk.was_told |= last.is_some_and(|result| result.contains(&self.script.reason));
    }
}
