//! `tool_calls_this_turn_eq`: exactly N calls of this turn have ended.

use super::{ANY_PHASE, ConditionKind};
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "tool_calls_this_turn_eq",
    docs: "Exactly N calls of this turn have ended.",
    argument: Shape::Int(0, i64::MAX),
    phases: ANY_PHASE,
    example: "tool_calls_this_turn_eq: 8",
    expression: "tool_calls_this_turn == 8",
    lower: |node, lowering| {
        let number = lowering.number(node, 0)?;
        Some(Test::TurnCallsEqual(u32::try_from(number).unwrap_or(u32::MAX)))
    },
};
