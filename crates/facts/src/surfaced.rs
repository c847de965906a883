//! Paths in the results of tools that search: one on a line, before what was found in it, or in a list. What a
//! shell printed is nobody's list of paths and is not looked at.

use std::borrow::Cow;

use serde_json::Value;

use crate::mention::{Mention, extension, is_of_project, is_separator, plain_path};
use crate::value::ValueRef;

/// How much of a result is looked at, in bytes.
const MAX_RESULT: usize = 1 << 18;

/// How many paths of one result are looked at.
const MAX_PATHS: usize = 400;

/// Words in the names of tools that search files.
const SEARCHES: [&str; 15] = [
    "grep",
    "ffgrep",
    "fffind",
    "rg",
    "ripgrep",
    "glob",
    "search",
    "find",
    "fd",
    "lsp",
    "codesearch",
    "references",
    "definition",
    "symbol",
    "symbols",
];

/// Words in the names of tools that search something else.
const ELSEWHERE: [&str; 4] = ["web", "websearch", "google", "tool"];

/// Returns whether a tool, by its canonical name, searches files.
#[must_use]
pub fn is_search(tool: &str) -> bool {
    let words = || tool.split(['_', '-', '.', '/', ' ']);
    words().any(|word| SEARCHES.contains(&word)) && !words().any(|word| ELSEWHERE.contains(&word))
}

/// Returns the paths in a result, in their order.
#[must_use]
pub fn paths(result: ValueRef<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = MAX_RESULT;
    match result {
        ValueRef::Text(text) => of_text(text, &mut left, &mut found),
        ValueRef::Json(json) if json.len() <= 4 * MAX_RESULT => {
            if let Ok(value) = serde_json::from_str(json) {
                of_json(&value, &mut left, &mut found);
            }
        }
        ValueRef::Json(_) => {}
    }
    found
}

fn of_json(value: &Value, left: &mut usize, found: &mut Vec<String>) {
    match value {
        Value::String(text) => of_text(text, left, found),
        Value::Array(items) => items.iter().for_each(|item| of_json(item, left, found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            of_text(name, left, found);
            of_json(value, left, found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn of_text(text: &str, left: &mut usize, found: &mut Vec<String>) {
    let end = text.floor_char_boundary((*left).min(text.len()));
    *left -= end;
    for line in text.get(..end).unwrap_or_default().lines() {
        if found.len() >= MAX_PATHS {
            return;
        }
        of_line(line, found);
    }
}

fn of_line(line: &str, found: &mut Vec<String>) {
    let line = without_colours(line);
    let line = without_tags(&line);
    let line = line.trim();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < line.len() && behind.starts_with([':', '-']) {
        // What stands behind a number alone is the text of a file that is known already, or the one path of a list.
        let entry = bare(behind.trim_start_matches([':', '-']));
        if entry.contains('/') && !entry.contains(' ') && is_of_project(entry) {
            found.extend(Mention::read(entry).map(|mention| mention.path.to_owned()));
        }
        return;
    }
    if line.is_empty() {
        return;
    }
    let line = line.trim_start_matches(['-', '*', '•', '+']).trim_start();
    // What a language server finds, it names by an address.
    let line = line.strip_prefix("file://").unwrap_or(line);
    if let Some(head) = before_match(line) {
        found.extend(plain_path(bare(head)).map(str::to_owned));
        return;
    }
    let whole = bare(line);
    if whole.contains(' ') && plain_path(whole).is_some() {
        if whole.starts_with(['/', '.', '~']) {
            found.push(whole.to_owned());
            return;
        }
        // A name with blanks in it, or some words about a file: both are tried.
        if whole.contains('/') && is_of_project(whole) && !whole.contains([':', ',', '(']) {
            found.push(whole.to_owned());
        }
    }
    let is_alone = !whole.contains(char::is_whitespace);
    let is_end = |c: char| is_separator(c) || matches!(c, '<' | '>' | '{' | '}');
    for word in line.split(is_end).take(MAX_PATHS) {
        let Some(Mention { path, .. }) = Mention::read(word) else { continue };
        // Between other words, a dot makes no path.
        if path.contains('/') || is_of_project(path) || is_alone && extension(path).is_some() {
            found.push(path.to_owned());
        }
    }
}

/// A line without the sequences by which terminals are told colours.
fn without_colours(line: &str) -> Cow<'_, str> {
    if !line.contains('\x1b') {
        return Cow::Borrowed(line);
    }
    let mut pieces = line.split("\x1b[");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let of_sequence = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':' | '?');
        let rest = piece.trim_start_matches(of_sequence);
        out.push_str(rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest));
    }
    Cow::Owned(out)
}

/// A line with blanks in place of tags, such as `<file>` and `</file>`.
fn without_tags(line: &str) -> Cow<'_, str> {
    if !line.contains('<') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut pieces = line.split('<');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let tag = piece.split_once('>').filter(|(inside, _)| {
            let name = inside.trim_start_matches('/').trim_end_matches('/');
            let name = name.split(' ').next().unwrap_or_default();
            name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))
        });
        out.push(' ');
        out.push_str(tag.map_or(piece, |(_, behind)| behind));
    }
    Cow::Owned(out)
}

/// What stands before `:12:` or `-12-`, or before `:12` at the end.
fn before_match(line: &str) -> Option<&str> {
    for (at, mark) in line.char_indices().filter(|(_, c)| matches!(c, ':' | '-')) {
        let rest = line.get(at + 1..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = rest.get(digits..)?.chars().next();
        let is_end = behind == Some(mark) || mark == ':' && behind.is_none();
        let head = line.get(..at)?;
        // Names have dashes and numbers in them, too.
        let is_name = mark == ':' || extension(head).is_some();
        if at > 0 && digits > 0 && is_end && is_name {
            return Some(head);
        }
    }
    None
}

/// A path without what is put around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| {
        matches!(
            c,
            '`' | '"' | '\'' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ';' | '*'
        ) || c.is_whitespace()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(result: ValueRef<'_>, expected: &[&str]) {
        assert_eq!(paths(result), expected, "{result:?}");
    }

    #[test]
    fn paths_stand_in_lines_lists_and_addresses() {
        check(ValueRef::Text("src/a.rs:12: fn a()\n./b.rs\nsee d.e"), &["src/a.rs", "b.rs"]);
        check(ValueRef::Text("file:///w/src/a.rs:3"), &["/w/src/a.rs"]);
        check(ValueRef::Text("Makefile:3:all\nLICENSE"), &["Makefile", "LICENSE"]);
        check(ValueRef::Text("  12: src/b.rs\n13: fn b()\n14:a/b c.rs"), &["src/b.rs"]);
        check(ValueRef::Text("{src/a.rs}\n[src/b.rs]"), &["src/a.rs", "src/b.rs"]);
        check(ValueRef::Text("\x1b[35msrc/a.rs\x1b[0m:\x1b[32m1\x1b[0m:x"), &["src/a.rs"]);
        check(ValueRef::Text("docs/My Page.md"), &["docs/My Page.md", "docs/My", "Page.md"]);
        check(ValueRef::Json(r#"[{"uri":"file:///w/src/b.rs"}]"#), &["/w/src/b.rs"]);
    }

    #[test]
    fn tools_that_search_files_are_told_by_words_of_their_names() {
        for tool in ["grep", "mcp__fff__ffgrep", "fffind", "lsp_references"] {
            assert!(is_search(tool), "{tool}");
        }
        for tool in ["bash", "web_search", "tool_search", "read"] {
            assert!(!is_search(tool), "{tool}");
        }
    }
}
