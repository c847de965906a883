//! Whether a push publishes anything, or takes anything away: one to a folder of this machine that does not last does neither;
//! one to a folder in the session's own repository publishes nothing, and may take a branch away there.

use behavior_image::code::PathKind;
use behavior_shell::HOLE;

use super::Machine;
use behavior_facts::commands::remote::{Remote, folder};
use behavior_facts::touched::TouchedFile;
use behavior_facts::truth::Truth;

/// Where a push may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// To what does not last, and into the session's own repository.
    Here,
    /// To what does not last.
    Scratch,
}

impl Machine<'_> {
    /// Whether a command of the line that was read pushes nowhere else.
    pub(super) fn stays_here(&mut self, command: u32) -> bool {
        self.pushes_only_to(command, Places::Here)
    }

    /// Whether a command of the line that was read pushes to what does not last, and nowhere else.
    pub(super) fn pushes_to_scratch(&mut self, command: u32) -> bool {
        self.pushes_only_to(command, Places::Scratch)
    }

    fn pushes_only_to(&mut self, command: u32, places: Places) -> bool {
        match self.scratch.shell.remote_of(self.image, command) {
            Some(Remote::Folder(path)) => self
                .directory_of_command(command)
                .is_some_and(|directory| self.is_in(places, &directory, &path)),
            Some(Remote::Named) => self.all_remotes_are_in(places, command),
            None => false,
        }
    }

    /// Whether each remote that the repository has in which a command runs, or that the line gives it, is in some places.
    fn all_remotes_are_in(&mut self, places: Places, command: u32) -> bool {
        let Some(directory) = self.directory_of_command(command) else { return false };
        let mut is_some = false;
        for set_up in self.scratch.shell.remotes_set_up(self.image) {
            let Some(from) = self.directory_of_command(set_up.command) else { return false };
            if let Some(into) = set_up.into {
                let made = self.full(&from, &into);
                let is_it = made.is_some_and(|made| {
                    directory
                        .strip_prefix(&*made)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                });
                if !is_it {
                    continue;
                }
            }
            if !set_up.folder.is_some_and(|folder| self.is_in(places, &from, &folder)) {
                return false;
            }
            is_some = true;
        }
        let Some(root) = self.path_matcher().repository_of(&directory) else { return is_some };
        // Where none is noted, the line names one.
        let Some(known) = self.host.remotes_in(&root) else { return false };
        (is_some || !known.is_empty())
            && known
                .iter()
                .all(|url| folder(url).is_some_and(|path| self.is_in(places, &root, &path)))
    }

    /// Whether a folder, as seen from another, lies in some places.
    fn is_in(&mut self, places: Places, from: &str, path: &str) -> bool {
        let Some(full) = self.full(from, path) else { return false };
        let mut matcher = self.path_matcher();
        places == Places::Here && matcher.places.is_inside(&full)
            || matcher.is_kind(&full, PathKind::Scratch) == Truth::True
    }

    fn directory_of_command(&mut self, command: u32) -> Option<String> {
        let path = self.scratch.shell.directory_of(self.image, command)?;
        let cwd = self.context.params.working_directory().to_owned();
        self.full(&cwd, &path)
    }

    /// A path as seen from the root, where all of it is known.
    fn full(&mut self, from: &str, path: &str) -> Option<String> {
        let file =
            TouchedFile { path: path.to_owned(), may_split: false, ..TouchedFile::unknown() };
        let full = self.path_matcher().places.locate(file.run_in(from)).full;
        (!full.contains(HOLE)).then_some(full)
    }
}
