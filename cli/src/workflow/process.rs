//! Runs the command of a step: feeds it its prompt, hands on what it prints, and ends it and what it started when its
//! time is over or the user wants that.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::agent_command::AgentCommand;
use crate::{interrupt, orphan};

/// How often it is looked whether the command has ended or the user wants it to.
const TICK: Duration = Duration::from_millis(10);
/// How long more of what a command has printed is waited for after it has ended and all that had come is handed on: what
/// it left running may hold its output open.
const DRAIN: Duration = Duration::from_millis(300);
/// So much is handed on after a command has ended, however much what it left running prints: more than pipes and our own
/// queue hold.
const MAX_LEFT: usize = 4 << 20;
/// So many parts wait to be handed on; whoever prints more waits.
const QUEUE: usize = 64;
/// How long a command has to end by itself once it is asked to.
const GRACE: Duration = Duration::from_secs(2);
/// So much is read at once.
const CHUNK: usize = 8 << 10;

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By itself, with this exit code; `None` where a signal ended it.
    Exited(Option<i32>),
    /// Its time was over.
    TimedOut,
    /// The user broke it off.
    Interrupted,
    /// It could not be started, for this reason.
    NotStarted(String),
}

/// Where something was printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// On standard output.
    Output,
    /// On standard error.
    Error,
}

/// Is handed what a command prints, and called about every tick with nothing.
pub type See<'s> = &'s mut dyn FnMut(Option<(Stream, &[u8])>);

/// Runs a command in a workspace. `see` is handed what it prints, and called about every tick with nothing. `note` is
/// the file that says what runs, while it does.
pub fn run(
    command: &AgentCommand,
    workspace: &Path,
    env: &[(&str, &Path)],
    note: &Path,
    see: See<'_>,
) -> Outcome {
    let mut child = match start(command, workspace, env) {
        Ok(child) => child,
        Err(error) => {
            let program = command.words.first().map_or("", String::as_str);
            let folder = workspace.join(&command.cwd);
            if !folder.is_dir() {
                let folder = crate::project::display(&command.cwd);
                return Outcome::NotStarted(format!("there is no folder `{folder}` to run it in"));
            }
            let reason = crate::project::describe(&error);
            return Outcome::NotStarted(format!("`{program}` cannot be started: {reason}"));
        }
    };
    orphan::note(note, child.id());
    let (sender, receiver) = sync_channel(QUEUE);
    let stdin = child.stdin.take();
    let prompt = command.stdin.clone().unwrap_or_default();
    // A command that reads nothing, or ends early, needs no prompt.
    std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(prompt.as_bytes())));
    let open = [
        child.stdout.take().map(|pipe| hand_on(pipe, Stream::Output, sender.clone())),
        child.stderr.take().map(|pipe| hand_on(pipe, Stream::Error, sender)),
    ];
    let deadline = command.timeout.map(|timeout| Instant::now() + timeout);
    let outcome = watch(&mut child, &receiver, open.iter().flatten().count(), deadline, see);
    if matches!(outcome, Outcome::TimedOut | Outcome::Interrupted) {
        orphan::end_marked(&orphan::mark_of(note));
    }
    orphan::forget(note);
    outcome
}

fn start(command: &AgentCommand, workspace: &Path, env: &[(&str, &Path)]) -> io::Result<Child> {
    let (program, arguments) = command.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut process = Command::new(program);
    process
        .args(arguments)
        .current_dir(workspace.join(&command.cwd))
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .envs(env.iter().copied())
        .stdin(if command.stdin.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // A group of its own, so that all of it can be ended, and the user's Ctrl-C comes to us alone.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    process.spawn()
}

/// What comes from a pipe; nothing at its end.
type Part = Option<(Stream, Vec<u8>)>;

fn hand_on(mut pipe: impl Read + Send + 'static, stream: Stream, sender: SyncSender<Part>) {
    std::thread::spawn(move || {
        let mut chunk = [0; CHUNK];
        loop {
            match pipe.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => {
                    let bytes = chunk.get(..count).unwrap_or_default().to_vec();
                    if sender.send(Some((stream, bytes))).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = sender.send(None);
    });
}

fn watch(
    child: &mut Child,
    parts: &Receiver<Part>,
    mut open: usize,
    deadline: Option<Instant>,
    see: See<'_>,
) -> Outcome {
    let mut exited = None;
    // What came since the command has ended, and since when nothing more comes.
    let (mut left, mut silent) = (0, None);
    loop {
        let tick = if open == 0 { TICK / 10 } else { TICK };
        let part = match open {
            0 => Err(RecvTimeoutError::Disconnected),
            _ => parts.recv_timeout(tick),
        };
        match part {
            Ok(Some((stream, bytes))) => {
                left += bytes.len();
                see(Some((stream, &bytes)));
            }
            Ok(None) => open -= 1,
            Err(RecvTimeoutError::Timeout) => {
                silent = silent.or(exited.is_some().then(Instant::now));
                see(None);
            }
            Err(RecvTimeoutError::Disconnected) => {
                if exited.is_none() {
                    std::thread::sleep(tick);
                    see(None);
                }
            }
        }
        if exited.is_none()
            && let Ok(Some(status)) = child.try_wait()
        {
            exited = Some(status.code());
            left = 0;
        }
        if let Some(code) = exited {
            let is_over = silent.is_some_and(|since: Instant| since.elapsed() > DRAIN);
            if open == 0 || is_over || left > MAX_LEFT {
                return Outcome::Exited(code);
            }
            continue;
        }
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || interrupt::is_wanted() {
            end(child);
            return if is_late { Outcome::TimedOut } else { Outcome::Interrupted };
        }
    }
}

/// Ends a command and what it started: first it is asked to.
fn end(child: &mut Child) {
    orphan::ask_to_end(child.id());
    let asked = Instant::now();
    while asked.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            break;
        }
        std::thread::sleep(TICK);
    }
    orphan::end(child.id());
    let _ = child.kill();
    let _ = child.wait();
}
