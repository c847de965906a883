//! What is wrong with TOML, in words.

use super::scalars::Problem;
use super::tables::Refusal;
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{DUPLICATE_KEY, SYNTAX, TOO_LARGE};
use crate::source::Span;
use crate::syntax::{Key, MAX_DEPTH};

/// A message and what to do about it.
pub type Words = (&'static str, &'static str);

pub const KEY: Words = ("expected a key", "write `key = value`");
pub const EQUALS: Words = (
    "expected `=` and a value behind the key",
    "write `key = value`; a key of more than letters, digits, `_` and `-` needs quotes",
);
pub const COLON: Words =
    ("a key and its value are joined by `=` here, not by `:`", "this is TOML: write `key = value`");
pub const HEADER: Words = (
    "expected `]` behind the key of a table",
    "a key of more than letters, digits, `_` and `-` needs quotes",
);
pub const LETTERS: Words = (
    "a key with this letter needs quotes",
    "put it in quotes: only `A` to `Z` and `a` to `z` need none",
);
pub const VALUE: Words = ("expected a value", "write a value behind the `=`");
pub const ELEMENT: Words = ("expected a value", "delete the comma");
pub const COMMA: Words = ("expected a comma", "separate elements by commas");
pub const REST: Words =
    ("expected the end of the line", "write each `key = value` on a line of its own");
pub const LINE_STRING: Words = (
    "a string is not closed on this line",
    "close the string on its line; write `\\\\` for a backslash",
);
pub const CARRIAGE_RETURN: Words = (
    "a carriage return alone ends no line",
    "end lines with a newline: save the file with Unix or Windows line ends",
);
pub const LINES_KEY: Words =
    ("a key is no string of several lines", "put it in a single pair of quotes");

/// A word that is no value.
pub fn word(word: &str) -> Words {
    let lowered = word.to_ascii_lowercase();
    if matches!(&*lowered, "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "none") {
        return (
            "this is no value that TOML knows",
            "write `true` or `false`, or put text in double quotes",
        );
    }
    if word.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return ("this is no number and no date that TOML knows", "put text in double quotes");
    }
    ("text must stand in quotes", "put text in double quotes")
}

/// A string that holds what none may.
pub fn string(problem: &Problem) -> Words {
    match problem {
        Problem::Escape(_) => (
            "this is no escape that TOML knows",
            "write `\\\\` for a backslash, or use single quotes, between which it stands for itself",
        ),
        Problem::Control(_) => (
            "a string holds no control characters as they are",
            "delete it, or write it as an escape such as `\\u0007`",
        ),
    }
}

/// A bracket, or quotes of a string of several lines, without their end.
pub fn unclosed(place: Span, open: char) -> Diagnostic {
    let (what, close) = match open {
        '[' => ("`[`", "`]`".to_owned()),
        '{' => ("`{`", "`}`".to_owned()),
        quote => ("quote", format!("`{quote}{quote}{quote}`")),
    };
    let message = format!("the {what} that opens here is not closed");
    Diagnostic::new(&SYNTAX, place, message).help(format!("close it with {close}"))
}

/// Something that cannot be put at a path of keys.
pub fn refusal(refusal: Refusal, path: &[Key]) -> Diagnostic {
    match refusal {
        Refusal::Taken { key: place, first } => {
            let key = path.iter().find(|key| key.span == place).map_or("", |key| &key.text);
            let message = format!("the key `{key}` stands here a second time");
            Diagnostic::new(&DUPLICATE_KEY, place, message)
                .label(first, "first here, and this one is used")
                .help("delete or rename one of them")
        }
        Refusal::TooDeep(place) => too_deep(place),
    }
}

pub fn too_deep(place: Span) -> Diagnostic {
    let message = format!("collections nest more than {MAX_DEPTH} levels deep here");
    Diagnostic::new(&TOO_LARGE, place, message).help("nest them less deeply")
}
