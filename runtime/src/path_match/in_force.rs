//! Whether what the rules go by stays in force where only modes and owners of files change.

use behavior_image::code::PathKind;
use behavior_image::operand::Paths;
use behavior_shell::HOLE;

use super::PathMatcher;
use behavior_facts::commands::Change;
use behavior_facts::path::is_in;
use behavior_facts::places::LocatedFile;

impl PathMatcher<'_, '_> {
    /// Whether a condition on rules, settings and hooks is not about a file, since what is done leaves these as they are for
    /// whoever goes by them. What is kept for the rules must have the very owner and mode that it has.
    pub(super) fn stays_in_force(&mut self, file: &LocatedFile, paths: Paths) -> bool {
        let is_about_rules =
            PathKind::Config.is_in(paths.kinds) || PathKind::Hook.is_in(paths.kinds);
        if file.file.change == Change::Content || !is_about_rules || file.full.contains(HOLE) {
            return false;
        }
        let full = file.full.split(['*', '?', '[']).next().unwrap_or_default();
        let place = if full.len() < file.full.len() { full.trim_end_matches('/') } else { full };
        if self.own_files().iter().any(|own| is_in(own, place) || is_in(place, own)) {
            return false;
        }
        match &file.file.change {
            Change::Content => false,
            Change::Mode | Change::OwnUser => true,
            Change::Owner(name) => self.host.is_user(name),
        }
    }
}
