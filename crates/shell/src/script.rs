//! A file that a line runs and does not write, and what is known of all of them. Only data.

use std::ops::Range;

use super::word::Word;

/// A file that a line runs, and what stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its path, as the line has it.
    pub path: String,
    /// What stands in it.
    pub text: String,
    /// Whether all of it was written by who runs it: nothing was there before.
    pub is_own: bool,
}

/// What is known of the files that a line runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts {
    /// Whether somebody asks which they are.
    pub is_looking: bool,
    pub known: Vec<Script>,
    pub wanted: Vec<(u32, Path)>,
    /// The commands that run one that is known, and whether more than what is certain of it counts.
    pub followed: Vec<(u32, bool)>,
    /// The commands that came of a text that is one, and whether more than what is certain of it counts.
    pub texts: Vec<(Range<u32>, bool)>,
}

/// How a line names a file.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Word(Word),
    /// Not at all: its program looks for one of this name.
    Usual(&'static str),
    /// By a part of its name.
    Made(String),
}
