//! What is kept of a live session: what each layer knows of it, and what its agent has still to be told.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::kept_list::KeptList;

/// What is kept besides the state of the layers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The directory whose rules hold: that in which the session began, wherever the agent goes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub root: Option<PathBuf>,
    /// Up to which folder rules of the project were looked for when the session began.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub top: Option<PathBuf>,
    /// Whether the user switched the rules on or off for this session.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub enabled: Option<bool>,
    /// Where a sub-agent began, if that has rules of its own besides those of `root`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nested: Option<PathBuf>,
    /// The other root in which the session was last seen; the log says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub strayed: Option<PathBuf>,
    /// Whether the rules were ever switched off for this session.
    #[serde(skip_serializing_if = "is_false", default)]
    pub was_off: bool,
    /// Whether the log says that the rules are switched off.
    #[serde(skip_serializing_if = "is_false", default)]
    pub off_is_logged: bool,
    /// What the session worked under at its last event.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub surroundings: Option<Surroundings>,
    /// Whether the user was told what waits for trust.
    #[serde(skip_serializing_if = "is_false", default)]
    pub trust_is_told: bool,
    /// Whether the log says that there is no model to classify turns.
    #[serde(skip_serializing_if = "is_false", default)]
    pub brain_is_missed: bool,
    /// The model that verifies in this session, as the user names it, or `off`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verifier: Option<String>,
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
    /// How often a layer began: each beginning has a name of its own for what it keeps apart.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub beginnings: u64,
    /// The name under which each layer keeps the targets of its sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub shelves: BTreeMap<String, String>,
    /// By what to tell what was taken up last of what all who work in the session know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shared: Option<usize>,
    /// By what to tell which of the user's noes were given to all who work in the session.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub noes: Option<usize>,
    /// Why the agent was not let stop, when it last wanted to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub going_on: Option<String>,
    /// The rules that the session made for itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub constitution: Option<KeptList>,
}

/// What a session works under.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// The identity of each layer's rules, by the layer's name.
    pub rules: BTreeMap<String, String>,
    /// A hash of how the settings and the program look from outside.
    pub files: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl About {
    /// Returns the name under which a layer keeps the targets of its sets, another one if the layer is new.
    pub fn shelf(&mut self, layer: &str, is_new: bool) -> String {
        if is_new || !self.shelves.contains_key(layer) {
            self.beginnings += 1;
            self.shelves.insert(layer.to_owned(), format!("{layer} {}", self.beginnings));
        }
        self.shelves.get(layer).cloned().unwrap_or_default()
    }
}

/// What is kept of a session.
#[derive(Clone, Debug, Default)]
pub struct Kept<'a> {
    /// What is kept besides.
    pub about: About,
    /// The saved session of each layer, by the name of the layer, the least trusted last.
    pub layers: Vec<(&'a str, &'a [u8])>,
}

impl<'a> Kept<'a> {
    /// Takes bytes that were kept apart; `None` where they are something else.
    #[must_use]
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (about, mut rest) = take(bytes)?;
        let about = serde_json::from_slice(about).ok()?;
        let mut layers = Vec::new();
        while !rest.is_empty() {
            let (name, behind) = take(rest)?;
            let (session, behind) = take(behind)?;
            layers.push((std::str::from_utf8(name).ok()?, session));
            rest = behind;
        }
        Some(Self { about, layers })
    }

    /// Returns the saved session of a layer; empty where there is none.
    #[must_use]
    pub fn of_layer(&self, name: &str) -> &'a [u8] {
        let found = self.layers.iter().find(|(known, _)| *known == name);
        found.map(|(_, session)| *session).unwrap_or_default()
    }

    /// Returns the saved session of the least trusted layer; empty where there is none.
    #[must_use]
    pub fn own(&self) -> &'a [u8] {
        self.layers.last().map(|(_, session)| *session).unwrap_or_default()
    }

    /// Returns the bytes to keep.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(1024);
        put(&serde_json::to_vec(&self.about).unwrap_or_default(), &mut bytes);
        for (name, session) in &self.layers {
            put(name.as_bytes(), &mut bytes);
            put(session, &mut bytes);
        }
        bytes
    }
}

/// Appends bytes behind their length. Longer ones than a length can say are no session that is ever kept.
fn put(part: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend(u32::try_from(part.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(part);
}

fn take(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
