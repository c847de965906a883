//! The files that tests name: which of them are not there, and what recordings bring with them. Reads them, and reports.

use super::origin::join;
use super::records::{OwnConfig, RuleTest};
use crate::diagnostic::Diagnostic;
use crate::provider::{ReadError, SourceProvider};
use crate::registry::diagnostics as d;
use crate::source::Span;

/// Returns what is said of files that tests of a folder name and that are not there.
pub(super) fn missing<'t>(
    provider: &dyn SourceProvider,
    folder: &str,
    tests: impl Iterator<Item = &'t RuleTest>,
) -> Vec<Diagnostic> {
    let named = tests.flat_map(named);
    // What the rows of a table fill in is known where it runs.
    let is_whole = |(path, _): &(&str, Span)| !path.contains("{{");
    let is_missing =
        |path: &str| matches!(provider.read(&join(folder, path)), Err(ReadError::NotFound));
    let report = |(path, span): (&str, Span)| {
        let message = format!("cannot read `{path}`: there is no such file");
        let help = "paths start at the folder of the test";
        is_missing(path).then(|| Diagnostic::new(&d::UNREADABLE, span, message).help(help))
    };
    named.filter(is_whole).filter_map(report).collect()
}

/// The files of rules and the recordings that a test names, each with its place.
fn named(test: &RuleTest) -> Vec<(&str, Span)> {
    let config = test.config.iter().flat_map(|OwnConfig(node)| match node.items() {
        Some(items) => items.iter().collect(),
        None => vec![node],
    });
    let config = config.filter_map(|node| Some((node.as_str()?, node.span)));
    let trace = test.trace.iter().map(|trace| (&*trace.value, trace.span));
    config.chain(trace).collect()
}

/// Returns whether the sessions of a test's recording may be given rules of their own, as far as anybody can tell.
pub(super) fn may_bring_rules(
    provider: &dyn SourceProvider,
    folder: &str,
    test: &RuleTest,
) -> bool {
    let Some(trace) = &test.trace else { return false };
    let bytes = provider.read(&join(folder, &trace.value)).unwrap_or_default();
    // What is packed is not looked into.
    std::str::from_utf8(&bytes)
        .map_or(true, |text| text.is_empty() || text.contains("constitution"))
}
