//! What `check` says of the files of a folder, in the protocol's words.

use std::collections::{BTreeMap, BTreeSet};

use behavior_compiler::ide::{Checks, RuleFile};
use behavior_compiler::problem::{Place, Problem};
use behavior_compiler::{Severity, SourceProvider};
use tower_lsp::ls_types::{
    self as lsp, CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Range, Uri,
};

use crate::overlay::Overlay;
use crate::settings::Settings;
use crate::text::Text;

/// What is needed to check a folder, all of one moment.
#[derive(Clone, Debug)]
pub struct Job<P> {
    /// The folder, empty or with its slash.
    pub folder: String,
    /// The open documents of it that may be rule files.
    pub open: Vec<String>,
    /// The files as they are.
    pub files: Overlay<P>,
    /// The addresses of the open documents, by name.
    pub addresses: BTreeMap<String, Uri>,
    /// What client and server agreed on.
    pub settings: Settings,
    /// The moment.
    pub revision: u64,
}

/// What checking a folder gave.
#[derive(Debug, Default)]
pub struct Checked {
    /// The moment of the texts that it is about.
    pub revision: u64,
    /// The names of all files that were asked for.
    pub asked: BTreeSet<String>,
    /// The problems of each file that took part.
    pub problems: BTreeMap<String, Vec<lsp::Diagnostic>>,
    /// The same as the compiler has them, with the fixes that they offer.
    pub found: BTreeMap<String, Vec<Problem>>,
    /// The rule files that were read anew, for questions about them.
    pub read: Vec<RuleFile>,
}

/// Checks a folder; `checks` has what is known from before.
pub fn run<P: SourceProvider>(job: &Job<P>, checks: &mut Checks) -> Checked {
    let found = checks.folder(&job.files, &job.folder, &job.open);
    let mut places = Places { job, texts: BTreeMap::new() };
    let problems = found.problems.iter();
    let problems = problems.map(|(name, problems)| {
        let problems = problems.iter().map(|problem| places.diagnostic(problem));
        (name.clone(), problems.collect())
    });
    Checked {
        revision: job.revision,
        problems: problems.collect(),
        asked: found.asked,
        found: found.problems,
        read: found.read,
    }
}

/// Turns places into the protocol's.
struct Places<'j, P> {
    job: &'j Job<P>,
    /// The lines of files that are not open.
    texts: BTreeMap<String, Text>,
}

impl<P> Places<'_, P> {
    fn diagnostic(&mut self, problem: &Problem) -> lsp::Diagnostic {
        let message = match &problem.help {
            Some(help) => format!("{}\nhelp: {help}", problem.message),
            None => problem.message.clone(),
        };
        let related = self.related(problem);
        let page = self.job.settings.page_of(problem.name);
        lsp::Diagnostic {
            range: self.range(&problem.place),
            severity: Some(severity(problem.severity)),
            code: Some(NumberOrString::String(problem.name.to_owned())),
            code_description: page.map(|href| CodeDescription { href }),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..lsp::Diagnostic::default()
        }
    }

    fn related(&mut self, problem: &Problem) -> Vec<DiagnosticRelatedInformation> {
        if !self.job.settings.wants_related {
            return Vec::new();
        }
        let mut related = Vec::new();
        for (place, message) in &problem.labels {
            if let Some(location) = self.location(place) {
                let message = message.clone();
                related.push(DiagnosticRelatedInformation { location, message });
            }
        }
        related
    }

    fn location(&mut self, place: &Place) -> Option<Location> {
        let name = &place.source.name;
        let open = self.job.addresses.get(name).cloned();
        let uri = open.or_else(|| self.job.settings.root.uri(name))?;
        Some(Location { uri, range: self.range(place) })
    }

    fn range(&mut self, place: &Place) -> Range {
        let Place { source, start, end } = place;
        let encoding = self.job.settings.encoding;
        if let Some(text) = self.job.files.open.get(&source.name) {
            return text.range(*start, *end, encoding);
        }
        let text = self.texts.entry(source.name.clone());
        text.or_insert_with(|| Text::new(source.text.clone())).range(*start, *end, encoding)
    }
}

/// Who says it.
pub const SOURCE: &str = "behavior";

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    }
}
