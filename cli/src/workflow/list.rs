//! `behavior workflow list`: which templates there are, and which cannot be used.

use std::fmt::Write;

use behavior_compiler::source::FileId;
use behavior_compiler::workflow::{Broken, Found, Origin, Workflows, worst_case};
use behavior_image::workflow::WorkflowTemplate;
use behavior_runtime::{Image, Layer};
use serde::Serialize;

use super::templates::Workspace;
use crate::args::PlainFormat;
use crate::number::count;
use crate::render::{json, one_line};
use crate::report::{Problem, Report, problems_in};
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal};

/// A template in force.
#[derive(Serialize)]
pub struct WorkflowOutput<'a> {
    /// Its name.
    pub name: &'a str,
    description: Option<&'a str>,
    file: &'a str,
    origin: &'static str,
    /// How many entries its steps have.
    pub steps: usize,
    /// The largest number of times that agents can be run.
    pub worst_case_step_runs: Option<u64>,
}

/// Returns the templates of an image, as they are inspected.
#[must_use]
pub fn in_image(image: &Image, layer: Layer) -> Vec<WorkflowOutput<'_>> {
    let Some(table) = image.workflows() else { return Vec::new() };
    let origin = if layer == Layer::Project { Origin::Project } else { Origin::User };
    let output = |template| {
        WorkflowOutput::new(template, origin, worst_case(template, !table.agents.is_empty()))
    };
    table.templates.iter().map(output).collect()
}

impl<'a> WorkflowOutput<'a> {
    fn new(template: &'a WorkflowTemplate, origin: Origin, worst_case: Option<u64>) -> Self {
        Self {
            name: &template.name,
            description: template.description.as_deref(),
            file: &template.file,
            origin: origin.name(),
            steps: template.steps.len(),
            worst_case_step_runs: worst_case,
        }
    }
}

impl<'a> From<&'a Found> for WorkflowOutput<'a> {
    fn from(found: &'a Found) -> Self {
        Self::new(&found.template, found.origin, found.worst_case)
    }
}

#[derive(Serialize)]
struct BrokenOutput<'a> {
    file: &'a str,
    diagnostics: Vec<json::Diagnostic<'a>>,
}

#[derive(Serialize)]
struct ListOutput<'a> {
    version: u32,
    workflows: Vec<WorkflowOutput<'a>>,
    broken: Vec<BrokenOutput<'a>>,
}

/// Runs the command.
///
/// # Errors
/// When the output cannot be written.
pub fn run(format: PlainFormat, terminal: &Terminal) -> Result<Exit, Failure> {
    let workflows = Workspace::find().compile();
    match format {
        PlainFormat::Json => {
            let problems =
                workflows.broken.iter().map(|broken| problems_of(&workflows, &broken.file));
            let problems: Vec<Vec<Problem>> = problems.collect();
            let broken =
                workflows.broken.iter().zip(&problems).map(|(one, problems)| BrokenOutput {
                    file: &one.file,
                    diagnostics: problems.iter().map(json::diagnostic).collect(),
                });
            terminal.print(&json::to_text(&ListOutput {
                version: 1,
                workflows: workflows.found.iter().map(WorkflowOutput::from).collect(),
                broken: broken.collect(),
            })?)?;
        }
        PlainFormat::Pretty => {
            terminal.print(&as_text(&workflows, terminal))?;
            say_broken(&workflows, terminal);
        }
    }
    Ok(Exit::Clean)
}

/// Says on standard error what is wrong with the files that cannot be used, and with those of agents.
pub fn say_broken(workflows: &Workflows, terminal: &Terminal) {
    say(workflows, workflows.broken.iter(), terminal);
}

/// Says on standard error what is wrong with the file of a template that cannot be used; whether there is one.
pub fn say_why(workflows: &Workflows, name: &str, terminal: &Terminal) -> bool {
    let named = |broken: &&Broken| broken.name.as_deref() == Some(name);
    let is_any = workflows.broken.iter().any(|broken| named(&broken));
    // The reason may be that no agents could be read.
    let unnamed = |broken: &&Broken| broken.name.is_none() || named(broken);
    say(workflows, workflows.broken.iter().filter(unnamed), terminal);
    is_any
}

fn say<'w>(workflows: &Workflows, broken: impl Iterator<Item = &'w Broken>, terminal: &Terminal) {
    let mut report = Report::default();
    for broken in broken {
        report.problems.extend(problems_of(workflows, &broken.file));
        report.files += 1;
    }
    report.problems.retain(|problem| problem.severity == behavior_compiler::Severity::Error);
    if report.problems.is_empty() {
        return;
    }
    report.sort();
    terminal.say(&crate::render::pretty::render(&report, terminal.error_color, terminal.quiet));
}

/// What is wrong with one file.
fn problems_of(workflows: &Workflows, file: &str) -> Vec<Problem> {
    let id: Option<FileId> = workflows.sources.find(file);
    let own: Vec<_> =
        workflows.diagnostics.iter().filter(|one| Some(one.span.file) == id).cloned().collect();
    problems_in(&workflows.sources, &workflows.documents, &own)
}

/// How often agents run, for people.
#[must_use]
pub fn runs_of(worst_case: Option<u64>) -> String {
    match worst_case {
        Some(most) => format!("at most {}", count(most, "step run")),
        None => "may never end".to_owned(),
    }
}

fn as_text(workflows: &Workflows, terminal: &Terminal) -> String {
    let mut out = String::new();
    let width = workflows.found.iter().map(|found| found.template.name.chars().count()).max();
    let width = width.unwrap_or(0).min(40);
    for found in &workflows.found {
        let template = &found.template;
        let runs = runs_of(found.worst_case);
        let name = format!("{:width$}", one_line(&template.name));
        let facts = format!(
            "{}, {runs}, {}",
            count(template.steps.len() as u64, "step"),
            found.origin.name()
        );
        let _ = writeln!(out, "{}  {}", terminal.paint(BOLD, &name), terminal.paint(DIM, &facts));
        if let Some(description) = &template.description {
            let _ = writeln!(out, "{:width$}  {}", "", one_line(description));
        }
    }
    if workflows.found.is_empty() {
        out.push_str("no workflows\n");
    }
    out
}
