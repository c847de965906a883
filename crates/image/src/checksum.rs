//! What tells whether bytes are as they were written.
//!
//! XXH64, since it is quick without asking the processor what it can do: a hook that lives for half a
//! millisecond would spend a thirtieth of it on that question.

use std::hash::Hasher;

use twox_hash::XxHash64;

/// A sum that changes with nearly every change to `bytes`. No protection against whoever writes the
/// sum, too.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    // Either half is as good as the other.
    fingerprint(bytes) as u32
}

/// The [`checksum`] of bytes that do not lie side by side.
pub(crate) fn checksum_of(parts: &[&[u8]]) -> u32 {
    let mut sum = XxHash64::with_seed(0);
    parts.iter().for_each(|part| sum.write(part));
    sum.finish() as u32
}

/// What stands for `bytes` where names must not coincide.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    XxHash64::oneshot(0, bytes)
}
