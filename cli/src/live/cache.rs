//! Compiled rules, kept on disk between processes. An entry stands for the very files that it was
//! compiled from: a file that was changed, made or removed since makes it useless at once. An entry
//! is written under another name and renamed, so that two processes may compile at the same time.
//!
//! An entry is believed only if this user's program wrote it: it is a file of this user that nobody else may
//! write, and what it says of its inputs and each of its pages is authenticated with the user's key. Its image
//! was verified whole before it was kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use behavior_compiler::{ReadError, SourceProvider};
use behavior_image::{PAGE, PageSource};
use behavior_runtime::Image;
use siphasher::sip::SipHasher13;
use twox_hash::XxHash64;

use super::secret_key::SecretKey;
use super::store::private;
use crate::project;

/// The first bytes of an entry; the last one is the version of its form.
const MAGIC: [u8; 4] = *b"BhC4";
/// A file that was changed shortly before its entry was made may be changed again without its times
/// telling, so such an entry is not believed.
const SETTLED: Duration = Duration::from_millis(50);
/// No entry of ours is longer.
const MAX_ENTRY: u64 = 256 << 20;
/// Entries that were not made anew for so long are swept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A directory of entries. Making one touches no file.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
    key: SecretKey,
}

/// One entry: the rules of one project, asked for in one way.
#[derive(Clone, Debug)]
pub struct Entry {
    path: PathBuf,
    /// What was asked for: bytes of one entry are good for no other.
    asked: u64,
    key: SecretKey,
}

/// What an entry relies on: what the compiler asked for, with the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    files: BTreeMap<String, Stamp>,
    secrets: BTreeMap<String, bool>,
}

/// What tells that a file or directory is as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stamp {
    exists: bool,
    size: u64,
    modified: i128,
    changed: i128,
    inode: u64,
}

impl Stamp {
    fn of(path: &str) -> Self {
        fs::metadata(path).map_or_else(|_| Self::default(), |metadata| Self::from(&metadata))
    }

    /// The later of its times, in nanoseconds since the epoch.
    fn latest(&self) -> i128 {
        self.modified.max(self.changed)
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        #[cfg(unix)]
        let (changed, inode) = {
            use std::os::unix::fs::MetadataExt;
            let seconds = i128::from(metadata.ctime()) * 1_000_000_000;
            (seconds + i128::from(metadata.ctime_nsec()), metadata.ino())
        };
        #[cfg(not(unix))]
        let (changed, inode) = (modified, 0);
        Self { exists: true, size: metadata.len(), modified, changed, inode }
    }
}

fn nanoseconds(time: SystemTime) -> i128 {
    let since = time.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(i128::MAX))
}

impl Cache {
    /// The cache in a directory; that is created with the first entry.
    #[must_use]
    pub fn at(directory: &Path, key: SecretKey) -> Self {
        Self { directory: directory.to_owned(), key }
    }

    /// The entry for what is asked for. `asked` holds everything that decides which files are looked
    /// for at all.
    #[must_use]
    pub fn entry(&self, asked: &impl Hash) -> Entry {
        // The same in every process of this program. Another one of the same version may have other rules built in.
        let mut hasher = XxHash64::with_seed(0);
        (asked, std::env::current_exe().ok()).hash(&mut hasher);
        let asked = hasher.finish();
        let path = self.directory.join(format!("{asked:016x}.rules"));
        Entry { path, asked, key: self.key.clone() }
    }
}

impl Entry {
    /// The image, if there is one and all that it was made of is as it was. Its bytes are read when
    /// something asks for them.
    #[must_use]
    pub fn load(&self) -> Option<(Image, Vec<String>)> {
        let file = project::open_own(&self.path).ok()?;
        let start = read_start(&file)?;
        let parts = Parts::of(&start, self)?;
        let (offset, waiting) = (start.len() - parts.image.len(), waiting(parts.inputs));
        if !inputs_hold(parts.inputs)? {
            return None;
        }
        let source = Source { file, offset, macs: parts.macs.into(), key: page_key(&self.key) };
        // The rest of the image is read when it is asked for.
        let head = parts.image.get(..PAGE).unwrap_or(parts.image);
        if !source.vouches_for(0, head) {
            return None;
        }
        Some((Image::from_pages(Box::new(source), head).ok()?, waiting))
    }

    /// The image of an entry whatever has become of what it was made of.
    #[must_use]
    pub fn last(&self) -> Option<Image> {
        let mut bytes = Vec::new();
        project::open_own(&self.path).ok()?.take(MAX_ENTRY).read_to_end(&mut bytes).ok()?;
        let parts = Parts::of(&bytes, self)?;
        let (pages, key) = (parts.image.chunks(PAGE).enumerate(), page_key(&self.key));
        let is_ours = parts.macs.len() == parts.image.len().div_ceil(PAGE)
            && pages.zip(&parts.macs).all(|((at, page), mac)| page_mac(&key, at, page) == *mac);
        is_ours.then(|| Image::from_bytes(parts.image).ok())?
    }

    /// Removes the entry. One that cannot be removed stays.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Keeps an image that was made of these inputs, with what of them waits for trust.
    ///
    /// # Errors
    /// When the system refuses; there is then no new entry.
    pub fn keep(&self, inputs: &Inputs, waiting: &[String], image: &Image) -> io::Result<()> {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        let bytes = Parts::write(&inputs.to_text(waiting), image.as_bytes(), self);
        let new = self.path.with_extension(format!("new-{}", std::process::id()));
        let write = || {
            let mut file = private().write(true).create_new(true).open(&new)?;
            file.write_all(&bytes)?;
            fs::rename(&new, &self.path)
        };
        let written = write().or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                super::store::create_private(directory)?;
                write()
            }
            _ => Err(error),
        });
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        sweep(directory);
        written
    }
}

/// The parts of an entry: how long the next two are, what authenticates them, the inputs, what authenticates
/// each page of the image, the image.
struct Parts<'a> {
    inputs: &'a str,
    macs: Vec<PageMac>,
    image: &'a [u8],
}

/// What authenticates a page: enough of it that nobody hits it by trying, since each try is a hook.
type PageMac = [u8; 8];

/// What comes before the inputs: [`MAGIC`], two lengths, and what authenticates all that stands before the image.
const FRAME: usize = 12 + 32;

/// What the start of an entry is authenticated for: entries of another version are not for this one.
const PURPOSE: &str = concat!("entry of the cache, ", env!("CARGO_PKG_VERSION"));

impl<'a> Parts<'a> {
    /// Takes the bytes apart that were written for this entry.
    fn of(bytes: &'a [u8], entry: &Entry) -> Option<Self> {
        let (inputs, macs) = lengths(bytes)?;
        let (frame, rest) = bytes.split_at_checked(FRAME)?;
        let (head, mac) = frame.split_at_checked(12)?;
        let (before, image) = rest.split_at_checked(inputs.checked_add(macs.checked_mul(8)?)?)?;
        if entry.key.mac(PURPOSE, entry.asked, &[head, before].concat()) != mac {
            return None;
        }
        let (inputs, macs) = before.split_at_checked(inputs)?;
        let macs = macs.as_chunks::<8>().0.to_vec();
        Some(Self { inputs: std::str::from_utf8(inputs).ok()?, macs, image })
    }

    fn write(inputs: &str, image: &[u8], entry: &Entry) -> Vec<u8> {
        let page_key = page_key(&entry.key);
        let pages = image.chunks(PAGE).enumerate();
        let macs: Vec<PageMac> = pages.map(|(at, page)| page_mac(&page_key, at, page)).collect();
        let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        let head = [MAGIC, length(inputs.len()), length(macs.len())].concat();
        let before = [inputs.as_bytes(), macs.as_flattened()].concat();
        let mac = entry.key.mac(PURPOSE, entry.asked, &[&*head, &*before].concat());
        [&*head, &mac, &before, image].concat()
    }
}

/// What authenticates a page of an image, at its place: `SipHash-1-3`, a sixth of the work of the hash behind the
/// key. A hook looks at some thirty pages.
fn page_mac(key: &PageKey, at: usize, page: &[u8]) -> PageMac {
    let mut hasher = SipHasher13::new_with_key(key);
    hasher.write_u64(at as u64);
    hasher.write(page);
    hasher.finish().to_le_bytes()
}

/// The key for the pages of the cache.
type PageKey = [u8; 16];

fn page_key(key: &SecretKey) -> PageKey {
    key.mac("pages of the cache", 0, PURPOSE.as_bytes()).first_chunk().copied().unwrap_or_default()
}

/// How many bytes the inputs take, and how many pages there are.
fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    let (inputs, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk::<4>()?;
    let (macs, _) = rest.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*inputs) as usize, u32::from_le_bytes(*macs) as usize))
}

/// The start of an entry: all that stands before the image, and the image's first page.
fn read_start(file: &File) -> Option<Vec<u8>> {
    /// Most entries have all of that in here.
    const USUAL: usize = 4 << 10;
    /// More is no entry of ours.
    const MAX_LENGTH: usize = 16 << 20;
    let mut start = Vec::with_capacity(USUAL);
    read_up_to(file, USUAL, &mut start)?;
    let (inputs, macs) = lengths(&start)?;
    let wanted = FRAME + inputs + macs * 8 + PAGE;
    if wanted > MAX_LENGTH {
        return None;
    }
    if wanted > start.len() {
        read_up_to(file, wanted, &mut start)?;
    }
    start.truncate(wanted);
    Some(start)
}

/// Reads a file from its beginning up to a length.
fn read_up_to(file: &File, length: usize, into: &mut Vec<u8>) -> Option<()> {
    into.resize(length, 0);
    let mut filled = 0;
    while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match read_at(file, rest, filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    into.truncate(filled);
    Some(())
}

#[cfg(unix)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}

/// An image in an entry's file.
struct Source {
    file: File,
    /// Where the image begins.
    offset: usize,
    macs: Box<[PageMac]>,
    key: PageKey,
}

impl PageSource for Source {
    fn read(&self, offset: usize, mut into: &mut [u8]) -> bool {
        let mut at = (self.offset + offset) as u64;
        while !into.is_empty() {
            match read_at(&self.file, into, at) {
                Ok(count @ 1..) => {
                    at += count as u64;
                    into = into.get_mut(count..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return false,
            }
        }
        true
    }

    fn vouches_for(&self, page: usize, bytes: &[u8]) -> bool {
        self.macs.get(page).is_some_and(|mac| page_mac(&self.key, page, bytes) == *mac)
    }
}

/// Removes entries that nobody has made anew for long, as far as that is possible.
fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let is_old = |metadata: Metadata| {
            let age = metadata.modified().ok().and_then(|then| then.elapsed().ok());
            metadata.is_file() && age.is_some_and(|age| age > KEPT)
        };
        let name = entry.file_name();
        let is_ours =
            name.to_string_lossy().contains(".rules") || name.to_string_lossy().contains(".new-");
        if is_ours && entry.metadata().is_ok_and(is_old) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Inputs {
    /// A line for when this was written, then one for each input, and for each text that waits for trust.
    fn to_text(&self, waiting: &[String]) -> String {
        let mut text = format!("{}\n", nanoseconds(SystemTime::now()));
        for (path, stamp) in &self.files {
            let Stamp { exists, size, modified, changed, inode } = stamp;
            let kind = if *exists { "file" } else { "none" };
            text.push_str(&format!("{kind} {size} {modified} {changed} {inode} {path}\n"));
        }
        for (name, is_set) in &self.secrets {
            text.push_str(&format!("secret {} 0 0 0 {name}\n", u8::from(*is_set)));
        }
        for what in waiting {
            text.push_str(&format!("{WAITS}{}\n", what.replace('\n', " ")));
        }
        text
    }

    /// Notes a file, unless a name that no line can hold.
    fn note(&mut self, path: &str) {
        self.files.entry(path.to_owned()).or_insert_with(|| Stamp::of(path));
    }
}

/// What the line of a text that waits for trust begins with.
const WAITS: &str = "waits 0 0 0 0 ";

/// Returns what waits for trust.
fn waiting(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.strip_prefix(WAITS)).map(str::to_owned).collect()
}

/// Whether everything is as the lines say; `None` where they cannot be read.
fn inputs_hold(text: &str) -> Option<bool> {
    let (written, lines) = text.split_once('\n')?;
    let written: i128 = written.parse().ok()?;
    let settled = written - i128::try_from(SETTLED.as_nanos()).ok()?;
    for line in lines.lines().filter(|line| !line.starts_with(WAITS)) {
        let mut fields = line.splitn(6, ' ');
        let kind = fields.next()?;
        let [size, modified, changed, inode] = [(); 4].map(|()| fields.next());
        let name = fields.next()?;
        let holds = if kind == "secret" {
            std::env::var_os(name).is_some() == (size? == "1")
        } else {
            let stamp = Stamp {
                exists: kind == "file",
                size: size?.parse().ok()?,
                modified: modified?.parse().ok()?,
                changed: changed?.parse().ok()?,
                inode: inode?.parse().ok()?,
            };
            stamp == Stamp::of(name) && stamp.latest() < settled
        };
        if !holds {
            return Some(false);
        }
    }
    Some(true)
}

/// Gives the compiler its files and notes what it asked for.
pub struct Recorder<P> {
    inner: P,
    inputs: RefCell<Inputs>,
}

impl<P> Recorder<P> {
    /// Notes nothing yet but the running program: another one may compile otherwise.
    pub fn new(inner: P) -> Self {
        let mut inputs = Inputs::default();
        if let Some(program) =
            std::env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok())
        {
            inputs.note(&program);
        }
        Self { inner, inputs: RefCell::new(inputs) }
    }

    /// Notes a file that decides on what is compiled.
    pub fn note(&self, path: &str) {
        self.inputs.borrow_mut().note(path);
    }

    /// What was asked for.
    pub fn inputs(self) -> Inputs {
        self.inputs.into_inner()
    }
}

impl<P: SourceProvider> SourceProvider for Recorder<P> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        if !name.starts_with(behavior_compiler::provider::LIBRARY_PREFIX) {
            // Before it is read, so that a change in between is noticed.
            self.inputs.borrow_mut().note(name);
        }
        self.inner.read(name)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        if !directory.starts_with(behavior_compiler::provider::LIBRARY_PREFIX) {
            let name = if directory.is_empty() { "." } else { directory };
            self.inputs.borrow_mut().note(name);
        }
        self.inner.list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        let is_set = self.inner.has_secret(name);
        self.inputs.borrow_mut().secrets.insert(name.to_owned(), is_set);
        is_set
    }
}
