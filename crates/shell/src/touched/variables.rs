//! Files that the environment of a command names, into which its program writes by itself.

use super::Search;
use super::file::{Effect, Extent};
use crate::directories::{Directory, join};
use crate::{Word, environment};

impl Search<'_> {
    /// What a command writes because of variables that the line sets for it: `GIT_TRACE=FILE git status`. Where a line sets
    /// so many that nobody says for what, all of them are set for it.
    pub(super) fn named_by_variables(&mut self, index: usize, directory: &Directory) {
        if !self.has_variables {
            return;
        }
        let line = self.line;
        let of_command = line.variables_for(index).map(|all| {
            all.into_iter().map(|set| (set.name, set.value)).collect::<Vec<(&str, Word)>>()
        });
        let all =
            || line.set_for.iter().map(|(_, name, value)| (line.text(name), *value)).collect();
        for (_, value) in of_command
            .unwrap_or_else(all)
            .into_iter()
            .filter(|(name, _)| environment::is_written(name))
        {
            let path = line.text(&value);
            // Numbers and words such as `true` switch on what is written to the standard error.
            if path.contains(['/', '.']) {
                self.add(
                    index,
                    Effect::Write,
                    Extent::Tree,
                    join(&directory.path, path),
                    value.is_glob(),
                );
            }
        }
    }
}
