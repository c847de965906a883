//! What is kept of a live session: the session itself, and what its agent has still to be told.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What is kept besides the session's own state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The directory whose rules hold: that in which the session began, wherever the agent goes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub root: Option<PathBuf>,
    /// Whether the user switched the rules on or off for this session.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub enabled: Option<bool>,
    /// What the agent could not be told at the hook event it was meant for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub later: Vec<String>,
    /// What is wrong with what the agent wrote, told at a moment at which it could not be made to go
    /// on: it is, when it wants to stop.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unanswered: Vec<String>,
    /// Calls that wait for their results, as native events: see [`crate::hook`].
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub open: Vec<String>,
    /// Why the agent was not let stop, when it last wanted to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub going_on: Option<String>,
}

impl About {
    /// The bytes to keep: this, then the session.
    #[must_use]
    pub fn with_session(&self, session: &[u8]) -> Vec<u8> {
        let about = serde_json::to_vec(self).unwrap_or_default();
        let length = u32::try_from(about.len()).unwrap_or(0);
        [&length.to_le_bytes(), &*about, session].concat()
    }
}

/// Takes bytes that were kept apart: what is kept besides, and the session, which is empty where only
/// the former was known. `None` where they are something else.
#[must_use]
pub fn split(bytes: &[u8]) -> Option<(About, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (about, session) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((serde_json::from_slice(about).ok()?, session))
}
