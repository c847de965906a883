//! Command lines in texts of other languages, behind signs that a program knows, such as `\!` or
//! `system("`. What stands there is found and not read.

use super::programs::Program;

/// Where command lines stand in a text.
pub(super) fn places(program: Program<'_>, text: &str) -> Vec<(u32, u32)> {
    let mut places = Vec::new();
    for escape in program.escapes() {
        if let Some(escape) = escape.strip_prefix('^').filter(|escape| !escape.is_empty()) {
            let rest = text.strip_prefix(escape).map_or(0, str::len);
            let start = text.len() - rest;
            let end = text.get(start..).and_then(|rest| rest.find('\n')).unwrap_or(rest);
            places.extend((rest > 0).then_some((start as u32, (start + end) as u32)));
            continue;
        }
        let quote = closing_quote(escape);
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|text| find(text, escape)) {
            let start = from + at + escape.len();
            let rest = text.get(start..).unwrap_or_default();
            let end = match quote {
                Some(quote) => unescaped(rest, quote),
                None => rest.find('\n'),
            };
            let end = start + end.unwrap_or(rest.len());
            // Within a word it would be a part of it.
            let before = text.get(..from + at).and_then(|text| text.chars().next_back());
            if before.is_none_or(|before| !before.is_alphanumeric()) {
                places.push((start as u32, end as u32));
            }
            from = end;
        }
    }
    places
}

/// The quote with which what stands behind an escape ends, where it begins with one.
pub(super) fn closing_quote(escape: &str) -> Option<u8> {
    escape.bytes().next_back().filter(|last| matches!(last, b'"' | b'\'' | b'`'))
}

/// Where a sign stands that has no backslash before it.
fn unescaped(text: &str, wanted: u8) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_it = byte == wanted && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_it
    })
}

/// Where a short text stands in another: words are too short for a search that prepares itself.
fn find(text: &str, wanted: &str) -> Option<usize> {
    let wanted = wanted.as_bytes();
    let mut parts = text.as_bytes().windows(wanted.len().max(1));
    // The first letter is quick, and most often another one.
    parts.position(|part| part.first() == wanted.first() && part == wanted)
}
