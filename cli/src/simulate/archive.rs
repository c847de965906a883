//! The archives of Inspect (`.eval`): ZIP files that hold each sample of a log as a file of its own. Read from the front
//! to the back, as one document a line, so that no more than a window is held; other archives are no recordings.
//!
//! The form of a local file header is that of PKWARE's APPNOTE 6.3.10, sections 4.3.7 and 4.5.3.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

use flate2::bufread::DeflateDecoder;

use super::compressed::Zstd;

/// The first bytes of an entry.
pub const ENTRY: [u8; 4] = *b"PK\x03\x04";
/// How long the header of an entry is without its name and what follows that.
const HEADER: usize = 30;
/// What stands for a length that is told elsewhere.
const ELSEWHERE: u32 = u32::MAX;
/// The kind of the extra field that tells long lengths.
const LONG_LENGTHS: u16 = 1;
/// Names of entries of a log, or what they begin with.
const OF_A_LOG: [&str; 5] =
    ["_journal/", "samples/", "header.json", "summaries.json", "reductions.json"];
/// The beginning of a log, of which a sample follows; what closes it.
const OPEN: &[u8] = b"{\"eval\":{},\"status\":\"\",\"samples\":[";
const CLOSE: &[u8] = b"]}\n";
/// A log without samples, which tells what this is before there are any.
const EMPTY: &[u8] = b"{\"eval\":{},\"status\":\"\",\"samples\":[]}\n";
/// How the archive is read in.
const BUFFER: usize = 64 << 10;

/// What stands before an entry.
struct Header {
    name: String,
    method: u16,
    length: u64,
}

impl Header {
    /// Reads the next header; `None` behind the last entry.
    fn read(source: &mut impl Read) -> io::Result<Option<Self>> {
        let mut fixed = Vec::with_capacity(HEADER);
        source.by_ref().take(HEADER as u64).read_to_end(&mut fixed)?;
        if !fixed.starts_with(&ENTRY) {
            // The list of all entries comes behind them.
            return match fixed.starts_with(b"PK") {
                true => Ok(None),
                false => Err(damaged("an entry does not begin where it should")),
            };
        }
        let (Some(flags), Some(method), Some(length), Some(name), Some(extra)) = (
            number(&fixed, 6),
            number(&fixed, 8),
            length(&fixed, 18),
            number(&fixed, 26),
            number(&fixed, 28),
        ) else {
            return Err(ErrorKind::UnexpectedEof.into());
        };
        let name = String::from_utf8_lossy(&taken(source, name)?).into_owned();
        let extra = taken(source, extra)?;
        if flags & 1 != 0 {
            return Err(damaged("its entries are encrypted"));
        }
        if flags & 8 != 0 && length == 0 {
            return Err(damaged("the length of an entry is not told before it"));
        }
        let length = match length {
            ELSEWHERE => long_length(&extra).ok_or_else(|| damaged("an entry has no length"))?,
            length => u64::from(length),
        };
        Ok(Some(Self { name, method, length }))
    }

    fn is_sample(&self) -> bool {
        self.name.starts_with("samples/") && self.name.ends_with(".json")
    }
}

/// Whether what begins like this is the archive of a log.
pub fn is_log(first: &[u8]) -> bool {
    let header = Header::read(&mut &*first).ok().flatten();
    header.is_some_and(|header| OF_A_LOG.iter().any(|start| header.name.starts_with(start)))
}

/// How much of a file tells whether it is the archive of a log.
pub const TELLING: u64 = HEADER as u64 + 64;

fn number(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn length(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The compressed length in an extra field: behind the other one.
fn long_length(mut extra: &[u8]) -> Option<u64> {
    loop {
        let (kind, size) = (number(extra, 0)?, usize::from(number(extra, 2)?));
        let field = extra.get(4..4 + size)?;
        if kind == LONG_LENGTHS {
            return Some(u64::from_le_bytes(*field.get(8..)?.first_chunk()?));
        }
        extra = extra.get(4 + size..)?;
    }
}

fn taken(source: &mut impl Read, most: u16) -> io::Result<Vec<u8>> {
    let mut taken = Vec::new();
    source.by_ref().take(u64::from(most)).read_to_end(&mut taken)?;
    match taken.len() == usize::from(most) {
        true => Ok(taken),
        false => Err(ErrorKind::UnexpectedEof.into()),
    }
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

type Source<'a> = BufReader<Box<dyn Read + Send + 'a>>;

/// What an entry holds.
enum Content<'a> {
    Stored(io::Take<Source<'a>>),
    Deflated(Box<DeflateDecoder<io::Take<Source<'a>>>>),
    Zstd(Box<Zstd<io::Take<Source<'a>>>>),
}

impl<'a> Content<'a> {
    fn new(source: Source<'a>, header: &Header) -> io::Result<Self> {
        let packed = source.take(header.length);
        Ok(match header.method {
            0 => Self::Stored(packed),
            8 => Self::Deflated(Box::new(DeflateDecoder::new(packed))),
            93 => Self::Zstd(Box::new(Zstd::new(packed))),
            _ => return Err(damaged("a sample is compressed in an unknown way")),
        })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stored(content) => content.read(buffer),
            Self::Deflated(content) => content.read(buffer),
            Self::Zstd(content) => content.read(buffer),
        }
    }

    /// Goes behind it.
    fn over(self) -> io::Result<Source<'a>> {
        over(match self {
            Self::Stored(packed) => packed,
            Self::Deflated(decoder) => decoder.into_inner(),
            Self::Zstd(decoder) => decoder.into_inner(),
        })
    }
}

/// Goes behind what is left of an entry.
fn over<R: BufRead>(mut rest: io::Take<R>) -> io::Result<R> {
    io::copy(&mut rest, &mut io::sink())?;
    match rest.limit() {
        0 => Ok(rest.into_inner()),
        _ => Err(ErrorKind::UnexpectedEof.into()),
    }
}

/// Where the reader of an archive is.
enum Place<'a> {
    Between(Source<'a>),
    Sample(Content<'a>),
    End,
}

/// The samples of an archive, each as a document on a line of its own.
pub struct Samples<'a> {
    /// What is said of our own before the archive goes on.
    own: Cursor<&'static [u8]>,
    place: Place<'a>,
}

impl<'a> Samples<'a> {
    /// Reads an archive.
    pub fn new(source: Box<dyn Read + Send + 'a>) -> Self {
        let source = BufReader::with_capacity(BUFFER, source);
        Self { own: Cursor::new(EMPTY), place: Place::Between(source) }
    }
}

impl Read for Samples<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.own.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match std::mem::replace(&mut self.place, Place::End) {
                Place::Between(source) => {
                    let Some(sample) = next_sample(source)? else { return Ok(0) };
                    self.place = Place::Sample(sample);
                    self.own = Cursor::new(OPEN);
                }
                Place::Sample(mut sample) => {
                    let read = sample.read(buffer)?;
                    if read == 0 {
                        self.place = Place::Between(sample.over()?);
                        self.own = Cursor::new(CLOSE);
                        continue;
                    }
                    self.place = Place::Sample(sample);
                    let read_now = buffer.get_mut(..read).unwrap_or_default();
                    // A line feed of JSON is a blank: within texts there are none.
                    let feeds = read_now.iter_mut().filter(|byte| matches!(**byte, b'\n' | b'\r'));
                    feeds.for_each(|byte| *byte = b' ');
                    return Ok(read);
                }
                Place::End => return Ok(0),
            }
        }
    }
}

fn next_sample(mut source: Source<'_>) -> io::Result<Option<Content<'_>>> {
    while let Some(header) = Header::read(&mut source)? {
        if header.is_sample() {
            return Content::new(source, &header).map(Some);
        }
        source = over(source.take(header.length))?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// An archive of entries, each compressed by a method.
    fn archive(entries: &[(&str, &str, u16)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, text, method) in entries {
            let packed = match method {
                8 => {
                    let level = flate2::Compression::default();
                    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
                    encoder.write_all(text.as_bytes()).expect("memory can be written");
                    encoder.finish().expect("memory can be written")
                }
                93 => {
                    let level = ruzstd::encoding::CompressionLevel::Fastest;
                    ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
                }
                _ => text.as_bytes().to_vec(),
            };
            bytes.extend(ENTRY);
            bytes.extend([20, 0, 0, 0]);
            bytes.extend(method.to_le_bytes());
            bytes.extend([0; 8]);
            bytes.extend(u32::try_from(packed.len()).expect("it is short").to_le_bytes());
            bytes.extend(u32::try_from(text.len()).expect("it is short").to_le_bytes());
            bytes.extend(u16::try_from(name.len()).expect("it is short").to_le_bytes());
            bytes.extend([0, 0]);
            bytes.extend(name.as_bytes());
            bytes.extend(packed);
        }
        bytes.extend(b"PK\x01\x02 and so on");
        bytes
    }

    fn read(bytes: &[u8]) -> (String, io::Result<usize>) {
        let mut text = String::new();
        let result = Samples::new(Box::new(bytes)).read_to_string(&mut text);
        (text, result)
    }

    fn log() -> Vec<u8> {
        archive(&[
            ("_journal/start.json", "{}", 8),
            ("samples/a_epoch_1.json", "{\n  \"id\": \"a\"\n}", 8),
            ("samples/b_epoch_1.json", "{\"id\":\"b\"}", 93),
            ("header.json", "{}", 0),
            ("samples/c_epoch_1.json", "{\"id\":\"c\"}", 0),
        ])
    }

    #[test]
    fn each_sample_is_a_line() {
        let (text, result) = read(&log());
        assert!(result.is_ok(), "{result:?}");
        let ids: Vec<String> = text
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a document"))
            .map(|document| document["samples"][0]["id"].as_str().unwrap_or("none").to_owned())
            .collect();
        assert_eq!(ids, ["none", "a", "b", "c"]);
    }

    #[test]
    fn archives_of_logs_are_told_from_others() {
        assert!(is_log(&log()));
        assert!(!is_log(&archive(&[("word/document.xml", "<a/>", 8)])));
        assert!(!is_log(b"PK\x03\x04"));
    }

    #[test]
    fn what_is_cut_off_or_damaged_ends_with_an_error() {
        let whole = log();
        for end in 0..whole.len() {
            let (text, _) = read(&whole[..end]);
            let all = read(&whole).0;
            assert!(all.starts_with(&text) || end < 4, "{end}: {text}");
        }
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 0x5a;
            // Whatever comes of it, it ends.
            let _ = read(&broken);
        }
    }

    #[test]
    fn long_lengths_stand_in_an_extra_field() {
        let mut extra = vec![9, 9, 1, 0, 7, 1, 0, 16, 0];
        extra.extend(5u64.to_le_bytes());
        extra.extend(3u64.to_le_bytes());
        assert_eq!(long_length(&extra), Some(3));
        assert_eq!(long_length(&extra[..20]), None);
    }
}
