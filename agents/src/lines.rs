//! Lines of a file that may be anything: bounded in length, checked for UTF-8, and marked when the
//! last one has no end. Never holds more than one line, and of a line over the limit nothing at all.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is read, in bytes.
pub(crate) const LIMIT: usize = 128 << 20;

/// What came next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'b> {
    /// A line of text.
    Text {
        /// The line, without its line feed.
        text: &'b str,
        /// Whether a line feed followed; the last line may have none.
        ended: bool,
    },
    /// A line over the limit was passed over.
    TooLong,
    /// A line was not UTF-8: `at` is the first byte, from 0, that is not.
    NotUtf8 {
        /// The offset in the line.
        at: usize,
    },
    /// There is nothing more.
    End,
}

/// What came next, before anybody has looked into it.
enum Next {
    Line { ended: bool },
    TooLong,
    Nothing,
}

/// Reads lines one at a time into the caller's buffer.
pub(crate) struct Lines<'r> {
    input: &'r mut dyn BufRead,
    limit: usize,
    number: u32,
    bytes: u64,
}

impl<'r> Lines<'r> {
    /// Lines of `input` of at most `limit` bytes.
    pub(crate) fn new(input: &'r mut dyn BufRead, limit: usize) -> Self {
        Self { input, limit, number: 0, bytes: 0 }
    }

    /// The number, from 1, of the line that was read last.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// How many bytes were read so far, line feeds included.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads the next line. The buffer is what its text is kept in.
    pub(crate) fn next<'b>(&mut self, buffer: &'b mut Vec<u8>) -> io::Result<Line<'b>> {
        buffer.clear();
        let ended = match self.fill(buffer)? {
            Next::Nothing => return Ok(Line::End),
            Next::TooLong => return Ok(Line::TooLong),
            Next::Line { ended } => ended,
        };
        if let Ok(text) = simdutf8::basic::from_utf8(buffer) {
            return Ok(Line::Text { text, ended });
        }
        // Where the fault is costs more to find out, and is asked for once a line at most.
        Ok(match std::str::from_utf8(buffer) {
            Ok(text) => Line::Text { text, ended },
            Err(error) => Line::NotUtf8 { at: error.valid_up_to() },
        })
    }

    fn fill(&mut self, line: &mut Vec<u8>) -> io::Result<Next> {
        let mut any = false;
        let mut too_long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if !any {
                if chunk.is_empty() {
                    return Ok(Next::Nothing);
                }
                any = true;
                self.number = self.number.saturating_add(1);
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            if line.len() + part.len() > self.limit {
                too_long = true;
                *line = Vec::new();
            }
            if !too_long {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            self.bytes += used as u64;
            if end.is_some() || used == 0 {
                let ended = end.is_some();
                return Ok(if too_long { Next::TooLong } else { Next::Line { ended } });
            }
        }
    }
}

/// A line without what may surround the JSON of it: blanks, a carriage return, a byte order mark, and
/// the zero bytes that an interrupted write leaves behind.
pub(crate) fn trim(line: &str) -> &str {
    // Most often there is nothing.
    match line.as_bytes() {
        [b'{', .., b'}'] => line,
        _ => line.trim_matches(is_around),
    }
}

/// Whether a character may stand around the JSON of a line.
fn is_around(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\0' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(input: &[u8], limit: usize) -> Vec<(u32, Line<'static>, String)> {
        // A tiny chunk makes every line cross several.
        let mut reader = BufReader::with_capacity(3, input);
        let mut lines = Lines::new(&mut reader, limit);
        let mut buffer = Vec::new();
        let mut found = Vec::new();
        loop {
            let (line, text) = match lines.next(&mut buffer).expect("bytes in memory can be read") {
                Line::End => break,
                Line::Text { text, ended } => (Line::Text { text: "", ended }, text.to_owned()),
                Line::TooLong => (Line::TooLong, String::new()),
                Line::NotUtf8 { at } => (Line::NotUtf8 { at }, String::new()),
            };
            found.push((lines.number(), line, text));
        }
        assert_eq!(lines.bytes(), input.len() as u64);
        found
    }

    /// The text of a line stands beside it.
    const ENDED: Line<'_> = Line::Text { text: "", ended: true };

    #[test]
    fn lines_are_numbered_and_the_last_may_lack_its_end() {
        assert_eq!(
            all(b"one\n\ntwo\r\nthree", 100),
            [
                (1, ENDED, "one".to_owned()),
                (2, ENDED, String::new()),
                (3, ENDED, "two\r".to_owned()),
                (4, Line::Text { text: "", ended: false }, "three".to_owned()),
            ]
        );
        assert_eq!(all(b"", 100), []);
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over() {
        assert_eq!(
            all(b"1234\n12345\n123456789\nx\n", 4),
            [
                (1, ENDED, "1234".to_owned()),
                (2, Line::TooLong, String::new()),
                (3, Line::TooLong, String::new()),
                (4, ENDED, "x".to_owned()),
            ]
        );
    }

    #[test]
    fn bytes_that_are_not_utf8_cost_one_line() {
        assert_eq!(
            all(b"ab\xff\nok\n", 100),
            [(1, Line::NotUtf8 { at: 2 }, String::new()), (2, ENDED, "ok".to_owned())]
        );
    }

    #[test]
    fn what_surrounds_json_is_trimmed() {
        assert_eq!(trim("\u{feff}\0\0 {\"a\": \"\0\"}\0\r"), "{\"a\": \"\0\"}");
        assert_eq!(trim("\0\0\0"), "");
    }
}
