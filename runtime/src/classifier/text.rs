//! Foreign text made fit for one line of a prompt or directive. Nothing here may look at what the
//! text says.

use std::borrow::Cow;

use behavior_json::plain::is_deceptive;

/// `text` on one line: line breaks, control characters and the blanks around them become one
/// blank. Of more than `limit` characters the first `limit - 3` and `...` stay.
pub(super) fn one_line(text: &str, limit: usize) -> Cow<'_, str> {
    let text = text.trim();
    // No character takes less than a byte, so a short text needs no counting.
    if text.len() <= limit && !text.chars().any(breaks_line) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut gap = false;
    let mut length = 0;
    for character in text.chars() {
        if breaks_line(character) || (gap && character.is_whitespace()) {
            gap = true;
            continue;
        }
        if gap && !(out.is_empty() || out.ends_with(' ')) {
            out.push(' ');
            length += 1;
        }
        gap = false;
        out.push(character);
        length += 1;
        if length > limit {
            let cut = out.char_indices().nth(limit.saturating_sub(3)).map_or(0, |(at, _)| at);
            out.truncate(cut);
            out.push_str("...");
            break;
        }
    }
    Cow::Owned(out)
}

/// Whether a character ends a line, commands whatever shows it, or makes it show something else.
fn breaks_line(character: char) -> bool {
    is_deceptive(character)
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[track_caller]
    fn check(text: &str, limit: usize, expect: &str) {
        assert_eq!(one_line(text, limit), expect, "{text:?} in {limit}");
    }

    #[test]
    fn line_breaks_become_one_blank() {
        check("plain  text", 20, "plain  text");
        check("  a\r\n\t  b \n", 20, "a b");
        check("a \n b", 20, "a b");
        check("a\u{2028}b\u{85}c\0d", 20, "a b c d");
        check("a\u{202e}b\u{200b}c", 20, "a b c");
        check("\n\n", 20, "");
        check("\0a\0", 20, "a");
    }

    #[test]
    fn long_text_ends_in_three_dots() {
        check("0123456789", 10, "0123456789");
        check("0123456789a", 10, "0123456...");
        check("éééééééééé", 10, "éééééééééé");
        check("ééééééééééé", 10, "ééééééé...");
        check("012345\n789a", 11, "012345 789a");
        check("012345\n789a", 10, "012345 ...");
    }
}
