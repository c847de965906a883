//! That a user said something which the session did not take up, or has not yet: what was asked for before does not hold any
//! more, and what he forbids nobody knows. A file says so until the session can be had again.

use std::path::{Path, PathBuf};

use super::store::{create_private, private};

/// The folder in the state directory.
const FOLDER: &str = "missed";

/// Notes that a message of a session was missed. What cannot be noted is lost.
pub fn note(state: &Path, agent: &str, session: &str) {
    let _ = create_private(&state.join(FOLDER));
    // Never through a link, and for nobody else.
    let _ = private().write(true).create(true).open(file(state, agent, session));
}

/// Returns whether a message of a session was missed since this was asked last.
#[must_use]
pub fn take(state: &Path, agent: &str, session: &str) -> bool {
    std::fs::remove_file(file(state, agent, session)).is_ok()
}

fn file(state: &Path, agent: &str, session: &str) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    hasher.update(agent.as_bytes()).update(b"\0").update(session.as_bytes());
    state.join(FOLDER).join(hasher.finalize().to_hex().as_str())
}
