//! Plays events under rules and keeps what was decided on each.

use std::sync::Arc;

use behavior_agents::{Item, native};
use behavior_compiler::rule_test::Step;
use behavior_runtime::decision::{Decision, Verdict};
use behavior_runtime::replay::{Conclusion, FindWorkflows};
use behavior_runtime::{Host, Layers, Replay, Session};

/// What came of one event.
#[derive(Debug)]
pub struct Outcome {
    /// The entry of the test that it comes from, or its number in the recording.
    pub at: usize,
    /// The place of the event among all that were handed in.
    pub number: usize,
    /// The kind of event, and the tool of a call.
    pub event: String,
    /// The session that it belongs to.
    pub session: String,
    /// What was decided.
    pub decision: Decision,
    /// The session as it was then, as the least trusted layer sees it; `None` behind its end, and where nobody asked.
    pub state: Option<Session>,
}

/// Decides on events one by one.
pub struct Player<'k> {
    replay: Replay,
    /// Of which entries the state is kept.
    keeps_state: &'k dyn Fn(usize) -> bool,
    outcomes: Vec<Outcome>,
    slots: Vec<Option<usize>>,
    /// The entry whose call was denied last.
    denied: Option<usize>,
    /// How many events were handed in.
    number: usize,
}

impl<'k> Player<'k> {
    /// Begins with no session.
    #[must_use]
    pub fn new(
        layers: &Arc<Layers>,
        host: Box<dyn Host>,
        keeps_state: &'k dyn Fn(usize) -> bool,
    ) -> Self {
        let replay = Replay::with_layers(Arc::clone(layers)).with_host(host);
        Self {
            replay,
            keeps_state,
            outcomes: Vec::new(),
            slots: Vec::new(),
            denied: None,
            number: 0,
        }
    }

    /// Looks for workflows in an image.
    #[must_use]
    pub fn with_workflows(mut self, workflows: FindWorkflows) -> Self {
        self.replay = self.replay.with_workflows(workflows);
        self
    }

    /// Takes a path for the root of the repository.
    #[must_use]
    pub fn with_root(mut self, root: Option<&str>) -> Self {
        if let Some(root) = root {
            self.replay = self.replay.with_root(root);
        }
        self
    }

    /// Decides on the native event that a step is. A short form whose call was denied has no result.
    ///
    /// # Errors
    /// Says what of the event the native format does not have.
    pub fn step(&mut self, step: &Step) -> Result<(), String> {
        if step.is_result_of_short && self.denied == Some(step.at) {
            self.number += 1;
            return Ok(());
        }
        let item = native::parse(&step.event, 1).map_err(|problem| problem.message)?;
        match item {
            Some(item) => self.item(step.at, &item),
            None => self.number += 1,
        }
        Ok(())
    }

    /// Decides on an event.
    pub fn item(&mut self, at: usize, item: &Item<'_>) {
        let mut decision = self.replay.apply(&item.session, &item.event);
        let slot = self.replay.latest().map(|(slot, _)| slot);
        if decision.besides.is_some() {
            let settled = std::mem::take(&mut decision.besides_mut().settled);
            let earlier = self.slots.iter().rposition(|known| *known == slot);
            if let Some(earlier) = earlier.and_then(|earlier| self.outcomes.get_mut(earlier)) {
                earlier.decision.findings.extend(settled);
            }
        }
        self.slots.push(slot);
        if decision.verdict() == Verdict::Deny {
            self.denied = Some(at);
        }
        let keeps = (self.keeps_state)(at);
        let state = keeps.then(|| self.replay.session(&item.session).cloned()).flatten();
        let session = item.session.clone().into_owned();
        let event = name_of(item);
        let number = self.number;
        self.number += 1;
        self.outcomes.push(Outcome { at, number, event, session, decision, state });
    }

    /// Ends the recording, and returns what came of each event.
    #[must_use]
    pub fn finish(mut self) -> Vec<Outcome> {
        let settled = self.replay.finish();
        for (slot, conclusion) in settled.sessions {
            self.conclude(Some(slot), conclusion);
        }
        self.conclude(None, settled.trace);
        self.outcomes
    }

    /// What is found about a whole session, or the whole recording, stands at its last event.
    fn conclude(&mut self, slot: Option<usize>, conclusion: Conclusion) {
        let last = self.slots.iter().rposition(|known| slot.is_none() || *known == slot);
        if let Some(outcome) = last.and_then(|last| self.outcomes.get_mut(last)) {
            outcome.decision.findings.extend(conclusion.findings);
            outcome.decision.undecided.extend(conclusion.undecided);
        }
    }
}

fn name_of(item: &Item<'_>) -> String {
    let name = item.event.name();
    match &item.event {
        behavior_runtime::event::Event::ToolCall(call) => format!("{name} {}", call.tool),
        _ => name.to_owned(),
    }
}

/// Plays steps from the start.
///
/// # Errors
/// The entry that the native format does not have, and why.
pub fn steps(
    layers: &Arc<Layers>,
    steps: &[Step],
    host: Box<dyn Host>,
    keeps_state: &dyn Fn(usize) -> bool,
) -> Result<Vec<Outcome>, (usize, String)> {
    all(Player::new(layers, host, keeps_state), steps)
}

/// Plays steps with a player.
///
/// # Errors
/// As [`steps`].
pub fn all(mut player: Player<'_>, steps: &[Step]) -> Result<Vec<Outcome>, (usize, String)> {
    // Outcomes are large, and so is to move them where they become more.
    player.outcomes.reserve(steps.len());
    player.slots.reserve(steps.len());
    for step in steps {
        player.step(step).map_err(|why| (step.at, why))?;
    }
    Ok(player.finish())
}
