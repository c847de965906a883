//! The values of a record's fields, as readers of any format ask for them.

use std::borrow::Cow;

use crate::json::{self, Error, Json, Raw, Scanner, Values};

/// How deep JSON text inside a string may be nested to be taken for a value of an event.
const INNER_DEPTH: u32 = 100;

/// A string that is not blank.
pub(crate) fn text(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    raw.and_then(json::text).filter(|text| !text.trim().is_empty())
}

/// A whole number that is not negative.
pub(crate) fn number(raw: Raw<'_>) -> Option<u64> {
    raw.and_then(|raw| raw.get().parse().ok())
}

/// Whether a field is there and no `null`.
pub(crate) fn present(raw: Raw<'_>) -> Raw<'_> {
    raw.filter(|raw| raw.get() != "null")
}

/// A timestamp: RFC 3339 text, with UTC where no zone is named, or seconds since the epoch.
pub(crate) fn timestamp(raw: Raw<'_>) -> Option<i64> {
    let raw = raw?;
    let Some(text) = json::text(raw) else {
        return seconds(raw.get());
    };
    crate::time::milliseconds(&text).or_else(|| crate::time::milliseconds(&format!("{text}Z")))
}

/// Seconds, or milliseconds where the number is too large for a time in seconds.
fn seconds(number: &str) -> Option<i64> {
    /// The year 5138 in seconds, and 1973 in milliseconds.
    const SECONDS: f64 = 1e11;
    let number: f64 = number.parse().ok()?;
    let milliseconds = if number.abs() < SECONDS { number * 1000.0 } else { number };
    #[expect(clippy::cast_possible_truncation, reason = "casts saturate, and no time is so far")]
    let whole = milliseconds.round() as i64;
    Some(whole)
}

/// The input of a call as JSON text: an object as it is, or one that is written in a string. A string
/// that holds none stays one.
pub(crate) fn input<'a>(raw: Raw<'a>) -> Cow<'a, str> {
    let Some(raw) = present(raw) else { return Cow::Borrowed("{}") };
    let Some(text) = json::text(raw) else { return Cow::Borrowed(raw.get()) };
    if text.trim().is_empty() {
        return Cow::Borrowed("{}");
    }
    match embedded(&text) {
        Some(json) if json.starts_with(['{', '[']) => Cow::Owned(json.to_owned()),
        _ => Cow::Borrowed(raw.get()),
    }
}

/// The elements of a list, of whatever kind; what is no list has none.
pub(crate) fn elements<'a>(raw: Raw<'a>) -> Values<'a> {
    json::values(raw.map_or("", Json::get))
}

/// The fields of what may be an object; anything else has none.
pub(crate) fn fields<'a, S: json::Slots<'a> + Default>(raw: Raw<'a>) -> S {
    let mut fields = S::default();
    if let Some(raw) = raw {
        // What is no object has no fields, which is what the default says.
        let _ = json::object(raw.get(), &mut fields);
    }
    fields
}

/// Whether `text` is one JSON value.
pub(crate) fn one(text: &str) -> Result<(), Error> {
    let mut scanner = Scanner::new(text);
    scanner.value()?;
    scanner.end()
}

/// The JSON text that a string holds, where it is nested little enough to stand inside an event.
pub(crate) fn embedded(text: &str) -> Option<&str> {
    let text = text.trim();
    one(text).ok()?;
    (depth(text) <= INNER_DEPTH).then_some(text)
}

/// How deep a valid JSON text is nested.
fn depth(text: &str) -> u32 {
    let (mut depth, mut most, mut in_string, mut escaped) = (0_u32, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                most = most.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_strings_is_bounded() {
        assert_eq!(embedded(r#" {"a": "]"} "#), Some(r#"{"a": "]"}"#));
        assert_eq!(embedded("{"), None);
        assert_eq!(embedded(&format!("{}{}", "[".repeat(101), "]".repeat(101))), None);
    }
}
