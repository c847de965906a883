//! What is shown of a run while it goes on: plain lines, a picture that changes on a terminal, or JSON for programs.

mod jsonl;
mod live;
mod plain;

use behavior_runtime::workflow::{NextStep, Transition, Workflow};

use super::journal::Ended;
use super::process::Stream;
use super::state::Status;
use crate::args::workflow::RunFormat;
use crate::terminal::Terminal;

/// Takes what happens in a run.
pub trait View {
    /// The run begins, or goes on.
    fn begins(&mut self, id: &str, workflow: &Workflow);
    /// A step is about to run.
    fn step(&mut self, workflow: &Workflow, step: &NextStep<'_>);
    /// The agent printed something, or time has passed.
    fn printed(&mut self, part: Option<(Stream, &[u8])>);
    /// A step ended.
    fn ended(&mut self, workflow: &Workflow, ended: &Ended, transition: &Transition);
    /// Something is good to know.
    fn note(&mut self, text: &str);
    /// The run is over for now.
    fn over(&mut self, id: &str, status: Status, reason: Option<&str>);
}

/// Returns the view for a format, and for where it is shown.
#[must_use]
pub fn view(format: RunFormat, terminal: &Terminal) -> Box<dyn View> {
    use std::io::IsTerminal;
    match format {
        RunFormat::Jsonl => Box::new(jsonl::Jsonl::default()),
        RunFormat::Pretty
            if std::io::stdout().is_terminal() && !terminal.quiet && terminal.color =>
        {
            Box::new(live::Live::new(*terminal))
        }
        RunFormat::Pretty => Box::new(plain::Plain::new(*terminal)),
    }
}

/// What the last line of a run says.
fn last_line(id: &str, status: Status, reason: Option<&str>) -> String {
    let mut line = status.name().to_owned();
    if let Some(reason) = reason {
        line.push_str(&format!(": {reason}"));
    }
    if matches!(status, Status::Paused | Status::Failed | Status::Interrupted) {
        line.push_str(&format!("; go on with `behavior workflow resume {id}`"));
    }
    line
}

/// How a step is called.
fn title(step: &NextStep<'_>) -> String {
    match (step.depth, step.step.title()) {
        (0, title) if title != step.agent => format!("{title} ({})", step.agent),
        _ => step.agent.to_owned(),
    }
}

/// How often a loop went back: ` [2/3]`.
fn repeats(step: &NextStep<'_>) -> String {
    match (step.iteration, step.max_iterations) {
        (0, _) => String::new(),
        (iteration, Some(most)) => format!(" [repeat {iteration}/{most}]"),
        (iteration, None) => format!(" [repeat {iteration}]"),
    }
}

/// A time for people: `1.2 s`.
fn seconds(milliseconds: u64) -> String {
    match milliseconds {
        0..60_000 => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
        _ => format!("{}:{:02} min", milliseconds / 60_000, milliseconds / 1000 % 60),
    }
}
