//! Takes the control file that a step left. Agents write it, so that it may be anything: half a file, a link, a pipe,
//! gigabytes. It is moved into the folder of the run before it is looked at, so that a request never acts twice.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::folders;
use crate::project::describe;

/// The most bytes of a control file.
const MAX_BYTES: u64 = 1 << 20;
/// Where control files are.
pub const USUAL: &str = ".behavior/memory/behavior.json";
/// Where else they are looked for.
const OTHERS: [&str; 2] = ["radium/.radium/memory/behavior.json", ".radium/memory/behavior.json"];

/// What a step left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// A text.
    Text(String),
    /// Something that cannot be read, for this reason.
    Unreadable(String),
}

/// The places of control files in a workspace.
#[derive(Clone, Debug)]
pub struct Places {
    workspace: PathBuf,
    names: Vec<String>,
}

impl Places {
    /// Takes the places in a workspace, which is a path with its links resolved; `configured` is the one that the
    /// config names.
    #[must_use]
    pub fn new(workspace: &Path, configured: Option<String>) -> Self {
        let first = configured.unwrap_or_else(|| USUAL.to_owned());
        let names = std::iter::once(first).chain(OTHERS.map(str::to_owned)).collect();
        Self { workspace: workspace.to_owned(), names }
    }

    /// Returns the path at which agents are told to leave it.
    #[must_use]
    pub fn told(&self) -> PathBuf {
        self.workspace.join(self.names.first().map_or(USUAL, String::as_str))
    }

    /// Makes the folder in which agents leave it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn prepare(&self) -> io::Result<()> {
        let told = self.told();
        folders::make(&self.workspace, told.parent().unwrap_or(&self.workspace))
    }

    /// Moves what is there to `kept`, and reads it. Of several, the first counts; the others are moved as well, and named
    /// in `ignored`.
    ///
    /// # Errors
    /// When something is there and cannot be moved: it would be read again after the next step.
    pub fn take(&self, kept: &Path, ignored: &mut Vec<String>) -> io::Result<Left> {
        let mut left = Left::Nothing;
        for (number, name) in self.names.iter().enumerate() {
            let place = self.workspace.join(name);
            match fs::symlink_metadata(&place) {
                Ok(_) => {}
                Err(error) if is_missing(&error, &place, &self.workspace) => continue,
                Err(error) => {
                    let why = describe(&error);
                    let found = Left::Unreadable(format!("`{name}` cannot be looked for: {why}"));
                    if left == Left::Nothing {
                        left = found;
                    }
                    continue;
                }
            }
            let kept = match number {
                0 => kept.to_owned(),
                _ => kept.with_extension(format!("{number}.json")),
            };
            let folder = place.parent().unwrap_or(&self.workspace);
            // Nothing outside is touched, nor what lies elsewhere in the workspace.
            let found = if !self.is_inside(folder) {
                Left::Unreadable(format!("`{name}` lies outside of the workspace"))
            } else if folders::first_link(&self.workspace, folder).is_some() {
                Left::Unreadable(format!("`{name}` lies behind a link"))
            } else {
                move_to(&place, &kept)?;
                read(&kept, name)
            };
            match left {
                Left::Nothing => left = found,
                _ => ignored.push(name.clone()),
            }
        }
        Ok(left)
    }

    /// Whether a folder is inside of the workspace, wherever links lead.
    fn is_inside(&self, folder: &Path) -> bool {
        let folder = folder.canonicalize().ok();
        folder.is_some_and(|folder| folder.starts_with(&self.workspace))
    }
}

/// Whether nothing is at a place: no folder on its way is something else, or leads nowhere.
fn is_missing(error: &io::Error, place: &Path, workspace: &Path) -> bool {
    let folders = place.ancestors().skip(1).take_while(|folder| *folder != workspace);
    let is_plain = |folder: &Path| match fs::symlink_metadata(folder) {
        Ok(found) => found.is_dir() || folder.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    error.kind() == io::ErrorKind::NotFound && folders.into_iter().all(is_plain)
}

/// Moves whatever is at a place; a link itself, not what it leads to.
fn move_to(place: &Path, kept: &Path) -> io::Result<()> {
    match fs::rename(place, kept) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let is_small = fs::symlink_metadata(place)
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BYTES);
            if is_small {
                fs::copy(place, kept)?;
            } else {
                fs::write(kept, "")?;
            }
            fs::remove_file(place)
        }
        moved => moved,
    }
}

fn read(path: &Path, name: &str) -> Left {
    let unreadable = |reason: String| Left::Unreadable(format!("`{name}` {reason}"));
    match fs::symlink_metadata(path) {
        Err(error) => return unreadable(format!("cannot be read: {}", describe(&error))),
        Ok(metadata) if metadata.is_symlink() => return unreadable("is a link".to_owned()),
        Ok(metadata) if !metadata.is_file() => return unreadable("is no regular file".to_owned()),
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            return unreadable(format!("is larger than {} KiB", MAX_BYTES >> 10));
        }
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let opened = open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    if let Err(error) = opened {
        return unreadable(format!("cannot be read: {}", describe(&error)));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return unreadable(format!("is larger than {} KiB", MAX_BYTES >> 10));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Left::Text(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to() + 1;
            unreadable(format!("is not UTF-8: byte {at} is not part of a character"))
        }
    }
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = crate::live::store::files::WITHOUT_SURPRISES;
    fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<fs::File> {
    fs::File::open(path)
}
