//! The meaning of words that a general editor sees as plain text: names, expressions, placeholders, patterns and
//! commands inside of texts.

use std::ops::Range;

use super::RuleFile;
use super::index::slice;
use super::place::{CursorPlace, Meaning, alternatives};
use crate::expression::{self, Piece};
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Kind, Node, locate_exactly};
use crate::template::{self, Part};

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// A connective.
    Keyword,
    /// A word of a condition, or a condition's key.
    Function,
    /// A name that something declares.
    Variable,
    /// A name of a parameter, or a flag of a command.
    Parameter,
    /// A text.
    Text,
    /// A number.
    Number,
    /// A sign.
    Operator,
    /// A pattern.
    Pattern,
    /// A placeholder.
    Placeholder,
    /// A word out of few.
    Choice,
}

/// A piece of text and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands, on one line.
    pub span: Span,
    /// What it means.
    pub kind: TokenKind,
    /// Whether a name is declared here.
    pub is_declaration: bool,
}

/// Finds the pieces of a file with a meaning, in their order; none overlaps another.
#[must_use]
pub fn tokens(file: &RuleFile) -> Vec<Token> {
    if !file.is_rule_file() {
        return Vec::new();
    }
    let mut walk = Walk { text: file.text(), found: Vec::new() };
    for one in &file.index().occurrences {
        walk.push(one.span, TokenKind::Variable, one.declares.is_some());
    }
    walk.node(file.config(), CursorPlace::root(file.kind));
    let mut found = walk.found;
    // What was found first is what is best known of a place.
    found.sort_by_key(|token| token.span.start);
    let mut all: Vec<Token> = Vec::new();
    for token in found {
        if all.last().is_none_or(|last| last.span.end <= token.span.start) {
            all.push(token);
        }
    }
    all
}

struct Walk<'t> {
    text: &'t str,
    found: Vec<Token>,
}

impl Walk<'_> {
    fn push(&mut self, span: Span, kind: TokenKind, is_declaration: bool) {
        let text = slice(self.text, span);
        if !text.is_empty() && !text.contains(['\n', '\r']) {
            self.found.push(Token { span, kind, is_declaration });
        }
    }

    fn part(&mut self, node: &Node, range: Range<usize>, kind: TokenKind) {
        if let Some(span) = locate_exactly(self.text, node, range) {
            self.push(span, kind, false);
        }
    }

    /// Trees are as deep as the parsers allow, which is little.
    fn node(&mut self, node: &Node, place: CursorPlace) {
        match &node.kind {
            Kind::Map(entries) => {
                for entry in entries {
                    let Some((meaning, behind)) = place.key(&entry.key.text) else { continue };
                    if let Meaning::Condition(_) | Meaning::Composite(_) = meaning {
                        self.push(entry.key.span, TokenKind::Function, false);
                    }
                    self.node(&entry.value, behind);
                }
            }
            Kind::Seq(items) => {
                if let Some(place) = place.item() {
                    items.iter().for_each(|item| self.node(item, place));
                }
            }
            Kind::String(text) => {
                let CursorPlace::Shape(shape) = place else { return };
                for shape in alternatives(shape) {
                    self.scalar(node, text, shape);
                }
            }
            _ => {}
        }
    }

    fn scalar(&mut self, node: &Node, text: &str, shape: Shape) {
        match shape {
            Shape::Condition => {
                for (range, piece) in expression::pieces(text) {
                    self.part(node, range, kind_of(piece));
                }
            }
            Shape::Message | Shape::Directive => {
                let (template, _) = template::split(text);
                for part in template.parts {
                    if let Part::Placeholder { name, range, .. } = part {
                        let start = range.start;
                        let end = (start + 1 + name.value.len()).min(range.end);
                        self.part(node, start + 1..end, TokenKind::Placeholder);
                    }
                }
            }
            Shape::Pattern | Shape::Glob => self.part(node, 0..text.len(), TokenKind::Pattern),
            Shape::Policy => self.command(node, text),
            Shape::Choice(choices) if choices.iter().any(|choice| choice.name == text) => {
                self.part(node, 0..text.len(), TokenKind::Choice);
            }
            _ => {}
        }
    }

    /// The words of a command pattern: the program, flags, and wildcards.
    fn command(&mut self, node: &Node, text: &str) {
        let is_break = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | '/');
        let mut at = 0;
        let mut is_first = true;
        for word in text.split_inclusive(is_break) {
            let bare = word.trim_end_matches(is_break);
            let kind = match bare {
                "" => None,
                _ if bare.starts_with('-') => Some(TokenKind::Parameter),
                "*" | "?" => Some(TokenKind::Operator),
                _ if is_first => Some(TokenKind::Function),
                _ => None,
            };
            if let Some(kind) = kind {
                self.part(node, at..at + bare.len(), kind);
            }
            is_first = word.ends_with(['(', '|']) || is_first && bare.is_empty();
            at += word.len();
        }
    }
}

fn kind_of(piece: Piece) -> TokenKind {
    match piece {
        Piece::Connective => TokenKind::Keyword,
        Piece::Word => TokenKind::Function,
        Piece::Constant => TokenKind::Choice,
        Piece::Name => TokenKind::Parameter,
        Piece::Text => TokenKind::Text,
        Piece::Pattern => TokenKind::Pattern,
        Piece::Number => TokenKind::Number,
        Piece::Operator => TokenKind::Operator,
    }
}
