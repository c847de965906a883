//! Source files and places in them. Everything that the compiler says points here.

use std::ops::Range;
use std::sync::Arc;

/// Names a file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A range of bytes in one file; `start..end`, both on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `file`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The same so many bytes further on, or back.
    #[must_use]
    pub fn shifted(self, by: i32) -> Self {
        let at = |offset: u32| offset.saturating_add_signed(by);
        Self { file: self.file, start: at(self.start), end: at(self.end) }
    }

    /// Whether `offset` lies in the span or right behind it.
    #[must_use]
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether `other` lies wholly inside this span.
    #[must_use]
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// One file: its name as the user gave it, and its text.
#[derive(Debug, Default)]
pub struct Source {
    /// The name, as the user gave it; `builtin:…` for the standard library.
    pub name: String,
    /// The text.
    pub text: String,
    /// The offset of the first byte of each line.
    lines: Vec<u32>,
}

/// A place for people: line and column count from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Bytes from the start of the file.
    pub offset: u32,
}

impl Source {
    fn new(name: String, text: String) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let lines = std::iter::once(0).chain(ends.map(|end| end as u32 + 1)).collect();
        Self { name, text, lines }
    }

    /// The same file with another text, which differs from this one's in a range of that and in nothing else.
    #[must_use]
    pub(crate) fn edited(&self, text: String, old: Range<u32>, new: Range<u32>) -> Self {
        let before = self.lines.partition_point(|start| *start <= old.start);
        let behind = self.lines.partition_point(|start| *start <= old.end);
        let inside = text.get(new.start as usize..new.end as usize).unwrap_or_default();
        let ends = inside.bytes().zip(new.start..).filter(|(byte, _)| *byte == b'\n');
        let mut lines = Vec::with_capacity(self.lines.len() + 8);
        lines.extend(self.lines.iter().take(before));
        lines.extend(ends.map(|(_, at)| at + 1));
        let moved = self.lines.iter().skip(behind);
        lines.extend(moved.map(|start| start.wrapping_sub(old.end).wrapping_add(new.end)));
        Self { name: self.name.clone(), text, lines }
    }

    /// The position of a byte offset; one past the end, or inside a character, is moved back.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start as usize <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0) as usize;
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count());
        Position { line: line as u32, column: column as u32 + 1, offset: offset as u32 }
    }

    /// The offset of the first byte of a line, counted from 1.
    #[must_use]
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.lines.get((line as usize).checked_sub(1)?).copied()
    }

    /// The text of a span, empty where it does not fit.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// All files that took part in a compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Arc<Source>>,
}

impl SourceMap {
    /// Adds a file. Files over 4 GiB are cut there, which no rule file comes near.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(Arc::new(Source::new(name.into(), text.into())));
        id
    }

    /// Adds a file that another map has.
    pub fn share(&mut self, source: Arc<Source>) -> FileId {
        let id = self.next_id();
        self.files.push(source);
        id
    }

    /// Puts another text of a file in its place.
    pub(crate) fn replace(&mut self, file: FileId, source: Arc<Source>) {
        if let Some(known) = self.files.get_mut(file.0 as usize) {
            *known = source;
        }
    }

    /// The id that the next file will get.
    #[must_use]
    pub fn next_id(&self) -> FileId {
        FileId(self.files.len() as u32)
    }

    /// The file, if it is one of this map.
    #[must_use]
    pub fn get(&self, file: FileId) -> Option<&Arc<Source>> {
        self.files.get(file.0 as usize)
    }

    /// The file called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|source| source.name == name).map(|i| FileId(i as u32))
    }

    /// All files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<Source>)> {
        self.files.iter().enumerate().map(|(index, source)| (FileId(index as u32), source))
    }

    /// The text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |source| source.slice(span))
    }
}
