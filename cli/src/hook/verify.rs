//! The verifier of a running agent: asked about a response that has ended, once the session is kept and free for
//! others. What it says is kept as an event of its own; that it could not say anything is told to the user.

use std::time::Duration;

use behavior_agents::hook::{Agent, HookEvent, Notice, Reply};
use behavior_runtime::decision::{Decision, NoticeLevel, UserNotice, Verification};
use behavior_runtime::event::Event;
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest, Purpose};
use behavior_runtime::verifier::{Verdict, VerifierSetting, follow_up};
use behavior_runtime::{LayeredSession, Verdict as Ruling};

use crate::live::audit::Log;
use crate::live::state::About;
use crate::models::{self, Asker, Chosen};
use crate::person;

/// What is left of an agent's patience for everything but the model.
const MARGIN: Duration = Duration::from_secs(2);

/// The word that switches the verifier off for a session.
pub const OFF: &str = "off";

/// A question about a response that waits for its answer.
pub struct Question {
    request: ModelRequest,
    chosen: Chosen,
    /// The turn that the response ended; a later one makes the answer pointless.
    pub turn: u32,
}

/// Tells a session what its rules do not tell of the verifier: whether there is a model to ask, whether anybody is there
/// to read, and what the user says for this session. Costs nothing where no config has one.
pub fn prepare(agent: Agent, notice: &Notice<'_>, session: &mut LayeredSession, about: &About) {
    let ends = matches!(notice.hook_event, HookEvent::Stop | HookEvent::SubAgentStop);
    let is_end = ends && !notice.counts_elsewhere;
    if !is_end || !session.layers().iter().any(|(_, image)| image.verifier().is_some()) {
        return;
    }
    // What a sub-agent says, its agent hears and answers for.
    let is_of_sub_agent =
        notice.sub_agent.is_some() || notice.hook_event == HookEvent::SubAgentStop;
    let is_off = about.verifier.as_deref() == Some(OFF) || is_of_sub_agent;
    let has_brain = Some(chosen(session, about).is_some());
    let is_unattended = person::is_unattended(agent);
    session.each(|session| {
        session.set_verifier(VerifierSetting { has_brain, is_off, is_unattended });
    });
}

/// The model that the user names for the session, else that of the rules.
fn chosen(session: &LayeredSession, about: &About) -> Option<Chosen> {
    match &about.verifier {
        Some(name) => models::named(name).ok().map(Chosen::by_name),
        None => {
            let choice = models::Choice { layers: session.layers(), trusts_project: true };
            models::choose(choice, Purpose::Verify)
        }
    }
}

impl Question {
    /// Returns the question about a response, if there is one: an agent that has to go on anyway is not asked about.
    pub fn of(
        decisions: &[(&Event<'_>, Decision)],
        session: &LayeredSession,
        reply: &Reply,
        about: &About,
    ) -> Option<Self> {
        let is_due = |(_, decision): &&(&Event<'_>, Decision)| is_due(decision);
        let (_, decision) = decisions.iter().find(is_due)?;
        if reply.verdict == Some(Ruling::Deny) {
            return None;
        }
        let request = session.verifier_request()?;
        Some(Self { request, chosen: chosen(session, about)?, turn: decision.turn })
    }

    /// Asks, within what is left of the agent's patience, and returns the answer or why there is none; nothing where
    /// the user broke it off. What came of it goes into the log.
    pub fn ask(
        mut self,
        (agent, state_id): (Agent, &str),
        took: Duration,
        log: &Log,
    ) -> Option<Result<String, String>> {
        if let Some(patience) = agent.patience() {
            let left = patience.saturating_sub(MARGIN).saturating_sub(took);
            self.request.timeout = self.request.timeout.min(left);
        }
        let asker = Asker { log, name: agent.name(), session: state_id };
        let outcome = |answered: &Result<ModelReply, ModelFailure>| match answered {
            Ok(reply) => match Verdict::read(&reply.raw) {
                Verdict::Passed => "passed".to_owned(),
                Verdict::Flagged { .. } => "flagged".to_owned(),
                Verdict::Unreadable { problem } => problem,
            },
            Err(failure) => failure.to_string(),
        };
        let answered = asker.ask(&self.chosen.brain, &self.request, outcome);
        match answered {
            Ok(reply) => Some(Ok(reply.raw)),
            Err(ModelFailure::Aborted) => None,
            Err(failure) => Some(Err(failure.to_string())),
        }
    }
}

fn is_due(decision: &Decision) -> bool {
    let verifier = decision.besides().verifier.as_ref();
    verifier.and_then(|verifier| verifier.due).is_some_and(|due| due.asks)
}

/// What the agent is told of a verdict, if that is a flag.
pub fn flag(decision: &Decision) -> Option<String> {
    let answer = decision.besides().verifier.as_ref()?.answer.as_ref()?;
    answer.flag.as_deref().map(follow_up)
}

/// Puts what was decided on a verdict into the reply: a flag makes the agent go on, and what went wrong the user is
/// told.
pub fn add(reply: &mut Reply, decision: &Decision) {
    reply.notices.extend(decision.besides().notices.iter().map(|notice| notice.text.clone()));
    if let Some(text) = flag(decision) {
        reply.verdict = Some(Ruling::Deny);
        reply.reason = text;
        // So many flags in a row are the last.
        reply.limits_itself = true;
    }
}

/// What the user is told of a verdict that cannot be entered into the session. A flag is told, too: the agent is not made
/// to go on by it, as nothing would count how often.
pub fn lost(answered: &Result<String, String>, trouble: &str) -> Decision {
    let mut decision = Decision::default();
    let text = match answered.as_deref().map(Verdict::read) {
        Ok(Verdict::Flagged { reason }) => {
            format!(
                "the verifier flags this answer, and that cannot be kept ({trouble}): {}",
                follow_up(&reason)
            )
        }
        _ => format!("what the verifier says of this answer cannot be kept: {trouble}"),
    };
    decision.besides_mut().notices.push(UserNotice { level: NoticeLevel::Error, text });
    decision
}

/// Puts what was decided on a verdict into the decision on the response that it is about.
pub fn join(decisions: &mut [(&Event<'_>, Decision)], verdict: &Decision) {
    let Some((_, decision)) = decisions.iter_mut().find(|(_, decision)| is_due(decision)) else {
        return;
    };
    let besides = decision.besides_mut();
    besides.notices.extend(verdict.besides().notices.iter().cloned());
    let answer = verdict.besides().verifier.as_ref().and_then(|verifier| verifier.answer.clone());
    besides.verifier.get_or_insert_with(Verification::default).answer = answer;
}
