//! Texts as YAML. Every text comes back as it was.

use std::fmt::Write;

/// A text between double quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    // JSON's escapes are YAML's, which takes fewer characters as they are.
    let mut out = String::new();
    for character in serde_json::Value::from(text).to_string().chars() {
        if is_unprintable(character) {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// A field with a text, which stands in lines of its own where that keeps it as it is.
pub fn push_text(out: &mut String, indent: &str, field: &str, text: &str) {
    let is_plain =
        text.ends_with('\n') && !text.ends_with("\n\n") && !text.starts_with([' ', '\n']);
    let is_odd = |line: &str| line.trim_end() != line || line.chars().any(is_unprintable);
    if !is_plain || text.lines().any(is_odd) {
        let _ = writeln!(out, "{indent}{field}: {}", quoted(text));
        return;
    }
    let _ = writeln!(out, "{indent}{field}: |");
    for line in text.lines() {
        if !line.is_empty() {
            let _ = write!(out, "{indent}  {line}");
        }
        out.push('\n');
    }
}
