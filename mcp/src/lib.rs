//! The tool server: the Model Context Protocol in, answers of a [`Toolbox`] out.
//!
//! Types of the protocol stay in this crate, and what the tools do is none of its business. Nothing here writes to
//! standard output but the protocol.
#![forbid(unsafe_code)]

mod http;
mod lines;
mod server;
mod toolbox;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};

use lines::Lines;
pub use lines::MAX_LINE;
use server::Server;
pub use toolbox::{Answer, Resource, Tool, Toolbox};

/// The stack of the threads that answer: rule files are compiled there.
const STACK_BYTES: usize = 8 << 20;

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
