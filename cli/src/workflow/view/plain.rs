//! A run as plain lines.

use behavior_runtime::workflow::{NextStep, Transition, Workflow};
use behavior_secrets::redacted;

use super::run_events::View;
use super::words::{last_line, repeats, seconds, title};
use crate::number::count;
use crate::render::one_line;
use crate::terminal::Terminal;
use crate::workflow::journal::Ended;
use crate::workflow::output::in_words;
use crate::workflow::process::Stream;
use crate::workflow::state::Status;

/// Lines of output longer than this are cut.
const MAX_LINE: usize = 4000;

/// Plain lines.
pub struct Plain {
    terminal: Terminal,
    /// What was printed and is no whole line yet.
    rest: Vec<u8>,
}

impl Plain {
    /// Begins.
    pub fn new(terminal: Terminal) -> Self {
        Self { terminal, rest: Vec::new() }
    }

    /// Says what only those want to know who look on.
    fn detail(&self, text: &str) {
        if !self.terminal.quiet {
            self.line(text);
        }
    }

    fn line(&self, text: &str) {
        // Whoever reads this may have gone; the run goes on.
        let _ = self.terminal.print(&format!("{text}\n"));
    }

    fn flush(&mut self) {
        if !self.rest.is_empty() {
            let rest = std::mem::take(&mut self.rest);
            self.shown(&rest);
        }
    }

    fn shown(&self, line: &[u8]) {
        let whole = redacted(&String::from_utf8_lossy(line), usize::MAX);
        let text: String = whole.chars().take(MAX_LINE).collect();
        self.detail(&format!("  | {}", one_line(text.trim_end_matches(['\r', '\n']))));
    }
}

impl View for Plain {
    fn begins(&mut self, id: &str, workflow: &Workflow) {
        let steps = count(workflow.template().steps.len() as u64, "step");
        self.detail(&format!("run {id}: {} ({steps})", one_line(&workflow.template().name)));
    }

    fn step(&mut self, _: &Workflow, step: &NextStep<'_>) {
        self.detail(&format!("step {}: {}{}", step.index, one_line(&title(step)), repeats(step)));
    }

    fn printed(&mut self, part: Option<(Stream, &[u8])>) {
        let Some((_, bytes)) = part else { return };
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.shown(&line);
        }
        if self.rest.len() > MAX_LINE * 4 {
            self.flush();
        }
    }

    fn ended(&mut self, _: &Workflow, ended: &Ended, transition: &Transition) {
        self.flush();
        let how = if ended.ok { "done" } else { "failed" };
        let after = one_line(&in_words(transition));
        self.detail(&format!("step {} {how} in {}: {after}", ended.step, seconds(ended.took)));
        transition.warnings.iter().for_each(|warning| self.note(warning));
    }

    fn note(&mut self, text: &str) {
        self.terminal.note(text);
    }

    fn over(&mut self, id: &str, status: Status, reason: Option<&str>) {
        self.flush();
        self.line(&one_line(&last_line(id, status, reason)));
    }
}
