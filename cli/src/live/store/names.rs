//! The names of a session's files.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{StoreError, failed};

/// Ends the name of the file that holds the states.
pub const SESSION: &str = "session";
/// Ends the name of the lock's file.
pub const LOCK: &str = "lock";
/// Ends the name of a file that is to take the session's place.
pub const NEW: &str = "new";
/// Ends the name of a file that was set aside.
pub const DAMAGED: &str = "damaged";

/// End the names of the two files of what a session has met, one of which holds.
pub const TARGETS: [&str; 2] = ["targets", "targets2"];

/// Which session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The agent's name, such as `claude-code`.
    pub agent: String,
    /// The id that the agent gave the session.
    pub session: String,
    /// The id of the sub-agent, where it is one's own state.
    pub sub_agent: Option<String>,
}

/// The files of a session.
#[derive(Clone, Debug)]
pub struct Paths {
    pub session: PathBuf,
    pub lock: PathBuf,
    pub new: PathBuf,
    pub damaged: PathBuf,
    pub targets: [PathBuf; 2],
}

impl Paths {
    /// The files of the session with this key.
    pub fn of(key: &Key, directory: &Path) -> Self {
        let mut stem = OsString::from(directory);
        stem.push(std::path::MAIN_SEPARATOR_STR);
        stem.push(file_stem(key));
        Self::of_stem(stem)
    }

    fn of_stem(stem: OsString) -> Self {
        let with = |extension: &str| {
            let mut path = stem.clone();
            path.push(".");
            path.push(extension);
            PathBuf::from(path)
        };
        Self {
            session: with(SESSION),
            lock: with(LOCK),
            new: with(NEW),
            damaged: with(DAMAGED),
            targets: TARGETS.map(with),
        }
    }

    /// The files of the session that one of them belongs to.
    pub fn beside(path: &Path) -> Self {
        Self::of_stem(path.with_extension("").into_os_string())
    }

    /// Keeps the session's file under another name, and says which.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn set_aside(&self) -> Result<PathBuf, StoreError> {
        fs::rename(&self.session, &self.damaged).map_err(failed("set aside", &self.session))?;
        Ok(self.damaged.clone())
    }

    /// Removes them all, the lock's last: until then nobody else can begin. Whether the session was
    /// there.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn remove(&self, lock: File) -> Result<bool, StoreError> {
        let remove = |path: &Path| match fs::remove_file(path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed("remove", path)(error)),
        };
        remove(&self.new)?;
        for path in &self.targets {
            remove(path)?;
        }
        let was_set_aside = remove(&self.damaged)?;
        let was_there = remove(&self.session)?;
        // Elsewhere, whoever waits for the lock could not tell that its file has gone.
        if cfg!(unix) {
            remove(&self.lock)?;
        }
        drop(lock);
        Ok(was_there || was_set_aside)
    }
}

/// The name of a session's files: readable, and safe on any file system, also on those for which `A`
/// and `a` are one. Names of two sessions differ, but for long ones, which end in a hash; records
/// tell those apart.
fn file_stem(key: &Key) -> String {
    const MAX_LENGTH: usize = 150;
    const SHORTENED: usize = 100;
    let mut stem = String::with_capacity(64);
    escape(&key.agent, &mut stem);
    for part in [Some(&key.session), key.sub_agent.as_ref()].into_iter().flatten() {
        stem.push('@');
        escape(part, &mut stem);
    }
    if stem.len() > MAX_LENGTH {
        let hash = fnv(stem.as_bytes());
        stem.truncate(SHORTENED);
        stem.push_str(&format!("~{hash:016x}"));
    }
    stem
}

/// Whether a file has a name as [`file_stem`] gives them, and an extension.
pub fn is_ours(path: &Path) -> bool {
    let stem = stem_of(path);
    let is_used = |c: char| is_kept(c) || matches!(c, '@' | '%' | '~');
    stem.contains('@') && stem.chars().all(is_used)
}

fn stem_of(path: &Path) -> &str {
    path.file_stem().and_then(OsStr::to_str).unwrap_or_default()
}

/// Whether a file's name ends so.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// The session that a file's name tells, unless it was too long to be kept.
#[must_use]
pub fn key_of(path: &Path) -> Option<Key> {
    let mut parts = stem_of(path).split('@').map(unescape);
    let (agent, session) = (parts.next()??, parts.next()??);
    let sub_agent = parts.next();
    let key = Key { agent, session, sub_agent: sub_agent.flatten() };
    (file_stem(&key) == stem_of(path)).then_some(key)
}

fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

fn is_kept(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '-' | '_')
}

/// Escapes all but lower-case letters, digits, `-` and `_`.
fn escape(text: &str, out: &mut String) {
    const HEX: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or_default();
    for byte in text.bytes() {
        if is_kept(char::from(byte)) {
            out.push(char::from(byte));
        } else {
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

/// The FNV-1a hash, which never changes.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
