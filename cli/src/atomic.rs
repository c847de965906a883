//! Files written whole or not at all, so that nobody ever reads half of one.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::project;

/// Writes a file beside the place where it belongs and moves it there. A link stays, and what it leads
/// to is written; who may do what with a file that is there stays, too. Folders must be there.
///
/// # Errors
/// When the system refuses; what was there is then as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &target(path)?;
    let before = fs::metadata(path).ok();
    // A device or a pipe is written to, not replaced.
    if before.as_ref().is_some_and(|before| !before.is_file() && !before.is_dir()) {
        return fs::write(path, bytes);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if before.is_some() {
        // What others may not read they may not read meanwhile either.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let written = options.open(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Writes a file as [`write()`] does, if it is one of the repository that its path lies in: whoever made that could else choose, with
/// a link, which of the user's files is written.
///
/// # Errors
/// When a link leads out of the repository, or the system refuses.
pub fn write_inside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    stays_inside(path)?;
    write(path, bytes)
}

/// Refuses a path that lies in a repository by its words, and elsewhere once its links are followed.
///
/// # Errors
/// When it does.
pub fn stays_inside(path: &Path) -> io::Result<()> {
    let reason =
        "a link leads out of the repository: name the file that it leads to, or remove the link";
    if leads_out(path) { Err(io::Error::new(io::ErrorKind::InvalidInput, reason)) } else { Ok(()) }
}

fn leads_out(path: &Path) -> bool {
    let Ok(whole) = std::path::absolute(path) else { return false };
    let Some(root) = whole.ancestors().skip(1).find(|above| project::is_repository(above)) else {
        return false;
    };
    let place = target(&whole).unwrap_or_else(|_| whole.clone());
    let folder = place.parent().unwrap_or(&place);
    // Where folders are missing yet, those that are there decide.
    let real = folder.ancestors().find_map(|above| above.canonicalize().ok());
    real.zip(root.canonicalize().ok()).is_some_and(|(real, root)| !real.starts_with(root))
}

/// The file that a path leads to; a link may lead to one that is not there yet.
fn target(path: &Path) -> io::Result<PathBuf> {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(path.to_owned());
    }
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path)?))
        }
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = std::env::temp_dir().join(format!("behavior-atomic-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "old").expect("writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("ours");
        symlink("file", &link).expect("a link");
        write(&link, b"new").expect("written");
        assert_eq!(fs::read(&file).expect("there"), b"new");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        symlink("later", folder.join("dangling")).expect("a link");
        write(&folder.join("dangling"), b"made").expect("written");
        assert_eq!(fs::read(folder.join("later")).expect("there"), b"made");
        assert!(write(&folder.join("no/such/folder"), b"").is_err());
        assert!(write_inside(&folder.join("dangling"), b"made").is_ok(), "no repository");
        assert_eq!(fs::read_dir(&folder).expect("there").count(), 4, "nothing else is left");
        fs::remove_dir_all(&folder).expect("ours");
    }

    #[test]
    #[cfg(unix)]
    fn links_out_of_a_repository_are_not_written_through() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("behavior-inside-{}", std::process::id()));
        let (root, other) = (folder.join("repo"), folder.join("other"));
        fs::create_dir_all(root.join(".git/objects")).expect("a folder");
        fs::create_dir_all(&other).expect("a folder");
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main").expect("writable");
        fs::write(other.join("file"), "old").expect("writable");
        symlink("../other/file", root.join("link")).expect("a link");
        symlink("../other/none", root.join("dangling")).expect("a link");
        symlink("../other", root.join("folder")).expect("a link");
        symlink("own", root.join("inner")).expect("a link");
        for name in ["link", "dangling", "folder/file", "folder/new", "folder/a/b"] {
            assert!(write_inside(&root.join(name), b"new").is_err(), "{name}");
        }
        for name in ["inner", "own", "plain"] {
            assert!(write_inside(&root.join(name), b"new").is_ok(), "{name}");
        }
        assert_eq!(fs::read(other.join("file")).expect("there"), b"old");
        assert_eq!(fs::read_dir(&other).expect("there").count(), 1);
        fs::remove_dir_all(&folder).expect("ours");
    }
}
