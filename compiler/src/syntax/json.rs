//! JSON (RFC 8259) to the spanned tree, going on after errors where it is clear how.
//!
//! Recursive, but never deeper than [`MAX_DEPTH`]; what nests deeper is skipped without recursion.

use super::{Entry, Key, Kind, MAX_DEPTH, Node, Parsed, Style, Text, duplicates, span};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{SYNTAX, TOO_LARGE};
use crate::source::{FileId, Span};
use crate::syntax::parsed::MAX_ERRORS;

/// Reads one JSON text.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut reader = Reader { file, text, at: 0, unclosed: false, diagnostics: Vec::new() };
    reader.blanks();
    let root = if reader.peek().is_none() {
        reader.error(0, text.len(), "the file is empty", "write a value, such as `{}`");
        Node { span: span(file, 0, 0), kind: Kind::Broken }
    } else {
        reader.value(0)
    };
    reader.blanks();
    // After an unclosed bracket the rest belongs inside, so it is no surprise.
    if let Some(met) = reader.met().filter(|_| !reader.unclosed) {
        let message = format!("expected the end of the file, found `{met}`");
        reader.error(reader.at, reader.at + met.len_utf8(), message, "a file holds one value only");
    }
    Parsed { root, diagnostics: reader.diagnostics, comments: Vec::new(), is_regular: false }
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    /// Whether a bracket was not closed.
    unclosed: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The character at the place.
    fn met(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        span(self.file, start, end)
    }

    fn error(
        &mut self,
        start: usize,
        end: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.diagnostics.len() < MAX_ERRORS {
            let place = self.span(start, end);
            self.diagnostics.push(Diagnostic::new(&SYNTAX, place, message).help(help));
        }
    }

    /// Skips blanks, and comments with a complaint.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            let rest = self.rest();
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            let start = self.at;
            self.at += length;
            self.error(start, self.at, "JSON has no comments", "delete it, or use YAML or TOML");
        }
    }

    fn value(&mut self, depth: usize) -> Node {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => self.too_deep(),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"' | b'\'') => Kind::String(Text::written(self.string(), Style::Double)),
            Some(b'-' | b'+' | b'.' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        };
        Node { span: self.span(start, self.at), kind }
    }

    fn too_deep(&mut self) -> Kind {
        let place = self.span(self.at, self.at + 1);
        let message = format!("collections nest more than {MAX_DEPTH} levels deep here");
        let problem = Diagnostic::new(&TOO_LARGE, place, message);
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(problem.help("nest them less deeply"));
        }
        self.skip();
        Kind::Broken
    }

    /// Skips to the comma or bracket that ends the value at the place, brackets within balanced.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => return,
                b'}' | b']' => depth -= 1,
                b'"' => {
                    self.skip_string();
                    continue;
                }
                _ => {}
            }
            self.at += self.met().map_or(1, char::len_utf8);
        }
    }

    fn skip_string(&mut self) {
        let mut escaped = true;
        for (at, c) in self.rest().char_indices() {
            match c {
                '\n' => {
                    self.at += at;
                    return;
                }
                '"' if !escaped => {
                    self.at += at + 1;
                    return;
                }
                '\\' => escaped = !escaped,
                _ => escaped = false,
            }
        }
        self.at = self.text.len();
    }

    fn array(&mut self, depth: usize) -> Kind {
        let open = self.at;
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        while self.more(b']', open) {
            let item = self.value(depth + 1);
            items.push(item);
            self.separator(b']');
        }
        Kind::Seq(items)
    }

    fn object(&mut self, depth: usize) -> Kind {
        let open = self.at;
        self.at += 1;
        let mut entries = Vec::new();
        self.blanks();
        while self.more(b'}', open) {
            if let Some(key) = self.key() {
                let value = self.member(&key, depth);
                entries.push(Entry { key, value });
            }
            self.separator(b'}');
        }
        duplicates::remove(&mut entries, &mut self.diagnostics);
        Kind::Map(entries)
    }

    /// Whether another element follows; consumes the closing bracket.
    fn more(&mut self, close: u8, open: usize) -> bool {
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                false
            }
            Some(b']' | b'}') | None => {
                self.unclosed(close, open);
                false
            }
            Some(_) => true,
        }
    }

    fn unclosed(&mut self, close: u8, open: usize) {
        let opening = if close == b']' { '[' } else { '{' };
        let message = format!("the `{opening}` that opens here is not closed");
        let help = format!("close it with `{}`", char::from(close));
        self.error(open, open + 1, message, help);
        // A bracket of the other kind is left to the outer collection, which may wait for it.
        self.unclosed = true;
    }

    /// Between two elements: a comma, or else a complaint.
    fn separator(&mut self, close: u8) {
        self.blanks();
        let comma = self.at;
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.blanks();
                while self.peek() == Some(b',') {
                    self.error(self.at, self.at + 1, "there is a comma too many", "delete it");
                    self.at += 1;
                    self.blanks();
                }
                if self.peek() == Some(close) {
                    let message = "JSON allows no comma before a closing bracket";
                    self.error(comma, comma + 1, message, "delete the comma");
                }
            }
            Some(b']' | b'}') | None => {}
            Some(_) => {
                let message = format!("expected `,` or `{}`", char::from(close));
                self.error(comma, comma, message, "put a comma between the elements");
                if self.peek() == Some(b':') {
                    self.skip();
                }
            }
        }
    }

    fn key(&mut self) -> Option<Key> {
        let start = self.at;
        let text = match self.peek() {
            Some(b'"' | b'\'') => self.string(),
            _ => {
                let end = self.word_end();
                let word = self.text.get(start..end).unwrap_or_default();
                if word.is_empty() {
                    let met = self.met().unwrap_or(' ');
                    let message = format!("expected a key, found `{met}`");
                    self.error(
                        start,
                        start + met.len_utf8(),
                        message,
                        "keys are strings in double quotes",
                    );
                    // Always moves on, so that the loop above ends.
                    self.at += met.len_utf8();
                    self.skip();
                    return None;
                }
                let message = format!("the key `{word}` must stand in double quotes");
                self.error(start, end, message, format!("write `\"{word}\"`"));
                self.at = end;
                word.into()
            }
        };
        Some(Key { text, span: self.span(start, self.at) })
    }

    fn member(&mut self, key: &Key, depth: usize) -> Node {
        self.blanks();
        let colon = self.at;
        if self.peek() == Some(b':') {
            self.at += 1;
            self.blanks();
            return match self.peek() {
                Some(b',' | b'}' | b']') | None => {
                    let message = format!("the key `{}` has no value", key.text);
                    self.error(colon, colon + 1, message, "write a value behind the colon");
                    Node { span: self.span(colon + 1, colon + 1), kind: Kind::Broken }
                }
                Some(_) => self.value(depth + 1),
            };
        }
        let message = format!("expected `:` behind the key `{}`", key.text);
        self.error(colon, colon, message, "write a colon between key and value");
        self.skip();
        Node { span: self.span(colon, self.at), kind: Kind::Broken }
    }

    fn word_end(&self) -> usize {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | '$');
        let rest = self.rest();
        self.at + rest.find(|c| !word(c)).unwrap_or(rest.len())
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        let end = self.word_end();
        let word = self.text.get(start..end).unwrap_or_default();
        self.at = end;
        match word {
            "null" => return Kind::Null,
            "true" => return Kind::Bool(true),
            "false" => return Kind::Bool(false),
            "" => {
                let met = self.met().unwrap_or(' ');
                let end = start + met.len_utf8().min(self.rest().len());
                self.error(start, end, format!("expected a value, found `{met}`"), "write a value");
                self.at = end;
                // What stands on the rest of this element is part of the same slip.
                if met != ',' {
                    self.skip();
                }
            }
            _ => {
                let message = format!("`{word}` is no JSON value");
                self.error(start, end, message, self.word_help(word));
            }
        }
        Kind::Broken
    }

    fn word_help(&self, word: &str) -> String {
        match word {
            "True" | "TRUE" | "False" | "FALSE" | "Null" | "NULL" => {
                format!("write `{}`", word.to_lowercase())
            }
            "None" | "undefined" | "nil" => "write `null`".to_owned(),
            "NaN" | "Infinity" => "JSON has no such number".to_owned(),
            _ => "put text in double quotes".to_owned(),
        }
    }

    fn number(&mut self) -> Kind {
        let start = self.at;
        self.at = self.word_end();
        let text = self.text.get(start..self.at).unwrap_or_default();
        if !is_number(text) {
            let message = format!("`{text}` is no JSON number");
            let help = "write digits with at most one point and exponent, no leading zero or plus";
            self.error(start, self.at, message, help);
            return Kind::Broken;
        }
        let whole = text.parse().ok().map(Kind::Int);
        // Whole numbers beyond 64 bits become the nearest float.
        whole.or_else(|| text.parse().ok().map(Kind::Float)).unwrap_or(Kind::Broken)
    }

    /// A string between double quotes; single ones are reported.
    fn string(&mut self) -> Box<str> {
        let start = self.at;
        let quote = self.met().unwrap_or('"');
        self.at += 1;
        if let Some(text) = self.simple_string(quote) {
            return text.into();
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let stop = |c: char| c == quote || c == '\\' || c < ' ';
            let plain = rest.find(stop).unwrap_or(rest.len());
            text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.met() {
                Some('\\') => self.escape(&mut text),
                Some(c) if c == quote => {
                    self.at += 1;
                    break;
                }
                None | Some('\n') => {
                    let end = self.text.get(start..self.at).unwrap_or_default().trim_end().len();
                    let help = "close it on the same line; write `\\n` for a line break";
                    let end = start + end;
                    self.error(start, end, "the quote that opens here is not closed", help);
                    return text.into();
                }
                Some(control) => {
                    let message =
                        format!("the control character U+{:04X} must be escaped", control as u32);
                    let help = format!("write `\\u{:04x}`", control as u32);
                    self.error(self.at, self.at + 1, message, help);
                    text.push(control);
                    self.at += 1;
                }
            }
        }
        self.check_quote(quote, start);
        text.into()
    }

    /// The string if it holds nothing special, which most do.
    fn simple_string(&mut self, quote: char) -> Option<&'t str> {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
        if quote != '"' || rest.as_bytes().get(end) != Some(&b'"') {
            return None;
        }
        self.at += end + 1;
        rest.get(..end)
    }

    fn check_quote(&mut self, quote: char, start: usize) {
        if quote == '\'' {
            let message = "JSON strings stand in double quotes";
            self.error(start, self.at, message, "write `\"` instead of `'`");
        }
    }

    /// An escape sequence, the backslash being next.
    fn escape(&mut self, text: &mut String) {
        let start = self.at;
        self.at += 1;
        let escaped = self.met();
        self.at += escaped.filter(|c| *c >= ' ').map_or(0, char::len_utf8);
        let character = match escaped {
            Some(c @ ('"' | '\\' | '/')) => Some(c),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{C}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('u') => self.unicode_escape(),
            _ => None,
        };
        match character {
            Some(character) => text.push(character),
            None => {
                let written = self.text.get(start..self.at).unwrap_or_default();
                let message = format!("`{written}` is no escape that JSON knows");
                self.error(start, self.at, message, "write `\\\\` for a backslash");
            }
        }
    }

    /// What `\u` stands for, with the low half of a surrogate pair.
    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.rest().starts_with("\\u") {
            return None;
        }
        self.at += 2;
        let second = self.four_digits().filter(|low| (0xDC00..0xE000).contains(low))?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

/// Whether this is a number by the grammar of RFC 8259.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests;
