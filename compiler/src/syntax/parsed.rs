//! What becomes of a text, whatever its format, and how large that may be.

use super::node::Node;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// How deep collections may nest, counting aliases as what they stand for.
pub const MAX_DEPTH: usize = 128;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// More errors of a file than this tell nobody anything.
pub(super) const MAX_ERRORS: usize = 1000;

/// A comment of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// Where it stands, from its `#` to the end of its line.
    pub span: Span,
    /// What stands behind the `#`.
    pub text: Box<str>,
}

/// What became of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; [`Kind::Broken`](super::Kind::Broken) where nothing could be made of the text.
    pub root: Node,
    /// All problems, by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The comments, by position, those in parts that were skipped left out. JSON has none.
    pub comments: Vec<Comment>,
    /// Whether each entry is what it is by itself, be it something that did not parse. Only said of YAML.
    pub is_regular: bool,
}

/// Items of a list that were read by themselves.
#[derive(Clone, Debug)]
pub struct Items {
    /// The items.
    pub nodes: Vec<Node>,
    /// What is wrong in them.
    pub diagnostics: Vec<Diagnostic>,
    /// The comments in them and behind them.
    pub comments: Vec<Comment>,
    /// Where a list of nothing else ends.
    pub end: u32,
    /// Whether anything failed to parse.
    pub has_failed: bool,
}

/// A span from byte offsets, which fit: texts are at most [`MAX_BYTES`] long.
pub(super) fn span(file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, start as u32, end as u32)
}
