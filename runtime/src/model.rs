//! What is asked of a language model, and what comes back: plain data, since this crate does no IO.
//!
//! Whoever embeds the runtime takes a [`ModelRequest`], asks a model of their own, and hands the [`ModelReply`] or
//! the [`ModelFailure`] back. What a reply means is read by the part that wrote the request.

use std::fmt;
use std::time::Duration;

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To judge a user's message before the agent sees it.
    Classify,
    /// To judge whether an agent's answer is grounded in what it looked at.
    Verify,
    /// To look at a workflow from outside.
    Oversee,
    /// To write a plan of tool calls.
    Plan,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Purpose; 4] =
        [Purpose::Classify, Purpose::Verify, Purpose::Oversee, Purpose::Plan];

    /// Returns the word for it in logs and recorded replies.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Purpose::Classify => "classify",
            Purpose::Verify => "verify",
            Purpose::Oversee => "oversee",
            Purpose::Plan => "plan",
        }
    }
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// What the answer is for.
    pub purpose: Purpose,
    /// The system text.
    pub system: String,
    /// The user's message.
    pub user: String,
    /// How freely the model chooses; `None` leaves it to the brain.
    pub temperature: Option<f64>,
    /// The most tokens of an answer; `None` leaves it to the brain.
    pub max_tokens: Option<u64>,
    /// How long an answer may take, all in all.
    pub timeout: Duration,
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelReply {
    /// The text as it came.
    pub raw: String,
    /// The tokens of the question, where the model tells.
    pub input_tokens: Option<u64>,
    /// The tokens of the answer, where the model tells.
    pub output_tokens: Option<u64>,
}

/// Why there is no answer. No variant holds a key, a prompt or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFailure {
    /// No brain is declared.
    NoBrain,
    /// The project declares one, which is not asked before its user trusts the project.
    WaitsForTrust,
    /// The brain names no model.
    NoModel,
    /// The brain needs a key, and the environment variable of this name does not hold one.
    NoKey(Box<str>),
    /// The server refused the key.
    KeyRejected,
    /// The server has too many requests.
    RateLimited,
    /// No answer came in time.
    Timeout,
    /// The server could not be reached, or the connection broke; with the reason.
    Network(Box<str>),
    /// The server answered with this status.
    Status(u16),
    /// The server answered with something that is no answer of its protocol; with what is wrong.
    Unreadable(Box<str>),
    /// The user broke it off.
    Aborted,
}

impl fmt::Display for ModelFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelFailure::NoBrain => f.write_str("no model is declared: name one under `brain:`"),
            ModelFailure::WaitsForTrust => f.write_str(
                "the project names a model, which is asked once you trust the project: run `behavior trust`",
            ),
            ModelFailure::NoModel => f.write_str("the brain names no `model`"),
            ModelFailure::NoKey(name) => {
                write!(f, "the environment variable `{name}` holds no key")
            }
            ModelFailure::KeyRejected => f.write_str("the server rejected the key"),
            ModelFailure::RateLimited => f.write_str("the server has too many requests"),
            ModelFailure::Timeout => f.write_str("no answer came in time"),
            ModelFailure::Network(reason) => write!(f, "the server was not reached: {reason}"),
            ModelFailure::Status(status) => write!(f, "the server answered with status {status}"),
            ModelFailure::Unreadable(reason) => write!(f, "the answer cannot be read: {reason}"),
            ModelFailure::Aborted => f.write_str("broken off by the user"),
        }
    }
}

impl std::error::Error for ModelFailure {}
