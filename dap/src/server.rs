//! The loop around the adapter: messages in, one after the other, and work in slices between them, so that a pause is
//! heard while the rules decide on a long recording.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{TryRecvError, sync_channel};

use serde_json::Value;

use crate::adapter::{Adapter, Heard};
use crate::framing;
use crate::project::Project;

/// How many messages may wait.
const WAITING: usize = 16;

/// Serves one client until it disconnects or the input ends.
///
/// # Errors
/// When the input is not the protocol, or nobody reads the output any more.
pub fn serve<P: Project>(
    project: P,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let (sender, messages) = sync_channel::<io::Result<Vec<u8>>>(WAITING);
    // It may wait for input for ever; nobody waits for it.
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Some(message) = framing::read(&mut input).transpose() {
            let is_over = message.is_err();
            if sender.send(message).is_err() || is_over {
                return;
            }
        }
    });
    let mut adapter = Adapter::new(project);
    loop {
        let message = match adapter.is_running() {
            false => messages.recv().map_err(|_| TryRecvError::Disconnected),
            true => messages.try_recv(),
        };
        let heard = match message {
            Ok(message) => hear(&mut adapter, &message?),
            Err(TryRecvError::Empty) => {
                adapter.work();
                Heard::GoOn
            }
            Err(TryRecvError::Disconnected) if adapter.is_running() => {
                adapter.work();
                Heard::GoOn
            }
            Err(TryRecvError::Disconnected) => return Ok(()),
        };
        for message in adapter.take_messages() {
            framing::write(&mut output, &message)?;
        }
        if heard == Heard::Goodbye {
            return Ok(());
        }
    }
}

fn hear<P: Project>(adapter: &mut Adapter<P>, message: &[u8]) -> Heard {
    match serde_json::from_slice::<Value>(message) {
        Ok(message) => adapter.hear(&message),
        Err(_) => {
            adapter.say("a message of the client is not valid JSON, and was passed over");
            Heard::GoOn
        }
    }
}
