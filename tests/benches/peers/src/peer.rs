//! What is measured: somebody who decides on steps, one after the other.

use std::time::{Duration, Instant};

use crate::workload::Step;

/// A decision: bit `i` where rule `i` of the behaviour rules applies, and from bit 16 on what the policy says:
/// 0 nothing, 1 allow, 2 deny, 3 ask.
pub type Word = u32;

/// The bit of the rule that blocks.
pub const BLOCKS: Word = 1 << 7;
/// What the policy says, in a decision.
pub const POLICY: u32 = 16;
pub const ALLOW: Word = 1;
pub const DENY: Word = 2;
pub const ASK: Word = 3;

/// Somebody who decides.
pub trait Peer {
    fn name(&self) -> &str;
    /// Decides on all steps, with nothing known before. What the form of the steps costs that this one wants is
    /// paid before.
    fn decide(&mut self, words: &mut Vec<Word>);
    /// How long that takes.
    fn timed(&mut self, words: &mut Vec<Word>) -> Duration {
        let start = Instant::now();
        self.decide(words);
        start.elapsed()
    }
}

/// What everybody is given.
pub struct Task {
    pub steps: Vec<Step>,
    pub behavior: String,
    pub policy: String,
}
