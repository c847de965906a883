//! `first_tool_this_turn`: no call of this turn has ended yet.

use super::{ANY_PHASE, ConditionKind};
use crate::decode::Decode;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "first_tool_this_turn",
    docs: "No call of this turn has ended yet.",
    argument: Shape::Bool,
    phases: ANY_PHASE,
    example: "first_tool_this_turn: true",
    expression: "first tool this turn",
    lower: |node, lowering| {
        // Written `false`, a switch never holds.
        bool::decode(node, lowering.reports)
            .map(|on| if on { Test::FirstToolThisTurn } else { Test::Constant(false) })
    },
};
