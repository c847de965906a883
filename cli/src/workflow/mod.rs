//! `behavior workflow`: templates and their runs. Each subcommand has a file of its own.

mod list;
mod output;
mod templates;

pub use list::WorkflowOutput;
pub use output::{TransitionOutput, in_words};
pub use templates::{for_replays, users_agents};

use crate::args::workflow::WorkflowCommand;
use crate::terminal::{Exit, Failure, Terminal};

/// Runs the command.
///
/// # Errors
/// When there is no such workflow or run, or it cannot be kept.
pub fn run(command: &WorkflowCommand, terminal: &Terminal) -> Result<Exit, Failure> {
    match command {
        WorkflowCommand::List { format } => list::run(*format, terminal),
        _ => Err(Failure::Message("runs of workflows are not part of this version".to_owned())),
    }
}
