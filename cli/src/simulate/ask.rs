//! Questions to models in a recording: each is asked where the recording itself does not tell the answer, which would
//! follow. Decides nothing.

use std::collections::HashMap;

use behavior_runtime::conversation::Conversation;
use behavior_runtime::event::Event;
use behavior_runtime::model::{ModelRequest, Purpose};
use behavior_runtime::{Decision, LayeredSession};

use crate::models::answers::Answers;

/// A question that waits for its answer.
pub struct Open {
    /// What is asked.
    pub request: ModelRequest,
    /// The number of the event that it is about.
    pub index: u64,
    /// Its line.
    pub line: u32,
}

/// The questions of the sessions of one recording.
pub struct Asking<'a> {
    answers: &'a Answers,
    conversations: HashMap<String, Conversation>,
    open: Vec<(String, Open)>,
}

impl<'a> Asking<'a> {
    /// Begins with no question.
    #[must_use]
    pub fn new(answers: &'a Answers) -> Self {
        Self { answers, conversations: HashMap::new(), open: Vec::new() }
    }

    /// Keeps the question that a decision on an event calls for, and what the event says for later ones.
    pub fn note(
        &mut self,
        name: &str,
        (index, line): (u64, u32),
        event: &Event<'_>,
        decision: &Decision,
        session: &LayeredSession,
    ) {
        if !self.conversations.contains_key(name) {
            self.conversations.insert(name.to_owned(), Conversation::default());
        }
        let Some(conversation) = self.conversations.get_mut(name) else { return };
        if let Event::TurnStart { text } = event
            && decision.classifier.is_some_and(|due| due.runs)
        {
            let turn = conversation.turn(text.as_deref().unwrap_or_default());
            if let Some(request) = session.classifier_request(&turn) {
                self.open.push((name.to_owned(), Open { request, index, line }));
            }
        }
        let verification = decision.besides().verifier.as_ref();
        if verification.and_then(|verification| verification.due).is_some_and(|due| due.asks)
            && let Some(request) = session.verifier_request()
        {
            self.open.push((name.to_owned(), Open { request, index, line }));
        }
        conversation.note(event);
        if matches!(event, Event::SessionEnd) {
            self.conversations.remove(name);
        }
    }

    /// Takes the question of a session that another event follows. One that the recording answers itself is none.
    pub fn take(&mut self, name: &str, next: &Event<'_>) -> Option<Open> {
        let at = self.open.iter().position(|(known, _)| known == name)?;
        let (_, open) = self.open.remove(at);
        let is_answer = match open.request.purpose {
            Purpose::Verify => matches!(next, Event::VerifierReply { .. }),
            _ => matches!(next, Event::ClassifierReply { .. }),
        };
        (!is_answer).then_some(open)
    }

    /// Takes all questions that are left, with their sessions: the recording is over.
    pub fn take_all(&mut self) -> Vec<(String, Open)> {
        std::mem::take(&mut self.open)
    }

    /// Returns the answer.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn answer(&self, name: &str, open: &Open) -> Result<String, String> {
        self.answers.answer(name, &open.request).map(|reply| reply.raw)
    }
}
