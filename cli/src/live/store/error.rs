//! What can go wrong with the store.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// States larger than this are refused: they would take longer to save than events take to decide.
pub const LARGEST_BODY: usize = 64 << 20;

/// What went wrong with the store. The reason of the system, where there is one, is the source.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process did not let go of the session in time.
    #[error(
        "another process works on the session and did not end within {} ms; its lock is `{}`",
        waited.as_millis(),
        path.display()
    )]
    Busy {
        /// The lock's file.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// A file holds no whole state of the session.
    #[error("the session in `{}` is damaged: {problem}; clear it to start afresh", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, for people.
        problem: &'static str,
    },
    /// The state is too large to be saved.
    #[error(
        "the session's state has {bytes} bytes, more than the {LARGEST_BODY} that are saved; clear \
         it to start afresh"
    )]
    TooLarge {
        /// Its bytes.
        bytes: usize,
    },
    /// The system refused something.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// What was tried, as in "cannot …".
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}

pub(super) fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    move |error| StoreError::Io { doing, path: path.to_owned(), error }
}
