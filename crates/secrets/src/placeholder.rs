//! What stands in for a secret in examples, and is none.

use crate::text::contains;

/// Whether a value only stands in for a secret.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    let marks: [&[u8]; 10] = [
        b"your",
        b"changeme",
        b"change_me",
        b"change-me",
        b"placeholder",
        b"redacted",
        b"xxxx",
        b"****",
        b"...",
        b"dummy",
    ];
    is_filler(value)
        || marks.iter().any(|mark| contains(value, mark))
        || value.len() < 24 && contains(value, b"example")
        // The key that the documentation of AWS has, of a real one's length.
        || value.len() == 40 && value.ends_with(b"EXAMPLEKEY")
        || value.split(|byte| !byte.is_ascii_alphanumeric()).all(is_stand_in)
}

/// Whether a part of a value is a word that documentation writes for a secret.
fn is_stand_in(word: &[u8]) -> bool {
    let words: [&[u8]; 32] = [
        b"",
        b"a",
        b"the",
        b"my",
        b"some",
        b"here",
        b"goes",
        b"insert",
        b"replace",
        b"with",
        b"enter",
        b"secret",
        b"password",
        b"passwd",
        b"pass",
        b"token",
        b"key",
        b"api",
        b"access",
        b"auth",
        b"user",
        b"username",
        b"admin",
        b"root",
        b"test",
        b"sample",
        b"fake",
        b"mock",
        b"value",
        b"string",
        b"none",
        b"null",
    ];
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a value is drawn from what one writes to cover a secret.
fn is_filler(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'0' | b'?'))
}

/// Whether a token's own part has at least `least` characters and is more than a stand-in.
pub(crate) fn is_long(part: &[u8], least: usize) -> bool {
    // Keys in documentation end so: gitleaks passes over them, too.
    let is_example = part.ends_with(b"EXAMPLE");
    part.len() >= least && !is_filler(part) && !is_example && !contains(part, b"your")
}
