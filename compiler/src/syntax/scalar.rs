//! What scalars stand for: the text behind quotes, escapes, folded lines and block scalars, piece by
//! piece, each with the source that it comes from.
//!
//! The readers that build trees and those who ask where a part of a value stands use the same decoder,
//! so the two cannot disagree.

use std::ops::Range;

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// Without quotes; also the style of a string that no source holds.
    #[default]
    Plain,
    /// Between `'`. Lines fold; a doubled quote stands for one.
    Single,
    /// Between `"`. Lines fold; a backslash starts an escape.
    Double,
    /// Below a `|`, the lines indented by so many columns.
    Literal {
        /// The columns that are no part of the text.
        indent: u32,
    },
    /// Below a `>`, the lines indented by so many columns, and folded.
    Folded {
        /// The columns that are no part of the text.
        indent: u32,
    },
    /// Between `'''` of TOML.
    SingleLines,
    /// Between `"""` of TOML.
    DoubleLines,
}

/// Takes the pieces of a decoded scalar in order.
pub trait Sink {
    /// Takes a piece that stands in the source as it is, from this offset on.
    fn copy(&mut self, text: &str, at: usize);
    /// Takes a piece that is written otherwise: an escape, or a line break that is folded.
    fn put(&mut self, text: &str, source: Range<usize>);
}

impl Sink for String {
    fn copy(&mut self, text: &str, _: usize) {
        self.push_str(text);
    }

    fn put(&mut self, text: &str, _: Range<usize>) {
        self.push_str(text);
    }
}

/// The byte at an offset, and NUL, which no text holds, at the end.
pub fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or_default()
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a byte separates or delimits what stands in brackets.
pub fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// The offset behind the line break at `at`.
pub fn behind_break(text: &str, at: usize) -> usize {
    let is_pair = byte(text, at) == b'\r' && byte(text, at + 1) == b'\n';
    at + 1 + usize::from(is_pair)
}

fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// Decodes the scalar that a span covers, delimiters included. A block scalar may go on behind its
/// span, with the line breaks that end it.
///
/// # Errors
///
/// Where an escape is none that the format knows: its place.
pub fn decode(
    text: &str,
    span: Range<usize>,
    style: Style,
    sink: &mut impl Sink,
) -> Result<(), Range<usize>> {
    let inside = |by: usize| span.start + by..span.end.saturating_sub(by).max(span.start + by);
    match style {
        Style::Plain => decode_flow(text, span, 0, sink),
        Style::Single => decode_flow(text, inside(1), b'\'', sink),
        Style::Double => decode_flow(text, inside(1), b'"', sink),
        Style::SingleLines => decode_lines(text, inside(3), false, sink),
        Style::DoubleLines => decode_lines(text, inside(3), true, sink),
        Style::Literal { indent } => {
            decode_block(text, span.start, indent as usize, sink);
            Ok(())
        }
        Style::Folded { indent } => {
            decode_block(text, span.start, indent as usize, sink);
            Ok(())
        }
    }
}

/// Decodes what stands between quotes, or without any (`0`), where lines fold.
///
/// # Errors
///
/// Where an escape is none that YAML knows: its place.
pub fn decode_flow(
    text: &str,
    range: Range<usize>,
    quote: u8,
    sink: &mut impl Sink,
) -> Result<(), Range<usize>> {
    let (mut from, mut at) = (range.start, range.start);
    while at < range.end {
        match byte(text, at) {
            b'\n' | b'\r' => {
                let line = slice(text, from..at).trim_end_matches([' ', '\t']);
                sink.copy(line, from);
                let (end, breaks) = gap(text, at..range.end);
                fold(from + line.len()..end, breaks, sink);
                (from, at) = (end, end);
            }
            b'\'' if quote == b'\'' => {
                sink.copy(slice(text, from..at), from);
                sink.put("'", at..at + 2);
                (from, at) = (at + 2, at + 2);
            }
            b'\\' if quote == b'"' => {
                sink.copy(slice(text, from..at), from);
                at = match is_break(byte(text, at + 1)) {
                    true => {
                        let (end, breaks) = gap(text, at + 1..range.end);
                        (1..breaks).for_each(|_| sink.put("\n", at..end));
                        end
                    }
                    false => put_escape(text, at..range.end, sink)?,
                };
                from = at;
            }
            _ => at += 1,
        }
    }
    sink.copy(slice(text, from..range.end), from);
    Ok(())
}

/// Decodes what stands between the delimiters of a multi-line string of TOML.
fn decode_lines(
    text: &str,
    range: Range<usize>,
    has_escapes: bool,
    sink: &mut impl Sink,
) -> Result<(), Range<usize>> {
    let mut at = range.start;
    if is_break(byte(text, at)) {
        at = behind_break(text, at);
    }
    let mut from = at;
    while at < range.end {
        match byte(text, at) {
            b'\r' => {
                sink.copy(slice(text, from..at), from);
                from = at + 1;
                at += 1;
            }
            b'\\' if has_escapes => {
                sink.copy(slice(text, from..at), from);
                let (end, breaks) = gap(text, at + 1..range.end);
                at = if breaks > 0 { end } else { put_escape(text, at..range.end, sink)? };
                from = at;
            }
            _ => at += 1,
        }
    }
    sink.copy(slice(text, from..range.end), from);
    Ok(())
}

/// The end of the blanks and line breaks that a range starts with, and how many breaks they hold.
fn gap(text: &str, range: Range<usize>) -> (usize, usize) {
    let (mut at, mut breaks) = (range.start, 0);
    while at < range.end {
        match byte(text, at) {
            b' ' | b'\t' => at += 1,
            b'\n' | b'\r' => {
                at = behind_break(text, at);
                breaks += 1;
            }
            _ => break,
        }
    }
    (at, breaks)
}

/// Puts what line breaks and the blanks around them fold to.
fn fold(source: Range<usize>, breaks: usize, sink: &mut impl Sink) {
    match breaks {
        0 => {}
        1 => sink.put(" ", source),
        _ => (1..breaks).for_each(|_| sink.put("\n", source.clone())),
    }
}

/// Decodes the escape that a range starts with; returns the offset behind it. YAML, JSON and TOML
/// agree where they overlap.
fn put_escape(
    text: &str,
    range: Range<usize>,
    sink: &mut impl Sink,
) -> Result<usize, Range<usize>> {
    let start = range.start;
    let escaped = slice(text, start + 1..range.end).chars().next().unwrap_or('\\');
    let end = start + 1 + escaped.len_utf8();
    let mut put = |character: char, end: usize| {
        sink.put(character.encode_utf8(&mut [0; 4]), start..end);
        Ok(end)
    };
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
        ' ' | '"' | '/' | '\\' => escaped,
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' | 'u' | 'U' => {
            let digits = if escaped == 'x' {
                2
            } else if escaped == 'u' {
                4
            } else {
                8
            };
            let (code, behind) = hexadecimal(text, end..range.end, digits);
            if let Some(character) = code.and_then(char::from_u32) {
                return put(character, behind);
            }
            let low = Some(behind)
                .filter(|_| digits == 4 && slice(text, behind..range.end).starts_with("\\u"))
                .map(|behind| hexadecimal(text, behind + 2..range.end, 4));
            let pair = low.and_then(|(low, behind)| Some((surrogates(code?, low?)?, behind)));
            return match pair {
                Some((character, behind)) => put(character, behind),
                None => Err(start..behind),
            };
        }
        _ => return Err(start..end.min(range.end.max(start + 1))),
    };
    put(character, end)
}

/// The number that so many hexadecimal digits make, and the offset behind those that are there.
fn hexadecimal(text: &str, range: Range<usize>, digits: usize) -> (Option<u32>, usize) {
    let found = slice(text, range.clone()).bytes().take(digits).take_while(u8::is_ascii_hexdigit);
    let end = range.start + found.count();
    let number = slice(text, range.start..end);
    (u32::from_str_radix(number, 16).ok().filter(|_| number.len() == digits), end)
}

fn surrogates(high: u32, low: u32) -> Option<char> {
    let (high, low) = (high.checked_sub(0xD800)?, low.checked_sub(0xDC00)?);
    (high < 0x400 && low < 0x400).then(|| char::from_u32(0x10000 + (high << 10) + low))?
}

/// Decodes the block scalar whose indicator stands at `start` and whose lines are indented by so many
/// columns. Returns the start of the line that ends it. The header has been checked.
pub fn decode_block(text: &str, start: usize, indent: usize, sink: &mut impl Sink) -> usize {
    let is_folded = byte(text, start) == b'>';
    let mut at = start + 1;
    let (mut is_kept, mut is_stripped) = (false, false);
    while !matches!(byte(text, at), b'\n' | b'\r' | 0 | b'#') {
        is_kept |= byte(text, at) == b'+';
        is_stripped |= byte(text, at) == b'-';
        at += 1;
    }
    while !matches!(byte(text, at), b'\n' | b'\r' | 0) {
        at += 1;
    }
    if byte(text, at) == 0 {
        return at;
    }
    let mut lines = BlockLines { text, at: behind_break(text, at), indent };
    // The line breaks that no text has followed yet: where they start, and how many they are.
    let (mut gap_start, mut breaks) = (lines.at, 0);
    // Whether the last line of text starts with a blank, once there is one.
    let mut previous = None;
    loop {
        let content = match lines.next_line() {
            Line::Text(content) => content,
            Line::Empty => {
                breaks += 1;
                continue;
            }
            Line::End => break,
        };
        let starts_blank = is_blank(byte(text, content.start));
        let source = gap_start..content.start;
        if is_folded && previous == Some(false) && !starts_blank {
            fold(source, breaks, sink);
        } else {
            (0..breaks).for_each(|_| sink.put("\n", source.clone()));
        }
        sink.copy(slice(text, content.clone()), content.start);
        previous = Some(starts_blank);
        (gap_start, breaks) = (content.end, 1);
        if byte(text, content.end) == 0 {
            // The last line of a file counts as one that ends.
            lines.at = content.end;
            break;
        }
        lines.at = behind_break(text, content.end);
    }
    let is_blank_line = previous.is_none() && breaks == 0 && lines.at < text.len();
    let count = match (is_kept, is_stripped, previous) {
        (true, ..)
            if is_blank_line && slice(text, lines.at..text.len()).trim_matches(' ').is_empty() =>
        {
            1
        }
        (true, ..) => breaks,
        (_, true, _) | (_, _, None) => 0,
        _ => 1,
    };
    (0..count).for_each(|_| sink.put("\n", gap_start..lines.at));
    lines.at
}

/// The lines of a block scalar.
struct BlockLines<'t> {
    text: &'t str,
    /// Where the next line starts.
    at: usize,
    indent: usize,
}

enum Line {
    /// Nothing but indentation.
    Empty,
    /// Text, behind the indentation.
    Text(Range<usize>),
    /// A line that is no part of the scalar, or the end of the file.
    End,
}

impl BlockLines<'_> {
    fn next_line(&mut self) -> Line {
        let mut at = self.at;
        while at < self.at + self.indent && byte(self.text, at) == b' ' {
            at += 1;
        }
        match byte(self.text, at) {
            b'\n' | b'\r' => {
                self.at = behind_break(self.text, at);
                Line::Empty
            }
            0 => Line::End,
            _ if at < self.at + self.indent => Line::End,
            _ if self.indent == 0 && is_document_marker(self.text, at) => Line::End,
            _ => {
                let line = self.text.get(at..).unwrap_or_default();
                let length = line.bytes().position(is_break).unwrap_or(line.len());
                Line::Text(at..at + length)
            }
        }
    }
}

/// Whether `---` or `...` stands alone at the start of a line.
pub fn is_document_marker(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    (rest.starts_with("---") || rest.starts_with("..."))
        && matches!(byte(text, at + 3), b' ' | b'\t' | b'\n' | b'\r' | 0)
}
