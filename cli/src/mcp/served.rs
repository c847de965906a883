//! What every tool has at hand.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::args::RuleArgs;

/// What is served.
pub struct Served {
    /// Which rules hold.
    pub rules: RuleArgs,
    /// Whose sessions are meant where nobody says more.
    pub agent: Option<String>,
    /// Where sessions are kept.
    pub state: PathBuf,
    /// The root of the project whose sessions these are: those of others are none of the client's business.
    pub project: PathBuf,
    /// Where the server was started. Rules are looked for in the working directory, which is that of the session that
    /// a call is about.
    pub folder: PathBuf,
}

/// Why a tool has no result, for the agent.
pub struct Refused(pub Value);

impl Refused {
    /// A refusal with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(json!({ "error": message.into() }))
    }
}

impl<E: std::error::Error> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}
