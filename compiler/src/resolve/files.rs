//! Reads files through the provider: text, tree, kind.

use std::sync::Arc;

use super::kind::{foreign, format_of, list_of_policy, not_read_here, unknown_name};
use super::{Document, FileKind, RULES_FILE, Resolver, library};
use crate::ast::BehaviorConfig;
use crate::decode::Decode;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::nearest::closest;
use crate::provider::{LIBRARY_PREFIX, ReadError};
use crate::registry::diagnostics as d;
use crate::source::{FileId, Source, Span};
use crate::syntax::{Key, Kind, Node, decode_utf8, parse};

/// The key of an app config below which the rules stand, where it is nearly called so.
fn nearly_inside(root: &Node) -> Option<&Key> {
    let entries = root.get("security")?.entries()?;
    let is_it = |key: &Key| closest(&key.text, ["behavior"]).is_some();
    entries.iter().map(|entry| &entry.key).find(|key| is_it(key))
}

impl Resolver<'_> {
    /// Reads a file into the source map; what cannot be read is reported at `from`, or at the file
    /// itself where nothing refers to it.
    pub(super) fn text(&mut self, name: &str, from: Option<Span>) -> Option<FileId> {
        if let Some(known) = self.sources.find(name) {
            return Some(known);
        }
        let bytes = match self.provider.read(name) {
            Ok(bytes) => bytes,
            Err(error) => {
                let file = from.map_or_else(|| self.sources.add(name, ""), |span| span.file);
                let span = from.unwrap_or(Span::new(file, 0, 0));
                self.report_unreadable(name, span, &error);
                return None;
            }
        };
        if let Some(source) = self.kept_source(name, &bytes) {
            return Some(self.sources.share(source));
        }
        let next = self.sources.next_id();
        match decode_utf8(next, name, &bytes) {
            Ok(text) => Some(self.sources.add(name, text)),
            Err(undecodable) => {
                self.sources.add(name, undecodable.text);
                self.report(undecodable.diagnostic);
                None
            }
        }
    }

    /// The file of the standard library of this text, where it was read before.
    fn kept_source(&self, name: &str, bytes: &[u8]) -> Option<Arc<Source>> {
        if !name.starts_with(LIBRARY_PREFIX) {
            return None;
        }
        library::source(name, bytes)
    }

    fn report_unreadable(&mut self, name: &str, span: Span, error: &ReadError) {
        let message = format!("cannot read `{name}`: {error}");
        self.report(Diagnostic::new(&d::UNREADABLE, span, message));
    }

    /// Reads and parses a rule file; answers with its place among the documents.
    pub(super) fn document(&mut self, name: &str, from: Option<Span>) -> Option<usize> {
        let file = self.text(name, from)?;
        if let Some(known) = self.documents.iter().position(|document| document.file == file) {
            return Some(known);
        }
        if let Some(config) = self.provider.config_inside(name) {
            let root = Arc::new(config.in_file(file));
            let (kind, config) = (FileKind::BehaviorConfig, Arc::clone(&root));
            let comments = Vec::new();
            let is_regular = false;
            self.documents.push(Document { file, kind, root, config, comments, is_regular });
            return Some(self.documents.len() - 1);
        }
        let source = self.sources.get(file).cloned()?;
        if let Some(what) = not_read_here(name, &source.text) {
            let message = format!("this file holds {what}, which no rules are read from");
            self.report(
                Diagnostic::new(&d::UNSUPPORTED_KIND, Span::new(file, 0, 0), message)
                    .help("where that is not what it holds, say so in the first line: `# behavior: config` or `# behavior: profile`"),
            );
            return None;
        }
        if let Some(index) = self.kept_document(&source, file) {
            return Some(index);
        }
        let parsed = parse(file, &source.text, format_of(name, &source.text));
        let is_right = parsed.diagnostics.is_empty();
        self.reports.diagnostics.extend(parsed.diagnostics);
        if let Some((span, written)) = unknown_name(&parsed.comments) {
            let message = format!("`{written}` is no kind of rule file");
            self.report(
                Diagnostic::new(&d::UNKNOWN_KIND, span, message)
                    .help("the kinds are `app`, `config`, `profile`, `policy` and `trace-policy`"),
            );
        }
        let root = Arc::new(parsed.root);
        let (kind, config) = FileKind::of(name, &parsed.comments, &root);
        if let Some(entry) = foreign(name, &parsed.comments, kind, &root) {
            let (message, help) = match kind {
                FileKind::Policy => (
                    "this is no policy: none of its keys is a field of one",
                    "a policy has `approval_mode` and tables `[[rules]]`",
                ),
                _ => (
                    "this is no rule file: none of its keys is a field of a behaviour config or a profile",
                    "a config has `profile`, `rules` or `rule_definitions`; an app config has them at `security.behavior`",
                ),
            };
            let report = Diagnostic::new(&d::UNKNOWN_KIND, entry.key.span, message);
            self.report(match nearly_inside(&root) {
                Some(key) => report
                    .help("an app config has its rules at `security.behavior`: did you mean `behavior`?")
                    .replace(key.span, "behavior", Applicability::Unsafe),
                None => report.help(help),
            });
            return None;
        }
        if let Some(rules) = list_of_policy(name, kind, &root) {
            let message =
                format!("this is read as {}, and has rules as a policy has", kind.describe());
            self.report(Diagnostic::new(&d::UNKNOWN_KIND, rules, message).help(
                "policies are TOML: write a table `[[rules]]` for each into `behavior/policy.toml`",
            ));
            return None;
        }
        // Large files are most often all config, and a copy of those would be felt.
        let is_whole = std::ptr::eq(config, &*root);
        let config = if is_whole { Arc::clone(&root) } else { Arc::new(config.clone()) };
        if name.starts_with(LIBRARY_PREFIX) && is_right && is_whole {
            let (root, comments) = (Arc::clone(&root), parsed.comments.clone().into());
            library::keep(library::Read { source, file, root, comments });
        }
        let (comments, is_regular) = (parsed.comments, parsed.is_regular && is_whole);
        self.documents.push(Document { file, kind, root, config, comments, is_regular });
        Some(self.documents.len() - 1)
    }

    /// The place among the documents of a file of the standard library that was read before.
    fn kept_document(&mut self, source: &Arc<Source>, file: FileId) -> Option<usize> {
        let read = library::read(source, file)?;
        let kind = FileKind::of(&source.name, &read.comments, &read.root).0;
        let (root, config) = (Arc::clone(&read.root), read.root);
        let comments = read.comments.to_vec();
        self.documents.push(Document { file, kind, root, config, comments, is_regular: false });
        Some(self.documents.len() - 1)
    }

    /// The standard library's rules.
    pub(super) fn builtin_rules(&mut self) -> BehaviorConfig {
        let Some(index) = self.document(RULES_FILE, None) else {
            return BehaviorConfig::default();
        };
        self.decode(index).unwrap_or_default()
    }

    /// The behaviour part of a document as a typed value. An empty file is an empty config.
    pub(super) fn decode<T: Decode + Default>(&mut self, document: usize) -> Option<T> {
        let document = self.documents.get(document)?;
        match document.config.kind {
            Kind::Null => Some(T::default()),
            Kind::Broken => None,
            _ => T::decode(&document.config, self.reports),
        }
    }
}
