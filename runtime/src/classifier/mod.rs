//! The half of the semantic classifier that decides without a model: when it runs, what the model
//! is told, how its reply is read and what the agent is shown. It may not call anything: who runs
//! it sends the prompt, keeps to `timeout_seconds`, and treats every failure as "no directive".

mod config;
mod directive;
mod follow_up;
mod prompt;
mod reply;
mod schedule;
mod snapshot;
mod text;

pub use crate::decision::{Due, Reason};
pub use behavior_image::classifier::{
    ClassifierTable, ContextOptions, DirectivePart, Frequency, Level, Template,
};
pub use config::Classifier;
pub use follow_up::is_follow_up;
pub use prompt::{HistoryEntry, Prompt, PromptInput, ToolInfo};
pub use reply::{Parsed, Reply};
pub use schedule::due;
pub use snapshot::{ActionView, SetView, SnapshotInput, snapshot};
