//! Files written whole or not at all, so that nobody ever reads half of one.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
        assert_eq!(fs::read_dir(&folder).expect("there").count(), 4, "nothing else is left");
        fs::remove_dir_all(&folder).expect("ours");
    }
}
