//! `behavior log forward`: sends the lines of the audit log to where the user or the administrator wants them. No hook
//! does, and no hook waits for it: this is a command of its own, once or as long as it is let run.

mod http;
mod otlp;
mod settings;
mod severity;
mod sink;
mod syslog;
mod unsent;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use self::settings::Target;
use self::unsent::{Cursor, Unsent, unsent};
use super::opened::{Opened, open_all};
use crate::args::LogForwardArgs;
use crate::live::audit::FILE;
use crate::live::store::{create_private, private, regular};
use crate::report::counted;
use crate::terminal::{Exit, Failure, Terminal};

/// Where it is kept how far each target is, in the state directory; and the file that is locked meanwhile.
const CURSORS: &str = "forward.json";
const LOCK: &str = "forward.lock";
/// So many lines are sent at once.
const BATCH: usize = 500;
/// How often a log that is followed is looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// After a failure, a target is tried again after a pause that grows from this up to that.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Runs the command.
///
/// # Errors
/// When nothing says where to send the log, another process sends it, or it cannot be read.
pub fn run(args: &LogForwardArgs, state: &Path, terminal: &Terminal) -> Result<Exit, Failure> {
    let targets = settings::targets()?;
    let mut forwarding = Forwarding::begin(state, terminal)?;
    if args.dry_run {
        return forwarding.show(&targets);
    }
    let mut ways: Vec<Way> = targets.into_iter().map(Way::new).collect();
    let mut has_failed = false;
    let mut before = None;
    loop {
        let now = look(state);
        for way in &mut ways {
            if (before != now || way.has_failed()) && way.is_due() {
                has_failed |= !forwarding.forward(way)?;
            }
        }
        if !args.follow {
            return Ok(if has_failed { Exit::Invalid } else { Exit::Clean });
        }
        before = now;
        std::thread::sleep(PAUSE);
    }
}

/// Why a target does not take lines. What the system says is put as elsewhere; ours stays as it is.
fn reason(error: &std::io::Error) -> String {
    match error.get_ref() {
        Some(own) => own.to_string(),
        None => crate::project::describe(error),
    }
}

/// What tells that lines came.
fn look(state: &Path) -> Option<(u64, std::time::SystemTime)> {
    let metadata = std::fs::metadata(state.join(FILE)).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// A target, and how it went.
struct Way {
    target: Target,
    /// When to try again, and how long to wait after the next failure.
    retry: Option<(Instant, Duration)>,
}

impl Way {
    fn new(target: Target) -> Self {
        Self { target, retry: None }
    }

    fn has_failed(&self) -> bool {
        self.retry.is_some()
    }

    fn is_due(&self) -> bool {
        self.retry.is_none_or(|(when, _)| Instant::now() >= when)
    }

    /// Notes a failure; says whether it is the first one in a row.
    fn fail(&mut self) -> bool {
        let pause = self.retry.map_or(FIRST_PAUSE, |(_, pause)| pause);
        self.retry.replace((Instant::now() + pause, (pause * 2).min(MAX_PAUSE))).is_none()
    }
}

/// How far each target is, by its name.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Cursors {
    version: u32,
    targets: BTreeMap<String, Cursor>,
}

/// What this process alone does while it has the lock.
struct Forwarding<'a> {
    state: &'a Path,
    terminal: &'a Terminal,
    path: PathBuf,
    cursors: Cursors,
    _lock: File,
}

impl<'a> Forwarding<'a> {
    fn begin(state: &'a Path, terminal: &'a Terminal) -> Result<Self, Failure> {
        let failed = |path: &Path, error: &std::io::Error| {
            let reason = crate::project::describe(error);
            Failure::Message(format!("cannot use `{}`: {reason}", path.display()))
        };
        let path = state.join(LOCK);
        let open =
            || private().write(true).create(true).truncate(false).open(&path).and_then(regular);
        let lock =
            create_private(state).and_then(|()| open()).map_err(|error| failed(&path, &error))?;
        if lock.try_lock().is_err() {
            return Err(Failure::Message("another `behavior log forward` is at work".to_owned()));
        }
        let path = state.join(CURSORS);
        let cursors = match crate::project::read_own(&path, 1 << 20) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| {
                let message = "is damaged: remove it to send all lines again";
                Failure::Message(format!("`{}` {message}", path.display()))
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Cursors::default(),
            Err(error) => return Err(failed(&path, &error)),
        };
        Ok(Self { state, terminal, path, cursors, _lock: lock })
    }

    fn cursor(&self, target: &Target) -> Cursor {
        self.cursors.targets.get(&target.name()).cloned().unwrap_or_default()
    }

    fn unsent(&self, target: &Target) -> Result<Unsent, Failure> {
        let (opened, _) = open_all(self.state, None)?;
        unsent(opened.into_iter().rev().map(Opened::read), &self.cursor(target))
    }

    /// Shows what would be sent.
    fn show(&self, targets: &[Target]) -> Result<Exit, Failure> {
        for target in targets {
            let unsent = self.unsent(target)?;
            let lines = counted(unsent.records.len(), "line");
            self.terminal.note(&format!("{lines} for {}", target.name()));
            for record in &unsent.records {
                self.terminal.print(&format!("{}\n", record.fields))?;
            }
        }
        Ok(Exit::Clean)
    }

    /// Sends what was not sent yet; says whether the target took it.
    fn forward(&mut self, way: &mut Way) -> Result<bool, Failure> {
        let unsent = self.unsent(&way.target)?;
        let name = way.target.name();
        if unsent.is_gone {
            let n = self.cursor(&way.target).n;
            self.terminal.note(&format!(
                "line number {n}, the last one that was sent to {name}, is not in the log any more: what is there is \
                 sent, and lines between may be missing"
            ));
        }
        for batch in unsent.records.chunks(BATCH) {
            if let Err(error) = sink::send(&way.target, batch, self.terminal)? {
                if way.fail() {
                    let reason = reason(&error);
                    self.terminal.error(&format!("{name} does not take the log: {reason}"));
                }
                return Ok(false);
            }
            if let Some(last) = batch.last() {
                self.keep(&name, last.cursor.clone())?;
            }
        }
        way.retry = None;
        self.keep(&name, unsent.end)?;
        Ok(true)
    }

    /// Keeps how far a target is.
    fn keep(&mut self, name: &str, cursor: Cursor) -> Result<(), Failure> {
        if self.cursors.targets.get(name) == Some(&cursor) {
            return Ok(());
        }
        self.cursors.version = 1;
        self.cursors.targets.insert(name.to_owned(), cursor);
        let text = serde_json::to_vec(&self.cursors).unwrap_or_default();
        let failed = |error: std::io::Error| {
            let reason = crate::project::describe(&error);
            Failure::Message(format!("cannot write `{}`: {reason}", self.path.display()))
        };
        crate::atomic::write(&self.path, &text).map_err(failed)
    }
}
