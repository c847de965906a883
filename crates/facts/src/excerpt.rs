//! Texts as people are shown them: no longer than need be, and without secrets.

use std::borrow::Cow;

use behavior_secrets::{is_to_be_hidden, redacted};

/// The first 97 characters and `...`, if there are more than 100.
#[must_use]
pub fn shorten(text: &str) -> Cow<'_, str> {
    if text.len() <= 100 || text.chars().nth(100).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().take(97).chain("...".chars()).collect())
}

/// A value as messages show it: without secrets, and not all of a long one.
#[must_use]
pub fn shown(value: &str) -> Cow<'_, str> {
    /// What stands further back is not shown, whatever is hidden before it.
    const MAX_LOOKED_AT: usize = 1 << 14;
    let value = value.get(..value.floor_char_boundary(MAX_LOOKED_AT)).unwrap_or(value);
    match is_to_be_hidden(value) {
        true => Cow::Owned(shorten(&redacted(value, usize::MAX)).into_owned()),
        false => shorten(value),
    }
}
