//! Copies of the standard library's files on disk, for editors, and a page on each kind of diagnostic: who asks where a
//! built-in rule comes from, or what a diagnostic means, is shown it. Nothing reads them back; what decides is the data in the program.

use std::path::{Path, PathBuf};

use behavior_compiler::registry::diagnostics;
use behavior_compiler::registry::page::page;

use crate::live::cache_directory;
use crate::{atomic, project};

/// Writes the copies where they are missing or different; answers with their folder, if all are there.
#[must_use]
pub fn shown() -> Option<String> {
    let cache = cache_directory(|name| std::env::var_os(name))?;
    let folder = cache.join("library").join(env!("CARGO_PKG_VERSION"));
    for (name, text) in behavior_stdlib::files() {
        write(&folder.join(name), text)?;
    }
    for kind in diagnostics::ALL {
        write(&folder.join(format!("diagnostics/{}.md", kind.name)), &page(kind, "#"))?;
    }
    Some(project::display(&whole(&folder)))
}

fn write(path: &Path, text: &str) -> Option<()> {
    if std::fs::read(path).is_ok_and(|held| held == text.as_bytes()) {
        return Some(());
    }
    // Some files stand in folders of their own.
    std::fs::create_dir_all(path.parent()?).ok()?;
    atomic::write(path, text.as_bytes()).ok()?;
    // Who can write to it all the same only deceives themselves.
    let mut permissions = std::fs::metadata(path).ok()?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(path, permissions).ok()
}

fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
