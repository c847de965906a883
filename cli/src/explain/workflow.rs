//! Why a workflow goes where it goes: what was asked for, and how its loops stand.

use std::fmt::Write;

use behavior_image::workflow::ModuleBehavior;
use behavior_runtime::event::Event;
use behavior_runtime::workflow::{ControlFile, Transition, Workflow};
use serde::Serialize;

use crate::render::one_line;
use crate::terminal::{BOLD, DIM, Terminal};
use crate::workflow::{TransitionOutput, in_words};

/// What followed a step, and from what.
pub struct WorkflowWhy {
    name: String,
    transition: Transition,
    asked: Option<String>,
    loops: Vec<LoopState>,
}

/// How a loop stands behind the event.
#[derive(Serialize)]
struct LoopState {
    step: u32,
    title: String,
    repeats: u32,
    max_iterations: Option<u32>,
}

#[derive(Serialize)]
struct Output<'a> {
    name: &'a str,
    asked: Option<&'a str>,
    decision: TransitionOutput<'a>,
    loops: &'a [LoopState],
}

impl WorkflowWhy {
    /// Takes what followed an event in a workflow.
    pub fn new(event: &Event<'_>, workflow: &Workflow, transition: Transition) -> Self {
        let control = match event {
            Event::StepEnd(end) => end.control.as_deref(),
            _ => None,
        };
        let asked = control.map(|text| match ControlFile::parse(text) {
            Ok(file) => format!("`{}`", file.action.name()),
            Err(_) => "something that cannot be read".to_owned(),
        });
        let steps = (0..).zip(&workflow.template().steps);
        let loops = steps.filter_map(|(index, step)| match step.module.as_ref()? {
            ModuleBehavior::Loop { max_iterations, .. } => Some(LoopState {
                step: index,
                title: step.title().to_owned(),
                repeats: workflow.repeats(index),
                max_iterations: *max_iterations,
            }),
            ModuleBehavior::Trigger { .. } => None,
        });
        let loops = loops.collect();
        Self { name: workflow.template().name.clone(), transition, asked, loops }
    }

    /// Returns it for programs.
    pub fn to_json(&self) -> serde_json::Value {
        let output = Output {
            name: &self.name,
            asked: self.asked.as_deref(),
            decision: TransitionOutput::from(&self.transition),
            loops: &self.loops,
        };
        serde_json::to_value(output).unwrap_or_default()
    }

    /// Returns it for people.
    pub fn to_text(&self, terminal: &Terminal) -> String {
        let heading = terminal.paint(BOLD, &format!("workflow {}", one_line(&self.name)));
        let mut out = format!("{heading}: {}\n", one_line(&in_words(&self.transition)));
        let asked = self.asked.as_deref().unwrap_or("nothing, as there is no control file");
        let _ = writeln!(out, "  the step asked for {asked}");
        for one in &self.loops {
            let most = one.max_iterations.map_or_else(String::new, |most| format!(" of {most}"));
            let line = format!(
                "  the loop of step {} ({}) went back {}{most} times",
                one.step,
                one_line(&one.title),
                one.repeats
            );
            let _ = writeln!(out, "{}", terminal.paint(DIM, &line));
        }
        for warning in &self.transition.warnings {
            let _ = writeln!(out, "  {}", one_line(warning));
        }
        out.push('\n');
        out
    }
}
