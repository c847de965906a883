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
                let trimmed = whole.trim();
                let closes = trimmed.chars().take_while(|c| matches!(c, ']' | '}')).count();
                out.line(STEP * depth.saturating_sub(closes.min(1)), trimmed);
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
        let laid = match (content.starts_with('['), split_key(content)) {
            (false, Some((key, value))) => format!("{key} = {value}"),
            _ => content.to_owned(),
        };
        // A text that goes on in the next line may end in blanks that count.
        match inside.get(&(line + 1)) {
            Some(Inside::Text) => {
                let end = whole.trim_start();
                match split_key(end) {
                    Some((key, value)) => out.verbatim(0, &format!("{key} = {value}")),
                    None => out.verbatim(0, end),
                }
            }
            _ => out.line(0, &with_comment(laid, comment)),
        }
    }
    comments.drain(..).for_each(|comment| out.line(0, comment));
    out.text
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
