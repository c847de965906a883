//! What is answered to a message, and what was read of that. Only data.

use std::time::Duration;

use behavior_runtime::classifier::Reply;

/// What was read of an answer.
pub struct Read {
    /// The answer, with what stands in for what it does not say.
    pub reply: Reply,
    /// The fields that it does not say, or not in words of their vocabularies.
    pub unsaid: Vec<&'static str>,
    /// Whether it is not as it was asked for.
    pub is_odd: bool,
}

/// What was answered to one message, once.
pub struct Answered {
    /// The place of the message among the cases.
    pub case: usize,
    /// What was read of the answer, or why there is none.
    pub reply: Result<Read, String>,
    /// How long it took, where a model was asked.
    pub took: Option<Duration>,
    /// The tokens of the question and of the answer.
    pub tokens: (Option<u64>, Option<u64>),
}
