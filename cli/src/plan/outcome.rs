//! What became of the steps of a plan, for people and for programs.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use super::check::StepDiagnostic;
use crate::render::{json, one_line};
use crate::terminal::{BOLD, DIM, GREEN, PLAIN, RED, Terminal, YELLOW};
use crate::without_secrets;

/// The version of the shape.
const VERSION: u32 = 1;
/// So many lines of a result are shown.
const MAX_LINES: usize = 12;
/// So many characters of a line are shown.
const MAX_COLUMNS: usize = 160;

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ran.
    Done,
    /// It did not run, or failed.
    Failed,
    /// It was left out, because of what came before it.
    Skipped,
    /// The user did not want it.
    Declined,
}

/// A step, and what became of it.
#[derive(Debug, Serialize)]
pub struct StepOutcome {
    /// Its place in the plan.
    pub step: usize,
    /// The canonical name of its tool.
    pub tool: String,
    /// What became of it.
    pub status: Status,
    /// What it returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What rules say of it besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// What stopped a plan.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Stopped {
    /// Why.
    pub reason: &'static str,
    /// At which step; none where it is about the plan as a whole.
    pub step: Option<usize>,
}

/// What became of a plan.
#[derive(Default)]
pub struct Outcome {
    /// What became of the steps, in their order.
    pub steps: Vec<StepOutcome>,
    /// Whether the user was asked.
    pub asked: bool,
    /// What stopped it.
    pub stopped: Option<Stopped>,
}

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    ok: bool,
    steps: &'a [StepOutcome],
    asked: bool,
    stopped: Option<Stopped>,
    #[serde(skip_serializing_if = "<[StepDiagnostic<'_>]>::is_empty")]
    diagnostics: &'a [StepDiagnostic<'a>],
}

impl Outcome {
    /// Returns whether every step is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.stopped.is_none() && self.steps.iter().all(|step| step.status == Status::Done)
    }

    /// Returns all of it as JSON.
    ///
    /// # Errors
    /// When a result has a form that JSON lacks.
    pub fn to_json(&self, diagnostics: &[StepDiagnostic<'_>]) -> std::io::Result<String> {
        let output = Output {
            version: VERSION,
            ok: self.is_done() && diagnostics.is_empty(),
            steps: &self.steps,
            asked: self.asked,
            stopped: self.stopped,
            diagnostics,
        };
        json::to_text(&without_secrets::data(&output)?)
    }

    /// Returns how it ended, for people.
    #[must_use]
    pub fn end_for_people(&self, terminal: &Terminal) -> String {
        let count = |status| self.steps.iter().filter(|step| step.status == status).count();
        let parts = [
            (Status::Done, "done"),
            (Status::Failed, "failed"),
            (Status::Skipped, "skipped"),
            (Status::Declined, "declined"),
        ];
        let parts = parts.map(|(status, word)| (count(status), word));
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
        let steps = crate::report::counted(self.steps.len(), "step");
        let sum = if parts.is_empty() { steps } else { format!("{steps}: {}", parts.join(", ")) };
        let style = if self.is_done() { BOLD } else { RED };
        let mut out = format!("{}\n", terminal.paint(style, &sum));
        if self.stopped.is_some() {
            out.push_str(
                "a secret was found, and nothing runs after that: take it out of what is read or written, and run the plan again\n",
            );
        }
        out
    }
}

impl StepOutcome {
    /// Returns it for people, with the beginning of its result.
    #[must_use]
    pub fn for_people(&self, terminal: &Terminal) -> String {
        let (style, word) = match self.status {
            Status::Done => (GREEN, "done"),
            Status::Failed => (RED, "failed"),
            Status::Skipped => (YELLOW, "skipped"),
            Status::Declined => (YELLOW, "declined"),
        };
        let mut out = format!(
            "{}  {}: {}\n",
            terminal.paint(DIM, &format!("{:>3}", self.step)),
            terminal.paint(BOLD, &one_line(&self.tool)),
            terminal.paint(style, word)
        );
        if let Some(error) = &self.error {
            excerpt(error, PLAIN, terminal, &mut out);
        }
        if let Some(result) = &self.result {
            excerpt(&as_text(result), DIM, terminal, &mut out);
        }
        for remark in &self.remarks {
            excerpt(&without_secrets::text(remark), YELLOW, terminal, &mut out);
        }
        out
    }
}

/// A result as text: a list has a line for each of its items.
fn as_text(result: &Value) -> String {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match result {
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        other => plain(other),
    }
}

fn excerpt(text: &str, style: anstyle::Style, terminal: &Terminal, out: &mut String) {
    let text = without_secrets::text(text);
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.iter().take(MAX_LINES) {
        let line = one_line(line);
        let short: String = line.chars().take(MAX_COLUMNS).collect();
        let more = if short.len() < line.len() { "…" } else { "" };
        let _ = writeln!(out, "       {}", terminal.paint(style, &format!("{short}{more}")));
    }
    if let Some(more) = lines.len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        let _ = writeln!(out, "       … {}", crate::report::counted(more, "more line"));
    }
}
