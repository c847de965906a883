//! Changes of texts, as `diff -u` shows them.

use similar::TextDiff;

use crate::screen::plain;
use crate::terminal::{BLUE, BOLD, GREEN, PLAIN, RED, Terminal};

/// Returns what changes from one text to another, for people.
#[must_use]
pub fn unified(
    name_before: &str,
    name_after: &str,
    before: &str,
    after: &str,
    terminal: &Terminal,
) -> String {
    let diff = TextDiff::from_lines(before, after);
    let lines = diff.unified_diff().header(name_before, name_after).to_string();
    let mut out = String::new();
    for line in lines.lines() {
        let style = match line.as_bytes() {
            [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => BOLD,
            [b'+', ..] => GREEN,
            [b'-', ..] => RED,
            [b'@', ..] => BLUE,
            _ => PLAIN,
        };
        let line = line.trim_end_matches('\r').replace('\t', "    ");
        out.push_str(&terminal.paint(style, &plain(&line)));
        out.push('\n');
    }
    out
}
