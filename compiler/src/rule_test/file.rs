//! Reads rule test files.

use std::collections::HashSet;

use super::impossible::impossible;
use super::inline::{InTest, inline_config};
use super::misspelt;
use super::records::{RuleTest, TestFile};
use crate::decode::{Decode, Reports, Spanned};
use crate::diagnostic::Diagnostic;
use crate::nearest::closest;
use crate::provider::{ReadError, SourceProvider};
use crate::registry::diagnostics as d;
use crate::resolve::kind::{format_of, not_read_here};
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::{Format, Kind, Node, decode_utf8, parse};
use crate::{Compilation, Options, Severity};

/// A rule test file that was read.
#[derive(Debug)]
pub struct Suite {
    /// The file; it is the first of these.
    pub sources: SourceMap,
    /// Its tests, rows of tables one by one.
    pub tests: Vec<Spanned<RuleTest>>,
    /// All problems, by offset.
    pub diagnostics: Vec<Diagnostic>,
    /// The whole tree.
    pub root: Node,
}

/// Returns whether a file holds rule tests: by its first line, or by its name and a key `tests`.
#[must_use]
pub fn is_test_file(name: &str, text: &str) -> bool {
    not_read_here(name, text) == Some("rule tests")
        && (text.starts_with('#') && says_so(text) || has_tests(name, text))
}

fn says_so(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches('#').trim().starts_with("behavior:")
}

/// Whether nothing but the beginning of the key `tests` is written of a file that is called as rule tests are.
pub(crate) fn begins_tests(text: &str) -> bool {
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut words = lines.take(2);
    match (words.next(), words.next()) {
        (None, _) => true,
        (Some(only), None) => "tests".starts_with(only),
        _ => false,
    }
}

/// Whether one of the keys is `tests`, or nearly so.
fn has_tests(name: &str, text: &str) -> bool {
    let is_near = |key: &str| closest(key, ["tests"]).is_some();
    let format = format_of(name, text);
    // Most have no other key, or have it first: that is told without reading it all.
    let mut lines = text.lines().map(str::trim_end);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    if format == Format::Yaml && first == Some("tests:") {
        return true;
    }
    let root = parse(FileId(0), text, format).root;
    root.entries().is_some_and(|entries| entries.iter().any(|entry| is_near(&entry.key.text)))
}

/// Reads a rule test file.
///
/// # Errors
/// When the provider cannot read it.
pub fn read(provider: &dyn SourceProvider, name: &str) -> Result<Suite, ReadError> {
    let bytes = provider.read(name)?;
    let mut sources = SourceMap::default();
    let mut reports = Reports::default();
    let nowhere = Span::new(FileId(0), 0, 0);
    let text = match decode_utf8(FileId(0), name, &bytes) {
        Ok(text) => text,
        Err(undecodable) => {
            sources.add(name, undecodable.text);
            let root = Node { span: nowhere, kind: Kind::Broken };
            let diagnostics = vec![undecodable.diagnostic];
            return Ok(Suite { sources, tests: Vec::new(), diagnostics, root });
        }
    };
    let parsed = parse(FileId(0), &text, format_of(name, &text));
    sources.add(name, text);
    let is_broken = !parsed.diagnostics.is_empty();
    reports.diagnostics.extend(parsed.diagnostics);
    let tests = match parsed.root.kind {
        Kind::Broken => Vec::new(),
        _ => tests_of(&parsed.root, &mut reports),
    };
    // What is missing may stand in what could not be read.
    let follows = [&d::MISSING_FIELD, &d::IMPOSSIBLE_TEST];
    if is_broken {
        reports.diagnostics.retain(|one| follows.iter().all(|kind| kind.name != one.kind.name));
    }
    let diagnostics = ordered(reports);
    Ok(Suite { sources, tests, diagnostics, root: parsed.root })
}

fn tests_of(root: &Node, reports: &mut Reports) -> Vec<Spanned<RuleTest>> {
    let file = TestFile::decode(root, reports).unwrap_or_default();
    let tests = file.tests.unwrap_or_default();
    if tests.is_empty() && root.get("tests").is_some_and(|tests| tests.items() == Some(&[])) {
        let span = root.entry("tests").map_or(root.span, |entry| entry.key.span);
        reports.push(impossible(span, "the list `tests` is empty"));
    }
    let tests: Vec<Spanned<RuleTest>> = tests.into_iter().flat_map(|tests| tests.0).collect();
    tests
        .iter()
        .filter_map(|test| test.value.events.as_deref())
        .for_each(|events| misspelt::check(events, reports));
    tests
}

/// The problems by their places, each once: what rows of a table share is read for each of them.
fn ordered(reports: Reports) -> Vec<Diagnostic> {
    let mut diagnostics = reports.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let mut seen = HashSet::new();
    diagnostics.retain(|one| seen.insert((one.kind.name, one.span, one.message.clone())));
    diagnostics
}

/// What is wrong with a rule test file; `None` where the entry is none. Nothing is run.
pub(crate) fn check(provider: &dyn SourceProvider, entry: &str) -> Option<Compilation> {
    let bytes = provider.read(entry).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let is_begun = not_read_here(entry, text) == Some("rule tests") && begins_tests(text);
    if !is_begun && !is_test_file(entry, text) {
        return None;
    }
    let mut suite = read(provider, entry).ok()?;
    if is_begun {
        // There is nothing in it yet.
        suite.diagnostics.clear();
    }
    suite.diagnostics.extend(of_own_configs(provider, &suite));
    suite.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let root = std::sync::Arc::new(suite.root);
    let document = crate::Document {
        is_regular: false,
        file: FileId(0),
        kind: crate::resolve::FileKind::RuleTests,
        config: std::sync::Arc::clone(&root),
        root,
        comments: Vec::new(),
    };
    Some(Compilation {
        image: None,
        program: crate::ir::Program::default(),
        diagnostics: suite.diagnostics,
        sources: suite.sources,
        documents: vec![document],
        loosening: Vec::new(),
    })
}

/// So many configs that stand in tests of one file are compiled to see whether they are right.
const MOST_CONFIGS: usize = 200;

/// The errors of configs that stand in tests, each once. Such a config is as small as its test needs it, so what is
/// only odd about it is not said; what is wrong in other files is said of those.
fn of_own_configs(provider: &dyn SourceProvider, suite: &Suite) -> Vec<Diagnostic> {
    let Some(file) = suite.sources.get(FileId(0)) else { return Vec::new() };
    let mut seen = HashSet::new();
    let configs = suite.tests.iter().filter_map(|test| inline_config(file, &test.value));
    let configs = configs.filter(|config| seen.insert(config.key.clone())).take(MOST_CONFIGS);
    let mut found = Vec::new();
    for inline in configs {
        let provider = InTest { below: provider, inline: &inline };
        let options = Options { only_problems: true, ..Options::default() };
        let compilation = crate::check(&provider, std::slice::from_ref(&inline.name), &options);
        let Some(here) = compilation.sources.find(&inline.name) else { continue };
        let errors = compilation
            .diagnostics
            .into_iter()
            .filter(|it| it.severity == Severity::Error && it.span.file == here);
        found.extend(errors.map(|it| moved(it, here)));
    }
    found
}

/// A problem of another compilation in terms of this one, in which the file is the first.
fn moved(mut diagnostic: Diagnostic, here: FileId) -> Diagnostic {
    let at = |span: Span| Span::new(FileId(0), span.start, span.end);
    diagnostic.span = at(diagnostic.span);
    diagnostic.labels.retain(|label| label.span.file == here);
    diagnostic.labels.iter_mut().for_each(|label| label.span = at(label.span));
    diagnostic.fixes.retain(|fix| fix.edits.iter().all(|edit| edit.span.file == here));
    let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
    edits.for_each(|edit| edit.span = at(edit.span));
    diagnostic
}

/// That a file holds rule tests and no rules.
pub(crate) fn holds_no_rules() -> Diagnostic {
    let nowhere = Span::new(FileId(0), 0, 0);
    let message = "this file holds rule tests, which no rules are read from";
    Diagnostic::new(&d::UNSUPPORTED_KIND, nowhere, message).help("run them with `behavior test`")
}
