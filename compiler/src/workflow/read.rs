//! Reads the files of workflows: text, tree, record.

use std::sync::Arc;

use crate::decode::{Decode, Reports};
use crate::diagnostic::Diagnostic;
use crate::provider::{ReadError, SourceProvider};
use crate::registry::diagnostics as d;
use crate::resolve::kind::format_of;
use crate::resolve::{Document, FileKind};
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::{Kind, decode_utf8, parse};

/// What files are read into.
pub(super) struct Reading<'p> {
    pub provider: &'p dyn SourceProvider,
    pub sources: SourceMap,
    pub documents: Vec<Document>,
    pub reports: Reports,
}

impl<'p> Reading<'p> {
    pub fn new(provider: &'p dyn SourceProvider) -> Self {
        let (sources, documents, reports) = Default::default();
        Self { provider, sources, documents, reports }
    }

    /// Reads a file as a text; what cannot be read is reported.
    pub fn text(&mut self, name: &str) -> Option<FileId> {
        if let Some(known) = self.sources.find(name) {
            return Some(known);
        }
        let bytes = match self.provider.read(name) {
            Ok(bytes) => bytes,
            Err(error) => {
                let file = self.sources.add(name, "");
                let message = format!("cannot read `{name}`: {error}");
                self.report(Diagnostic::new(&d::UNREADABLE, Span::new(file, 0, 0), message));
                return None;
            }
        };
        match decode_utf8(self.sources.next_id(), name, &bytes) {
            Ok(text) => Some(self.sources.add(name, text)),
            Err(undecodable) => {
                self.sources.add(name, undecodable.text);
                self.report(undecodable.diagnostic);
                None
            }
        }
    }

    /// Reads a file as a record. One that there need not be is nothing where it is not there.
    pub fn record<T: Decode>(&mut self, name: &str, kind: FileKind) -> Option<(FileId, T)> {
        let file = self.text(name)?;
        let text = self.sources.get(file)?.text.clone();
        let parsed = parse(file, &text, format_of(name, &text));
        self.reports.diagnostics.extend(parsed.diagnostics);
        let root = Arc::new(parsed.root);
        let config = Arc::clone(&root);
        let record = match root.kind {
            Kind::Broken => None,
            _ => T::decode(&root, &mut self.reports),
        };
        let (comments, is_regular) = (parsed.comments, false);
        self.documents.push(Document { file, kind, root, config, comments, is_regular });
        record.map(|record| (file, record))
    }

    pub fn is_there(&self, name: &str) -> bool {
        !matches!(self.provider.read(name), Err(ReadError::NotFound))
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.reports.push(diagnostic);
    }
}
