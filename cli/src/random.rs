//! Numbers that nobody can guess, and names made of them. A number of a process is no such name: it comes again, in a
//! container at once.

use std::io;

/// So many random bytes.
///
/// # Errors
/// When the system has no randomness.
pub fn bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    getrandom::fill(&mut bytes)
        .map_err(|error| io::Error::other(format!("the system has no randomness: {error}")))?;
    Ok(bytes)
}

/// So many random bytes, in hexadecimal.
///
/// # Errors
/// As [`bytes`].
pub fn name<const BYTES: usize>() -> io::Result<String> {
    Ok(bytes::<BYTES>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}
