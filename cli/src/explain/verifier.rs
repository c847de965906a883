//! What the verifier has to do with one event: whether it is asked and what, or what it said.

use behavior_runtime::decision::{Decision, Verification, VerifierReason};
use behavior_runtime::model::ModelRequest;
use behavior_runtime::{Session, verifier};
use serde_json::{Value, json};

use super::block::block;
use crate::screen::{Screen, plain};
use crate::simulate::json::VerifierOutput;
use crate::terminal::{GREEN, RED, YELLOW};

/// What the verifier has to do with one event.
pub struct VerifierWhy {
    verification: Verification,
    because: Option<&'static str>,
    request: Option<ModelRequest>,
}

impl VerifierWhy {
    /// Gathers what there is to say; `session` is as it was after the event.
    #[must_use]
    pub fn new(decision: &Decision, session: &Session) -> Option<Self> {
        let verification = decision.besides().verifier.clone()?;
        let because = verification.due.map(|due| because(due.reason));
        let request = session.verifier_request().filter(|_| verification.due.is_some());
        Some(Self { verification, because, request })
    }

    /// Returns it as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let shown = VerifierOutput::of(Some(&self.verification), None);
        let mut value = serde_json::to_value(shown).unwrap_or_default();
        if let Some(map) = value.as_object_mut() {
            map.extend(self.because.map(|because| ("because".to_owned(), json!(because))));
            map.extend(self.request.as_ref().map(|request| {
                let request = json!({ "system": request.system, "user": request.user });
                ("request".to_owned(), request)
            }));
        }
        value
    }

    /// Prints it for people, with `verbose` the whole request.
    pub fn print(&self, screen: &Screen, verbose: bool, out: &mut String) {
        if let (Some(due), Some(because)) = (self.verification.due, self.because) {
            let (paint, word) = match due.asks {
                true => (GREEN, "the verifier is asked"),
                false => (YELLOW, "the verifier is not asked"),
            };
            screen.paint(out, paint, word);
            out.push_str(&format!(" ({}): {because}\n\n", due.reason.name()));
        }
        if let Some(answer) = &self.verification.answer {
            match (&answer.flag, &answer.error) {
                (Some(flag), _) => {
                    screen.paint(out, RED, "flagged");
                    out.push_str(&format!(": {}\n\n", plain(flag)));
                    block(screen, "what the agent is told", &verifier::follow_up(flag), out);
                }
                (None, Some(error)) => {
                    screen.paint(out, YELLOW, "no verdict");
                    out.push_str(&format!(": {}\n\n", plain(error)));
                }
                (None, None) => {
                    screen.paint(out, GREEN, "passed");
                    out.push_str("\n\n");
                }
            }
        }
        let listed = &self.verification;
        for (title, list) in [
            ("calls that it is told of", &listed.tool_calls),
            ("files that it is told of", &listed.inspections),
        ] {
            if !list.is_empty() {
                block(screen, title, &list.join("\n"), out);
            }
        }
        if let Some(request) = self.request.as_ref().filter(|_| verbose) {
            block(screen, "system prompt", &request.system, out);
            block(screen, "user message", &request.user, out);
        }
    }
}

fn because(reason: VerifierReason) -> &'static str {
    match reason {
        VerifierReason::Due => "the response has text, and there is a model to ask",
        VerifierReason::NoText => "the response has no text",
        VerifierReason::Headless => "nobody is there to read it, and `headless` is off",
        VerifierReason::Disabled => "the verifier is off",
        VerifierReason::NoBrain => "the config names no model to ask",
        VerifierReason::Rounds => "`max_rounds` responses in a row were flagged",
    }
}
