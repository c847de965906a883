//! Whether two texts hold the same, wherever it stands.

use crate::syntax::{Comment, Kind, Node};

/// Whether two trees hold the same values under the same keys in the same order. The parser bounds how deep they nest.
pub(super) fn nodes(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Seq(one), Kind::Seq(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| nodes(one, other))
        }
        (Kind::Map(one), Kind::Map(other)) => {
            let is_same = |(one, other): (&crate::syntax::Entry, &crate::syntax::Entry)| {
                one.key.text == other.key.text && nodes(&one.value, &other.value)
            };
            one.len() == other.len() && one.iter().zip(other).all(is_same)
        }
        (Kind::Float(one), Kind::Float(other)) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    }
}

/// Whether the comments are the same, blanks at their ends aside.
pub(super) fn comments(one: &[Comment], other: &[Comment]) -> bool {
    let text = |comment: &Comment| comment.text.trim_end().to_owned();
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| text(one) == text(other))
}
