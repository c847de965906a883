//! The half of the semantic classifier that decides without a model: when it runs, what the model
//! is told, how its reply is read and what the agent is shown. It may not call anything: who runs
//! it sends the prompt, keeps to `timeout_seconds`, and treats every failure as "no directive".

mod directive;
mod follow_up;
mod prompt;
mod reply;
mod schedule;
mod snapshot;
mod text;

use std::ops::Deref;

pub use behavior_image::classifier::{
    ClassifierTable, ContextOptions, DirectivePart, Frequency, Level, Template,
};
pub use follow_up::is_follow_up;
pub use prompt::{HistoryEntry, Prompt, PromptInput, ToolInfo};
pub use reply::{Parsed, Reply};
pub use schedule::{Due, Reason};
pub use snapshot::{ActionView, SetView, SnapshotInput, snapshot};

/// The classifier of a config.
#[derive(Clone, Copy, Debug)]
pub struct Classifier<'c> {
    config: &'c ClassifierTable,
}

impl<'c> Classifier<'c> {
    /// Takes up what a config describes.
    #[must_use]
    pub fn new(config: &'c ClassifierTable) -> Self {
        Self { config }
    }
}

impl Deref for Classifier<'_> {
    type Target = ClassifierTable;

    fn deref(&self) -> &ClassifierTable {
        self.config
    }
}

/// Whether the classifier runs on a turn; without one it never does.
#[must_use]
pub fn due(classifier: Option<&ClassifierTable>, turn: u32, text: Option<&str>) -> Due {
    match classifier {
        Some(config) => Classifier::new(config).due(turn, text),
        None => Due { runs: false, reason: Reason::Disabled },
    }
}
