//! What becomes of a call, in words.

use behavior_image::code::PermissionAction;

/// What is done with a call, as the end of a sentence.
pub(super) fn done(action: PermissionAction) -> &'static str {
    match action {
        PermissionAction::Allow => "allowed",
        PermissionAction::None => "left to the agent",
        PermissionAction::DryRunFirst => "run dry first",
        PermissionAction::Ask => "asked about",
        PermissionAction::Deny => "denied",
    }
}
