//! The classifier that a config describes, as plain data: every name resolved. Who asks a model, and what
//! is made of its reply, stands elsewhere.

mod codec;
mod standard;

pub use codec::{decode, encode};

/// A compiled classifier configuration: plain data, every name already resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassifierTable {
    /// Whether turns are classified and there is a model to ask.
    pub enabled: bool,
    /// On which turns it runs.
    pub frequency: Frequency,
    /// The `n` of [`Frequency::EveryNTurns`]; 0 never runs.
    pub frequency_n: u32,
    /// Whether a message that only acknowledges is left unclassified.
    pub skip_followups: bool,
    /// How long the model may take, in seconds.
    pub timeout_seconds: f64,
    /// How many directives are kept of a reply; 0 keeps none, and so gives no directive.
    pub max_directives: u32,
    /// The complexity vocabulary, lowest first.
    pub complexity: Vec<Level>,
    /// The approach vocabulary.
    pub approaches: Vec<Level>,
    /// The risk vocabulary, lowest first: the order is what the warning's threshold is about.
    pub risks: Vec<Level>,
    /// What of the session the model is told.
    pub context: ContextOptions,
    /// The author's system prompt, in place of the built-in one.
    pub system_prompt: Option<String>,
    /// The directive's first line.
    pub prefix: Option<Template>,
    /// What a directive adds at and above `high_risk_threshold`.
    pub high_risk_warning: Option<Template>,
    /// The directive's last lines.
    pub footer: Option<Template>,
    /// The index in `risks` from which the warning appears; `None` never warns.
    pub high_risk_threshold: Option<u32>,
    /// The profile's description, which the model is told.
    pub profile_description: Option<String>,
}

/// On which turns the classifier runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequency {
    /// Every turn.
    EveryTurn,
    /// The first turn of a session.
    FirstTurn,
    /// The turns whose number is a multiple of `frequency_n`.
    EveryNTurns,
    /// The turns that a message of the user began.
    OnNewMessage,
}

/// One entry of a vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// What the model answers with.
    pub name: String,
    /// What the agent is shown; the name where there is none.
    pub label: Option<String>,
    /// Tells the model when to pick this one.
    pub when: Option<String>,
    /// Tells the model how the agent should then work.
    pub behavior: Option<String>,
}

impl Level {
    /// What the agent is shown for this entry.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// What of the session the model is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextOptions {
    /// The tools the agent has.
    pub tool_inventory: bool,
    /// What the session has done so far.
    pub session_state: bool,
    /// What is known of the workspace.
    pub workspace_info: bool,
    /// The last messages.
    pub recent_history: bool,
    /// How many messages that are.
    pub history_depth: u32,
}

/// A text with placeholders, in pieces.
pub type Template = Vec<DirectivePart>;

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectivePart {
    /// Literal text.
    Text(String),
    /// The name of the complexity.
    Complexity,
    /// The name of the approach.
    Approach,
    /// The name of the risk.
    Risk,
    /// The label of the approach, its name where it has none.
    ApproachLabel,
}
