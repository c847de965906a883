//! Lines of a client that are no JSON: they are answered, too, so that nobody waits for an answer in vain. The protocol
//! asks for an error with the code -32700 and the id `null`.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;

use rmcp::model::ErrorData;
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::mpsc;

/// Longer lines are answered as if they were no JSON.
pub const MAX_LINE: usize = 4 << 20;

/// Bytes between who reads lines and who reads messages.
const BETWEEN: usize = 1 << 16;

/// So many lines wait to be answered before no more is read.
const WAITING: usize = 16;

/// Takes messages from a client and answers lines that are none.
pub struct Lines<O: AsyncWrite> {
    messages: AsyncRwTransport<RoleServer, DuplexStream, O>,
    /// Comes once for each line that is no JSON.
    unread: mpsc::Receiver<()>,
}

impl<O: AsyncWrite + Send + Unpin + 'static> Lines<O> {
    /// Takes lines of so many bytes at most. Must run inside a tokio runtime.
    pub fn new(input: impl AsyncRead + Send + Unpin + 'static, output: O, longest: usize) -> Self {
        let (to_messages, from_lines) = tokio::io::duplex(BETWEEN);
        let (tell, unread) = mpsc::channel(WAITING);
        tokio::spawn(hand_on(input, longest, to_messages, tell));
        // Longer lines come no further than here.
        let messages =
            AsyncRwTransport::new_server(from_lines, output).with_max_line_length(longest + 2);
        Self { messages, unread }
    }
}

impl<O: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<O> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.messages.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Self { messages, unread } = self;
            let next = {
                let mut receive = pin!(messages.receive());
                poll_fn(|context| match unread.poll_recv(context) {
                    Poll::Ready(Some(())) => Poll::Ready(None),
                    _ => receive.as_mut().poll(context).map(Some),
                })
                .await
            };
            if let Some(message) = next {
                return message;
            }
            let error = ErrorData::parse_error("this line is no JSON", None);
            let answer = TxJsonRpcMessage::<RoleServer>::error(error, None);
            // Whoever asks for the next message may stop asking; an answer that is begun is written whole.
            tokio::spawn(self.messages.send(answer));
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.messages.close().await
    }
}

/// Hands on the lines of a client that are JSON, and tells of each other one, until the client closes its side.
async fn hand_on(
    input: impl AsyncRead + Unpin,
    longest: usize,
    mut messages: DuplexStream,
    unread: mpsc::Sender<()>,
) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    // A line that is too long is read to its end, and dropped.
    let mut is_too_long = false;
    loop {
        let available = match input.fill_buf().await {
            Ok([]) | Err(_) => return,
            Ok(available) => available,
        };
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(available.len(), |at| at + 1);
        is_too_long |= line.len() + taken > longest;
        if !is_too_long {
            line.extend_from_slice(available.get(..taken).unwrap_or_default());
        }
        input.consume(taken);
        if end.is_none() {
            continue;
        }
        // All of it is read: what only skips over values takes more for JSON than who reads them.
        let is_json = !is_too_long && serde_json::from_slice::<Value>(&line).is_ok();
        let is_blank = !is_too_long && line.iter().all(u8::is_ascii_whitespace);
        let is_open = match (is_blank, is_json) {
            (true, _) => true,
            (_, true) => messages.write_all(&line).await.is_ok(),
            (_, false) => unread.send(()).await.is_ok(),
        };
        if !is_open {
            return;
        }
        is_too_long = false;
        line.clear();
    }
}
