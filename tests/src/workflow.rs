//! The simplest interpreter of workflows, for tests: it keeps the whole history, and works out from it what follows. It
//! shares no code with the runtime.

#![allow(clippy::indexing_slicing, reason = "indexes of steps that are there")]

use behavior_image::workflow::{ModuleBehavior, StepKind, WorkflowTemplate};

/// What an agent asks for at the end of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Nothing.
    Nothing,
    /// One of the actions.
    Loop,
    /// With an agent, or without.
    Trigger(Option<String>),
    /// To pause.
    Checkpoint,
    /// To go on.
    Continue,
    /// To stop.
    Stop,
    /// To be looked at.
    Vibecheck,
    /// Something that nobody can read.
    Rubbish,
    /// The agent failed.
    Failure,
}

/// What has happened, one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Happened {
    /// The step of the template ended, and the run went past it.
    Past(usize),
    /// The loop of the step went back.
    Back(usize),
    /// An agent was inserted behind the step.
    Inserted(usize, String),
    /// The run ended.
    End,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Naive<'t> {
    template: &'t WorkflowTemplate,
    agents: &'t [String],
    history: Vec<Happened>,
}

/// What follows: the action, the step that runs next, how often its loop went back, and whether the run pauses.
pub type Follows = (&'static str, Option<usize>, Option<u32>, bool);

impl<'t> Naive<'t> {
    /// Begins.
    #[must_use]
    pub fn new(template: &'t WorkflowTemplate, agents: &'t [String]) -> Self {
        Self { template, agents, history: Vec::new() }
    }

    /// The step that runs next, and the agent that is inserted there.
    #[must_use]
    pub fn next(&self) -> Option<(usize, Option<&str>)> {
        let start = match self.history.last() {
            None => 0,
            Some(Happened::End) => return None,
            Some(Happened::Inserted(step, agent)) => return Some((*step, Some(agent))),
            Some(Happened::Past(step)) => step + 1,
            Some(Happened::Back(step)) => step - self.back(*step),
        };
        (start..self.template.steps.len()).find(|at| self.runs(*at)).map(|at| (at, None))
    }

    fn back(&self, step: usize) -> usize {
        match self.template.steps[step].module {
            Some(ModuleBehavior::Loop { steps, .. }) => steps as usize,
            _ => 0,
        }
    }

    /// Whether a step runs when it is come to now.
    fn runs(&self, at: usize) -> bool {
        let step = &self.template.steps[at];
        let has_run = self.history.iter().any(|happened| match happened {
            Happened::Past(past) | Happened::Back(past) => *past == at,
            Happened::Inserted(behind, _) => *behind == at,
            Happened::End => false,
        });
        if step.kind == StepKind::Heading || step.execute_once && has_run {
            return false;
        }
        // Loops that went back and were not come to again, nor reset by one around them.
        !(0..self.template.steps.len()).any(|last| {
            let Some(ModuleBehavior::Loop { steps, skip, .. }) = &self.template.steps[last].module
            else {
                return false;
            };
            let is_over = last - *steps as usize <= at && at < last;
            is_over
                && self.is_on_its_way(last)
                && step.agent.as_ref().is_some_and(|agent| skip.contains(agent))
        })
    }

    fn is_on_its_way(&self, last: usize) -> bool {
        for happened in self.history.iter().rev() {
            match happened {
                Happened::Back(step) if *step == last => return true,
                Happened::Past(step) if *step == last => return false,
                Happened::Back(step) if self.covers(*step, last) => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether the loop of a step goes back over another step.
    fn covers(&self, step: usize, other: usize) -> bool {
        step - self.back(step) <= other && other < step
    }

    /// How often a loop went back since one around it did.
    fn repeats(&self, step: usize) -> u32 {
        let mut count = 0;
        for happened in self.history.iter().rev() {
            match happened {
                Happened::Back(other) if *other == step => count += 1,
                Happened::Back(other) if self.covers(*other, step) => break,
                _ => {}
            }
        }
        count
    }

    /// How deep the inserted step is that runs next.
    fn depth(&self) -> usize {
        self.history.iter().rev().take_while(|one| matches!(one, Happened::Inserted(..))).count()
    }

    /// Lets the step that runs next end. The risk of oversight is never high here.
    pub fn ends(&mut self, ask: &Ask) -> Follows {
        let Some((step, _)) = self.next() else { return ("finished", None, None, false) };
        if *ask == Ask::Failure {
            return ("error", Some(step), None, true);
        }
        let module = self.template.steps[step].module.clone();
        let (action, paused) = match (ask, module) {
            (Ask::Rubbish, _) => ("error", true),
            (Ask::Checkpoint, _) => ("checkpoint", true),
            (Ask::Vibecheck, _) => ("oversight", false),
            (Ask::Loop, Some(ModuleBehavior::Loop { steps, max_iterations, .. })) => {
                let repeats = self.repeats(step);
                if steps == 0 || max_iterations.is_some_and(|most| repeats >= most) {
                    ("next", false)
                } else {
                    self.history.push(Happened::Back(step));
                    let next = self.next().map(|(step, _)| step);
                    return ("repeat", next, Some(repeats + 1), false);
                }
            }
            (Ask::Stop, module) if !matches!(module, Some(ModuleBehavior::Loop { .. })) => {
                self.history.push(Happened::End);
                return ("stop", None, None, false);
            }
            (Ask::Trigger(named), Some(ModuleBehavior::Trigger { agent })) => {
                match named.clone().or(agent) {
                    Some(agent) if self.agents.contains(&agent) && self.depth() < 16 => {
                        self.history.push(Happened::Inserted(step, agent));
                        return ("trigger", Some(step), None, false);
                    }
                    _ => ("error", true),
                }
            }
            _ => ("next", false),
        };
        self.history.push(Happened::Past(step));
        let next = self.next().map(|(step, _)| step);
        let waits = self.template.steps[step].checkpoint && next.is_some();
        let action = match action {
            "next" if next.is_none() => "finished",
            "next" if waits => "checkpoint",
            _ => action,
        };
        (action, next, None, paused || waits)
    }
}

/// The largest number of times that agents can be run, by trying everything; `None` above a bound. Triggers are left
/// out: what they insert is counted where they stand.
#[must_use]
pub fn most_runs(template: &WorkflowTemplate, bound: u64) -> Option<u64> {
    let mut most = 0;
    let mut open = vec![(Naive::new(template, &[]), 0_u64)];
    while let Some((run, count)) = open.pop() {
        if count > bound {
            return None;
        }
        most = most.max(count);
        if run.next().is_none() {
            continue;
        }
        // At the end of a loop, stopping and saying nothing come to the same; elsewhere, looping does nothing.
        let is_loop = run.next().is_some_and(|(step, _)| {
            matches!(template.steps[step].module, Some(ModuleBehavior::Loop { .. }))
        });
        let asks = if is_loop { [Ask::Nothing, Ask::Loop] } else { [Ask::Stop, Ask::Nothing] };
        for ask in asks {
            let mut run = run.clone();
            run.ends(&ask);
            open.push((run, count + 1));
        }
    }
    Some(most)
}
