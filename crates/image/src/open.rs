//! Takes bytes up as an image: its head, where its sections lie, their checksums. What the sections hold
//! is verified elsewhere.

use std::ops::Range;
use std::sync::OnceLock;

use crate::checksum::{checksum, checksum_of};
use crate::error::{ImageError, damaged};
use crate::format::*;
use crate::image::Image;
use crate::matchers::Matchers;
use crate::pages::{Bytes, PageSource, Pages};
use crate::verify;

impl Image {
    /// Verifies `bytes` and takes them as an image.
    ///
    /// # Errors
    /// When the bytes are no image, were written for another version, or are damaged.
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Result<Self, ImageError> {
        open(bytes.into())
    }

    /// Takes up an image whose bytes were verified before they were kept, and reads them when
    /// something asks for them. `head` is how they begin, up to the first section at least.
    ///
    /// It is not verified again, so the source has to know that its pages are those of an image that was:
    /// it vouches for each as it is read, and for the head before. A page that it does not vouch for reads
    /// as nothing; [`Image::is_sound`] says whether that happened, and no decision counts then. For images
    /// that others give, there is [`Image::from_bytes`].
    ///
    /// # Errors
    /// When the head is none of an image, was written for another version, or is damaged.
    pub fn from_pages(source: Box<dyn PageSource>, head: &[u8]) -> Result<Self, ImageError> {
        open_pages(source, head)
    }
}

/// Takes up an image all of whose bytes are there, and verifies it.
fn open(bytes: Box<[u8]>) -> Result<Image, ImageError> {
    let head = read_head(&bytes)?;
    if head.length != bytes.len() {
        return Err(in_header("it has another length than it says"));
    }
    for (entry, &section) in head.entries.iter().zip(Section::ALL) {
        let body = bytes.get(entry.place.clone());
        let body = body.ok_or(damaged(section, "it lies outside the image"))?;
        if checksum(body) != entry.checksum {
            return Err(damaged(section, "the checksum does not match"));
        }
    }
    let mut image = head.image(Bytes::Whole(bytes));
    image.classifier = verify::tables(&image)?.into();
    image.workflows = verify::workflows(&image)?;
    image.strings = std::str::from_utf8(image.section(Section::StringBytes)).ok().map(Box::from);
    Ok(image)
}

/// Takes up an image that was verified before; its source vouches for its pages.
fn open_pages(source: Box<dyn PageSource>, head: &[u8]) -> Result<Image, ImageError> {
    let head = read_head(head)?;
    for (entry, &section) in head.entries.iter().zip(Section::ALL) {
        if entry.place.end > head.length {
            return Err(damaged(section, "it lies outside the image"));
        }
    }
    let pages = Pages::new(source, head.length);
    let mut image = head.image(Bytes::Paged(Box::new(pages)));
    image.workflows = verify::workflows(&image)?;
    Ok(image)
}

/// What stands before the sections.
struct Head {
    length: usize,
    identity: u64,
    entries: Vec<SectionEntry>,
}

/// Where a section lies, and the checksum of its bytes.
struct SectionEntry {
    place: Range<usize>,
    checksum: u32,
}

impl Head {
    fn image(self, bytes: Bytes) -> Image {
        let mut sections = [const { 0..0 }; SECTIONS];
        for (section, entry) in sections.iter_mut().zip(self.entries) {
            *section = entry.place;
        }
        Image {
            bytes,
            sections,
            identity: self.identity,
            classifier: OnceLock::new(),
            workflows: None,
            strings: None,
            matchers: Matchers::default(),
            kept: OnceLock::new(),
            wanted_params: OnceLock::new(),
            steps: OnceLock::new(),
        }
    }
}

fn in_header(reason: &'static str) -> ImageError {
    ImageError::Damaged { section: "header", reason }
}

fn read_head(bytes: &[u8]) -> Result<Head, ImageError> {
    let header = bytes.get(..HEADER_SIZE).ok_or(ImageError::NotAnImage)?;
    if !header.starts_with(&MAGIC) {
        return Err(ImageError::NotAnImage);
    }
    let (format, language) = (u16::read_at(header, 4), u16::read_at(header, 6));
    if (format, language) != (FORMAT_VERSION, LANGUAGE_VERSION) {
        let writer = header.get(24..24 + WRITER_SIZE).unwrap_or_default();
        let writer = String::from_utf8_lossy(writer)
            .trim_end_matches('\0')
            .replace(|c: char| c.is_control(), "?");
        return Err(ImageError::Version { writer, format, language });
    }
    let table = bytes
        .get(HEADER_SIZE..HEADER_SIZE + SECTIONS * SECTION_ENTRY_SIZE)
        .ok_or(in_header("it ends early"))?;
    let (before, behind) = (header.get(..SUM.start), header.get(SUM.end..));
    let parts = [before.unwrap_or_default(), behind.unwrap_or_default(), table];
    if checksum_of(&parts) != u32::read_at(header, SUM.start) {
        return Err(in_header("the checksum does not match"));
    }
    let (rows, _) = table.as_chunks::<SECTION_ENTRY_SIZE>();
    let entry = |row: &[u8; SECTION_ENTRY_SIZE]| {
        let start = u32::read_at(row, 0) as usize;
        let place = start..start + u32::read_at(row, 4) as usize;
        SectionEntry { place, checksum: u32::read_at(row, 8) }
    };
    Ok(Head {
        length: u32::read_at(header, 8) as usize,
        identity: u64::read_at(header, 16),
        entries: rows.iter().map(entry).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Draft;
    use crate::classifier::{ClassifierTable, encode};

    /// An image in memory, some bytes of which count how often they are read.
    struct Memory {
        bytes: Vec<u8>,
        watched: Range<usize>,
        reads: Arc<AtomicUsize>,
    }

    impl PageSource for Memory {
        fn read(&self, offset: usize, into: &mut [u8]) -> bool {
            if offset < self.watched.end && self.watched.start < offset + into.len() {
                self.reads.fetch_add(1, Ordering::Relaxed);
            }
            into.copy_from_slice(&self.bytes[offset..offset + into.len()]);
            true
        }

        fn vouches_for(&self, _: usize, _: &[u8]) -> bool {
            true
        }
    }

    /// An image with a classifier, with a change to the first word of that, and how often its section was read.
    fn paged(change: u8) -> (Image, Arc<AtomicUsize>) {
        let mut draft = Draft::default();
        draft.string("");
        draft.program.turn_reminder = NONE;
        draft.program.verifier_prompt = NONE;
        draft.triggers.push(TriggerGroup::default());
        let classifier = encode(&ClassifierTable::standard(), &mut |text| draft.string(text));
        draft.classifier = classifier;
        let whole = Image::from_bytes(draft.encode()).unwrap();
        let watched = whole.sections[Section::Classifier as usize].clone();
        let mut bytes = whole.as_bytes().to_vec();
        bytes[watched.start] ^= change;
        let reads = Arc::new(AtomicUsize::new(0));
        let head = bytes.clone();
        let source = Memory { bytes, watched, reads: Arc::clone(&reads) };
        (Image::from_pages(Box::new(source), &head).unwrap(), reads)
    }

    #[test]
    fn a_classifier_is_read_by_whoever_asks_for_it() {
        let (image, reads) = paged(0);
        assert_eq!(reads.load(Ordering::Relaxed), 0);
        assert_eq!(image.classifier(), Some(&ClassifierTable::standard()));
        assert!(image.is_sound());
        let once = reads.load(Ordering::Relaxed);
        assert!(once > 0 && image.classifier().is_some());
        assert_eq!(reads.load(Ordering::Relaxed), once);
    }

    #[test]
    fn with_a_classifier_that_does_not_decode_nothing_counts() {
        let (image, _) = paged(0xFF);
        assert!(image.is_sound());
        assert_eq!(image.classifier(), None);
        assert!(!image.is_sound());
    }
}
