//! What editors ask about rule files: plain data, byte offsets, no protocol.
//!
//! Answers are best guesses about text that is being typed: nothing here reports problems, fails or
//! panics, whatever the text and the offset. Everything said comes from the registry.

mod completion;
mod context;
mod describe;
mod expression;
mod hover;
mod names;
mod place;
mod recognise;

pub use completion::{Completion, CompletionKind, complete};
pub use hover::{Hover, hover};
pub use recognise::{is_rule_file, may_be_rule_file};

use crate::resolve::FileKind;
use crate::source::FileId;
use crate::syntax::{Format, Node, Parsed, parse};

/// A file as an editor shows it, read once for all questions about it.
#[derive(Clone, Debug)]
pub struct RuleFile {
    name: String,
    text: String,
    parsed: Parsed,
    kind: FileKind,
}

impl RuleFile {
    /// Reads a text, however broken.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let format = if name.ends_with(".json") { Format::Json } else { Format::Yaml };
        let parsed = parse(FileId(0), &text, format);
        let kind = match recognise::is_named_so(&name, &text) {
            true => FileKind::of(&name, &parsed.comments, &parsed.root).0,
            // Nothing but a section in it can be ours, even where breaks in the text hide that.
            false => FileKind::AppConfig,
        };
        Self { name, text, parsed, kind }
    }

    /// Whether this is a rule file at all.
    #[must_use]
    pub fn is_rule_file(&self) -> bool {
        is_rule_file(&self.name, &self.text, &self.parsed.root)
    }

    /// The part of the tree that is about behaviour.
    fn config(&self) -> &Node {
        FileKind::of(&self.name, &self.parsed.comments, &self.parsed.root).1
    }
}

#[cfg(test)]
mod tests;
