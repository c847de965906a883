//! Folders in a workspace, which agents may have put links in place of: nothing is made or looked for behind one.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The first part of a path below the workspace that is a link, or leads out of it.
pub fn first_link(workspace: &Path, path: &Path) -> Option<PathBuf> {
    let Ok(below) = path.strip_prefix(workspace) else { return Some(path.to_owned()) };
    let mut place = workspace.to_owned();
    for part in below.components() {
        match part {
            Component::Normal(name) => place.push(name),
            Component::CurDir => continue,
            _ => return Some(place.join(part)),
        }
        if fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_symlink()) {
            return Some(place);
        }
    }
    None
}

/// Makes a folder below the workspace, and those above it.
///
/// # Errors
/// When a link stands in the way, or it cannot be made.
pub fn make(workspace: &Path, folder: &Path) -> io::Result<()> {
    if let Some(link) = first_link(workspace, folder) {
        let link = link.strip_prefix(workspace).unwrap_or(&link);
        let told = format!("`{}` is a link: put a folder in its place", link.display());
        return Err(io::Error::other(told));
    }
    fs::create_dir_all(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{first_link, make};

    #[test]
    fn nothing_is_made_behind_a_link() {
        let root = std::env::temp_dir().join(format!("behavior-folders-{}", std::process::id()));
        let (workspace, outside) = (root.join("w"), root.join("out"));
        fs::create_dir_all(workspace.join("in")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        symlink(&outside, workspace.join("a")).unwrap();
        symlink(workspace.join("in"), workspace.join("b")).unwrap();
        for link in ["a", "b"] {
            let error = make(&workspace, &workspace.join(link).join("c/d")).unwrap_err();
            assert!(error.to_string().contains(&format!("`{link}` is a link")), "{error}");
        }
        assert!(!outside.join("c").exists() && !workspace.join("in/c").exists());
        assert!(make(&workspace, &workspace.join("c/d")).is_ok());
        assert!(first_link(&workspace, &workspace.join("../out")).is_some());
        fs::remove_dir_all(root).unwrap();
    }
}
