//! What authenticates the files of a store: only who has the user's key can have written them.

/// The bytes of a code that authenticates a record.
pub const CODE: usize = 16;

/// Keys for the files of a store, derived from the user's key.
#[derive(Clone)]
pub struct Seal {
    records: [u8; 32],
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
        Self { records: blake3::keyed_hash(&key, b"records").into() }
    }

    /// Authenticates a record.
    #[must_use]
    pub fn of_record(&self, bytes: &[u8]) -> [u8; CODE] {
        let whole: [u8; 32] = blake3::keyed_hash(&self.records, bytes).into();
        let mut code = [0; CODE];
        code.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
        code
    }
}
