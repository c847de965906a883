//! Runs the commands of plans that stay inside of the workspace.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::confinement::Confinement;
use super::files::{Done, text};
use crate::{live, orphan, project};

/// Commands end after so long where nobody says otherwise, in milliseconds.
const USUAL_TIME: u64 = 120_000;
/// No command may take longer, in milliseconds.
const MAX_TIME: u64 = 600_000;
/// So much output is kept of a command, and no more.
const MAX_OUTPUT: u64 = 1 << 20;
/// So long is waited for the output of what a command left running.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Runs commands that stay inside.
pub struct Shell {
    confinement: Confinement,
    root: PathBuf,
}

impl Shell {
    /// Confines commands to a directory.
    ///
    /// # Errors
    /// When our own rules do not compile, which is a mistake in this program.
    pub fn new(root: &Path) -> Result<Self, String> {
        Ok(Self { confinement: Confinement::to(root)?, root: root.to_owned() })
    }

    /// What commands may not do.
    pub fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// Runs a command line in the workspace.
    pub fn run(&self, params: &Map<String, Value>) -> Done {
        let line = text(params, "command")?;
        if let Some(refusal) = self.confinement.refusal(line) {
            return Err(format!("not run: {refusal}"));
        }
        let time = match params.get("timeout") {
            None => USUAL_TIME,
            Some(value) => {
                value.as_u64().ok_or("`timeout` is no whole number of milliseconds")?.min(MAX_TIME)
            }
        };
        run(line, &self.root, Duration::from_millis(time))
    }
}

fn run(line: &str, root: &Path, time: Duration) -> Done {
    let mut command = Command::new("bash");
    // As a privileged shell it takes nothing from its environment that gives the line another meaning: neither a script
    // to run before it, nor functions, options or `CDPATH`.
    command.args(["--noprofile", "--norc", "-p", "-c", line]).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mark = format!("plan-{}-{}", std::process::id(), live::now());
    command.env(orphan::MARK, &mark);
    // All that it starts can be ended with it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .map_err(|error| format!("`bash` cannot be started: {}", project::describe(&error)))?;
    let (output, errors) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let deadline = Instant::now() + time;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => break None,
            Err(error) => return Err(project::describe(&error)),
        }
    };
    orphan::end(child.id());
    let _ = child.wait();
    // Of what takes too long, nothing goes on in another group either.
    if status.is_none() {
        orphan::end_marked(&format!("{}={mark}", orphan::MARK));
    }
    let (output, errors) = (said(&output), said(&errors));
    let both = match (output.is_empty(), errors.is_empty()) {
        (_, true) => output,
        (true, false) => errors,
        (false, false) => format!("{}\n{errors}", output.trim_end_matches('\n')),
    };
    match status {
        Some(status) if status.success() => Ok(Value::from(both)),
        Some(status) => Err(format!("{status}{}", behind(&both))),
        None => Err(format!("it did not end within {} ms{}", time.as_millis(), behind(&both))),
    }
}

/// What a command said, behind what became of it.
fn behind(output: &str) -> String {
    match output.trim() {
        "" => String::new(),
        output => format!(": {output}"),
    }
}

/// Reads an output in the background, so that neither fills up.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; 64 << 10];
        let mut left = usize::try_from(MAX_OUTPUT).unwrap_or(usize::MAX);
        while let Ok(count @ 1..) = pipe.read(&mut chunk) {
            // What is beyond is read, so that its writer goes on, and dropped.
            let kept = count.min(left);
            left -= kept;
            if kept > 0 {
                let _ = sender.send(chunk.get(..kept).unwrap_or_default().to_vec());
            }
        }
    };
    let _ = std::thread::Builder::new().spawn(read);
    receiver
}

/// What was read, cut where it is too long. Who keeps the pipe open is not waited for.
fn said(receiver: &Receiver<Vec<u8>>) -> String {
    let deadline = Instant::now() + LAST_WORDS;
    let mut all = Vec::new();
    while let Ok(chunk) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    {
        let left = usize::try_from(MAX_OUTPUT).unwrap_or(usize::MAX).saturating_sub(all.len());
        all.extend(chunk.iter().take(left));
    }
    String::from_utf8_lossy(&all).into_owned()
}
