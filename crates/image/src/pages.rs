//! The bytes of an image: all of them at hand, or read in pages when something asks for them, so
//! that a process that decides on one event reads what that event needs and no more.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::format::{SECTIONS, Section};

/// Where the pages of an image come from, such as a file. The image does no IO of its own.
pub trait PageSource: Send + Sync {
    /// Fills `into` with the bytes of the image from `offset` on. Says whether that worked.
    fn read(&self, offset: usize, into: &mut [u8]) -> bool;

    /// Returns whether these bytes are the page of this number, counted from 0, of an image that was verified
    /// whole. Nothing of a page is used before.
    fn vouches_for(&self, page: usize, bytes: &[u8]) -> bool;
}

/// How long a page is.
pub const PAGE: usize = 2 << 10;

/// The bytes of an image.
pub(crate) enum Bytes {
    /// All of them.
    Whole(Box<[u8]>),
    /// Those that something has asked for.
    Paged(Box<Pages>),
}

/// A page, for which the source vouched, and the one behind it, for which it does when that is asked for.
struct Pair {
    bytes: Box<[u8]>,
    is_second_sound: OnceLock<bool>,
}

/// Bytes that are read when they are asked for.
pub(crate) struct Pages {
    source: Box<dyn PageSource>,
    length: usize,
    /// Each page with the one behind it, so that what crosses a border is in one piece.
    pages: Box<[OnceLock<Pair>]>,
    /// Sections of which something long was asked.
    sections: [OnceLock<Box<[u8]>>; SECTIONS],
    is_damaged: AtomicBool,
}

impl Bytes {
    /// Some bytes of a section, which lies at `place`; none where it does not hold them.
    #[inline(always)]
    pub fn get(&self, section: Section, place: &Range<usize>, bytes: Range<usize>) -> &[u8] {
        let start = place.start + bytes.start;
        let end = place.start + bytes.end;
        if end > place.end || start > end {
            return &[];
        }
        match self {
            Bytes::Whole(all) => all.get(start..end).unwrap_or_default(),
            Bytes::Paged(pages) => pages.get(section, place, start..end),
        }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        match self {
            Bytes::Whole(all) => all.len(),
            Bytes::Paged(pages) => pages.length,
        }
    }

    /// Notes that something in them is not as whoever writes images writes it.
    pub fn spoil(&self) {
        if let Bytes::Paged(pages) = self {
            pages.is_damaged.store(true, Ordering::Relaxed);
        }
    }

    /// Whether all that was asked for was there and was as it had been written.
    pub fn is_sound(&self) -> bool {
        match self {
            Bytes::Whole(_) => true,
            Bytes::Paged(pages) => !pages.is_damaged.load(Ordering::Relaxed),
        }
    }
}

impl Pages {
    pub fn new(source: Box<dyn PageSource>, length: usize) -> Self {
        let pages = (0..length.div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        let sections = [const { OnceLock::new() }; SECTIONS];
        Self { source, length, pages, sections, is_damaged: AtomicBool::new(false) }
    }

    #[cold]
    fn get(&self, section: Section, place: &Range<usize>, bytes: Range<usize>) -> &[u8] {
        let page = bytes.start / PAGE;
        let within = bytes.start - page * PAGE..bytes.end - page * PAGE;
        if within.end <= 2 * PAGE {
            let Some(cell) = self.pages.get(page) else { return &[] };
            if cell.get().is_none()
                && let Some(bytes) = self.read_before(page, &within)
            {
                return bytes;
            }
            let pair = cell.get_or_init(|| self.read_pair(page));
            return self.of_pair(page, pair, within);
        }
        let Some(cell) = self.sections.get(section as usize) else { return &[] };
        let whole = cell.get_or_init(|| {
            let first = place.start / PAGE;
            let pages = place.end.div_ceil(PAGE) - first;
            let all = self.read_pages(first, pages);
            // Pages that are damaged are empty.
            let section = all.get(place.start - first * PAGE..place.end - first * PAGE);
            section.unwrap_or_default().into()
        });
        whole.get(bytes.start - place.start..bytes.end - place.start).unwrap_or_default()
    }

    /// Some bytes of a page, where it was read with the one before it.
    fn read_before(&self, page: usize, within: &Range<usize>) -> Option<&[u8]> {
        let before = self.pages.get(page.checked_sub(1)?)?.get()?;
        let within = within.start + PAGE..within.end + PAGE;
        (within.end <= before.bytes.len()).then(|| self.of_pair(page - 1, before, within))
    }

    /// Some bytes of a pair that begins with this page.
    fn of_pair<'p>(&self, page: usize, pair: &'p Pair, within: Range<usize>) -> &'p [u8] {
        if within.end > PAGE {
            let second = pair.bytes.get(PAGE..).unwrap_or_default();
            let is_sound = || self.vouch(page + 1, second);
            if !second.is_empty() && !pair.is_second_sound.get_or_init(is_sound) {
                return &[];
            }
        }
        pair.bytes.get(within).unwrap_or_default()
    }

    /// A page, and the one behind it, if there is one. One that nobody vouches for is empty.
    fn read_pair(&self, page: usize) -> Pair {
        let start = page * PAGE;
        let mut bytes = vec![0; (start + 2 * PAGE).min(self.length).saturating_sub(start)];
        let is_read = self.source.read(start, &mut bytes);
        if !is_read || !self.vouch(page, bytes.get(..PAGE).unwrap_or(&bytes)) {
            self.is_damaged.store(true, Ordering::Relaxed);
            bytes.clear();
        }
        Pair { bytes: bytes.into(), is_second_sound: OnceLock::new() }
    }

    /// Whether the source vouches for a page; that it does not is remembered.
    fn vouch(&self, page: usize, bytes: &[u8]) -> bool {
        let is_sound = self.source.vouches_for(page, bytes);
        if !is_sound {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
        is_sound
    }

    /// So many pages, or as many as there are. Pages that nobody vouches for are empty.
    fn read_pages(&self, first: usize, count: usize) -> Box<[u8]> {
        let start = first * PAGE;
        let end = (start + count * PAGE).min(self.length);
        let mut bytes = vec![0; end.saturating_sub(start)];
        let is_sound = self.source.read(start, &mut bytes)
            && (first..)
                .zip(bytes.chunks(PAGE))
                .all(|(at, page)| self.source.vouches_for(at, page));
        if !is_sound {
            self.is_damaged.store(true, Ordering::Relaxed);
            bytes.clear();
        }
        bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Bytes, PAGE, PageSource, Pages};
    use crate::checksum::checksum;
    use crate::format::Section;

    struct Memory {
        bytes: Vec<u8>,
        sums: Vec<u32>,
        reads: Arc<AtomicUsize>,
    }

    impl PageSource for Memory {
        fn read(&self, offset: usize, into: &mut [u8]) -> bool {
            self.reads.fetch_add(1, Ordering::Relaxed);
            let there = self.bytes.get(offset..offset + into.len());
            there.map(|there| into.copy_from_slice(there)).is_some()
        }

        fn vouches_for(&self, page: usize, bytes: &[u8]) -> bool {
            self.sums.get(page) == Some(&checksum(bytes))
        }
    }

    /// Some pages and a bit, and how often they were read.
    fn paged(damage: Option<usize>) -> (Vec<u8>, Bytes, Arc<AtomicUsize>) {
        let bytes: Vec<u8> = (0..PAGE * 6 + 100).map(|at| (at * 7 % 251) as u8).collect();
        let reads = Arc::new(AtomicUsize::new(0));
        let sums = bytes.chunks(PAGE).map(checksum).collect();
        let mut source = Memory { bytes: bytes.clone(), sums, reads: Arc::clone(&reads) };
        damage.into_iter().for_each(|at| source.bytes[at] ^= 1);
        let pages = Pages::new(Box::new(source), bytes.len());
        (bytes, Bytes::Paged(Box::new(pages)), reads)
    }

    const PLACE: Range<usize> = 10..PAGE * 6 + 100;

    #[test]
    fn every_range_is_what_was_written() {
        for step in [1, 3, 5] {
            let (bytes, paged, _) = paged(None);
            for start in (0..PLACE.len()).step_by(step * 97) {
                for length in [0, 1, 50, PAGE - 1, PAGE, 2 * PAGE, 3 * PAGE] {
                    let end = start + length;
                    let expect = bytes[PLACE].get(start..end).unwrap_or_default();
                    let there = paged.get(Section::Rules, &PLACE, start..end);
                    assert_eq!(there, expect, "{start}..{end}");
                }
            }
            assert!(paged.is_sound());
        }
    }

    #[test]
    fn a_page_is_not_read_again_that_was_read_with_the_one_before_it() {
        let (_, paged, reads) = paged(None);
        let first = paged.get(Section::Rules, &PLACE, 0..4);
        let second = paged.get(Section::Rules, &PLACE, PAGE..PAGE + 4);
        assert!(!first.is_empty() && !second.is_empty());
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        // What crosses the border behind it needs the next one.
        let crossing = 2 * PAGE - 12..2 * PAGE + 4;
        assert_eq!(paged.get(Section::Rules, &PLACE, crossing).len(), 16);
        assert_eq!(reads.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn what_is_damaged_is_empty_and_said_to_be() {
        let (_, paged, _) = paged(Some(PAGE + 5));
        assert!(paged.get(Section::Rules, &PLACE, PAGE..PAGE + 4).is_empty());
        assert!(!paged.is_sound());
    }
}
