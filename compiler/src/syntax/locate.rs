//! Finds where a part of a string's value stands in the source, for problems inside of strings.
//!
//! Strings keep their value, span and style. When a place inside is asked for, the source is decoded
//! again by the same decoder, noting where each piece came from.

use std::ops::Range;

use super::scalar::{Sink, Style, byte, decode};
use super::{Kind, Node};
use crate::source::Span;

/// The source span of a byte range of a string node's value. `text` is the whole file.
///
/// An empty range gives an empty span at its place. Falls back to the node's own span where the
/// node is no string or the range does not fit it.
#[must_use]
pub fn locate(text: &str, node: &Node, range: Range<usize>) -> Span {
    locate_exactly(text, node, range).unwrap_or(node.span)
}

/// As [`locate`]; `None` where that would fall back, so that nothing is replaced there.
#[must_use]
pub fn locate_exactly(text: &str, node: &Node, range: Range<usize>) -> Option<Span> {
    let Kind::String(value) = &node.kind else { return None };
    if range.start > range.end || range.end > value.len() {
        return None;
    }
    let source = node.span.start as usize..node.span.end as usize;
    let mut pieces = Pieces::default();
    // What was made of a part of another string may stand in quotes there.
    let style = match (value.style(), byte(text, source.start)) {
        (Style::Plain, b'"') => Style::Double,
        (Style::Plain, b'\'') => Style::Single,
        (style, _) => style,
    };
    if let Some(start) = verbatim(text, source.clone(), value, style) {
        let at = |offset: usize| (start + offset) as u32;
        return Some(Span::new(node.span.file, at(range.start), at(range.end)));
    }
    decode(text, source, style, &mut pieces).ok()?;
    // A string that was made up stands nowhere.
    if pieces.value != **value {
        return None;
    }
    let (start, end) = match range.is_empty() {
        true => {
            let at = pieces.starting(range.start)?;
            (at, at)
        }
        false => {
            let start = pieces.holding(range.start)?.of(range.start).start;
            let end = pieces.holding(range.end - 1)?.of(range.end - 1).end;
            (start, end.max(start))
        }
    };
    Some(Span::new(node.span.file, start as u32, end as u32))
}

/// Where in the source a value begins that stands there as it is, without an escape and on one line, as most do.
fn verbatim(text: &str, source: Range<usize>, value: &str, style: Style) -> Option<usize> {
    let quote = match style {
        Style::Plain => 0,
        Style::Double | Style::Single => 1,
        _ => return None,
    };
    let inner = source.start + quote..source.end.checked_sub(quote)?;
    let is_it = !value.is_empty()
        && text.get(inner.clone()) == Some(value)
        && !value.contains(['\\', '\'', '\n', '\r']);
    is_it.then_some(inner.start)
}

/// Writes a text as it has to stand at a span of the tree `root` so that it is read as itself: between double quotes
/// with escapes, between single ones of YAML with those doubled. Elsewhere, and where the span covers more than
/// what a string holds, it stays as it is.
#[must_use]
pub fn written_at(root: &Node, span: Span, text: &str) -> String {
    let Some(Style::Double | Style::DoubleLines) = style_around(root, span) else {
        let is_single = style_around(root, span) == Some(Style::Single);
        return if is_single { text.replace('\'', "''") } else { text.to_owned() };
    };
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '\n' => out.push_str("\\n"),
            '"' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
        out
    })
}

/// How the string is written that a span is inside of, without all of its delimiters.
fn style_around(node: &Node, span: Span) -> Option<Style> {
    let within = |outer: Span| outer.start < span.start && span.end < outer.end;
    let holds = |outer: Span| outer.start <= span.start && span.end <= outer.end;
    match &node.kind {
        Kind::String(text) => within(node.span).then(|| text.style()),
        Kind::Seq(items) => items.iter().find_map(|item| style_around(item, span)),
        Kind::Map(entries) => {
            let inside = |entry: &&super::Entry| holds(entry.value.span);
            entries.iter().filter(inside).find_map(|entry| style_around(&entry.value, span))
        }
        _ => None,
    }
}

/// A value in pieces.
#[derive(Default)]
struct Pieces {
    value: String,
    pieces: Vec<Piece>,
}

/// A piece of the value and the part of the source that it stands for.
struct Piece {
    /// Offsets in the value.
    value: Range<usize>,
    /// Offsets in the source.
    source: Range<usize>,
}

impl Piece {
    /// Whether it stands in the source as it is.
    fn is_verbatim(&self) -> bool {
        self.value.len() == self.source.len()
    }

    /// The source of the byte at an offset of the value.
    fn of(&self, at: usize) -> Range<usize> {
        match self.is_verbatim() {
            true => {
                let start = self.source.start + at - self.value.start;
                start..start + 1
            }
            false => self.source.clone(),
        }
    }
}

impl Pieces {
    fn push(&mut self, text: &str, source: Range<usize>) {
        let start = self.value.len();
        self.value.push_str(text);
        if !text.is_empty() {
            self.pieces.push(Piece { value: start..self.value.len(), source });
        }
    }

    fn holding(&self, at: usize) -> Option<&Piece> {
        let next = self.pieces.partition_point(|piece| piece.value.end <= at);
        self.pieces.get(next)
    }

    /// Where the source goes on with what stands at an offset of the value.
    fn starting(&self, at: usize) -> Option<usize> {
        match self.holding(at) {
            Some(piece) if piece.value.start == at || piece.is_verbatim() => {
                Some(piece.of(at).start)
            }
            Some(piece) => Some(piece.source.end),
            None => self.pieces.last().map(|piece| piece.source.end),
        }
    }
}

impl Sink for Pieces {
    fn copy(&mut self, text: &str, at: usize) {
        self.push(text, at..at + text.len());
    }

    fn put(&mut self, text: &str, source: Range<usize>) {
        self.push(text, source);
    }
}

#[cfg(test)]
mod tests;
