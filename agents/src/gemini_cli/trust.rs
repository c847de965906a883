//! In which folders Gemini CLI runs hooks of a project: those that its user trusts. As of 0.61; how it looks them up
//! is in its sources (`cli/src/config/trustedFolders.ts`).

use std::path::Path;

use crate::gemini_cli::install::{SETTINGS, TRUSTED_FOLDERS};
use crate::own::{Effect, Hindrance, Installation};
use crate::tree::Node;

/// Returns why Gemini CLI does not run our hooks in a file.
pub(crate) fn hindrances(installation: &Installation<'_>) -> Vec<Hindrance> {
    let Some(project) = installation.project else { return Vec::new() };
    let is_off = |settings: Node| {
        settings.at(&["security", "folderTrust", "enabled"]).is_some_and(|node| node.is(false))
    };
    if installation.user_file(SETTINGS).is_some_and(is_off) {
        return Vec::new();
    }
    let folders = installation.user_file(TRUSTED_FOLDERS);
    let verdict = folders.as_ref().and_then(|folders| verdict(folders, Path::new(project)));
    // Where it never asked for trust, it may be of before it did so.
    let (effect, what) = match (verdict, folders) {
        (Some(true), _) => return Vec::new(),
        (Some(false), _) => (Effect::Silences, "was told not to trust this folder"),
        (None, Some(_)) => (Effect::Silences, "was not told to trust this folder"),
        (None, None) => (Effect::Weakens, "was not told to trust any folder"),
    };
    let message = format!(
        "Gemini CLI {what}, so it takes no hooks of it: trust it there with `/permissions`, or set \
         `GEMINI_CLI_TRUST_WORKSPACE=true` for it"
    );
    vec![Hindrance::new(1, effect, message)]
}

/// What the user said of a folder: the entry with the longest path that it is in counts.
fn verdict(folders: &Node, project: &Path) -> Option<bool> {
    let levels = folders.members().iter().filter_map(|(path, level)| {
        let level = level.text()?;
        let root = match level {
            "TRUST_PARENT" => Path::new(path).parent()?,
            _ => Path::new(path),
        };
        project.starts_with(root).then_some((path.len(), level != "DO_NOT_TRUST"))
    });
    levels.max_by_key(|(length, _)| *length).map(|(_, is_trusted)| is_trusted)
}
