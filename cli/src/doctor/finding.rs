//! What was found out about one thing.

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// As it should be.
    Good,
    /// Works, and somebody should know.
    Warning,
    /// Does not work.
    Error,
}

impl Level {
    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Good => "ok",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// What was found out about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// In a word, for the table.
    pub word: &'static str,
    /// What there is to say, for people; empty where the word says it all.
    pub message: String,
}

impl Finding {
    pub(super) fn good(word: &'static str) -> Self {
        Self { level: Level::Good, word, message: String::new() }
    }

    pub(super) fn warning(word: &'static str, message: String) -> Self {
        Self { level: Level::Warning, word, message }
    }

    pub(super) fn error(word: &'static str, message: String) -> Self {
        Self { level: Level::Error, word, message }
    }
}
