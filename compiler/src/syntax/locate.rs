//! Finds where a part of a string's value stands in the source, for problems inside of strings.
//!
//! Strings keep only their value and span. When a place inside is asked for, the source is decoded
//! again, noting where each character came from. How it was written is not stored either: what
//! fits the first characters is tried, and taken if it gives the same value.

use std::ops::Range;

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
    let base = node.span.start as usize;
    let source = text.get(base..node.span.end as usize)?;
    let pieces = decode(source, value)?;
    let place = |offset: usize| (base + offset) as u32;
    let holding = |at: usize| {
        let index = pieces.partition_point(|piece| piece.value <= at);
        pieces.get(index.checked_sub(1)?)
    };
    if range.is_empty() {
        let at = match pieces.iter().find(|piece| piece.value >= range.start) {
            Some(piece) => piece.source.start,
            None => pieces.last()?.source.end,
        };
        return Some(Span::new(node.span.file, place(at), place(at)));
    }
    let start = holding(range.start)?.source.start;
    let end = holding(range.end - 1)?.source.end.max(start);
    Some(Span::new(node.span.file, place(start), place(end)))
}

/// One character of the value and the part of the source that it stands for.
struct Piece {
    /// Offset in the value.
    value: usize,
    /// Offsets in the source.
    source: Range<usize>,
}

fn decode(source: &str, value: &str) -> Option<Vec<Piece>> {
    let decoded = |decoder: fn(&str) -> Option<Decoder>| {
        decoder(source).filter(|decoder| decoder.value == value).map(|decoder| decoder.pieces)
    };
    match source.as_bytes().first()? {
        b'"' => decoded(toml_block_double).or_else(|| decoded(double)),
        b'\'' => decoded(toml_block_single).or_else(|| decoded(single)),
        b'|' | b'>' => block(source, value),
        _ => decoded(plain),
    }
}

#[derive(Default)]
struct Decoder {
    value: String,
    pieces: Vec<Piece>,
}

impl Decoder {
    fn push(&mut self, character: char, source: Range<usize>) {
        self.pieces.push(Piece { value: self.value.len(), source });
        self.value.push(character);
    }

    /// Line breaks and the blanks around them, as YAML folds them.
    fn fold(&mut self, source: Range<usize>, breaks: usize) {
        match breaks {
            0 => {}
            1 => self.push(' ', source),
            _ => (1..breaks).for_each(|_| self.push('\n', source.clone())),
        }
    }
}

/// What stands between delimiters.
fn inside<'s>(source: &'s str, delimiter: &str) -> Option<&'s str> {
    source.strip_prefix(delimiter)?.strip_suffix(delimiter)
}

/// The blanks and line breaks that a text starts with: their length, and how many breaks.
fn gap(text: &str) -> (usize, usize) {
    let length = text.len() - text.trim_start_matches([' ', '\t', '\r', '\n']).len();
    let breaks = text.get(..length).unwrap_or_default().matches('\n').count();
    (length, breaks)
}

fn plain(source: &str) -> Option<Decoder> {
    folded(source, 0, |_, _, _| None)
}

fn single(source: &str) -> Option<Decoder> {
    folded(inside(source, "'")?, 1, |decoder, rest, at| {
        rest.starts_with("''").then(|| {
            decoder.push('\'', at..at + 2);
            2
        })
    })
}

fn double(source: &str) -> Option<Decoder> {
    folded(inside(source, "\"")?, 1, |decoder, rest, at| {
        if !rest.starts_with('\\') {
            return None;
        }
        // An escaped line break swallows the blanks that follow it.
        let (length, breaks) = gap(rest.get(1..)?);
        let escaped_break = rest.get(1..)?.trim_start_matches('\r').starts_with('\n');
        if escaped_break {
            decoder.fold(at + 1..at + 1 + length, breaks - 1 + usize::from(breaks > 1));
            return Some(1 + length);
        }
        escape(decoder, rest, at)
    })
}

fn toml_block_double(source: &str) -> Option<Decoder> {
    toml_block(inside(source, "\"\"\"")?, |decoder, rest, at| {
        if !rest.starts_with('\\') {
            return None;
        }
        let (length, breaks) = gap(rest.get(1..)?);
        if breaks > 0 { Some(1 + length) } else { escape(decoder, rest, at) }
    })
}

fn toml_block_single(source: &str) -> Option<Decoder> {
    toml_block(inside(source, "'''")?, |_, _, _| None)
}

/// Decodes what `special` knows, everything else being itself, line breaks folded. `at` is where
/// the text stands in the source.
fn folded(
    text: &str,
    at: usize,
    special: impl Fn(&mut Decoder, &str, usize) -> Option<usize>,
) -> Option<Decoder> {
    let mut decoder = Decoder::default();
    let mut offset = 0;
    while let Some(rest) = text.get(offset..).filter(|rest| !rest.is_empty()) {
        let place = at + offset;
        if let Some(length) = special(&mut decoder, rest, place) {
            offset += length;
            continue;
        }
        let character = rest.chars().next()?;
        let (length, breaks) =
            if matches!(character, ' ' | '\t' | '\r' | '\n') { gap(rest) } else { (0, 0) };
        if breaks > 0 {
            decoder.fold(place..place + length, breaks);
            offset += length;
        } else {
            decoder.push(character, place..place + character.len_utf8());
            offset += character.len_utf8();
        }
    }
    Some(decoder)
}

fn toml_block(
    text: &str,
    special: impl Fn(&mut Decoder, &str, usize) -> Option<usize>,
) -> Option<Decoder> {
    let mut decoder = Decoder::default();
    let mut offset =
        text.len() - text.strip_prefix("\r\n").or(text.strip_prefix('\n')).unwrap_or(text).len();
    while let Some(rest) = text.get(offset..).filter(|rest| !rest.is_empty()) {
        let place = 3 + offset;
        if let Some(length) = special(&mut decoder, rest, place) {
            offset += length;
            continue;
        }
        let character = rest.chars().next()?;
        if !rest.starts_with("\r\n") {
            decoder.push(character, place..place + character.len_utf8());
        }
        offset += character.len_utf8();
    }
    Some(decoder)
}

/// An escape sequence of YAML, JSON or TOML, which agree where they overlap.
fn escape(decoder: &mut Decoder, rest: &str, at: usize) -> Option<usize> {
    let escaped = rest.get(1..)?.chars().next()?;
    let character = match escaped {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{B}',
        'f' => '\u{C}',
        'r' => '\r',
        'e' => '\u{1B}',
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return code(decoder, rest, at, 2),
        'u' => return code(decoder, rest, at, 4),
        'U' => return code(decoder, rest, at, 8),
        other => other,
    };
    let length = 1 + escaped.len_utf8();
    decoder.push(character, at..at + length);
    Some(length)
}

/// A character by its code, perhaps as a surrogate pair.
fn code(decoder: &mut Decoder, rest: &str, at: usize, digits: usize) -> Option<usize> {
    let number = |text: Option<&str>| u32::from_str_radix(text?, 16).ok();
    let first = number(rest.get(2..2 + digits))?;
    if let Some(character) = char::from_u32(first) {
        decoder.push(character, at..at + 2 + digits);
        return Some(2 + digits);
    }
    let second = number(rest.get(8..12)).filter(|low| (0xDC00..0xE000).contains(low))?;
    let high = first.checked_sub(0xD800)? << 10;
    decoder.push(char::from_u32(0x10000 + high + second - 0xDC00)?, at..at + 12);
    Some(12)
}

/// Aligns a literal or folded block scalar with its value. Only breaks and the blanks at line
/// starts differ between the two, so each source line is found in the value behind some of those.
fn block(source: &str, value: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    let mut offset = source.find('\n')? + 1;
    let mut previous_end = offset;
    let value_indent = indent(value.lines().find(|line| !line.trim_matches(' ').is_empty())?);
    let mut block_indent = None;
    for line in source.get(offset..)?.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let content = line.trim_end_matches(['\r', '\n']);
        if content.trim_matches(' ').is_empty() {
            continue;
        }
        let cut = *block_indent.get_or_insert(indent(content).checked_sub(value_indent)?);
        // The node's span leaves out blanks at its very end.
        let content = content.get(cut..)?;
        let behind = value.get(done..)?;
        let skipped = (0..=behind.len())
            .take_while(|&n| n == 0 || matches!(behind.as_bytes().get(n - 1), Some(b' ' | b'\n')))
            .find(|&n| behind.get(n..).is_some_and(|rest| rest.starts_with(content)))?;
        let break_place = previous_end..start + cut;
        for n in 0..skipped {
            pieces.push(Piece { value: done + n, source: break_place.clone() });
        }
        done += skipped;
        for (at, character) in content.char_indices() {
            let place = start + cut + at;
            pieces.push(Piece { value: done + at, source: place..place + character.len_utf8() });
        }
        done += content.len();
        previous_end = start + cut + content.len();
    }
    for at in done..value.len() {
        pieces.push(Piece { value: at, source: previous_end..source.len().max(previous_end) });
    }
    Some(pieces)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests;
