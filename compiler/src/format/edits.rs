//! What changes from a text to the same one laid out: few small edits, so that cursors and marks stay where they are.

use std::ops::Range;

use super::{Refusal, format, read, same};
use crate::syntax::Format;

/// Replaces a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// Returns the edits that lay a text out, by their places.
///
/// # Errors
/// As [`format()`].
pub fn format_edits(text: &str, kind: Format) -> Result<Vec<TextEdit>, Refusal> {
    Ok(between(text, &format(text, kind)?))
}

/// Returns the edits that lay the lines of a range out, as far as the rest can stay as it is: none where it cannot.
///
/// # Errors
/// As [`format()`].
pub fn format_range(
    text: &str,
    kind: Format,
    range: Range<usize>,
) -> Result<Vec<TextEdit>, Refusal> {
    let mut edits = format_edits(text, kind)?;
    // Lines come with their breaks: one that ends where the range starts is not in it.
    let end = range.end.max(range.start + 1);
    let is_inside = |edit: &TextEdit| {
        edit.range.start < end && range.start < edit.range.end.max(edit.range.start + 1)
    };
    edits.retain(is_inside);
    let changed = applied(text, &edits);
    let plain = |text: &str| text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
    let (before, after) = (read(&plain(text), kind)?, read(&plain(&changed), kind));
    let is_same = after.is_ok_and(|after| {
        same::nodes(&before.root, &after.root) && same::comments(&before.comments, &after.comments)
    });
    Ok(if is_same { edits } else { Vec::new() })
}

/// A text with edits applied, which do not touch each other.
fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        out.push_str(text.get(done..edit.range.start).unwrap_or_default());
        out.push_str(&edit.text);
        done = edit.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// A line with its break, and where it starts.
type Line<'t> = (usize, &'t str);

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let start = at;
            at += line.len();
            (start, line)
        })
        .collect()
}

/// The edits from one text to another: line by line where the same lines stand in both, blanks aside.
fn between(before: &str, after: &str) -> Vec<TextEdit> {
    if before == after {
        return Vec::new();
    }
    by_line(&lines(before), &lines(after)).unwrap_or_else(|| whole(before, after))
}

fn by_line(before: &[Line<'_>], after: &[Line<'_>]) -> Option<Vec<TextEdit>> {
    let is_blank = |line: &&Line<'_>| line.1.trim().is_empty();
    let (mut before, mut after) = (before, after);
    let mut edits = Vec::new();
    let mut end = 0;
    loop {
        let blanks = before.iter().take_while(is_blank).count();
        let new_blanks = after.iter().take_while(is_blank).count();
        let (old, rest) = before.split_at_checked(blanks)?;
        let (new, new_rest) = after.split_at_checked(new_blanks)?;
        let start = old.first().map_or(end, |line| line.0);
        end = old.last().map_or(end, |line| line.0 + line.1.len());
        let text: String = new.iter().map(|line| line.1).collect();
        if !old.iter().map(|line| line.1).eq(new.iter().map(|line| line.1)) {
            edits.push(TextEdit { range: start..end, text });
        }
        let (Some((line, rest)), Some((new, new_rest))) =
            (rest.split_first(), new_rest.split_first())
        else {
            return (rest.is_empty() && new_rest.is_empty()).then_some(edits);
        };
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        if letters(line.1) != letters(new.1) {
            return None;
        }
        if line.1 != new.1 {
            edits.push(TextEdit { range: line.0..line.0 + line.1.len(), text: new.1.to_owned() });
        }
        end = line.0 + line.1.len();
        (before, after) = (rest, new_rest);
    }
}

/// One edit, without what both texts begin and end with.
fn whole(before: &str, after: &str) -> Vec<TextEdit> {
    let same = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
    let start = before.floor_char_boundary(same).min(after.floor_char_boundary(same));
    let (old, new) = (before.get(start..).unwrap_or(""), after.get(start..).unwrap_or(""));
    let tail = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other);
    let mut tail = tail.count();
    while !old.is_char_boundary(old.len() - tail) || !new.is_char_boundary(new.len() - tail) {
        tail -= 1;
    }
    let text = new.get(..new.len() - tail).unwrap_or_default().to_owned();
    vec![TextEdit { range: start..before.len() - tail, text }]
}

#[cfg(test)]
mod tests {
    use super::{Format, applied, format, format_edits, format_range};

    #[test]
    fn edits_are_small_and_come_to_the_same() {
        let text = "\n\na:   1\nb:\n- x\n- {y: z}\n\n\n\nc: |\n   d\né: f   # g\n";
        let edits = format_edits(text, Format::Yaml).unwrap();
        assert_eq!(applied(text, &edits), format(text, Format::Yaml).unwrap());
        assert!(edits.iter().all(|edit| edit.range.len() <= 12), "{edits:?}");
        for (text, kind) in [
            ("{\"a\":1,\n\"é\":[ ]}", Format::Json),
            ("{\"a\":{\"b\":1}}", Format::Json),
            ("a=1\n\n\n[b]\n c=2", Format::Toml),
            ("a:   1\r\n\r\n\r\nb:  2\r\n", Format::Yaml),
            ("a: 1", Format::Yaml),
        ] {
            let edits = format_edits(text, kind).unwrap();
            assert_eq!(applied(text, &edits), format(text, kind).unwrap(), "{text}");
        }
        assert!(format_edits("a: 1\n", Format::Yaml).unwrap().is_empty());
    }

    #[test]
    fn a_range_is_laid_out_where_the_rest_can_stay() {
        let text = "a:   1\nb:   2\nc:\n    d:   3\n    e: 4\n";
        let at = |part: &str| {
            let start = text.find(part).unwrap();
            start..start + part.len()
        };
        let edits = format_range(text, Format::Yaml, at("b:   2")).unwrap();
        assert_eq!(applied(text, &edits), text.replace("b:   2", "b: 2"));
        // One line of a mapping cannot be moved without the others.
        assert!(format_range(text, Format::Yaml, at("d:   3")).unwrap().is_empty());
        let edits = format_range(text, Format::Yaml, at("d:   3\n    e: 4")).unwrap();
        assert!(applied(text, &edits).ends_with("c:\n  d: 3\n  e: 4\n"));
    }
}
