//! What is told of a kind of diagnostic, as Markdown: what it means, an example, and what to write instead.

use std::fmt::Write as _;

use crate::diagnostic::{DiagnosticKind, Example};

/// Writes the page of a kind of diagnostic. Its heading is as deep as the number of signs in `heading`.
#[must_use]
pub fn page(kind: &DiagnosticKind, heading: &str) -> String {
    let lines: Vec<&str> = kind.docs.trim().lines().map(str::trim).collect();
    let (name, level, docs) = (kind.name, kind.severity.name(), lines.join("\n"));
    let mut out = format!("{heading} {name}\n\n*{level}*\n\n{docs}\n");
    kind.examples.iter().for_each(|example| show(example, &mut out));
    out
}

fn show(example: &Example, out: &mut String) {
    let options = match example.options {
        "" => String::new(),
        options => format!(", with `{options}`"),
    };
    let language = example.file.rsplit('.').next().unwrap_or_default();
    let mut block = |title: &str, text: &str| {
        let _ = writeln!(out, "\n{title}:\n\n```{language}\n{}\n```", text.trim_end());
    };
    block(&format!("In `{}`{options}", example.file), &example.wrong());
    if let Some(right) = example.right() {
        block("Instead", &right);
    }
}
