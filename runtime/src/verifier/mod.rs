//! The half of the verifier that works without a model: when one is asked about a response, what it is asked, and
//! how its verdict is read. It may not call anything: who runs it sends the request, and tells what came back.

mod request;
mod verdict;

use behavior_image::code::VerifierMode;
use behavior_image::{Image, VerifierConfig};

use crate::decision::{
    Decision, NoticeLevel, UserNotice, Verification, VerifierAnswer, VerifierDue, VerifierReason,
};
use crate::engine::Engine;
use crate::model::{ModelFailure, ModelRequest};
use crate::state::evidence::Evidence;
use behavior_facts::path::relative_to;

pub use request::{RUBRIC, TIMEOUT};
pub use verdict::Verdict;

/// What the config does not tell of the verifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifierSetting {
    /// Whether there is a model to ask, where that is known; else the config tells.
    pub model: Option<ModelAtHand>,
    /// What the user wants for this session.
    pub wish: Wish,
    /// Whether nobody sits before the agent, beside what the session says of that.
    pub is_unattended: bool,
}

/// Whether there is a model to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelAtHand {
    /// There is one.
    Yes,
    /// Nobody names one.
    No,
    /// The project names one, which is not asked before its user trusts it.
    WaitsForTrust,
}

/// What the user wants of the verifier for a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wish {
    /// What the rules say.
    #[default]
    AsRulesSay,
    /// No verifier.
    Off,
    /// A verifier, also where the rules have none or switch it off.
    On,
}

/// The verifier of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verifier {
    setting: VerifierSetting,
    /// Whether the response that ended last is to be judged.
    is_due: bool,
}

impl Verifier {
    /// Says of a response that has ended whether a model is asked about it.
    pub fn end_response(&mut self, engine: &mut Engine, decision: &mut Decision) {
        self.is_due = false;
        let image = std::sync::Arc::clone(&engine.image);
        let Some(config) = self.config(&image) else {
            // What was kept while the user wanted one.
            engine.state.evidence = None;
            return;
        };
        let mut verification = listed(engine);
        let reason = self.reason(engine, &config);
        self.is_due = reason == VerifierReason::Due;
        verification.due = Some(VerifierDue { asks: self.is_due, reason });
        let besides = decision.besides_mut();
        besides.verifier = Some(verification);
        if reason == VerifierReason::NoBrain && config.mode == VerifierMode::On {
            let failure = match self.setting.model {
                Some(ModelAtHand::WaitsForTrust) => ModelFailure::WaitsForTrust,
                _ => ModelFailure::NoBrain,
            };
            besides.notices.push(failed(&failure.to_string()));
        }
    }

    /// What holds of the verifier: what the rules say, and what the user wants for this session.
    pub fn config<'i>(&self, image: &'i Image) -> Option<VerifierConfig<'i>> {
        let written = image.verifier();
        if self.setting.wish != Wish::On {
            return written;
        }
        Some(VerifierConfig {
            mode: VerifierMode::On,
            ..written.unwrap_or(VerifierConfig::STANDARD)
        })
    }

    /// Takes up what the config does not tell, and has evidence kept where somebody is to judge.
    pub fn set(&mut self, setting: VerifierSetting, engine: &mut Engine) {
        self.setting = setting;
        let image = std::sync::Arc::clone(&engine.image);
        if let Some(config) = self.config(&image).filter(|config| config.mode != VerifierMode::Off)
        {
            let window = config.window_turns;
            let evidence = engine.state.evidence.get_or_insert_with(Box::default);
            evidence.window = window;
        }
    }

    fn reason(&self, engine: &mut Engine, config: &VerifierConfig<'_>) -> VerifierReason {
        let is_headless = (engine.start.headless || self.setting.is_unattended) && !config.headless;
        let has_model = match self.setting.model {
            Some(model) => model == ModelAtHand::Yes,
            None => config.has_brain,
        };
        let Some(evidence) = &mut engine.state.evidence else { return VerifierReason::Disabled };
        if self.setting.wish == Wish::Off || config.mode == VerifierMode::Off {
            VerifierReason::Disabled
        } else if is_headless {
            VerifierReason::Headless
        } else if evidence.judged.is_none() {
            VerifierReason::NoText
        } else if !has_model {
            VerifierReason::NoBrain
        } else if evidence.flags >= config.max_rounds {
            // The row ends here: what comes next is looked at again.
            evidence.flags = 0;
            VerifierReason::Rounds
        } else {
            VerifierReason::Due
        }
    }

    /// Takes up what the model answered about the response that ended last, or why it did not.
    pub fn take_reply(
        &mut self,
        engine: &mut Engine,
        reply: Result<&str, &str>,
        decision: &mut Decision,
    ) {
        self.is_due = false;
        if self.config(&engine.image).is_none() {
            decision.complain(vec!["the config has no verifier".to_owned()]);
            return;
        }
        let mut verification = listed(engine);
        let verdict = reply.map(Verdict::read);
        let flag = match &verdict {
            Ok(Verdict::Flagged { reason }) => Some(reason.clone()),
            Ok(Verdict::Passed | Verdict::Unreadable { .. }) | Err(_) => None,
        };
        let error = match &verdict {
            Ok(Verdict::Unreadable { problem }) => Some(problem.clone()),
            Ok(Verdict::Passed | Verdict::Flagged { .. }) => None,
            Err(error) => Some((*error).to_owned()),
        };
        if let Some(evidence) = &mut engine.state.evidence {
            evidence.flags = if flag.is_some() { evidence.flags.saturating_add(1) } else { 0 };
        }
        let besides = decision.besides_mut();
        if let Some(error) = error.as_deref().filter(|error| !is_abort(error)) {
            besides.notices.push(failed(error));
        }
        verification.answer = Some(VerifierAnswer { flag, error });
        besides.verifier = Some(verification);
    }

    /// What the model is asked, if it is.
    pub fn request(&self, engine: &Engine) -> Option<ModelRequest> {
        let config = self.config(&engine.image)?;
        let text = engine.state.evidence.as_ref()?.judged.as_deref().filter(|_| self.is_due)?;
        Some(request::build(&config, text, &listed(engine)))
    }
}

/// The evidence, as the model and those who read decisions are told of it.
fn listed(engine: &Engine) -> Verification {
    let Some(evidence) = &engine.state.evidence else { return Verification::default() };
    let Evidence { calls, inspections, .. } = &**evidence;
    let cwd = engine.start.cwd.as_deref();
    Verification {
        tool_calls: calls.iter().map(|seen| seen.text.to_string()).collect(),
        inspections: inspections
            .iter()
            .map(|seen| relative_to(&seen.text, cwd).to_owned())
            .collect(),
        ..Verification::default()
    }
}

/// Whether it was the user who broke the question off, of which nobody need be told.
fn is_abort(error: &str) -> bool {
    error == "aborted" || error == ModelFailure::Aborted.to_string()
}

/// What the user is told of a verifier that could not judge.
fn failed(error: &str) -> UserNotice {
    let text = format!("the verifier could not look at this answer: {}", request::one_line(error));
    UserNotice { level: NoticeLevel::Error, text }
}

/// How begins what the agent is told of a flag.
pub const FOLLOW_UP: &str = "[BEHAVIOR VERIFIER] Your answer is not grounded:";

/// What the agent is told of a flag, on one line.
#[must_use]
pub fn follow_up(reason: &str) -> String {
    let reason = request::one_line(reason);
    let end = if reason.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!(
        "{FOLLOW_UP} {reason}{end} Look at what it is about, then say what you found, with file and line, \
         or take it back."
    )
}

/// The one of two layers' words that has the verifier asked, or a flag.
pub(crate) fn stricter(
    one: Option<Verification>,
    other: Option<Verification>,
) -> Option<Verification> {
    let rank = |verification: &Verification| {
        let asks = verification.due.is_some_and(|due| due.asks);
        let answer = verification.answer.as_ref();
        let flags = answer.is_some_and(|answer| answer.flag.is_some());
        let fails = answer.is_some_and(|answer| answer.error.is_some());
        (asks, flags, fails)
    };
    match (one, other) {
        (Some(one), Some(other)) => Some(if rank(&other) > rank(&one) { other } else { one }),
        (one, other) => one.or(other),
    }
}
