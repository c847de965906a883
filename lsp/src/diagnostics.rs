//! `check` of one open file, in the protocol's words.

use std::collections::BTreeMap;

use behavior_compiler::ide::{self, RuleFile};
use behavior_compiler::source::{FileId, Span};
use behavior_compiler::{Compilation, Diagnostic, Options, Severity, SourceProvider, check};
use tower_lsp::ls_types::{
    self as lsp, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
    Uri,
};

use crate::overlay::Overlay;
use crate::text::{Encoding, Text};

/// What is needed to check a file, all of one moment.
#[derive(Clone, Debug)]
pub struct Job<P> {
    /// The file to check.
    pub entry: String,
    /// The files as they are.
    pub files: Overlay<P>,
    /// The addresses of the open documents, by name.
    pub addresses: BTreeMap<String, Uri>,
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether the client shows related places.
    pub wants_related: bool,
    /// The moment.
    pub revision: u64,
}

/// What checking a file gave.
#[derive(Debug)]
pub struct Checked {
    /// The moment of the texts that it is about.
    pub revision: u64,
    /// Whether the file turned out to be a rule file.
    pub is_rule_file: bool,
    /// The names of all files that took part.
    pub read: Vec<String>,
    /// The problems, by the name of the file in which they are.
    pub problems: BTreeMap<String, Vec<lsp::Diagnostic>>,
    /// Where the file refers to what it builds on.
    pub reference: Range,
    /// The file as it was read, for questions about it.
    pub file: Option<RuleFile>,
}

/// Checks a file with all that it refers to.
pub fn run<P: SourceProvider>(job: &Job<P>) -> Checked {
    let compilation = check(&job.files, std::slice::from_ref(&job.entry), &Options::default());
    let read = compilation.sources.iter().map(|(_, source)| source.name.clone()).collect();
    let mut checked = Checked {
        revision: job.revision,
        is_rule_file: is_rule_file(job, &compilation),
        read,
        problems: BTreeMap::new(),
        reference: Range::default(),
        file: RuleFile::of_entry(&compilation, text(job)),
    };
    if !checked.is_rule_file {
        return checked;
    }
    let mut places = Places { job, compilation: &compilation, texts: BTreeMap::new() };
    for diagnostic in &compilation.diagnostics {
        let Some(source) = compilation.sources.get(diagnostic.span.file) else { continue };
        let converted = places.diagnostic(diagnostic);
        checked.problems.entry(source.name.clone()).or_default().push(converted);
    }
    if let Some(span) = reference(&compilation) {
        checked.reference = places.range(span);
    }
    checked
}

fn text<P>(job: &Job<P>) -> &str {
    job.files.open.get(&job.entry).map_or("", |text| text.source())
}

fn is_rule_file<P>(job: &Job<P>, compilation: &Compilation) -> bool {
    let text = text(job);
    // A file that cannot be read as text has no tree, and its place alone tells.
    match compilation.documents.first() {
        Some(document) => ide::is_rule_file(&job.entry, text, &document.root),
        None => ide::may_be_rule_file(&job.entry, text),
    }
}

/// Where the entry names its profile.
fn reference(compilation: &Compilation) -> Option<Span> {
    let config = &compilation.documents.first()?.config;
    config.get("profile").or_else(|| config.get("extends")).map(|value| value.span)
}

/// Turns spans into the protocol's places.
struct Places<'j, P> {
    job: &'j Job<P>,
    compilation: &'j Compilation,
    /// The lines of files that are not open.
    texts: BTreeMap<FileId, Text>,
}

impl<P> Places<'_, P> {
    fn diagnostic(&mut self, diagnostic: &Diagnostic) -> lsp::Diagnostic {
        let message = match &diagnostic.help {
            Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let related = self.related(diagnostic);
        lsp::Diagnostic {
            range: self.range(diagnostic.span),
            severity: Some(severity(diagnostic.severity)),
            code: Some(NumberOrString::String(diagnostic.kind.name.to_owned())),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..lsp::Diagnostic::default()
        }
    }

    fn related(&mut self, diagnostic: &Diagnostic) -> Vec<DiagnosticRelatedInformation> {
        if !self.job.wants_related {
            return Vec::new();
        }
        let mut related = Vec::new();
        for label in &diagnostic.labels {
            if let Some(location) = self.location(label.span) {
                let message = label.message.clone();
                related.push(DiagnosticRelatedInformation { location, message });
            }
        }
        related
    }

    fn location(&mut self, span: Span) -> Option<Location> {
        let name = &self.compilation.sources.get(span.file)?.name;
        let open = self.job.addresses.get(name).cloned();
        let uri = open.or_else(|| self.job.files.root.uri(name))?;
        Some(Location { uri, range: self.range(span) })
    }

    fn range(&mut self, span: Span) -> Range {
        let Some(source) = self.compilation.sources.get(span.file) else { return Range::default() };
        if let Some(text) = self.job.files.open.get(&source.name) {
            return text.range(span.start, span.end, self.job.encoding);
        }
        let text = self.texts.entry(span.file).or_insert_with(|| Text::new(source.text.clone()));
        text.range(span.start, span.end, self.job.encoding)
    }
}

/// Who says it.
const SOURCE: &str = "behavior";

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    }
}

/// Says in a file that another one, which nobody looks at, has errors.
pub fn elsewhere(
    name: &str,
    address: Option<Uri>,
    errors: &[&lsp::Diagnostic],
    checked: &Checked,
) -> Option<lsp::Diagnostic> {
    let first = errors.first()?;
    let what = first.message.lines().next().unwrap_or_default();
    let message = match errors.len() {
        1 => format!("`{name}`, which this file builds on, has an error: {what}"),
        count => format!("`{name}`, which this file builds on, has {count} errors: {what}, …"),
    };
    let related = address.map(|uri| {
        let location = Location { uri, range: first.range };
        vec![DiagnosticRelatedInformation { location, message: what.to_owned() }]
    });
    Some(lsp::Diagnostic {
        range: checked.reference,
        related_information: related,
        message,
        ..(*first).clone()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use behavior_compiler::provider::MemoryFiles;

    use super::*;

    #[test]
    fn what_a_check_has_read_answers_questions_as_well() {
        let text = "rule_definitions:\n  - { id: a, trigger: edit, message: \"{target}\" }\n";
        let entry = "behavior.yaml".to_owned();
        let open = [(entry.clone(), Arc::new(Text::new(text.to_owned())))].into_iter().collect();
        let files =
            Overlay { base: MemoryFiles::default(), root: crate::overlay::Root::default(), open };
        let job = Job {
            entry: entry.clone(),
            files,
            addresses: BTreeMap::new(),
            encoding: Encoding::Utf8,
            wants_related: false,
            revision: 1,
        };
        let file = run(&job).file.expect("the file was read");
        let fresh = RuleFile::new(entry, text);
        for offset in 0..text.len() as u32 {
            let answer = |file| ide::hover(file, &job.files, offset);
            assert_eq!(answer(&file), answer(&fresh), "{offset}");
        }
        assert!(ide::hover(&file, &job.files, 26).is_some(), "there is something to compare");
    }
}
