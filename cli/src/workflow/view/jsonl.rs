//! A run for programs: a JSON object a line.

use std::io::Write;

use behavior_json::plain::escaped;
use behavior_runtime::workflow::{NextStep, Transition, Workflow};
use behavior_secrets::redacted;
use serde::Serialize;

use super::run_events::View;
use crate::workflow::journal::Ended;
use crate::workflow::output::TransitionOutput;
use crate::workflow::process::Stream;
use crate::workflow::state::Status;

/// What happens.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Run { id: &'a str, workflow: &'a str, steps: usize },
    StepStart { step: u32, agent: &'a str, label: Option<&'a str>, iteration: u32, depth: u32 },
    Output { stream: &'static str, text: &'a str },
    StepEnd { step: u32, agent: &'a str, ok: bool, took_ms: u64, workflow: TransitionOutput<'a> },
    Note { text: &'a str },
    End { id: &'a str, status: &'static str, reason: Option<&'a str>, resume: Option<String> },
}

/// Lines longer than this are told in parts.
const MAX_LINE: usize = 16 << 10;

/// JSON, a line for what happens. What is printed is told in whole lines, so that a secret in one is found.
#[derive(Default)]
pub struct Jsonl {
    /// What was printed on standard output and on standard error, and is no whole line yet.
    rest: [Vec<u8>; 2],
}

impl Jsonl {
    /// Tells what is left of a line.
    fn flush(&mut self) {
        for (name, rest) in NAMES.into_iter().zip(&mut self.rest) {
            tell(name, std::mem::take(rest));
        }
    }
}

/// The names of the streams.
const NAMES: [&str; 2] = ["stdout", "stderr"];

fn tell(stream: &'static str, bytes: Vec<u8>) {
    if !bytes.is_empty() {
        let text = redacted(&String::from_utf8_lossy(&bytes), usize::MAX);
        write(&Line::Output { stream, text: &text });
    }
}

fn write(line: &Line<'_>) {
    let Ok(text) = serde_json::to_string(line) else { return };
    // Whoever reads this may have gone; the run goes on.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", escaped(&text)).and_then(|()| out.flush());
}

impl View for Jsonl {
    fn begins(&mut self, id: &str, workflow: &Workflow) {
        let template = workflow.template();
        write(&Line::Run { id, workflow: &template.name, steps: template.steps.len() });
    }

    fn step(&mut self, _: &Workflow, step: &NextStep<'_>) {
        write(&Line::StepStart {
            step: step.index,
            agent: step.agent,
            label: step.step.label.as_deref(),
            iteration: step.iteration,
            depth: step.depth,
        });
    }

    fn printed(&mut self, part: Option<(Stream, &[u8])>) {
        let Some((stream, bytes)) = part else { return };
        let index = usize::from(stream == Stream::Error);
        let (Some(rest), Some(name)) = (self.rest.get_mut(index), NAMES.get(index)) else { return };
        rest.extend_from_slice(bytes);
        let end = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let whole = if rest.len() - end > MAX_LINE { rest.len() } else { end };
        tell(name, rest.drain(..whole).collect());
    }

    fn ended(&mut self, _: &Workflow, ended: &Ended, transition: &Transition) {
        self.flush();
        write(&Line::StepEnd {
            step: ended.step,
            agent: &ended.agent,
            ok: ended.ok,
            took_ms: ended.took,
            workflow: transition.into(),
        });
    }

    fn note(&mut self, text: &str) {
        write(&Line::Note { text });
    }

    fn over(&mut self, id: &str, status: Status, reason: Option<&str>) {
        self.flush();
        let goes_on = matches!(status, Status::Paused | Status::Failed | Status::Interrupted);
        let resume = goes_on.then(|| format!("behavior workflow resume {id}"));
        write(&Line::End { id, status: status.name(), reason, resume });
    }
}
