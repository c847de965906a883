//! `text_matches`: the agent's text matches the pattern.

use super::{ConditionKind, TEXT_PHASES, argument};
use crate::decode::PatternText;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "text_matches",
    docs: "The agent's text matches the pattern.\n\nA case-insensitive search anywhere in the text.",
    argument: Shape::Pattern,
    phases: TEXT_PHASES,
    example: "text_matches: \"not sure|uncertain\"",
    expression: "text matches \"not sure|uncertain\"",
    lower: |node, lowering| {
        let written: PatternText = argument(node, lowering)?;
        lowering.pattern(&written.node).map(Test::TextMatches)
    },
};
