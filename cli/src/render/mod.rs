//! Problems as text: for people, a line each, and as JSON. Nothing here decides anything.

pub mod concise;
pub mod json;
pub mod pretty;
pub mod table;

/// Text that came from a file or a name, safe to print on one line: what a terminal would obey,
/// or show in another order than it stands, becomes a plain character.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_unprintable(c) { stand_in(c) } else { c }).collect()
}

/// Whether a terminal would do something else with the character than show it in its place.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A printable character of as many bytes, so that offsets stay.
fn stand_in(c: char) -> char {
    match c {
        '\n' | '\t' | '\r' => ' ',
        _ if c.len_utf8() == 1 => '?',
        _ if c.len_utf8() == 2 => '·',
        _ => '\u{fffd}',
    }
}
