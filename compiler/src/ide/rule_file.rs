//! A rule file as editors ask about it.

use std::sync::{Arc, OnceLock};

use super::index::Index;
use super::recognise;
use crate::Compilation;
use crate::resolve::kind::{format_of, is_shaped_like_policy, not_read_here};
use crate::resolve::{Document, FileKind};
use crate::rule_test::own_config;
use crate::source::{FileId, Source, SourceMap};
use crate::syntax::items::{Change, Layout};
use crate::syntax::{Comment, Format, Node, parse};

/// A file as an editor shows it, read once for all questions about it.
#[derive(Clone, Debug)]
pub struct RuleFile {
    source: Arc<Source>,
    pub(super) root: Arc<Node>,
    pub(super) comments: Arc<[Comment]>,
    pub(super) kind: FileKind,
    pub(super) format: Format,
    index: Arc<OnceLock<Index>>,
    /// Whether each entry of it is what it is by itself.
    pub(super) is_regular: bool,
    /// Where its rules stand, as far as each can be read by itself.
    layout: Arc<OnceLock<Option<Layout>>>,
}

/// The field whose items are read by themselves.
const LIST: &str = "rule_definitions";

impl RuleFile {
    /// Reads a text, however broken.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let parsed = parse(FileId(0), &text, format_of(&name, &text));
        let mut sources = SourceMap::default();
        let id = sources.add(name, text);
        let source = sources.get(id).cloned().unwrap_or_default();
        Self::read(source, Arc::new(parsed.root), parsed.comments.into(), parsed.is_regular)
    }

    /// The same file with another text: where that differs in some rules only, these are read, and the rest is kept.
    #[must_use]
    pub fn edited(before: Arc<Self>, text: &str) -> Self {
        let id = before.root.span.file;
        match before.layout().and_then(|layout| layout.change(id, before.text(), text)) {
            Some(change) => Self::patched(before, text, &change),
            None => Self::new(before.name(), text),
        }
    }

    fn patched(before: Arc<Self>, text: &str, change: &Change) -> Self {
        let mut file = Arc::try_unwrap(before).unwrap_or_else(|shared| Self::clone(&shared));
        let (old, new) = (change.old_text.clone(), change.new_text.clone());
        file.source = Arc::new(file.source.edited(text.to_owned(), old, new));
        file.comments = change.comments(&file.comments).into();
        change.splice(Arc::make_mut(&mut file.root), LIST);
        let layout = file.layout.get().cloned().flatten();
        file.layout = Arc::default();
        if let Some(mut layout) = layout {
            layout.apply(change);
            let _ = file.layout.set(Some(layout));
        }
        let index = std::mem::take(&mut file.index);
        if file.is_rule_file() {
            file.index = file.patched_index(index, change);
        }
        file
    }

    /// The names in the file after a change, where those before were read.
    fn patched_index(&self, before: Arc<OnceLock<Index>>, change: &Change) -> Arc<OnceLock<Index>> {
        let index = match Arc::try_unwrap(before) {
            Ok(index) => index.into_inner(),
            Err(shared) => shared.get().cloned(),
        };
        let after = Arc::<OnceLock<Index>>::default();
        if let Some(mut index) = index
            && index.edit(change, Index::of_items(self, LIST, &change.items.nodes)).is_some()
        {
            let _ = after.set(index);
        }
        after
    }

    /// Where its rules stand, as far as each can be read by itself.
    pub(super) fn layout(&self) -> Option<&Layout> {
        let is_of_rules = matches!(self.kind, FileKind::BehaviorConfig | FileKind::Profile);
        let read = || {
            let can_be = self.is_regular && is_of_rules;
            can_be.then(|| Layout::of(&self.root, &[LIST], self.text())).flatten()
        };
        self.layout.get_or_init(read).as_ref()
    }

    /// The files of a compilation as that has read them, so that they need not be read again.
    pub fn all_of(compilation: &Compilation) -> impl Iterator<Item = Self> {
        let of_document = |document: &Document| {
            let source = compilation.sources.get(document.file).cloned()?;
            let (root, comments) = (Arc::clone(&document.root), document.comments.clone());
            Some(Self::read(source, root, comments.into(), document.is_regular))
        };
        compilation.documents.iter().filter_map(of_document)
    }

    fn read(
        source: Arc<Source>,
        root: Arc<Node>,
        comments: Arc<[Comment]>,
        is_regular: bool,
    ) -> Self {
        let (name, text) = (&source.name, &source.text);
        let is_ours = recognise::is_named_so(name, text) || is_shaped_like_policy(name, &root);
        let kind = match is_ours {
            true if not_read_here(name, text) == Some("rule tests") => FileKind::RuleTests,
            true => FileKind::of(name, &comments, &root).0,
            // Nothing but a section in it can be ours, even where breaks in the text hide that.
            false => FileKind::AppConfig,
        };
        let format = format_of(name, text);
        let (index, layout) = (Arc::default(), Arc::default());
        Self { source, root, comments, kind, format, index, is_regular, layout }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Its name and text.
    #[must_use]
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The names in it, read by the first question about them.
    #[must_use]
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }

    /// Whether this is a rule file at all.
    #[must_use]
    pub fn is_rule_file(&self) -> bool {
        recognise::is_rule_file(self.name(), self.text(), &self.root)
    }

    /// The config of its own that the test around an offset has, as a file.
    pub(super) fn config_of_test(&self, offset: u32) -> Option<Self> {
        let tests = self.root.get("tests").filter(|_| self.kind == FileKind::RuleTests)?.items()?;
        // What is typed behind the end of a test belongs to it.
        let test = tests.iter().rfind(|test| test.span.start <= offset)?;
        let root = Arc::new(own_config(test.get("rules"), test.get("config"))?);
        let kind = FileKind::BehaviorConfig;
        let (comments, index, layout) = (Arc::from([]), Arc::default(), Arc::default());
        Some(Self { root, kind, comments, index, is_regular: false, layout, ..self.clone() })
    }

    /// The part of the tree that is about behaviour.
    pub(super) fn config(&self) -> &Node {
        match self.kind {
            FileKind::RuleTests => &self.root,
            _ => FileKind::of(self.name(), &self.comments, &self.root).1,
        }
    }
}
