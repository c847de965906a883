//! The verifier of a running agent: asked about a response that has ended, once the session is kept and free for
//! others. What it says is kept as an event of its own; that it could not say anything is told to the user.

use std::time::Duration;

use behavior_agents::hook::{Agent, HookEvent, Notice, Reply};
use behavior_runtime::decision::{Decision, NoticeLevel, UserNotice, Verification};
use behavior_runtime::event::Event;
use behavior_runtime::model::{ModelFailure, ModelRequest, Purpose};
use behavior_runtime::verifier::{ModelAtHand, Verdict, VerifierSetting, Wish, follow_up};
use behavior_runtime::{LayeredSession, Verdict as Ruling};

use super::trouble::Trouble;
use crate::live::audit::Log;
use crate::live::state::About;
use crate::models::{self, Asker, Chosen};
use crate::person;

/// What is left of an agent's patience for everything but the model.
pub const MARGIN: Duration = Duration::from_secs(2);

/// The word that switches the verifier off for a session.
pub const OFF: &str = "off";

/// What a model answered, or why it did not.
pub type Answer = Result<String, String>;

/// What was decided on an answer; nothing where the user had begun another turn before it came.
pub type Entered = Result<Option<Decision>, Trouble>;

/// A question about a response that waits for its answer.
pub struct Question {
    request: ModelRequest,
    chosen: Chosen,
    /// The turn that the response ended; a later one makes the answer pointless.
    pub turn: u32,
}

/// Tells a session what its rules do not tell of the verifier: whether there is a model to ask, whether anybody is there
/// to read, and what the user says for this session. Costs nothing where neither rules nor user have one.
pub fn prepare(agent: Agent, notice: &Notice<'_>, session: &mut LayeredSession, about: &About) {
    // What a sub-agent says, its agent hears and answers for.
    let is_of_sub_agent =
        notice.sub_agent.is_some() || notice.hook_event == HookEvent::SubAgentStop;
    let wish = if is_of_sub_agent { Wish::Off } else { wish(about) };
    let ends = matches!(notice.hook_event, HookEvent::Stop | HookEvent::SubAgentStop);
    let is_end = ends && !notice.counts_elsewhere;
    let has_one = || session.layers().iter().any(|(_, image)| image.verifier().is_some());
    if wish != Wish::On && (!is_end || !has_one()) {
        return;
    }
    // What was looked at is kept from the first call on; the rest is asked for at the end.
    let model = is_end.then(|| model(session, about));
    let is_unattended = is_end && person::is_unattended(agent);
    session.set_verifier(VerifierSetting { model, wish, is_unattended });
}

/// Tells a session that is opened for a verdict that its user has it verified.
pub fn prepare_verdict(session: &mut LayeredSession, about: &About) {
    session.set_verifier(VerifierSetting { wish: wish(about), ..VerifierSetting::default() });
}

/// What the user wants for the session.
fn wish(about: &About) -> Wish {
    match about.verifier.as_deref() {
        None => Wish::AsRulesSay,
        Some(OFF) => Wish::Off,
        Some(_) => Wish::On,
    }
}

/// Whether there is a model to ask.
fn model(session: &LayeredSession, about: &About) -> ModelAtHand {
    let choice = models::Choice { layers: session.layers(), trusts_project: true };
    match chosen(session, about) {
        Some(_) => ModelAtHand::Yes,
        None if models::missing(choice) == ModelFailure::WaitsForTrust => {
            ModelAtHand::WaitsForTrust
        }
        None => ModelAtHand::No,
    }
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

    /// Asks, within what is left of the agent's patience, has `enter` take up the answer or why there is none, and
    /// returns both; nothing where the user broke it off. What came of it goes into the log.
    pub fn ask(
        mut self,
        (agent, state_id): (Agent, &str),
        took: Duration,
        log: &Log,
        enter: impl FnOnce(&Answer) -> Entered,
    ) -> Option<(Answer, Entered)> {
        if let Some(patience) = agent.patience() {
            let left = patience.saturating_sub(MARGIN).saturating_sub(took);
            self.request.timeout = self.request.timeout.min(left);
        }
        let asker = Asker { log, name: agent.name(), session: state_id };
        let mut taken = None;
        // What came of it is known once it is entered.
        let _ = asker.ask(&self.chosen.brain, &self.request, |answered| {
            let answer = match answered {
                Ok(reply) => Ok(reply.raw.clone()),
                Err(failure) => Err(failure.to_string()),
            };
            let outcome = outcome(&answer);
            if matches!(answered, Err(ModelFailure::Aborted)) {
                return outcome;
            }
            let entered = enter(&answer);
            let is_late = matches!(entered, Ok(None));
            taken = Some((answer, entered));
            if is_late { format!("{outcome}, too late") } else { outcome }
        });
        taken
    }
}

/// What came of an answer, without a word of it.
fn outcome(answer: &Answer) -> String {
    match answer.as_deref().map(Verdict::read) {
        Ok(Verdict::Passed) => "passed".to_owned(),
        Ok(Verdict::Flagged { .. }) => "flagged".to_owned(),
        Ok(Verdict::Unreadable { problem }) => problem,
        Err(failure) => failure.clone(),
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
