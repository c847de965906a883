//! What happens in a run, as a view takes it.

use behavior_runtime::workflow::{NextStep, Transition, Workflow};

use crate::workflow::journal::Ended;
use crate::workflow::process::Stream;
use crate::workflow::state::Status;

/// Takes what happens in a run.
pub trait View {
    /// The run begins, or goes on.
    fn begins(&mut self, id: &str, workflow: &Workflow);
    /// A step is about to run.
    fn step(&mut self, workflow: &Workflow, step: &NextStep<'_>);
    /// The agent printed something, or time has passed.
    fn printed(&mut self, part: Option<(Stream, &[u8])>);
    /// A step ended.
    fn ended(&mut self, workflow: &Workflow, ended: &Ended, transition: &Transition);
    /// Something is good to know.
    fn note(&mut self, text: &str);
    /// The run is over for now.
    fn over(&mut self, id: &str, status: Status, reason: Option<&str>);
}
