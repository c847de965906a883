//! Text laid out in columns for people: painted, cut and wrapped to fit, and nothing of a trace that
//! could command the terminal.

use behavior_json::plain::is_deceptive;
use std::borrow::Cow;

use anstyle::Style;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::terminal::{Terminal, paint};

/// How wide output is where nothing tells.
const USUAL_WIDTH: usize = 100;
/// How high a screen is where nothing tells.
const USUAL_HEIGHT: usize = 24;

/// What columns and colours there are.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Whether to use colours.
    pub colours: bool,
    /// How many columns there are.
    pub width: usize,
}

impl Screen {
    /// What standard output is. `COLUMNS` wins over what the terminal says of its width.
    #[must_use]
    pub fn of_stdout(terminal: &Terminal) -> Self {
        let named = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
        let width = named
            .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
            .unwrap_or(USUAL_WIDTH)
            .clamp(60, 160);
        Self { colours: terminal.color, width }
    }

    /// Appends text in a style.
    pub fn paint(&self, out: &mut String, style: Style, text: &str) {
        out.push_str(&paint(self.colours && !text.is_empty(), style, text));
    }

    /// Appends text in a style, filled with blanks up to `columns`.
    pub fn cell(&self, out: &mut String, style: Style, text: &str, columns: usize) {
        self.paint(out, style, text);
        blanks(out, columns.saturating_sub(width(text)));
    }
}

/// Returns how many lines standard output shows at once. `LINES` wins over what the terminal says of its height.
#[must_use]
pub fn rows() -> usize {
    let named = std::env::var("LINES").ok().and_then(|lines| lines.trim().parse().ok());
    named
        .or_else(|| terminal_size::terminal_size().map(|(_, height)| usize::from(height.0)))
        .unwrap_or(USUAL_HEIGHT)
}

/// Appends blanks.
pub fn blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// How many columns a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text in one line and without anything that commands a terminal or turns the line around.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_unfit = is_deceptive;
    if !text.contains(is_unfit) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            unfit if is_unfit(unfit) => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    Cow::Owned(out.trim_end().to_owned())
}

/// The text [`plain`], and cut with `…` to at most `columns`.
#[must_use]
pub fn clip(text: &str, columns: usize) -> String {
    // Only so much of a long text can show.
    let end = text.char_indices().nth(columns * 4).map_or(text.len(), |(at, _)| at);
    let text = plain(text.get(..end).unwrap_or(text)).into_owned();
    if width(&text) <= columns {
        return text;
    }
    let mut out = String::new();
    let mut used = 0;
    for character in text.chars() {
        let needs = character.width().unwrap_or(0);
        if used + needs + 1 > columns {
            break;
        }
        used += needs;
        out.push(character);
    }
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// The end of a path that fits, with `…` in front, or all of it.
#[must_use]
pub fn clip_path(path: &str, columns: usize) -> String {
    let path = plain(path);
    if width(&path) <= columns {
        return path.into_owned();
    }
    let mut used = 1;
    let mut start = path.len();
    for (at, character) in path.char_indices().rev() {
        used += character.width().unwrap_or(0);
        if used > columns {
            break;
        }
        start = at;
    }
    let tail = path.get(start..).unwrap_or_default();
    // Whole names read better than half ones.
    let tail = tail.find('/').and_then(|at| tail.get(at..)).filter(|t| t.len() > 8).unwrap_or(tail);
    format!("…{tail}")
}

/// The text [`plain`] and broken into lines of at most `columns`, at blanks where there are any.
/// Line breaks of the text stay.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let options = Options::new(columns.max(10))
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let paragraph = plain(paragraph);
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        lines.extend(textwrap::wrap(&words.join(" "), &options).into_iter().map(Cow::into_owned));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_their_columns() {
        assert_eq!(clip("short", 10), "short");
        assert_eq!(clip("a longer text", 10), "a longer…");
        assert_eq!(clip("日本語のテキスト", 9), "日本語の…");
        assert_eq!(clip("two\nlines", 20), "two lines");
        assert_eq!(clip_path("/home/dev/project/src/deep/file.rs", 20), "…/src/deep/file.rs");
        assert_eq!(wrap("one two three", 10), ["one two", "three"]);
        assert_eq!(wrap("abcdefghijklmnopqrstuvwxyz", 10), ["abcdefghij", "klmnopqrst", "uvwxyz"]);
        assert_eq!(wrap("a\n\nb", 10), ["a", "", "b"]);
    }

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(plain("a\x1b[31mb"), "a\u{fffd}[31mb");
        assert_eq!(plain("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(plain("a\r\n\tb"), "a b");
    }
}
