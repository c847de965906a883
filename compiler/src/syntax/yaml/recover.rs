//! Reads a YAML document that does not parse piece by piece, so that one slip hides nothing else.
//!
//! Pieces are cut by indentation: the keys of a block mapping, the items of a block list, and
//! those below a piece that is itself broken. What parses alone is kept; what does not is one
//! error and a [`Kind::Broken`]. Every level reads a piece at most three times, and the levels are
//! few, so the time stays linear in the file's size.

use std::ops::Range;

use super::{Failure, Reader, explain};
use crate::source::Span;
use crate::syntax::{Entry, Key, Kind, Node, duplicates};

/// How many levels of collections are taken apart.
const LEVELS: usize = 8;

/// Reads a whole file that failed to parse.
pub fn recover(reader: &mut Reader<'_>, failure: Failure) -> Node {
    reader.recovering = true;
    reader.mentioned = mentioned_anchors(reader.text);
    let mut recovery = Recovery { scratch: reader.text.to_owned(), reader };
    let document = recovery.document();
    recovery.collection(document, LEVELS, failure)
}

fn mentioned_anchors(text: &str) -> std::collections::HashSet<&str> {
    let name = |rest: &'_ str| rest.find([' ', '\t', '\r', '\n', ',', ']', '}']);
    text.match_indices('&')
        .filter_map(|(at, _)| text.get(at + 1..))
        .map(|rest| name(rest).and_then(|end| rest.get(..end)).unwrap_or(rest))
        .collect()
}

struct Recovery<'r, 't> {
    reader: &'r mut Reader<'t>,
    /// The text, where the dashes of items that are being taken apart are blanked out. Their
    /// content then stands alone with its indentation and offsets as they were.
    scratch: String,
}

/// What a piece of text is a collection of, and how deep its parts are indented.
#[derive(Clone, Copy)]
struct Shape {
    indent: usize,
    list: bool,
}

/// A part of a collection: whole lines.
struct Part {
    range: Range<usize>,
    /// Where in the part a line stands that belongs to nothing: indented like a part, or less.
    stray: Option<usize>,
}

impl Recovery<'_, '_> {
    /// The first document without directives and markers. A second one is reported and cut off.
    fn document(&mut self) -> Range<usize> {
        let (document, second) = self.first_document();
        if let Some(marker) = second {
            self.reader.second_document(marker, marker + 3);
        }
        document
    }

    fn first_document(&self) -> (Range<usize>, Option<usize>) {
        let mut start = 0;
        let mut begun = false;
        for line in lines(&self.scratch, 0..self.scratch.len()) {
            let text = self.slice(line.clone());
            let marker = text.starts_with("---") || text.starts_with("...");
            if marker && text.get(3..).is_some_and(|rest| rest.trim().is_empty()) {
                if begun {
                    return (start..line.start, Some(line.start));
                }
                start = line.end;
            } else if text.starts_with('%') && !begun {
                start = line.end;
            } else {
                begun |= content(text).is_some();
            }
        }
        (start..self.scratch.len(), None)
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.scratch.get(range).unwrap_or_default()
    }

    fn span(&self, range: &Range<usize>) -> Span {
        self.reader.span(range.start, range.end)
    }

    fn broken(&self, range: Range<usize>) -> Node {
        let range = self.trimmed(range);
        Node { span: self.span(&range), kind: Kind::Broken }
    }

    /// The range from its first to its last visible character.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = self.slice(range.clone());
        let start = range.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    }

    fn report(&mut self, failure: &Failure, range: &Range<usize>) {
        let problem = explain::explain(self.reader.file, self.reader.text, range, failure);
        self.reader.diagnostics.push(problem);
    }

    /// A collection that failed to parse as a whole.
    fn collection(&mut self, range: Range<usize>, levels: usize, failure: Failure) -> Node {
        let shape = self.shape(range.clone()).filter(|_| levels > 0);
        let Some(shape) = shape else {
            self.report(&failure, &range);
            return self.broken(range);
        };
        let known = self.reader.diagnostics.len();
        let parts = self.parts(range.clone(), shape);
        let kind = match shape.list {
            true => self.list(parts, levels, &failure),
            false => self.mapping(parts, levels, &failure),
        };
        if !self.complained(known) {
            self.report(&failure, &range);
        }
        Node { span: self.span(&self.trimmed(range)), kind }
    }

    /// Whether a problem that stops the file from parsing was reported since there were `known`.
    fn complained(&self, known: usize) -> bool {
        let new = self.reader.diagnostics.iter().skip(known);
        new.into_iter().any(|problem| explain::stops_parsing(problem.kind))
    }

    fn shape(&self, range: Range<usize>) -> Option<Shape> {
        let (indent, text) =
            lines(&self.scratch, range).find_map(|line| content(self.slice(line)))?;
        let list = is_item(text);
        (list || key_length(text).is_some()).then_some(Shape { indent, list })
    }

    fn parts(&self, range: Range<usize>, shape: Shape) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for line in lines(&self.scratch, range.clone()) {
            let starts = content(self.slice(line.clone())).map(|(indent, text)| {
                let begins = if shape.list { is_item(text) } else { key_length(text).is_some() };
                let inside = text.starts_with([']', '}']) || (!shape.list && is_item(text));
                let stray = indent < shape.indent || (indent == shape.indent && !inside);
                (indent == shape.indent && begins, stray && !text.starts_with([']', '}', '\t']))
            });
            match (parts.last_mut(), starts) {
                (None, _) => parts.push(Part { range: range.start..line.end, stray: None }),
                (Some(last), Some((true, _))) if self.has_content(&last.range) => {
                    parts.push(Part { range: line, stray: None });
                }
                (Some(last), starts) => {
                    last.range.end = line.end;
                    let stray = starts.is_some_and(|(begins, stray)| stray && !begins);
                    last.stray = last.stray.or(stray.then_some(line.start));
                }
            }
        }
        parts
    }

    /// Whether there is more than blanks and comments in the first lines; cheap, because only the
    /// first part can start with any.
    fn has_content(&self, range: &Range<usize>) -> bool {
        lines(&self.scratch, range.clone()).any(|line| content(self.slice(line)).is_some())
    }

    fn read(&mut self, range: Range<usize>) -> Result<Option<Node>, Failure> {
        let base = range.start;
        let piece = self.scratch.get(range).unwrap_or_default();
        self.reader.read(piece, base)
    }

    /// Reads a part of a collection that failed to parse as a whole. Where that is all of it, the
    /// failure is known.
    fn read_part(
        &mut self,
        part: &Part,
        only: bool,
        failure: &Failure,
    ) -> Result<Option<Kind>, Failure> {
        match only {
            true => Err(failure.clone()),
            false => Ok(self.read(part.range.clone())?.map(|node| node.kind)),
        }
    }

    fn list(&mut self, parts: Vec<Part>, levels: usize, failure: &Failure) -> Kind {
        let mut items = Vec::new();
        let only = parts.len() == 1;
        for part in parts {
            let keep = |kind| {
                if let Kind::Seq(read) = kind {
                    items.extend(read);
                }
            };
            match self.read_part(&part, only, failure) {
                Ok(kind) => kind.into_iter().for_each(keep),
                Err(failure) => {
                    if !self.before_stray(&part, &failure, keep) {
                        items.push(self.item(part.range, levels, failure));
                    }
                }
            }
        }
        Kind::Seq(items)
    }

    /// Keeps the lines before a stray one if they parse, and reports the stray one.
    fn before_stray(&mut self, part: &Part, failure: &Failure, keep: impl FnOnce(Kind)) -> bool {
        let Some(stray) = part.stray else { return false };
        let Ok(Some(node)) = self.read(part.range.start..stray) else { return false };
        keep(node.kind);
        self.report(failure, &part.range);
        true
    }

    /// One item that failed to parse.
    fn item(&mut self, range: Range<usize>, levels: usize, failure: Failure) -> Node {
        let first = lines(&self.scratch, range.clone()).find_map(|line| {
            content(self.slice(line.clone())).map(|(indent, _)| line.start + indent)
        });
        let Some(dash) = first else { return self.broken(range) };
        if self.slice(dash..dash + 1) == "-" {
            self.scratch.replace_range(dash..dash + 1, " ");
        }
        self.collection(range, levels - 1, failure)
    }

    fn mapping(&mut self, parts: Vec<Part>, levels: usize, failure: &Failure) -> Kind {
        let mut entries = Vec::new();
        let only = parts.len() == 1;
        for part in parts {
            match self.read_part(&part, only, failure) {
                Ok(Some(Kind::Map(read))) => entries.extend(read),
                Ok(_) => {}
                Err(failure) => self.entry(part, levels, failure, &mut entries),
            }
        }
        duplicates::remove(&mut entries, &mut self.reader.diagnostics);
        Kind::Map(entries)
    }

    /// One key with its value that failed to parse.
    fn entry(&mut self, part: Part, levels: usize, failure: Failure, entries: &mut Vec<Entry>) {
        let kept = |kind| {
            if let Kind::Map(read) = kind {
                entries.extend(read);
            }
        };
        if self.before_stray(&part, &failure, kept) {
            let stray = part.stray.unwrap_or(part.range.start)..part.range.end;
            entries.extend(self.stray_key(stray));
            return;
        }
        let Some((key, first_line)) = self.key(part.range.clone()) else {
            return self.report(&failure, &part.range);
        };
        let key_end = key.span.end as usize;
        let on_first_line = self.slice(key_end..first_line.end).trim().trim_start_matches(':');
        let below = first_line.end..part.range.end;
        let value = if content(on_first_line).is_none() && self.has_content(&below) {
            self.collection(below, levels - 1, failure)
        } else {
            self.report(&failure, &part.range);
            let colon = self.slice(key_end..first_line.end).find(':').map_or(0, |at| at + 1);
            self.broken(key_end + colon..part.range.end)
        };
        entries.push(Entry { key, value });
    }

    /// The key that a part starts with, and the line it stands on.
    fn key(&self, range: Range<usize>) -> Option<(Key, Range<usize>)> {
        lines(&self.scratch, range).find_map(|line| {
            let (indent, text) = content(self.slice(line.clone()))?;
            let start = line.start + indent;
            let written = text.get(..key_length(text)?)?;
            let span = self.span(&(start..start + written.len()));
            let text = written.trim_matches(['"', '\'']).into();
            Some((Key { text, span }, line))
        })
    }

    /// What was probably meant to be a key by a line such as `when:x` or `when x`: knowing that
    /// something stands there spares the author a complaint that it is missing.
    fn stray_key(&self, range: Range<usize>) -> Option<Entry> {
        let trimmed = self.trimmed(range);
        let text = self.slice(trimmed.clone());
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let length = text.find(|c| !word(c)).unwrap_or(text.len());
        let name = text.get(..length).filter(|name| name.starts_with(char::is_alphabetic))?;
        let span = self.span(&(trimmed.start..trimmed.start + length));
        let key = Key { text: name.into(), span };
        Some(Entry { key, value: self.broken(trimmed.start + length..trimmed.end) })
    }
}

/// The lines of a range, each with its line break.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    let piece = text.get(range).unwrap_or_default();
    piece.split_inclusive('\n').map(move |line| {
        let end = start + line.len();
        std::mem::replace(&mut start, end)..end
    })
}

/// The indentation of a line and what stands behind it, unless that is nothing or a comment.
fn content(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let text = text.trim_end();
    (!text.trim_start().is_empty() && !text.trim_start().starts_with('#')).then_some((indent, text))
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ") || text.starts_with("-\t")
}

/// The length of the key that a line starts with, if it looks like `key: …`.
pub(super) fn key_length(text: &str) -> Option<usize> {
    let length = match text.chars().next()? {
        quote @ ('"' | '\'') => text.get(1..)?.find(quote)? + 2,
        '[' | ']' | '{' | '}' | ',' | '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' | '#'
        | '\t' => {
            return None;
        }
        _ => text
            .match_indices(':')
            .map(|(at, _)| at)
            .find(|at| ends_key(text.get(*at + 1..).unwrap_or_default()))?,
    };
    let key = text.get(..length)?;
    let rest = text.get(length..)?.trim_start_matches([' ', '\t']);
    let colon = rest.strip_prefix(':').is_some_and(ends_key);
    (colon && !is_item(text) && !key.contains(" #")).then(|| key.trim_end().len())
}

fn ends_key(behind_colon: &str) -> bool {
    behind_colon.is_empty() || behind_colon.starts_with([' ', '\t', '\r', '\n'])
}
