//! YAML to the spanned tree: YAML 1.2 with the core schema, one document a file. Tags are refused.
//!
//! One pass and one [`reader`] for everything. A [`document`] is read line by line into [`block`]
//! collections, [`flow`] collections in brackets, [`properties`] and [`scalars`]; [`tree`] takes what they
//! come across. Nothing stops at an error: [`explain`] puts it into words, and [`recovery`] goes on behind
//! it. Where a [`cursor`] is, the reader knows from what it was in the middle of.

mod block;
mod core_schema;
mod cursor;
mod document;
mod explain;
mod flow;
mod properties;
mod reader;
mod recovery;
mod scalars;
mod tree;

use std::collections::HashSet;

pub use self::cursor::find as find_cursor;
use self::reader::Reader;
use super::{Kind, Node, Parsed, span};
use crate::source::FileId;

/// Reads one YAML document.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut reader = Reader::new(file, text);
    reader.read();
    let has_failed = reader.has_failed;
    let tree = reader.tree;
    let root = tree.root.unwrap_or_else(|| match has_failed {
        true => {
            let start = text.len() - text.trim_start().len();
            Node { span: span(file, start, start + text.trim().len()), kind: Kind::Broken }
        }
        false => Node { span: span(file, 0, 0), kind: Kind::Null },
    });
    let mut diagnostics = tree.diagnostics;
    // In a broken file the anchor may stand in a part that did not parse.
    let mentioned = if has_failed { mentioned_anchors(text) } else { HashSet::new() };
    let unknown = tree.unknown_aliases.into_iter();
    diagnostics.extend(
        unknown.filter(|(name, _)| !mentioned.contains(name)).map(|(_, diagnostic)| diagnostic),
    );
    Parsed { root, diagnostics, comments: tree.comments }
}

/// Whatever looks like the name of an anchor.
fn mentioned_anchors(text: &str) -> HashSet<&str> {
    let name = |rest: &'_ str| rest.find([' ', '\t', '\r', '\n', ',', ']', '}']);
    text.match_indices('&')
        .filter_map(|(at, _)| text.get(at + 1..))
        .map(|rest| name(rest).and_then(|end| rest.get(..end)).unwrap_or(rest))
        .collect()
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
