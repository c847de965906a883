//! Sends lines to a target. A batch counts as sent when all of it is; what fails is sent again, so a line may come twice.

use behavior_json::plain::escaped;
use std::io::{self, Write};
use std::path::Path;

use super::settings::Target;
use super::unsent::Record;
use super::{http, otlp, syslog};
use crate::live::store::{private, regular};
use crate::terminal::{Failure, Terminal};

/// Sends a batch.
///
/// # Errors
/// When it cannot be written to standard output: then nothing more can be done. `Ok(Err(…))` is why the target did not
/// take it.
pub fn send(
    target: &Target,
    batch: &[Record],
    terminal: &Terminal,
) -> Result<io::Result<()>, Failure> {
    match target {
        Target::Stdout => {
            terminal.print(&escaped(&lines(batch)))?;
            Ok(Ok(()))
        }
        Target::Syslog(socket) => Ok(to_syslog(socket, batch)),
        Target::OtlpFile(path) => Ok(to_file(path, &otlp::line(batch))),
        Target::Http { url, token_env } => Ok(http::post(url, token_env.as_deref(), &lines(batch))),
    }
}

fn lines(batch: &[Record]) -> String {
    batch.iter().map(|record| format!("{}\n", record.fields)).collect()
}

#[cfg(unix)]
fn to_syslog(path: &Path, batch: &[Record]) -> io::Result<()> {
    /// How long the system's log may take for a message.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);
    let socket = std::os::unix::net::UnixDatagram::unbound()?;
    socket.connect(path)?;
    socket.set_write_timeout(Some(PATIENCE))?;
    let process = std::process::id();
    batch.iter().try_for_each(|record| {
        socket.send(syslog::message(&record.fields, process).as_bytes()).map(|_| ())
    })
}

#[cfg(not(unix))]
fn to_syslog(_: &Path, _: &[Record]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Appends to a file that nobody else can read, and waits until it is on the disk.
fn to_file(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private().append(true).create(true).open(path).and_then(regular)?;
    let length = file.metadata()?.len();
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    if written.is_err() {
        // Half a line would spoil the next one.
        let _ = file.set_len(length);
    }
    written
}
