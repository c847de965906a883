//! A change that can be made for the author.

use super::navigate::FileEdit;

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Mends a problem.
    Fix,
    /// Mends all that can be mended without looking.
    FixAll,
    /// Writes the same differently.
    Rewrite,
    /// Moves something to a file of its own.
    Extract,
}

/// A change that can be made.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does, as an instruction.
    pub title: String,
    /// What kind of change it is.
    pub kind: ActionKind,
    /// The edits.
    pub edits: Vec<FileEdit>,
    /// New files and their texts.
    pub creates: Vec<(String, String)>,
    /// Whether it is what is most likely wanted.
    pub is_preferred: bool,
    /// The place of the problem that it mends, by its number among those given.
    pub mends: Option<usize>,
}

impl Action {
    pub(super) fn new(title: impl Into<String>, kind: ActionKind, edits: Vec<FileEdit>) -> Self {
        let (title, creates) = (title.into(), Vec::new());
        Self { title, kind, edits, creates, is_preferred: false, mends: None }
    }

    pub(super) fn mending(self, problem: usize) -> Self {
        Self { mends: Some(problem), ..self }
    }
}
