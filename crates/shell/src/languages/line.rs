//! The lines of shell that code is read as.

use crate::hole::{COMPUTED, HOLE};

/// No more lines come out of one piece of code.
pub const MAX_LINES: usize = 256;

/// A line of shell that does what a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text, with [`HOLE`](super::HOLE) for what is not known, which is taken for a word.
    pub text: String,
}

/// Returns the line that says that nobody can tell what is run.
pub fn opaque() -> Line {
    Line { text: HOLE.to_string() }
}

/// Writes what is computed as what is not known.
pub fn settle(lines: &mut [Line]) {
    for line in lines.iter_mut().filter(|line| line.text.contains(COMPUTED)) {
        line.text = line.text.replace(COMPUTED, &HOLE.to_string());
    }
}
