//! What reads rule files and puts them together: where it gets them, and what it has read. How it does so stands in the
//! files beside this one, each with its part.

use super::document::Document;
use super::options::Options;
use crate::decode::Reports;
use crate::diagnostic::Diagnostic;
use crate::provider::SourceProvider;
use crate::source::SourceMap;

/// Reads files and puts them together.
pub(crate) struct Resolver<'a> {
    pub provider: &'a dyn SourceProvider,
    pub sources: &'a mut SourceMap,
    pub reports: &'a mut Reports,
    pub options: &'a Options,
    pub(super) documents: Vec<Document>,
}

impl<'a> Resolver<'a> {
    pub fn new(
        provider: &'a dyn SourceProvider,
        sources: &'a mut SourceMap,
        reports: &'a mut Reports,
        options: &'a Options,
    ) -> Self {
        Self { provider, sources, reports, options, documents: Vec::new() }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.reports.push(diagnostic);
    }
}
