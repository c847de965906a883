//! What the small languages inside strings have in common: ranges and problems relative to the
//! string they were given. They know no files; whoever read the string maps ranges to spans.

use std::ops::Range;

/// How many problems one string reports; what follows is left out, as it rarely helps.
pub const MAX_PROBLEMS: usize = 20;

/// A value and the bytes of the string it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Byte offsets in the string, both on character boundaries.
    pub range: Range<usize>,
}

impl<T> Spanned<T> {
    /// A value read from `range`.
    pub fn new(value: T, range: Range<usize>) -> Self {
        Self { value, range }
    }
}

/// Something wrong in a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where; empty at the end of the string.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// A replacement for the bytes of a range that would mend it.
    pub fix: Option<(Range<usize>, String)>,
}

impl Problem {
    /// A problem at `range`.
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), help: None, fix: None }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers to replace the bytes of `range`.
    #[must_use]
    pub fn fix(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.fix = Some((range, text.into()));
        self
    }
}

/// The start of `text` for use in a message: one line, at most 40 characters.
pub(crate) fn excerpt(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let cut = line.char_indices().nth(40).map_or(line.len(), |(index, _)| index);
    let short = line.get(..cut).unwrap_or_default();
    if short.len() == text.len() { short.to_owned() } else { format!("{short}…") }
}

/// What stands for `text` inside of the quotes of a string of an expression.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(next) = characters.next() {
        let must_escape = match next {
            '"' => true,
            '\\' => characters.peek().is_none_or(|c| matches!(c, '"' | '\'' | '\\')),
            _ => false,
        };
        if must_escape {
            out.push('\\');
        }
        out.push(next);
    }
    out
}
