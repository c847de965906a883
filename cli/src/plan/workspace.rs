//! A directory and what is in it, which nothing that goes through here can leave: every path is walked from a handle of
//! the directory, a name at a time, and no step follows a link by itself. A link is read and walked like a path that was
//! given, so that one which stays inside works, and one that leads out does not, whoever swaps what meanwhile.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// Files that are longer are not read.
pub const MAX_LENGTH: u64 = 16 << 20;
/// A path that leads through more links leads in a circle.
const MAX_LINKS: usize = 40;
/// No path has more names.
const MAX_NAMES: usize = 4_096;

/// Why something in the workspace cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The path leads out.
    #[error("`{0}` is outside of the workspace")]
    Outside(String),
    /// There is nothing of that name.
    #[error("there is no `{0}`")]
    Missing(String),
    /// Something is there already.
    #[error("`{0}` exists: edit it, or write it with `force` set to true in `kwargs`")]
    Exists(String),
    /// It is no file.
    #[error("`{path}` is {what}")]
    Wrong { path: String, what: &'static str },
    /// It is too long to be read.
    #[error("`{0}` is longer than 16 MiB")]
    TooLong(String),
    /// It is not what it was a moment ago.
    #[error("`{0}` changed while it was edited: read it again")]
    Changed(String),
    /// The system refuses.
    #[error("`{path}`: {reason}")]
    System { path: String, reason: String },
}

/// The directory that nothing leaves.
#[derive(Debug)]
pub struct Workspace {
    root: OwnedFd,
    path: PathBuf,
}

/// Where a path leads: a name in a directory that is held open.
struct Place {
    directory: OwnedFd,
    name: OsString,
    /// From the workspace, for people.
    shown: String,
}

/// What tells a file from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    device: u64,
    file: u64,
    length: i64,
    changed: (i64, u64),
}

/// A file that was read.
#[derive(Debug)]
pub struct Content {
    /// Where it is, from the workspace.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// What tells it from what it will be.
    pub version: Version,
}

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name.
    pub name: OsString,
    /// What it is of.
    pub kind: EntryKind,
}

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A file.
    File,
    /// A link.
    Link,
    /// A device, a pipe, a socket.
    Other,
}

impl Workspace {
    /// Holds a directory.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let root = rustix::fs::open(&path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { root, path })
    }

    /// Returns where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it lies outside, is none, or is too long.
    pub fn read(&self, path: &str) -> Result<Content, Trouble> {
        let place = self.resolve(path, false)?;
        // What is no file, such as a pipe, is opened without waiting for anybody.
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&place.directory, &place.name, flags, Mode::empty())
            .map_err(|error| place.trouble(error))?;
        let stat = rustix::fs::fstat(&file).map_err(|error| place.trouble(error))?;
        place.must_be_file(&stat)?;
        let mut bytes = Vec::new();
        let mut limited = File::from(file).take(MAX_LENGTH + 1);
        limited.read_to_end(&mut bytes).map_err(|error| place.io(&error))?;
        if bytes.len() as u64 > MAX_LENGTH {
            return Err(Trouble::TooLong(place.shown));
        }
        Ok(Content { version: Version::of(&stat), path: place.shown, bytes })
    }

    /// Writes a file that is not there yet, with the directories that it needs.
    ///
    /// # Errors
    /// When there is one, or the path leads out.
    pub fn create(&self, path: &str, bytes: &[u8]) -> Result<String, Trouble> {
        let place = self.resolve(path, true)?;
        let temporary = place.write_beside(bytes, Mode::from(0o666))?;
        let linked = rustix::fs::linkat(
            &place.directory,
            &temporary,
            &place.directory,
            &place.name,
            AtFlags::empty(),
        );
        let linked = match linked {
            // Some file systems have no second names.
            Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS | Errno::MLINK) => {
                place.write_new(bytes)
            }
            other => other.map_err(|error| place.trouble(error)),
        };
        let _ = rustix::fs::unlinkat(&place.directory, &temporary, AtFlags::empty());
        linked.map(|()| place.shown)
    }

    /// Puts a file in the place of what is there, if that is a file; `version`, where it is given, is what it must
    /// still be.
    ///
    /// # Errors
    /// When what is there is no file or another one, or the path leads out.
    pub fn replace(
        &self,
        path: &str,
        bytes: &[u8],
        version: Option<Version>,
    ) -> Result<String, Trouble> {
        let place = self.resolve(path, true)?;
        let before = match place.stat() {
            Ok(stat) => Some(stat),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(place.trouble(error)),
        };
        if let Some(stat) = &before {
            place.must_be_file(stat)?;
        }
        let mode = before.as_ref().map_or(Mode::from(0o666), |_| Mode::from(0o600));
        let temporary = place.write_beside(bytes, mode)?;
        let moved = place.put(&temporary, before.as_ref(), version);
        if moved.is_err() {
            let _ = rustix::fs::unlinkat(&place.directory, &temporary, AtFlags::empty());
        }
        moved.map(|()| place.shown)
    }

    /// Adds to the end of a file, which is made where there is none.
    ///
    /// # Errors
    /// When it is no file, or the path leads out.
    pub fn append(&self, path: &str, bytes: &[u8]) -> Result<(), Trouble> {
        let place = self.resolve(path, true)?;
        let flags = OFlags::WRONLY
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::NOCTTY
            | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&place.directory, &place.name, flags, Mode::from(0o600))
            .map_err(|error| place.trouble(error))?;
        let stat = rustix::fs::fstat(&file).map_err(|error| place.trouble(error))?;
        place.must_be_file(&stat)?;
        File::from(file).write_all(bytes).map_err(|error| place.io(&error))
    }

    /// Returns what is in a directory, by name.
    ///
    /// # Errors
    /// When it is none, or the path leads out.
    pub fn list(&self, path: &str) -> Result<Vec<Entry>, Trouble> {
        let (directory, shown) = self.directory(path)?;
        entries(&directory).map_err(|error| trouble(&shown, error))
    }

    /// Returns what a path of the workspace is of.
    ///
    /// # Errors
    /// When nothing is there, or the path leads out.
    pub fn kind(&self, path: &str) -> Result<EntryKind, Trouble> {
        let place = self.resolve(path, false)?;
        let stat = place.stat().map_err(|error| place.trouble(error))?;
        Ok(kind_of(FileType::from_raw_mode(stat.st_mode)))
    }

    /// Returns where a directory is, links followed: from the workspace, empty for that itself.
    ///
    /// # Errors
    /// When it is none, or the path leads out.
    pub fn where_is(&self, path: &str) -> Result<String, Trouble> {
        self.directory(path).map(|(_, shown)| shown)
    }

    /// Opens a directory, and says where it is from the workspace; empty for that itself.
    fn directory(&self, path: &str) -> Result<(OwnedFd, String), Trouble> {
        let place = self.resolve(path, false)?;
        let shown = if place.shown == "." { String::new() } else { place.shown.clone() };
        let directory = open_directory(&place.directory, &place.name);
        Ok((directory.map_err(|error| place.trouble(error))?, shown))
    }

    /// Calls `visit` with the path of each file in a directory and below, by name; links are not followed, and
    /// `skip` says which directories are left out. Ends where `visit` says so.
    ///
    /// # Errors
    /// When the directory is none, or the path leads out. What cannot be opened below is passed over.
    pub fn walk(
        &self,
        path: &str,
        skip: &dyn Fn(&OsStr) -> bool,
        visit: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), Trouble> {
        let (directory, shown) = self.directory(path)?;
        walk_below(&directory, &shown, 0, skip, visit);
        Ok(())
    }

    /// Walks a path, with links, as far as it stays inside. With `makes`, directories that are missing are made.
    fn resolve(&self, path: &str, makes: bool) -> Result<Place, Trouble> {
        let outside = || Trouble::Outside(path.to_owned());
        let mut left = names(self.inside(Path::new(path)).ok_or_else(outside)?.as_os_str());
        let mut way = Way { workspace: self, handles: Vec::new(), names: Vec::new() };
        let mut links = 0;
        while let Some(name) = left.pop_front() {
            if left.len() > MAX_NAMES {
                return Err(trouble(path, Errno::NAMETOOLONG));
            }
            if name == ".." {
                way.up().ok_or_else(outside)?;
                continue;
            }
            let is_last = left.is_empty();
            match way.link(&name) {
                Ok(Some(target)) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(trouble(path, Errno::LOOP));
                    }
                    let target = Path::new(&target);
                    if target.is_absolute() {
                        way.to_root();
                    }
                    let mut next = names(self.inside(target).ok_or_else(outside)?.as_os_str());
                    next.append(&mut left);
                    left = next;
                }
                Ok(None) if is_last => return way.place(name).map_err(|e| trouble(path, e)),
                Ok(None) => way.down(&name, makes).map_err(|error| trouble(path, error))?,
                Err(error) => return Err(trouble(path, error)),
            }
        }
        // The path is that of a directory that was walked through.
        way.here().map_err(|error| trouble(path, error))
    }

    /// The part of a path behind the workspace; `None` where it is absolute and lies elsewhere.
    fn inside<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        if path.is_absolute() { path.strip_prefix(&self.path).ok() } else { Some(path) }
    }
}

/// The names in a path, without those that lead nowhere.
fn names(path: &OsStr) -> VecDeque<OsString> {
    let names = path.as_bytes().split(|byte| *byte == b'/');
    let names = names.filter(|name| !name.is_empty() && *name != b".");
    names.map(|name| OsStr::from_bytes(name).to_owned()).collect()
}

/// How far a path was walked: the directories on the way, all held open.
struct Way<'w> {
    workspace: &'w Workspace,
    handles: Vec<OwnedFd>,
    names: Vec<OsString>,
}

impl Way<'_> {
    fn top(&self) -> &OwnedFd {
        self.handles.last().unwrap_or(&self.workspace.root)
    }

    fn up(&mut self) -> Option<()> {
        self.names.pop()?;
        self.handles.pop().map(drop)
    }

    fn to_root(&mut self) {
        self.names.clear();
        self.handles.clear();
    }

    /// What a name leads to, if it is one of a link.
    fn link(&self, name: &OsStr) -> Result<Option<OsString>, Errno> {
        match rustix::fs::readlinkat(self.top(), name, Vec::new()) {
            Ok(target) => Ok(Some(OsString::from_vec(target.into_bytes()))),
            // It is none, or there is nothing: whoever opens it finds out.
            Err(Errno::INVAL | Errno::NOENT) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn down(&mut self, name: &OsStr, makes: bool) -> Result<(), Errno> {
        let opened = match open_directory(self.top(), name) {
            Err(Errno::NOENT) if makes => {
                match rustix::fs::mkdirat(self.top(), name, Mode::from(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => open_directory(self.top(), name),
                    Err(error) => Err(error),
                }
            }
            opened => opened,
        };
        self.handles.push(opened?);
        self.names.push(name.to_owned());
        Ok(())
    }

    fn place(mut self, name: OsString) -> Result<Place, Errno> {
        let mut shown = self.names.iter().collect::<PathBuf>();
        shown.push(&name);
        let directory = match self.handles.pop() {
            Some(handle) => handle,
            None => rustix::io::dup(&self.workspace.root)?,
        };
        Ok(Place { directory, name, shown: shown.to_string_lossy().into_owned() })
    }

    fn here(mut self) -> Result<Place, Errno> {
        let shown = self.names.iter().collect::<PathBuf>().to_string_lossy().into_owned();
        let directory = match self.handles.pop() {
            Some(handle) => handle,
            None => rustix::io::dup(&self.workspace.root)?,
        };
        let shown = if shown.is_empty() { ".".to_owned() } else { shown };
        Ok(Place { directory, name: OsString::from("."), shown })
    }
}

impl Place {
    fn stat(&self) -> Result<Stat, Errno> {
        rustix::fs::statat(&self.directory, &self.name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn trouble(&self, error: Errno) -> Trouble {
        trouble(&self.shown, error)
    }

    fn io(&self, error: &io::Error) -> Trouble {
        let reason = crate::project::describe(error);
        Trouble::System { path: self.shown.clone(), reason }
    }

    fn must_be_file(&self, stat: &Stat) -> Result<(), Trouble> {
        let what = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => return Ok(()),
            FileType::Directory => "a directory",
            FileType::Symlink => "a link that somebody has just put there",
            _ => "no file",
        };
        Err(Trouble::Wrong { path: self.shown.clone(), what })
    }

    /// Writes a file under a name that nobody has, in the same directory.
    fn write_beside(&self, bytes: &[u8], mode: Mode) -> Result<OsString, Trouble> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!(".behavior-{}-{number}.tmp", std::process::id()));
        match self.write_as(&name, bytes, mode) {
            Ok(()) => Ok(name),
            Err(trouble) => {
                let _ = rustix::fs::unlinkat(&self.directory, &name, AtFlags::empty());
                Err(trouble)
            }
        }
    }

    fn write_new(&self, bytes: &[u8]) -> Result<(), Trouble> {
        self.write_as(&self.name, bytes, Mode::from(0o666))
    }

    fn write_as(&self, name: &OsStr, bytes: &[u8], mode: Mode) -> Result<(), Trouble> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.directory, name, flags, mode)
            .map_err(|error| self.trouble(error))?;
        let mut file = File::from(file);
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|error| self.io(&error))
    }

    /// Moves a file that was written beside the place there.
    fn put(
        &self,
        temporary: &OsStr,
        before: Option<&Stat>,
        version: Option<Version>,
    ) -> Result<(), Trouble> {
        if let Some(before) = before {
            let mode = Mode::from_raw_mode(before.st_mode & 0o7777);
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            rustix::fs::openat(&self.directory, temporary, flags, Mode::empty())
                .and_then(|file| rustix::fs::fchmod(file, mode))
                .map_err(|error| self.trouble(error))?;
        }
        if let Some(version) = version {
            let now = self.stat().map_err(|error| self.trouble(error))?;
            if Version::of(&now) != version {
                return Err(Trouble::Changed(self.shown.clone()));
            }
        }
        rustix::fs::renameat(&self.directory, temporary, &self.directory, &self.name)
            .map_err(|error| self.trouble(error))
    }
}

impl Version {
    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            file: stat.st_ino as u64,
            length: stat.st_size as i64,
            changed: (stat.st_mtime as i64, stat.st_mtime_nsec as u64),
        }
    }
}

fn open_directory(directory: &impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

fn trouble(path: &str, error: Errno) -> Trouble {
    let path = path.to_owned();
    match error {
        Errno::NOENT => Trouble::Missing(path),
        Errno::EXIST => Trouble::Exists(path),
        Errno::NOTDIR => Trouble::Wrong { path, what: "below something that is no directory" },
        Errno::ISDIR => Trouble::Wrong { path, what: "a directory" },
        Errno::LOOP => Trouble::Wrong { path, what: "a link that leads nowhere safe" },
        error => {
            let reason = crate::project::describe(&io::Error::from(error));
            Trouble::System { path, reason }
        }
    }
}

fn kind_of(kind: FileType) -> EntryKind {
    match kind {
        FileType::Directory => EntryKind::Directory,
        FileType::RegularFile => EntryKind::File,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Other,
    }
}

/// What is in a directory that is held open, by name.
fn entries(directory: &OwnedFd) -> Result<Vec<Entry>, Errno> {
    let mut found = Vec::new();
    for entry in rustix::fs::Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if matches!(name, b"." | b"..") {
            continue;
        }
        let name = OsStr::from_bytes(name).to_owned();
        let kind = match entry.file_type() {
            FileType::Unknown => {
                let stat = rustix::fs::statat(directory, &name, AtFlags::SYMLINK_NOFOLLOW);
                stat.map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
            }
            kind => kind,
        };
        found.push(Entry { name, kind: kind_of(kind) });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// Directories within directories that are walked: each is held open.
const MAX_DEPTH: usize = 100;

/// Walks a directory; false where `visit` has seen enough.
fn walk_below(
    directory: &OwnedFd,
    path: &str,
    depth: usize,
    skip: &dyn Fn(&OsStr) -> bool,
    visit: &mut dyn FnMut(&str) -> bool,
) -> bool {
    let join = |name: &OsStr| match path {
        "" => name.to_string_lossy().into_owned(),
        _ => format!("{path}/{}", name.to_string_lossy()),
    };
    for entry in entries(directory).unwrap_or_default() {
        let goes_on = match entry.kind {
            EntryKind::File => visit(&join(&entry.name)),
            EntryKind::Directory if depth < MAX_DEPTH && !skip(&entry.name) => {
                match open_directory(directory, &entry.name) {
                    Ok(below) => walk_below(&below, &join(&entry.name), depth + 1, skip, visit),
                    Err(_) => true,
                }
            }
            _ => true,
        };
        if !goes_on {
            return false;
        }
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is how a test fails")]
mod tests;
