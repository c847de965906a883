//! Recordings that are compressed by gzip or zstd or lie in an archive of Inspect, read as what they hold. Which they are,
//! their first bytes say. Never holds more than a window of what is unpacked; what is damaged ends the recording
//! and is told, so that what stands before it still counts.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::archive::{self, Samples};

/// How compressed data is read in.
const BUFFER: usize = 64 << 10;

/// The first bytes of gzip, of zstd, and of a zstd frame without data (but for its first four bits).
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// The endings of the names of compressed files.
pub const ENDINGS: [&str; 2] = [".gz", ".zst"];

/// What was wrong with compressed data, if anything was.
#[derive(Clone, Debug, Default)]
pub struct Damage(Arc<Mutex<Option<String>>>);

impl Damage {
    /// Takes what was wrong.
    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, what: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
    }
}

/// What `source` holds, unpacked if it is compressed.
///
/// # Errors
/// When its first bytes cannot be read.
pub fn unpacked<'a>(
    mut source: Box<dyn Read + Send + 'a>,
    damage: &Damage,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut first = Vec::new();
    source.by_ref().take(4).read_to_end(&mut first)?;
    let is_gzip = first.starts_with(&GZIP);
    let is_skipped = first.get(1..).is_some_and(|rest| rest == SKIPPED)
        && first.first().is_some_and(|byte| byte & 0xf0 == 0x50);
    let is_zstd = first.starts_with(&ZSTD) || is_skipped;
    if first == archive::ENTRY {
        source.by_ref().take(archive::TELLING).read_to_end(&mut first)?;
    }
    let is_archive = archive::is_log(&first);
    let whole = Box::new(Cursor::new(first).chain(source));
    let damage = damage.clone();
    Ok(if is_gzip {
        let inner = MultiGzDecoder::new(BufReader::with_capacity(BUFFER, whole));
        Box::new(Salvaged { inner, damage })
    } else if is_zstd {
        let whole = BufReader::with_capacity(BUFFER, whole);
        Box::new(Salvaged { inner: Zstd::new(whole), damage })
    } else if is_archive {
        Box::new(Salvaged { inner: Samples::new(whole), damage })
    } else {
        whole
    })
}

/// The beginning of what may be compressed data that is cut off anywhere, at most `most` bytes.
#[must_use]
pub fn beginning(first: &[u8], most: usize) -> Vec<u8> {
    let mut text = Vec::new();
    if let Ok(whole) = unpacked(Box::new(first), &Damage::default()) {
        // Of what goes wrong, what stands before it is all there is.
        let _ = whole.take(most as u64).read_to_end(&mut text);
    }
    text
}

/// Ends where the data is damaged.
struct Salvaged<R> {
    inner: R,
    damage: Damage,
}

impl<R: Read> Read for Salvaged<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Err(error) if is_of_data(error.kind()) => {
                let what = match error.kind() {
                    ErrorKind::UnexpectedEof => "cut off".to_owned(),
                    _ => format!("damaged ({error})"),
                };
                self.damage.set(format!(
                    "the compressed data is {what}; what stands before that was read"
                ));
                Ok(0)
            }
            read => read,
        }
    }
}

/// Whether an error is about the data and not about reading it.
fn is_of_data(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnexpectedEof
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::Other
    )
}

/// The frames of zstd data, one after the other.
pub struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Zstd<R> {
    /// Reads what is compressed in `source`.
    pub fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Returns the source, behind what was read of it.
    pub fn into_inner(self) -> R {
        self.source
    }

    /// Begins the next frame; `false` where there is none.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.source.by_ref().take(u64::from(length));
                    io::copy(&mut skipped, &mut io::sink())?;
                }
                Err(error) => return Err(self.fault(error.to_string())),
            }
        }
    }

    /// An error of the data; where nothing more comes, it is cut off.
    fn fault(&mut self, what: String) -> io::Error {
        match self.source.fill_buf() {
            Ok([]) => ErrorKind::UnexpectedEof.into(),
            _ => io::Error::new(ErrorKind::InvalidData, what),
        }
    }

    /// Checks the frame that has ended.
    fn check(&self) -> io::Result<()> {
        let found = self.decoder.get_calculated_checksum();
        match self.decoder.get_checksum_from_data() {
            Some(expected) if found.is_some_and(|found| found != expected) => {
                Err(io::Error::new(ErrorKind::InvalidData, "a checksum does not match"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.in_frame {
                if self.decoder.can_collect() > 0 {
                    return self.decoder.read(buffer);
                }
                if !self.decoder.is_finished() {
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    if let Err(error) = self.decoder.decode_blocks(&mut self.source, one) {
                        return Err(self.fault(error.to_string()));
                    }
                    continue;
                }
                self.in_frame = false;
                self.check()?;
            }
            if !self.next_frame()? {
                return Ok(0);
            }
            self.in_frame = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text, level)
    }

    #[track_caller]
    fn check(data: &[u8], expect: &[u8], fault: Option<&str>) {
        let damage = Damage::default();
        let mut text = Vec::new();
        let mut source = unpacked(Box::new(data), &damage).expect("memory can be read");
        source.read_to_end(&mut text).expect("damage is no error");
        assert_eq!(text, expect);
        let told = damage.take();
        match fault {
            None => assert_eq!(told, None),
            Some(part) => assert!(told.as_ref().is_some_and(|it| it.contains(part)), "{told:?}"),
        }
    }

    #[test]
    fn what_is_compressed_is_unpacked() {
        for text in [&b""[..], b"x", b"{\"event\":\"turn_start\"}\n"] {
            check(text, text, None);
            check(&gzip(text), text, None);
            check(&zstd(text), text, None);
        }
        let long = b"a line that repeats\n".repeat(100_000);
        check(&gzip(&long), &long, None);
        check(&zstd(&long), &long, None);
    }

    #[test]
    fn members_and_frames_follow_each_other() {
        check(&[gzip(b"one "), gzip(b"two")].concat(), b"one two", None);
        let skipped =
            [&[0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9][..], &zstd(b"one "), &zstd(b"two")];
        check(&skipped.concat(), b"one two", None);
    }

    #[test]
    fn what_is_damaged_ends_there() {
        let packed = [gzip(b"one\n"), gzip(b"two\n")].concat();
        let end = packed.len() - 9;
        check(&packed[..end], b"one\ntwo\n", Some("cut off"));
        let packed = [zstd(b"one\n"), zstd(b"two\n")].concat();
        check(&packed[..packed.len() - 5], b"one\n", Some("cut off"));
        let garbage = [zstd(b"one\n"), b"garbage follows".to_vec()].concat();
        check(&garbage, b"one\n", Some("damaged"));
        let garbage = [gzip(b"one\n"), b"garbage follows".to_vec()].concat();
        check(&garbage, b"one\n", Some("damaged"));
    }

    #[test]
    fn the_beginning_is_enough_and_bounded() {
        let long = b"0123456789".repeat(10_000);
        for packed in [gzip(&long), zstd(&long)] {
            assert_eq!(beginning(&packed, 100), long[..100]);
            assert!(beginning(&packed[..packed.len() / 2], 100).len() <= 100);
        }
        assert_eq!(beginning(b"plain", 100), b"plain");
        assert_eq!(beginning(&GZIP, 100), b"");
    }
}
