//! Scripts that a command line runs and that the session itself wrote before: what stands in them is read as a part of the
//! line. Those of others are not looked at.

use behavior_image::Image;
use behavior_image::code::PathUse;
use behavior_image::format::{Section, SetRecord};
use behavior_shell::{HOLE, Opaque, Script};

use super::Machine;
use super::spared::sets_of;
use crate::path_match::held;
use crate::state::{State, TrackedSet};
use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::touched::TouchedFile;

/// A script may run another one, and that a third.
const MAX_ROUNDS: usize = 4;
/// No more scripts of one line are read.
const MAX_SCRIPTS: usize = 16;
/// So much of a script is read, in bytes: most are much shorter.
const MAX_SCRIPT: usize = 64 << 10;
/// So much of all scripts of one line together.
const MAX_ALL: usize = 128 << 10;

/// Whether a set holds what the session wrote, and nothing that it only read.
fn takes_written(record: &SetRecord) -> bool {
    let is_in = |one: PathUse| one.is_in(record.paths);
    (is_in(PathUse::Written) || is_in(PathUse::Made)) && !is_in(PathUse::Read)
}

/// Whether rules tell which files a session wrote, so that its scripts are followed.
pub(crate) fn follows_scripts(image: &Image) -> bool {
    let count = image.rows::<SetRecord>(Section::Sets);
    (0..count).any(|set| takes_written(&image.view().row(Section::Sets, set)))
}

/// The sets that hold what the session wrote.
fn written_sets<'s>(image: &'s Image, state: &'s State) -> impl Iterator<Item = &'s TrackedSet> {
    let view = image.view();
    let sets = (0..).zip(&state.sets);
    let takes =
        move |(index, _): &(u32, &TrackedSet)| takes_written(&view.row(Section::Sets, *index));
    sets.filter(takes).map(|(_, set)| set)
}

/// Whether the session wrote any file.
pub(crate) fn has_written(image: &Image, state: &State) -> bool {
    written_sets(image, state).any(|set| set.len() != 0)
}

/// Whether a file in a folder that nobody knows is among those that are known.
fn is_found_already(path: &str, known: &[Script]) -> bool {
    let Some(below) = path.strip_prefix(HOLE) else { return false };
    let is_it = |script: &Script| {
        script.path.ends_with(below) || Some(script.path.as_str()) == below.strip_prefix('/')
    };
    known.iter().any(is_it)
}

impl Machine<'_> {
    /// Reads the command line of a call together with the scripts that it runs and the session wrote. What follows asks
    /// about that.
    #[cold]
    pub fn follow_scripts(&mut self) {
        let line = self.context.params.command_line(COMMAND_PARAMS[0], self.context.is_shell);
        let Some(line) = line.flatten() else { return };
        self.scratch.shell.follow(self.image, line, Vec::new());
        let mut known: Vec<Script> = Vec::new();
        let mut asked = Vec::new();
        let mut left = MAX_ALL;
        // A line of which nobody knows all is asked about as it is.
        if self.scratch.shell.line().problem().is_some() {
            return;
        }
        for _ in 0..MAX_ROUNDS {
            let before = known.len();
            for (path, file) in self.scratch.shell.wanted_scripts(self.image) {
                if known.len() >= MAX_SCRIPTS || asked.contains(&(path.clone(), file.path.clone()))
                {
                    continue;
                }
                asked.push((path.clone(), file.path.clone()));
                // It was found beside another one, or where the line runs.
                if is_found_already(&path, &known) {
                    continue;
                }
                let Some((text, is_own)) = self.script(file, MAX_SCRIPT.min(left)) else {
                    continue;
                };
                left -= text.len();
                known.push(Script { path, text, is_own });
            }
            if known.len() == before {
                return;
            }
            self.scratch.shell.follow(self.image, line, known.clone());
            if self.scratch.shell.line().problem() == Some(Opaque::TooLarge) {
                // What the line itself does is not to be missed for that.
                return self.scratch.shell.follow(self.image, line, Vec::new());
            }
        }
    }

    /// What stands in a file that the session wrote, of at most so many bytes, and whether the session made it.
    fn script(&mut self, file: TouchedFile, most: usize) -> Option<(String, bool)> {
        let mut file = file.run_in(self.context.params.working_directory());
        let (image, state) = (self.image, self.state);
        let matcher = self.path_matcher();
        // What lies in a folder that nobody knows is looked for in the repository.
        if let Some(below) = file.path.strip_prefix(HOLE).and_then(|path| path.strip_prefix('/')) {
            file.path = matcher.places.in_repository(below)?;
        }
        let full = matcher.places.locate(file).full;
        if full.contains(HOLE) {
            return None;
        }
        let key = held::canonical(full.clone(), matcher.host);
        if !written_sets(image, state).any(|set| set.contains(&key)) {
            return None;
        }
        let is_made = sets_of(&matcher, PathUse::Made).any(|set| set.contains(&key));
        let mut text = matcher.host.text(&full)?;
        text.truncate(text.floor_char_boundary(most));
        Some((text, is_made))
    }
}
