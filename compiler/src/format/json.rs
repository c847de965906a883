//! The layout of JSON: what was written over several lines has a line for each of its entries, what was written on one
//! line stays on one; the outermost collection always has lines.

/// Columns of a level.
const STEP: usize = 2;

/// A bracket that is open.
struct Open {
    has_lines: bool,
    is_empty: bool,
}

/// Returns a text that parsed, laid out.
pub(super) fn layout(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut open: Vec<Open> = Vec::new();
    let broken = brackets_with_lines(text);
    let mut rest = text.char_indices().peekable();
    while let Some((at, letter)) = rest.next() {
        match letter {
            '{' | '[' => {
                entry(&mut out, &mut open);
                out.push(letter);
                let has_lines = broken.contains(&at) || open.is_empty();
                open.push(Open { has_lines, is_empty: true });
            }
            '}' | ']' => close(letter, &mut out, &mut open),
            ',' => {
                out.push(',');
                let has_lines = open.last().is_some_and(|one| one.has_lines);
                out.push_str(if has_lines { "\n" } else { " " });
                if has_lines {
                    indent(&mut out, open.len());
                }
            }
            ':' => out.push_str(": "),
            '"' => {
                entry(&mut out, &mut open);
                let end = string_end(text, at);
                out.push_str(text.get(at..end).unwrap_or_default());
                while rest.next_if(|(next, _)| *next < end).is_some() {}
            }
            letter if letter.is_whitespace() => {}
            letter => {
                if starts_word(text, at) {
                    entry(&mut out, &mut open);
                }
                out.push(letter);
            }
        }
    }
    out.push('\n');
    out
}

/// Begins the first entry of a collection.
fn entry(out: &mut String, open: &mut [Open]) {
    let depth = open.len();
    let Some(one) = open.last_mut().filter(|one| one.is_empty) else { return };
    one.is_empty = false;
    if one.has_lines {
        out.push('\n');
        indent(out, depth);
    } else if out.ends_with('{') {
        out.push(' ');
    }
}

fn close(letter: char, out: &mut String, open: &mut Vec<Open>) {
    if let Some(one) = open.pop().filter(|one| !one.is_empty) {
        if one.has_lines {
            out.push('\n');
            indent(out, open.len());
        } else if letter == '}' {
            out.push(' ');
        }
    }
    out.push(letter);
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n(' ', STEP * depth));
}

/// Whether a letter begins a number or a word.
fn starts_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().chars().next_back();
    before.is_none_or(|before| before.is_whitespace() || matches!(before, '{' | '[' | ',' | ':'))
}

/// Where a string ends that starts at an offset.
fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The opening brackets that a line break stands behind before they are closed.
fn brackets_with_lines(text: &str) -> std::collections::HashSet<usize> {
    let mut found = std::collections::HashSet::new();
    // Where each open bracket is, and how many line breaks came before it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut breaks = 0;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at);
                continue;
            }
            b'\n' => breaks += 1,
            b'{' | b'[' => open.push((at, breaks)),
            b'}' | b']' => {
                found.extend(
                    open.pop().filter(|(_, before)| *before < breaks).map(|(start, _)| start),
                );
            }
            _ => {}
        }
        at += 1;
    }
    found
}
