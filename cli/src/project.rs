//! The project on disk: the compiler's files come from here, and discovery looks here.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
        read_once(name).map_err(failed)
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

/// The bytes of a file. A pipe gives its bytes only once, and some files are looked at again, so what
/// came out of one is kept.
///
/// # Errors
/// When it cannot be read.
pub fn read_once(name: &str) -> std::io::Result<Vec<u8>> {
    static PIPES: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    if std::fs::metadata(name)?.is_file() {
        return std::fs::read(name);
    }
    let Ok(mut pipes) = PIPES.lock() else { return std::fs::read(name) };
    if let Some(bytes) = pipes.get(name) {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(name)?.take(LARGEST_FILE).read_to_end(&mut bytes)?;
    pipes.insert(name.to_owned(), bytes.clone());
    Ok(bytes)
}

/// The files on disk, with the standard library.
#[must_use]
pub fn provider() -> WithLibrary<Disk> {
    WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: Disk,
    }
}

/// The first `behavior.yaml` from the working directory upwards, as a short path. One that is there and
/// cannot be read is found too: rules that somebody wrote are not passed over.
#[must_use]
pub fn discover() -> Option<String> {
    let start = std::env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for directory in start.ancestors() {
        if has_config(directory) {
            return Some(display(&up.join("behavior.yaml")));
        }
        up.push("..");
    }
    None
}

/// Whether a directory has a `behavior.yaml`, be it one that cannot be read.
#[must_use]
pub fn has_config(directory: &Path) -> bool {
    directory.join("behavior.yaml").symlink_metadata().is_ok()
}

/// Where the administrator's policy is.
const ADMINISTRATORS: &str = "/etc/behavior/policy.toml";

/// The administrator's policy, where there is one. It always holds.
#[must_use]
pub fn administrators_policy() -> Option<String> {
    existing(PathBuf::from(ADMINISTRATORS))
}

/// Where the user's own files are.
#[must_use]
pub fn users_directory() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name).map(PathBuf::from).filter(|directory| directory.is_absolute())
    };
    let home = || absolute("HOME").map(|home| home.join(".config"));
    Some(absolute("XDG_CONFIG_HOME").or_else(home)?.join("behavior"))
}

/// The user's own policy, where there is one.
#[must_use]
pub fn users_policy() -> Option<String> {
    existing(users_directory()?.join("policy.toml"))
}

/// The project's policy: beside its `behavior.yaml`, and where there is none, in the first directory
/// upwards that has one.
#[must_use]
pub fn projects_policy(config: Option<&str>) -> Option<String> {
    const PLACE: &str = "behavior/policy.toml";
    if let Some(config) = config {
        return existing(Path::new(config).parent().unwrap_or(Path::new("")).join(PLACE));
    }
    let start = std::env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for directory in start.ancestors() {
        if let Some(found) = existing(directory.join(PLACE)).map(|_| up.join(PLACE)) {
            return Some(display(&found));
        }
        up.push("..");
    }
    None
}

/// The project's trace policies, `behavior/*.policy.yaml` beside its `behavior.yaml`, in the order of
/// their names.
#[must_use]
pub fn trace_policies(config: Option<&str>) -> Vec<String> {
    const ENDINGS: [&str; 3] = [".policy.yaml", ".policy.yml", ".policy.json"];
    let Some(config) = config else { return Vec::new() };
    let directory = Path::new(config).parent().unwrap_or(Path::new("")).join("behavior");
    let is_one = |name: &String| ENDINGS.iter().any(|ending| name.ends_with(ending));
    let names = Disk.list(&display(&directory));
    names.iter().filter(|name| is_one(name)).map(|name| display(&directory.join(name))).collect()
}

/// The path of a file that is there. One that cannot be read is there too, and is not passed over.
fn existing(path: PathBuf) -> Option<String> {
    match std::fs::symlink_metadata(&path) {
        Ok(_) => Some(display(&path)),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Some(display(&path)),
        Err(_) => None,
    }
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
