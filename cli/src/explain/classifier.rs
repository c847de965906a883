//! What there is to say of the classifier at an event: whether it runs, what is asked of whom, and how an answer is
//! read. Asks nobody.

use behavior_runtime::brain;
use behavior_runtime::classifier::{Classifier, Frequency, Reason};
use behavior_runtime::conversation::Conversation;
use behavior_runtime::event::Event;
use behavior_runtime::model::Purpose;
use behavior_runtime::{Decision, Image, Session};
use serde_json::{Value, json};

use super::block::block;
use crate::screen::{Screen, plain};
use crate::terminal::{GREEN, YELLOW};

/// Whether the classifier runs on the turn.
pub struct ClassifierWhy {
    runs: bool,
    reason: &'static str,
    because: String,
    snapshot: String,
    prompt: Option<(String, String)>,
    /// Who is asked, and where the rules name them.
    brain: Option<(String, &'static str)>,
}

/// How a reply of the classifier's model was read.
pub struct ReplyWhy {
    values: Option<Value>,
    problems: Vec<String>,
    directive: Option<String>,
}

impl ClassifierWhy {
    /// Gathers what there is to say of an event that began a turn; `session` is that after it.
    pub fn of(
        event: &Event<'_>,
        decision: &Decision,
        session: &Session,
        conversation: &Conversation,
    ) -> Option<Self> {
        let due = decision.classifier?;
        let Event::TurnStart { text } = event else { return None };
        let image = session.image();
        let frequency = frequency(image);
        let because = match due.reason {
            Reason::Due => frequency,
            Reason::FollowUp => {
                "the message only acknowledges, and `skip_followups` is on".to_owned()
            }
            Reason::Frequency => format!("{frequency}, and this is turn {}", decision.turn),
            Reason::Disabled => {
                "the config does not classify turns, or has no model to ask".to_owned()
            }
        };
        let turn = conversation.turn(text.as_deref().unwrap_or_default());
        let request = session.classifier_request(&turn).filter(|_| due.runs);
        Some(Self {
            runs: due.runs,
            reason: due.reason.name(),
            because,
            snapshot: session.snapshot(),
            prompt: request.map(|request| (request.system, request.user)),
            brain: brain_of(image).filter(|_| due.runs),
        })
    }

    /// Returns whether it runs.
    pub fn runs(&self) -> bool {
        self.runs
    }

    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let prompt = self.prompt.as_ref();
        json!({
            "runs": self.runs,
            "reason": self.reason,
            "because": self.because,
            "snapshot": self.snapshot,
            "prompt": prompt.map(|(system, user)| json!({ "system": system, "user": user })),
            "brain": self.brain.as_ref().map(|(name, _)| name),
        })
    }

    /// Prints it for people; the whole question where they want everything.
    pub fn print(&self, screen: &Screen, verbose: bool, out: &mut String) {
        let (paint, word) = match self.runs {
            true => (GREEN, "the classifier runs"),
            false => (YELLOW, "the classifier does not run"),
        };
        screen.paint(out, paint, word);
        out.push_str(&format!(" ({}): {}", self.reason, self.because));
        if let Some((name, source)) = &self.brain {
            out.push_str(&format!("\n  asks {} ({source})", plain(name)));
        }
        out.push_str("\n\n");
        block(screen, "the session as it would be told", &self.snapshot, out);
        if let Some((system, user)) = self.prompt.as_ref().filter(|_| verbose) {
            block(screen, "system prompt", system, out);
            block(screen, "user message", user, out);
        }
    }
}

/// On which turns the classifier runs, in words; nothing where there is none.
fn frequency(image: &Image) -> String {
    let frequency = image.classifier().map(|classifier| match classifier.frequency {
        Frequency::EveryTurn => "it runs on every turn".to_owned(),
        Frequency::FirstTurn => "it runs on the first turn only".to_owned(),
        Frequency::EveryNTurns => {
            format!("it runs on turns whose number is a multiple of {}", classifier.frequency_n)
        }
        Frequency::OnNewMessage => "it runs on turns that a message of the user began".to_owned(),
    });
    frequency.unwrap_or_default()
}

/// Who would be asked, as far as the rules tell.
fn brain_of(image: &Image) -> Option<(String, &'static str)> {
    let brains = image.brains()?;
    let (brain, source) = brain::named(&brains, Purpose::Classify)?;
    Some((brain.name(), source.describe()))
}

impl ReplyWhy {
    /// Reads an answer; nothing where the config has no classifier.
    pub fn of(image: &Image, raw: &str) -> Option<Self> {
        let classifier = Classifier::new(image.classifier()?);
        let parsed = classifier.parse_reply(raw);
        let values = parsed.reply.as_ref().map(|reply| {
            json!({
                "complexity": reply.complexity,
                "approach": reply.approach,
                "risk": reply.risk,
                "directives": reply.directives,
                "skip_reason": reply.skip_reason,
            })
        });
        let directive = parsed.reply.and_then(|reply| classifier.directive(&reply));
        Some(Self { values, problems: parsed.problems, directive })
    }

    /// An answer that no classifier waits for.
    pub fn unread(problems: Vec<String>) -> Self {
        Self { values: None, problems, directive: None }
    }

    /// Returns its fields as JSON.
    pub fn to_json(&self) -> [(&'static str, Value); 3] {
        [
            ("reply", json!(self.values)),
            ("problems", json!(self.problems)),
            ("directive", json!(self.directive)),
        ]
    }

    /// Prints it for people.
    pub fn print(&self, screen: &Screen, out: &mut String) {
        match &self.values {
            Some(values) => block(screen, "read as", &format!("{values:#}"), out),
            None => out.push_str("nothing of the reply could be read\n\n"),
        }
        for problem in &self.problems {
            screen.paint(out, YELLOW, "▲ ");
            out.push_str(&plain(problem));
            out.push_str("\n\n");
        }
        match &self.directive {
            Some(directive) => block(screen, "the directive", directive, out),
            None => out.push_str("there is no directive\n"),
        }
    }
}
