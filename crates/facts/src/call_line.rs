//! The line that stands for a call: the tool's name and the one argument that tells most.

use std::borrow::Cow;

use behavior_secrets::{is_to_be_hidden, redacted};

use crate::params::Params;
use crate::value::ValueRef;

/// The longest target, in characters.
const MAX_TARGET: usize = 80;

/// The parameters that tell what a call is about, in the order in which they are looked for, each with what
/// else tools call it.
const TARGETS: [&[&str]; 6] = [
    &["pattern"],
    &["glob"],
    &["query"],
    &["command"],
    &["file_path", "path", "filepath", "notebook_path"],
    &["file"],
];

/// Returns the line of a call. `tool` is its canonical name.
#[must_use]
pub fn of_call(tool: &str, params: Params<'_>) -> String {
    let (mut best, mut first) = (None, None);
    params.for_each_named(|name, native, value| {
        let ValueRef::Text(text) = value else { return };
        if text.trim().is_empty() {
            return;
        }
        first = first.or(Some(text));
        // The agent's own name for it comes after all canonical ones.
        let place = |name: &str| TARGETS.iter().position(|names| names.contains(&name));
        let native = native.and_then(place).map(|place| place + TARGETS.len());
        if let Some(place) = place(name).or(native)
            && best.is_none_or(|(known, _)| place < known)
        {
            best = Some((place, text));
        }
    });
    match best.map(|(_, text)| text).or(first) {
        Some(target) => format!("{tool} {}", cut(target)),
        None => tool.to_owned(),
    }
}

/// Returns a text as it may go to a model, and be kept.
#[must_use]
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    match is_to_be_hidden(text) {
        true => Cow::Owned(redacted(text, usize::MAX)),
        false => Cow::Borrowed(text),
    }
}

/// Returns a text on one line, without its end where it is long.
#[must_use]
pub fn cut(text: &str) -> String {
    // First, because half a secret does not look like one.
    let text = without_secrets(text);
    let mut line = String::new();
    // What makes a line longer than that need not be looked at.
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).take(4 * MAX_TARGET) {
        if word.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(MAX_TARGET + 1));
    }
    if let Some((end, _)) = line.char_indices().nth(MAX_TARGET) {
        line.truncate(end);
        line.push('…');
    }
    line
}
