//! What the classifier of a session asks a model, and what its answer comes to: a [`ModelRequest`] out, a directive
//! back. Whoever runs the session asks the model, or does not.

use behavior_image::classifier::ClassifierTable;

use crate::classifier::{Classifier, HistoryEntry, PromptInput, ToolInfo};
use crate::layers::LayeredSession;
use crate::model::{ModelRequest, Purpose};
use crate::session::Session;

/// What a session does not know by itself of the turn that begins. What the config leaves out is ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnView<'a> {
    /// What the user said.
    pub message: &'a str,
    /// The tools that the agent has.
    pub tools: Vec<ToolInfo<'a>>,
    /// The messages before, the newest last.
    pub history: Vec<HistoryEntry<'a>>,
    /// The branch that is checked out now, where that is known; else the one that the session's start told of.
    pub branch: Option<&'a str>,
}

impl Session {
    /// Returns what the classifier asks about a turn that has begun; `None` where the config has no classifier.
    /// Whether it is due, the decision on the turn's start says.
    #[must_use]
    pub fn classifier_request(&self, turn: &TurnView<'_>) -> Option<ModelRequest> {
        let table = self.image().classifier()?;
        let snapshot = self.snapshot();
        let workspace = self.workspace(turn.branch);
        let prompt = Classifier::new(table).prompt(&PromptInput {
            message: turn.message,
            tools: turn.tools.clone(),
            snapshot: &snapshot,
            workspace: &workspace,
            history: turn.history.clone(),
        });
        Some(ModelRequest {
            purpose: Purpose::Classify,
            system: prompt.system,
            user: prompt.user,
            temperature: None,
            max_tokens: None,
            timeout: timeout(table),
        })
    }

    /// Returns what is known of where the session works, a line each.
    fn workspace(&self, branch: Option<&str>) -> String {
        let branch = branch.or(self.engine.start.branch.as_deref());
        let lines = [("Directory", self.cwd()), ("Branch", branch), ("Agent", self.agent())];
        let line = |(name, value): (&str, Option<&str>)| Some(format!("{name}: {}\n", value?));
        lines.into_iter().filter_map(line).collect()
    }
}

impl LayeredSession {
    /// Returns what the classifier asks about a turn that has begun; `None` where no layer classifies turns.
    #[must_use]
    pub fn classifier_request(&self, turn: &TurnView<'_>) -> Option<ModelRequest> {
        self.classifying()?.classifier_request(turn)
    }
}

/// How long the model may take. A number that is no time is none that a config could say.
fn timeout(table: &ClassifierTable) -> std::time::Duration {
    std::time::Duration::try_from_secs_f64(table.timeout_seconds).unwrap_or_default()
}
