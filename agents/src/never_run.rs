//! Why a call that a recording holds did not run.

/// Why a call did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeverRun {
    /// The user said no, or stopped the turn before it.
    Rejected,
    /// The permission settings do not allow it, and nobody was there to ask.
    Permission,
    /// A hook refused it.
    Hook,
    /// There is no tool of that name.
    NoSuchTool,
    /// The tool refused its input before it did anything.
    Input,
    /// A call beside it failed, or the turn ended, before this one began.
    Cancelled,
}

impl NeverRun {
    /// Tells whether the agent is shown a failure of its call, in place of somebody's refusal.
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, NeverRun::Input)
    }

    /// The reason in a few words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            NeverRun::Rejected => "rejected by the user",
            NeverRun::Permission => "permission denied",
            NeverRun::Hook => "blocked by a hook",
            NeverRun::NoSuchTool => "no such tool",
            NeverRun::Input => "invalid input",
            NeverRun::Cancelled => "cancelled",
        }
    }
}
