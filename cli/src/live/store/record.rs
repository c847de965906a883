//! One saved state in its file: its form, and how the last whole one is found, however the file ends.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::error::{LARGEST_BODY, StoreError, failed};
use super::names::Key;
use super::seal::{CODE, Seal};
use super::tree::Root;

/// So much of a file's end is read at once; most records are shorter.
const TAIL: u64 = 8 << 10;
/// Begins a record; the last byte is the version of its form.
const MARKER: [u8; 4] = *b"BhS3";
/// Marker and length stand before a record's body.
const HEAD: usize = 8;
/// The code that authenticates it and its length stand behind.
const TAIL_FRAME: usize = CODE + 4;
const FRAME: usize = HEAD + TAIL_FRAME;

/// A saved state.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which session it is of.
    pub key: Key,
    /// When it was saved, in milliseconds since the epoch.
    pub saved_at: i64,
    /// The identity of the image that decided then.
    pub image: u64,
    /// Where the tree of what it has met stands.
    pub(super) root: Root,
    bytes: Vec<u8>,
    state: usize,
}

impl Record {
    /// The state, as it was given to [`super::Held::save`].
    #[must_use]
    pub fn state(&self) -> &[u8] {
        let end = self.bytes.len().saturating_sub(TAIL_FRAME);
        self.bytes.get(self.state..end).unwrap_or_default()
    }

    /// A record to be written.
    ///
    /// # Errors
    /// When the state is too large.
    pub fn new(
        seal: &Seal,
        key: &Key,
        saved_at: i64,
        image: u64,
        root: Root,
        state: &[u8],
    ) -> Result<Self, StoreError> {
        let texts =
            key.agent.len() + key.session.len() + key.sub_agent.as_ref().map_or(0, String::len);
        let body = 8 + 8 + Root::LENGTH + 4 + 4 + 4 + texts + state.len();
        if body > LARGEST_BODY {
            return Err(StoreError::TooLarge { bytes: state.len() });
        }
        let length = (body as u32).to_le_bytes();
        let mut bytes = Vec::with_capacity(body + FRAME);
        bytes.extend(MARKER);
        bytes.extend(length);
        bytes.extend(saved_at.to_le_bytes());
        bytes.extend(image.to_le_bytes());
        root.put(&mut bytes);
        put_text(Some(&key.agent), &mut bytes);
        put_text(Some(&key.session), &mut bytes);
        put_text(key.sub_agent.as_deref(), &mut bytes);
        let start = bytes.len();
        bytes.extend_from_slice(state);
        bytes.extend(seal.of_record(&bytes));
        bytes.extend(length);
        Ok(Self { key: key.clone(), saved_at, image, root, bytes, state: start })
    }

    /// All its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes the bytes of one record, from its marker to its end.
    fn read(seal: &Seal, bytes: Vec<u8>) -> Option<Self> {
        let (rest, again) = bytes.split_last_chunk::<4>()?;
        let (framed, code) = rest.split_last_chunk::<CODE>()?;
        let (head, body) = framed.split_first_chunk::<HEAD>()?;
        let [marker, length] = halves(head);
        let is_whole = marker == MARKER
            && length == *again
            && body.len() == u32::from_le_bytes(length) as usize
            && seal.of_record(framed) == *code;
        if !is_whole {
            return None;
        }
        let (saved_at, rest) = body.split_first_chunk::<8>()?;
        let (image, rest) = rest.split_first_chunk::<8>()?;
        let (root, mut rest) = rest.split_first_chunk()?;
        let root = Root::take(root)?;
        let (saved_at, image) = (i64::from_le_bytes(*saved_at), u64::from_le_bytes(*image));
        let agent = take_text(&mut rest)??;
        let session = take_text(&mut rest)??;
        let sub_agent = take_text(&mut rest)?;
        let state = bytes.len() - TAIL_FRAME - rest.len();
        Some(Self { key: Key { agent, session, sub_agent }, saved_at, image, root, bytes, state })
    }
}

fn halves(bytes: &[u8; 8]) -> [[u8; 4]; 2] {
    let [a, b, c, d, e, f, g, h] = *bytes;
    [[a, b, c, d], [e, f, g, h]]
}

/// The length of a text that is not there.
const NO_TEXT: u32 = u32::MAX;

fn put_text(text: Option<&str>, out: &mut Vec<u8>) {
    out.extend(text.map_or(NO_TEXT, |text| text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.unwrap_or_default().as_bytes());
}

fn take_text(bytes: &mut &[u8]) -> Option<Option<String>> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length);
    if length == NO_TEXT {
        *bytes = rest;
        return Some(None);
    }
    let (text, rest) = rest.split_at_checked(length as usize)?;
    *bytes = rest;
    Some(Some(std::str::from_utf8(text).ok()?.to_owned()))
}

/// What a session's file holds.
pub struct Found {
    /// The last whole record.
    pub record: Record,
    /// Where the file ends.
    pub end: u64,
    /// Whether something other than the record's end is there.
    pub is_torn: bool,
}

/// The last whole record, which must be of this session.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn find(seal: &Seal, file: &mut File, path: &Path, key: &Key) -> Result<Found, StoreError> {
    let found = last_record(seal, file, path)?;
    if found.record.key != *key {
        let problem = "it holds another session";
        return Err(StoreError::Damaged { path: path.to_owned(), problem });
    }
    Ok(found)
}

/// The last whole record, of whatever session.
///
/// # Errors
/// As [`find`].
pub fn last_record(seal: &Seal, file: &mut File, path: &Path) -> Result<Found, StoreError> {
    let read = |file: &mut File| -> io::Result<Option<Found>> {
        let end = file.metadata()?.len();
        if let Some(record) = record_at_end(seal, file, end)? {
            return Ok(Some(Found { record, end, is_torn: false }));
        }
        let record = record_before_torn_end(seal, file, end)?;
        Ok(record.map(|record| Found { record, end, is_torn: true }))
    };
    let found = read(file).map_err(failed("read", path))?;
    found.ok_or_else(|| damage(file, path))
}

/// Says what is wrong with a file that holds no whole record.
fn damage(file: &mut File, path: &Path) -> StoreError {
    let start = read_at(file, 0, MARKER.len()).unwrap_or_default();
    let is_other = start.starts_with(&MARKER[..3]) && start != MARKER;
    let problem = match is_other {
        true => "another version of `behavior` wrote it, in a form that this one does not know",
        false if start.is_empty() => "it is empty",
        false => "it holds no whole state",
    };
    StoreError::Damaged { path: path.to_owned(), problem }
}

fn record_at_end(seal: &Seal, file: &mut File, end: u64) -> io::Result<Option<Record>> {
    let tail = end.min(TAIL);
    let mut bytes = read_at(file, end - tail, tail as usize)?;
    let Some(length) = bytes.last_chunk().map(|length| u32::from_le_bytes(*length)) else {
        return Ok(None);
    };
    let whole = length as usize + FRAME;
    if length as usize > LARGEST_BODY || whole as u64 > end {
        return Ok(None);
    }
    match bytes.len().checked_sub(whole) {
        Some(before) => drop(bytes.drain(..before)),
        None => bytes = read_at(file, end - whole as u64, whole)?,
    }
    Ok(Record::read(seal, bytes))
}

/// Goes from record to record as long as they are whole; reads each byte once.
fn record_before_torn_end(seal: &Seal, file: &mut File, end: u64) -> io::Result<Option<Record>> {
    let mut last = None;
    let mut at = 0;
    while at + FRAME as u64 <= end {
        let head = read_at(file, at, HEAD)?;
        let Some([marker, length]) = head.first_chunk().map(halves) else { break };
        let length = u32::from_le_bytes(length) as usize;
        let whole = (length + FRAME) as u64;
        if marker != MARKER || length > LARGEST_BODY || whole > end - at {
            break;
        }
        let Some(record) = Record::read(seal, read_at(file, at, length + FRAME)?) else { break };
        last = Some(record);
        at += whole;
    }
    Ok(last)
}

fn read_at(file: &mut File, at: u64, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
