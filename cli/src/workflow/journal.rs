//! The journal of a run: what has happened, a JSON object a line. A line is written and on disk before anything follows
//! from it, so that a run goes on from its journal alone, wherever it broke off.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use behavior_runtime::workflow::{Oversight, Resumption, StepEnd};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::live::store::{private, regular, turn};
use crate::project::open_own;
use crate::render::one_line;

/// The version of the lines.
pub const VERSION: u32 = 1;
/// Journals longer than this are not read.
const MAX_LENGTH: u64 = 256 << 20;
/// The name of the journal in the folder of its run.
const JOURNAL: &str = "journal.jsonl";
/// The name of the file that is locked while a process works on the run.
const LOCK: &str = "lock";

/// What has happened.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Entry {
    /// The run began.
    WorkflowStart {
        /// The version of the lines.
        version: u32,
        /// The run's id.
        run: String,
        /// The name of the workflow.
        workflow: String,
        /// What it was started with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
        /// The risk at which it pauses, in hundredths.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pause_at: Option<u32>,
        /// When, in milliseconds since the epoch.
        ts: i64,
    },
    /// A step ended.
    StepEnd(Ended),
    /// Somebody let the run go on.
    #[serde(alias = "resume")]
    WorkflowResume {
        /// How.
        #[serde(with = "how")]
        how: Resumption,
        /// When, in milliseconds since the epoch.
        ts: i64,
    },
}

/// A step that ended.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Ended {
    /// Its index.
    pub step: u32,
    /// The agent that ran.
    pub agent: String,
    /// How deep it was inserted; 0 for a step of the template.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// Whether it succeeded.
    pub ok: bool,
    /// What it said, without secrets; its end, where that is long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Its control file, where it left one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Why its control file cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_error: Option<String>,
    /// What came of oversight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oversight: Option<Overseen>,
    /// When, in milliseconds since the epoch.
    pub ts: i64,
    /// How long it took, in milliseconds.
    pub took: u64,
    /// What follows, for those who read the journal. What counts is what follows from the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What came of oversight.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Overseen {
    /// The advice.
    Advice(String),
    /// Why there is none.
    Error(String),
}

impl Overseen {
    /// What came of it, in one line for people.
    #[must_use]
    pub fn in_words(&self) -> String {
        /// So much of an advice is told.
        const MAX_ADVICE: usize = 2000;
        match self {
            Self::Advice(advice) => {
                let start: String = advice.chars().take(MAX_ADVICE).collect();
                format!("advice: {}", one_line(&start))
            }
            Self::Error(error) => format!("there is no advice: {}", one_line(error)),
        }
    }
}

/// How somebody let a run go on, by its name in events.
mod how {
    use behavior_runtime::workflow::Resumption;
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
    pub fn serialize<S: Serializer>(how: &Resumption, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(how.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Resumption, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || de::Error::custom(format!("unknown `how` `{name}`"));
        Resumption::named(&name).ok_or_else(unknown)
    }
}

impl Ended {
    /// Returns what the runtime is told of it.
    #[must_use]
    pub fn as_event(&self) -> StepEnd<'_> {
        StepEnd {
            step: self.step,
            agent: Some(self.agent.as_str().into()),
            ok: self.ok,
            output: Some(self.output.as_str().into()),
            control: self.control.as_deref().map(Into::into),
            unreadable: self.control_error.as_deref().map(Into::into),
            oversight: self.oversight.as_ref().map(|overseen| match overseen {
                Overseen::Advice(advice) => Oversight::Advice(advice.as_str().into()),
                Overseen::Error(error) => Oversight::Failed(error.as_str().into()),
            }),
        }
    }
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is no such run.
    #[error("there is no run `{0}`")]
    Unknown(String),
    /// Another process works on it.
    #[error("the run `{0}` is going on in another process: wait until that has ended, or end it")]
    Busy(String),
    /// The system refuses.
    #[error("cannot work on the run `{id}`: {}", crate::project::describe(error))]
    Io { id: String, error: io::Error },
    /// Something removed it while the run went on.
    #[error(
        "the journal of the run `{0}` is not there any more: something in the workspace has removed or moved \
         `.behavior/runs`, so that this run cannot go on"
    )]
    Gone(String),
    /// A line in the middle is not one of a journal.
    #[error("the journal of the run `{id}` is damaged in line {line}: {reason}")]
    Damaged { id: String, line: usize, reason: String },
}

/// A journal that this process alone writes to.
#[derive(Debug)]
pub struct Journal {
    id: String,
    folder: PathBuf,
    file: File,
    /// Locked as long as it is open.
    _lock: File,
}

impl Journal {
    /// Begins a run in a new folder.
    ///
    /// # Errors
    /// When the folder is there already, or cannot be written.
    pub fn create(folder: &Path, id: &str) -> Result<Self, JournalError> {
        let failed = |error| JournalError::Io { id: id.to_owned(), error };
        let runs = folder.parent().unwrap_or(folder);
        fs::create_dir_all(runs).map_err(failed)?;
        keep_out_of_git(runs.parent().unwrap_or(runs)).map_err(failed)?;
        create_folder(folder).map_err(failed)?;
        let lock = lock(folder, id)?;
        let file = options().create_new(true).open(folder.join(JOURNAL)).map_err(failed)?;
        Ok(Self { id: id.to_owned(), folder: folder.to_owned(), file, _lock: lock })
    }

    /// Takes a run up again: what has happened, and the journal to write on. What was written by half is dropped.
    ///
    /// # Errors
    /// When there is no such run, another process works on it, or its journal is damaged.
    pub fn open(folder: &Path, id: &str) -> Result<(Self, Vec<Entry>), JournalError> {
        let failed = |error| JournalError::Io { id: id.to_owned(), error };
        if !folder.is_dir() {
            return Err(JournalError::Unknown(id.to_owned()));
        }
        let lock = lock(folder, id)?;
        let (entries, length) = read(folder, id)?;
        let mut file = options().open(folder.join(JOURNAL)).and_then(regular).map_err(failed)?;
        file.set_len(length).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((Self { id: id.to_owned(), folder: folder.to_owned(), file, _lock: lock }, entries))
    }

    /// Whether the file that is open is still the one of the run's name: a step may have removed it.
    #[cfg(unix)]
    fn is_there(&self) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let open = self.file.metadata()?;
        let named = fs::symlink_metadata(self.folder.join(JOURNAL));
        Ok(named.is_ok_and(|named| (named.dev(), named.ino()) == (open.dev(), open.ino())))
    }

    #[cfg(not(unix))]
    fn is_there(&self) -> io::Result<bool> {
        Ok(true)
    }

    /// Returns the folder of the run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the run's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Writes what has happened; it is on disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written. Nothing may follow from it then.
    pub fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let failed = |error| JournalError::Io { id: self.id.clone(), error };
        let mut line = serde_json::to_vec(entry).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        if !self.is_there().map_err(failed)? {
            return Err(JournalError::Gone(self.id.clone()));
        }
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(failed)
    }
}

/// Lets git pass over what is kept of runs: it is nobody else's, and what cleans the work tree leaves it alone.
fn keep_out_of_git(folder: &Path) -> io::Result<()> {
    let created = options().create_new(true).open(folder.join(".gitignore"));
    match created {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the folder of a run, which is its user's alone: it holds what was said.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// How files of runs are opened: no link is followed, and no pipe is waited for.
fn options() -> OpenOptions {
    let mut options = private();
    options.read(true).write(true);
    options
}

fn lock(folder: &Path, id: &str) -> Result<File, JournalError> {
    let failed = |error| JournalError::Io { id: id.to_owned(), error };
    let file = options().create(true).truncate(false).open(folder.join(LOCK));
    let locked = file.and_then(regular).and_then(|file| turn::wait_for(file, Duration::ZERO));
    locked.map_err(failed)?.ok_or_else(|| JournalError::Busy(id.to_owned()))
}

/// Returns whether a process works on a run now.
#[must_use]
pub fn is_busy(folder: &Path) -> bool {
    open_own(&folder.join(LOCK))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

/// Reads what has happened in a run, and how many bytes of its journal say it.
///
/// # Errors
/// When there is no such run, or its journal is damaged.
pub fn read(folder: &Path, id: &str) -> Result<(Vec<Entry>, u64), JournalError> {
    let failed = |error| JournalError::Io { id: id.to_owned(), error };
    let file = match open_own(&folder.join(JOURNAL)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(JournalError::Unknown(id.to_owned()));
        }
        Err(error) => return Err(failed(error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_LENGTH).read_to_end(&mut bytes).map_err(failed)?;
    let (mut entries, mut length) = (Vec::new(), 0);
    for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        // The process was ended while it wrote.
        if !line.ends_with(b"\n") {
            break;
        }
        let entry = serde_json::from_slice(line).map_err(|error| JournalError::Damaged {
            id: id.to_owned(),
            line: number + 1,
            reason: error.to_string(),
        })?;
        entries.push(entry);
        length += line.len() as u64;
    }
    Ok((entries, length))
}
