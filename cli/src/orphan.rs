//! Commands that outlive the process which ran them: it notes down what it runs, and whoever takes the run up again
//! ends what is left of that, so that no step is taken twice at the same time. What has left the group of its command is
//! known by a mark in its environment, where the system shows that.

use std::fs;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::project::open_own;

/// The variable of commands that says which run they belong to.
pub const MARK: &str = "BEHAVIOR_RUN";

/// No note of ours is longer, in bytes.
const MAX_LENGTH: u64 = 1 << 10;

/// What runs.
#[derive(Deserialize, Serialize)]
struct Note {
    /// The number of the process, and of its group.
    process: u32,
    /// When it was started, as the system counts: numbers of processes are used again.
    started: Option<u64>,
}

/// Notes down what runs. Without the note, nothing is ended later.
pub fn note(path: &Path, process: u32) {
    let note = Note { process, started: started(process) };
    if let Ok(text) = serde_json::to_vec(&note) {
        let _ = fs::write(path, text);
    }
}

/// Returns what stands in the environment of what runs, by the place of its note: the folder of the run.
pub fn mark_of(note: &Path) -> String {
    let run = note.parent().and_then(Path::file_name).unwrap_or_default();
    format!("{MARK}={}", run.display())
}

/// Forgets what ran.
pub fn forget(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Ends what a process that is gone left running.
pub fn clear(path: &Path) {
    let note = open_own(path).ok().map(|file| file.take(MAX_LENGTH));
    let note = note.and_then(|file| serde_json::from_reader::<_, Note>(file).ok());
    if let Some(note) = note {
        if note.started.is_some() && started(note.process) == note.started {
            end(note.process);
        }
        end_marked(&mark_of(path));
    }
    forget(path);
}

/// When a process was started, where the system tells.
#[cfg(target_os = "linux")]
fn started(process: u32) -> Option<u64> {
    const FIELD: usize = 19;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets, and may hold any character.
    let (_, behind) = stat.rsplit_once(')')?;
    behind.split_ascii_whitespace().nth(FIELD)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn started(_: u32) -> Option<u64> {
    None
}

/// Ends all processes with a mark in their environment, but for this one.
#[cfg(target_os = "linux")]
pub fn end_marked(mark: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    /// Processes that are started meanwhile are found the next time.
    const ROUNDS: u8 = 4;
    let own = std::process::id();
    for _ in 0..ROUNDS {
        let found = marked(mark).into_iter().filter(|process| process.unsigned_abs() != own);
        let ended = found.filter_map(Pid::from_raw).map(|pid| kill_process(pid, Signal::KILL));
        if ended.count() == 0 {
            break;
        }
    }
}

/// The processes of this user with a mark in their environment.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<i32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = processes.flatten().filter_map(|one| one.file_name().to_str()?.parse().ok());
    let bears = |process: &i32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == mark.as_bytes())
    };
    numbers.filter(bears).collect()
}

/// The system does not show the environment of processes.
#[cfg(not(target_os = "linux"))]
pub fn end_marked(_: &str) {}

/// Asks a group of processes to end.
#[cfg(unix)]
pub fn ask_to_end(group: u32) {
    signal(group, rustix::process::Signal::TERM);
}

/// Ends a group of processes.
#[cfg(unix)]
pub fn end(group: u32) {
    signal(group, rustix::process::Signal::KILL);
}

#[cfg(unix)]
fn signal(group: u32, signal: rustix::process::Signal) {
    let group = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may be gone already.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

/// There are no groups here that could be ended.
#[cfg(not(unix))]
pub fn ask_to_end(_: u32) {}

/// There are no groups here that could be ended.
#[cfg(not(unix))]
pub fn end(_: u32) {}
