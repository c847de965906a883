//! What an agent is told at the start of a step.

use std::path::Path;

use behavior_runtime::workflow::NextStep;

use super::agent_command::replaced;
use super::state::State;

/// What opens a prompt behind a look from outside.
const ADVICE: &str = "Advice from somebody who looked at the work from outside:";

/// Returns the prompt of a step: the advice, what the agent is always told, and what the step says. `control_file` is
/// where the agent may leave a request.
#[must_use]
pub fn prompt(
    state: &State,
    step: &NextStep<'_>,
    of_agent: Option<&str>,
    control_file: &Path,
) -> String {
    let of_step = step.step.prompt.as_deref();
    let iteration = step.iteration.to_string();
    let reason = state.asked_for.as_deref().unwrap_or_default();
    let control_file = crate::project::display(control_file);
    let title = match step.depth {
        0 => step.step.title(),
        _ => step.agent,
    };
    let value = |name: &str| match name {
        "input" => Some(state.input.as_deref().unwrap_or_default()),
        "previous" => Some(&*state.previous),
        "reason" => Some(reason),
        "step" => Some(title),
        "iteration" => Some(&*iteration),
        "control_file" => Some(&*control_file),
        _ => None,
    };
    let advice = state.advice.as_ref().map(|advice| format!("{ADVICE}\n{advice}"));
    // What is inserted does not take the step's own work up.
    let of_step = of_step.filter(|_| step.depth == 0);
    let inserted = (step.depth > 0 && of_agent.is_none()).then(|| inserted(reason));
    let texts = [of_agent, of_step].into_iter().flatten().map(|text| replaced(text, value));
    let parts: Vec<String> = advice.into_iter().chain(texts).chain(inserted).collect();
    parts.join("\n\n")
}

/// What an agent is told that was called by a trigger and has no prompt of its own.
fn inserted(reason: &str) -> String {
    match reason {
        "" => "Another agent asked for you.".to_owned(),
        reason => format!("Another agent asked for you: {reason}"),
    }
}
