//! Problems as one JSON object. Its shape is a contract with editors and scripts.

use behavior_compiler::diagnostic::Witness;
use behavior_compiler::witness::{as_session, as_test};
use behavior_json::plain::escaped;
use serde::Serialize;

use crate::report::{Fix, Place, Problem, Report};

/// The version of the shape.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'r> {
    version: u32,
    diagnostics: Vec<Diagnostic<'r>>,
    summary: Summary,
}

/// A problem, as programs read it.
#[derive(Serialize)]
pub struct Diagnostic<'r> {
    name: &'r str,
    severity: &'r str,
    message: &'r str,
    file: &'r str,
    span: Span,
    path: &'r str,
    labels: Vec<Label<'r>>,
    help: Option<&'r str>,
    fixes: Vec<FixOutput<'r>>,
    /// What happens in a session that shows it, where that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<WitnessOutput<'r>>,
}

/// A session that shows a problem, and both files that it can be kept in.
#[derive(Serialize)]
struct WitnessOutput<'r> {
    spelled: &'r str,
    test: String,
    session: String,
}

#[derive(Serialize)]
struct Span {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
    offset: u32,
}

#[derive(Serialize)]
struct Label<'r> {
    file: &'r str,
    span: Span,
    message: &'r str,
}

#[derive(Serialize)]
struct FixOutput<'r> {
    message: &'r str,
    applicability: &'static str,
    edits: Vec<Edit<'r>>,
}

#[derive(Serialize)]
struct Edit<'r> {
    file: &'r str,
    span: Span,
    text: &'r str,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    /// Problems that are counted above and not listed, because their file has too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_listed: Option<usize>,
}

/// The report as JSON, with a line break at its end.
///
/// # Errors
/// When the serialiser fails, which plain strings and numbers give it no reason to.
pub fn render(report: &Report) -> std::io::Result<String> {
    let counts = report.counts();
    let (shown, hidden) = report.shown();
    let output = Output {
        version: VERSION,
        diagnostics: shown.into_iter().map(diagnostic).collect(),
        summary: Summary {
            files: report.files,
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.infos,
            not_listed: hidden.iter().map(|hidden| hidden.count).reduce(|a, b| a + b),
        },
    };
    to_text(&output)
}

/// One problem as JSON on one line.
///
/// # Errors
/// As [`render`].
pub fn one(problem: &Problem) -> serde_json::Result<String> {
    serde_json::to_string(&diagnostic(problem))
}

/// Any value as indented JSON with a line break at its end.
///
/// # Errors
/// When the value has a form that JSON lacks.
pub fn to_text(value: &impl Serialize) -> std::io::Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(std::io::Error::other)?;
    Ok(format!("{}\n", escaped(&text)))
}

/// Returns a problem as programs read it.
#[must_use]
pub fn diagnostic(problem: &Problem) -> Diagnostic<'_> {
    Diagnostic {
        name: problem.name,
        severity: problem.severity.name(),
        message: &problem.message,
        file: &problem.place.source.name,
        span: span(&problem.place),
        path: &problem.path,
        labels: problem
            .labels
            .iter()
            .map(|(place, message)| Label { file: &place.source.name, span: span(place), message })
            .collect(),
        help: problem.help.as_deref(),
        fixes: problem.fixes.iter().map(fix).collect(),
        witness: problem.witness.as_deref().map(|it| witness(&problem.place.source.name, it)),
    }
}

fn witness<'r>(file: &str, witness: &'r Witness) -> WitnessOutput<'r> {
    WitnessOutput {
        spelled: &witness.spelled,
        test: as_test(file, witness),
        session: as_session(witness),
    }
}

fn fix(fix: &Fix) -> FixOutput<'_> {
    FixOutput {
        message: &fix.message,
        applicability: if fix.is_safe { "safe" } else { "unsafe" },
        edits: fix
            .edits
            .iter()
            .map(|(place, text)| Edit { file: &place.source.name, span: span(place), text })
            .collect(),
    }
}

fn span(place: &Place) -> Span {
    Span { start: position(place, place.start), end: position(place, place.end) }
}

fn position(place: &Place, offset: u32) -> Position {
    let at = place.source.position(offset);
    Position { line: at.line, column: at.column, offset: at.offset }
}
