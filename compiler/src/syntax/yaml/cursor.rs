//! Where a cursor is in a YAML text that is being typed: the reader is asked what it was in the middle
//! of when the text up to the cursor ended.

use super::reader::{End, Reader, Unfinished};
use crate::source::FileId;
use crate::syntax::cursor::{Cursor, Dependence, Site};
use crate::syntax::{Entry, Kind, Node};

/// Finds out where `offset` is; `None` in comments and behind values that are complete. Where the answer depends on
/// what is not in its entry, it says so.
pub fn find(text: &str, offset: usize) -> (Option<Cursor>, Dependence) {
    let mut depends = Dependence::OnEntry;
    (find_in(text, offset, &mut depends), depends)
}

fn find_in(text: &str, offset: usize, depends: &mut Dependence) -> Option<Cursor> {
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(line_start..)?;
    let end = match line.trim().is_empty() {
        true => on_blank_line(before, line_start)?,
        false => {
            let mut reader = Reader::up_to_cursor(before);
            reader.read_lines();
            reader.end?
        }
    };
    end.into_cursor(text, offset, depends)
}

/// What a cursor behind nothing but blanks is in, which its column tells.
fn on_blank_line(before: &str, line_start: usize) -> Option<End> {
    let line = before.get(line_start..)?;
    let column = line.len() - line.trim_start_matches(' ').len();
    let mut reader = Reader::up_to_cursor(before.get(..line_start)?);
    reader.read_lines();
    let goes_on = |end: &End| {
        column as isize > end.column
            && !matches!(end.what, Unfinished::Nothing | Unfinished::Plain { is_fresh: true, .. })
    };
    match reader.end.take().filter(goes_on) {
        Some(end) => Some(end),
        None => reader.blank_end(column as isize),
    }
}

impl End {
    fn into_cursor(self, text: &str, offset: usize, depends: &mut Dependence) -> Option<Cursor> {
        let mut others = |(map, mut others): (usize, Vec<String>), in_flow| {
            others.extend(keys_behind(text, offset, map, in_flow, depends));
            Site::Key { others }
        };
        let inline = |quote, flow| Site::Inline { quote, flow };
        let (site, start) = match (self.what, self.keys) {
            (Unfinished::Nothing, _) => return None,
            (Unfinished::Plain { start, in_flow, .. }, Some(keys)) => {
                (others(keys, in_flow), start)
            }
            (Unfinished::Plain { start, is_fresh: true, .. }, None) => (Site::Fresh, start),
            (Unfinished::Plain { start, in_flow, .. }, None) => (inline(None, in_flow), start),
            (Unfinished::Quoted { start, in_flow: true }, Some(keys)) => {
                (others(keys, true), start + 1)
            }
            (Unfinished::Quoted { .. }, Some(_)) => return None,
            (Unfinished::Quoted { start, in_flow }, None) => {
                let quote = text.get(start..)?.chars().next();
                (inline(quote, in_flow), start + 1)
            }
            (Unfinished::Block { start }, _) => (inline(None, false), start),
            (Unfinished::Flow, Some(keys)) => (others(keys, true), offset),
            (Unfinished::Flow, None) => (inline(None, true), offset),
            (Unfinished::Value, _) => (inline(None, false), offset),
            (Unfinished::Fresh, Some(keys)) => (others(keys, false), offset),
            (Unfinished::Fresh, None) => (Site::Fresh, offset),
            (Unfinished::Dash, _) => (Site::Dash, offset),
        };
        Some(Cursor { path: self.path, site, start })
    }
}

/// The keys behind the cursor of the mapping that starts at an offset before it.
fn keys_behind(
    text: &str,
    offset: usize,
    map: usize,
    in_flow: bool,
    depends: &mut Dependence,
) -> Vec<String> {
    let (before, behind) = text.split_at_checked(offset).unwrap_or_default();
    // Between brackets, something must stand before a comma.
    let text = format!("{before}{}{behind}", if in_flow { "x" } else { "" });
    let parsed = super::parse(FileId(0), &text);
    if !parsed.is_regular {
        *depends = Dependence::OnMore;
    }
    let keys = find_map(&parsed.root, map as u32).unwrap_or_default().iter();
    let keys = keys.filter(|entry| entry.key.span.start as usize > offset);
    keys.map(|entry| entry.key.text.to_string()).collect()
}

/// The entries of the mapping that starts at an offset. Trees are as deep as readers allow.
fn find_map(node: &Node, start: u32) -> Option<&[Entry]> {
    match &node.kind {
        Kind::Map(entries) if node.span.start == start => Some(entries),
        Kind::Map(entries) => entries.iter().find_map(|entry| find_map(&entry.value, start)),
        Kind::Seq(items) => items.iter().find_map(|item| find_map(item, start)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
