//! Where the audit log is: the file that is written to, those that were put aside when it grew long, and the head.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::live::store::{private, regular};

/// The file in the state directory.
pub const FILE: &str = "audit.jsonl";
/// So many logs are kept besides the one that is written to.
pub const KEPT: u32 = 4;

/// Opens the log at a path to write behind its end; it is made where there is none.
///
/// # Errors
/// When the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    open_and_measure(path).map(|(file, _)| file)
}

/// Does the same, and tells how long the log is.
///
/// # Errors
/// When the system refuses.
pub fn open_and_measure(path: &Path) -> io::Result<(File, u64)> {
    let file = private().read(true).append(true).create(true).open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() {
        true => Ok((file, metadata.len())),
        false => regular(file).map(|file| (file, 0)),
    }
}

/// Puts a log aside, so that another one is begun; the oldest one goes.
///
/// # Errors
/// When the system refuses.
pub fn put_aside(path: &Path) -> io::Result<()> {
    for number in (1..KEPT).rev() {
        let _ = fs::rename(numbered(path, number), numbered(path, number + 1));
    }
    fs::rename(path, numbered(path, 1))
}

/// A log that was begun earlier: 1 is the one before that which is written to.
#[must_use]
pub fn numbered(path: &Path, number: u32) -> PathBuf {
    path.with_extension(format!("{number}.jsonl"))
}

/// The head of the log at a path.
#[must_use]
pub fn head(path: &Path) -> PathBuf {
    path.with_extension("head")
}

/// All logs in a directory, whether they are there or not: the oldest first, the one that is written to
/// last.
pub fn files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let path = directory.join(FILE);
    let current = path.clone();
    (1..=KEPT).rev().map(move |number| numbered(&path, number)).chain([current])
}
