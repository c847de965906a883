//! `behavior explain`: what a name means, what a command line would run, or why the rules decided as they did at an event of a
//! trace. Everything said of names comes from where they are declared.

mod block;
mod classes;
mod classifier;
mod command;
mod meaning;
mod names;
mod programs;
mod reference;
mod rules;
mod schema;
pub mod trace;
mod verifier;
pub mod why;
mod words;
mod workflow;

pub use reference::language;

use crate::args::ExplainArgs;
use crate::terminal::{Exit, Failure, Terminal};

/// Runs the command.
///
/// # Errors
/// When the name means nothing, the trace or the rules cannot be used, or nothing can be printed.
pub fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if let Some(line) = &args.command {
        return command::run(line, args, terminal);
    }
    match (&args.name, &args.trace, args.at) {
        (_, Some(trace), Some(at)) => trace::run(trace, at, args, terminal),
        (Some(name), ..) if name == programs::NAME => programs::run(args, terminal),
        (Some(name), ..) => names::run(name, args, terminal),
        _ => Err(Failure::Message(
            "say what to explain: NAME (a diagnostic, condition, field, rule or word of the \
             language), a command line with `--command LINE`, or an event with \
             `--trace TRACE --at N`"
                .to_owned(),
        )),
    }
}
