//! A validating scanner of JSON text: finds where values end without building them.
//!
//! Reading recordings is all about passing over long strings, so this is the one place where a
//! library's generality cost too much (half as many instructions again). It accepts exactly what
//! serde_json does, up to a depth of [`DEPTH`], and never recurses.

use std::fmt;

/// How deep values may be nested: within what serde_json reads (127), also inside an event.
pub const DEPTH: u32 = 120;

/// The JSON text of one value, known to be valid and nested at most [`DEPTH`] deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'a> {
    text: &'a str,
    /// Whether it is a string with escapes in it.
    escaped: bool,
}

impl<'a> Json<'a> {
    /// The text.
    pub fn get(self) -> &'a str {
        self.text
    }

    /// What is between the quotes, if this is a string without escapes.
    #[inline]
    pub fn plain(self) -> Option<&'a str> {
        if self.escaped {
            return None;
        }
        // A string is at least its two quotes.
        let end = self.text.len().checked_sub(1)?;
        if self.text.as_bytes().first() == Some(&b'"') { self.text.get(1..end) } else { None }
    }
}

/// Why a text is not JSON. Small, so that results travel in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ends before the value does.
    Ends,
    /// It is JSON, but not the object or list that was wanted.
    Kind,
    /// Text follows behind the value.
    More,
    /// A comma or a closing bracket is missing.
    Separator,
    /// A key is missing.
    Key,
    /// A colon is missing.
    Colon,
    /// A control character stands in a string.
    Control,
    /// There is no such escape.
    Escape,
    /// A `\u` is not followed by four hexadecimal digits.
    Hexadecimal,
    /// A value is missing.
    Value,
    /// A digit is missing.
    Digit,
    /// A number begins with a zero that does not belong there.
    LeadingZero,
    /// Values are nested deeper than [`DEPTH`].
    Deep,
}

/// Where and why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The offset in bytes. Lines are far below 4 GiB.
    pub at: u32,
    /// What is wrong there.
    pub fault: Fault,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Fault::Ends => "the text ends before the value does",
            Fault::Kind => "expected `{`",
            Fault::More => "more text after the value",
            Fault::Separator => "expected `,` or a closing bracket",
            Fault::Key => "expected a key in double quotes",
            Fault::Colon => "expected `:`",
            Fault::Control => "a control character inside a string",
            Fault::Escape => "an escape that JSON does not have",
            Fault::Hexadecimal => "expected four hexadecimal digits after `\\u`",
            Fault::Value => "expected a value",
            Fault::Digit => "expected a digit",
            Fault::LeadingZero => "a number that begins with 0",
            Fault::Deep => "values are nested deeper than 120 levels",
        })
    }
}

/// A key, as it stands between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    /// The text between the quotes.
    pub text: &'a str,
    /// Whether there are escapes in it.
    pub escaped: bool,
}

/// A place in a text.
#[derive(Clone)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    #[cold]
    fn fail<T>(&self, fault: Fault) -> Result<T, Error> {
        Err(Error { at: u32::try_from(self.at).unwrap_or(u32::MAX), fault })
    }

    /// What is wrong here; at the end of the text that is always that it ends.
    #[cold]
    fn wrong<T>(&self, fault: Fault) -> Result<T, Error> {
        self.fail(if self.peek().is_none() { Fault::Ends } else { fault })
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over blanks; the byte behind them. Most often there are none.
    #[inline(always)]
    fn ahead(&mut self) -> Option<u8> {
        match self.peek() {
            Some(0..=b' ') => self.behind_blanks(),
            byte => byte,
        }
    }

    #[inline(never)]
    fn behind_blanks(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    /// Passes over `byte` if it is next.
    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Checks that nothing but blanks is left.
    pub fn end(&mut self) -> Result<(), Error> {
        if self.ahead().is_none() { Ok(()) } else { self.fail(Fault::More) }
    }

    /// Enters a container that `open` opens; `false` if it is empty and already left.
    #[inline]
    pub fn enter(&mut self, open: u8) -> Result<bool, Error> {
        if self.ahead() != Some(open) {
            return self.wrong(Fault::Kind);
        }
        self.at += 1;
        self.ahead();
        Ok(!self.take(close_of(open)))
    }

    /// After an entry of the container that `open` opens: whether another follows.
    #[inline]
    pub fn more(&mut self, open: u8) -> Result<bool, Error> {
        let another = match self.ahead() {
            Some(b',') => true,
            Some(byte) if byte == close_of(open) => false,
            _ => return self.wrong(Fault::Separator),
        };
        self.at += 1;
        Ok(another)
    }

    /// A key and the colon after it.
    #[inline(always)]
    pub fn key(&mut self) -> Result<Key<'a>, Error> {
        if self.ahead() != Some(b'"') {
            return self.wrong(Fault::Key);
        }
        let start = self.at + 1;
        let escaped = self.string()?;
        let text = self.text.get(start..self.at - 1).unwrap_or_default();
        if self.ahead() != Some(b':') {
            return self.wrong(Fault::Colon);
        }
        self.at += 1;
        Ok(Key { text, escaped })
    }

    /// Any value.
    #[inline]
    pub fn value(&mut self) -> Result<Json<'a>, Error> {
        self.ahead();
        let start = self.at;
        let escaped = self.pass()?;
        Ok(self.since(start, escaped))
    }

    /// Passes over any value; whether it is a string with escapes in it.
    pub fn pass(&mut self) -> Result<bool, Error> {
        match self.ahead() {
            Some(b'"') => return self.string(),
            Some(b'{' | b'[') => self.container()?,
            _ => self.scalar()?,
        }
        Ok(false)
    }

    /// What comes next, without passing over it.
    pub fn next_is(&mut self, byte: u8) -> bool {
        self.ahead() == Some(byte)
    }

    /// Where the scanner is.
    pub fn mark(&self) -> usize {
        self.at
    }

    /// The value from `start`, a mark before it, to here.
    #[inline]
    pub fn since(&self, start: usize, escaped: bool) -> Json<'a> {
        Json { text: self.text.get(start..self.at).unwrap_or_default(), escaped }
    }

    /// An object or a list with everything in it.
    fn container(&mut self) -> Result<(), Error> {
        // One bit for each open container: 1 for an object.
        let (mut objects, mut depth) = (0_u128, 0);
        loop {
            match self.ahead() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(open @ (b'{' | b'[')) => {
                    if depth == DEPTH {
                        return self.fail(Fault::Deep);
                    }
                    if self.enter(open)? {
                        depth += 1;
                        objects = objects << 1 | u128::from(open == b'{');
                        if open == b'{' {
                            self.key()?;
                        }
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            // A value has ended, and with it perhaps what it is in.
            loop {
                if depth == 0 {
                    return Ok(());
                }
                if self.more(if objects & 1 == 1 { b'{' } else { b'[' })? {
                    break;
                }
                depth -= 1;
                objects >>= 1;
            }
            if objects & 1 == 1 {
                self.key()?;
            }
        }
    }

    /// A string, whose opening quote is next; whether it has escapes.
    #[inline(always)]
    fn string(&mut self) -> Result<bool, Error> {
        let bytes = self.text.as_bytes();
        self.at = plain_until(bytes, self.at + 1);
        if bytes.get(self.at) == Some(&b'"') {
            self.at += 1;
            return Ok(false);
        }
        self.escaped_string(bytes)?;
        Ok(true)
    }

    /// The rest of a string from its first escape on.
    #[inline(never)]
    fn escaped_string(&mut self, bytes: &[u8]) -> Result<(), Error> {
        loop {
            // Escapes often come in rows, as in a line feed and its indentation.
            while bytes.get(self.at) == Some(&b'\\') {
                match bytes.get(self.at + 1) {
                    Some(b'n' | b't' | b'"' | b'\\') => self.at += 2,
                    _ => self.escape(bytes)?,
                }
            }
            self.at = plain_until(bytes, self.at);
            match bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {}
                _ => return self.wrong(Fault::Control),
            }
        }
    }

    #[inline(never)]
    fn escape(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.at += 1;
        match bytes.get(self.at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !bytes.get(self.at).is_some_and(u8::is_ascii_hexdigit) {
                        return self.wrong(Fault::Hexadecimal);
                    }
                    self.at += 1;
                }
            }
            _ => return self.wrong(Fault::Escape),
        }
        Ok(())
    }

    /// A number, `true`, `false` or `null`.
    fn scalar(&mut self) -> Result<(), Error> {
        match self.peek() {
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => self.number(),
        }
    }

    #[inline]
    fn word(&mut self, word: &str) -> Result<(), Error> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        if word.as_bytes().starts_with(rest) {
            self.at = self.text.len();
        }
        self.wrong(Fault::Value)
    }

    fn number(&mut self) -> Result<(), Error> {
        let negative = self.take(b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.wrong(if negative { Fault::Digit } else { Fault::Value }),
        }
        if self.take(b'.') {
            self.some_digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.some_digits()?;
        }
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.wrong(Fault::LeadingZero);
        }
        Ok(())
    }

    fn digits(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    }

    fn some_digits(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.digits();
        if self.at > start { Ok(()) } else { self.wrong(Fault::Digit) }
    }
}

/// `{` and `}`, and `[` and `]`, are two apart.
fn close_of(open: u8) -> u8 {
    open + 2
}

/// The offset of the first quote, backslash or control character from `at` on, or the end.
#[inline(always)]
fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    /// A string that goes on for so long is likely to go on.
    const SHORT: usize = 64;
    let mut rest = bytes.get(at..).unwrap_or_default();
    let long = at + SHORT;
    // Eight bytes at once.
    while let Some((chunk, tail)) = rest.split_first_chunk::<8>() {
        let hits = special_bytes(*chunk);
        if hits != 0 {
            return at + hits.trailing_zeros() as usize / 8;
        }
        at += 8;
        if at == long {
            return long_plain_until(bytes, at);
        }
        rest = tail;
    }
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// The same in a long string.
#[inline(never)]
fn long_plain_until(bytes: &[u8], mut at: usize) -> usize {
    let mut rest = bytes.get(at..).unwrap_or_default();
    while let Some((chunk, tail)) = rest.split_first_chunk() {
        if has_special(chunk) {
            break;
        }
        at += chunk.len();
        rest = tail;
    }
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Whether some byte is special; all are looked at, without a branch, so that it is done with vectors.
#[inline(always)]
fn has_special(chunk: &[u8; 32]) -> bool {
    let mut found = [0; 32];
    for (found, byte) in found.iter_mut().zip(chunk) {
        *found = u8::from(*byte == b'"') | u8::from(*byte == b'\\') | u8::from(*byte < 0x20);
    }
    found.iter().fold(0, |all, found| all | found) != 0
}

fn is_special(byte: &u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// The high bits of bytes that are special; only the lowest is exact.
#[inline(always)]
fn special_bytes(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(bytes);
    // Of bytes below 0x80, subtracting sets the high bit where a byte is less than what is subtracted;
    // it borrows from the byte above. The quote, 0x22, changes places with 0x20 and comes next to the
    // control characters.
    let controls = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
    (controls | backslash) & !word & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::RawValue;

    fn whole(text: &str) -> Result<Json<'_>, Error> {
        let mut scanner = Scanner::new(text);
        let value = scanner.value()?;
        scanner.end()?;
        Ok(value)
    }

    /// Compares with serde_json: the same is valid.
    #[track_caller]
    fn agree(text: &str) {
        let ours = whole(text);
        let theirs = serde_json::from_str::<&RawValue>(text);
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours.get(), theirs.get()),
            (Err(_), Err(_)) => {}
            _ => panic!("{text:?}: {ours:?} but {theirs:?}"),
        }
    }

    const SAMPLES: &[&str] = &[
        r#"{"a": [1, -0, 0.5, 1e9, 2E-3, -1.25e+10], "b": {"c": null, "d": [[], {}, [{}]]}}"#,
        r#" [ true , false , null , "x\"y\\z\u00e9\/\b\f\n\r\t" ] "#,
        r#"{"long":"0123456789 abcdefghijklmnopqrstuvwxyz éàü → 🦀 \\\" end","":{"":""}}"#,
        "\"tab\u{7f} and\tcontrol\"",
        "01",
        "-",
        "1.",
        "1e",
        ".5",
        "+1",
        "--1",
        "nul",
        "nulls",
        "tru",
        "falsey",
        "{",
        "[1,]",
        "{,}",
        r#"{"a" 1}"#,
        r#"{"a":1 "b":2}"#,
        r#"{a:1}"#,
        "[1 2]",
        "]",
        "[}",
        "{]",
        r#""\x""#,
        r#""\u12g4""#,
        r#""\u12"#,
        r#""\ud800""#,
        "",
        " ",
        "1 1",
        "[[[[",
        "\u{feff}1",
        "'a'",
        "[\"a\u{0}b\"]",
    ];

    #[test]
    fn the_same_is_json_as_for_serde_json() {
        for text in SAMPLES {
            agree(text);
        }
    }

    #[test]
    fn also_for_every_prefix_and_every_small_change() {
        for text in SAMPLES {
            for (at, _) in text.char_indices() {
                agree(&text[..at]);
                for change in [
                    "", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "e", "-", " ", "\n", "u",
                    "é",
                ] {
                    let rest = text[at..].chars().as_str();
                    agree(&format!("{}{change}{rest}", &text[..at]));
                    let after = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
                    agree(&format!("{}{change}{after}", &text[..at]));
                }
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_told_from_what_is_wrong() {
        let valid =
            SAMPLES.iter().filter(|text| whole(text).is_ok_and(|json| json.get().len() > 2));
        for text in valid {
            let inner = text.trim();
            for (at, _) in inner.char_indices() {
                let error = whole(&inner[..at]).map_err(|error| error.fault);
                assert_eq!(error, Err(Fault::Ends), "{:?}", &inner[..at]);
            }
        }
        for wrong in ["[1,]", "{,", "x", "\"\n", "[1 2", "nule", "-x", "1e+x", "[]]"] {
            assert_ne!(whole(wrong).map_err(|error| error.fault), Err(Fault::Ends), "{wrong}");
        }
    }

    #[test]
    fn every_special_byte_is_found_at_every_place() {
        for length in (0..40).chain(60..110) {
            for at in 0..length {
                for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
                    for filler in [b' ', b'!', b'#', b'[', b']', b'a', 0x7f, 0xc3, 0xff] {
                        let mut bytes = vec![filler; length];
                        bytes[at] = special;
                        assert_eq!(plain_until(&bytes, 0), at);
                        assert_eq!(plain_until(&bytes, at + 1), length);
                    }
                }
            }
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(whole(&nested(120)).is_ok());
        assert_eq!(whole(&nested(121)).map_err(|error| error.at), Err(120));
        assert!(whole(&"[".repeat(1 << 20)).is_err());
        assert!(whole(&"{\"a\":".repeat(1 << 20)).is_err());
        assert!(whole(&format!("[{}[]]", "[[]],".repeat(4000))).is_ok());
    }
}
