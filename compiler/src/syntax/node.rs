//! The spanned tree that all formats become.

use std::fmt;
use std::ops::Deref;

use super::scalar::Style;
use crate::source::{FileId, Span};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value stands: for block collections from the first key or dash to the end of the
    /// last child. Inside an alias, the place at its anchor.
    pub span: Span,
    /// The value.
    pub kind: Kind,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Nothing: `null`, `~`, or an empty value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string, escapes resolved.
    String(Text),
    /// A list.
    Seq(Vec<Node>),
    /// A mapping, in the order written, duplicate keys already reported and left out.
    Map(Vec<Entry>),
    /// Something that did not parse and was reported; nobody needs to complain of it again.
    Broken,
}

impl Kind {
    /// The number that digits of a radix stand for; beyond 64 bits the nearest float.
    pub(super) fn whole(digits: &str, radix: u32) -> Self {
        let float = || {
            let digits = digits.chars().filter_map(|digit| digit.to_digit(radix));
            digits.fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit))
        };
        i64::from_str_radix(digits, radix).map_or_else(|_| Self::Float(float()), Self::Int)
    }
}

/// A string, and how it is written, which tells where its parts stand. Strings are equal if their
/// values are.
#[derive(Clone)]
pub struct Text {
    value: Box<str>,
    style: Style,
}

impl Text {
    /// A string as a parser found it: `value` is what the source at its node's span stands for.
    #[must_use]
    pub fn written(value: Box<str>, style: Style) -> Self {
        Self { value, style }
    }

    /// How it is written.
    #[must_use]
    pub fn style(&self) -> Style {
        self.style
    }

    /// The string.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The string alone.
    #[must_use]
    pub fn into_value(self) -> Box<str> {
        self.value
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.value
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Self {
        Self { value: value.into(), style: Style::Plain }
    }
}

impl From<String> for Text {
    fn from(value: String) -> Self {
        Self { value: value.into(), style: Style::Plain }
    }
}

/// One key of a mapping and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Node,
}

/// A mapping's key. Keys that are not strings are their source text.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key's text.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
}

impl Node {
    /// The same as a part of the file of another number. The parser bounds how deep it nests.
    #[must_use]
    pub fn in_file(&self, file: FileId) -> Node {
        let at = |span: Span| Span::new(file, span.start, span.end);
        let entry = |entry: &Entry| Entry {
            key: Key { text: entry.key.text.clone(), span: at(entry.key.span) },
            value: entry.value.in_file(file),
        };
        let kind = match &self.kind {
            Kind::Seq(items) => Kind::Seq(items.iter().map(|item| item.in_file(file)).collect()),
            Kind::Map(entries) => Kind::Map(entries.iter().map(entry).collect()),
            other => other.clone(),
        };
        Node { span: at(self.span), kind }
    }

    /// Moves the node and all that is in it so many bytes on, or back. The parser bounds how deep it nests.
    pub fn shift(&mut self, by: i32) {
        self.span = self.span.shifted(by);
        match &mut self.kind {
            Kind::Seq(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Kind::Map(entries) => entries.iter_mut().for_each(|entry| {
                entry.key.span = entry.key.span.shifted(by);
                entry.value.shift(by);
            }),
            _ => {}
        }
    }

    /// How many collections are in each other here, at most.
    #[must_use]
    pub fn depth(&self) -> usize {
        match &self.kind {
            Kind::Seq(items) => 1 + items.iter().map(Node::depth).max().unwrap_or(0),
            Kind::Map(entries) => {
                1 + entries.iter().map(|entry| entry.value.depth()).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The value's kind, as users call it: `a string`, `a list`, `a mapping`, …
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "a boolean",
            Kind::Int(_) => "a whole number",
            Kind::Float(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Seq(ref items) if items.is_empty() => "an empty list",
            Kind::Seq(_) => "a list",
            Kind::Map(_) => "a mapping",
            Kind::Broken => "something that does not parse",
        }
    }

    /// The entries, if this is a mapping.
    #[must_use]
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The items, if this is a list.
    #[must_use]
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// The string, if this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The entry called `name`, if this is a mapping that has one.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries()?.iter().find(|entry| &*entry.key.text == name)
    }

    /// The value called `name`, if this is a mapping that has one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|entry| &entry.value)
    }
}
