//! A text of several lines, under a title.

use crate::screen::{Screen, blanks, wrap};
use crate::terminal::DIM;

/// Adds a text under its title, wrapped to the screen.
pub fn block(screen: &Screen, title: &str, text: &str, out: &mut String) {
    screen.paint(out, DIM, &format!("{title}:"));
    out.push('\n');
    for line in text.lines() {
        for part in wrap_keeping_indent(line, screen.width.saturating_sub(2)) {
            blanks(out, if part.is_empty() { 0 } else { 2 });
            out.push_str(&part);
            out.push('\n');
        }
    }
    out.push('\n');
}

fn wrap_keeping_indent(line: &str, columns: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = indent.min(20);
    let mut lines = wrap(line, columns.saturating_sub(indent));
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines.into_iter().map(|line| format!("{}{line}", " ".repeat(indent))).collect()
}
