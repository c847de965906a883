//! What is wrong with one file of workflows, as it is asked of every rule file.

use super::agents;
use super::place::is_template_file;
use super::read::Reading;
use super::set::{agents_for, is_of, name_in, ordered, read, table, twice};
use crate::Compilation;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Program;
use crate::provider::SourceProvider;
use crate::registry::diagnostics as d;
use crate::resolve::kind::said_in_first_line;
use crate::resolve::{FileKind, Options};
use crate::source::{FileId, Span};

/// What is wrong with a file of workflows; `None` where the entry is none.
pub(crate) fn check(
    provider: &dyn SourceProvider,
    entry: &str,
    options: &Options,
) -> Option<Compilation> {
    let kind = kind_of(provider, entry)?;
    let mut reading = Reading::new(provider);
    // The file itself comes first among the sources.
    let file = reading.text(entry);
    let mut program = Program::default();
    let mut own = Vec::new();
    match (kind, file) {
        (_, None) => {}
        (FileKind::Workflow, Some(_)) => {
            let mut aside = Reading::new(provider);
            let agents = agents_for(&mut aside, entry, &options.agents);
            if let Some((lowered, _)) = read(&mut reading, entry, &agents) {
                if let Some(first) = first_of_name(provider, entry, &lowered.template.name) {
                    twice(&mut reading, &lowered, &first);
                }
                own.push(lowered.template);
            }
            program.workflows = table(own, &agents);
        }
        (_, Some(_)) => {
            let agents = agents::of_file(&mut reading, entry);
            program.workflows = table(own, &agents);
        }
    }
    let Reading { sources, documents, reports, .. } = reading;
    let mut diagnostics = ordered(reports.diagnostics);
    diagnostics.retain(|one| is_of(FileId(0))(one) || one.severity == Severity::Error);
    let loosening = Vec::new();
    Some(Compilation { image: None, program, diagnostics, sources, documents, loosening })
}

/// The kind of a file by its first line, else by its place, if it is one of workflows.
fn kind_of(provider: &dyn SourceProvider, entry: &str) -> Option<FileKind> {
    let by_place = super::kind_by_place(entry);
    if !entry.ends_with(".json") {
        let bytes = provider.read(entry).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        if let Some(word) = said_in_first_line(&text) {
            return super::kind_in_first_line(word);
        }
    }
    by_place
}

/// The file beside a template that has its name and is found before it.
fn first_of_name(provider: &dyn SourceProvider, entry: &str, name: &str) -> Option<String> {
    let slash = entry.rfind('/')?;
    let (folder, own) = (entry.get(..slash)?, entry.get(slash + 1..)?);
    let mut names = provider.list(folder);
    names.sort();
    let earlier = names.into_iter().take_while(|file| file != own);
    let mut paths =
        earlier.map(|file| format!("{folder}/{file}")).filter(|path| is_template_file(path));
    paths.find(|path| name_in(provider, path).as_deref() == Some(name))
}

/// That a file holds no rules.
pub(crate) fn holds_no_rules(kind: FileKind) -> Diagnostic {
    let nowhere = Span::new(FileId(0), 0, 0);
    let message = format!("this file holds {}, which no rules are read from", kind.describe());
    Diagnostic::new(&d::UNSUPPORTED_KIND, nowhere, message)
}
