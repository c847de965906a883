//! What authenticates the files of a store: only who has the user's key can have written them.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;
use siphasher::sip128::{Hasher128, SipHasher13 as SipHasher13With128};

/// The bytes of a code that authenticates a record.
pub const CODE: usize = 16;

/// Keys for the files of a store, derived from the user's key.
#[derive(Clone)]
pub struct Seal {
    records: [u8; 32],
    nodes: [u8; 16],
    targets: [u8; 16],
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    /// Derives the keys of a store from a key of its own.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        let derived = |purpose: &[u8]| {
            let whole: [u8; 32] = blake3::keyed_hash(&key, purpose).into();
            whole
        };
        let half = |purpose: &[u8]| {
            let mut half = [0; 16];
            half.iter_mut().zip(derived(purpose)).for_each(|(to, from)| *to = from);
            half
        };
        Self { records: derived(b"records"), nodes: half(b"nodes"), targets: half(b"targets") }
    }

    /// Authenticates a record.
    #[must_use]
    pub fn of_record(&self, bytes: &[u8]) -> [u8; CODE] {
        let whole: [u8; 32] = blake3::keyed_hash(&self.records, bytes).into();
        let mut code = [0; CODE];
        code.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
        code
    }

    /// Authenticates a node of a file of targets, at its place in that file.
    #[must_use]
    pub fn of_node(&self, file: u64, at: u32, bytes: &[u8]) -> [u8; 8] {
        let mut hasher = SipHasher13::new_with_key(&self.nodes);
        hasher.write_u64(file);
        hasher.write_u32(at);
        hasher.write(bytes);
        hasher.finish().to_le_bytes()
    }

    /// Returns the hash by which a target of a set is found; who lacks the key cannot tell what it is of.
    #[must_use]
    pub fn of_target(&self, layer: &str, set: &str, target: &str) -> u128 {
        let mut hasher = SipHasher13With128::new_with_key(&self.targets);
        for text in [layer, set, target] {
            hasher.write_u64(text.len() as u64);
            hasher.write(text.as_bytes());
        }
        hasher.finish128().as_u128()
    }
}
