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
        || is_published(value)
        || value.split(|byte| !byte.is_ascii_alphanumeric()).all(is_stand_in)
}

/// A part of a value with more characters is no word that people write for a secret.
const MAX_STAND_IN: usize = 24;

/// Whether a part of a value is what documentation and tests write for a secret: such words, perhaps with a few digits
/// behind them.
fn is_stand_in(part: &[u8]) -> bool {
    const MAX_DIGITS: usize = 4;
    let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let words = part.get(..part.len() - digits.min(MAX_DIGITS)).unwrap_or_default();
    // Digits alone may be all of a secret.
    part.is_empty() || !words.is_empty() && part.len() <= MAX_STAND_IN && are_words(words)
}

/// Whether all of a text is words that stand in for secrets.
fn are_words(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 38] = [
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
        b"dev",
        b"local",
        b"testing",
        b"demo",
        b"postgres",
        b"app",
        b"db",
    ];
    // Up to which places the text is words.
    let mut ends = vec![false; text.len() + 1];
    if let Some(first) = ends.first_mut() {
        *first = true;
    }
    for at in 0..text.len() {
        if !ends.get(at).is_some_and(|is_end| *is_end) {
            continue;
        }
        for word in WORDS {
            let end = at + word.len();
            let is_here = text.get(at..end).is_some_and(|part| part.eq_ignore_ascii_case(word));
            if let Some(place) = ends.get_mut(end).filter(|_| is_here) {
                *place = true;
            }
        }
    }
    ends.last().is_some_and(|is_end| *is_end)
}

/// Whether a value is drawn from what one writes to cover a secret.
fn is_filler(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'0' | b'?'))
}

/// The own parts of keys that everybody may use to try a service: <https://docs.stripe.com/keys>.
const PUBLISHED: [&[u8]; 2] = [b"4eC39HqLyjWDarjtT1zdp7dc", b"BQokikJOvBiI2HlWgH4olfQ2"];

fn is_published(value: &[u8]) -> bool {
    PUBLISHED.iter().any(|own| value.ends_with(own))
}

/// Whether a token's own part has at least `least` characters and is more than a stand-in.
pub(crate) fn is_long(part: &[u8], least: usize) -> bool {
    // Keys in documentation end so: gitleaks passes over them, too.
    let is_example = part.ends_with(b"EXAMPLE") || is_published(part);
    part.len() >= least && !is_filler(part) && !is_example && !contains(part, b"your")
}
