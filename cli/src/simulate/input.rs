//! Which recordings are read: files, what lies in directories, standard input; and what form each
//! of them has. What is compressed is read as what it holds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Mutex;

use behavior_agents::{Format, detect};

use super::archive;
use super::compressed::{self, Damage};
use crate::project::{describe, display};

/// How much of a recording is looked at to tell its format.
const LOOKED_AT: usize = 64 << 10;
/// How deep directories are searched.
const MAX_DEPTH: u32 = 64;
/// The size of the reader's buffer.
const BUFFER: usize = 256 << 10;
/// The endings of the names of recordings; compressed ones have one more.
const ENDINGS: [&str; 5] = [".jsonl", ".json", ".agentlog", ".traj", ".eval"];
/// What standard input is called on the command line.
pub const STDIN: &str = "-";
/// What standard input is called in what is printed.
const STDIN_NAME: &str = "<stdin>";

/// A recording that can be read.
#[derive(Debug)]
pub struct Trace {
    /// The name, as the user gave it.
    pub name: String,
    /// Its form.
    pub format: Format,
    /// Its size in bytes, where it is known.
    pub size: u64,
    /// What was read of standard input to tell its form.
    first: Vec<u8>,
    is_stdin: bool,
    /// A pipe by name, opened, until it is read.
    pipe: Mutex<Option<File>>,
}

/// The recordings that arguments name.
#[derive(Debug, Default)]
pub struct Found {
    /// Those to read, in order.
    pub traces: Vec<Trace>,
    /// Files in directories that are no recordings.
    pub skipped: Vec<String>,
}

/// Why recordings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// Standard input is named more than once.
    #[error("`-` stands for standard input, which can be read once")]
    StdinTwice,
    /// The system refuses to read a file or a directory.
    #[error("cannot read `{name}`: {}", describe(error))]
    Unreadable { name: String, error: io::Error },
    /// Nothing in a directory has the name of a recording.
    #[error(
        "there are no traces in `{name}` (looked for {}, also with {} behind)",
        ENDINGS.map(|ending| format!("`*{ending}`")).join(", "),
        compressed::ENDINGS.map(|ending| format!("`{ending}`")).join(" or ")
    )]
    NoTraces { name: String },
    /// Files in a directory have the names of recordings, and none can be read.
    #[error(
        "no trace in `{name}` can be read, of {} whose names look like one: {}",
        crate::number::count(skipped.len() as u64, "file"),
        some_of(skipped)
    )]
    NoneReadable { name: String, skipped: Vec<String> },
    /// A file is an archive.
    #[error(
        "`{name}` is a ZIP archive and no log of Inspect, the one kind of archive that is read: unpack it first"
    )]
    Zip { name: String },
    /// A file has another encoding.
    #[error("`{name}` is UTF-16, and recordings are read as UTF-8: convert it first")]
    Utf16 { name: String },
    /// Nothing tells the format of a file.
    #[error("{}", format_not_known(name, "--input-format"))]
    UnknownFormat { name: String },
}

/// Says that nothing tells the format of a file, and with what to name it.
pub fn format_not_known(name: &str, option: &str) -> String {
    let known = Format::all().map(Format::name).collect::<Vec<_>>().join(", ");
    format!(
        "the format of `{name}` is not known (known are {known}); name the format with `{option}` if it is one"
    )
}

/// The first of some files, and why each is not read.
fn some_of(skipped: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = skipped.iter().take(SHOWN).map(|file| format!("`{file}`: {}", why_not(file)));
    let shown = shown.collect::<Vec<_>>().join("; ");
    match skipped.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

/// Finds the recordings that `names` name.
///
/// # Errors
/// When one cannot be read, or its format cannot be told.
pub fn find(names: &[String], format: Option<Format>) -> Result<Found, InputError> {
    let mut found = Found::default();
    let mut read_stdin = false;
    for name in names {
        if name == STDIN {
            if std::mem::replace(&mut read_stdin, true) {
                return Err(InputError::StdinTwice);
            }
            found.traces.push(stdin(format)?);
        } else if Path::new(name).is_dir() {
            let before = found.traces.len();
            directory(name, format, &mut found)?;
            if found.traces.len() == before {
                return Err(no_traces(name, &found.skipped));
            }
        } else {
            match file(name, format)? {
                Some(trace) => found.traces.push(trace),
                None => return Err(unknown_format(name, &looked_at(name))),
            }
        }
    }
    Ok(found)
}

fn no_traces(name: &str, skipped: &[String]) -> InputError {
    let name = name.to_owned();
    match skipped {
        [] => InputError::NoTraces { name },
        skipped => InputError::NoneReadable { name, skipped: skipped.to_vec() },
    }
}

/// Why a file is not read as a recording.
pub fn why_not(name: &str) -> &'static str {
    let first = looked_at(name);
    if first.starts_with(&archive::ENTRY) {
        "it is a ZIP archive that is no log of Inspect"
    } else if is_utf16(&first) {
        "it is UTF-16, and recordings are UTF-8"
    } else {
        "its content is in no known format"
    }
}

/// Text in UTF-16 begins with its mark, or has a zero in each of its first characters.
fn is_utf16(first: &[u8]) -> bool {
    let is_marked = first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]);
    let zeros = first.get(..4).map(|first| first.iter().map(|byte| *byte == 0));
    let zeros: Vec<bool> = zeros.into_iter().flatten().collect();
    is_marked || matches!(*zeros, [true, false, true, false] | [false, true, false, true])
}

/// What a file begins with, for a message.
fn looked_at(name: &str) -> Vec<u8> {
    let mut first = vec![0; archive::ENTRY.len()];
    let read = File::open(name).and_then(|mut file| file.read(&mut first));
    first.truncate(read.unwrap_or(0));
    first
}

fn unknown_format(name: &str, first: &[u8]) -> InputError {
    let name = name.to_owned();
    if first.starts_with(&archive::ENTRY) {
        InputError::Zip { name }
    } else if is_utf16(first) {
        InputError::Utf16 { name }
    } else {
        InputError::UnknownFormat { name }
    }
}

fn directory(name: &str, format: Option<Format>, found: &mut Found) -> Result<(), InputError> {
    let mut files = Vec::new();
    walk(Path::new(name), 0, &mut files).map_err(unreadable(name))?;
    files.sort();
    for name in files {
        match file(&name, format)? {
            Some(trace) => found.traces.push(trace),
            None => found.skipped.push(name),
        }
    }
    Ok(())
}

/// The files in a directory and below that may be recordings by their names. Linked directories are not followed.
fn walk(directory: &Path, depth: u32, files: &mut Vec<String>) -> io::Result<()> {
    if depth > MAX_DEPTH {
        return Ok(());
    }
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            walk(&path, depth + 1, files)?;
        } else if is_named_so(&path) && path.is_file() {
            files.push(display(&path));
        }
    }
    Ok(())
}

/// Returns whether a file has the name of a recording.
#[must_use]
pub fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let inner = compressed::ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    let inner = inner.unwrap_or(&name);
    ENDINGS.iter().any(|ending| inner.ends_with(ending))
}

fn unreadable(name: &str) -> impl Fn(io::Error) -> InputError {
    move |error| InputError::Unreadable { name: name.to_owned(), error }
}

/// A file, or none if its format is not known.
fn file(name: &str, format: Option<Format>) -> Result<Option<Trace>, InputError> {
    let failed = unreadable(name);
    let mut opened = File::open(name).map_err(&failed)?;
    let metadata = opened.metadata().map_err(&failed)?;
    let (size, is_file) = (metadata.len(), metadata.is_file());
    let first = match format {
        Some(_) => Vec::new(),
        None => beginning(&mut opened).map_err(&failed)?,
    };
    let Some(format) = format.or_else(|| tell(&first)) else { return Ok(None) };
    let name = name.to_owned();
    if is_file {
        let pipe = Mutex::new(None);
        return Ok(Some(Trace { name, format, size, first: Vec::new(), is_stdin: false, pipe }));
    }
    // What came out of a pipe is gone from it: it is kept, and read on from there.
    let pipe = Mutex::new(Some(opened));
    Ok(Some(Trace { name, format, size: 0, first, is_stdin: false, pipe }))
}

fn stdin(format: Option<Format>) -> Result<Trace, InputError> {
    let name = STDIN_NAME.to_owned();
    let mut first = Vec::new();
    let format = match format {
        Some(format) => format,
        None => {
            let mut input = io::stdin().lock();
            first = beginning(&mut input).map_err(unreadable(&name))?;
            tell(&first).ok_or_else(|| unknown_format(&name, &first))?
        }
    };
    let pipe = Mutex::new(None);
    Ok(Trace { name, format, size: 0, first, is_stdin: true, pipe })
}

/// Reads on until the format can be told, nothing more comes, or it is enough.
fn beginning(input: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    let mut chunk = vec![0; 8 << 10];
    while first.len() < LOOKED_AT {
        let read = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        first.extend_from_slice(chunk.get(..read).unwrap_or_default());
        if detect(&compressed::beginning(&first, LOOKED_AT)).is_some() {
            break;
        }
    }
    Ok(first)
}

/// The format of what begins like this. Nothing at all is a trace without events, and events of
/// kinds that nobody knows are still events, whose lines are then named.
fn tell(first: &[u8]) -> Option<Format> {
    let first = compressed::beginning(first, LOOKED_AT);
    let is_blank = first.iter().all(u8::is_ascii_whitespace);
    detect(&first).or_else(|| (is_blank || names_an_event(&first)).then_some(Format::NATIVE))
}

fn names_an_event(first: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Named {
        #[serde(rename = "event")]
        _event: String,
    }
    let text = String::from_utf8_lossy(first);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.is_some_and(|line| serde_json::from_str::<Named>(line).is_ok())
}

impl Trace {
    /// Returns whether it is a file, which can be read again and again.
    #[must_use]
    pub fn is_file(&self) -> bool {
        !self.is_stdin && std::fs::metadata(&self.name).is_ok_and(|metadata| metadata.is_file())
    }

    /// Opens it. `count` is told of every read, in bytes as they lie in the file; `damage` of compressed
    /// data that is wrong.
    ///
    /// # Errors
    /// When the file can no longer be opened.
    pub fn open<'a>(
        &self,
        count: impl FnMut(u64) + Send + 'a,
        damage: &Damage,
    ) -> io::Result<Box<dyn BufRead + Send + 'a>> {
        let pipe = self.pipe.lock().ok().and_then(|mut pipe| pipe.take());
        let source: Box<dyn Read + Send> = if let Some(pipe) = pipe {
            Box::new(Cursor::new(self.first.clone()).chain(pipe))
        } else if self.is_stdin {
            Box::new(Cursor::new(self.first.clone()).chain(io::stdin()))
        } else {
            Box::new(File::open(&self.name)?)
        };
        let source = compressed::unpacked(Box::new(Counted { source, count }), damage)?;
        Ok(Box::new(BufReader::with_capacity(BUFFER, source)))
    }
}

/// Tells how much was read.
struct Counted<F> {
    source: Box<dyn Read + Send>,
    count: F,
}

impl<F: FnMut(u64)> Read for Counted<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        (self.count)(read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(first: &str, expect: Option<Format>) {
        assert_eq!(tell(first.as_bytes()), expect, "{first}");
    }

    #[test]
    fn formats_are_told_from_the_beginning() {
        check("", Some(Format::NATIVE));
        check(" \n\n", Some(Format::NATIVE));
        check("{\"event\":\"turn_start\"}\n", Some(Format::NATIVE));
        check("{\"event\":\"tool_cal\"}\n", Some(Format::NATIVE));
        check(
            "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"y\"}",
            Some(Format::CLAUDE_CODE),
        );
        check("hello\n", None);
        check("{\"a\":1}\n", None);
    }
}
