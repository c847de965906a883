//! `result_failed`: the tool failed.

use super::{ConditionKind, RESULT_PHASES};
use crate::decode::Decode;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "result_failed",
    docs: "The tool failed.",
    argument: Shape::Bool,
    phases: RESULT_PHASES,
    example: "result_failed: true",
    expression: "result failed",
    lower: |node, lowering| {
        // Written `false`, a switch never holds.
        bool::decode(node, lowering.reports)
            .map(|on| if on { Test::ResultFailed } else { Test::Constant(false) })
    },
};
