//! `behavior workflow run --dry-run`: the steps and their commands, without running any.

use std::fmt::Write;
use std::path::Path;

use behavior_compiler::workflow::{AgentDeclaration, Found};
use behavior_image::workflow::{ModuleBehavior, WorkflowStep};
use behavior_runtime::workflow::NextStep;

use super::run::command;
use super::state::State;
use crate::number::count;
use crate::render::one_line;

/// Returns the plan of a run.
#[must_use]
pub fn plan(
    state: &State,
    found: &Found,
    agents: &[AgentDeclaration],
    control_file: &Path,
) -> String {
    let template = &found.template;
    let mut out = format!("workflow {} ({})\n", one_line(&template.name), one_line(&template.file));
    for (index, step) in (0..).zip(&template.steps) {
        if !step.runs() {
            let _ = writeln!(out, "{index:>3}  == {} ==", one_line(step.title()));
            continue;
        }
        let agent = step.agent.as_deref().unwrap_or_default();
        let title = step.title();
        let by = if title == agent { String::new() } else { format!(" by {agent}") };
        let _ = writeln!(
            out,
            "{index:>3}  {}{}{}",
            one_line(title),
            one_line(&by),
            one_line(&traits(step))
        );
        let next = NextStep { index, agent, step, depth: 0, iteration: 0, max_iterations: None };
        let line = match command(state, &next, agents, control_file) {
            Ok(command) => {
                let words: Vec<String> = command.words.iter().map(|word| quoted(word)).collect();
                let seconds = command
                    .timeout
                    .map(|timeout| format!("  (at most {} s)", timeout.as_secs_f64()));
                format!("$ {}{}", words.join(" "), seconds.unwrap_or_default())
            }
            Err(failure) => format!("cannot run: {failure}"),
        };
        let _ = writeln!(out, "     {}", one_line(&line));
    }
    let most = match found.worst_case {
        Some(most) => format!("agents run at most {}", count(most, "time")),
        None => "it may never end: a loop has no `maxIterations`".to_owned(),
    };
    let _ = writeln!(out, "{most}; nothing was run");
    out
}

/// What is special about a step.
fn traits(step: &WorkflowStep) -> String {
    let mut out = String::new();
    if step.execute_once {
        out.push_str(", once");
    }
    if step.checkpoint {
        out.push_str(", then waits for you");
    }
    match &step.module {
        Some(ModuleBehavior::Loop { steps, max_iterations, skip }) => {
            out.push_str(&format!(", can go back {steps}"));
            if let Some(most) = max_iterations {
                out.push_str(&format!(" up to {}", count(u64::from(*most), "time")));
            }
            if !skip.is_empty() {
                out.push_str(&format!(" over {}", skip.join(", ")));
            }
        }
        Some(ModuleBehavior::Trigger { agent: Some(agent) }) => {
            out.push_str(&format!(", can call {agent}"));
        }
        Some(ModuleBehavior::Trigger { agent: None }) => out.push_str(", can call any agent"),
        None => {}
    }
    out
}

/// A word as a shell would take it.
fn quoted(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./=:,@%+".contains(sign);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
