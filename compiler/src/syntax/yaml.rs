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
use self::tree::TreeBuilder;
use super::{Items, Kind, Node, Parsed, span};
use crate::source::FileId;

/// Reads one YAML document.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut reader = Reader::new(file, text);
    reader.read();
    let has_failed = reader.has_failed;
    let is_regular = reader.is_regular();
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
    Parsed { root, diagnostics, comments: tree.comments, is_regular }
}

/// Reads a part of a document that consists of items of a block list whose dashes stand in a column, from the start of
/// the line of the first to that of what comes behind. `None` where it consists of anything else, or where the rest
/// of the document has a say in what it means.
pub fn parse_items(file: FileId, text: &str, column: usize) -> Option<Items> {
    if !text.split(['\n', '\r']).all(|line| stays_in_list(line, column)) {
        return None;
    }
    let mut reader = Reader::new(file, text);
    reader.read();
    if !reader.is_regular() || reader.has_marker {
        return None;
    }
    let has_failed = reader.has_failed;
    let TreeBuilder { root, diagnostics, comments, .. } = reader.tree;
    let root = root.filter(|root| root.span.start as usize == column)?;
    let is_block = text.get(column..).is_some_and(|text| text.starts_with('-'));
    let end = root.span.end;
    let nodes = match root.kind {
        Kind::Seq(nodes) if is_block => nodes,
        _ => return None,
    };
    Some(Items { nodes, diagnostics, comments, end, has_failed })
}

/// Whether a line can be no part of anything around the list whose dashes stand in a column.
fn stays_in_list(line: &str, column: usize) -> bool {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let is_item = || text == "-" || text.starts_with("- ");
    text.is_empty() || text.starts_with('#') || indent > column || indent == column && is_item()
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
