//! A folder of the project's that is called as the one where rules lie: no agent may write there.

use std::path::Path;

use behavior_compiler::project::FOLDER;

use crate::terminal::Terminal;

/// Endings of what may belong to rules.
const OF_RULES: [&str; 5] = ["toml", "yaml", "yml", "json", "md"];

/// Says it where the project has such a folder with files that are no rules.
pub fn tell(project: &Path, terminal: &Terminal) {
    let Some(other) = other_file(&project.join(FOLDER)) else { return };
    terminal.note(&format!(
        "`{FOLDER}/` holds what is no rule, such as `{other}`. The rules of a project lie in a folder of that name, so that \
         agents may change nothing in it: call it otherwise where they are to work there"
    ));
}

/// A file in a folder that can be no rule file.
fn other_file(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut others: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter(|entry| {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            !OF_RULES.contains(&ending)
        })
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    others.sort_unstable();
    others.into_iter().find(|name| !name.starts_with('.'))
}
