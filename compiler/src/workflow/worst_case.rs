//! The largest number of times that a run of a workflow can run agents.
//!
//! Every step is run once before any loop behind it goes back, so that a step that runs once for all is stepped over on
//! every way back. A loop is reached anew only when one around it goes back, which resets it. So no answer of an agent
//! leads to more runs than that every loop goes back as often as it may, and every trigger inserts as deep as it may.

use std::collections::HashMap;

use behavior_image::workflow::{ModuleBehavior, WorkflowStep, WorkflowTemplate};
use behavior_runtime::workflow::MAX_TRIGGER_DEPTH;

/// How many different ways back are told apart. Beyond that, what loops step over does not count any more: the number
/// is then too high, if anything.
const MAX_WAYS: usize = 20_000;

/// Returns the largest number of times that agents can be run, `None` where it may never end. `has_agents` says whether
/// there are agents that a trigger without one of its own can call.
#[must_use]
pub fn worst_case(template: &WorkflowTemplate, has_agents: bool) -> Option<u64> {
    let mut walk = Walk { template, has_agents, known: HashMap::new() };
    walk.over(0, template.steps.len(), &Way { is_back: false, over: Vec::new() })
}

/// A way over steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Way {
    /// Whether a loop went back, so that every step has run before.
    is_back: bool,
    /// The steps that loops on their way back step over.
    over: Vec<usize>,
}

struct Walk<'t> {
    template: &'t WorkflowTemplate,
    has_agents: bool,
    /// What the repeats of a loop add, on a way.
    known: HashMap<(usize, Way), Option<u64>>,
}

impl Walk<'_> {
    /// The runs of steps from one up to before another, loops and all.
    fn over(&mut self, start: usize, end: usize, way: &Way) -> Option<u64> {
        let mut sum: u64 = 0;
        for at in start..end {
            let Some(step) = self.template.steps.get(at).filter(|step| self.runs(step, at, way))
            else {
                continue;
            };
            let (own, repeats) = (self.own_runs(step), self.repeats(at, way));
            sum = sum.saturating_add(own).saturating_add(repeats?);
        }
        Some(sum)
    }

    fn runs(&self, step: &WorkflowStep, at: usize, way: &Way) -> bool {
        step.runs() && !(way.is_back && step.execute_once) && way.over.binary_search(&at).is_err()
    }

    /// The step itself, and what its trigger can insert.
    fn own_runs(&self, step: &WorkflowStep) -> u64 {
        match &step.module {
            Some(ModuleBehavior::Trigger { agent }) if agent.is_some() || self.has_agents => {
                1 + u64::from(MAX_TRIGGER_DEPTH)
            }
            _ => 1,
        }
    }

    /// What the loop that a step ends adds: the ways back, and the step itself after each.
    fn repeats(&mut self, at: usize, way: &Way) -> Option<u64> {
        let step = self.template.steps.get(at)?;
        let Some(ModuleBehavior::Loop { steps, max_iterations, skip }) = &step.module else {
            return Some(0);
        };
        let most = if step.execute_once {
            Some(max_iterations.unwrap_or(1).min(1))
        } else {
            *max_iterations
        };
        if *steps == 0 || most == Some(0) {
            return Some(0);
        }
        let most = most?;
        let start = at.saturating_sub(*steps as usize);
        let way = self.way_back(start, at, way, skip);
        let key = (at, way);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let (_, way) = &key;
        let pass = self.over(start, at, way);
        let own = u64::from(!step.execute_once);
        let sum = pass.map(|pass| pass.saturating_add(own).saturating_mul(u64::from(most)));
        self.known.insert(key, sum);
        sum
    }

    /// The way back of a loop that steps over some agents.
    fn way_back(&self, start: usize, end: usize, way: &Way, skip: &[String]) -> Way {
        if self.known.len() > MAX_WAYS {
            return Way { is_back: true, over: Vec::new() };
        }
        // Loops inside may go back further than this one does.
        let is_over = |at: &usize| {
            let agent = self.template.steps.get(*at).and_then(|step| step.agent.as_ref());
            let is_skipped = *at >= start && agent.is_some_and(|agent| skip.contains(agent));
            is_skipped || way.over.binary_search(at).is_ok()
        };
        Way { is_back: true, over: (0..end).filter(is_over).collect() }
    }
}
