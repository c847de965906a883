//! Sessions on disk, between the processes that decide their events. Knows bytes, names and times;
//! nothing of rules, or of what the bytes say.
//!
//! # Files
//!
//! A session has three files in the directory `sessions`: `NAME.session` holds its states, one record
//! after the other, and `NAME.lock` is locked while somebody works on it. A save appends a record:
//! the whole state, with its length at both ends and a code that only the user's key makes. The last whole record is the state.
//! It is found from the end of the file; where the end is torn, by going from record to record. Once
//! a file would come to more than 32 KB and more than eight records, it is replaced by one with the
//! new record alone: written as `NAME.new` and renamed. The first record comes into being in the same
//! way, so a file without any whole record is never the work of a process that died; it is reported
//! as damaged, and what to do is the caller's decision: [`Store::set_aside`] keeps it as
//! `NAME.damaged` and lets the session start afresh.
//!
//! What the session has met, however much, stands in a third file, `NAME.targets` or `NAME.targets2`, from which a
//! process reads what it needs ([`Tree`]). It is written before the record that goes with it: what stands there
//! without one is nothing.
//!
//! The lock is a file of its own because what is renamed cannot be the thing that is locked: who
//! waits for the lock of the old file would get it, and write to a file that is gone. The lock file
//! is removed with its session, so whoever has got a lock checks that its file still has a name.
//!
//! # What survives
//!
//! A process that dies at any moment, killed or out of disk, leaves the state of the last save that
//! was reported as done, or that of the save it died in. Nothing here depends on the clock but the
//! ages that [`Store::sweep`] goes by.
//!
//! Nothing is synced. When the whole machine stops, what the kernel had not written yet is lost: the
//! session is then found in an earlier state, or not at all where it was new, or its file is reported
//! as damaged. The code sees to it that it is never read as something else. To sync
//! 4 KB took between 0.1 and 4 ms where to open, read and write a session took 0.02 to 0.05, so most of
//! what an event takes altogether; it would buy a few seconds of a session whose agent died with the
//! machine.

mod error;
pub mod files;
mod names;
mod record;
mod seal;
mod tree;
pub mod turn;

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub use error::StoreError;
use error::failed;
use names::{DAMAGED, LOCK, NEW, Paths, SESSION, TARGETS, has_extension, is_ours, key_of};
use record::{find, last_record};

use files::{NOT_OURS, write_at};
pub use files::{create_private, is_safe, private, regular};
pub use names::Key;
pub use record::Record;
pub use seal::Seal;
pub use tree::{Root, Tree};

/// A file may grow to so many bytes, or to [`RECORDS_KEPT`] records, before it is replaced.
const BYTES_KEPT: u64 = 32 << 10;
const RECORDS_KEPT: u64 = 8;
/// A state that was saved before, and not longer ago than this, is not saved again.
const SAME_FOR: i64 = 10 * 60 * 1000;

/// A directory of sessions. Making one touches no file.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    seal: Seal,
}

/// A session whose lock this process has, until it is dropped.
#[derive(Debug)]
pub struct Held {
    key: Key,
    seal: Seal,
    paths: Paths,
    data: Option<File>,
    /// Where the file ends, and whether a whole record ends there.
    end: u64,
    is_torn: bool,
    last: Option<Record>,
    tree: Arc<Tree>,
    /// Whether nothing is read or saved, since nothing authenticates it.
    is_blind: bool,
    /// Dropped last, which releases it.
    lock: File,
}

/// A session found in the store.
#[derive(Debug)]
pub struct Listed {
    /// Its file.
    pub path: PathBuf,
    /// Which session it is; `None` where the file is damaged and its name is too long to tell.
    pub key: Option<Key>,
    /// What it holds.
    pub record: Result<Record, StoreError>,
}

impl Store {
    /// The store in `sessions` below a directory; both are created with the first session. What it holds is
    /// authenticated with the seal.
    #[must_use]
    pub fn at(directory: &Path, seal: Seal) -> Self {
        Self { directory: directory.join("sessions"), seal }
    }

    /// The store in `shared`, of what all who work in a session know: it stays when the session ends, until it is swept.
    #[must_use]
    pub fn shared_at(directory: &Path, seal: Seal) -> Self {
        Self { directory: directory.join("shared"), seal }
    }

    /// Gets the session's lock, and reads its state.
    ///
    /// # Errors
    /// When another process has the lock for longer than `wait`, when the file is damaged, or when
    /// the system refuses.
    pub fn open(&self, key: &Key, wait: Duration) -> Result<Held, StoreError> {
        let paths = self.paths(key);
        let lock = self.lock(&paths, wait)?;
        self.check_owner().map_err(failed("use", &self.directory))?;
        let opened = private().read(true).write(true).open(&paths.session).and_then(regular);
        let (data, found) = match opened {
            Ok(mut file) => {
                let found = find(&self.seal, &mut file, &paths.session, key)?;
                (Some(file), Some(found))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
            Err(error) => return Err(failed("open", &paths.session)(error)),
        };
        let (end, is_torn) = found.as_ref().map_or((0, false), |found| (found.end, found.is_torn));
        let last = found.map(|found| found.record);
        let root = last.as_ref().map(|record| record.root).unwrap_or_default();
        let tree = Arc::new(Tree::new(self.seal.clone(), paths.targets.clone(), root));
        Ok(Held {
            key: key.clone(),
            seal: self.seal.clone(),
            paths,
            data,
            end,
            is_torn,
            last,
            tree,
            is_blind: false,
            lock,
        })
    }

    /// Gets the session's lock where its state cannot be authenticated: it is new, and is not saved.
    ///
    /// # Errors
    /// As [`Store::open`], but for damage.
    pub fn open_blind(&self, key: &Key, wait: Duration) -> Result<Held, StoreError> {
        let paths = self.paths(key);
        let lock = self.lock(&paths, wait)?;
        let tree = Tree::new(self.seal.clone(), paths.targets.clone(), Root::default());
        Ok(Held {
            key: key.clone(),
            seal: self.seal.clone(),
            paths,
            data: None,
            end: 0,
            is_torn: false,
            last: None,
            tree: Arc::new(tree),
            is_blind: true,
            lock,
        })
    }

    /// Fails where somebody else could take a session's file away or put another in its place.
    fn check_owner(&self) -> io::Result<()> {
        match fs::metadata(&self.directory) {
            Ok(metadata) if !is_safe(&metadata) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, NOT_OURS))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The session's last whole state, without its lock: a process that works on it may save another
    /// one at the same time.
    ///
    /// # Errors
    /// When the file is damaged or cannot be read.
    pub fn read(&self, key: &Key) -> Result<Option<Record>, StoreError> {
        let path = self.paths(key).session;
        match private().read(true).open(&path).and_then(regular) {
            Ok(mut file) => Ok(Some(find(&self.seal, &mut file, &path, key)?.record)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("open", &path)(error)),
        }
    }

    /// All sessions, the one that was saved last first; at the end those that cannot be read, and
    /// those that were set aside and did not begin again.
    ///
    /// # Errors
    /// When the directory cannot be read. One that is not there has no sessions.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let mut sessions = Vec::new();
        for path in self.files()? {
            let record = if has_extension(&path, SESSION) {
                match private().read(true).open(&path).and_then(regular) {
                    Ok(mut file) => {
                        last_record(&self.seal, &mut file, &path).map(|found| found.record)
                    }
                    // Cleared in the meantime.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => Err(failed("open", &path)(error)),
                }
            } else if has_extension(&path, DAMAGED) && !Paths::beside(&path).session.exists() {
                Err(StoreError::Damaged { path: path.clone(), problem: "it was set aside" })
            } else {
                continue;
            };
            let key =
                record.as_ref().map_or_else(|_| key_of(&path), |found| Some(found.key.clone()));
            sessions.push(Listed { path, key, record });
        }
        let saved_at = |listed: &Listed| listed.record.as_ref().map_or(i64::MIN, |r| r.saved_at);
        sessions.sort_by_cached_key(|listed| {
            (std::cmp::Reverse(saved_at(listed)), listed.key.clone(), listed.path.clone())
        });
        Ok(sessions)
    }

    /// Removes a session by its file, as [`Store::list`] names it. Whether there was one.
    ///
    /// # Errors
    /// As [`Store::open`], but for damage.
    pub fn remove_file(&self, path: &Path, wait: Duration) -> Result<bool, StoreError> {
        let paths = Paths::beside(path);
        let lock = self.lock(&paths, wait)?;
        paths.remove(lock)
    }

    /// Removes a session. Whether there was one.
    ///
    /// # Errors
    /// As [`Store::open`], but for damage.
    pub fn remove(&self, key: &Key, wait: Duration) -> Result<bool, StoreError> {
        let paths = self.paths(key);
        if !paths.session.exists() && !paths.damaged.exists() {
            return Ok(false);
        }
        let lock = self.lock(&paths, wait)?;
        paths.remove(lock)
    }

    /// Sets a damaged session's file aside, so that the session starts afresh, and says where it is
    /// now. Nothing happens to a session that is not damaged.
    ///
    /// # Errors
    /// As [`Store::open`], but for damage.
    pub fn set_aside(&self, key: &Key, wait: Duration) -> Result<Option<PathBuf>, StoreError> {
        let paths = self.paths(key);
        let lock = self.lock(&paths, wait)?;
        let is_damaged = matches!(self.read(key), Err(StoreError::Damaged { .. }));
        let moved = is_damaged.then(|| paths.set_aside()).transpose();
        drop(lock);
        moved
    }

    /// Removes sessions that were last saved longer ago than `older_than`, and what else is left of
    /// such. Looks at names and times only. How many sessions went.
    ///
    /// A session that somebody works on stays. So does one whose time lies in the future, or before
    /// there was this program: a clock was wrong, and the age is not known.
    ///
    /// # Errors
    /// When the directory cannot be read. A file that cannot be removed stays.
    pub fn sweep(&self, older_than: Duration, now: SystemTime) -> Result<usize, StoreError> {
        let is_stale = |path: &Path| {
            fs::symlink_metadata(path).is_ok_and(|metadata| is_older(&metadata, older_than, now))
        };
        let mut removed = 0;
        for path in self.files()? {
            let is = |extension| has_extension(&path, extension);
            if is(DAMAGED) {
                if is_stale(&path) {
                    let _ = fs::remove_file(&path);
                }
                continue;
            }
            let is_target = TARGETS.into_iter().any(is);
            if !(is(SESSION) || is(LOCK) || is(NEW) || is_target) || !is_stale(&path) {
                continue;
            }
            let paths = Paths::beside(&path);
            // The lock of a session is as old as the session; its file tells whether it is stale.
            if !is(SESSION) && paths.session.exists() {
                continue;
            }
            let Ok(lock) = self.lock(&paths, Duration::ZERO) else { continue };
            // Whoever had the lock before may have saved.
            let is_stale = !paths.session.exists() || is_stale(&paths.session);
            if is_stale && paths.remove(lock).is_ok_and(|was_there| was_there) {
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn paths(&self, key: &Key) -> Paths {
        Paths::of(key, &self.directory)
    }

    /// The files that this store gave their names; whatever else is there is not touched.
    fn files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("list", &self.directory)(error)),
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        Ok(paths.filter(|path| is_ours(path)).collect())
    }

    /// Gets a lock within a time.
    fn lock(&self, paths: &Paths, wait: Duration) -> Result<File, StoreError> {
        let start = Instant::now();
        loop {
            let file = self.open_lock(&paths.lock)?;
            let locked = turn::wait_for(file, wait.saturating_sub(start.elapsed()));
            let locked = locked.map_err(failed("lock", &paths.lock))?;
            let Some(file) = locked else {
                return Err(StoreError::Busy { path: paths.lock.clone(), waited: wait });
            };
            let metadata = file.metadata().map_err(failed("look at", &paths.lock))?;
            if has_name(&metadata) {
                return Ok(file);
            }
        }
    }

    fn open_lock(&self, path: &Path) -> Result<File, StoreError> {
        let options = || {
            let mut options = private();
            options.write(true).create(true).truncate(false);
            options
        };
        let open = || options().open(path).and_then(regular);
        let opened = open().or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            create_private(&self.directory)?;
            open()
        });
        opened.map_err(failed("open", path))
    }
}

impl Held {
    /// The last state that was saved; `None` for a session that is new.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        self.last.as_ref()
    }

    /// What the session has met, as its last state has it.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Saves a state with values that are entered into the session's tree; both hold, or none does. What
    /// `holds` does not want of the values there may be forgotten.
    ///
    /// # Errors
    /// As [`Held::save`]; and when the tree is damaged.
    pub fn save_with(
        &mut self,
        values: BTreeMap<u128, Vec<u8>>,
        holds: &dyn Fn(&[u8]) -> bool,
        state: &[u8],
        image: u64,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.check_sight()?;
        let before = Arc::clone(&self.tree);
        let root = match values.is_empty() {
            true => before.root(),
            false => before.enter(values, holds)?,
        };
        self.write(state, root, image, now)?;
        if root != before.root() {
            before.forget_before(root);
            let tree = Tree::new(self.seal.clone(), self.paths.targets.clone(), root);
            self.tree = Arc::new(tree);
        }
        Ok(())
    }

    /// Saves a state, which `image` decided on at `now`. A state that is the last one already is
    /// written again only after some minutes, so that the session's age is known.
    ///
    /// # Errors
    /// When the state is too large, or the system refuses; the last state is then whole as before.
    pub fn save(&mut self, state: &[u8], image: u64, now: SystemTime) -> Result<(), StoreError> {
        self.write(state, self.tree.root(), image, now)
    }

    fn write(
        &mut self,
        state: &[u8],
        root: Root,
        image: u64,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.check_sight()?;
        let saved_at = milliseconds(now);
        let is_saved = |last: &Record| {
            let age = saved_at.saturating_sub(last.saved_at);
            last.state() == state
                && last.root == root
                && last.image == image
                && (0..SAME_FOR).contains(&age)
        };
        if self.last.as_ref().is_some_and(is_saved) {
            return Ok(());
        }
        let record = Record::new(&self.seal, &self.key, saved_at, image, root, state)?;
        let length = record.bytes().len() as u64;
        let longest = BYTES_KEPT.max(RECORDS_KEPT * length);
        match &mut self.data {
            Some(file) if !self.is_torn && self.end + length <= longest => {
                let written = write_at(file, self.end, record.bytes());
                // Whatever came of it, nothing may be appended to a part of a record.
                self.is_torn = written.is_err();
                written.map_err(failed("write", &self.paths.session))?;
                self.end += length;
            }
            _ => self.replace(record.bytes())?,
        }
        self.last = Some(record);
        Ok(())
    }

    /// Fails where nothing authenticates what is saved.
    fn check_sight(&self) -> Result<(), StoreError> {
        if self.is_blind {
            let problem =
                "the user's key cannot be used: make its file readable by you alone, or remove it";
            return Err(failed("authenticate", &self.paths.session)(io::Error::other(problem)));
        }
        Ok(())
    }

    /// Puts a file with this record alone in the place of the session's.
    fn replace(&mut self, record: &[u8]) -> Result<(), StoreError> {
        let new = &self.paths.new;
        let write = || {
            let mut file = private().write(true).create(true).truncate(true).open(new)?;
            file.write_all(record)?;
            fs::rename(new, &self.paths.session)?;
            Ok(file)
        };
        let file = write().map_err(|error| {
            let _ = fs::remove_file(new);
            failed("write", new)(error)
        })?;
        self.data = Some(file);
        self.end = record.len() as u64;
        self.is_torn = false;
        Ok(())
    }

    /// Removes the session, which is over.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn remove(self) -> Result<(), StoreError> {
        let Self { paths, lock, .. } = self;
        paths.remove(lock).map(|_| ())
    }

    /// Sets the session's file aside, whose last state turned out to be of no use, and says where it
    /// is now. The session is new then.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn set_aside(&mut self) -> Result<PathBuf, StoreError> {
        let path = self.paths.set_aside()?;
        (self.data, self.last) = (None, None);
        self.tree =
            Arc::new(Tree::new(self.seal.clone(), self.paths.targets.clone(), Root::default()));
        (self.end, self.is_torn) = (0, false);
        Ok(path)
    }
}

fn is_older(metadata: &Metadata, than: Duration, now: SystemTime) -> bool {
    /// Earlier times come from clocks that were not set, in seconds since the epoch: 2025.
    const EARLIEST: Duration = Duration::from_secs(1_735_689_600);
    let Ok(modified) = metadata.modified() else { return false };
    let is_believable = modified.duration_since(UNIX_EPOCH).is_ok_and(|since| since >= EARLIEST);
    is_believable && now.duration_since(modified).is_ok_and(|age| age > than)
}

fn milliseconds(time: SystemTime) -> i64 {
    let number = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => number(since),
        Err(before) => -number(before.duration()),
    }
}

/// Whether an open file can still be reached by a name.
#[cfg(unix)]
fn has_name(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 0
}

#[cfg(not(unix))]
fn has_name(_: &Metadata) -> bool {
    true
}
