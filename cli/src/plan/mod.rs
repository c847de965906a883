//! `behavior plan`: the tool calls that an agent means to make, looked at before they are made, or made.

mod check;
mod confinement;
mod foresight;
mod input;
mod secrets;

#[cfg(unix)]
mod ask;
#[cfg(unix)]
mod confirm;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod history;
#[cfg(unix)]
mod outcome;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod shell;
#[cfg(unix)]
mod workspace;

pub use check::with_steps;

use crate::args::PlanCommand;
use crate::terminal::{Exit, Failure, Terminal};

/// Runs the command.
///
/// # Errors
/// When the plan or the rules cannot be read, or nothing can be printed.
pub fn run(command: &PlanCommand, terminal: &Terminal) -> Result<Exit, Failure> {
    match command {
        PlanCommand::Check(args) => check::run(args, terminal),
        #[cfg(unix)]
        PlanCommand::Run(args) => run::run(args, terminal),
        #[cfg(unix)]
        PlanCommand::Ask(args) => ask::run(args, terminal),
        #[cfg(not(unix))]
        PlanCommand::Run(_) | PlanCommand::Ask(_) => Err(Failure::Message(
            "plans are asked for and run on Unix only: elsewhere nothing keeps their file tools inside of the directory".to_owned(),
        )),
    }
}
