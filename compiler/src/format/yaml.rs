//! The layout of YAML: two columns for each level, lists below their keys indented as well, one blank where blanks are
//! free. Lines are moved as they are; the tree says which of them belong to a value.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Lines, Output, split_comment, with_comment};
use super::yaml_flow::{depth_of, on_one_line};
use crate::syntax::{Comment, Kind, Node, Parsed, Style};

/// Columns of a level.
const STEP: usize = 2;

/// What a line that belongs to a value is a line of.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    /// A text that folds: blanks before its lines do not count.
    Folding,
    /// A collection in brackets.
    Brackets,
    /// A block whose lines count from this column on.
    Block { from: usize, explicit: Option<usize> },
}

/// What the tree says of the lines.
#[derive(Default)]
struct Facts {
    /// Lines that belong to a value that began above.
    inside: BTreeMap<usize, Inside>,
    /// Where keys start, and where they end.
    keys: BTreeMap<usize, usize>,
    /// Collections in brackets that stand on one line: where they start, and where they end.
    brackets: BTreeMap<usize, usize>,
    /// The line on which a collection in brackets opens that ends on another one, and where.
    opening: BTreeMap<usize, usize>,
    seen: BTreeSet<(usize, usize)>,
}

/// A block collection that is open.
#[derive(Clone, Copy)]
struct Open {
    /// The column where it stands.
    old: usize,
    /// The column where it will stand.
    new: usize,
    is_list: bool,
}

/// What waits for the line that it stands above.
enum Waiting<'t> {
    Blank,
    Comment(usize, &'t str),
}

/// Returns a text that parsed, laid out.
pub(super) fn layout(text: &str, parsed: &Parsed) -> Result<String, &'static str> {
    let lines = Lines::new(text);
    let mut facts = Facts::default();
    facts.node(text, &lines, &parsed.root);
    let mut layout = Layout {
        text,
        lines,
        facts,
        comments: &parsed.comments,
        open: Vec::new(),
        waiting: Vec::new(),
        out: Output::default(),
        brackets: None,
    };
    for line in 0..layout.lines.len() {
        layout.line(line)?;
    }
    let stack = layout.open.clone();
    layout.flush(&stack, None);
    Ok(layout.out.text)
}

impl Facts {
    fn node(&mut self, text: &str, lines: &Lines<'_>, node: &Node) {
        let (start, end) = (node.span.start as usize, node.span.end as usize);
        // What an alias stands for stands at its anchor, where it was seen.
        if start == end || !self.seen.insert((start, end)) {
            return;
        }
        let in_brackets = matches!(text.as_bytes().get(start), Some(b'[' | b'{'));
        match &node.kind {
            Kind::Seq(_) | Kind::Map(_) if in_brackets => {
                let (first, last) = (lines.of(start), lines.of(end.saturating_sub(1)));
                match first == last {
                    true => self.brackets.insert(start, end),
                    false => self.opening.insert(first, start),
                };
                for line in first + 1..=last {
                    self.inside.insert(line, Inside::Brackets);
                }
            }
            Kind::Seq(items) => items.iter().for_each(|item| self.node(text, lines, item)),
            Kind::Map(entries) => {
                for entry in entries {
                    let key = entry.key.span;
                    self.keys.insert(key.start as usize, key.end as usize);
                    self.node(text, lines, &entry.value);
                }
            }
            Kind::String(value) => self.string(text, lines, (start, end), value.style()),
            _ => {}
        }
    }

    fn string(
        &mut self,
        text: &str,
        lines: &Lines<'_>,
        (start, end): (usize, usize),
        style: Style,
    ) {
        let first = lines.of(start);
        let inside = match style {
            Style::Literal { indent } | Style::Folded { indent } => {
                let header = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
                let header = header.split(['#', ' ']).next().unwrap_or("");
                let explicit =
                    header.chars().find_map(|c| c.to_digit(10)).map(|digit| digit as usize);
                Inside::Block { from: indent as usize, explicit }
            }
            _ => Inside::Folding,
        };
        let mut last = lines.of(end.saturating_sub(1).max(start));
        if matches!(inside, Inside::Block { .. }) {
            let header = lines.get(first);
            let keeps = header.get(start - lines.range(first).start..).unwrap_or("");
            let keeps = keeps.split('#').next().is_some_and(|header| header.contains('+'));
            // Blank lines behind a block count only where its header says so.
            let is_blank = |line: usize| lines.get(line).trim().is_empty();
            while !keeps && last > first && is_blank(last) {
                last -= 1;
            }
            while keeps && last + 1 < lines.len() && is_blank(last + 1) {
                last += 1;
            }
        }
        for line in first + 1..=last {
            self.inside.insert(line, inside);
        }
    }
}

struct Layout<'t> {
    text: &'t str,
    lines: Lines<'t>,
    facts: Facts,
    comments: &'t [Comment],
    open: Vec<Open>,
    waiting: Vec<Waiting<'t>>,
    out: Output,
    /// How deep the brackets are that the line before ended in, and in which quote.
    brackets: Option<(isize, Option<char>)>,
}

impl<'t> Layout<'t> {
    fn line(&mut self, line: usize) -> Result<(), &'static str> {
        let content = self.lines.get(line);
        if let Some(inside) = self.facts.inside.get(&line).copied() {
            self.inside(content, inside);
            return Ok(());
        }
        self.brackets = None;
        let trimmed = content.trim();
        let old = content.len() - content.trim_start_matches(' ').len();
        match trimmed {
            "" => self.waiting.push(Waiting::Blank),
            comment if comment.starts_with('#') => {
                self.waiting.push(Waiting::Comment(old, comment))
            }
            "---" | "..." if old == 0 => {
                self.flush(&[], Some((0, 0)));
                self.open.clear();
                self.out.line(0, trimmed);
            }
            _ if content.starts_with("--- ") || content.starts_with('%') => {
                return Err("it has directives, or a value beside `---`");
            }
            _ if content.starts_with([' ', '\t'])
                && content.trim_start_matches(' ').starts_with('\t') =>
            {
                return Err("it is indented with tabs");
            }
            _ => self.content(line, old)?,
        }
        Ok(())
    }

    /// A line of a value that began above.
    fn inside(&mut self, content: &'t str, inside: Inside) {
        let base = self.open.last().map(|open| open.new);
        let below = base.map_or(0, |base| base + STEP);
        match inside {
            Inside::Folding => self.out.line(below, content.trim_start()),
            Inside::Block { from, explicit } => {
                let start = content.len() - content.trim_start_matches(' ').len();
                let rest = content.get(from.min(start)..).unwrap_or_default();
                let indent = match (explicit, base) {
                    (Some(columns), Some(base)) => base + columns,
                    (Some(columns), None) => columns,
                    (None, _) => below.max(STEP),
                };
                // A line of blanks that are all before the column is an empty one.
                let rest = if content.trim().is_empty() && start <= from { "" } else { rest };
                self.out.verbatim(indent, rest);
            }
            Inside::Brackets => {
                let (depth, mut quote) = self.brackets.unwrap_or((1, None));
                let trimmed = content.trim();
                let (change, leading) = depth_of(trimmed, &mut quote);
                let level = usize::try_from(depth - leading).unwrap_or(0);
                let base = base.unwrap_or(0);
                if trimmed.is_empty() {
                    self.out.line(0, "");
                } else {
                    self.out.line(base + STEP * level, trimmed);
                }
                self.brackets = Some((depth + change, quote));
            }
        }
    }

    /// A line with a key, an item or a value of its own.
    fn content(&mut self, line: usize, old: usize) -> Result<(), &'static str> {
        let range = self.lines.range(line);
        let before = self.open.clone();
        let (content, comment) = split_comment(self.text, range.clone(), self.comments);
        let mut laid = String::new();
        // The column of the line, where its first collection puts it.
        let mut column = None;
        let mut at = old;
        loop {
            let rest = content.get(at..).unwrap_or_default();
            if rest == "-" || rest.starts_with("- ") {
                let new = self.collection(at, true, column.map(|start| start + laid.len()));
                column.get_or_insert(new);
                let behind = rest.get(1..).unwrap_or_default();
                let next = behind.trim_start_matches(' ');
                laid.push('-');
                if next.is_empty() {
                    break;
                }
                laid.push(' ');
                at += 1 + behind.len() - next.len();
                continue;
            }
            if rest == "?" || rest.starts_with("? ") || rest.starts_with("-\t") {
                return Err("it has keys that are no plain words");
            }
            let key_end = self.facts.keys.get(&(range.start + at)).copied();
            match key_end.and_then(|end| end.checked_sub(range.start)) {
                Some(end) if end <= content.len() => {
                    let new = self.collection(at, false, column.map(|start| start + laid.len()));
                    column.get_or_insert(new);
                    self.key(content, range.start, at, end, &mut laid)?;
                }
                _ => {
                    if column.is_none() {
                        self.close_down_to(at);
                        column = Some(self.open.last().map_or(0, |open| open.new + STEP));
                    }
                    laid.push_str(&self.values(range.start + at, range.start + content.len()));
                }
            }
            break;
        }
        let column = column.unwrap_or(0);
        self.flush(&before, Some((old, column)));
        self.start_brackets(line, range.start + content.len());
        self.out.line(column, &with_comment(laid, comment));
        Ok(())
    }

    /// Notes how deep in brackets the next line is, if it is in some.
    fn start_brackets(&mut self, line: usize, end: usize) {
        if let Some(start) = self.facts.opening.get(&line) {
            let mut quote = None;
            let (depth, _) = depth_of(self.text.get(*start..end).unwrap_or_default(), &mut quote);
            self.brackets = Some((depth, quote));
        }
    }

    /// The key between two offsets of a line, and what stands behind it.
    fn key(
        &self,
        content: &str,
        start: usize,
        at: usize,
        end: usize,
        laid: &mut String,
    ) -> Result<(), &'static str> {
        let key = content.get(at..end).unwrap_or_default();
        let behind = content.get(end..).unwrap_or_default();
        let value = behind.trim_start_matches(' ').strip_prefix(':').ok_or("a key has no colon")?;
        let value_start = start + content.len() - value.trim_start_matches([' ', '\t']).len();
        laid.push_str(key);
        laid.push(':');
        if !value.trim().is_empty() {
            laid.push(' ');
            laid.push_str(&self.values(value_start, start + content.len()));
        }
        Ok(())
    }

    /// A piece of a line, with the blanks in its brackets in order.
    fn values(&self, start: usize, end: usize) -> String {
        let mut out = String::new();
        let mut at = start;
        for (&from, &to) in self.facts.brackets.range(start..end) {
            if from < at || to > end {
                continue;
            }
            out.push_str(self.text.get(at..from).unwrap_or_default());
            out.push_str(&on_one_line(self.text.get(from..to).unwrap_or_default()));
            at = to;
        }
        out.push_str(self.text.get(at..end).unwrap_or_default());
        out
    }

    fn close_down_to(&mut self, column: usize) {
        while self.open.last().is_some_and(|open| open.old >= column) {
            self.open.pop();
        }
    }

    /// The collection at a column: the one that is open there, or a new one. Says where it will stand.
    fn collection(&mut self, old: usize, is_list: bool, beside: Option<usize>) -> usize {
        while self.open.last().is_some_and(|open| {
            // A list may stand in the column of the key that it belongs to.
            open.old > old || open.old == old && open.is_list && !is_list
        }) {
            self.open.pop();
        }
        if let Some(open) = self.open.last()
            && open.old == old
            && open.is_list == is_list
        {
            return open.new;
        }
        let new = beside.unwrap_or_else(|| self.open.last().map_or(0, |open| open.new + STEP));
        self.open.push(Open { old, new, is_list });
        new
    }

    /// Puts out what waits: comments go with the line that they stand above, or with what is in their column.
    fn flush(&mut self, before: &[Open], line: Option<(usize, usize)>) {
        for waiting in std::mem::take(&mut self.waiting) {
            let (old, comment) = match waiting {
                Waiting::Blank => {
                    self.out.blank();
                    continue;
                }
                Waiting::Comment(old, comment) => (old, comment),
            };
            let with_line = line.filter(|(column, _)| old <= *column).map(|(_, new)| new);
            let in_column = before.iter().find(|open| open.old == old);
            let around = || before.iter().rev().find(|open| open.old < old);
            let above = || in_column.or_else(around).map_or(0, |open| open.new);
            self.out.line(with_line.unwrap_or_else(above), comment);
        }
    }
}
