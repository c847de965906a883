//! The spanned tree that all formats become.

use crate::source::Span;

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
    String(Box<str>),
    /// A list.
    Seq(Vec<Node>),
    /// A mapping, in the order written, duplicate keys already reported and left out.
    Map(Vec<Entry>),
    /// Something that did not parse and was reported; nobody needs to complain of it again.
    Broken,
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
    /// The value's kind, as users call it: `a string`, `a list`, `a mapping`, …
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "a boolean",
            Kind::Int(_) => "a whole number",
            Kind::Float(_) => "a number",
            Kind::String(_) => "a string",
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
