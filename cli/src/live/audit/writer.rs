//! Writes a line behind the others of the audit log, in its turn: under the lock of the head, chained to the line
//! before. Knows nothing of what lines say.
//!
//! A hook waits for its turn no longer than [`LOCK_WAIT`]. Without it, or without a head, it writes its line with a
//! code for that line alone, and the next one that has its turn covers it. A line that was cut when its writer died
//! stays, and is covered too.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::chain::{self, Before, Line, Place};
use super::files::{head, open, open_and_measure, put_aside};
use super::head::{Head, Held};
use crate::live::secret_key::SecretKey;
use crate::live::store::create_private;

/// A log that is longer is put aside, and a new one begun. Tests need not write as much.
const MAX_LENGTH: u64 = if cfg!(test) { 64 << 10 } else { 16 << 20 };
/// How long a hook waits for its turn. Whoever has it, has it for some ten microseconds.
pub const LOCK_WAIT: Duration = Duration::from_millis(if cfg!(test) { 5 } else { 500 });
/// Of what stands behind the last line that the head knows, no more than this is read.
const MAX_BEHIND_HEAD: u64 = 1 << 20;

/// Writes a line, which is a JSON object, behind the end of the log at a path. Without a key it has no code. Says whether
/// the line had its turn within `wait`.
///
/// # Errors
/// When the system refuses; the line is not there then.
pub fn append(
    path: &Path,
    key: Option<&SecretKey>,
    wait: Duration,
    mut line: String,
) -> io::Result<bool> {
    let Some(key) = key else {
        return put(&mut with_folder(path, || open(path))?, line).map(|_| true);
    };
    let head = head(path);
    match with_folder(path, || Held::at(&head, key, wait)) {
        Ok(Some(held)) => chained(path, key, &held, line).map(|()| true),
        // What stands in the place of the head keeps no line from being written down.
        Ok(None) | Err(_) => {
            chain::seal_apart(key, nonce(), &mut line);
            put(&mut open(path)?, line).map(|_| false)
        }
    }
}

/// Opens something in the folder of the log; the folder is made where there is none.
fn with_folder<T>(path: &Path, open: impl Fn() -> io::Result<T>) -> io::Result<T> {
    open().or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            create_private(path.parent().unwrap_or(Path::new("")))?;
            open()
        }
        _ => Err(error),
    })
}

/// Writes a line as the next one of the chain.
fn chained(path: &Path, key: &SecretKey, held: &Held, mut line: String) -> io::Result<()> {
    let (mut file, length) = open_and_measure(path)?;
    let tail = match held.head {
        Some(head) if head.end == length => Tail::at_end(head.last, length),
        _ => Tail::find(path, key, held, &mut file, length)?,
    };
    let before = if tail.is_file_empty { Before::Nothing } else { Before::Line(&tail.between) };
    let last = chain::seal(key, tail.last, before, &mut line);
    if tail.is_cut {
        line.insert(0, '\n');
    }
    let end = put(&mut file, line)?;
    // A head that cannot be written is behind: the next one finds this line where the head says that nothing is.
    let is_known = held.write(&Head { last, end }, key).is_ok();
    if end > MAX_LENGTH && is_known && put_aside(path).is_ok() {
        let _ = held.write(&Head { last, end: 0 }, key);
    }
    Ok(())
}

/// Where the chain goes on.
struct Tail {
    /// Its last line.
    last: Place,
    /// Whether the file begins with the line that comes now.
    is_file_empty: bool,
    /// What stands behind the last line, with the line break that is put there.
    between: Vec<u8>,
    /// Whether what stands there has no line break yet.
    is_cut: bool,
}

impl Tail {
    /// The end of a file of this length.
    fn at_end(last: Place, length: u64) -> Self {
        Self { last, is_file_empty: length == 0, between: Vec::new(), is_cut: false }
    }

    /// A file of its own for what comes now. What was there is put aside.
    fn of_new_file(path: &Path, file: &mut File, length: u64, last: Place) -> io::Result<Self> {
        if length > 0 {
            put_aside(path)?;
            *file = open(path)?;
        }
        Ok(Self::at_end(last, 0))
    }

    /// Finds the end of the chain where it is not where the head says: there is no head yet, somebody wrote without
    /// the turn, a writer died, or lines were cut off.
    #[cold]
    #[inline(never)]
    fn find(
        path: &Path,
        key: &SecretKey,
        held: &Held,
        file: &mut File,
        length: u64,
    ) -> io::Result<Self> {
        let Some(head) = held.head else {
            // Written first, so that a writer that dies after its line leaves a head that is behind, and not none.
            held.write(&Head::default(), key)?;
            return Self::of_new_file(path, file, length, Place::default());
        };
        match length.checked_sub(head.end) {
            Some(behind) if behind <= MAX_BEHIND_HEAD => {}
            _ => return Self::of_new_file(path, file, length, head.last),
        }
        let mut behind = Vec::new();
        file.seek(SeekFrom::Start(head.end))?;
        file.take(MAX_BEHIND_HEAD).read_to_end(&mut behind)?;
        let is_cut = behind.last().is_some_and(|byte| *byte != b'\n');
        if is_cut {
            behind.push(b'\n');
        }
        let (last, between) = walk(key, head.last, &behind);
        Ok(Self { last, is_file_empty: false, between: between.to_vec(), is_cut })
    }
}

/// Follows the chain through what the head does not know: returns its last line, and what stands behind that.
fn walk<'a>(key: &SecretKey, mut last: Place, behind: &'a [u8]) -> (Place, &'a [u8]) {
    let (mut rest, mut start) = (behind, 0);
    for line in behind.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        let whole = line.strip_suffix(b"\n").map(chain::read);
        if let Some(Line::Numbered(link)) = whole
            && link.place.number == last.number + 1
            && let Some(covered) = rest.get(..link.over)
            && link.is_genuine(key, &last.code, covered)
        {
            last = link.place;
            rest = behind.get(end..).unwrap_or_default();
        }
        start = end;
    }
    (last, rest)
}

/// Writes a line, whole or not at all; returns where the log ends behind it.
fn put(file: &mut File, mut line: String) -> io::Result<u64> {
    line.push('\n');
    // One write a line: lines of processes that write at the same time do not mix.
    let written = file.write(line.as_bytes())?;
    if written < line.len() {
        take_back(file, written);
        return Err(io::ErrorKind::StorageFull.into());
    }
    file.stream_position()
}

/// Takes back the start of a line for which there was no room, unless others have written since.
fn take_back(file: &mut File, written: usize) {
    let (Ok(end), Ok(metadata)) = (file.stream_position(), file.metadata()) else { return };
    if metadata.len() == end {
        let _ = file.set_len(end.saturating_sub(written as u64));
    }
}

/// Tells two lines apart that say the same.
fn nonce() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().wrapping_mul(1_000_000_000).wrapping_add(since.subsec_nanos().into())
}

#[cfg(test)]
mod tests {
    use super::super::files::{FILE, files};
    use super::*;

    #[test]
    fn a_long_log_is_put_aside_and_the_oldest_goes() {
        let directory = std::env::temp_dir().join(format!("behavior-audit-{}", std::process::id()));
        create_private(&directory).unwrap();
        let key = SecretKey::of_user(&directory).unwrap();
        let long = " ".repeat(usize::try_from(MAX_LENGTH).unwrap());
        for round in 0..7 {
            let path = directory.join(FILE);
            append(&path, Some(&key), LOCK_WAIT, format!("{{\"round\":{round}}}")).unwrap();
            append(&path, Some(&key), LOCK_WAIT, format!("{{\"long\":\"{long}\"}}")).unwrap();
        }
        let rounds: Vec<Option<String>> = files(&directory)
            .map(|path| std::fs::read_to_string(path).ok())
            .map(|text| Some(text?.split(',').next()?.to_owned()))
            .collect();
        let kept = [3, 4, 5, 6].map(|round| Some(format!("{{\"round\":{round}")));
        assert_eq!(rounds.get(..4), Some(&kept[..]), "four of seven are kept");
        assert_eq!(rounds.last(), Some(&None), "the one that is written to was put aside");
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
