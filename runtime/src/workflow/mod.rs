//! Workflows: which step runs after a step has ended, and why. A leaf of this crate: sessions and rules know nothing
//! of it, it knows nothing of them, and like all here it does no IO. Whoever runs a workflow runs its agents, reads
//! their control files and asks the model; here it is decided what follows.
//!
//! ```
//! use behavior_runtime::workflow::{StepEnd, UnknownWorkflow, Workflow};
//! use behavior_runtime::Image;
//! use std::sync::Arc;
//!
//! fn run(image: &Arc<Image>) -> Result<(), UnknownWorkflow> {
//!     let mut workflow = Workflow::start(image, "implement")?;
//!     while let Some(next) = workflow.next_step() {
//!         let end = StepEnd { step: next.index, ..StepEnd::default() };
//!         let transition = workflow.step_ended(&end);
//!         if transition.paused {
//!             break;
//!         }
//!     }
//!     Ok(())
//! }
//! ```

mod control;
mod oversight;
mod run;

pub use crate::decision::transition::{Band, Risk, Transition, TransitionAction, WorkflowError};
pub use behavior_facts::resumption::Resumption;
pub use behavior_facts::step_end::{Oversight, StepEnd};
pub use control::{Action as ControlAction, ControlFault, ControlFile};
pub use oversight::{MAX_SHOWN, OversightQuestion, Phase, TIMEOUT, risk_of};
pub use run::{MAX_TRIGGER_DEPTH, NextStep, UnknownWorkflow, Workflow};
