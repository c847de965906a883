//! Where a run stands: what its journal comes to.

use std::sync::Arc;

use behavior_runtime::Image;
use behavior_runtime::workflow::{
    Resumption, Transition, TransitionAction, UnknownWorkflow, Workflow,
};

use super::journal::{Ended, Entry, Overseen};

/// Where a run stands.
pub struct State {
    /// The run.
    pub workflow: Workflow,
    /// What it was started with.
    pub input: Option<String>,
    /// What the step that ended last said.
    pub previous: String,
    /// The advice that opens the next prompt.
    pub advice: Option<String>,
    /// Why the step that is next was asked for, where a step asked: it stays until that one has succeeded.
    pub asked_for: Option<String>,
    /// What followed last.
    pub transition: Transition,
    /// How many steps have ended, each as often as it did.
    pub ended: u32,
    /// Whether the user ended the run.
    pub is_stopped: bool,
}

/// How a run stands, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is over.
    Finished,
    /// It ended before its last step, as an agent or the user wanted.
    Stopped,
    /// It waits for somebody to let it go on.
    Paused,
    /// It waits since something is wrong.
    Failed,
    /// A process works on it.
    Running,
    /// The process that worked on it is gone.
    Interrupted,
}

impl Status {
    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Paused => "paused",
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
        }
    }
}

impl State {
    /// Begins a run.
    ///
    /// # Errors
    /// When the image has no such workflow.
    pub fn begin(
        image: &Arc<Image>,
        name: &str,
        input: Option<String>,
    ) -> Result<Self, UnknownWorkflow> {
        let workflow = Workflow::start(image, name)?;
        let transition = workflow.beginning();
        Ok(Self {
            workflow,
            input,
            previous: String::new(),
            advice: None,
            asked_for: None,
            transition,
            ended: 0,
            is_stopped: false,
        })
    }

    /// Goes on by what the journal says.
    pub fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::WorkflowStart { .. } => {}
            Entry::StepEnd(ended) => self.step_ended(ended),
            Entry::WorkflowResume { how, .. } => {
                self.transition = self.workflow.resume(*how);
                match how {
                    Resumption::Approve => {}
                    Resumption::Skip => self.asked_for = None,
                    Resumption::Stop => self.is_stopped = true,
                }
            }
        }
    }

    fn step_ended(&mut self, ended: &Ended) {
        self.transition = self.workflow.step_ended(&ended.as_event());
        self.ended += 1;
        if ended.ok {
            self.previous.clone_from(&ended.output);
            let asks = matches!(
                self.transition.action,
                TransitionAction::Repeat | TransitionAction::Trigger
            );
            self.asked_for = self.transition.reason.clone().filter(|_| asks);
            self.advice = match &ended.oversight {
                Some(Overseen::Advice(advice)) => Some(advice.clone()),
                _ => None,
            };
        }
    }

    /// Returns how the run stands, as far as its journal says.
    #[must_use]
    pub fn status(&self) -> Status {
        match (&self.transition, self.workflow.next_step()) {
            _ if self.is_stopped => Status::Stopped,
            (Transition { action: TransitionAction::Error, paused: true, .. }, _) => Status::Failed,
            (Transition { paused: true, .. }, _) => Status::Paused,
            (Transition { action: TransitionAction::Stop, .. }, None) => Status::Stopped,
            (_, None) => Status::Finished,
            (_, Some(_)) => Status::Interrupted,
        }
    }
}
