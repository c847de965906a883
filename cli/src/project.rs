//! The project on disk: the compiler's files come from here, and discovery looks here.

use std::path::{Path, PathBuf};

use behavior_compiler::provider::WithLibrary;
use behavior_compiler::{ReadError, SourceProvider};

/// Rule files larger than this are not read into memory; the compiler refuses them anyway.
const LARGEST_FILE: u64 = 64 << 20;

/// Reads files as they are on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl SourceProvider for Disk {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => ReadError::NotFound,
            _ => ReadError::Failed(describe(&error)),
        };
        let metadata = std::fs::metadata(name).map_err(failed)?;
        if metadata.is_dir() {
            return Err(ReadError::Failed("it is a directory".to_owned()));
        }
        if metadata.len() > LARGEST_FILE {
            return Err(ReadError::Failed("it is too large for a rule file".to_owned()));
        }
        std::fs::read(name).map_err(failed)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        let directory = if directory.is_empty() { "." } else { directory };
        let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn has_secret(&self, name: &str) -> bool {
        std::env::var_os(name).is_some()
    }
}

/// The files on disk, with the standard library.
#[must_use]
pub fn provider() -> WithLibrary<Disk> {
    WithLibrary { library: behavior_stdlib::file, presets: behavior_stdlib::PRESETS, project: Disk }
}

/// The first `behavior.yaml` from the working directory upwards, as a short path.
#[must_use]
pub fn discover() -> Option<String> {
    let start = std::env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for directory in start.ancestors() {
        if directory.join("behavior.yaml").is_file() {
            return Some(display(&up.join("behavior.yaml")));
        }
        up.push("..");
    }
    None
}

/// A path as users write it.
#[must_use]
pub fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What went wrong with a file, in lower case and without the system's error number.
#[must_use]
pub fn describe(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "reading it is not permitted".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text);
            text.to_lowercase()
        }
    }
}
