//! A file that a command touches, what happens to it, and how much of it.

use crate::HOLE;

/// A file, or a directory with all that is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// What happens to it.
    pub effect: Effect,
    /// How much of it.
    pub extent: Extent,
    /// Its path, as seen from the working directory of the line: with a [`HOLE`] for each piece that
    /// nobody knows, and a shell's pattern where [`Touched::is_pattern`] says so.
    pub path: String,
    /// Whether the path is a pattern for names of files.
    pub is_pattern: bool,
    /// Whether it is touched only where the environment gives a variable another value than the line has for it.
    pub is_doubtful: bool,
    /// Whether a piece that nobody knows may make several paths of it.
    pub may_split: bool,
    /// The directory that what is written comes from, with the names that it has there; `None` where nobody knows, or
    /// all of it is named.
    pub out_of: Option<String>,
    /// The command that does it: an index into [`CommandLine::commands`](crate::CommandLine::commands).
    pub command: u32,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is read.
    Read,
    /// It is written, or what is known of it is changed.
    Write,
    /// It is deleted, or moved away.
    Delete,
}

impl Effect {
    /// All of them.
    pub const ALL: &[Effect] = &[Effect::Read, Effect::Write, Effect::Delete];
}

/// How much of what a path names is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The file.
    File,
    /// The file, or the directory with all that is in it.
    Tree,
    /// Files in the directory, which nobody names.
    Within,
}

impl Touched {
    /// Whether the whole path is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.is_pattern && !self.path.contains(HOLE)
    }
}
