//! Asking a model, and writing down that it was asked: for hooks and for commands alike. What the log keeps of it is the
//! log's to say; who is asked, others choose.

use std::time::Instant;

use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};

use super::settings::user_settings;
use crate::live::audit::{Asked, Log};
use crate::live::secret_key::SecretKey;
use crate::live::usual_directory;

/// What came of a question.
pub type Answered = Result<ModelReply, ModelFailure>;

/// Who asks, as the log has it.
pub struct Asker<'a> {
    /// Where it is written down.
    pub log: &'a Log,
    /// The agent, or the command of the user, such as `classify`.
    pub name: &'a str,
    /// The session or the run that is asked about; empty where there is none.
    pub session: &'a str,
}

impl Asker<'_> {
    /// Asks a brain, whose key comes from the environment, and writes down what came of it, without a word of the question
    /// or the answer.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ask(
        &self,
        brain: &Brain,
        request: &ModelRequest,
        outcome: impl FnOnce(&Answered) -> String,
    ) -> Answered {
        let started = Instant::now();
        let answered = behavior_models::ask(brain, request, &|name| std::env::var(name).ok());
        let took = started.elapsed();
        self.log.asked(&Asked {
            agent: self.name,
            session: self.session,
            request,
            brain: &brain.name(),
            took,
            reply: answered.as_ref().ok(),
            outcome: &outcome(&answered),
            with_texts: user_settings().log_prompts,
        });
        answered
    }
}

/// Asks for a command of the user, about a session or a run if there is one.
///
/// # Errors
/// Why there is no answer.
pub fn ask_for(command: &str, session: &str, brain: &Brain, request: &ModelRequest) -> Answered {
    let state = usual_directory(|name| std::env::var_os(name));
    let key = state.as_deref().and_then(|state| SecretKey::of_user(state).ok());
    let log = Log::beside(state.as_deref(), key);
    Asker { log: &log, name: command, session }.ask(brain, request, |answered| match answered {
        Ok(_) => "answered".to_owned(),
        Err(failure) => failure.to_string(),
    })
}
