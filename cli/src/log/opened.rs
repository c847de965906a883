//! The files of the audit log, opened at one moment.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::live::audit::{self, FILE, Head};
use crate::live::secret_key::SecretKey;
use crate::live::store::{private, regular};
use crate::terminal::Failure;

/// A longer file is no log of ours: another one is begun at 16 MiB.
const MAX_LENGTH: u64 = 256 << 20;
/// How long to wait until no hook writes, so that all files are of one moment.
const WAIT: Duration = Duration::from_secs(2);

/// A file of the log.
#[derive(Debug)]
pub struct Opened {
    /// Its path.
    pub path: PathBuf,
    /// How often another one was begun since.
    pub age: u32,
    file: File,
}

/// Opens the files of the log in the state directory, the oldest first; and says what the head says, where there is a
/// key to read it with.
///
/// # Errors
/// When a file is there and cannot be opened.
pub fn open_all(
    state: &Path,
    key: Option<&SecretKey>,
) -> Result<(Vec<Opened>, Option<Head>), Failure> {
    // While this is held, no hook puts a log aside. What cannot be read in the place of the head is none.
    let held = audit::look(&audit::head(&state.join(FILE)), key, WAIT).ok().flatten();
    let mut opened = Vec::new();
    for (age, path) in (0..=audit::KEPT).rev().zip(audit::files(state)) {
        match private().read(true).open(&path).and_then(regular) {
            Ok(file) => opened.push(Opened { path, age, file }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unread(&path, &error)),
        }
    }
    Ok((opened, held.and_then(|held| held.head)))
}

impl Opened {
    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or is too long.
    pub fn read(self) -> Result<Vec<u8>, Failure> {
        read(&self.path, self.file)
    }
}

/// Reads a file that may be a log.
///
/// # Errors
/// When it cannot be read, or is too long.
pub fn read(path: &Path, file: File) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    file.take(MAX_LENGTH + 1).read_to_end(&mut bytes).map_err(|error| unread(path, &error))?;
    match bytes.len() as u64 > MAX_LENGTH {
        true => Err(Failure::Message(format!("`{}` is too long for a log", path.display()))),
        false => Ok(bytes),
    }
}

/// Says that a file cannot be read.
#[must_use]
pub fn unread(path: &Path, error: &io::Error) -> Failure {
    let reason = crate::project::describe(error);
    Failure::Message(format!("cannot read `{}`: {reason}", path.display()))
}
