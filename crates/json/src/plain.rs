//! Text that cannot deceive whoever looks at it: what commands a terminal, turns a line around or does not show
//! is written as an escape in JSON, and replaced elsewhere. The one place that says which characters those are.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character makes a terminal or an editor show something else than what stands there: what
/// commands it, turns text around, breaks lines, or takes no place. Joiners are none, since scripts and emoji
/// need them. Line breaks and tabs count: who writes several lines asks for them.
#[must_use]
pub fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                // Those that choose between text and emoji are no more than that.
                | '\u{fe00}'..='\u{fe0d}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e01ef}'
        )
}

/// Whether a text has nothing to look at: printable ASCII, line breaks and tabs, and the escapes with which
/// we colour.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte < 0x7f)
}

/// JSON with escapes in place of deceptive characters: the same value. What is no JSON any more stays none.
#[must_use]
pub fn escaped(json: &str) -> Cow<'_, str> {
    let is_unfit = |character: char| !character.is_ascii_control() && is_deceptive(character);
    let is_unfit = |character: char| character == '\u{7f}' || is_unfit(character);
    if is_plain(json) || !json.contains(is_unfit) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_unfit(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Text of several lines with `�` in place of deceptive characters. Escapes of terminals are left, for who
/// colours what is neutral already.
#[must_use]
pub fn neutral(text: &str) -> Cow<'_, str> {
    replaced(text, |character| {
        character == '\u{7f}' || !character.is_ascii() && is_deceptive(character)
    })
}

/// Text of several lines without colours, with `�` in place of deceptive characters.
#[must_use]
pub fn neutral_plain(text: &str) -> Cow<'_, str> {
    replaced(text, |character| !matches!(character, '\n' | '\t') && is_deceptive(character))
}

fn replaced(text: &str, is_unfit: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_unfit) {
        return Cow::Borrowed(text);
    }
    let stand_in = |character| if is_unfit(character) { '\u{fffd}' } else { character };
    Cow::Owned(text.chars().map(stand_in).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_escaped_or_replaced() {
        let text = "a\u{202e}b\u{9b}31m\u{7f}\u{e0041}\u{200d}c";
        let json = format!("{{\"a\":\"{text}\"}}");
        let safe = escaped(&json);
        assert!(!safe.contains(is_deceptive), "{safe}");
        assert_eq!(safe, "{\"a\":\"a\\u202eb\\u009b31m\\u007f\\udb40\\udc41\u{200d}c\"}");
        assert_eq!(neutral(text), "a\u{fffd}b\u{fffd}31m\u{fffd}\u{fffd}\u{200d}c");
        assert_eq!(neutral("\u{1b}[31mred\u{1b}[0m\n"), "\u{1b}[31mred\u{1b}[0m\n");
        assert_eq!(neutral_plain("\u{1b}[31mred\n\tx"), "\u{fffd}[31mred\n\tx");
        assert!(matches!(escaped("{\"a\":\"é\n\"}"), Cow::Borrowed(_)));
    }
}
