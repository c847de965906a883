//! Command lines and names of files that are written in texts of other languages, behind signs that a program knows,
//! such as `\!`, `system("` or `.output `. What stands there is found and not read.

use super::programs::Program;

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub start: u32,
    pub end: u32,
    /// Whether it names a file that is written, and is no command line.
    pub is_file: bool,
}

/// Where command lines and names of files that are written stand in a text.
pub(super) fn places(program: Program<'_>, text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    // Most words have no quote, and most escapes end in one.
    let has_quotes = text.contains(['"', '\'', '`']);
    let may_stand = |escape: &&str| has_quotes || closing_quote(escape).is_none();
    for escape in program.escapes().filter(may_stand) {
        match escape.strip_prefix('>').filter(|escape| !escape.is_empty()) {
            Some(escape) => {
                let mut files = Vec::new();
                behind(escape, text, &mut files);
                let files = files.into_iter().map(|(start, end)| named(text, start, end));
                places.extend(files.filter(|file| file.start < file.end));
            }
            None => {
                let mut lines = Vec::new();
                behind(escape, text, &mut lines);
                let line = |(start, end)| Place { start, end, is_file: false };
                places.extend(lines.into_iter().map(line));
            }
        }
    }
    places
}

/// The name at the beginning of a part of a text: what stands in quotes, or the first word.
fn named(text: &str, start: u32, end: u32) -> Place {
    let part = text.get(start as usize..end as usize).unwrap_or_default();
    let blank = part.len() - part.trim_start().len();
    let part = part.trim_start();
    let quote = part.bytes().next().filter(|first| matches!(first, b'"' | b'\''));
    let is_open = text.get(..start as usize).unwrap_or_default().ends_with(['"', '\'', '`']);
    let skipped = usize::from(quote.is_some());
    let rest = part.get(skipped..).unwrap_or_default();
    let len = match quote {
        Some(quote) => rest.find(char::from(quote)),
        // It ends with the quote that stands before it.
        None if is_open => None,
        None => rest.find(|sign: char| sign.is_whitespace() || matches!(sign, '|' | ';')),
    };
    let start = start + (blank + skipped) as u32;
    Place { start, end: start + len.unwrap_or(rest.trim_end().len()) as u32, is_file: true }
}

/// Adds what stands behind each occurrence of one sign.
fn behind(escape: &str, text: &str, places: &mut Vec<(u32, u32)>) {
    if let Some(escape) = escape.strip_prefix('^').filter(|escape| !escape.is_empty()) {
        let mut from = 0;
        for line in text.split('\n') {
            let begin = line.len() - line.trim_start().len();
            let rest = line.trim_start().strip_prefix(escape);
            if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
                let start = from + begin + escape.len();
                places.push((start as u32, (start + rest.len()) as u32));
            }
            from += line.len() + 1;
        }
        return;
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
