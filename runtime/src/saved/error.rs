//! What can be wrong with a saved session.

use std::fmt;

/// Raised with every change of the form.
pub const VERSION: u8 = 11;

/// Why bytes are no saved session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SavedError {
    /// They are something else.
    NotASession,
    /// They have a form that this version does not know.
    Version {
        /// The number of the form.
        found: u8,
    },
    /// They are not as they were written.
    Damaged {
        /// What is wrong, for people.
        problem: &'static str,
    },
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASession => f.write_str("this is no saved session"),
            Self::Version { found } => write!(
                f,
                "the session was saved in form {found}, and this version of `behavior` reads form \
                 {VERSION}; use the version that saved it, or clear the session"
            ),
            Self::Damaged { problem } => {
                write!(f, "the saved session is damaged: {problem}; clear it to start afresh")
            }
        }
    }
}

impl std::error::Error for SavedError {}

pub(super) fn damaged(problem: &'static str) -> SavedError {
    SavedError::Damaged { problem }
}
