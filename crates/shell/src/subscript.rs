//! What a text does where a shell evaluates it, as a number or as the name of a variable: commands in a subscript run. Reads
//! texts, and nothing else.

use super::hole::HOLE;

/// What a text does where it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subscript {
    /// Nothing.
    Plain,
    /// A part of it runs.
    Runs,
    /// Nobody knows a part of it.
    Unknown,
}

/// Returns what a text does there.
pub(super) fn subscript(text: &str) -> Subscript {
    match text.split_once('[') {
        Some((_, behind)) if behind.contains("$(") || behind.contains('`') => Subscript::Runs,
        Some((_, behind)) if behind.contains(HOLE) => Subscript::Unknown,
        _ => Subscript::Plain,
    }
}
