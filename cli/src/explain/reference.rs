//! The reference of the rule language in one text: all that `explain NAME` says, one name after the other.

use std::fmt::Write;

use super::{classes, schema, words};

/// Returns it as Markdown.
#[must_use]
pub fn language() -> String {
    let mut names = schema::names();
    names.extend(words::names());
    names.extend(classes::names());
    names.sort();
    names.dedup();
    let mut text = "# The rule language\n".to_owned();
    for name in names {
        let mut found = schema::meanings(&name);
        found.extend(words::meanings(&name));
        found.extend(classes::meanings(&name));
        for meaning in found {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n## {} ({})\n\n{}", meaning.name, meaning.kind, meaning.docs);
            for (what, value) in &meaning.facts {
                let _ = writeln!(text, "\n{what}: {value}");
            }
            for (title, example) in &meaning.examples {
                let _ = writeln!(text, "\n{title}:\n\n```\n{}\n```", example.trim_end());
            }
        }
    }
    text
}
