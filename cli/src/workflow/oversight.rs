//! Asks a model to look at a run from outside.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};
use behavior_runtime::workflow::{OversightQuestion, Phase, Workflow};
use behavior_secrets::redacted;

use super::journal::Overseen;
use super::state::State;
use crate::args::RuleArgs;
use crate::interrupt;
use crate::models::{self, Choice};
use crate::rules::{self, Rules};

/// How often it is looked whether the user breaks the run off.
const TICK: Duration = Duration::from_millis(20);

/// Returns what came of asking, for a step that asked for it; nothing where the user breaks the run off meanwhile.
pub fn ask(
    (run, state): (&str, &State),
    step: u32,
    reason: Option<&str>,
    output: &str,
) -> Option<Overseen> {
    let plan = plan(&state.workflow, step);
    let input = state.input.as_deref().map(|input| redacted(input, usize::MAX));
    let question = OversightQuestion {
        phase: Phase::of(state.workflow.template(), step),
        reason,
        input: input.as_deref(),
        output: Some(output),
        plan: &plan,
    };
    match unless_interrupted(run.to_owned(), question.request()) {
        None => None,
        Some(Ok(reply)) => Some(Overseen::Advice(reply.raw)),
        Some(Err(failure)) => Some(Overseen::Error(failure.to_string())),
    }
}

/// What is answered; nothing where the user breaks the run off meanwhile.
fn unless_interrupted(
    run: String,
    request: ModelRequest,
) -> Option<Result<ModelReply, ModelFailure>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(answer(&run, &request)));
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(answered) => return Some(answered),
            Err(RecvTimeoutError::Timeout) if interrupt::is_wanted() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Some(Err(ModelFailure::Network("the question was lost".into())));
            }
        }
    }
}

/// The steps of a workflow, a line each, with what is done.
fn plan(workflow: &Workflow, current: u32) -> String {
    let steps = (0..).zip(&workflow.template().steps).map(|(index, step)| {
        let mark = match step.runs() {
            false => "##",
            true if index == current => "- [now]",
            true if workflow.has_ended(index) => "- [done]",
            true => "- [later]",
        };
        format!("{mark} {}", step.title())
    });
    steps.collect::<Vec<_>>().join("\n")
}

/// Asks the brain of the workspace's rules, else the user's own.
fn answer(run: &str, request: &ModelRequest) -> Result<ModelReply, ModelFailure> {
    let Ok(Rules::Ready { layers, waiting, .. }) = rules::load(&RuleArgs::default(), |_| {}) else {
        return Err(ModelFailure::NoBrain);
    };
    let choice = Choice { layers: &layers, trusts_project: waiting.is_empty() };
    let chosen = models::choose(choice, request.purpose).ok_or_else(|| models::missing(choice))?;
    models::ask_for("workflow run", run, &chosen.brain, request)
}
