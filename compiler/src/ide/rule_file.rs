//! A rule file as editors ask about it.

use std::sync::Arc;

use super::recognise;
use crate::Compilation;
use crate::resolve::FileKind;
use crate::resolve::kind::format_of;
use crate::source::FileId;
use crate::syntax::{Comment, Format, Node, parse};

/// A file as an editor shows it, read once for all questions about it.
#[derive(Clone, Debug)]
pub struct RuleFile {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) root: Arc<Node>,
    pub(super) comments: Vec<Comment>,
    pub(super) kind: FileKind,
    pub(super) format: Format,
}

impl RuleFile {
    /// Reads a text, however broken.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let parsed = parse(FileId(0), &text, format_of(&name, &text));
        Self::read(name, text, Arc::new(parsed.root), parsed.comments)
    }

    /// The entry of a compilation as that has read it, so that it need not be read again; nothing
    /// where it has not. `text` is the text that was compiled.
    #[must_use]
    pub fn of_entry(compilation: &Compilation, text: impl Into<String>) -> Option<Self> {
        let entry = FileId(0);
        let document = compilation.documents.iter().find(|document| document.file == entry)?;
        let name = compilation.sources.get(entry)?.name.clone();
        let (root, comments) = (Arc::clone(&document.root), document.comments.clone());
        Some(Self::read(name, text.into(), root, comments))
    }

    fn read(name: String, text: String, root: Arc<Node>, comments: Vec<Comment>) -> Self {
        let is_ours =
            recognise::is_named_so(&name, &text) || recognise::is_shaped_like_policy(&name, &root);
        let kind = match is_ours {
            true => FileKind::of(&name, &comments, &root).0,
            // Nothing but a section in it can be ours, even where breaks in the text hide that.
            false => FileKind::AppConfig,
        };
        let format = format_of(&name, &text);
        Self { name, text, root, comments, kind, format }
    }

    /// Whether this is a rule file at all.
    #[must_use]
    pub fn is_rule_file(&self) -> bool {
        recognise::is_rule_file(&self.name, &self.text, &self.root)
    }

    /// The part of the tree that is about behaviour.
    pub(super) fn config(&self) -> &Node {
        FileKind::of(&self.name, &self.comments, &self.root).1
    }
}
