//! Compiled rules, kept on disk between processes. An entry stands for the very files that it was
//! compiled from: a file that was changed, made or removed since makes it useless at once. An entry
//! is written under another name and renamed, so that two processes may compile at the same time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use behavior_compiler::{ReadError, SourceProvider};
use behavior_image::{PageSource, page_sums};
use behavior_runtime::Image;
use twox_hash::XxHash64;

/// The first bytes of an entry; the last one is the version of its form.
const MAGIC: [u8; 4] = *b"BhC3";
/// A file that was changed shortly before its entry was made may be changed again without its times
/// telling, so such an entry is not believed.
const SETTLED: Duration = Duration::from_millis(50);
/// Entries that were not made anew for so long are swept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A directory of entries. Making one touches no file.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
}

/// One entry: the rules of one project, asked for in one way.
#[derive(Clone, Debug)]
pub struct Entry {
    path: PathBuf,
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
    pub fn at(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    /// The entry for what is asked for. `asked` holds everything that decides which files are looked
    /// for at all.
    #[must_use]
    pub fn entry(&self, asked: &impl Hash) -> Entry {
        // The same in every process.
        let mut hasher = XxHash64::with_seed(0);
        asked.hash(&mut hasher);
        Entry { path: self.directory.join(format!("{:016x}.rules", hasher.finish())) }
    }
}

impl Entry {
    /// The image, if there is one and all that it was made of is as it was. Its bytes are read when
    /// something asks for them.
    #[must_use]
    pub fn load(&self) -> Option<(Image, Vec<String>)> {
        let file = File::open(&self.path).ok()?;
        let start = read_start(&file)?;
        let parts = Parts::of(&start)?;
        if !inputs_hold(parts.inputs)? {
            return None;
        }
        let source = Source { file, offset: start.len() - parts.image.len() };
        let image = Image::from_pages(Box::new(source), parts.image, parts.sums.into()).ok()?;
        Some((image, waiting(parts.inputs)))
    }

    /// The image of an entry whatever has become of what it was made of.
    #[must_use]
    pub fn last(&self) -> Option<Image> {
        let bytes = fs::read(&self.path).ok()?;
        Image::from_bytes(Parts::of(&bytes)?.image).ok()
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
        let bytes = Parts::write(&inputs.to_text(waiting), image.as_bytes());
        let new = self.path.with_extension(format!("new-{}", std::process::id()));
        let write = || {
            fs::write(&new, &bytes)?;
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

/// The parts of an entry: how long the next two are, the inputs, the sums of the image's pages, the
/// image.
struct Parts<'a> {
    inputs: &'a str,
    sums: Vec<u32>,
    image: &'a [u8],
}

/// What comes before the inputs: [`MAGIC`], and two lengths.
const FRAME: usize = 12;

impl<'a> Parts<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let (inputs, sums) = lengths(bytes)?;
        let rest = bytes.get(FRAME..)?;
        let (inputs, rest) = rest.split_at_checked(inputs)?;
        let (sums, image) = rest.split_at_checked(sums * 4)?;
        let sums = sums.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum));
        Some(Self { inputs: std::str::from_utf8(inputs).ok()?, sums: sums.collect(), image })
    }

    fn write(inputs: &str, image: &[u8]) -> Vec<u8> {
        let sums = page_sums(image);
        let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        let mut bytes = [MAGIC, length(inputs.len()), length(sums.len())].concat();
        bytes.extend(inputs.as_bytes());
        sums.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
        bytes.extend(image);
        bytes
    }
}

/// How many bytes the inputs take, and how many sums there are.
fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    let (inputs, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk::<4>()?;
    let (sums, _) = rest.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*inputs) as usize, u32::from_le_bytes(*sums) as usize))
}

/// The start of an entry: all that stands before the image, and the image's own head.
fn read_start(file: &File) -> Option<Vec<u8>> {
    /// Most entries have all of that in here.
    const USUAL: usize = 4 << 10;
    /// More is no entry of ours.
    const MAX_LENGTH: usize = 16 << 20;
    /// An image's head is shorter.
    const HEAD: usize = 1 << 10;
    let mut start = Vec::with_capacity(USUAL);
    read_up_to(file, USUAL, &mut start)?;
    let (inputs, sums) = lengths(&start)?;
    let wanted = FRAME + inputs + sums * 4 + HEAD;
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
