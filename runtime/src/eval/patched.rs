//! What a patch changes that lies in a file: a command names the file, and the patch in it names others.

use behavior_shell::patch;
use behavior_shell::touched::{Effect, Extent};

use super::Machine;
use behavior_facts::touched::TouchedFile;

/// No more files with patches are looked into.
const MAX_PATCHES: usize = 16;

impl Machine<'_> {
    /// The files that patches change which the line that was read applies, out of those that it touches.
    pub(super) fn patched(&mut self, files: &[(u32, TouchedFile)]) -> Vec<TouchedFile> {
        let patching = self.scratch.shell.patching();
        let mut found = Vec::new();
        for (command, input, parts) in patching.into_iter().take(MAX_PATCHES) {
            let folder = self.scratch.shell.directory_of(self.image, command);
            let folder = folder.unwrap_or_else(|| ".".to_owned());
            let directory = self.context.params.working_directory().to_owned();
            let is_patch = |(by, file): &&(u32, TouchedFile)| {
                let is_own = *by == command || input.contains(by);
                is_own && file.effect == Some(Effect::Read) && file.is_known()
            };
            for (_, file) in files.iter().filter(is_patch).take(MAX_PATCHES) {
                let matcher = self.path_matcher();
                let full = matcher.places.locate(file.clone()).full;
                let Some(text) = matcher.host.text(&full) else { continue };
                let named = patch::files(&text).into_iter();
                let parts = parts.map(|parts| patch::files_without(&text, parts));
                let changed = named.chain(parts.unwrap_or_default());
                found.extend(changed.map(|(effect, path)| {
                    let touched = TouchedFile {
                        effect: Some(effect),
                        extent: Extent::File,
                        path: path.to_owned(),
                        may_split: false,
                        ..TouchedFile::unknown()
                    };
                    touched.run_in(&folder).run_in(&directory)
                }));
            }
        }
        found
    }
}
