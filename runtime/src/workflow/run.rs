//! The state of one run of a workflow, and what follows each step.

use std::fmt;
use std::sync::Arc;

use behavior_image::Image;
use behavior_image::workflow::{ModuleBehavior, WorkflowStep, WorkflowTable, WorkflowTemplate};

use super::control::{Action, ControlFile, closest};
use super::oversight::risk_of;
use crate::decision::transition::{Risk, Transition, TransitionAction, WorkflowError};
use behavior_facts::resumption::Resumption;
use behavior_facts::step_end::{Oversight, StepEnd};

/// How many inserted steps may follow one step, each asked for by the one before.
pub const MAX_TRIGGER_DEPTH: u32 = 16;
/// The risk, in hundredths, from which on a run pauses unless a config says otherwise.
const PAUSE_AT: u32 = 70;

/// A run of a workflow.
#[derive(Clone, Debug)]
pub struct Workflow {
    image: Arc<Image>,
    template: usize,
    pause_at: u32,
    /// Which steps have ended, once at least.
    done: Vec<bool>,
    /// How often each step's loop went back.
    repeats: Vec<u32>,
    /// Which loops are on their way back to their own step.
    passing: Vec<bool>,
    position: Position,
}

/// What runs next.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Position {
    Step(usize),
    /// An agent behind a step: how deep it is inserted, from 1.
    Inserted {
        behind: usize,
        agent: String,
        depth: u32,
    },
    Over,
}

/// A step that runs next.
#[derive(Clone, Debug)]
pub struct NextStep<'w> {
    /// Its index; of an inserted step, that of the step it follows.
    pub index: u32,
    /// The agent that runs.
    pub agent: &'w str,
    /// The entry of the template.
    pub step: &'w WorkflowStep,
    /// How deep it is inserted; 0 for a step of the template.
    pub depth: u32,
    /// How often the innermost loop around it went back.
    pub iteration: u32,
    /// How often that loop may go back, where it is bounded.
    pub max_iterations: Option<u32>,
}

/// There is no workflow of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWorkflow {
    /// The name.
    pub name: String,
    /// One that may have been meant.
    pub closest: Option<String>,
}

impl fmt::Display for UnknownWorkflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no workflow `{}`", self.name)?;
        match &self.closest {
            Some(name) => write!(f, "; did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownWorkflow {}

impl Workflow {
    /// Starts the workflow of a name.
    ///
    /// # Errors
    /// When the image has no such workflow.
    pub fn start(image: &Arc<Image>, name: &str) -> Result<Self, UnknownWorkflow> {
        let templates = image.workflows().map_or(&[][..], |table| &table.templates);
        let Some(template) = templates.iter().position(|template| template.name == name) else {
            let names = templates.iter().map(|template| &*template.name);
            let closest = closest(name, names).map(str::to_owned);
            return Err(UnknownWorkflow { name: name.to_owned(), closest });
        };
        let count = templates.get(template).map_or(0, |template| template.steps.len());
        let mut workflow = Self {
            image: Arc::clone(image),
            template,
            pause_at: image.workflows().and_then(|table| table.pause_at).unwrap_or(PAUSE_AT),
            done: vec![false; count],
            repeats: vec![0; count],
            passing: vec![false; count],
            position: Position::Over,
        };
        workflow.position = workflow.first_from(0);
        Ok(workflow)
    }

    /// Returns the risk at which it pauses, in hundredths.
    #[must_use]
    pub fn pause_at(&self) -> u32 {
        self.pause_at
    }

    /// Pauses at this risk, in hundredths.
    pub fn set_pause_at(&mut self, hundredths: u32) {
        self.pause_at = hundredths;
    }

    /// Pauses at this risk, in hundredths, if that is lower than where it paused so far.
    pub fn pause_at_most(&mut self, hundredths: u32) {
        self.pause_at = self.pause_at.min(hundredths);
    }

    /// Returns the template.
    #[must_use]
    pub fn template(&self) -> &WorkflowTemplate {
        static NONE: WorkflowTemplate = WorkflowTemplate {
            name: String::new(),
            description: None,
            file: String::new(),
            sub_agents: Vec::new(),
            steps: Vec::new(),
        };
        self.table().and_then(|table| table.templates.get(self.template)).unwrap_or(&NONE)
    }

    fn table(&self) -> Option<&WorkflowTable> {
        self.image.workflows()
    }

    fn entry(&self, step: usize) -> Option<&WorkflowStep> {
        self.template().steps.get(step)
    }

    /// Returns what follows the start: the first step that runs.
    #[must_use]
    pub fn beginning(&self) -> Transition {
        let step = self.next_index();
        let action = match step {
            Some(_) => TransitionAction::Next,
            None => TransitionAction::Finished,
        };
        Transition { action, step, ..Transition::default() }
    }

    /// Returns the step that runs next; `None` where the run is over.
    #[must_use]
    pub fn next_step(&self) -> Option<NextStep<'_>> {
        let (index, inserted) = match &self.position {
            Position::Step(step) => (*step, None),
            Position::Inserted { behind, agent, depth } => (*behind, Some((agent, *depth))),
            Position::Over => return None,
        };
        let step = self.entry(index)?;
        let own = step.agent.as_deref().unwrap_or_default();
        let innermost = self.innermost_loop(index);
        Some(NextStep {
            index: number(index),
            agent: inserted.map_or(own, |(agent, _)| agent),
            step,
            depth: inserted.map_or(0, |(_, depth)| depth),
            iteration: innermost.and_then(|at| self.repeats.get(at)).copied().unwrap_or(0),
            max_iterations: innermost.and_then(|at| self.loop_of(at)).and_then(|(_, most, _)| most),
        })
    }

    /// Returns whether a step of this index can end: it is there, and runs something.
    #[must_use]
    pub fn runs(&self, step: u32) -> bool {
        self.entry(step as usize).is_some_and(WorkflowStep::runs)
    }

    /// Returns whether a step has ended, once at least.
    #[must_use]
    pub fn has_ended(&self, step: u32) -> bool {
        self.done.get(step as usize).copied().unwrap_or(false)
    }

    /// Returns how often the loop of a step went back.
    #[must_use]
    pub fn repeats(&self, step: u32) -> u32 {
        self.repeats.get(step as usize).copied().unwrap_or(0)
    }

    /// Lets a run that pauses go on, or ends it, as somebody wants. A run that does not pause takes it as well.
    pub fn resume(&mut self, how: Resumption) -> Transition {
        match how {
            Resumption::Approve => {
                let agent = self.next_step().filter(|next| next.depth > 0);
                let agent = agent.map(|next| next.agent.to_owned());
                Transition { agent, ..self.beginning() }
            }
            Resumption::Skip => self.skip_step(),
            Resumption::Stop => {
                self.position = Position::Over;
                let reason = Some("ended by the user".to_owned());
                Transition { action: TransitionAction::Stop, reason, ..Transition::default() }
            }
        }
    }

    /// Steps over what would run next.
    fn skip_step(&mut self) -> Transition {
        let Some(at) = self.current() else { return self.beginning() };
        let step = self.pass(at);
        self.go_on(step, Some("stepped over".to_owned()))
    }

    /// Returns what follows a step that has ended. Where it is another than was to run next, it counts nevertheless,
    /// with a warning; where there is no such step, the one that was to run next has ended.
    pub fn step_ended(&mut self, end: &StepEnd<'_>) -> Transition {
        let mut warnings = Vec::new();
        let Some(current) = self.current() else {
            let reason = Some("the run is over".to_owned());
            return Transition {
                action: TransitionAction::Finished,
                reason,
                ..Transition::default()
            };
        };
        let step = if self.runs(end.step) { end.step as usize } else { current };
        if !self.runs(end.step) {
            let number = end.step;
            warnings.push(format!("no step {number} can end here: step {current} was to run"));
        }
        if step != current {
            warnings.push(format!("step {step} ended, and step {current} was to run"));
            self.position = Position::Step(step);
        }
        if !end.ok {
            let reason = match end.output.as_deref().map(str::trim).filter(|text| !text.is_empty())
            {
                Some(output) => format!("the step failed: {}", excerpt(output)),
                None => "the step failed".to_owned(),
            };
            let mut failed = self.error(WorkflowError::StepFailed, reason);
            failed.warnings = warnings;
            return failed;
        }
        if !matches!(self.position, Position::Inserted { .. })
            && let Some(done) = self.done.get_mut(step)
        {
            *done = true;
        }
        let read = || end.control.as_deref().map(ControlFile::parse);
        let control = match &end.unreadable {
            Some(reason) => Some(Err(format!("the control file {reason}"))),
            None => read().map(|parsed| parsed.map_err(|fault| fault.to_string())),
        };
        let mut transition = match control {
            None => {
                let next = self.pass(step);
                self.go_on(next, None)
            }
            Some(Ok(mut control)) => {
                warnings.append(&mut control.warnings);
                self.follow(step, control, end)
            }
            Some(Err(reason)) => {
                self.position = self.pass(step);
                self.error(WorkflowError::ControlFile, reason)
            }
        };
        transition.warnings = warnings;
        self.hold(step, &mut transition);
        transition
    }

    /// Pauses behind a step whose template wants that, where the run would go on.
    fn hold(&self, step: usize, transition: &mut Transition) {
        let goes_on = transition.step.is_some()
            && matches!(transition.action, TransitionAction::Next | TransitionAction::Oversight);
        if !goes_on || !self.entry(step).is_some_and(|entry| entry.checkpoint) {
            return;
        }
        if transition.action == TransitionAction::Next {
            transition.action = TransitionAction::Checkpoint;
        }
        let own = || Some("the workflow has a checkpoint behind this step".to_owned());
        transition.reason = transition.reason.take().or_else(own);
        transition.paused = true;
    }

    /// What a control file leads to.
    fn follow(&mut self, step: usize, control: ControlFile, end: &StepEnd<'_>) -> Transition {
        match control.action {
            Action::Checkpoint => {
                let reason =
                    control.reason.unwrap_or_else(|| "a checkpoint was asked for".to_owned());
                self.position = self.pass(step);
                Transition {
                    action: TransitionAction::Checkpoint,
                    step: self.next_index(),
                    reason: Some(reason),
                    paused: true,
                    ..Transition::default()
                }
            }
            Action::Vibecheck => self.oversight(step, control, end),
            Action::Continue => {
                let next = self.pass(step);
                self.go_on(next, control.reason)
            }
            Action::Loop | Action::Stop if self.loop_of(step).is_some() => {
                self.at_loop(step, control)
            }
            Action::Stop => {
                self.position = Position::Over;
                let reason = control.reason.unwrap_or_else(|| "the step asked to stop".to_owned());
                Transition {
                    action: TransitionAction::Stop,
                    reason: Some(reason),
                    ..Transition::default()
                }
            }
            Action::Trigger if self.is_trigger(step) => self.at_trigger(step, control),
            Action::Loop => self.ignored(step, &control, "it belongs to the end of a loop"),
            Action::Trigger => self.ignored(step, &control, "it belongs to the end of a trigger"),
        }
    }

    fn oversight(&mut self, step: usize, control: ControlFile, end: &StepEnd<'_>) -> Transition {
        let risk = match &end.oversight {
            None => Risk::UNKNOWN,
            Some(Oversight::Advice(advice)) => risk_of(advice),
            Some(Oversight::Failed(_)) => Risk::UNSEEN,
        };
        self.position = self.pass(step);
        Transition {
            action: TransitionAction::Oversight,
            step: self.next_index(),
            risk: Some(risk),
            reason: Some(control.reason.unwrap_or_else(|| "oversight was asked for".to_owned())),
            paused: risk.hundredths >= self.pause_at,
            ..Transition::default()
        }
    }

    fn ignored(&mut self, step: usize, control: &ControlFile, why: &str) -> Transition {
        let mut reason = format!("`{}` was ignored: {why}", control.action.name());
        if let Some(own) = &control.reason {
            reason.push_str(&format!(" ({own})"));
        }
        let next = self.pass(step);
        self.go_on(next, Some(reason))
    }

    /// At the end of a loop: back, or on.
    fn at_loop(&mut self, step: usize, control: ControlFile) -> Transition {
        let (back, most, skip) = match self.loop_of(step) {
            Some((back, most, skip)) => (back, most, skip.to_vec()),
            None => return self.ignored(step, &control, "this step is no loop"),
        };
        if control.action == Action::Stop {
            let next = self.pass(step);
            let reason = control.reason.unwrap_or_else(|| "the loop was ended".to_owned());
            return self.go_on(next, Some(reason));
        }
        if back == 0 {
            return self.ignored(
                step,
                &control,
                "the loop does not say how many `steps` it goes back",
            );
        }
        let so_far = self.repeats.get(step).copied().unwrap_or(0);
        if let Some(most) = most.filter(|most| so_far >= *most) {
            let next = self.pass(step);
            return self.go_on(next, Some(format!("loop limit reached ({most})")));
        }
        let iteration = so_far.saturating_add(1);
        let start = step.saturating_sub(back as usize);
        for inner in start..step {
            set(&mut self.repeats, inner, 0);
            set(&mut self.passing, inner, false);
        }
        set(&mut self.repeats, step, iteration);
        set(&mut self.passing, step, true);
        self.position = self.first_from(start);
        let plural = if back == 1 { "step" } else { "steps" };
        Transition {
            action: TransitionAction::Repeat,
            step: self.next_index(),
            steps_back: Some(back),
            skip,
            iteration: Some(iteration),
            reason: Some(control.reason.unwrap_or_else(|| format!("back {back} {plural}"))),
            ..Transition::default()
        }
    }

    /// At the end of a trigger, or of a step that one inserted.
    fn at_trigger(&mut self, step: usize, control: ControlFile) -> Transition {
        let depth = match &self.position {
            Position::Inserted { depth, .. } => *depth,
            _ => 0,
        };
        let configured = match self.entry(step).and_then(|entry| entry.module.as_ref()) {
            Some(ModuleBehavior::Trigger { agent }) => agent.clone(),
            _ => None,
        };
        let Some(agent) = control.trigger_agent.or(configured) else {
            self.position = self.pass(step);
            let reason = "missing field `triggerAgentId`: neither the control file nor the step names an agent";
            return self.error(WorkflowError::MissingField, reason.to_owned());
        };
        if let Some(reason) = self.unknown_agent(&agent) {
            self.position = self.pass(step);
            return self.error(WorkflowError::UnknownAgent, reason);
        }
        if depth >= MAX_TRIGGER_DEPTH {
            self.position = self.pass(step);
            let reason = format!(
                "triggers may be {MAX_TRIGGER_DEPTH} deep, and `{agent}` would be one more"
            );
            return self.error(WorkflowError::TriggerDepth, reason);
        }
        self.position = Position::Inserted { behind: step, agent: agent.clone(), depth: depth + 1 };
        Transition {
            action: TransitionAction::Trigger,
            step: Some(number(step)),
            reason: Some(control.reason.unwrap_or_else(|| format!("`{agent}` runs first"))),
            agent: Some(agent),
            ..Transition::default()
        }
    }

    fn unknown_agent(&self, agent: &str) -> Option<String> {
        let known = self.table().map_or(&[][..], |table| &table.agents);
        if known.iter().any(|name| name == agent) {
            return None;
        }
        let shown: String = agent.chars().take(60).collect();
        let hint = match closest(&shown, known.iter().map(|name| &**name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it in `behavior/agents.yaml`".to_owned(),
        };
        Some(format!("there is no agent `{shown}`; {hint}"))
    }

    /// Something is wrong: the run pauses where it is.
    fn error(&self, error: WorkflowError, reason: String) -> Transition {
        Transition {
            action: TransitionAction::Error,
            step: self.next_index(),
            reason: Some(reason),
            error: Some(error),
            paused: true,
            ..Transition::default()
        }
    }

    fn go_on(&mut self, position: Position, reason: Option<String>) -> Transition {
        self.position = position;
        let step = self.next_index();
        let action = match step {
            Some(_) => TransitionAction::Next,
            None => TransitionAction::Finished,
        };
        Transition { action, step, reason, ..Transition::default() }
    }

    /// Leaves a step behind: its loop, if it is one, is over. Returns what comes behind it.
    fn pass(&mut self, step: usize) -> Position {
        set(&mut self.passing, step, false);
        self.first_from(step + 1)
    }

    /// The first step from an index on that runs now.
    fn first_from(&self, start: usize) -> Position {
        let count = self.template().steps.len();
        (start..count).find(|at| self.runs_now(*at)).map_or(Position::Over, Position::Step)
    }

    /// Whether a step runs when it is come to: it is no heading, did not run once for all, and no loop that is on its
    /// way back steps over it.
    fn runs_now(&self, at: usize) -> bool {
        let Some(entry) = self.entry(at).filter(|entry| entry.runs()) else { return false };
        if entry.execute_once && self.done.get(at) == Some(&true) {
            return false;
        }
        let is_passing = |last: &usize| self.passing.get(*last) == Some(&true);
        !(at + 1..self.passing.len()).filter(is_passing).any(|last| {
            self.loop_of(last).is_some_and(|(back, _, skip)| {
                last.saturating_sub(back as usize) <= at
                    && skip.iter().any(|agent| Some(agent) == entry.agent.as_ref())
            })
        })
    }

    /// The loop that a step ends: how many entries it goes back, how often, and what it steps over.
    fn loop_of(&self, step: usize) -> Option<(u32, Option<u32>, &[String])> {
        match self.entry(step)?.module.as_ref()? {
            ModuleBehavior::Loop { steps, max_iterations, skip } => {
                Some((*steps, *max_iterations, skip))
            }
            ModuleBehavior::Trigger { .. } => None,
        }
    }

    fn is_trigger(&self, step: usize) -> bool {
        let module = self.entry(step).and_then(|entry| entry.module.as_ref());
        matches!(module, Some(ModuleBehavior::Trigger { .. }))
    }

    /// The step whose loop is the smallest around a step, its own included.
    fn innermost_loop(&self, at: usize) -> Option<usize> {
        let loops = (at..self.repeats.len()).filter_map(|last| Some((last, self.loop_of(last)?.0)));
        let around = loops.filter(|(last, back)| last.saturating_sub(*back as usize) <= at);
        around.min_by_key(|(last, back)| (*back, *last)).map(|(last, _)| last)
    }

    fn current(&self) -> Option<usize> {
        match self.position {
            Position::Step(step) | Position::Inserted { behind: step, .. } => Some(step),
            Position::Over => None,
        }
    }

    fn next_index(&self) -> Option<u32> {
        self.current().map(number)
    }
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value;
    }
}

/// The index of a step: templates have fewer than 2³² of them.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The last line of an output that says something, in short.
fn excerpt(output: &str) -> String {
    const MAX: usize = 200;
    let line = output.lines().rev().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(MAX).collect()
}
