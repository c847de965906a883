//! The hash FNV-1a, which never changes: what is kept of sessions, and weights, go by it.

/// Where it begins.
pub(crate) const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns the hash of what was hashed before and of a text behind it.
pub(crate) fn fnv(hash: u64, text: &str) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
