//! `target_is`: the target of the call is a file of a kind.

use super::paths::{FileKind, WORDS, add_kind};
use crate::decode::{Decode, OneOrMany};
use crate::expression::Hole;
use crate::ir::{Paths, Test};
use crate::lower::Lowering;
use crate::registry::schema::Shape;
use crate::syntax::Node;

/// What a `target_is` condition is given.
pub(super) const ARGUMENT: Shape = <OneOrMany<FileKind>>::SHAPE;

/// What its forms may name.
pub(super) const HOLES: &[Hole] = &[Hole::value("kind", WORDS)];

/// Reads the kinds.
pub(super) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<Test> {
    let kinds = <OneOrMany<FileKind>>::decode(node, lowering.reports)?;
    let mut paths = Paths::default();
    kinds.0.into_iter().for_each(|kind| add_kind(&mut paths, kind, lowering));
    Some(Test::TargetIs(paths))
}
