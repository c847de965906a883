//! The tool server: the Model Context Protocol in, answers of a [`Toolbox`] out.
//!
//! Types of the protocol stay in this crate, and what the tools do is none of its business. Nothing here writes to
//! standard output but the protocol.
#![forbid(unsafe_code)]

mod http;
mod lines;
mod server;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::ServiceExt;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use lines::Lines;
use server::Server;

/// Longer lines are answered as if they were no JSON.
pub const MAX_LINE: usize = 4 << 20;

/// The stack of the threads that answer: rule files are compiled there.
const STACK_BYTES: usize = 8 << 20;

/// A tool, as clients see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, for models.
    pub description: &'static str,
    /// The JSON Schema of its arguments, an object.
    pub input: Value,
    /// The JSON Schema of what it returns where nothing goes wrong.
    pub output: Value,
    /// Whether it changes nothing.
    pub is_read_only: bool,
}

/// A text that clients may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its address.
    pub uri: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is, for models.
    pub description: &'static str,
    /// Its media type.
    pub mime_type: &'static str,
}

/// What a tool answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The structured result, an object.
    pub result: Value,
    /// Whether that is what went wrong.
    pub is_error: bool,
}

/// What is served. There is one call at a time, each on a thread of its own.
pub trait Toolbox: Send + Sync + 'static {
    /// What models are told about the whole.
    fn instructions(&self) -> String;
    /// The tools.
    fn tools(&self) -> Vec<Tool>;
    /// Calls a tool; `None` where there is none of that name.
    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Option<Answer>;
    /// The texts.
    fn resources(&self) -> Vec<Resource>;
    /// Returns a text, or why it cannot be had; `None` where there is none of that address.
    fn read(&self, uri: &str) -> Option<Result<String, String>>;
}

/// Serves one client on standard input and output, until it closes the input.
///
/// # Errors
/// When the server cannot be started.
pub fn serve_stdio(toolbox: Arc<dyn Toolbox>) -> io::Result<()> {
    let runtime = runtime()?;
    let ended = runtime.block_on(serve(toolbox, tokio::io::stdin(), tokio::io::stdout()));
    // A read of standard input may still be blocked; nobody waits for it.
    runtime.shutdown_background();
    ended
}

/// Serves clients on an address of this machine, until the process ends. Each request has to bring the token.
/// `started` is told the address, whose port the system chose if it was 0.
///
/// # Errors
/// When the address is not one of the loopback interface, or cannot be had.
pub fn serve_http(
    toolbox: Arc<dyn Toolbox>,
    address: SocketAddr,
    token: String,
    started: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    if !address.ip().is_loopback() {
        let message = format!("`{address}` can be reached from other machines: use `127.0.0.1`");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    runtime()?.block_on(http::serve(toolbox, address, token, started))
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .thread_stack_size(STACK_BYTES)
        .enable_io()
        .enable_time()
        .build()
}

/// Serves one client on any pair of streams. Must run inside a tokio runtime.
///
/// # Errors
/// None where the client only left.
pub async fn serve<I, O>(toolbox: Arc<dyn Toolbox>, input: I, output: O) -> io::Result<()>
where
    I: AsyncRead + Send + Unpin + 'static,
    O: AsyncWrite + Send + Unpin + 'static,
{
    let Ok(running) = Server::new(toolbox).serve(Lines::new(input, output, MAX_LINE)).await else {
        // A client that leaves before it has begun is none.
        return Ok(());
    };
    running.waiting().await.map(|_| ()).map_err(io::Error::other)
}
