//! `target_exists_on_disk`: the target of the call exists.

use super::{CALL_PHASES, ConditionKind};
use crate::decode::Decode;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "target_exists_on_disk",
    docs: "The target of the call exists.\n\nA simulation knows only what the trace tells of files; where nothing tells, the rule is undecided.",
    argument: Shape::Bool,
    phases: CALL_PHASES,
    example: "target_exists_on_disk: true",
    expression: "exists(target)",
    lower: |node, lowering| {
        // Written `false`, a switch never holds.
        bool::decode(node, lowering.reports)
            .map(|on| if on { Test::TargetExists } else { Test::Constant(false) })
    },
};
