//! `behavior test`: runs the tests of rules and the examples that rules give. What a test is and how it is run is
//! known to the crate of rule tests; here are files, output and exit codes.

mod coverage;
mod from_trace;
mod github;
mod host;
mod json;
mod junit;
mod kept;
mod once;
mod pretty;
mod session;
mod watch;
mod why;

use crate::args::TestArgs;
use crate::terminal::{Exit, Failure, Terminal};

/// Runs the command.
///
/// # Errors
/// When there is nothing to test, or the output cannot be written.
pub fn run(args: &TestArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if let (Some(trace), Some(at)) = (&args.from_trace, args.at) {
        return from_trace::run(trace, at, args, terminal);
    }
    if args.watch {
        return watch::run(args, terminal);
    }
    once::run(args, &mut kept::Kept::default(), terminal)
}
