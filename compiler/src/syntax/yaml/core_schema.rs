//! What a YAML scalar without quotes is under the core schema: nothing, a boolean, a number or text.

use crate::syntax::Kind;

/// The value that is meant by a scalar without quotes; nothing where it is text.
pub fn resolve(text: &str) -> Option<Kind> {
    let &first = text.as_bytes().first()?;
    match first {
        b'~' if text.len() == 1 => Some(Kind::Null),
        b'n' | b'N' => matches!(text, "null" | "Null" | "NULL").then_some(Kind::Null),
        b't' | b'T' => matches!(text, "true" | "True" | "TRUE").then_some(Kind::Bool(true)),
        b'f' | b'F' => matches!(text, "false" | "False" | "FALSE").then_some(Kind::Bool(false)),
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        _ => None,
    }
}

fn number(text: &str) -> Option<Kind> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        let negative = text.starts_with('-');
        return Some(Kind::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Kind::Float(f64::NAN));
    }
    if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        // Numbers beyond 64 bits become the nearest float rather than an error.
        return text.parse().map(Kind::Int).or_else(|_| text.parse().map(Kind::Float)).ok();
    }
    // What is left of Rust's float syntax once words are out is that of the core schema.
    let float =
        unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let digit_first =
        unsigned.bytes().find(|byte| *byte != b'.').is_some_and(|b| b.is_ascii_digit());
    (float && digit_first).then(|| text.parse().ok().map(Kind::Float)).flatten()
}

fn radix(digits: &str, radix: u32) -> Option<Kind> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(Kind::whole(digits, radix))
}
