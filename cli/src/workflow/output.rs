//! What follows a step, as JSON: the same in decisions of `simulate`, in journals and in what a run prints.

use behavior_runtime::workflow::Transition;
use serde::Serialize;

/// What follows a step.
#[derive(Serialize)]
pub struct TransitionOutput<'a> {
    action: &'static str,
    step: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_back: Option<u32>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    skip: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iteration: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    risk: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<&'static str>,
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    paused: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

impl<'a> From<&'a Transition> for TransitionOutput<'a> {
    fn from(transition: &'a Transition) -> Self {
        Self {
            action: transition.action.name(),
            step: transition.step,
            steps_back: transition.steps_back,
            skip: &transition.skip,
            agent: transition.agent.as_deref(),
            iteration: transition.iteration,
            risk: transition.risk.map(|risk| risk.value()),
            band: transition.risk.map(|risk| risk.band().name()),
            reason: transition.reason.as_deref(),
            error: transition.error.map(|error| error.name()),
            paused: transition.paused,
            warnings: &transition.warnings,
        }
    }
}

/// What follows a step, in one line for people: `repeat from step 0 (1): tests fail`.
#[must_use]
pub fn in_words(transition: &Transition) -> String {
    let mut words = transition.action.name().to_owned();
    match (transition.step, &transition.agent) {
        (_, Some(agent)) => words.push_str(&format!(" `{agent}`")),
        (Some(step), None) => words.push_str(&format!(" step {step}")),
        (None, None) => {}
    }
    if let Some(iteration) = transition.iteration {
        words.push_str(&format!(" (repeat {iteration})"));
    }
    if let Some(risk) = transition.risk {
        words.push_str(&format!(" (risk {}, {})", risk.value(), risk.band().name()));
    }
    if let Some(error) = transition.error {
        words.push_str(&format!(" {}", error.name()));
    }
    if let Some(reason) = &transition.reason {
        words.push_str(&format!(": {reason}"));
    }
    if transition.paused {
        words.push_str(" (paused)");
    }
    words
}
