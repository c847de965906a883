//! Problems of one or more compilations, freed of the compilation they come from, so that they can
//! be sorted, told apart and printed together.

use std::collections::HashSet;
use std::sync::Arc;

use behavior_compiler::diagnostic::Applicability;
use behavior_compiler::path::path_of;
use behavior_compiler::registry::diagnostics::DUPLICATE_KEY;
use behavior_compiler::source::{Source, Span};
use behavior_compiler::{Compilation, Diagnostic, Document, Severity, SourceMap};

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

/// More problems of one file than this are counted and not shown.
const MAX_OF_A_FILE: usize = 1000;

/// Problems of a file that are counted and not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden<'r> {
    /// The file's name.
    pub file: &'r str,
    /// How many there are.
    pub count: usize,
}

/// Problems and the files that were looked at.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The problems, by file and offset.
    pub problems: Vec<Problem>,
    /// How many files were looked at.
    pub files: usize,
}

/// How many problems there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Everything else.
    pub infos: usize,
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
    diagnostic: &behavior_compiler::Diagnostic,
    place_of: &dyn Fn(Span) -> Place,
) -> Problem {
    let document = documents.iter().find(|document| document.file == diagnostic.span.file);
    let fixes = diagnostic.fixes.iter().map(|fix| Fix {
        message: fix.message.clone(),
        is_safe: fix.applicability == Applicability::Safe,
        edits: fix.edits.iter().map(|edit| (place_of(edit.span), edit.text.clone())).collect(),
    });
    let labels = diagnostic.labels.iter();
    Problem {
        name: diagnostic.kind.name,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        place: place_of(diagnostic.span),
        path: document
            .map(|document| path_of(&document.config, named_by(diagnostic)))
            .unwrap_or_default(),
        labels: labels.map(|label| (place_of(label.span), label.message.clone())).collect(),
        help: diagnostic.help.clone(),
        fixes: fixes.collect(),
    }
}

/// The span whose path is that of a diagnostic. A key that stands twice is in the tree once, where it
/// stands first.
fn named_by(diagnostic: &Diagnostic) -> Span {
    let first = diagnostic.labels.first().filter(|_| diagnostic.kind.name == DUPLICATE_KEY.name);
    first.map_or(diagnostic.span, |label| label.span)
}

impl Report {
    /// The report of one compilation.
    #[must_use]
    pub fn of(compilation: &Compilation) -> Self {
        let mut report = Report { problems: problems(compilation), files: 0 };
        report.files = compilation
            .documents
            .iter()
            .filter_map(|document| compilation.sources.get(document.file))
            .filter(|source| !source.name.starts_with("builtin:"))
            .count();
        report.sort();
        report
    }

    /// Puts the problems in order: file, then offset; each once.
    pub fn sort(&mut self) {
        let mut seen = HashSet::new();
        self.problems.retain(|problem| seen.insert(identity(problem)));
        self.problems.sort_by(|a, b| {
            let key = |problem: &Problem| (problem.place.start, problem.place.end);
            a.place.source.name.cmp(&b.place.source.name).then(key(a).cmp(&key(b)))
        });
    }

    /// The problems to show where there may be very many of them: of each file the worst ones, in
    /// their order, and how many others there are. Who has that many mends the first ones first.
    #[must_use]
    pub fn shown(&self) -> (Vec<&Problem>, Vec<Hidden<'_>>) {
        let mut shown = Vec::new();
        let mut hidden = Vec::new();
        // The problems of a file follow each other.
        let same_file = |a: &Problem, b: &Problem| a.place.source.name == b.place.source.name;
        for of_file in self.problems.chunk_by(same_file) {
            let mut chosen: Vec<(usize, &Problem)> = of_file.iter().enumerate().collect();
            if let (Some(count), Some(first)) = (
                of_file.len().checked_sub(MAX_OF_A_FILE).filter(|count| *count > 0),
                of_file.first(),
            ) {
                // The sort is stable: among equally bad ones, the first stay.
                chosen.sort_by_key(|(_, problem)| std::cmp::Reverse(problem.severity));
                chosen.truncate(MAX_OF_A_FILE);
                chosen.sort_by_key(|(at, _)| *at);
                hidden.push(Hidden { file: &first.place.source.name, count });
            }
            shown.extend(chosen.into_iter().map(|(_, problem)| problem));
        }
        (shown, hidden)
    }

    /// Whether a problem is a mistake of ours.
    #[must_use]
    pub fn has_internal(&self) -> bool {
        self.problems.iter().any(|problem| problem.name == "internal")
    }

    /// How many problems of each level.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for problem in &self.problems {
            *match problem.severity {
                Severity::Error => &mut counts.errors,
                Severity::Warning => &mut counts.warnings,
                Severity::Info => &mut counts.infos,
            } += 1;
        }
        counts
    }

    /// One line that sums it up: `2 errors, 1 warning in 1 file`.
    #[must_use]
    pub fn summary(&self) -> String {
        let counts = self.counts();
        let parts: Vec<String> =
            [(counts.errors, "error"), (counts.warnings, "warning"), (counts.infos, "info")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, name)| counted(count, name))
                .collect();
        let found = if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") };
        match self.files {
            0 => found,
            files => format!("{found} in {}", counted(files, "file")),
        }
    }
}

/// What makes two problems of several compilations the same.
fn identity(problem: &Problem) -> (String, u32, u32, &'static str, String) {
    let Place { source, start, end } = &problem.place;
    (source.name.clone(), *start, *end, problem.name, problem.message.clone())
}

/// `1 file`, `2 files`.
#[must_use]
pub fn counted(count: usize, name: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {name}{ending}")
}
