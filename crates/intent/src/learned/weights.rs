//! The weights: a table of sixteen bits of each feature's hash and its weight, which is made by the example `train` and read where it
//! lies.
//!
//! The file begins with the number of slots (a power of two, 32 bits), and the fingerprint of what it was made from (64 bits);
//! behind that stands a slot after the other: a tag and a weight of 16 bits each, little-endian. A weight of 0 is an empty slot.
//! A feature lies in the first free slot from the place that its hash says.

use std::sync::LazyLock;

use crate::fnv::{OFFSET, fnv};

/// What a weight of 1 is in the file.
const UNIT: f32 = 2048.0;
/// What stands before the slots, in bytes.
const HEAD: usize = 12;
/// A slot, in bytes.
const SLOT: usize = 4;

/// Weights of features.
#[derive(Clone, Debug)]
pub struct Weights {
    bytes: std::borrow::Cow<'static, [u8]>,
    slots: usize,
}

impl Weights {
    /// Returns those that were learned from the messages in `training/`.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Weights> = LazyLock::new(|| {
            let bytes: &'static [u8] = include_bytes!("weights.bin");
            Weights::of(bytes.into())
        });
        &BUILT_IN
    }

    /// Reads a file; one that is none has no weights.
    pub fn of(bytes: std::borrow::Cow<'static, [u8]>) -> Self {
        let slots = bytes.first_chunk().map_or(0, |head| u32::from_le_bytes(*head) as usize);
        let is_whole = slots.is_power_of_two() && bytes.len() == HEAD + slots * SLOT;
        Self { bytes, slots: if is_whole { slots } else { 0 } }
    }

    /// Makes a table of features and their weights; those that are next to nothing are left out.
    pub fn from_pairs(fingerprint: u64, pairs: impl Iterator<Item = (u64, f32)>) -> Self {
        let pairs: Vec<(u64, i16)> = pairs
            .map(|(feature, weight)| (feature, (weight * UNIT).round() as i16))
            .filter(|(_, weight)| *weight != 0)
            .collect();
        let slots = (pairs.len() * 3 / 2).next_power_of_two().max(1);
        let mut table = vec![(0_u16, 0_i16); slots];
        for (feature, weight) in pairs {
            let mut at = place(feature, slots);
            while table.get(at).is_some_and(|(_, weight)| *weight != 0) {
                at = (at + 1) % slots;
            }
            if let Some(slot) = table.get_mut(at) {
                *slot = (tag(feature), weight);
            }
        }
        let mut bytes = (slots as u32).to_le_bytes().to_vec();
        bytes.extend(fingerprint.to_le_bytes());
        for (tag, weight) in table {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        Self { bytes: bytes.into(), slots }
    }

    /// Returns the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the fingerprint of what they were made from.
    pub fn fingerprint(&self) -> u64 {
        let head = self.bytes.get(4..).and_then(|bytes| bytes.first_chunk());
        head.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Returns the sum of the weights of some features, each by the [`share`] of one.
    #[must_use]
    pub fn score(&self, features: &[u64]) -> f32 {
        let sum: i32 = features.iter().map(|feature| i32::from(self.weight(*feature))).sum();
        sum as f32 / UNIT * share(features.len())
    }

    fn weight(&self, feature: u64) -> i16 {
        if self.slots == 0 {
            return 0;
        }
        let tag = tag(feature);
        let first = place(feature, self.slots);
        for at in (first..self.slots).chain(0..first) {
            match self.slot(at) {
                Some((_, 0)) | None => return 0,
                Some((other, weight)) if other == tag => return weight,
                Some(_) => {}
            }
        }
        0
    }

    fn slot(&self, at: usize) -> Option<(u16, i16)> {
        let bytes: &[u8; SLOT] = self.bytes.get(HEAD + at * SLOT..)?.first_chunk()?;
        let [t0, t1, w0, w1] = *bytes;
        Some((u16::from_le_bytes([t0, t1]), i16::from_le_bytes([w0, w1])))
    }
}

/// The slot in which the search for a feature begins.
fn place(feature: u64, slots: usize) -> usize {
    feature as usize & (slots - 1)
}

/// What tells a feature from others of the same place.
fn tag(feature: u64) -> u16 {
    (feature >> 48) as u16
}

/// Returns what one of so many features counts, at most 1: of a long passage each counts less, so that none is sure by its length.
pub fn share(features: usize) -> f32 {
    /// A passage in which each counts whole has so many at most.
    const USUAL: f32 = 256.0;
    (USUAL / features.max(1) as f32).sqrt().min(1.0)
}

/// Returns the fingerprint of texts, in their order: FNV-1a.
pub fn fingerprint<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    texts.fold(OFFSET, fnv)
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    fn weights_are_found_again() {
        let pairs: Vec<(u64, f32)> = (0..1000_u64)
            .map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15), n as f32 / 500.0 - 1.0))
            .collect();
        let weights = Weights::from_pairs(7, pairs.iter().copied());
        assert_eq!(weights.fingerprint(), 7);
        for (feature, weight) in pairs {
            let found = weights.score(&[feature; 256]) / 256.0;
            assert!((found - weight).abs() < 0.001, "{found} {weight}");
        }
    }

    #[test]
    fn what_is_no_table_has_no_weights() {
        for bytes in [&[][..], &[1, 0, 0], &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], &[0xff; 64]] {
            let weights = Weights::of(bytes.to_vec().into());
            assert!(weights.score(&[1, 2, 3]) == 0.0);
        }
    }
}
