//! A run on a terminal: its steps, and below them what the agent prints, drawn anew as it changes.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

use behavior_image::workflow::{ModuleBehavior, WorkflowStep};
use behavior_runtime::workflow::{NextStep, Transition, Workflow};
use behavior_secrets::redacted;

use super::run_events::View;
use super::words::{last_line, repeats, seconds, title};
use crate::render::one_line;
use crate::screen::{Screen, clip, rows};
use crate::terminal::{BOLD, CYAN, DIM, GREEN, RED, Terminal};
use crate::workflow::journal::Ended;
use crate::workflow::output::in_words;
use crate::workflow::process::Stream;
use crate::workflow::state::Status;

/// How many lines of output are shown.
const OUTPUT_LINES: usize = 8;
/// How many steps are shown at most.
const MAX_STEPS: usize = 24;
/// How often it is drawn at most.
const INTERVAL: Duration = Duration::from_millis(100);

/// A picture that changes.
pub struct Live {
    terminal: Terminal,
    /// The steps, in words, and how each stands.
    steps: Vec<(String, Mark)>,
    running: Option<(usize, String, Instant)>,
    output: VecDeque<String>,
    rest: String,
    /// How many lines were drawn.
    drawn: usize,
    at: Option<Instant>,
}

/// How a step stands.
#[derive(Clone, PartialEq, Eq)]
enum Mark {
    Heading,
    Waiting,
    Done(String),
    Failed,
}

impl Live {
    /// Begins.
    pub fn new(terminal: Terminal) -> Self {
        let (steps, output) = (Vec::new(), VecDeque::new());
        Self { terminal, steps, running: None, output, rest: String::new(), drawn: 0, at: None }
    }

    fn draw(&mut self) {
        self.at = Some(Instant::now());
        let screen = Screen::of_stdout(&self.terminal);
        let mut lines = Vec::new();
        let current = self.running.as_ref().map(|(step, ..)| *step);
        // A picture that is taller than the screen cannot be drawn over.
        let rows = rows().saturating_sub(2).max(2);
        let outputs = self.output.len().min(rows / 2);
        let most = MAX_STEPS.min(rows - outputs);
        let last = self.steps.len().saturating_sub(most);
        let start = current.unwrap_or(0).saturating_sub(most / 2).min(last);
        for (index, (name, mark)) in self.steps.iter().enumerate().skip(start).take(most) {
            let running = self.running.as_ref().filter(|(step, ..)| *step == index);
            let (sign, style, text) = match (running, mark) {
                (Some((_, shown, since)), _) => {
                    let time = seconds(since.elapsed().as_millis().try_into().unwrap_or(u64::MAX));
                    ("▶", CYAN, format!("{shown} {time}"))
                }
                (None, Mark::Heading) => ("", BOLD, name.clone()),
                (None, Mark::Waiting) => ("·", DIM, name.clone()),
                (None, Mark::Done(note)) => ("✓", GREEN, format!("{name} {note}")),
                (None, Mark::Failed) => ("✗", RED, name.clone()),
            };
            let text = clip(&one_line(&text), screen.width.saturating_sub(3));
            lines.push(format!("{} {text}", self.terminal.paint(style, sign)));
        }
        for line in self.output.iter().skip(self.output.len() - outputs) {
            let text = clip(&one_line(line), screen.width.saturating_sub(3));
            lines.push(self.terminal.paint(DIM, &format!("| {text}")));
        }
        let mut out = self.erased();
        for line in &lines {
            let _ = writeln!(out, "{line}");
        }
        self.drawn = lines.len();
        let _ = self.terminal.print_bytes(out.as_bytes());
    }

    /// What takes the last picture away.
    fn erased(&mut self) -> String {
        match std::mem::take(&mut self.drawn) {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\x1b[J"),
        }
    }

    /// Says something that stays above the picture.
    fn say(&mut self, text: &str) {
        let mut out = self.erased();
        out.push_str(&one_line(text));
        out.push('\n');
        let _ = self.terminal.print_bytes(out.as_bytes());
    }

    fn push_output(&mut self, line: String) {
        if self.output.len() == OUTPUT_LINES {
            self.output.pop_front();
        }
        self.output.push_back(line);
    }
}

/// A step in words, before it runs.
fn name_of(step: &WorkflowStep) -> String {
    let mut name = step.title().to_owned();
    if let Some(ModuleBehavior::Loop { steps, max_iterations, .. }) = &step.module {
        let most = max_iterations.map(|most| format!(", at most {most} times")).unwrap_or_default();
        name.push_str(&format!(" (can go back {steps}{most})"));
    }
    name
}

impl View for Live {
    fn begins(&mut self, id: &str, workflow: &Workflow) {
        let template = workflow.template();
        self.say(&format!("run {id}: {}", template.name));
        let steps = (0..).zip(&template.steps).map(|(index, step)| {
            let mark = match step.runs() {
                false => Mark::Heading,
                true if workflow.has_ended(index) => Mark::Done(String::new()),
                true => Mark::Waiting,
            };
            (name_of(step), mark)
        });
        self.steps = steps.collect();
        self.draw();
    }

    fn step(&mut self, _: &Workflow, step: &NextStep<'_>) {
        self.output.clear();
        self.rest.clear();
        let shown = format!("{}{}", title(step), repeats(step));
        self.running = Some((step.index as usize, shown, Instant::now()));
        self.draw();
    }

    fn printed(&mut self, part: Option<(Stream, &[u8])>) {
        if let Some((_, bytes)) = part {
            self.rest.push_str(&String::from_utf8_lossy(bytes));
            while let Some(end) = self.rest.find('\n') {
                let line: String = self.rest.drain(..=end).collect();
                self.push_output(redacted(line.trim_end(), usize::MAX));
            }
            if self.rest.len() > 4000 {
                let line = std::mem::take(&mut self.rest);
                self.push_output(redacted(&line, usize::MAX));
            }
        }
        if self.at.is_none_or(|at| at.elapsed() >= INTERVAL) {
            self.draw();
        }
    }

    fn ended(&mut self, workflow: &Workflow, ended: &Ended, transition: &Transition) {
        self.running = None;
        let repeats = workflow.repeats(ended.step);
        if let Some((_, mark)) = self.steps.get_mut(ended.step as usize) {
            let times = if repeats == 0 { String::new() } else { format!(", went back {repeats}") };
            *mark = match ended.ok {
                true => Mark::Done(format!("{}{times}", seconds(ended.took))),
                false => Mark::Failed,
            };
        }
        let is_plain = transition.reason.is_none() && transition.warnings.is_empty();
        if !is_plain {
            self.say(&format!("step {}: {}", ended.step, in_words(transition)));
        }
        for warning in &transition.warnings {
            self.say(&format!("note: {warning}"));
        }
        self.draw();
    }

    fn note(&mut self, text: &str) {
        self.say(&format!("note: {text}"));
        self.draw();
    }

    fn over(&mut self, id: &str, status: Status, reason: Option<&str>) {
        self.output.clear();
        self.draw();
        self.drawn = 0;
        self.say(&last_line(id, status, reason));
    }
}
