//! The language server: protocol in, answers of the compiler out.
//!
//! Each feature is a thin shell in a file of its own; what is said about rule files is said by
//! `behavior_compiler`. Types of the protocol stay in this crate. Nothing here writes to standard
//! output but the protocol.
#![forbid(unsafe_code)]

mod actions;
mod completion;
mod diagnostics;
mod formatting;
mod framing;
mod hierarchy;
mod hindsight;
mod hints;
mod hover;
mod lenses;
mod navigation;
mod opened;
mod overlay;
mod places;
mod reading;
mod renaming;
mod server;
mod settings;
mod structure;
mod symbols;
mod text;
mod tokens;
mod workspace;

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use behavior_compiler::SourceProvider;
use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

pub use hindsight::{
    Change, Glimpse, Hindsight, IsOver, Miss, NoRecordings, OfRule, Question, Recordings, Seen,
    Sessions, Spot, Told, Weight,
};

/// The stack of threads that compile: as large as that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// How many bytes of messages may wait between the two sides of the input.
const WAITING_BYTES: usize = 1 << 16;

/// How many requests may wait for their answers at a time.
const CONCURRENT_REQUESTS: usize = 32;

/// Serves one client on standard input and output, until it says `exit` or closes the input.
///
/// `provider` gives the files that are not open in the editor. `library` is a folder with copies of the standard
/// library's files, for people who want to see what is built in. `recordings` knows recorded sessions.
///
/// # Errors
/// When the runtime cannot be started, or the client left without asking for `shutdown`.
pub fn run<P>(
    provider: P,
    library: Option<String>,
    recordings: Arc<dyn Recordings>,
) -> io::Result<()>
where
    P: SourceProvider + Clone + Send + Sync + 'static,
{
    let runtime =
        tokio::runtime::Builder::new_current_thread().thread_stack_size(STACK_BYTES).build()?;
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    let ended = runtime.block_on(serve(provider, library, recordings, input, output));
    // A read of standard input may still be blocked; nobody waits for it.
    runtime.shutdown_background();
    ended
}

/// Serves one client on any pair of streams. Must run inside a tokio runtime.
///
/// # Errors
/// When the client left without asking for `shutdown`.
pub async fn serve<P, I, O>(
    provider: P,
    library: Option<String>,
    recordings: Arc<dyn Recordings>,
    input: I,
    output: O,
) -> io::Result<()>
where
    P: SourceProvider + Clone + Send + Sync + 'static,
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let (service, socket) = LspService::build(|client| {
        server::Backend::new(client, provider, library, recordings.clone())
    })
    .custom_method(framing::UNREADABLE, server::Backend::unreadable)
    .finish();
    let (readable, filtered) = tokio::io::duplex(WAITING_BYTES);
    let server = Server::new(filtered, output, socket).concurrency_level(CONCURRENT_REQUESTS);
    // An input that breaks ends the server as one that is closed does.
    // An `exit` close behind ends the server before the request is answered.
    let is_shut_down = AtomicBool::new(false);
    let meet = |method: &str| {
        is_shut_down.fetch_or(method == "shutdown", Ordering::Relaxed);
    };
    let relay = async { drop(framing::relay(input, readable, meet).await) };
    beside(relay, server.serve(service)).await;
    if is_shut_down.load(Ordering::Relaxed) {
        return Ok(());
    }
    let message = "the client left without asking the server to shut down";
    Err(io::Error::new(io::ErrorKind::ConnectionAborted, message))
}

/// Runs `side` as long as `main` runs.
async fn beside<T>(side: impl Future<Output = ()>, main: impl Future<Output = T>) -> T {
    let (mut side, mut main) = (pin!(side), pin!(main));
    let mut has_ended = false;
    poll_fn(|context| {
        has_ended = has_ended || side.as_mut().poll(context).is_ready();
        main.as_mut().poll(context)
    })
    .await
}
