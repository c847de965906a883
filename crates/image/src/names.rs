//! The names of programs and subcommands that an image knows, as a hash table: one look at a name
//! gives the number that stands for it everywhere in the image, and what is known of the program.

use crate::format::{NONE, NameRecord, Section};
use crate::image::View;

/// Lays names out as a table, whose length is a power of two and which is at most half full.
///
/// Names are in lower case and each stands under a parent at most once.
#[must_use]
pub fn table<'n>(names: impl ExactSizeIterator<Item = (&'n str, NameRecord)>) -> Vec<NameRecord> {
    let slots = (names.len() * 2).next_power_of_two();
    let mut table = vec![EMPTY; slots];
    for (text, record) in names {
        let hash = Hash::of(record.parent, text.as_bytes());
        let start = hash.0 as usize;
        let free = (start..start + slots).map(|at| at & (slots - 1));
        let mut free = free.filter(|&at| table.get(at).is_some_and(|slot| slot.name == NONE));
        if let Some(slot) = free.next().and_then(|at| table.get_mut(at)) {
            *slot = NameRecord { hash: hash.0, ..record };
        }
    }
    table
}

const EMPTY: NameRecord = NameRecord { name: NONE, parent: NONE, program: NONE, hash: 0 };

/// Finds a name under a parent, whatever its case. `rows` is the length of the table.
#[inline]
#[must_use]
pub fn find(view: View<'_>, rows: u32, parent: u32, name: &str) -> Option<NameRecord> {
    let mask = rows.checked_sub(1)?;
    let hash = Hash::of(parent, name.as_bytes());
    let mut at = hash.0 & mask;
    for _ in 0..rows {
        let record: NameRecord = view.row(Section::Names, at);
        if record.name == NONE {
            return None;
        }
        let is_it = record.hash == hash.0
            && record.parent == parent
            && view.string_bytes(record.name).eq_ignore_ascii_case(name.as_bytes());
        if is_it {
            return Some(record);
        }
        at = (at + 1) & mask;
    }
    None
}

/// FNV-1a over the letters in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hash(pub u32);

impl Hash {
    /// Of no letter yet.
    #[inline(always)]
    pub const fn under(parent: u32) -> Self {
        Self(0x811c_9dc5 ^ parent.wrapping_mul(0x9e37_79b1))
    }

    /// With one more letter, in lower case.
    #[inline(always)]
    pub fn with_lower(self, letter: u8) -> Self {
        Self((self.0 ^ u32::from(letter)).wrapping_mul(0x0100_0193))
    }

    #[inline]
    pub fn of(parent: u32, name: &[u8]) -> Self {
        name.iter()
            .fold(Self::under(parent), |hash, letter| hash.with_lower(letter.to_ascii_lowercase()))
    }
}

/// A hash of a text, whatever its case.
pub(crate) fn hash(text: &str) -> u32 {
    Hash::of(NONE, text.as_bytes()).0
}

/// The first four bytes of a flag's spelling as a number that sorts as the spelling does.
#[must_use]
pub fn flag_key(spelling: &str) -> u32 {
    let mut key = [0; 4];
    key.iter_mut().zip(spelling.bytes()).for_each(|(place, byte)| *place = byte);
    u32::from_be_bytes(key)
}
