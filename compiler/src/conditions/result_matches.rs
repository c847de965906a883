//! `result_matches`: the result of the call matches the pattern.

use super::{ConditionKind, RESULT_PHASES, argument};
use crate::decode::PatternText;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "result_matches",
    docs: "The result of the call matches the pattern.\n\nA result that is not a string is looked at as compact JSON.",
    argument: Shape::Pattern,
    phases: RESULT_PHASES,
    example: "result_matches: \"warning:\"",
    expression: "result matches \"warning:\"",
    lower: |node, lowering| {
        let written: PatternText = argument(node, lowering)?;
        lowering.pattern(&written.node).map(Test::ResultMatches)
    },
};
