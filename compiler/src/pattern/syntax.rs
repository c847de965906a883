//! What a pattern says, free of spelling: every flag is resolved into the node it bears on.
//!
//! Depth is bounded by the parser ([`super::limits::NESTING`]), so walks may recurse.

use std::ops::Range;

/// A node and where it was written.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) node: Node,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    /// One character; `fold` ignores its case.
    Literal {
        character: char,
        fold: bool,
    },
    /// `.`; whether a newline counts.
    Dot {
        newline: bool,
    },
    /// `\d`, `\s`, `\w` and their negations, outside brackets.
    Perl(Perl),
    /// `\p{…}` as written.
    Property(String),
    /// `[…]`.
    Class(Class),
    /// A place between characters.
    Look(Look),
    /// A group of any kind that only groups.
    Group(Box<Item>),
    Concat(Vec<Item>),
    Alternation(Vec<Item>),
    Repeat(Repeat),
    /// Look-around: understood, never compiled.
    Around(Around),
    /// What could not be read; a problem says why.
    Broken,
}

#[derive(Clone, Debug)]
pub(super) struct Repeat {
    pub(super) item: Box<Item>,
    pub(super) min: u32,
    /// `None`: any number.
    pub(super) max: Option<u32>,
    /// The operator alone.
    pub(super) operator: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Around {
    pub(super) ahead: bool,
    pub(super) negated: bool,
    pub(super) inner: Box<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    TextStart,
    LineStart,
    /// The end, or before a newline that is the last character.
    TextEndOrFinalNewline,
    LineEnd,
    TextEnd,
    Word {
        negated: bool,
        unicode: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PerlKind {
    Digit,
    Space,
    Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perl {
    pub(super) kind: PerlKind,
    pub(super) negated: bool,
    pub(super) unicode: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) negated: bool,
    pub(super) fold: bool,
    pub(super) items: Vec<ClassItem>,
}

#[derive(Clone, Debug)]
pub(super) enum ClassItem {
    /// From, to, both included.
    Range(char, char),
    Perl(Perl),
    Property(String),
}

impl Item {
    pub(super) fn new(node: Node, range: Range<usize>) -> Self {
        Self { node, range }
    }

    /// The fewest characters of a match.
    pub(super) fn min_len(&self) -> usize {
        match &self.node {
            Node::Literal { .. }
            | Node::Dot { .. }
            | Node::Perl(_)
            | Node::Property(_)
            | Node::Class(_) => 1,
            Node::Look(_) | Node::Around(_) | Node::Broken => 0,
            Node::Group(inner) => inner.min_len(),
            Node::Concat(items) => items.iter().fold(0, |sum, i| sum.saturating_add(i.min_len())),
            Node::Alternation(items) => items.iter().map(Item::min_len).min().unwrap_or(0),
            Node::Repeat(repeat) => repeat.item.min_len().saturating_mul(repeat.min as usize),
        }
    }

    /// Whether it can match nothing, at any place.
    pub(super) fn always_matches(&self) -> bool {
        match &self.node {
            Node::Group(inner) => inner.always_matches(),
            Node::Concat(items) => items.iter().all(Item::always_matches),
            Node::Alternation(items) => items.iter().any(Item::always_matches),
            Node::Repeat(repeat) => repeat.min == 0 || repeat.item.always_matches(),
            _ => false,
        }
    }
}
