//! Places inside a document, as users name them: `rule_definitions[0].trigger`.

use crate::source::Span;
use crate::syntax::{Entry, Kind, Node};

/// The path of the key or value that a span belongs to, from `root`; empty for the root itself or
/// a span outside of it.
#[must_use]
pub fn path_of(root: &Node, span: Span) -> String {
    let mut path = String::new();
    descend(root, span, &mut path);
    path
}

/// Returns the path of the key or value that a span belongs to, where `node` is what stands at a path.
#[must_use]
pub fn path_below(mut path: String, node: &Node, span: Span) -> String {
    descend(node, span, &mut path);
    path
}

fn descend(node: &Node, span: Span, path: &mut String) {
    let mut node = node;
    // The tree's depth is bounded by the parser.
    while node.span != span || is_only_item(node) {
        match &node.kind {
            Kind::Map(entries) => {
                let Some(entry) = entries.iter().find(|entry| holds(entry, span)) else {
                    return;
                };
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&entry.key.text);
                if !entry.value.span.contains(span) {
                    return;
                }
                node = &entry.value;
            }
            Kind::Seq(items) => {
                let Some((index, item)) =
                    items.iter().enumerate().find(|(_, item)| item.span.contains(span))
                else {
                    return;
                };
                path.push_str(&format!("[{index}]"));
                node = item;
            }
            _ => return,
        }
    }
}

/// Whether a node is a list that is written as its only item, as a table of an array is in TOML: what
/// is said of both is said of the item.
fn is_only_item(node: &Node) -> bool {
    matches!(&node.kind, Kind::Seq(items) if items.len() == 1 && items.iter().all(|item| item.span == node.span))
}

/// Whether a span is of a key, its value, or what stands between the two, such as a tag.
fn holds(entry: &Entry, span: Span) -> bool {
    let (key, value) = (entry.key.span, entry.value.span);
    let is_between = key.file == span.file && key.end <= span.start && span.end <= value.start;
    is_between || key.contains(span) || value.contains(span)
}
