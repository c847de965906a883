//! `consecutive_gte`: the same tool runs for at least the N-th time in a row.

use super::{ANY_PHASE, ConditionKind};
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "consecutive_gte",
    docs: "The same tool runs for at least the N-th time in a row.\n\nBefore a tool runs, the call that is about to run counts. Spellings of one tool are one tool.",
    argument: Shape::Int(0, i64::MAX),
    phases: ANY_PHASE,
    example: "consecutive_gte: 5",
    expression: "consecutive >= 5",
    lower: |node, lowering| {
        let number = lowering.number(node, 0)?;
        Some(Test::ConsecutiveAtLeast(u32::try_from(number).unwrap_or(u32::MAX)))
    },
};
