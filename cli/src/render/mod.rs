//! Problems as text: for people, a line each, as JSON, and as other programs read them; and texts as YAML. Nothing here decides anything.

pub mod concise;
pub mod diff;
pub mod fingerprint;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
pub mod pretty;
pub mod sarif;
pub mod table;
pub mod yaml;

use behavior_json::plain::is_deceptive;

/// Text that came from a file or a name, safe to print on one line: what a terminal would obey,
/// or show in another order than it stands, becomes a plain character.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_deceptive(c) { stand_in(c) } else { c }).collect()
}

/// A printable character of as many bytes, so that offsets stay.
fn stand_in(c: char) -> char {
    match c {
        '\n' | '\t' | '\r' => ' ',
        _ if c.len_utf8() == 1 => '?',
        _ if c.len_utf8() == 2 => '·',
        _ if c.len_utf8() == 3 => '\u{fffd}',
        _ => '\u{1f7a9}',
    }
}

/// A condition with the long texts in its quotes cut, so that one sees what it asks.
#[must_use]
pub fn shorten_texts(condition: &str) -> String {
    const MAX_LENGTH: usize = 60;
    let mut out = String::new();
    // How many characters of the text in quotes came so far.
    let mut inside = None;
    let mut is_escaped = false;
    for c in condition.chars() {
        match inside {
            None => {
                inside = (c == '"').then_some(0);
                out.push(c);
            }
            Some(length) if c == '"' && !is_escaped => {
                out.push_str(if length > MAX_LENGTH { "…\"" } else { "\"" });
                inside = None;
            }
            Some(length) => {
                out.extend((length < MAX_LENGTH).then_some(c));
                inside = Some(length + 1);
            }
        }
        is_escaped = inside.is_some() && c == '\\' && !is_escaped;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::shorten_texts;

    #[test]
    fn only_long_texts_are_cut() {
        let check = |condition: &str, expected: &str| {
            assert_eq!(shorten_texts(condition), expected);
        };
        let (fits, long) = ("y".repeat(60), "y".repeat(61));
        check(
            &format!("param(a) matches \"{long}\" and b"),
            &format!("param(a) matches \"{fits}…\" and b"),
        );
        for whole in [
            format!("a contains \"{fits}\""),
            format!("first {long}"),
            r#"a is "\"" or b is "\\" and c is "d""#.to_owned(),
        ] {
            check(&whole, &whole);
        }
    }
}
