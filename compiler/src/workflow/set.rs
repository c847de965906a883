//! Templates of several places, compiled together: those with errors are told, and the others stay usable.

use behavior_image::workflow::{WorkflowTable, WorkflowTemplate};
use behavior_runtime::Image;

use super::agents::{AgentDeclaration, declared, files_for, library};
use super::lints::lint;
use super::read::Reading;
use super::records::TemplateFile;
use super::template::{Lowered, lower};
use super::worst_case::worst_case;
use crate::Diagnostic;
use crate::decode::{Decode, Reports};
use crate::diagnostic::Severity;
use crate::ir::Program;
use crate::provider::SourceProvider;
use crate::registry::diagnostics as d;
use crate::resolve::kind::format_of;
use crate::resolve::{Document, FileKind};
use crate::source::{FileId, SourceMap};
use crate::syntax::parse;

/// Whose templates they are, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The project's.
    Project,
    /// The user's.
    User,
    /// The standard library's.
    Library,
}

impl Origin {
    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::Library => "library",
        }
    }
}

/// A file of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateSource {
    /// The file.
    pub file: String,
    /// Whose it is.
    pub origin: Origin,
}

/// Templates that were compiled together.
#[derive(Debug)]
pub struct Workflows {
    /// The templates in force: of several with one name, the nearest.
    pub found: Vec<Found>,
    /// The files with errors.
    pub broken: Vec<Broken>,
    /// The agents that are declared.
    pub agents: Vec<AgentDeclaration>,
    /// The image, with all templates in force.
    pub image: Option<Image>,
    /// All problems.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that took part.
    pub sources: SourceMap,
    /// Those that were read as templates or agents.
    pub documents: Vec<Document>,
}

/// A file with errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The file.
    pub file: String,
    /// The name of its template, as far as that can be told.
    pub name: Option<String>,
}

/// A template in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The template.
    pub template: WorkflowTemplate,
    /// Whose it is.
    pub origin: Origin,
    /// The largest number of times that agents can be run; `None` where it may never end.
    pub worst_case: Option<u64>,
}

/// Compiles templates with the agents of these files, both nearest first.
#[must_use]
pub fn compile(
    provider: &dyn SourceProvider,
    templates: &[TemplateSource],
    agents: &[String],
) -> Workflows {
    let mut reading = Reading::new(provider);
    let mut files = agents.to_vec();
    files.push(library());
    let agents = declared(&mut reading, &files);
    let mut found: Vec<Found> = Vec::new();
    let mut broken: Vec<Broken> = files_with_errors(&reading);
    for source in templates {
        let before = reading.reports.diagnostics.len();
        let lowered = read(&mut reading, &source.file, &agents);
        let problems = reading.reports.diagnostics.get(before..).unwrap_or_default();
        let has_errors = problems.iter().any(|problem| problem.severity == Severity::Error);
        match lowered.filter(|_| !has_errors) {
            None => broken
                .push(Broken { name: name_in(provider, &source.file), file: source.file.clone() }),
            Some((lowered, worst_case)) => {
                let same = |other: &&Found| other.template.name == lowered.template.name;
                // What a nearer file means by a name, nobody else may, even where it has errors.
                let name = Some(&lowered.template.name);
                if broken.iter().any(|one| one.name.as_ref() == name) {
                    continue;
                }
                if let Some(first) = found.iter().find(same) {
                    if first.origin == source.origin {
                        twice(&mut reading, &lowered, &first.template.file.clone());
                    }
                    continue;
                }
                found.push(Found { template: lowered.template, origin: source.origin, worst_case });
            }
        }
    }
    let table = table(found.iter().map(|found| found.template.clone()).collect(), &agents);
    let image = image(table, &reading.sources);
    let Reading { sources, documents, reports, .. } = reading;
    let diagnostics = ordered(reports.diagnostics);
    Workflows { found, broken, agents, image, diagnostics, sources, documents }
}

/// The files that were read and have errors.
fn files_with_errors(reading: &Reading<'_>) -> Vec<Broken> {
    let errors = reading.reports.diagnostics.iter();
    let errors = errors.filter(|problem| problem.severity == Severity::Error);
    let mut files: Vec<FileId> = errors.map(|problem| problem.span.file).collect();
    files.sort_unstable();
    files.dedup();
    let names = files.into_iter().filter_map(|file| Some(reading.sources.get(file)?.name.clone()));
    names.map(|file| Broken { file, name: None }).collect()
}

/// The name of the template in a file, whatever else is wrong with it.
pub(super) fn name_in(provider: &dyn SourceProvider, path: &str) -> Option<String> {
    let text = String::from_utf8(provider.read(path).ok()?).ok()?;
    let root = parse(FileId(0), &text, format_of(path, &text)).root;
    let record = TemplateFile::decode(&root, &mut Reports::default())?;
    record.name.map(|name| name.value.into())
}

/// Reads a template; what is wrong with it or odd is reported.
pub(super) fn read(
    reading: &mut Reading<'_>,
    file: &str,
    agents: &[AgentDeclaration],
) -> Option<(Lowered, Option<u64>)> {
    let (_, record) = reading.record::<TemplateFile>(file, FileKind::Workflow)?;
    let lowered = lower(reading, file, record, agents)?;
    let worst_case = worst_case(&lowered.template, !agents.is_empty());
    lint(reading, &lowered, worst_case);
    Some((lowered, worst_case))
}

/// Reports a name that an earlier file of the same folder has.
pub(super) fn twice(reading: &mut Reading<'_>, lowered: &Lowered, first: &str) {
    let message = format!("`{first}` has the name `{}` already", lowered.template.name);
    reading.report(
        Diagnostic::new(&d::DUPLICATE_WORKFLOW, lowered.name, message)
            .help("that one is started by the name; give this one another"),
    );
}

/// The agents for a template that is looked at by itself.
pub(super) fn agents_for(
    reading: &mut Reading<'_>,
    file: &str,
    others: &[String],
) -> Vec<AgentDeclaration> {
    declared(reading, &files_for(file, others))
}

pub(super) fn table(
    templates: Vec<WorkflowTemplate>,
    agents: &[AgentDeclaration],
) -> WorkflowTable {
    let agents = agents.iter().map(|agent| agent.id.clone()).collect();
    WorkflowTable { templates, agents, pause_at: None }
}

fn image(table: WorkflowTable, sources: &SourceMap) -> Option<Image> {
    let program = Program { workflows: table, ..Program::default() };
    let bytes = crate::codegen::generate(&program, sources, None).ok()?;
    Image::from_bytes(bytes).ok()
}

/// The problems by file and place, each once.
pub(super) fn ordered(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|one| (one.span.file, one.span.start));
    let mut seen = std::collections::HashSet::new();
    diagnostics.retain(|one| seen.insert((one.kind.name, one.span, one.message.clone())));
    diagnostics
}

/// Whether a problem is one of a file.
pub(super) fn is_of(file: FileId) -> impl Fn(&Diagnostic) -> bool {
    move |diagnostic| diagnostic.span.file == file
}
