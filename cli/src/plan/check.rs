//! `behavior plan check`: what is wrong with a plan, and what would be decided on its steps.

use std::fmt::Write;

use behavior_compiler::plan::{self, Checked, Plan};
use behavior_compiler::source::{FileId, Span};
use behavior_runtime::{Layers, Verdict};
use serde::Serialize;

use super::confinement::Confinement;
use super::foresight::{Foreseen, begin, command_of, foresee};
use super::{input, secrets};
use crate::args::{PlainFormat, PlanCheckArgs};
use crate::live::host::LiveHost;
use crate::render::json::Diagnostic;
use crate::render::{self, one_line};
use crate::report::{Problem, Report};
use crate::simulate::json::{FindingOutput, JsonReport, Options};
use crate::terminal::{BOLD, DIM, Exit, Failure, GREEN, RED, Terminal, YELLOW};
use crate::{ready, without_secrets};

/// The version of the shape.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    valid: bool,
    diagnostics: Vec<StepDiagnostic<'a>>,
    steps: Vec<StepOutput<'a>>,
    destructive: Vec<usize>,
    asks: bool,
}

/// A problem, and the step that it is about.
#[derive(Serialize)]
pub struct StepDiagnostic<'a> {
    #[serde(flatten)]
    diagnostic: Diagnostic<'a>,
    step: Option<usize>,
}

#[derive(Serialize)]
struct StepOutput<'a> {
    step: usize,
    tool: &'a str,
    destructive: bool,
    verdict: &'static str,
    findings: Vec<FindingOutput<'a>>,
    /// Why `plan run` would not run it, whatever the rules decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
}

/// Runs the command.
///
/// # Errors
/// When the plan or the rules cannot be read, or nothing can be printed.
pub fn run(args: &PlanCheckArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let (name, text) = input::read(&args.file)?;
    let checked = plan::read(&name, &text);
    let layers = ready::load(&args.rules, terminal)?.layers;
    let host = &mut LiveHost::default();
    let session = begin(&layers, args.mode.mode, &checked.plan, host);
    let confinement = confinement(&checked.plan)?;
    let foreseen = foresee(&checked.plan, session, confinement.as_ref(), host);
    let report = Report::of(&checked.compilation());
    match args.format {
        PlainFormat::Json => {
            let json = JsonReport::new(&layers, Options::default());
            let output = Output {
                version: VERSION,
                valid: checked.is_valid(),
                diagnostics: with_steps(&report, &checked),
                steps: foreseen.iter().map(|one| step(one, &json)).collect(),
                destructive: destructive(&foreseen),
                asks: foreseen.iter().any(Foreseen::asks),
            };
            terminal.print(&render::json::to_text(&without_secrets::data(&output)?)?)?;
        }
        PlainFormat::Pretty => {
            let mut out = diagnostics_for_people(&report, &checked, &text, terminal);
            if !terminal.quiet {
                steps_for_people(&foreseen, &layers, terminal, &mut out);
            }
            terminal.print(&out)?;
        }
    }
    Ok(if checked.is_valid() { Exit::Clean } else { Exit::Findings })
}

/// What commands of a plan may not do here; nothing for a plan without any.
fn confinement(plan: &Plan) -> Result<Option<Confinement>, Failure> {
    let has_commands = plan.steps.iter().any(|step| command_of(step).is_some());
    let root = std::env::current_dir()?.canonicalize()?;
    has_commands.then(|| Confinement::to(&root).map_err(Failure::Message)).transpose()
}

/// The problems, each with its step.
#[must_use]
pub fn with_steps<'a>(report: &'a Report, checked: &Checked) -> Vec<StepDiagnostic<'a>> {
    let step = |problem: &Problem| {
        checked.step_at(Span::new(FileId(0), problem.place.start, problem.place.end))
    };
    let (shown, _) = report.shown();
    shown
        .into_iter()
        .map(|problem| StepDiagnostic {
            diagnostic: render::json::diagnostic(problem),
            step: step(problem),
        })
        .collect()
}

/// The problems for people: without the text of the plan where it holds a secret.
#[must_use]
pub fn diagnostics_for_people(
    report: &Report,
    checked: &Checked,
    text: &str,
    terminal: &Terminal,
) -> String {
    if secrets::of_plan(checked, text).is_some() {
        let lines = without_secrets::text(&render::concise::render(report));
        return format!("{lines}{}\n", report.summary());
    }
    render::pretty::render(report, terminal.color, terminal.quiet)
}

fn step<'a>(foreseen: &'a Foreseen, json: &'a JsonReport<'_>) -> StepOutput<'a> {
    StepOutput {
        step: foreseen.step,
        tool: &foreseen.tool,
        destructive: foreseen.is_destructive,
        verdict: foreseen.decision.verdict().name(),
        findings: json.findings(&foreseen.decision),
        refused: foreseen.refusal.as_deref(),
    }
}

fn destructive(foreseen: &[Foreseen]) -> Vec<usize> {
    foreseen.iter().filter(|one| one.is_destructive).map(|one| one.step).collect()
}

/// No more steps are told one by one.
const MAX_SHOWN: usize = 200;

fn steps_for_people(foreseen: &[Foreseen], layers: &Layers, terminal: &Terminal, out: &mut String) {
    for one in foreseen.iter().take(MAX_SHOWN) {
        let verdict = one.decision.verdict();
        let style = match verdict {
            Verdict::Allow => GREEN,
            Verdict::Ask => YELLOW,
            Verdict::Deny => RED,
        };
        let number = terminal.paint(DIM, &format!("{:>3}", one.step));
        let tool = terminal.paint(BOLD, &one_line(&without_secrets::text(&one.tool)));
        let mark = if one.is_destructive { "  changes what is there" } else { "" };
        let verdict = terminal.paint(style, verdict.name());
        let _ = writeln!(out, "{number}  {tool}: {verdict}{}", terminal.paint(DIM, mark));
        for finding in one.decision.effective() {
            let id = layers.rules().id(finding.rule);
            let message = one_line(&without_secrets::text(&finding.message));
            let _ = writeln!(out, "     {} {id}: {message}", finding.action.name());
        }
        if let Some(refusal) = &one.refusal {
            let refusal = one_line(&without_secrets::text(refusal));
            let _ = writeln!(out, "     would not be run: {refusal}");
        }
    }
    if let Some(more) = foreseen.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(out, "     and {more} more");
    }
    let asked: Vec<String> = foreseen
        .iter()
        .filter(|one| one.asks())
        .take(MAX_SHOWN)
        .map(|one| one.step.to_string())
        .collect();
    let _ = match &*asked {
        [] => writeln!(out, "nothing is asked before it runs"),
        [only] => writeln!(out, "the user is asked before step {only} runs"),
        several => writeln!(out, "the user is asked before the steps {} run", several.join(", ")),
    };
}
