//! `target_in_set`: the target of the call is in the set.

use super::{CALL_PHASES, ConditionKind, argument};
use crate::decode::SetName;
use crate::ir::Test;
use crate::registry::schema::{NameKind, Shape};

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "target_in_set",
    docs: "The target of the call is in the set.\n\nThe target is the parameter that the set names, else the first of `file_path`, `path`, `filepath`, `url`, `query`, `pattern` and `target` that is there. A call without a target makes the condition false.",
    argument: Shape::Name(NameKind::Set),
    phases: CALL_PHASES,
    example: "target_in_set: read_files",
    expression: "target in read_files",
    lower: |node, lowering| {
        let name: SetName = argument(node, lowering)?;
        lowering.set(&name.node).map(Test::TargetInSet)
    },
};
