//! Which parameters hold the target of a call.

/// The parameters that hold a call's target where a set does not say otherwise, in order.
pub const TARGET_PARAMS: [&str; 7] =
    ["file_path", "path", "filepath", "url", "query", "pattern", "target"];

/// Whether asking for parameters in this order, and then for [`TARGET_PARAMS`], is asking for these
/// alone.
#[must_use]
pub fn is_usual_target<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut usual = TARGET_PARAMS.into_iter();
    names.into_iter().all(|name| usual.next() == Some(name))
}
