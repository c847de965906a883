//! Asks a model to look at a run from outside.

use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};
use behavior_runtime::workflow::{OversightQuestion, Phase, Workflow};
use behavior_secrets::redacted;

use super::journal::Overseen;
use super::state::State;
use crate::args::RuleArgs;
use crate::models::{self, Choice};
use crate::rules::{self, Rules};

/// Returns what came of asking, for a step that asked for it.
pub fn ask(state: &State, step: u32, reason: Option<&str>, output: &str) -> Overseen {
    let plan = plan(&state.workflow, step);
    let input = state.input.as_deref().map(|input| redacted(input, usize::MAX));
    let question = OversightQuestion {
        phase: Phase::of(state.workflow.template(), step),
        reason,
        input: input.as_deref(),
        output: Some(output),
        plan: &plan,
    };
    match answer(&question.request()) {
        Ok(reply) => Overseen::Advice(reply.raw),
        Err(failure) => Overseen::Error(failure.to_string()),
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
fn answer(request: &ModelRequest) -> Result<ModelReply, ModelFailure> {
    match rules::load(&RuleArgs::default(), |_| {}) {
        Ok(Rules::Ready { layers, waiting, .. }) => {
            let trusts_project = waiting.is_empty();
            models::ask(Choice { layers: &layers, trusts_project }, request)
        }
        _ => Err(ModelFailure::NoBrain),
    }
}
