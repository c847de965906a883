//! The answers to conditions, and how they are put together: by looking for the words that settle it.

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// It does not hold.
    No,
    /// The call does not tell.
    Hidden,
    /// The session or the disk does not tell.
    Missing,
    /// It holds.
    Yes,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

impl Truth {
    /// A fact; `None` where it is missing.
    pub fn of_fact(told: Option<bool>) -> Self {
        told.map_or(Self::Missing, Self::from)
    }

    /// The opposite.
    pub fn opposite(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Yes => Self::No,
            Self::Hidden | Self::Missing => self,
        }
    }
}

/// Whether some answer is yes.
pub fn any(answers: impl IntoIterator<Item = Truth>) -> Truth {
    let answers: Vec<_> = answers.into_iter().collect();
    let order = [Truth::Yes, Truth::Hidden, Truth::Missing];
    order.into_iter().find(|truth| answers.contains(truth)).unwrap_or(Truth::No)
}

/// Whether all answers are yes.
pub fn all(answers: impl IntoIterator<Item = Truth>) -> Truth {
    let answers: Vec<_> = answers.into_iter().collect();
    let order = [Truth::No, Truth::Missing, Truth::Hidden];
    order.into_iter().find(|truth| answers.contains(truth)).unwrap_or(Truth::Yes)
}
