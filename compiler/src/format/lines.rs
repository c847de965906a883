//! What the layouts of YAML and TOML share: lines, and what stands between them.

use std::ops::Range;

use crate::syntax::Comment;

/// The lines of a text and where they start.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let mut starts: Vec<usize> = vec![0];
        starts.extend(breaks.map(|(at, _)| at + 1));
        if text.ends_with('\n') {
            starts.pop();
        }
        Self { text, starts }
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Where a line stands, its break left out.
    pub fn range(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let next = self.starts.get(line + 1).copied();
        let end = next.map_or(self.text.trim_end_matches('\n').len().max(start), |next| next - 1);
        start..end
    }

    pub fn get(&self, line: usize) -> &'t str {
        self.text.get(self.range(line)).unwrap_or_default()
    }

    /// The line that an offset is in, from 0.
    pub fn of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
}

/// What becomes of a text, line by line: no blanks at the ends, no two blank lines on each other.
#[derive(Default)]
pub(super) struct Output {
    pub text: String,
    blank: bool,
}

impl Output {
    /// Notes that a blank line comes.
    pub fn blank(&mut self) {
        self.blank = !self.text.is_empty();
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a line; those that are part of a value come as they are.
    pub fn line(&mut self, indent: usize, line: &str) {
        if std::mem::take(&mut self.blank) {
            self.text.push('\n');
        }
        let line = line.trim_end();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n(' ', indent));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds a line of a value, of which every blank counts.
    pub fn verbatim(&mut self, indent: usize, line: &str) {
        if std::mem::take(&mut self.blank) {
            self.text.push('\n');
        }
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n(' ', indent));
        }
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// Splits a line into what it holds and the comment behind that.
pub(super) fn split_comment<'t>(
    text: &'t str,
    range: Range<usize>,
    comments: &[Comment],
) -> (&'t str, Option<&'t str>) {
    let next = comments.partition_point(|comment| (comment.span.start as usize) < range.start);
    let start = comments.get(next).map(|comment| comment.span.start as usize);
    match start.filter(|start| *start < range.end) {
        Some(start) => (
            text.get(range.start..start).unwrap_or_default().trim_end(),
            text.get(start..range.end).map(str::trim_end),
        ),
        None => (text.get(range).unwrap_or_default().trim_end(), None),
    }
}

/// A line with the comment that stands behind it.
pub(super) fn with_comment(content: String, comment: Option<&str>) -> String {
    match comment {
        Some(comment) if content.is_empty() => comment.to_owned(),
        Some(comment) => format!("{content}  {comment}"),
        None => content,
    }
}
