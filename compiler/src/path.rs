//! Places inside a document, as users name them: `rule_definitions[0].trigger`.

use crate::source::Span;
use crate::syntax::{Kind, Node};

/// The path of the key or value that a span belongs to, from `root`; empty for the root itself or
/// a span outside of it.
#[must_use]
pub fn path_of(root: &Node, span: Span) -> String {
    let mut path = String::new();
    descend(root, span, &mut path);
    path
}

fn descend(node: &Node, span: Span, path: &mut String) {
    let mut node = node;
    // The tree's depth is bounded by the parser.
    while node.span != span {
        match &node.kind {
            Kind::Map(entries) => {
                let Some(entry) = entries
                    .iter()
                    .find(|entry| entry.key.span.contains(span) || entry.value.span.contains(span))
                else {
                    return;
                };
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&entry.key.text);
                if entry.key.span.contains(span) && !entry.value.span.contains(span) {
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
