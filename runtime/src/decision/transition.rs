//! What follows the step of a workflow: plain data, which a decision holds and `workflow` makes.

/// What follows the start of a workflow, or a step that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// What is done.
    pub action: TransitionAction,
    /// The index of the step that runs next; `None` where none does.
    pub step: Option<u32>,
    /// Of a repeat, how many entries it goes back.
    pub steps_back: Option<u32>,
    /// Of a repeat, the agents whose steps are stepped over.
    pub skip: Vec<String>,
    /// Of a trigger, the agent that runs.
    pub agent: Option<String>,
    /// Of a repeat, how many repeats of that loop there were, this one included.
    pub iteration: Option<u32>,
    /// Of oversight, how risky it is to go on.
    pub risk: Option<Risk>,
    /// Why: the words of the control file, or ours.
    pub reason: Option<String>,
    /// What is wrong.
    pub error: Option<WorkflowError>,
    /// Whether the run pauses.
    pub paused: bool,
    /// What looks like a slip, and had no effect.
    pub warnings: Vec<String>,
}

/// What is done after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransitionAction {
    /// The next step runs.
    #[default]
    Next,
    /// A loop goes back.
    Repeat,
    /// Another agent runs first.
    Trigger,
    /// The run pauses until somebody lets it go on.
    Checkpoint,
    /// Somebody looked at it from outside.
    Oversight,
    /// The run ends before its last step.
    Stop,
    /// The run is over.
    Finished,
    /// Something is wrong.
    Error,
}

impl TransitionAction {
    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Repeat => "repeat",
            Self::Trigger => "trigger",
            Self::Checkpoint => "checkpoint",
            Self::Oversight => "oversight",
            Self::Stop => "stop",
            Self::Finished => "finished",
            Self::Error => "error",
        }
    }
}

/// What can be wrong with the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkflowError {
    /// The control file cannot be read.
    ControlFile,
    /// A trigger names no agent.
    MissingField,
    /// A trigger names an agent that nobody declares.
    UnknownAgent,
    /// Triggers go too deep.
    TriggerDepth,
    /// The agent failed.
    StepFailed,
}

impl WorkflowError {
    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ControlFile => "control-file",
            Self::MissingField => "missing-field",
            Self::UnknownAgent => "unknown-agent",
            Self::TriggerDepth => "trigger-depth",
            Self::StepFailed => "step-failed",
        }
    }
}

/// How risky it is to go on, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Risk {
    /// In hundredths, 0 to 100.
    pub hundredths: u32,
}

impl Risk {
    /// The risk where nothing is known.
    pub const UNKNOWN: Self = Self { hundredths: 50 };
    /// The risk where oversight was asked for and failed.
    pub const UNSEEN: Self = Self { hundredths: 80 };

    /// Returns it as a number from 0 to 1.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Returns the band that it is in.
    #[must_use]
    pub fn band(self) -> Band {
        match self.hundredths {
            0..30 => Band::Low,
            30..70 => Band::Medium,
            _ => Band::High,
        }
    }
}

/// A range of risks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// Below 0.3.
    Low,
    /// Below 0.7.
    Medium,
    /// From 0.7 on.
    High,
}

impl Band {
    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
