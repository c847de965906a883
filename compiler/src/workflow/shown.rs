//! Runs of workflows as people are shown them.

use behavior_image::workflow::{WorkflowStep, WorkflowTemplate};

/// The most steps of a run that are shown.
const MAX_STEPS: usize = 6;

/// How a step is called: its label, else its agent, else its number.
pub(super) fn title(template: &WorkflowTemplate, index: usize) -> String {
    let title = template.steps.get(index).map(WorkflowStep::title).unwrap_or_default();
    if title.is_empty() { format!("step {index}") } else { title.to_owned() }
}

/// The steps from one to another, as a run comes by them: `plan → build → test`.
pub(super) fn run(template: &WorkflowTemplate, from: usize, to: usize) -> String {
    run_of(template, from, to, |_| true)
}

/// The same, of a way back: over steps that run once, and those of agents in `skip`, it goes without running them.
pub(super) fn run_again(
    template: &WorkflowTemplate,
    from: usize,
    to: usize,
    skip: &[String],
) -> String {
    let is_skipped = |step: &WorkflowStep| {
        step.execute_once || step.agent.as_ref().is_some_and(|agent| skip.contains(agent))
    };
    run_of(template, from, to, |step| !is_skipped(step))
}

fn run_of(
    template: &WorkflowTemplate,
    from: usize,
    to: usize,
    is_taken: impl Fn(&WorkflowStep) -> bool,
) -> String {
    let runs =
        |at: &usize| template.steps.get(*at).is_some_and(|step| step.runs() && is_taken(step));
    let mut titles: Vec<String> =
        (from..=to).filter(runs).map(|index| title(template, index)).collect();
    if titles.len() > MAX_STEPS {
        let last = titles.split_off(titles.len() - MAX_STEPS / 2);
        titles.truncate(MAX_STEPS / 2);
        titles.push("…".to_owned());
        titles.extend(last);
    }
    titles.join(" → ")
}

/// What comes behind a step: `then deploy`, or that the run is over.
pub(super) fn behind(template: &WorkflowTemplate, index: usize) -> String {
    let runs = |at: &usize| template.steps.get(*at).is_some_and(WorkflowStep::runs);
    match (index + 1..template.steps.len()).find(runs) {
        Some(next) => title(template, next),
        None => "the end".to_owned(),
    }
}
