//! One meaning of a name: what kind of thing it is, what is said of it, facts and examples; and how
//! that is printed.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::render::shorten_texts;
use crate::screen::{Screen, blanks, width, wrap};
use crate::terminal::{BOLD, CYAN, DIM};

/// The title of what stands in the author's own words.
pub const AS_WRITTEN: &str = "as it is written";

/// One meaning of a name.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// What kind of thing it is.
    pub kind: &'static str,
    /// Its full name.
    pub name: String,
    /// What it means: Markdown.
    pub docs: String,
    /// What else is known of it, in order.
    pub facts: Vec<(&'static str, String)>,
    /// How it is written.
    pub examples: Vec<(Cow<'static, str>, String)>,
}

impl Meaning {
    /// A meaning of which nothing else is known yet.
    pub fn new(kind: &'static str, name: impl Into<String>, docs: impl Into<String>) -> Self {
        let docs = docs.into();
        let docs = docs.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned();
        Self { kind, name: name.into(), docs, ..Self::default() }
    }

    /// Adds a fact, if there is something to say.
    #[must_use]
    pub fn fact(mut self, what: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        if !value.is_empty() {
            self.facts.push((what, value));
        }
        self
    }

    /// Adds an example.
    #[must_use]
    pub fn example(mut self, title: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        self.examples.push((title.into(), text.into()));
        self
    }

    /// The meaning as JSON.
    pub fn to_json(&self) -> Value {
        let facts: Map<_, _> = self
            .facts
            .iter()
            .map(|(what, value)| (what.replace(' ', "_"), Value::String(value.clone())))
            .collect();
        let examples: Vec<_> = self
            .examples
            .iter()
            .map(|(title, text)| json!({ "title": title, "text": text }))
            .collect();
        json!({
            "kind": self.kind,
            "name": self.name,
            "docs": self.docs,
            "facts": facts,
            "examples": examples,
        })
    }

    /// Appends the meaning for people.
    pub fn print(&self, screen: &Screen, out: &mut String) {
        const INDENT: usize = 2;
        let room = screen.width.saturating_sub(INDENT);
        screen.paint(out, BOLD, &self.name);
        out.push_str("  ");
        screen.paint(out, DIM, self.kind);
        out.push('\n');
        for paragraph in paragraphs(&self.docs) {
            for line in wrap(&paragraph, room) {
                indented(out, INDENT, &line);
            }
            out.push('\n');
        }
        // What the author's own words say need not be said on one line as well.
        let is_written = self.examples.iter().any(|(title, _)| *title == AS_WRITTEN);
        let is_said = |what: &str| is_written && matches!(what, "condition" | "message");
        let facts = || self.facts.iter().filter(|(what, _)| !is_said(what));
        let column = facts().map(|(what, _)| width(what)).max().unwrap_or(0) + 2;
        for (what, value) in facts() {
            blanks(out, INDENT);
            screen.cell(out, DIM, what, column);
            let value = if *what == "condition" { shorten_texts(value) } else { value.clone() };
            let lines = wrap(&value, room.saturating_sub(column));
            for (index, line) in lines.iter().enumerate() {
                if index > 0 {
                    blanks(out, INDENT + column);
                }
                out.push_str(line);
                out.push('\n');
            }
        }
        if !self.facts.is_empty() {
            out.push('\n');
        }
        for (title, text) in &self.examples {
            blanks(out, INDENT);
            screen.paint(out, DIM, &format!("{title}:"));
            out.push('\n');
            for line in text.trim_end().lines() {
                blanks(out, INDENT + 2);
                screen.paint(out, CYAN, &crate::render::one_line(line));
                out.push('\n');
            }
            out.push('\n');
        }
    }
}

fn indented(out: &mut String, indent: usize, line: &str) {
    blanks(out, if line.is_empty() { 0 } else { indent });
    out.push_str(line);
    out.push('\n');
}

/// The paragraphs of Markdown: lines that belong together in one, each item of a list on its own.
fn paragraphs(docs: &str) -> Vec<String> {
    const ITEM: &str = "\n- ";
    docs.split("\n\n")
        .map(|paragraph| {
            let items = paragraph.split(ITEM).map(|item| item.replace('\n', " "));
            items.collect::<Vec<_>>().join(ITEM).trim().to_owned()
        })
        .filter(|paragraph| !paragraph.is_empty())
        .collect()
}
