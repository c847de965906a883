//! What rules of trace policies remember over a stretch: the whole trace, or one session of it.

/// What one rule remembers over a stretch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slot {
    /// Calls, responses or tokens so far; of an obligation, the pair that it comes from.
    pub number: u64,
    /// Responses that do not say how many tokens they used.
    pub untold: u64,
    /// What was waited for has come, or an obligation is open.
    pub is_set: bool,
    /// Whether there was a pair or a call that the rule looks at.
    pub is_used: bool,
    /// The value that must not change.
    pub value: Option<Box<str>>,
    /// Obligations that are open.
    pub open: Vec<Obligation>,
}

/// What one pair obliges those that follow to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Obligation {
    /// The pair that it comes from.
    pub pair: u64,
    /// How many responses may still meet it.
    pub left: u32,
}

/// What all rules remember over one stretch: those of another scope leave theirs alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stretch {
    pub slots: Vec<Slot>,
    /// Whether anything happened in it.
    pub is_used: bool,
}

impl Stretch {
    pub fn slot(&mut self, row: u32) -> &mut Slot {
        let row = row as usize;
        if self.slots.len() <= row {
            self.slots.resize(row + 1, Slot::default());
        }
        // It was made to fit.
        #[expect(clippy::indexing_slicing, reason = "there is a slot now")]
        &mut self.slots[row]
    }
}
