//! Whether a directory holds something of a name, at whatever depth. Looked for only when the directory is deleted.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// No more directories are looked into: beyond this, nobody can tell.
const MAX_DIRECTORIES: usize = 50_000;

/// Nor for longer.
const MAX_TIME: Duration = Duration::from_millis(600);

/// Directories of what others wrote, and of version control.
const PASSED_BY: [&str; 2] = [".git", "node_modules"];

/// Returns whether something lies at `tail` below a directory; `None` where there is too much to look at. Links are not
/// followed, since what they lead to is not deleted with them.
#[must_use]
pub fn holds(directory: &Path, tail: &Path) -> Option<bool> {
    let began = Instant::now();
    let mut directories = vec![directory.to_owned()];
    let mut next = 0;
    while let Some(directory) = directories.get(next).cloned() {
        if std::fs::symlink_metadata(directory.join(tail)).is_ok() {
            return Some(true);
        }
        directories.extend(inner(&directory));
        next += 1;
        if directories.len() > MAX_DIRECTORIES || began.elapsed() > MAX_TIME {
            return None;
        }
    }
    Some(false)
}

/// The directories in a directory; none of one that cannot be seen.
fn inner(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| {
        let is_passed_by = PASSED_BY.iter().any(|name| entry.file_name() == *name);
        !is_passed_by && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    directories.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::holds;

    #[test]
    fn what_lies_deep_in_a_directory_is_found() {
        let root = std::env::temp_dir().join(format!("behavior-below-{}", std::process::id()));
        for folder in ["db/app/migrations", "node_modules/x/other", "empty"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        let check = |directory: &str, tail: &str, expect: bool| {
            let found = holds(&root.join(directory), Path::new(tail));
            assert_eq!(found, Some(expect), "{tail} in {directory}");
        };
        check("", "migrations", true);
        check("db", "app/migrations", true);
        check("empty", "migrations", false);
        check("", "other", false);
        check("absent", "migrations", false);
        std::fs::remove_dir_all(&root).unwrap();
    }
}
