//! Small questions about bytes. Knows nothing of secrets.

/// The longest name of an assignment that is looked at, in bytes.
const NAME: usize = 48;

pub(crate) fn position(text: &[u8], wanted: u8) -> Option<usize> {
    text.iter().position(|&byte| byte == wanted)
}

pub(crate) fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Whether a word can start after `before`. What a backslash and a letter write is no letter.
pub(crate) fn is_word_start(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't'] | [] => true,
        [.., last] => !is_word(*last),
    }
}

/// The bytes that `text` begins with and that `is` holds for.
pub(crate) fn run(text: &[u8], is: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|&byte| !is(byte)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The bytes that `text` ends with and that `is` holds for, of the length of a name at most.
pub(crate) fn run_back(text: &[u8], is: impl Fn(u8) -> bool) -> &[u8] {
    let length = text.iter().rev().take(NAME).take_while(|byte| is(**byte)).count();
    text.get(text.len() - length..).unwrap_or_default()
}
