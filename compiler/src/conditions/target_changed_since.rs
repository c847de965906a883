//! `target_changed_since`: the file has changed since it entered the set.

use super::{CALL_PHASES, ConditionKind, argument};
use crate::decode::SetName;
use crate::ir::Test;
use crate::registry::schema::{NameKind, Shape};

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "target_changed_since",
    docs: "The file has changed since it entered the set.\n\nThe set must keep fingerprints (`fingerprint: true`). A file that is not in the set, or is gone, has not changed.",
    argument: Shape::Name(NameKind::Set),
    phases: CALL_PHASES,
    example: "target_changed_since: read_files",
    expression: "target changed since read_files",
    lower: |node, lowering| {
        let name: SetName = argument(node, lowering)?;
        lowering.set(&name.node).map(Test::TargetChangedSince)
    },
};
