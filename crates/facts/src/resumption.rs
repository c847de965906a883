//! How a paused run goes on.

/// What somebody wants of a run that pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumption {
    /// It goes on from where it paused.
    Approve,
    /// It goes on behind the step that would run next.
    Skip,
    /// It ends.
    Stop,
}

impl Resumption {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Approve, Self::Skip, Self::Stop];

    /// Returns its name in events.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Skip => "skip",
            Self::Stop => "stop",
        }
    }

    /// Returns the one of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}
