//! The least trusted layer: the rules that a session made for itself, and what they know of it. The list is in
//! `constitution.rs`; here its rules decide, and each change of the list has the rules compiled by the host.

use std::sync::Arc;

use behavior_image::Image;

use crate::constitution::{Change, Constitution, Refusal, Report, SessionRule, entry_of};
use crate::decision::Decision;
use crate::explain::Explanation;
use crate::host::Host;
use crate::session::Session;
use behavior_facts::event::Event;

/// The list of a session, with its rules at work.
#[derive(Clone, Debug, Default)]
pub struct SessionLayer {
    list: Constitution,
    /// The state of the rules; `None` where the list holds texts only.
    rules: Option<Session>,
}

impl SessionLayer {
    /// Takes up a list, with the state of its rules, whose image is made of just this list.
    #[must_use]
    pub fn new(list: Constitution, rules: Option<Session>) -> Self {
        let mut layer = Self { list, rules: None };
        layer.set_rules(rules);
        layer
    }

    /// Returns the list.
    #[must_use]
    pub fn list(&self) -> &Constitution {
        &self.list
    }

    /// Returns the state of its rules, where it has some.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.rules.as_ref()
    }

    /// Returns the state of its rules, to be changed.
    pub(crate) fn session_mut(&mut self) -> Option<&mut Session> {
        self.rules.as_mut()
    }

    fn set_rules(&mut self, rules: Option<Session>) {
        self.rules = rules.map(|mut session| {
            // Numbers shift when the list changes: what was granted for one rule must not hold for another.
            session.set_takes_grants(false);
            session
        });
    }

    /// Changes or reads the list. Rules that are added begin with what `seed` knows of the session.
    pub(crate) fn change(&mut self, change: Change, seed: &Session, host: &mut dyn Host) -> Report {
        let now = host.now();
        let (report, made) = self.list.change(change, now, &mut |rules| compile(rules, host));
        self.take(made, seed);
        report
    }

    /// Drops what was not used for long.
    pub(crate) fn sweep(&mut self, seed: &Session, host: &mut dyn Host) {
        let now = host.now();
        let made = self.list.sweep(now, &mut |rules| compile(rules, host));
        self.take(made, seed);
    }

    /// Goes on with other rules, if there are.
    fn take(&mut self, made: Option<Option<Arc<Image>>>, seed: &Session) {
        if let Some(image) = made {
            let rules = image.map(|image| match &self.rules {
                Some(rules) => rules.under_beside(image, seed),
                None => seed.under(image),
            });
            self.set_rules(rules);
        }
    }

    /// Lets its rules judge an event, and adds what they say to what all others said. They can only make it
    /// stricter. `first` is the number of the rule of its first entry.
    pub(crate) fn judge(
        &mut self,
        event: &Event<'_>,
        first: u32,
        host: &mut dyn Host,
        whole: &mut Decision,
    ) {
        if is_use(event) && !self.list.is_empty() {
            self.list.touch(host.now());
        }
        if let Some(session) = &mut self.rules {
            let decision = session.judge(event, host);
            join(whole, decision, session.image(), first);
        }
        if matches!(event, Event::TurnStart { .. }) && self.list.texts().next().is_some() {
            whole.besides_mut().context.extend(self.list.texts().map(str::to_owned));
        }
    }

    /// Returns how its rules would decide on an event, where it has some. Nothing changes.
    pub(crate) fn explain(&self, event: &Event<'_>, host: &mut dyn Host) -> Option<Explanation> {
        Some(self.rules.as_ref()?.explain(event, host))
    }
}

/// Whether an event uses the list: its texts are told, or its rules looked at.
fn is_use(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::TurnStart { .. }
            | Event::TurnEnd { .. }
            | Event::Text { .. }
            | Event::ToolCall(_)
            | Event::ToolResult(_)
    )
}

fn compile(rules: &[SessionRule<'_>], host: &mut dyn Host) -> Result<Arc<Image>, Vec<Refusal>> {
    host.compile_rules(rules).unwrap_or_else(|| {
        Err(vec![Refusal::new("rule definitions cannot be compiled here, texts can be kept")])
    })
}

/// Adds what the rules of a session decided. The rest of what they say, a policy's word or a text to be told, is
/// none of theirs.
fn join(whole: &mut Decision, next: Decision, image: &Image, first: u32) {
    let number = |rule: u32| first + entry_of(image.rules().id(rule)).unwrap_or(rule);
    whole.verdict = whole.verdict.max(next.verdict);
    whole.findings.extend(next.findings.into_iter().map(|mut finding| {
        finding.rule = number(finding.rule);
        finding
    }));
    whole.undecided.extend(next.undecided.into_iter().map(|mut undecided| {
        undecided.rule = number(undecided.rule);
        undecided
    }));
}
