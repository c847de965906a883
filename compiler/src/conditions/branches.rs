//! Branches as conditions take them: globs for their names, `default` and `protected`, one or a list.

use crate::decode::{Decode, OneOrMany, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::expression::{Hole, Syntax};
use crate::ir;
use crate::lower::Lowering;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::syntax::{Kind, Node};

/// What a condition on branches is given.
pub(super) const ARGUMENT: Shape = <OneOrMany<Box<str>>>::SHAPE;

/// What its forms may name.
pub(super) const HOLES: &[Hole] =
    &[Hole::value("name", Syntax::Text), Hole::value("names", Syntax::Values)];

/// Reads branches.
pub(super) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<ir::Branches> {
    let items = match &node.kind {
        Kind::Seq(items) if items.is_empty() => {
            wrong_type(node, ARGUMENT, lowering.reports);
            return None;
        }
        Kind::Seq(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let mut branches = ir::Branches::default();
    for item in items {
        match &*<Box<str>>::decode(item, lowering.reports)? {
            "default" => branches.is_default = true,
            "protected" => {
                let protected = lowering.defaults.protected_branches;
                for name in protected {
                    branches.names.push(lowering.word_glob_at(name, item, 0..0)?);
                }
            }
            "" => {
                let message = "a branch has a name";
                let diagnostic = Diagnostic::new(&d::UNKNOWN_VALUE, item.span, message);
                lowering.report(diagnostic.help("write a name, a glob, `default` or `protected`"));
                return None;
            }
            name => branches.names.push(lowering.word_glob_at(name, item, 0..name.len())?),
        }
    }
    Some(branches)
}
