//! Command lines and names of files that are written in texts of other languages, behind signs that a program knows,
//! such as `\!`, `system("` or `.output `. What stands there is found and not read.

use super::programs::Program;

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub start: u32,
    pub end: u32,
    pub what: What,
}

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A command line.
    Line,
    /// The name of a file that is written.
    Written,
    /// The name of a file that is read.
    Read,
}

/// Where command lines and names of files that are written or read stand in a text.
pub(super) fn places(program: Program<'_>, text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    // Most words have no quote, and most escapes end in one.
    let has_quotes = text.contains(['"', '\'', '`']);
    let may_stand = |escape: &&str| has_quotes || closing_quote(escape).is_none();
    for escape in program.escapes().filter(may_stand) {
        let (what, escape) = what_is_behind(escape);
        let mut found = Vec::new();
        match escape.strip_suffix("(…") {
            Some(function) => arguments(function, text, &mut found),
            None => behind(escape, text, &mut found),
        }
        let place = |(start, end)| match what {
            What::Line => Place { start, end, what },
            what => named(text, start, end, what),
        };
        places.extend(found.into_iter().map(place).filter(|place| place.start < place.end));
    }
    places
}

/// What stands behind an escape, as the sign before it says, and the escape without that.
pub(super) fn what_is_behind(escape: &str) -> (What, &str) {
    let marked = |sign: char| escape.strip_prefix(sign).filter(|escape| !escape.is_empty());
    match (marked('>'), marked('<')) {
        (Some(escape), _) => (What::Written, escape),
        (_, Some(escape)) => (What::Read, escape),
        _ => (What::Line, escape),
    }
}

/// Adds the texts in quotes that a function is given behind its first argument, whose calls are found by its name:
/// `edit(x, 'vi')`.
fn arguments(function: &str, text: &str, places: &mut Vec<(u32, u32)>) {
    // So far the second may stand from the name.
    const MAX: usize = 1_024;
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|text| find_folded(text, function)) {
        from += at + function.len();
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(MAX)).unwrap_or_default();
        let Some(comma) = rest.iter().position(|byte| *byte == b',') else { continue };
        let (before, behind) = rest.split_at(comma + 1);
        let blanks = behind.iter().take_while(|byte| is_blank(byte)).count();
        let quote = behind.get(blanks).copied().filter(|first| matches!(first, b'"' | b'\''));
        let Some(quote) = quote.filter(|_| before.trim_ascii_start().starts_with(b"(")) else {
            continue;
        };
        let start = from + comma + 1 + blanks + 1;
        let line = text.get(start..).unwrap_or_default();
        let end = start + unescaped(line, quote).unwrap_or(line.len());
        places.push((start as u32, end as u32));
        from = end;
    }
}

/// Where a text of ASCII stands in another, in whatever letters.
fn find_folded(text: &str, wanted: &str) -> Option<usize> {
    let mut parts = text.as_bytes().windows(wanted.len().max(1));
    parts.position(|part| part.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// The name at the beginning of a part of a text: what stands in quotes, or the first word.
fn named(text: &str, start: u32, end: u32, what: What) -> Place {
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
    Place { start, end: start + len.unwrap_or(rest.trim_end().len()) as u32, what }
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
