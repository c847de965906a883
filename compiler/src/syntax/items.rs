//! The items of a block list of YAML, and what of them an edit concerns: those are read again, the others only move.
//!
//! That is so only where what is read of an item depends on nothing but its own text. Whoever has a layout of a list
//! made vouches for that, as [`Parsed`](super::Parsed) tells it; what makes an edit concern more than some items is
//! found out here, and answered with nothing.

use std::ops::Range;

use super::{Comment, Items, Kind, MAX_BYTES, MAX_DEPTH, Node, yaml};
use crate::source::FileId;

/// Where the items of a list stand in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The column of the dashes, which nothing but blanks stands before.
    column: usize,
    /// Where the line of each item starts.
    starts: Vec<u32>,
    /// Where the line starts of what comes behind the list.
    end: u32,
    /// Whether nothing comes there, or a plain key: reading goes on at one, whatever did not parse before it.
    is_end_known: bool,
}

/// What an edit comes to.
#[derive(Clone, Debug)]
pub struct Change {
    /// The items that are there no more.
    pub old: Range<usize>,
    /// What they took of the text that was, from line to line.
    pub old_text: Range<u32>,
    /// What is there instead.
    pub items: Items,
    /// What that takes of the new text.
    pub new_text: Range<u32>,
    /// Where the lines of these items start.
    starts: Vec<u32>,
}

/// Items nest less deeply by themselves than in their document. Lists are not looked for any deeper than this, and
/// items that come near to the bound are not read by themselves.
const MAX_DEPTH_OF_LISTS: usize = 16;

impl Layout {
    /// The layout of the list at the end of a path of keys. `None` where there is none, or where it is written in a way
    /// that is not gone into.
    #[must_use]
    pub fn of(root: &Node, path: &[&str], text: &str) -> Option<Self> {
        let mut behind = None;
        let mut node = root;
        for key in path.iter().take(MAX_DEPTH_OF_LISTS) {
            let entries = node.entries()?;
            let at = entries.iter().position(|entry| &*entry.key.text == *key)?;
            let next = entries.get(at + 1).map(|entry| entry.key.span.start);
            behind = next.or(behind);
            node = &entries.get(at)?.value;
        }
        let items = node.items().filter(|items| !items.is_empty())?;
        let column = items.first().and_then(|item| dash(text, item))?.1;
        let start = |item: &Node| dash(text, item).filter(|dash| dash.1 == column).map(|it| it.0);
        let starts = items.iter().map(start).collect::<Option<Vec<u32>>>()?;
        let end = behind.map_or(text.len(), |behind| line_start(text, behind as usize));
        let is_ascending = starts.is_sorted_by(|one, next| one < next);
        let is_before = starts.last().is_some_and(|last| (*last as usize) < end);
        let is_end_known = text.get(end..).is_none_or(is_known_end);
        let layout = Self { column, starts, end: end as u32, is_end_known };
        (is_ascending && is_before).then_some(layout)
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none, which is never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether reading goes on behind the list as it does behind an item, whatever did not parse before.
    #[must_use]
    pub fn is_end_known(&self) -> bool {
        self.is_end_known
    }

    /// The item whose lines an offset is in.
    #[must_use]
    pub fn item_at(&self, offset: u32) -> Option<usize> {
        let next = self.starts.partition_point(|start| *start <= offset);
        next.checked_sub(1).filter(|_| offset < self.end)
    }

    /// What of a text an item takes, from line to line.
    #[must_use]
    pub fn range(&self, item: usize) -> Option<Range<u32>> {
        let start = *self.starts.get(item)?;
        Some(start..self.starts.get(item + 1).copied().unwrap_or(self.end))
    }

    /// What becomes of the items where `old` becomes `new`, in the file of a number; `None` where more than items may
    /// have become something else.
    #[must_use]
    pub fn change(&self, file: FileId, old: &str, new: &str) -> Option<Change> {
        let (start, end) = difference(old.as_bytes(), new.as_bytes());
        // What begins with the line of an item may belong to the one before.
        let first = self.starts.partition_point(|at| (*at as usize) < start).checked_sub(1)?;
        let behind = self.starts.partition_point(|at| (*at as usize) <= end);
        let last_end = self.starts.get(behind).copied().unwrap_or(self.end);
        if (last_end as usize) <= end && last_end as usize != old.len() || new.len() > MAX_BYTES {
            return None;
        }
        let old_text = *self.starts.get(first)?..last_end;
        let new_end = (last_end as usize + new.len()).checked_sub(old.len())? as u32;
        let new_text = old_text.start..new_end;
        let text = new.get(new_text.start as usize..new_text.end as usize)?;
        let mut items = yaml::parse_items(file, text, self.column)?;
        // Behind what does not parse, reading goes on at a line that is known: an item is.
        if items.has_failed && behind == self.starts.len() && !self.is_end_known {
            return None;
        }
        let is_deep = |item: &Node| item.depth() + MAX_DEPTH_OF_LISTS > MAX_DEPTH;
        if items.nodes.is_empty() || text.contains('\0') || items.nodes.iter().any(is_deep) {
            return None;
        }
        items.shift(old_text.start as i32);
        let start =
            |item: &Node| dash(new, item).filter(|dash| dash.1 == self.column).map(|it| it.0);
        let starts = items.nodes.iter().map(start).collect::<Option<Vec<u32>>>()?;
        Some(Change { old: first..behind, old_text, items, new_text, starts })
    }

    /// Takes a change over.
    pub fn apply(&mut self, change: &Change) {
        let by = change.shift();
        self.starts.iter_mut().skip(change.old.end).for_each(|start| {
            *start = start.saturating_add_signed(by);
        });
        self.end = self.end.saturating_add_signed(by);
        let old = change.old.start.min(self.starts.len())..change.old.end.min(self.starts.len());
        self.starts.splice(old, change.starts.iter().copied());
    }
}

impl Change {
    /// How far what stands behind the change has moved.
    #[must_use]
    pub fn shift(&self) -> i32 {
        self.new_text.end as i32 - self.old_text.end as i32
    }

    /// Puts the new items into the list of a tree, from whose root a key leads there, and moves what stands behind
    /// them. Without such a list, nothing happens.
    pub fn splice(&self, root: &mut Node, key: &str) {
        let by = self.shift();
        let root_end = root.span.end;
        let Kind::Map(entries) = &mut root.kind else { return };
        let mut behind = entries.iter_mut().skip_while(|entry| &*entry.key.text != key);
        let Some(list) = behind.next().map(|entry| &mut entry.value) else { return };
        let Kind::Seq(items) = &mut list.kind else { return };
        let is_last = self.old.end >= items.len();
        items.iter_mut().skip(self.old.end).for_each(|item| item.shift(by));
        let old = self.old.start.min(items.len())..self.old.end.min(items.len());
        items.splice(old, self.items.nodes.iter().cloned());
        let moved = list.span.end.saturating_add_signed(by);
        list.span.end = if is_last { self.items.end } else { moved };
        let mut end = if is_last { self.items.end } else { root_end.saturating_add_signed(by) };
        for entry in behind {
            entry.key.span = entry.key.span.shifted(by);
            entry.value.shift(by);
            end = root_end.saturating_add_signed(by);
        }
        root.span.end = end;
    }

    /// The comments of a text, where `comments` are those of the one that was.
    #[must_use]
    pub fn comments(&self, comments: &[Comment]) -> Vec<Comment> {
        let first = comments.partition_point(|it| it.span.start < self.old_text.start);
        let behind = comments.partition_point(|it| it.span.start < self.old_text.end);
        let by = self.shift();
        let moved = comments
            .iter()
            .skip(behind)
            .map(|comment| Comment { span: comment.span.shifted(by), text: comment.text.clone() });
        let before = comments.iter().take(first).cloned();
        before.chain(self.items.comments.iter().cloned()).chain(moved).collect()
    }

    /// Where a place of the text that was is now; `None` where it was in what has changed. What ends where the
    /// changed items begin, or begins where they end, was not; what stands around all of it goes with its end.
    #[must_use]
    pub fn moved(&self, place: Range<u32>) -> Option<Range<u32>> {
        let by = self.shift();
        if place.start >= self.old_text.end {
            return Some(
                place.start.saturating_add_signed(by)..place.end.saturating_add_signed(by),
            );
        }
        if place.end <= self.old_text.start {
            return Some(place);
        }
        let is_around = place.start < self.old_text.start && place.end >= self.old_text.end;
        is_around.then(|| place.start..place.end.saturating_add_signed(by))
    }
}

impl Items {
    fn shift(&mut self, by: i32) {
        self.end = self.end.saturating_add_signed(by);
        self.nodes.iter_mut().for_each(|node| node.shift(by));
        for diagnostic in &mut self.diagnostics {
            diagnostic.place(|span| span.shifted(by));
        }
        for comment in &mut self.comments {
            comment.span = comment.span.shifted(by);
        }
    }
}

/// Whether a text is empty, or begins with a plain key.
fn is_known_end(text: &str) -> bool {
    let line = text.trim_start_matches(' ');
    let word = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
    let behind = line.get(word..).and_then(|rest| rest.strip_prefix(':'));
    let is_key = behind.is_some_and(|it| it.is_empty() || it.starts_with([' ', '\n', '\r']));
    line.is_empty() || word > 0 && is_key
}

/// Where the line of an item starts, and the column of its dash; `None` where anything else stands before the item.
fn dash(text: &str, item: &Node) -> Option<(u32, usize)> {
    let start = line_start(text, item.span.start as usize);
    let before = text.get(start..item.span.start as usize)?;
    let column = before.len() - before.trim_start_matches(' ').len();
    let gap = before.get(column..)?.strip_prefix('-')?;
    let is_empty = gap.is_empty() && matches!(item.kind, Kind::Null);
    let is_blank = !gap.is_empty() && gap.trim_start_matches(' ').is_empty();
    (is_blank || is_empty).then_some((start as u32, column))
}

fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1)
}

/// Where two texts begin to differ, and from where on, in the first of them, they do so no more.
fn difference(old: &[u8], new: &[u8]) -> (usize, usize) {
    let start = common(old, new);
    let most = old.len().min(new.len()) - start;
    let end = common_end(old, new).min(most);
    (start, old.len() - end)
}

/// How many bytes are compared at once.
const PIECE: usize = 256;

/// How many bytes two texts begin with alike.
fn common(one: &[u8], other: &[u8]) -> usize {
    let pieces = one.chunks_exact(PIECE).zip(other.chunks_exact(PIECE));
    let whole = pieces.take_while(|(one, other)| one == other).count() * PIECE;
    let (one, other) =
        (one.get(whole..).unwrap_or_default(), other.get(whole..).unwrap_or_default());
    whole + one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// How many bytes two texts end with alike.
fn common_end(one: &[u8], other: &[u8]) -> usize {
    let pieces = one.rchunks_exact(PIECE).zip(other.rchunks_exact(PIECE));
    let whole = pieces.take_while(|(one, other)| one == other).count() * PIECE;
    let before = |text: &'_ [u8]| text.len() - whole;
    let one = one.get(..before(one)).unwrap_or_default();
    let other = other.get(..before(other)).unwrap_or_default();
    whole + one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}
