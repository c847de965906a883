//! Rules made ready to run, for commands that need valid ones: problems go to standard error.

use std::sync::Arc;

use behavior_compiler::Compilation;
use behavior_compiler::registry::diagnostics;
use behavior_runtime::Layers;

use crate::args::RuleArgs;
use crate::neighbours;
use crate::number::count;
use crate::render::one_line;
use crate::report::{Problem, Report};
use crate::rules::{self, Rules};
use crate::terminal::{Exit, Failure, Terminal};

/// Valid rules.
pub struct Ready {
    /// The rules of all layers.
    pub layers: Arc<Layers>,
    /// How each layer was compiled; an image is read as it is.
    pub compilations: Vec<Option<Compilation>>,
    /// Whether nothing of the project's rules waits for its user's trust.
    pub trusts_project: bool,
}

/// Loads and compiles what the arguments ask for; where they ask for nothing, the default preset.
///
/// # Errors
/// When the rules cannot be read, or have errors, which are then printed.
pub fn load(args: &RuleArgs, terminal: &Terminal) -> Result<Ready, Failure> {
    if args.config.is_empty() {
        neighbours::passed_over().iter().for_each(|note| terminal.note(note));
    }
    match rules::load(args, |note| terminal.note(note))? {
        Rules::Ready { layers, compilations, waiting } => {
            waits(&waiting, terminal);
            let trusts_project = waiting.is_empty();
            Ok(Ready { layers: Arc::new(layers), compilations, trusts_project })
        }
        Rules::Broken(compilation) => Err(refuse(&compilation, terminal)),
    }
}

/// Says how many warnings the rules have, and how to see them.
pub fn point_at_warnings(ready: &Ready, args: &RuleArgs, terminal: &Terminal) {
    let mut report = Report::default();
    for compilation in ready.compilations.iter().flatten() {
        report.problems.extend(Report::of(compilation).problems);
    }
    // These are said anyway.
    let told = [diagnostics::NO_RULES.name, diagnostics::UNKNOWN_CONDITION.name];
    let is_new = |problem: &&Problem| {
        problem.severity == behavior_compiler::Severity::Warning && !told.contains(&problem.name)
    };
    let warnings = report.problems.iter().filter(is_new).count();
    if warnings > 0 {
        let names: String = args.config.iter().map(|name| format!(" {}", one_line(name))).collect();
        let warnings = count(warnings as u64, "warning");
        terminal
            .note(&format!("the rule files have {warnings}: `behavior check{names}` shows them"));
    }
}

/// Says what of the rules an agent's hook would not go by.
pub fn waits(waiting: &[String], terminal: &Terminal) {
    if let Some(first) = waiting.first() {
        let more = match waiting.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        terminal
            .note(&format!("in hooks, this waits for `behavior trust`: {}{more}", one_line(first)));
    }
}

impl Ready {
    /// Prints the warnings of the least trusted layer.
    pub fn warn(&self, terminal: &Terminal) {
        if let Some(Some(compilation)) = self.compilations.last() {
            warn(compilation, terminal);
        }
    }
}

/// Prints why rules are not valid.
#[must_use]
pub fn refuse(compilation: &Compilation, terminal: &Terminal) -> Failure {
    let report = Report::of(compilation);
    terminal.say(&crate::render::pretty::render(&report, terminal.error_color, terminal.quiet));
    Failure::Said(if report.has_internal() { Exit::Bug } else { Exit::Invalid })
}

/// Prints the warnings of rules that are valid. What is only good to know stays out.
fn warn(compilation: &Compilation, terminal: &Terminal) {
    let mut report = Report::of(compilation);
    report.problems.retain(|problem| problem.severity > behavior_compiler::Severity::Info);
    if !terminal.quiet && !report.problems.is_empty() {
        terminal.say(&crate::render::pretty::render(&report, terminal.error_color, false));
    }
}
