//! What a directory that is deleted holds at whatever depth: a pattern without an anchor names it there as well.

use behavior_image::code::PathKind;
use behavior_image::operand::Paths;

use super::PathMatcher;
use behavior_facts::braces::alternatives;
use behavior_facts::path::is_in;
use behavior_facts::path_patterns::{Anchor, plain_head};
use behavior_facts::truth::Truth;

/// Kinds of files that are known by usual names: what lies deep in a directory under one of them is most often another's.
const BY_NAME: [PathKind; 6] = [
    PathKind::Generated,
    PathKind::Secret,
    PathKind::Config,
    PathKind::Tests,
    PathKind::Docs,
    PathKind::Hook,
];

impl PathMatcher<'_, '_> {
    /// Whether something that the paths name lies somewhere below a directory that is deleted.
    pub(super) fn holds_below(&mut self, full: &str, paths: Paths) -> Truth {
        if BY_NAME.iter().any(|kind| kind.is_in(paths.kinds)) {
            return Truth::False;
        }
        let run = self.globs(paths, false);
        let view = self.view;
        let mut result = Truth::False;
        for glob in view.list(run.start, run.len) {
            for one in alternatives(self.source(glob)).unwrap_or_default() {
                let (Anchor::Any, rest) = Anchor::of(&one) else { continue };
                let name = plain_head(rest.trim_start_matches("**/"));
                if name.is_empty() {
                    continue;
                }
                result = result.or(self.lies_below(full, name));
                if result == Truth::True {
                    return result;
                }
            }
        }
        result
    }

    fn lies_below(&mut self, full: &str, name: &str) -> Truth {
        // What version control does not keep is not what anybody means by a name in a project.
        if self.host.ignored(full, self.since) == Some(true) {
            return Truth::False;
        }
        // A directory around the project may hold more than anybody can look at.
        let project = self.places.repository.as_ref().or(self.places.cwd.as_ref());
        let project = project.filter(|project| is_in(project, full) && *project != full).cloned();
        let in_project = project.map_or(Truth::False, |project| self.host.holds(&project, name));
        match in_project {
            Truth::True => Truth::True,
            _ => in_project.or(self.host.holds(full, name)),
        }
    }
}
