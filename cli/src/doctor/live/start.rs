//! Starts a program in a group of processes of its own, waits for it, and ends all of the group: at its end, when its
//! time is over, or when the user wants that. Of what it prints the end is kept. Knows no agent.

use std::collections::VecDeque;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::super::trial::kill;
use crate::{interrupt, project};

/// How often it is looked whether the program has ended.
const TICK: Duration = Duration::from_millis(20);
/// So much of what it prints is kept.
const MAX_OUTPUT: usize = 16 << 10;
/// How long its last words are waited for: what it left running may hold its output open.
const DRAIN: Duration = Duration::from_millis(300);

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It could not be started, for this reason.
    NotStarted(String),
    /// By itself, with this exit code; `None` where a signal ended it.
    Exited(Option<i32>),
    /// Its time was over.
    TimedOut,
    /// The user broke it off.
    Interrupted,
}

/// What a run came to.
pub struct Ran {
    pub ended: Ended,
    /// The end of what it printed.
    pub output: String,
}

/// The end of what is printed.
type Tail = Arc<Mutex<VecDeque<u8>>>;

/// Runs a program, for so long at most.
pub fn run(process: &mut Command, limit: Duration) -> Ran {
    process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(process, 0);
    let mut child = match process.spawn() {
        Ok(child) => child,
        Err(error) => {
            let ended = Ended::NotStarted(project::describe(&error));
            return Ran { ended, output: String::new() };
        }
    };
    let tail = Tail::default();
    let readers = [
        child.stdout.take().map(|pipe| keep(pipe, &tail)),
        child.stderr.take().map(|pipe| keep(pipe, &tail)),
    ];
    let ended = wait(&mut child, Instant::now() + limit);
    // What it started does not outlive it.
    kill(&mut child);
    let patience = Instant::now() + DRAIN;
    while readers.iter().flatten().any(|reader| !reader.is_finished()) && Instant::now() < patience
    {
        std::thread::sleep(TICK);
    }
    let bytes: Vec<u8> =
        tail.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
    Ran { ended, output: String::from_utf8_lossy(&bytes).into_owned() }
}

fn wait(child: &mut Child, deadline: Instant) -> Ended {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ended::Exited(status.code()),
            Ok(None) if interrupt::is_wanted() => return Ended::Interrupted,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(TICK),
            Ok(None) => return Ended::TimedOut,
            Err(error) => return Ended::NotStarted(project::describe(&error)),
        }
    }
}

fn keep(mut pipe: impl Read + Send + 'static, tail: &Tail) -> std::thread::JoinHandle<()> {
    let tail = Arc::clone(tail);
    std::thread::spawn(move || {
        let mut part = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut part) {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend(part.get(..count).unwrap_or_default());
            let surplus = tail.len().saturating_sub(MAX_OUTPUT);
            tail.drain(..surplus);
        }
    })
}
