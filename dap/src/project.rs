//! What the adapter asks of whoever runs it: rules, recordings and the places of files.

use std::sync::Arc;

use behavior_agents::Sink;
use behavior_runtime::{Image, Layers, Replay};
use serde::Deserialize;

/// What a user asks for when a session of debugging starts: the fields of `launch`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The recording.
    pub trace: String,
    /// The format of the recording, where its content does not tell.
    pub input_format: Option<String>,
    /// The folder from which the rules are looked for and paths start.
    pub cwd: Option<String>,
    /// Rule files, in place of those of the project.
    pub config: Names,
    /// A preset or profile, in place of the config's own.
    pub profile: Option<String>,
    /// The approval mode of policies, whatever the recording says.
    pub mode: Option<String>,
    /// Whether to stop at the first event; true unless it is said otherwise.
    pub stop_on_entry: Option<bool>,
}

/// One name, or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Names {
    /// One.
    One(String),
    /// Any number.
    Several(Vec<String>),
}

impl Default for Names {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Names {
    /// Returns them as a list.
    #[must_use]
    pub fn list(&self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name.clone()],
            Self::Several(names) => names.clone(),
        }
    }
}

/// A condition that is asked about beside the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Watch {
    /// The condition, as an expression.
    pub expression: String,
    /// The phase of the event that it is asked of, as `when` of a rule names it.
    pub when: &'static str,
}

/// Where rules and recordings come from.
pub trait Project {
    /// Compiles the rules.
    ///
    /// # Errors
    /// Why they cannot be used, for people.
    fn rules(&mut self, launch: &Launch) -> Result<Arc<Layers>, String>;

    /// Reads the recording and returns the path of its file.
    ///
    /// # Errors
    /// Why it cannot be read, for people.
    fn recording(&mut self, launch: &Launch, sink: &mut dyn Sink) -> Result<String, String>;

    /// Begins a replay under the rules.
    ///
    /// # Errors
    /// What is wrong with what the launch says of it, for people.
    fn replay(&self, launch: &Launch, layers: Arc<Layers>) -> Result<Replay, String>;

    /// Compiles an image that holds the project's rules and one more: a reminder called [`Project::WATCH`] on every
    /// tool, with the condition.
    ///
    /// # Errors
    /// What is wrong with the condition, for people.
    fn watch(&mut self, watch: &Watch) -> Result<Arc<Image>, String>;

    /// Returns the whole path of a file, by its name in the rules or as the client has it.
    fn path(&self, name: &str) -> String;

    /// The id of the rule that stands for a condition.
    const WATCH: &str = "watched_condition";
}
