//! The text of an open document, and conversions between byte offsets and the protocol's positions.
//!
//! Positions count lines from 0 and, in a line, units of the negotiated encoding. Those that do not
//! exist are moved to the nearest place before that does.

use tower_lsp::ls_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};

/// The unit that columns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16: two for characters beyond U+FFFF. What clients use that offer nothing else.
    #[default]
    Utf16,
}

impl Encoding {
    /// The best one of those that a client offers.
    pub fn negotiate(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) { Self::Utf8 } else { Self::Utf16 }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
        }
    }
}

/// A text that knows its lines.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    /// The offset of the first byte of each line; never empty.
    lines: Vec<usize>,
}

/// What a file may start with and the compiler leaves out.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

impl Text {
    pub fn new(text: String) -> Self {
        let lines = line_starts(&text);
        Self { text, lines }
    }

    /// The whole text.
    pub fn whole(&self) -> &str {
        &self.text
    }

    /// The text as the compiler sees it.
    pub fn source(&self) -> &str {
        self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.text)
    }

    /// How much further in the text an offset of the source stands.
    fn mark_length(&self) -> usize {
        self.text.len() - self.source().len()
    }

    /// The byte offset in the source of a position.
    pub fn source_offset(&self, position: Position, encoding: Encoding) -> u32 {
        self.offset(position, encoding).saturating_sub(self.mark_length()) as u32
    }

    /// The range of two byte offsets in the source.
    pub fn range(&self, start: u32, end: u32, encoding: Encoding) -> Range {
        let mark = self.mark_length();
        let start = start as usize + mark;
        let end = (end as usize + mark).max(start);
        Range::new(self.position(start, encoding), self.position(end, encoding))
    }

    /// The range of a line, counted from 0, without its break.
    pub fn line(&self, line: u32, encoding: Encoding) -> Range {
        let at = line as usize;
        let start = self.lines.get(at).copied().unwrap_or(self.text.len());
        let end = self.lines.get(at + 1).copied().unwrap_or(self.text.len());
        let length = self.text.get(start..end).unwrap_or_default().trim_end().len();
        Range::new(self.position(start, encoding), self.position(start + length, encoding))
    }

    /// The byte offset of a position.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.lines.get(line) else { return self.text.len() };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n']);
        let mut left = position.character as usize;
        for (at, character) in text.char_indices() {
            let units = encoding.units(character);
            if left < units {
                return start + at;
            }
            left -= units;
        }
        start + text.len()
    }

    /// The position of a byte offset.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or(0);
        let rest = self.text.get(start..).unwrap_or_default();
        let before = rest.char_indices().take_while(|(at, c)| start + at + c.len_utf8() <= offset);
        let column: usize = before.map(|(_, character)| encoding.units(character)).sum();
        Position::new(line as u32, column as u32)
    }

    /// The text after an edit of the client.
    pub fn apply(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) {
        let Some(range) = change.range else {
            *self = Self::new(change.text);
            return;
        };
        let start = self.offset(range.start, encoding);
        let end = self.offset(range.end, encoding).max(start);
        self.text.replace_range(start..end, &change.text);
        self.find_lines_again(start..end, start + change.text.len());
    }

    /// Finds out where lines start after what stood in a range was replaced by what ends at `end`. Whether a line starts
    /// somewhere is told by the byte before, and by the one there: elsewhere, lines only move.
    fn find_lines_again(&mut self, old: std::ops::Range<usize>, end: usize) {
        let bytes = self.text.as_bytes();
        let first = self.lines.partition_point(|start| *start < old.start).max(1);
        let behind = self.lines.partition_point(|start| *start <= old.end).max(first);
        let fresh = (old.start.max(1)..=end).filter(|start| is_line_end(bytes, start - 1));
        let fresh: Vec<usize> = fresh.collect();
        for start in self.lines.iter_mut().skip(behind) {
            *start = *start + end - old.end;
        }
        self.lines.splice(first..behind, fresh);
    }
}

/// Lines end with `\n`, `\r\n` or `\r`.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = (0..bytes.len()).filter(|at| is_line_end(bytes, *at));
    std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
}

fn is_line_end(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Walks the text character by character, which cannot go wrong in an interesting way.
    fn naive(text: &str, encoding: Encoding) -> Vec<(usize, Position)> {
        let (mut line, mut column) = (0, 0);
        let mut out = Vec::new();
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            out.push((at, Position::new(line, column)));
            let next = characters.peek().map(|(_, next)| *next);
            if character == '\n' || character == '\r' && next != Some('\n') {
                line += 1;
                column = 0;
            } else {
                column += encoding.units(character) as u32;
            }
        }
        out.push((text.len(), Position::new(line, column)));
        out
    }

    fn texts() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![
                Just("a"),
                Just("é"),
                Just("\u{10348}"),
                Just("👩‍💻"),
                Just("\n"),
                Just("\r\n"),
                Just("\r"),
                Just(" "),
            ],
            0..40,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn conversions_agree_with_a_walk(text in texts()) {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let index = Text::new(text.clone());
                for (offset, position) in naive(&text, encoding) {
                    prop_assert_eq!(index.position(offset, encoding), position);
                    let is_inside_break =
                        text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                    if !is_inside_break {
                        prop_assert_eq!(index.offset(position, encoding), offset);
                    }
                }
            }
        }

        #[test]
        fn any_position_is_some_place(text in texts(), line in 0u32..50, column in 0u32..50) {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let index = Text::new(text.clone());
                let offset = index.offset(Position::new(line, column), encoding);
                prop_assert!(text.is_char_boundary(offset));
                let back = index.position(offset, encoding);
                prop_assert!(back <= Position::new(line, column));
            }
        }

        #[test]
        fn edits_agree_with_edits_of_units(
            text in texts(), new in texts(), a in (0u32..8, 0u32..8), b in (0u32..8, 0u32..8),
        ) {
            let (start, end) = (a.min(b), a.max(b));
            let range = Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1));
            let mut index = Text::new(text.clone());
            let from = index.offset(range.start, Encoding::Utf16);
            let to = index.offset(range.end, Encoding::Utf16);
            let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
            let expected = [units(&text[..from]), units(&new), units(&text[to..])].concat();
            let change =
                TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: new };
            index.apply(change, Encoding::Utf16);
            prop_assert_eq!(units(index.whole()), expected);
            prop_assert_eq!(&index.lines, &line_starts(&index.text));
        }
    }

    #[test]
    fn places_that_do_not_exist_are_moved_back() {
        let text = Text::new("a👩b\r\nc".to_owned());
        let offset = |line, column| text.offset(Position::new(line, column), Encoding::Utf16);
        assert_eq!(offset(0, 2), 1, "inside a pair of surrogates");
        assert_eq!(offset(0, 99), 6, "behind the end of a line");
        assert_eq!(offset(9, 0), 9, "behind the last line");
        assert_eq!(text.position(3, Encoding::Utf16), Position::new(0, 1), "inside a character");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_source() {
        let text = Text::new("\u{FEFF}ab".to_owned());
        assert_eq!(text.source(), "ab");
        let range = text.range(0, 1, Encoding::Utf16);
        assert_eq!(range, Range::new(Position::new(0, 1), Position::new(0, 2)));
        assert_eq!(text.source_offset(Position::new(0, 2), Encoding::Utf16), 1);
        assert_eq!(text.source_offset(Position::new(0, 0), Encoding::Utf16), 0);
    }
}
