//! Runs the specification: documents for people whose blocks and tables are checked against the
//! compiler and the runtime. `tests/spec/README.md` says how they are written. Decides nothing
//! about rules itself.

pub mod diff;
pub mod document;
mod expect;
mod project;
mod table;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use behavior_compiler::{Compilation, Severity};
use behavior_runtime::{Image, Layer, Layers};

use crate::documents::Documents;
use crate::script::{self, Outcome};
use document::{Block, Section};
pub use project::Project;
pub use table::meaning;

/// What came of one section.
#[derive(Debug)]
pub struct Checked {
    /// The headings above the section and its own.
    pub title: String,
    /// Its line, from 1.
    pub line: usize,
    /// How many blocks and table rows were checked.
    pub checks: usize,
    /// What was not as written.
    pub failures: Vec<Failure>,
}

/// Something that is not as written.
#[derive(Debug)]
pub struct Failure {
    /// The line of the block or row, from 1.
    pub line: usize,
    /// What is wrong, for people.
    pub message: String,
    /// The bytes of the document to replace, and with what, where that would mend it.
    pub update: Option<(Range<usize>, String)>,
}

/// What the documents used, all together.
#[derive(Debug, Default)]
pub struct Coverage {
    /// The names of the instructions that were compiled.
    pub opcodes: BTreeSet<String>,
    /// Each diagnostic that was reported, with the title of its section.
    pub diagnostics: BTreeSet<(&'static str, String)>,
}

/// Checks a whole document.
///
/// # Errors
/// When it cannot be read as one.
pub fn check(text: &str, coverage: &mut Coverage) -> Result<Vec<Checked>, String> {
    let sections = document::parse(text)?;
    let has_checks = |section: &&Section| {
        !section.blocks.is_empty()
            || section.tables.iter().any(|table| table::kind(table).is_some())
    };
    Ok(sections.iter().filter(has_checks).map(|section| check_section(section, coverage)).collect())
}

fn check_section(section: &Section, coverage: &mut Coverage) -> Checked {
    let mut case = Case { section, coverage, checks: 0, failures: Vec::new() };
    case.run();
    let Case { checks, failures, .. } = case;
    Checked { title: section.title.clone(), line: section.line, checks, failures }
}

/// A section being checked.
struct Case<'a> {
    section: &'a Section,
    coverage: &'a mut Coverage,
    checks: usize,
    failures: Vec<Failure>,
}

/// One list of events and what is expected of it.
#[derive(Default)]
struct Trial<'a> {
    events: Option<&'a Block>,
    expect: Option<&'a Block>,
    texts: Vec<&'a Block>,
}

impl<'a> Case<'a> {
    fn fail(&mut self, line: usize, message: impl Into<String>) {
        self.failures.push(Failure { line, message: message.into(), update: None });
    }

    fn run(&mut self) {
        for table in &self.section.tables {
            self.checks += table.rows.len();
            for (line, message) in table::check(table) {
                self.fail(line, message);
            }
        }
        if self.section.blocks.is_empty() {
            return;
        }
        match self.sort() {
            Ok((project, diagnostics, trials)) => self.run_project(&project, diagnostics, &trials),
            Err((line, message)) => self.fail(line, message),
        }
    }

    /// Sorts the blocks by what they are for.
    #[expect(clippy::type_complexity, reason = "the three parts of a section")]
    fn sort(&self) -> Result<(Project, Option<&'a Block>, Vec<Trial<'a>>), (usize, String)> {
        let mut project = Project::default();
        let mut diagnostics = None;
        let mut trials = vec![Trial::default()];
        for block in &self.section.blocks {
            let Some(trial) = trials.last_mut() else { continue };
            match (&*block.language, block.title.as_deref()) {
                ("events" | "jsonl", None) if trial.events.is_some() => {
                    trials.push(Trial { events: Some(block), ..Trial::default() });
                }
                ("events" | "jsonl", None) => trial.events = Some(block),
                ("expect", None) if trial.expect.is_none() && trial.events.is_some() => {
                    trial.expect = Some(block);
                }
                ("diagnostics", None) if diagnostics.is_none() => diagnostics = Some(block),
                ("text", Some(title)) if expect::TEXTS.contains(&title) => trial.texts.push(block),
                ("sh", None) => project.command(&block.text).map_err(|why| (block.line, why))?,
                (_, Some(title)) if title.contains('.') => {
                    project.add(title, &block.text).map_err(|why| (block.line, why))?;
                }
                ("yaml", None) => {
                    project.add("behavior.yaml", &block.text).map_err(|why| (block.line, why))?;
                }
                ("toml", None) => {
                    let name = "behavior/policy.toml";
                    project.add(name, &block.text).map_err(|why| (block.line, why))?;
                }
                (language, title) => {
                    let title = title.map(|title| format!(" title=\"{title}\""));
                    let fence = format!("`{language}{}`", title.unwrap_or_default());
                    return Err((block.line, format!("no block {fence} can stand here")));
                }
            }
        }
        Ok((project, diagnostics, trials))
    }

    fn run_project(
        &mut self,
        project: &Project,
        diagnostics: Option<&Block>,
        trials: &[Trial<'_>],
    ) {
        if project.is_empty() {
            self.fail(self.section.line, "the section has no rule file and no command");
            return;
        }
        let layers = match project.compile() {
            Ok(layers) => layers,
            Err(why) => return self.fail(self.section.line, why),
        };
        let (names, mut compilations): (Vec<Layer>, Vec<Compilation>) = layers.into_iter().unzip();
        for diagnostic in compilations.iter().flat_map(|one| &one.diagnostics) {
            let seen = (diagnostic.kind.name, self.section.title.clone());
            self.coverage.diagnostics.insert(seen);
        }
        for compilation in &mut compilations {
            drop_asides(compilation, diagnostics);
        }
        let all = compilations.iter().map(project::diagnostics);
        let actual: Vec<String> = all.filter(|text| !text.is_empty()).collect();
        let actual = actual.join("\n");
        match diagnostics {
            Some(block) => self.compare(block, &actual),
            None if !actual.is_empty() => {
                let message = format!("there is no `diagnostics` block for:\n{actual}");
                self.fail(self.section.line, message);
            }
            None => self.checks += 1,
        }
        let images = compilations.iter_mut().map(|one| one.image.take().map(Arc::new));
        let images: Option<Vec<Arc<Image>>> = images.collect();
        let layers = images.and_then(|images| Layers::new(names.into_iter().zip(images).collect()));
        let Some(layers) = layers.map(Arc::new) else {
            for block in trials.iter().filter_map(|trial| trial.events) {
                self.fail(block.line, "these events have no rules to run under: compiling failed");
            }
            return;
        };
        layers.iter().for_each(|(_, image)| self.cover(image));
        let documents = Documents::of(project.files());
        for trial in trials {
            self.run_trial(&compilations, &layers, &documents, trial);
        }
    }

    fn cover(&mut self, image: &Image) {
        for rule in 0..image.rules().len() {
            let names = image.rules().disassemble(rule);
            let names = names.iter().filter_map(|line| line.split_whitespace().nth(1));
            self.coverage.opcodes.extend(names.map(str::to_owned));
        }
    }

    fn run_trial(
        &mut self,
        compilations: &[Compilation],
        layers: &Arc<Layers>,
        documents: &Documents,
        trial: &Trial<'_>,
    ) {
        let mut steps = Vec::new();
        if let Some(block) = trial.events {
            match script::parse(&block.text) {
                Ok(parsed) => steps = parsed,
                Err(why) => return self.fail(block.line, why),
            }
        }
        let line = trial.events.map_or(self.section.line, |block| block.line);
        let outcomes: Vec<Outcome<'_>> = match script::run_with(layers, &steps, documents.clone()) {
            Ok(outcomes) => outcomes,
            Err(why) => return self.fail(line, why),
        };
        if trial.events.is_some() {
            let written = trial.expect.map_or("", |block| &block.text);
            let actual = expect::report(layers, &outcomes, written);
            match trial.expect {
                Some(block) => self.compare(block, &actual),
                None if !actual.is_empty() && trial.texts.is_empty() => {
                    self.fail(line, format!("there is no `expect` block for:\n{actual}"));
                }
                None => self.checks += 1,
            }
        }
        for block in &trial.texts {
            let title = block.title.as_deref().unwrap_or_default();
            let actual = expect::text(title, compilations, layers, &outcomes);
            self.compare(block, &actual);
        }
    }

    /// Holds what a block says against what is; blank lines at its end do not count.
    fn compare(&mut self, block: &Block, actual: &str) {
        self.checks += 1;
        let expected = block.text.trim_end();
        let actual = actual.trim_end();
        if expected == actual {
            return;
        }
        let name = block.title.as_deref().unwrap_or(&block.language);
        let message = format!("`{name}` differs:\n{}", diff::lines(expected, actual));
        let text = if actual.is_empty() { String::new() } else { format!("{actual}\n") };
        let update = Some((block.range.clone(), text));
        self.failures.push(Failure { line: block.line, message, update });
    }
}

/// The document with every update of `checked` made.
#[must_use]
pub fn updated(text: &str, checked: &[Checked]) -> String {
    let failures = checked.iter().flat_map(|section| &section.failures);
    let mut updates: Vec<_> = failures.filter_map(|failure| failure.update.as_ref()).collect();
    updates.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, new) in updates {
        text.replace_range(range.clone(), new);
    }
    text
}

/// Drops what is only said on the side, unless the section is about it.
fn drop_asides(compilation: &mut Compilation, diagnostics: Option<&Block>) {
    if diagnostics.is_none() {
        // Sections about state and the classifier need no rules.
        compilation.diagnostics.retain(|diagnostic| diagnostic.kind.name != "no-rules");
    }
    let says_it = |block: &Block| block.text.contains("info[empty-message]");
    if !diagnostics.is_some_and(says_it) {
        // What a rule of a policy says of itself is rarely what a section is about.
        compilation.diagnostics.retain(|diagnostic| {
            diagnostic.kind.name != "empty-message" || diagnostic.severity != Severity::Info
        });
    }
}
