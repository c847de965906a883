//! Files that the environment of a command names, into which its program writes by itself.

use super::Search;
use super::file::{Effect, Extent};
use crate::directories::{Directory, join};
use crate::environment;

impl Search<'_> {
    /// What a command writes because of variables that the line sets for it: `GIT_TRACE=FILE git status`.
    pub(super) fn named_by_variables(&mut self, index: usize, directory: &Directory) {
        let line = self.line;
        for set in line.variables_for(index).unwrap_or_default() {
            let path = line.text(&set.value);
            // Numbers and words such as `true` switch on what is written to the standard error.
            let is_path = path.contains(['/', '.']);
            if environment::is_written(set.name) && is_path {
                let path = join(&directory.path, path);
                self.add(index, Effect::Write, Extent::Tree, path, set.value.is_glob());
            }
        }
    }
}
