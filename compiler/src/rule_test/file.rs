//! Reads rule test files.

use std::collections::{HashMap, HashSet};

use super::expected;
use super::impossible::impossible;
use super::inline::{InTest, InlineConfig};
use super::misspelt;
use super::named_files;
use super::origin::{Origin, folder_of, origin};
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
    // Some forget the key, and begin with the list.
    let is_test = |item: &Node| item.entry("events").is_some() || item.entry("expect").is_some();
    root.items().is_some_and(|items| items.iter().any(is_test))
        || root.entries().is_some_and(|entries| entries.iter().any(|it| is_near(&it.key.text)))
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
        _ => tests_of(&parsed.root, &sources, &mut reports),
    };
    // What is missing may stand in what could not be read.
    let follows = [&d::MISSING_FIELD, &d::IMPOSSIBLE_TEST];
    if is_broken {
        reports.diagnostics.retain(|one| follows.iter().all(|kind| kind.name != one.kind.name));
    }
    let diagnostics = ordered(reports.diagnostics);
    Ok(Suite { sources, tests, diagnostics, root: parsed.root })
}

fn tests_of(root: &Node, sources: &SourceMap, reports: &mut Reports) -> Vec<Spanned<RuleTest>> {
    let file = TestFile::decode(root, reports).unwrap_or_default();
    let tests = file.tests.unwrap_or_default();
    if tests.is_empty() && root.get("tests").is_some_and(|tests| tests.items() == Some(&[])) {
        let span = root.entry("tests").map_or(root.span, |entry| entry.key.span);
        reports.push(impossible(span, "the list `tests` is empty"));
    }
    let tests: Vec<Spanned<RuleTest>> = tests.into_iter().flat_map(|tests| tests.0).collect();
    let events = tests.iter().filter_map(|test| test.value.events.as_deref());
    misspelt::check(events.flatten(), sources, reports);
    tests
}

/// The problems by their places, each once: what rows of a table share is read for each of them.
fn ordered(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
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
    let of_rules = of_rules(provider, &suite);
    suite.diagnostics = ordered(suite.diagnostics.into_iter().chain(of_rules).collect());
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

/// So many different rules of tests of one file are compiled to see whether they are right.
const MAX_CONFIGS: usize = 200;

/// What is wrong with the rules of tests, and with the names of rules that tests expect.
fn of_rules(provider: &dyn SourceProvider, suite: &Suite) -> Vec<Diagnostic> {
    let Some(file) = suite.sources.get(FileId(0)) else { return Vec::new() };
    let folder = folder_of(&file.name);
    let mut origins: Vec<(Origin, Vec<&RuleTest>)> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for test in suite.tests.iter().map(|test| &test.value) {
        let Ok(origin) = origin(provider, file, test, None) else { continue };
        let place = *places.entry(origin.key(folder)).or_insert_with(|| {
            origins.push((origin, Vec::new()));
            origins.len() - 1
        });
        if let Some((_, tests)) = origins.get_mut(place) {
            tests.push(test);
        }
    }
    let found = origins.iter().take(MAX_CONFIGS);
    let found = found.flat_map(|(origin, tests)| of_origin(provider, folder, origin, tests));
    let tests = suite.tests.iter().map(|test| &test.value);
    found.chain(named_files::missing(provider, folder, tests)).collect()
}

/// What is wrong with the rules of some tests, where they stand in these, and with what the tests expect of them.
fn of_origin(
    provider: &dyn SourceProvider,
    folder: &str,
    origin: &Origin,
    tests: &[&RuleTest],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let compilation = match origin {
        Origin::Inline(inline) => {
            let compilation = of_own_config(provider, inline);
            found.extend(errors_in(&compilation, &inline.name));
            compilation
        }
        Origin::Files { entries, options, .. } => {
            let is_asked = tests.iter().any(|test| expected::named(test).next().is_some());
            let is_there = entries.iter().all(|entry| provider.read(entry).is_ok());
            if !is_asked || !is_there {
                return found;
            }
            let options =
                Options { only_problems: true, skip_comparisons: true, ..Options::clone(options) };
            crate::check(provider, entries, &options)
        }
    };
    if !compilation.has_errors() {
        let of_test =
            |test: &&RuleTest| expected::unknown(test, &compilation.program, provider, folder);
        found.extend(tests.iter().flat_map(of_test));
    }
    found
}

fn of_own_config(provider: &dyn SourceProvider, inline: &InlineConfig) -> Compilation {
    let provider = InTest { below: provider, inline };
    let options = Options { only_problems: true, ..Options::default() };
    crate::check(&provider, std::slice::from_ref(&inline.name), &options)
}

/// The errors of a config that stands in a test, in terms of its file. Such a config is as small as its test needs it, so
/// what is only odd about it is not said; what is wrong in other files is said of those.
fn errors_in(compilation: &Compilation, name: &str) -> Vec<Diagnostic> {
    let Some(here) = compilation.sources.find(name) else { return Vec::new() };
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error && it.span.file == here;
    let errors = compilation.diagnostics.iter().filter(is_error);
    errors.map(|it| moved(it.clone(), here)).collect()
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
