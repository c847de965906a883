//! A server of models on this machine that does what a script says, and keeps what it was asked.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test support: a failure here fails the test, and no test uses all of it"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Act {
    /// It answers with this text as a model would, by the protocol of the path.
    Say(String),
    /// It answers with a status, headers and a body.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// It waits before it does the other thing.
    Wait(Duration, Box<Act>),
    /// It closes the connection at once.
    Cut,
    /// It closes the connection in the midst of the body.
    CutBody,
    /// It sends a body a byte at a time, with a pause after each.
    Drip(Duration),
    /// It sends a head that never ends, a byte at a time.
    DripHead(Duration),
    /// It sends a body of so many bytes.
    Huge(u64),
}

impl Act {
    pub fn say(text: &str) -> Self {
        Act::Say(text.to_owned())
    }

    pub fn status(status: u16) -> Self {
        Act::Answer(status, Vec::new(), b"{\"error\":\"no\"}".to_vec())
    }

    pub fn body(body: &[u8]) -> Self {
        Act::Answer(200, Vec::new(), body.to_vec())
    }

    pub fn after(milliseconds: u64, act: Act) -> Self {
        Act::Wait(Duration::from_millis(milliseconds), Box::new(act))
    }
}

/// What a request said.
#[derive(Clone, Debug)]
pub struct Asked {
    pub path: String,
    /// The whole head.
    pub head: String,
    pub body: Value,
}

/// A server that lives as long as the test.
pub struct Server {
    pub address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Starts one that does one thing after the other; the last again and again.
    pub fn start(script: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, seen) = (script.clone(), Arc::clone(&seen));
                thread::spawn(move || serve(stream, &script, &seen));
            }
        });
        Self { address, asked }
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, script: &[Act], seen: &Mutex<Vec<Asked>>) {
    let Some(asked) = read(&stream) else { return };
    let path = asked.path.clone();
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(asked);
        seen.len() - 1
    };
    let act = script.get(number).or(script.last()).cloned().unwrap();
    // Whoever asked may be gone.
    let _ = perform(&mut stream, &path, act);
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let path = head.split(' ').nth(1)?.to_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Asked { path, head, body })
}

fn perform(stream: &mut TcpStream, path: &str, act: Act) -> std::io::Result<()> {
    match act {
        Act::Say(text) => {
            let body = match path.ends_with("/messages") {
                true => json!({
                    "content": [{"type": "text", "text": text}],
                    "usage": {"input_tokens": 11, "output_tokens": 7},
                }),
                false => json!({
                    "choices": [{"message": {"role": "assistant", "content": text}}],
                    "usage": {"prompt_tokens": 11, "completion_tokens": 7},
                }),
            };
            answer(stream, 200, &[], body.to_string().as_bytes())
        }
        Act::Answer(status, headers, body) => answer(stream, status, &headers, &body),
        Act::Wait(time, act) => {
            thread::sleep(time);
            perform(stream, path, *act)
        }
        Act::Cut => Ok(()),
        Act::CutBody => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\"")
        }
        Act::Drip(pause) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")?;
            drip(stream, b" ", pause)
        }
        Act::DripHead(pause) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            drip(stream, b"x", pause)
        }
        Act::Huge(bytes) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {bytes}\r\n\r\n");
            stream.write_all(head.as_bytes())?;
            let chunk = vec![b' '; 1 << 16];
            let mut left = bytes;
            while left > 0 {
                let count = left.min(chunk.len() as u64);
                stream.write_all(chunk.get(..usize::try_from(count).unwrap()).unwrap_or(&chunk))?;
                left -= count;
            }
            Ok(())
        }
    }
}

fn drip(stream: &mut TcpStream, byte: &[u8], pause: Duration) -> std::io::Result<()> {
    loop {
        stream.write_all(byte)?;
        stream.flush()?;
        thread::sleep(pause);
    }
}

fn answer(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&'static str, String)],
    body: &[u8],
) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("connection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}
