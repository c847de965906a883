//! The head of the audit log: a small file that says where the chain ends, so that a hook need not read the log
//! to go on, and lines that are cut off its end are missed. Who has its lock, and nobody else, goes on with the
//! chain.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use super::chain::{Code, Place};
use crate::live::secret_key::SecretKey;
use crate::live::store::{private, regular, turn};

/// The first bytes; the last one is the version of the form.
const MAGIC: [u8; 4] = *b"BhL1";
/// The magic, the number, where the log ends, and two codes.
const LENGTH: usize = 4 + 8 + 8 + 16 + 16;
/// What the code of the head is made for.
const PURPOSE: &str = "head of the audit log";

/// What the head says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The last line of the chain.
    pub last: Place,
    /// Where the log ended behind that line, in bytes.
    pub end: u64,
}

/// The head's file, locked until it is dropped.
#[derive(Debug)]
pub struct Held {
    file: File,
    /// What it says; nothing where it is empty, or not ours.
    pub head: Option<Head>,
}

impl Held {
    /// Gets the lock of the head at a path; it is made where there is none. Nothing where somebody else has the
    /// lock for longer than `wait`.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn at(path: &Path, key: &SecretKey, wait: Duration) -> io::Result<Option<Self>> {
        let mut options = private();
        let open = options.read(true).write(true).create(true).truncate(false);
        let file = regular(open.open(path)?)?;
        let Some(mut file) = turn::wait_for(file, wait)? else { return Ok(None) };
        let head = read(&mut file, key)?;
        Ok(Some(Self { file, head }))
    }

    /// Writes the head.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self, head: &Head, key: &SecretKey) -> io::Result<()> {
        write_at_start(&self.file, &head.written(key))
    }
}

/// Reads the head at a path, for who only looks. While what is returned is kept, nobody writes a line in its turn; but
/// where the lock cannot be had within `wait`, it is done without. Nothing where there is no head. Without a key, what it
/// says cannot be known.
///
/// # Errors
/// When the system refuses.
pub fn look(path: &Path, key: Option<&SecretKey>, wait: Duration) -> io::Result<Option<Held>> {
    let open = || private().read(true).open(path).and_then(regular);
    let file = match open() {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut file = match turn::wait_for(file, wait)? {
        Some(file) => file,
        None => open()?,
    };
    let head = key.map(|key| read(&mut file, key)).transpose()?.flatten();
    Ok(Some(Held { file, head }))
}

fn read(file: &mut File, key: &SecretKey) -> io::Result<Option<Head>> {
    let mut bytes = [0; LENGTH + 1];
    let count = file.read(&mut bytes)?;
    Ok(Head::read(bytes.get(..count).unwrap_or_default(), key))
}

impl Head {
    fn written(&self, key: &SecretKey) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(MAGIC);
        bytes.extend(self.last.number.to_le_bytes());
        bytes.extend(self.end.to_le_bytes());
        bytes.extend(self.last.code);
        let code = key.mac(PURPOSE, 0, &bytes);
        bytes.extend(code.iter().take(size_of::<Code>()));
        bytes
    }

    fn read(bytes: &[u8], key: &SecretKey) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let (number, rest) = rest.split_first_chunk()?;
        let (end, rest) = rest.split_first_chunk()?;
        let (code, _) = rest.split_first_chunk()?;
        let last = Place { number: u64::from_le_bytes(*number), code: *code };
        let head = Self { last, end: u64::from_le_bytes(*end) };
        (head.written(key) == bytes).then_some(head)
    }
}

#[cfg(unix)]
fn write_at_start(file: &File, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, 0)
}

#[cfg(not(unix))]
fn write_at_start(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    use io::{Seek, Write};
    file.rewind()?;
    file.write_all(bytes)
}
