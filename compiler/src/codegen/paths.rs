//! Lists of paths as constants.

use behavior_image::{Draft, pack_run};

use crate::ir;

/// Lays out the lists of paths, as constants that stand side by side; answers with the first.
pub(super) fn path_lists(draft: &mut Draft, paths: &ir::Paths) -> u32 {
    let mut lists = |paths: &ir::Paths| {
        let lists = [&paths.globs, &paths.folders, &paths.sets];
        lists.map(|list| pack_run(draft.list(list.iter().copied())))
    };
    let left_out = paths.left_out.as_deref().cloned().unwrap_or_default();
    let (own, others) = (lists(paths), lists(&left_out));
    // Also where the same lists were laid out before.
    draft.constants.extend(own);
    draft.constants.push(left_out.kinds.into());
    draft.constants.extend(others);
    draft.constants.len() as u32 - 7
}
