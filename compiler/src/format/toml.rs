//! The layout of TOML: nothing is indented but the lines of arrays, `key = value`, one blank line before each table.

use std::collections::BTreeMap;

use super::lines::{Lines, Output, split_comment, with_comment};
use crate::syntax::{Kind, Node, Parsed};

/// Columns of a level within arrays.
const STEP: usize = 2;

/// What a line belongs to that a value above began.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    /// A text, of which every blank counts.
    Text,
    /// An array, or an inline table, so many levels deep.
    Array(usize),
}

/// Returns a text that parsed, laid out.
pub(super) fn layout(text: &str, parsed: &Parsed) -> String {
    let lines = Lines::new(text);
    let mut inside = BTreeMap::new();
    collect(text, &lines, &parsed.root, 0, &mut inside);
    let mut out = Output::default();
    let mut comments: Vec<&str> = Vec::new();
    for line in 0..lines.len() {
        let range = lines.range(line);
        let whole = lines.get(line);
        match inside.get(&line) {
            Some(Inside::Text) => {
                out.verbatim(0, whole);
                continue;
            }
            Some(Inside::Array(depth)) => {
                let (content, comment) = split_comment(text, range, &parsed.comments);
                let laid = with_comment(in_order(content), comment);
                let closes = laid.chars().take_while(|c| matches!(c, ']' | '}')).count();
                out.line(STEP * depth.saturating_sub(closes.min(1)), &laid);
                continue;
            }
            None => {}
        }
        let trimmed = whole.trim();
        if trimmed.starts_with('#') {
            comments.push(trimmed);
            continue;
        }
        if trimmed.is_empty() {
            comments.drain(..).for_each(|comment| out.line(0, comment));
            out.blank();
            continue;
        }
        let (content, comment) = split_comment(text, range, &parsed.comments);
        let content = content.trim();
        if content.starts_with('[') && !out.is_empty() {
            out.blank();
        }
        comments.drain(..).for_each(|comment| out.line(0, comment));
        // A text that goes on in the next line may end in blanks that count.
        match inside.get(&(line + 1)) {
            Some(Inside::Text) => {
                let end = whole.trim_start();
                match split_key(end) {
                    Some((key, value)) => {
                        out.verbatim(0, &format!("{} = {value}", in_order(key)));
                    }
                    None => out.verbatim(0, end),
                }
            }
            _ => out.line(0, &with_comment(in_order(content), comment)),
        }
    }
    comments.drain(..).for_each(|comment| out.line(0, comment));
    out.text
}

/// A line, or a part of one, with the blanks between its words in order: `[x.y]`, `key = value`, `[1, 2]`, `{ a = 1 }`. Texts
/// in quotes stay as they are, and from one that goes on in the next line on, everything does.
fn in_order(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line.trim();
    // Whether a blank stands before what comes next.
    let mut is_apart = false;
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '"' | '\'' => quoted(rest, sign).unwrap_or(rest.len()),
            _ => sign.len_utf8(),
        };
        let (word, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = behind;
        let is_tight = out.ends_with('[') || out.ends_with('{') && sign == '}';
        match sign {
            ' ' | '\t' => {
                is_apart = true;
                continue;
            }
            '.' => rest = rest.trim_start_matches([' ', '\t']),
            ',' | ']' => {}
            '=' | '}' if !out.is_empty() && !is_tight => out.push(' '),
            _ if is_apart && !out.is_empty() && !is_tight => out.push(' '),
            _ => {}
        }
        out.push_str(word);
        is_apart = matches!(sign, ',' | '=' | '{');
    }
    out
}

/// How long a text in quotes is that a line begins with; `None` where it does not end there.
fn quoted(line: &str, quote: char) -> Option<usize> {
    let three = String::from(quote).repeat(3);
    let Some(inside) = line.strip_prefix(&three) else {
        return Some(end_of_text(line.get(1..)?, line.get(..1)?, quote == '"')? + 2);
    };
    let end = end_of_text(inside, &three, quote == '"')? + 2 * three.len();
    // The text itself may end in up to two quotes.
    let more = line.get(end..).unwrap_or_default().chars().take_while(|sign| *sign == quote);
    Some(end + more.take(2).count())
}

/// Where a text ends, of which the opening quotes are left out.
fn end_of_text(inside: &str, closing: &str, has_escapes: bool) -> Option<usize> {
    let mut is_escaped = false;
    let ends = |(at, sign): (usize, char)| {
        if std::mem::take(&mut is_escaped) {
            return None;
        }
        is_escaped = has_escapes && sign == '\\';
        inside.get(at..).is_some_and(|rest| rest.starts_with(closing)).then_some(at)
    };
    inside.char_indices().find_map(ends)
}

/// The key of a line and its value.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if letter == open => quote = None,
            (None, '=') => {
                let value = line.get(at + 1..)?;
                return Some((line.get(..at)?.trim(), value.trim_start()));
            }
            _ => {}
        }
    }
    None
}

/// Notes the lines that belong to values which began above.
fn collect(
    text: &str,
    lines: &Lines<'_>,
    node: &Node,
    depth: usize,
    inside: &mut BTreeMap<usize, Inside>,
) {
    let (start, end) = (node.span.start as usize, node.span.end as usize);
    let (first, last) = (lines.of(start), lines.of(end.saturating_sub(1).max(start)));
    let opens = text.as_bytes().get(start).copied();
    let is_value = {
        let before = text.get(..start).unwrap_or_default().trim_end_matches([' ', '\t']);
        depth > 0 || before.ends_with('=')
    };
    let in_brackets = is_value && matches!(opens, Some(b'[' | b'{'));
    let below = if in_brackets { depth + 1 } else { depth };
    if in_brackets {
        for line in first + 1..=last {
            inside.insert(line, Inside::Array(below));
        }
    }
    match &node.kind {
        Kind::Seq(items) => {
            items.iter().for_each(|item| collect(text, lines, item, below, inside));
        }
        Kind::Map(entries) => {
            entries.iter().for_each(|entry| collect(text, lines, &entry.value, below, inside));
        }
        Kind::String(_) => {
            for line in first + 1..=last {
                inside.insert(line, Inside::Text);
            }
        }
        _ => {}
    }
}
