//! Problems freed of the compilation that found them, so that those of several can be put together, told apart
//! and shown.

use std::collections::HashSet;
use std::sync::Arc;

use crate::Compilation;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Severity, Witness};
use crate::path::path_of;
use crate::registry::diagnostics::DUPLICATE_KEY;
use crate::resolve::Document;
use crate::source::{Source, SourceMap, Span};
use crate::syntax::written_at;

/// A range of bytes in a file.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub source: Arc<Source>,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

/// A problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of its kind, such as `unknown-field`.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: Place,
    /// Where in the document, such as `rule_definitions[0].trigger`.
    pub path: String,
    /// Other places that explain it, and what is there.
    pub labels: Vec<(Place, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// Changes that would mend it.
    pub fixes: Vec<Fix>,
    /// What happens in a session that shows it. Of rules that are no policy's, [`crate::witness::show`] finds it.
    pub witness: Option<Box<Witness>>,
}

impl Problem {
    /// All places that it speaks of.
    pub(crate) fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        let labels = self.labels.iter_mut().map(|(place, _)| place);
        let edits = self.fixes.iter_mut().flat_map(|fix| &mut fix.edits).map(|(place, _)| place);
        std::iter::once(&mut self.place).chain(labels).chain(edits)
    }
}

/// A change that mends a problem.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What it does.
    pub message: String,
    /// Whether it can be applied without looking.
    pub is_safe: bool,
    /// What is replaced, by what.
    pub edits: Vec<(Place, String)>,
}

/// The problems of a compilation, in its order. One about no place is at the start of the first file.
#[must_use]
pub fn problems(compilation: &Compilation) -> Vec<Problem> {
    problems_in(&compilation.sources, &compilation.documents, &compilation.diagnostics)
}

/// The problems in files, in their order. One about no place is at the start of the first file.
#[must_use]
pub fn problems_in(
    sources: &SourceMap,
    documents: &[Document],
    diagnostics: &[Diagnostic],
) -> Vec<Problem> {
    let Some((_, first)) = sources.iter().next() else { return Vec::new() };
    let place = |span: Span| match sources.get(span.file).cloned() {
        Some(source) => Place { source, start: span.start, end: span.end.max(span.start) },
        None => Place { source: Arc::clone(first), start: 0, end: 0 },
    };
    diagnostics.iter().map(|diagnostic| problem(documents, diagnostic, &place)).collect()
}

fn problem(
    documents: &[Document],
    diagnostic: &Diagnostic,
    place_of: &dyn Fn(Span) -> Place,
) -> Problem {
    let document = documents.iter().find(|document| document.file == diagnostic.span.file);
    let path = document.map(|document| path_of(&document.config, named_by(diagnostic)));
    let written = |edit: &Edit| written(documents, edit);
    problem_at(path.unwrap_or_default(), diagnostic, place_of, &written)
}

/// A diagnostic at a path, as a problem.
pub(crate) fn problem_at(
    path: String,
    diagnostic: &Diagnostic,
    place_of: &dyn Fn(Span) -> Place,
    written: &dyn Fn(&Edit) -> String,
) -> Problem {
    let fixes = diagnostic.fixes.iter().map(|fix| Fix {
        message: fix.message.clone(),
        is_safe: fix.applicability == Applicability::Safe,
        edits: fix.edits.iter().map(|edit| (place_of(edit.span), written(edit))).collect(),
    });
    let labels = diagnostic.labels.iter();
    Problem {
        name: diagnostic.kind.name,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        place: place_of(diagnostic.span),
        path,
        labels: labels.map(|label| (place_of(label.span), label.message.clone())).collect(),
        help: diagnostic.help.clone(),
        fixes: fixes.collect(),
        witness: diagnostic.witness.clone(),
    }
}

/// What an edit puts in, as it has to be written where it stands.
fn written(documents: &[Document], edit: &Edit) -> String {
    match documents.iter().find(|document| document.file == edit.span.file) {
        Some(document) => written_at(&document.config, edit.span, &edit.text),
        None => edit.text.clone(),
    }
}

/// The span whose path is that of a diagnostic. A key that stands twice is in the tree once, where it
/// stands first.
pub(crate) fn named_by(diagnostic: &Diagnostic) -> Span {
    let first = diagnostic.labels.first().filter(|_| diagnostic.kind.name == DUPLICATE_KEY.name);
    first.map_or(diagnostic.span, |label| label.span)
}

/// Puts problems in order: file, then offset; each once.
pub fn sort(problems: &mut Vec<Problem>) {
    let mut seen = HashSet::new();
    problems.retain(|problem| seen.insert(identity(problem)));
    problems.sort_by(|a, b| {
        let key = |problem: &Problem| (problem.place.start, problem.place.end);
        a.place.source.name.cmp(&b.place.source.name).then(key(a).cmp(&key(b)))
    });
}

/// What makes two problems of several compilations the same.
fn identity(problem: &Problem) -> (String, u32, u32, &'static str, String) {
    let Place { source, start, end } = &problem.place;
    (source.name.clone(), *start, *end, problem.name, problem.message.clone())
}
