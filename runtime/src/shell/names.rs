//! The names of programs and subcommands that an image knows, as a hash table: one look at a name
//! gives the number that stands for it everywhere in the image, and what is known of the program.

use crate::image::View;
use crate::image::format::{NONE, NameRecord, Section};

/// Lays names out as a table, whose length is a power of two and which is at most half full.
///
/// Names are in lower case and each stands under a parent at most once.
#[must_use]
pub fn table<'n>(names: impl ExactSizeIterator<Item = (&'n str, NameRecord)>) -> Vec<NameRecord> {
    let slots = (names.len() * 2).next_power_of_two();
    let mut table = vec![EMPTY; slots];
    for (text, record) in names {
        let start = hash(record.parent, text.as_bytes()) as usize;
        let free = (start..start + slots).map(|at| at & (slots - 1));
        let mut free = free.filter(|&at| table.get(at).is_some_and(|slot| slot.name == NONE));
        if let Some(slot) = free.next().and_then(|at| table.get_mut(at)) {
            *slot = record;
        }
    }
    table
}

const EMPTY: NameRecord = NameRecord { name: NONE, parent: NONE, program: NONE };

/// Finds a name under a parent, whatever its case. `rows` is the length of the table.
#[inline]
pub(crate) fn find(view: View<'_>, rows: u32, parent: u32, name: &str) -> Option<NameRecord> {
    let mask = rows.checked_sub(1)?;
    let mut at = hash(parent, name.as_bytes()) & mask;
    for _ in 0..rows {
        let record: NameRecord = view.row(Section::Names, at);
        if record.name == NONE {
            return None;
        }
        let is_it = record.parent == parent
            && view.string_bytes(record.name).eq_ignore_ascii_case(name.as_bytes());
        if is_it {
            return Some(record);
        }
        at = (at + 1) & mask;
    }
    None
}

/// FNV-1a over the letters in lower case.
#[inline]
fn hash(parent: u32, name: &[u8]) -> u32 {
    let start = 0x811c_9dc5 ^ parent.wrapping_mul(0x9e37_79b1);
    name.iter().fold(start, |hash, letter| {
        (hash ^ u32::from(letter.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}
