//! What words and strings of TOML stand for. Knows no statements.

use std::ops::Range;

use crate::syntax::Kind;
use crate::syntax::scalar::{Style, behind_break, byte, is_blank, is_break};

/// The value of a word without quotes; `None` where it has none.
pub fn resolve(word: &str) -> Option<Kind> {
    match word {
        "true" => Some(Kind::Bool(true)),
        "false" => Some(Kind::Bool(false)),
        _ if is_date_or_time(word) => Some(Kind::String(word.into())),
        _ => number(word),
    }
}

fn number(word: &str) -> Option<Kind> {
    if let Some((prefix, digits)) = word.split_at_checked(2) {
        match prefix {
            "0x" => return radix(digits, 16),
            "0o" => return radix(digits, 8),
            "0b" => return radix(digits, 2),
            _ => {}
        }
    }
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if matches!(unsigned, "inf" | "nan") {
        return word.parse().ok().map(Kind::Float);
    }
    let (whole, rest) = unsigned.split_at(unsigned.find(['.', 'e', 'E']).unwrap_or(unsigned.len()));
    let digits = without_separators(whole, 10)?;
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let sign = if word.starts_with('-') { "-" } else { "" };
    if rest.is_empty() {
        // Numbers beyond 64 bits become the nearest float rather than an error.
        let written = format!("{sign}{digits}");
        return written.parse().map(Kind::Int).or_else(|_| written.parse().map(Kind::Float)).ok();
    }
    let (fraction, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (rest.get(..at)?, rest.get(at + 1..)),
        None => (rest, None),
    };
    let mut written = format!("{sign}{digits}");
    if let Some(places) = fraction.strip_prefix('.') {
        written.push('.');
        written.push_str(&without_separators(places, 10)?);
    }
    if let Some(exponent) = exponent {
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        written.push_str(if exponent.starts_with('-') { "e-" } else { "e" });
        written.push_str(&without_separators(power, 10)?);
    }
    written.parse().ok().map(Kind::Float)
}

fn radix(digits: &str, radix: u32) -> Option<Kind> {
    Some(Kind::whole(&without_separators(digits, radix)?, radix))
}

/// Digits without the `_` between them; `None` where there are none, or a `_` stands elsewhere.
fn without_separators(digits: &str, radix: u32) -> Option<String> {
    let is_right = digits
        .split('_')
        .all(|part| !part.is_empty() && part.chars().all(|digit| digit.is_digit(radix)));
    is_right.then(|| digits.replace('_', ""))
}

/// Whether a word is a date, a time, or both.
fn is_date_or_time(word: &str) -> bool {
    let Some((date, rest)) = word.split_at_checked("1979-05-27".len()) else {
        return is_time(word);
    };
    if !is_date(date) {
        return is_time(word);
    }
    let Some(rest) = rest.strip_prefix(['T', 't', ' ']) else { return rest.is_empty() };
    let zone = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (time, zone) = rest.split_at(zone);
    let is_zone = match zone.strip_prefix(['+', '-']) {
        Some(offset) => {
            offset.split_once(':').is_some_and(|(h, m)| two(h, 0..=23) && two(m, 0..=59))
        }
        None => matches!(zone, "" | "Z" | "z"),
    };
    is_time(time) && is_zone
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let (Some(year), Some(month), Some(day), None) = (year, month, day, parts.next()) else {
        return false;
    };
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    is_year && two(month, 1..=12) && two(day, 1..=days(year, month))
}

/// How many days a month has.
fn days(year: &str, month: &str) -> u32 {
    let year: u32 = year.parse().unwrap_or_default();
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        "02" if is_leap => 29,
        "02" => 28,
        "04" | "06" | "09" | "11" => 30,
        _ => 31,
    }
}

/// Whether a text is a time of day. Seconds may be left out.
fn is_time(text: &str) -> bool {
    let mut parts = text.split(':');
    let (Some(hour), Some(minute), seconds, None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (whole, fraction) = match seconds.map(|it| it.split_once('.')) {
        Some(Some((whole, fraction))) => (Some(whole), Some(fraction)),
        _ => (seconds, None),
    };
    let is_fraction =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    two(hour, 0..=23)
        && two(minute, 0..=59)
        && whole.is_none_or(|it| two(it, 0..=60))
        && fraction.is_none_or(is_fraction)
}

fn two(text: &str, range: std::ops::RangeInclusive<u32>) -> bool {
    text.len() == 2
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse().is_ok_and(|number| range.contains(&number))
}

/// A string, as far as it could be read.
#[derive(Debug)]
pub struct Quoted {
    /// The offset behind it.
    pub end: usize,
    pub style: Style,
    pub has_escapes: bool,
    /// Whether it ends in its quotes.
    pub is_closed: bool,
    /// The first thing in it that no string may hold.
    pub problem: Option<Problem>,
}

/// What no string may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// An escape that nobody knows.
    Escape(Range<usize>),
    /// A control character as it is.
    Control(Range<usize>),
}

/// Reads the string whose first quote stands at `start`. One that is not closed goes to the end of its line, or of the
/// text where it may have several.
pub fn quoted(text: &str, start: usize) -> Quoted {
    let quote = byte(text, start);
    let has_lines = byte(text, start + 1) == quote && byte(text, start + 2) == quote;
    let has_backslashes = quote == b'"';
    let style = match (has_lines, has_backslashes) {
        (true, true) => Style::DoubleLines,
        (true, false) => Style::SingleLines,
        (false, true) => Style::Double,
        (false, false) => Style::Single,
    };
    let mut read =
        Quoted { end: text.len(), style, has_escapes: false, is_closed: false, problem: None };
    let mut at = start + if has_lines { 3 } else { 1 };
    while at < text.len() {
        let next = byte(text, at);
        let is_line_end = next == b'\n' || next == b'\r' && byte(text, at + 1) == b'\n';
        if next == quote {
            match closing(text, at, has_lines) {
                Some(behind) => {
                    (read.end, read.is_closed) = (behind, true);
                    return read;
                }
                None => at += 1,
            }
        } else if is_line_end && !has_lines {
            read.end = at;
            return read;
        } else if is_line_end {
            at = behind_break(text, at);
        } else if next == b'\\' && has_backslashes {
            read.has_escapes = true;
            let (behind, is_known) = escape(text, at, has_lines);
            if !is_known {
                read.problem.get_or_insert(Problem::Escape(at..behind));
            }
            at = behind;
        } else {
            if next < b' ' && next != b'\t' || next == 0x7F {
                read.problem.get_or_insert(Problem::Control(at..at + 1));
            }
            at += 1;
        }
    }
    read
}

/// The offset behind the quotes at `at`, if they close a string. Of five in a row, two belong to it.
fn closing(text: &str, at: usize, has_lines: bool) -> Option<usize> {
    if !has_lines {
        return Some(at + 1);
    }
    let quote = byte(text, at);
    let run = (0..5).take_while(|further| byte(text, at + further) == quote).count();
    (run >= 3).then_some(at + run)
}

/// The offset behind an escape, and whether it is one.
fn escape(text: &str, at: usize, has_lines: bool) -> (usize, bool) {
    let Some(escaped) = text.get(at + 1..).and_then(|rest| rest.chars().next()) else {
        return (text.len(), false);
    };
    let behind = at + 1 + escaped.len_utf8();
    let digits = match escaped {
        'b' | 't' | 'n' | 'f' | 'r' | 'e' | '"' | '\\' => return (behind, true),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        ' ' | '\t' | '\r' | '\n' if has_lines => {
            let mut end = at + 1;
            while is_blank(byte(text, end)) {
                end += 1;
            }
            return (behind, is_break(byte(text, end)));
        }
        // The line ends here, and with it the string.
        '\r' | '\n' => return (at + 1, false),
        _ => return (behind, false),
    };
    let code = text.get(behind..).unwrap_or_default();
    let found = code.bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let number = u32::from_str_radix(code.get(..found).unwrap_or_default(), 16).ok();
    (behind + found, found == digits && number.and_then(char::from_u32).is_some())
}
