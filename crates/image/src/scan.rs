//! One pass over a text that finds which of very many rules are worth a look.
//!
//! Each such rule requires some literal to be in the text. A scan takes a few neighbouring bytes of
//! the text at a time (a gram: six where the literals are that long, else three), looks them up in a
//! filter small enough for the nearest cache, and only where the filter says "perhaps" compares
//! literals. It need not look everywhere: where every literal is long enough, so many neighbouring
//! grams of each are in the filter that one of them is met at every second, third, … place of the
//! text. So its cost depends on the text and hardly on the rules.
//!
//! Letters compare without regard to case. Besides ASCII, two characters fold to ASCII letters:
//! the Kelvin sign to `k` and the long s to `s`; texts that may hold them are rewritten first.

use std::collections::HashMap;

use crate::fold::fold_odd_letters;
use crate::format::{LiteralRecord, ScanRecord};
use crate::image::View;

/// How many neighbouring bytes a scan may look up together. Literals shorter than the least cannot
/// be scanned for.
pub const GRAMS: [usize; 2] = [3, 6];

/// How many bytes of a literal are looked up: the most that it has.
#[must_use]
pub fn gram_of(literal: &str) -> Option<usize> {
    GRAMS.into_iter().rev().find(|gram| literal.len() >= *gram)
}

/// The bytes of a gram as one number, the first counting least, letters made lower case. (So are some
/// other bytes; a filter may err on that side.)
#[inline(always)]
fn gram<const GRAM: usize>(bytes: [u8; 8]) -> u64 {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    (u64::from_le_bytes(bytes) | LOWER) & ((1 << (8 * GRAM)) - 1)
}

/// The most that a scan skips: how far apart the places are that it looks at.
pub const MAX_STRIDE: usize = 8;
/// How many grams a filter holds before it says "perhaps" too often.
const MAX_GRAMS: usize = 1 << 15;

#[inline(always)]
fn hash(gram: u64) -> u64 {
    gram.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(always)]
fn top_bits(hash: u64, bits: u32) -> u32 {
    (hash >> (64 - bits)) as u32
}

/// The word of a filter that a gram is noted in, and its two bits there: one alone would be set by
/// others too often.
#[inline(always)]
fn place(hash: u64, shift: u32) -> (usize, u64) {
    let bit = (hash >> shift) as usize;
    (bit >> 6, 1 << (bit & 63) | 1 << (hash >> 16 & 63))
}

/// The tables of one scan, as they go into an image.
#[derive(Debug, Default)]
pub struct Tables {
    /// How many neighbouring bytes are looked up together.
    pub gram: usize,
    /// How far apart the places are that are looked at.
    pub stride: usize,
    /// The filter's words.
    pub filter: Vec<u64>,
    /// The filter has `2^filter_bits` bits.
    pub filter_bits: u32,
    /// Bucket boundaries.
    pub buckets: Vec<u32>,
    /// There are `2^bucket_bits` buckets.
    pub bucket_bits: u32,
    /// The literals, bucket by bucket.
    pub literals: Vec<ScannedLiteral>,
}

/// A literal of a scan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScannedLiteral {
    /// The text, ASCII in lower case, at least as long as the bytes looked up.
    pub text: Box<str>,
    /// Where in it the bytes start that this entry is found by.
    pub gram_offset: u32,
    /// The rule that it brings in.
    pub rule: u32,
}

/// Builds the tables of a scan for literals and the rules that require them. All literals have at
/// least `gram` bytes; `gram` is one of [`GRAMS`].
#[must_use]
pub fn build(gram: usize, literals: Vec<(Box<str>, u32)>) -> Tables {
    match gram {
        3 => build_with::<3>(literals),
        _ => build_with::<6>(literals),
    }
}

fn build_with<const GRAM: usize>(literals: Vec<(Box<str>, u32)>) -> Tables {
    let mut counts: HashMap<u64, u32, foldhash::fast::RandomState> = HashMap::default();
    for (text, _) in &literals {
        for gram in grams::<GRAM>(text) {
            *counts.entry(gram).or_default() += 1;
        }
    }
    let bits = |entries: usize, least: u32, most: u32| {
        entries.next_power_of_two().trailing_zeros().clamp(least, most)
    };
    let stride = stride_of::<GRAM>(&literals, &counts);
    let filter_bits = bits(literals.len() * stride * 24, 9, 18);
    let bucket_bits = bits(literals.len() * stride * 2, 4, 16);
    let mut placed: Vec<(u32, u64, ScannedLiteral)> = Vec::new();
    for (text, rule) in literals {
        let rarity = |gram: &u64| (counts.get(gram).copied().unwrap_or(0), commonness(*gram));
        let grams: Vec<u64> = grams::<GRAM>(&text).collect();
        // Neighbouring grams, of which the most common one is as rare as can be.
        let rarest = grams
            .windows(stride)
            .enumerate()
            .min_by_key(|(offset, grams)| (grams.iter().map(rarity).max(), *offset));
        let Some((first, grams)) = rarest else { continue };
        placed.extend(grams.iter().zip(first as u32..).map(|(gram, gram_offset)| {
            let bucket = top_bits(hash(*gram), bucket_bits);
            (bucket, *gram, ScannedLiteral { text: text.clone(), gram_offset, rule })
        }));
    }
    placed.sort();
    let mut filter = vec![0u64; 1 << (filter_bits - 6)];
    let mut buckets = vec![0u32; (1 << bucket_bits) + 1];
    for (bucket, gram, _) in &placed {
        let (word, bits) = place(hash(*gram), 64 - filter_bits);
        if let Some(word) = filter.get_mut(word) {
            *word |= bits;
        }
        if let Some(count) = buckets.get_mut(*bucket as usize + 1) {
            *count += 1;
        }
    }
    let mut total = 0;
    for boundary in &mut buckets {
        total += *boundary;
        *boundary = total;
    }
    let literals = placed.into_iter().map(|(_, _, literal)| literal).collect();
    Tables { gram: GRAM, stride, filter, filter_bits, buckets, bucket_bits, literals }
}

/// How far apart a scan may look: every literal has so many neighbouring grams that few others have,
/// and the filter room for them.
fn stride_of<const GRAM: usize>(
    literals: &[(Box<str>, u32)],
    counts: &HashMap<u64, u32, foldhash::fast::RandomState>,
) -> usize {
    /// How many literals may be found by one gram.
    const MAX_ALIKE: u32 = 16;
    let counts_of = |text: &str| -> Vec<u32> {
        grams::<GRAM>(text).map(|gram| counts.get(&gram).copied().unwrap_or(0)).collect()
    };
    let mut stride = (MAX_GRAMS / literals.len().max(1)).clamp(1, MAX_STRIDE);
    for (text, _) in literals {
        let counts = counts_of(text);
        let is_rare = |counts: &[u32]| counts.iter().all(|count| *count <= MAX_ALIKE);
        while stride > 1 && !counts.windows(stride).any(is_rare) {
            stride -= 1;
        }
        if stride == 1 {
            break;
        }
    }
    stride
}

/// The tables of a scan for the programs of command lines: their names, in lower case.
#[must_use]
pub fn of_programs(names: Vec<(Box<str>, u32)>) -> Tables {
    let literal = |(text, rule)| ScannedLiteral { text, gram_offset: 0, rule };
    let mut literals: Vec<ScannedLiteral> = names.into_iter().map(literal).collect();
    literals.sort();
    literals.dedup();
    let (filter_bits, bucket_bits) = (6, 1);
    let (filter, buckets) = (vec![0], vec![0; 3]);
    Tables { gram: GRAMS[0], stride: 1, filter, filter_bits, buckets, bucket_bits, literals }
}

fn grams<const GRAM: usize>(text: &str) -> impl Iterator<Item = u64> {
    text.as_bytes().windows(GRAM).map(|window| {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(window).for_each(|(place, byte)| *place = *byte);
        gram::<GRAM>(bytes)
    })
}

/// How likely the bytes are in ordinary text: letters and blanks are, digits and signs are not.
fn commonness(gram: u64) -> u32 {
    gram.to_le_bytes()
        .iter()
        .map(|byte| match byte {
            b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' | b' ' => 3,
            b'a'..=b'z' => 2,
            b'/' | b'.' | b'-' | b'_' => 1,
            _ => 0,
        })
        .sum()
}

/// Calls `found` with each rule that one of the scan's literals in `text` brings in, perhaps more
/// than once.
pub fn search(
    view: &View<'_>,
    scan: &ScanRecord,
    text: &str,
    scratch: &mut String,
    mut found: impl FnMut(u32),
) {
    let bytes = fold_odd_letters(text, scratch).as_bytes();
    match scan.gram {
        3 => search_with::<3>(view, scan, bytes, &mut found),
        _ => search_with::<6>(view, scan, bytes, &mut found),
    }
}

#[inline]
fn search_with<const GRAM: usize>(
    view: &View<'_>,
    scan: &ScanRecord,
    bytes: &[u8],
    found: &mut impl FnMut(u32),
) {
    let words = view.filters(scan.filter, 1 << (scan.filter_bits - 6));
    let shift = 64 - scan.filter_bits;
    let stride = scan.stride as usize;
    let mut look = |start: usize, window: [u8; 8]| {
        let hash = hash(gram::<GRAM>(window));
        let (word, bits) = place(hash, shift);
        let word = words.get(word).map_or(0, |word| u64::from_le_bytes(*word));
        if word & bits == bits {
            let bucket = scan.buckets + top_bits(hash, scan.bucket_bits);
            look_in_bucket(view, scan, bucket, bytes, start, found);
        }
    };
    let mut start = 0;
    while let Some(window) = bytes.get(start..).and_then(<[u8]>::first_chunk) {
        look(start, *window);
        start += stride;
    }
    // Near the end there are fewer than eight.
    while let Some(rest) = bytes.get(start..).filter(|rest| rest.len() >= GRAM) {
        let mut window = [0; 8];
        window.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        look(start, window);
        start += stride;
    }
}

#[inline(never)]
fn look_in_bucket(
    view: &View<'_>,
    scan: &ScanRecord,
    bucket: u32,
    bytes: &[u8],
    gram_start: usize,
    found: &mut impl FnMut(u32),
) {
    let (from, to) = (view.bucket(bucket), view.bucket(bucket + 1));
    for index in from..to.min(scan.literals_len) {
        let LiteralRecord { text, gram_offset, rule } = view.literal(scan.literals + index);
        let literal = view.string_bytes(text);
        let Some(start) = gram_start.checked_sub(gram_offset as usize) else { continue };
        let there = bytes.get(start..start + literal.len());
        if there.is_some_and(|there| there.eq_ignore_ascii_case(literal)) {
            found(rule);
        }
    }
}

/// Whether `text` contains `literal`, which is ASCII in lower case, ignoring case.
#[must_use]
pub fn contains_literal(text: &str, literal: &str, scratch: &mut String) -> bool {
    find_literal(fold_odd_letters(text, scratch).as_bytes(), literal.as_bytes()).is_some()
}

/// Where `literal`, which is ASCII in lower case, first stands in a text without odd letters, ignoring
/// case.
pub(crate) fn find_literal(text: &[u8], literal: &[u8]) -> Option<usize> {
    let Some((&first, _)) = literal.split_first() else { return Some(0) };
    let starts = text.get(..=text.len().checked_sub(literal.len())?)?;
    let upper = first.to_ascii_uppercase();
    memchr::memchr2_iter(first, upper, starts).find(|&start| {
        let there = text.get(start..start + literal.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(literal))
    })
}
