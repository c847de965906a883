//! `target_matches`: the target of the call matches the path pattern.

use super::{CALL_PHASES, ConditionKind, argument};
use crate::decode::GlobText;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "target_matches",
    docs: "The target of the call matches the path pattern.\n\n`*` stays within a directory, `**` does not, and case counts. A pattern may start at any directory of the path: `*.md` and `docs/*.md` hold wherever they are. One with `./` in front starts at the working directory, one with `/` at the root.",
    argument: Shape::Glob,
    phases: CALL_PHASES,
    example: "target_matches: \"migrations/**\"",
    expression: "target matches \"migrations/**\"",
    lower: |node, lowering| {
        let written: GlobText = argument(node, lowering)?;
        lowering.glob(&written.node).map(Test::TargetMatches)
    },
};
