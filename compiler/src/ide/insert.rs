//! Where something new is put into a YAML file written in blocks, so that what is there stays as it is.

use super::RuleFile;
use super::navigate::FileEdit;
use crate::source::Span;
use crate::syntax::{Format, Kind, Node};

/// How the behaviour part of a file is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// By how many blanks its keys are indented.
    indent: usize,
    /// Where it ends: behind the last line that belongs to it.
    end: u32,
    /// The step from a key to those below it.
    step: usize,
}

impl Layout {
    /// The layout of a file; `None` where it is not YAML in blocks.
    pub fn of(file: &RuleFile) -> Option<Self> {
        let config = file.config();
        if file.format != Format::Yaml || !matches!(config.kind, Kind::Map(_) | Kind::Null) {
            return None;
        }
        let Some(first) = config.entries().and_then(<[_]>::first) else {
            let is_whole = std::ptr::eq(config, &*file.root);
            return is_whole.then(|| Self { indent: 0, end: file.text().len() as u32, step: 2 });
        };
        let indent = indent_of(file.text(), first.key.span.start)?;
        let last = config.entries().and_then(<[_]>::last)?;
        let end = end_of_line(file.text(), last.value.span.end.max(last.key.span.end));
        Some(Self { indent, end, step: step(file.text()) })
    }
}

/// The blanks before what begins its line; `None` where something else stands before it.
fn indent_of(text: &str, offset: u32) -> Option<usize> {
    let before = text.get(..offset as usize)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().all(|c| c == ' ').then_some(line.len())
}

/// The first indentation that the file uses.
fn step(text: &str) -> usize {
    let indents = text.lines().map(|line| line.len() - line.trim_start_matches(' ').len());
    indents.filter(|indent| *indent > 0).min().unwrap_or(2).clamp(1, 8)
}

/// Behind the end of the line that an offset is in. Where the offset begins a line, what it ends is above.
fn end_of_line(text: &str, offset: u32) -> u32 {
    let (before, behind) = text.split_at_checked(offset as usize).unwrap_or((text, ""));
    if before.ends_with('\n') {
        return offset;
    }
    let rest = behind.find('\n').map_or(behind.len(), |at| at + 1);
    offset + rest as u32
}

fn at(file: &RuleFile, offset: u32, lines: &str) -> FileEdit {
    let before = file.text().get(..offset as usize).unwrap_or_default();
    let missing = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let span = Span::new(file.root.span.file, offset, offset);
    let text = in_lines_of(file, format!("{missing}{lines}"));
    FileEdit { file: file.name().to_owned(), span, text }
}

/// A text with the line ends that a file has.
pub(super) fn in_lines_of(file: &RuleFile, text: String) -> String {
    match file.text().contains("\r\n") {
        true => text.replace('\n', "\r\n"),
        false => text,
    }
}

/// The edit that puts an entry into the mapping at a path of keys, which are created where they are not there.
/// `None` where a mapping on the way is not written in blocks.
pub(super) fn add_entry(file: &RuleFile, path: &[&str], entry: &str) -> Option<FileEdit> {
    let layout = Layout::of(file)?;
    let mut node = file.config();
    let mut indent = layout.indent;
    let mut end = layout.end;
    let mut left = path;
    while let [key, rest @ ..] = left {
        let Some(found) = node.entry(key) else { break };
        let value = &found.value;
        match &value.kind {
            Kind::Map(entries) => {
                let first = entries.first()?;
                indent = indent_of(file.text(), first.key.span.start)?;
                let last = entries.last()?;
                end = end_of_line(file.text(), last.value.span.end.max(last.key.span.end));
            }
            Kind::Null => {
                indent += layout.step;
                end = end_of_line(file.text(), found.key.span.end);
            }
            _ => return None,
        }
        node = value;
        left = rest;
    }
    let mut lines = String::new();
    for key in left {
        lines.push_str(&format!("{:indent$}{key}:\n", ""));
        indent += layout.step;
    }
    lines.push_str(&format!("{:indent$}{entry}\n", ""));
    Some(at(file, end, &lines))
}

/// The edit that puts an item at the end of the list of a key of the config, which is created where it is not
/// there. `None` where the list is not written in blocks.
pub(super) fn add_item(file: &RuleFile, key: &str, item: &str) -> Option<FileEdit> {
    let layout = Layout::of(file)?;
    let Some(found) = file.config().entry(key) else {
        let (indent, inner) = (layout.indent, layout.indent + layout.step);
        let lines = format!("{:indent$}{key}:\n{:inner$}- {item}\n", "", "");
        return Some(at(file, layout.end, &lines));
    };
    let (indent, end) = match &found.value.kind {
        Kind::Seq(items) => {
            let last: &Node = items.last()?;
            let before = file.text().get(..last.span.start as usize)?;
            let line = before.rsplit('\n').next()?;
            let dash = line.strip_suffix("- ")?;
            if !dash.chars().all(|c| c == ' ') {
                return None;
            }
            (dash.len(), end_of_line(file.text(), last.span.end))
        }
        Kind::Null => (layout.indent + layout.step, end_of_line(file.text(), found.key.span.end)),
        _ => return None,
    };
    Some(at(file, end, &format!("{:indent$}- {item}\n", "")))
}
