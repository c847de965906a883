//! `behavior workflow`: templates and their runs. Each subcommand has a file of its own.

mod agent_command;
mod control_file;
mod dry_run;
mod folders;
mod journal;
mod list;
mod output;
mod oversight;
mod process;
mod run;
mod runs;
mod start;
mod state;
mod step_prompt;
pub mod templates;
mod unanswered;
mod view;

pub use agent_command::PROFILE;
pub use list::{in_image, runs_of};
pub use output::{TransitionOutput, in_words};
pub use templates::{Workspace, for_replays, users_agents};

use crate::args::workflow::WorkflowCommand;
use crate::terminal::{Exit, Failure, Terminal};

/// Runs the command.
///
/// # Errors
/// When there is no such workflow or run, or it cannot be kept.
pub fn run(command: &WorkflowCommand, terminal: &Terminal) -> Result<Exit, Failure> {
    match command {
        WorkflowCommand::Run(args) => start::run(args, terminal),
        WorkflowCommand::Resume(args) => start::resume(args, terminal),
        WorkflowCommand::List { format } => list::run(*format, terminal),
        WorkflowCommand::Show { id, format } => runs::show(id.as_deref(), *format, terminal),
        WorkflowCommand::Runs { format } => runs::list(*format, terminal),
    }
}
