//! The tables of a document: what headers, dotted keys and inline tables open, and what may still be added to it.
//!
//! Tables stand in one list and refer to each other by number, so that going back to one takes no search of the text.

use std::collections::HashMap;

use crate::source::{FileId, Span};
use crate::syntax::{Entry, Key, Kind, MAX_DEPTH, Node, span};

/// The number of a table.
pub type Id = usize;

/// The root.
pub const ROOT: Id = 0;

/// With more keys than this, those of a table are looked up by hash.
const MAX_SCANNED: usize = 16;

/// What opened a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    /// A header of a table below it.
    OnTheWay,
    /// Its own header.
    Header,
    /// Keys with dots.
    Dots,
}

/// Why something cannot be put where it was to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The key, which stands at the first place, was given another value at the second.
    Taken { key: Span, first: Span },
    /// It would nest too deeply.
    TooDeep(Span),
}

#[derive(Debug)]
struct Table {
    made: Made,
    /// How many collections it is in.
    depth: usize,
    start: usize,
    end: usize,
    entries: Vec<(Key, Value)>,
    /// Where each key stands among the entries, once there are many.
    index: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
}

#[derive(Debug)]
enum Value {
    Whole(Node),
    Table(Id),
    /// The tables of headers in double brackets.
    List(Vec<Id>),
}

/// All tables of a document that are still being added to.
#[derive(Debug)]
pub struct Tables {
    file: FileId,
    all: Vec<Table>,
}

impl Tables {
    /// Those of a document that has nothing yet.
    pub fn new(file: FileId) -> Self {
        let mut tables = Self { file, all: Vec::new() };
        tables.add(Made::Header, 0, 0..0);
        tables
    }

    fn add(&mut self, made: Made, depth: usize, place: std::ops::Range<usize>) -> Id {
        let (start, end) = (place.start, place.end);
        let (entries, index) = (Vec::new(), HashMap::default());
        self.all.push(Table { made, depth, start, end, entries, index });
        self.all.len() - 1
    }

    /// A table that is in no other, so many collections deep: an inline one, or one whose header is no good.
    pub fn apart(&mut self, depth: usize, start: usize) -> Id {
        self.add(Made::Header, depth, start..start)
    }

    /// The keys of a table.
    pub fn keys(&self, table: Id) -> impl Iterator<Item = &str> {
        let entries = self.all.get(table).map_or(&[][..], |table| &table.entries);
        entries.iter().map(|(key, _)| &*key.text)
    }

    /// Opens the table of a header; `is_list` where it stands in double brackets.
    ///
    /// # Errors
    ///
    /// Where the way leads through something else, or the table has a header already: then with that table.
    pub fn open(
        &mut self,
        path: &[Key],
        is_list: bool,
        place: &std::ops::Range<usize>,
    ) -> Result<Id, (Refusal, Option<Id>)> {
        let Some((last, way)) = path.split_last() else { return Ok(ROOT) };
        let mut table = ROOT;
        for key in way {
            table = self
                .enter(table, key, Made::OnTheWay, place.clone())
                .map_err(|refusal| (refusal, None))?;
        }
        let depth = self.depth(table) + 1;
        let inner = if is_list { depth + 1 } else { depth };
        if inner >= MAX_DEPTH {
            return Err((Refusal::TooDeep(last.span), None));
        }
        let Some(at) = self.position(table, &last.text) else {
            let new = self.add(Made::Header, inner, place.clone());
            let value = if is_list { Value::List(vec![new]) } else { Value::Table(new) };
            self.push(table, last.clone(), value);
            return Ok(new);
        };
        let (first, known) = match self.entry(table, at) {
            Some((key, Value::List(_))) if is_list => (key.span, None),
            Some((key, Value::Table(known))) if !is_list => (key.span, Some(*known)),
            Some((key, _)) => {
                return Err((Refusal::Taken { key: last.span, first: key.span }, None));
            }
            None => return Ok(table),
        };
        let Some(known) = known else {
            let new = self.add(Made::Header, inner, place.clone());
            let entries = self.all.get_mut(table).map(|table| &mut table.entries);
            let entry = entries.and_then(|entries| entries.get_mut(at));
            if let Some((_, Value::List(items))) = entry {
                items.push(new);
            }
            return Ok(new);
        };
        let Some(opened) = self.all.get_mut(known) else { return Ok(known) };
        if opened.made != Made::OnTheWay {
            return Err((Refusal::Taken { key: last.span, first }, Some(known)));
        }
        (opened.made, opened.start) = (Made::Header, place.start);
        opened.end = opened.end.max(place.end);
        Ok(known)
    }

    /// Puts a value at the end of a path of keys.
    ///
    /// # Errors
    ///
    /// Where a key on the way is something else, or the last is there already.
    pub fn put(&mut self, table: Id, path: &[Key], value: Node) -> Result<(), Refusal> {
        let Some((last, way)) = path.split_last() else { return Ok(()) };
        let end = value.span.end as usize;
        let mut table = table;
        for key in way {
            table = self.enter(table, key, Made::Dots, key.span.start as usize..end)?;
        }
        if let Some((first, _)) =
            self.position(table, &last.text).and_then(|at| self.entry(table, at))
        {
            return Err(Refusal::Taken { key: last.span, first: first.span });
        }
        self.push(table, last.clone(), Value::Whole(value));
        Ok(())
    }

    /// How deep a value below such a path of keys lies.
    pub fn depth_below(&self, table: Id, path: &[Key]) -> usize {
        self.depth(table) + path.len()
    }

    /// Goes from a table to one of its keys, which is opened where it is not there.
    fn enter(
        &mut self,
        table: Id,
        key: &Key,
        made: Made,
        place: std::ops::Range<usize>,
    ) -> Result<Id, Refusal> {
        let depth = self.depth(table) + 1;
        if depth >= MAX_DEPTH {
            return Err(Refusal::TooDeep(key.span));
        }
        let Some(at) = self.position(table, &key.text) else {
            let new = self.add(made, depth, place);
            self.push(table, key.clone(), Value::Table(new));
            return Ok(new);
        };
        let Some((first, value)) = self.entry(table, at) else { return Ok(table) };
        let taken = Refusal::Taken { key: key.span, first: first.span };
        match value {
            // What has a header of its own is added to below that alone.
            Value::Table(known) => match self.all.get(*known) {
                Some(inner) if made == Made::Dots && inner.made == Made::Header => Err(taken),
                _ => Ok(*known),
            },
            Value::List(items) if made == Made::OnTheWay => items.last().copied().ok_or(taken),
            _ => Err(taken),
        }
    }

    fn depth(&self, table: Id) -> usize {
        self.all.get(table).map_or(MAX_DEPTH, |table| table.depth)
    }

    fn entry(&self, table: Id, at: usize) -> Option<&(Key, Value)> {
        self.all.get(table)?.entries.get(at)
    }

    fn position(&self, table: Id, key: &str) -> Option<usize> {
        let table = self.all.get(table)?;
        match table.index.is_empty() {
            true => table.entries.iter().position(|(known, _)| *known.text == *key),
            false => table.index.get(key).copied(),
        }
    }

    fn push(&mut self, table: Id, key: Key, value: Value) {
        let Some(table) = self.all.get_mut(table) else { return };
        if let Value::Whole(node) = &value {
            table.end = table.end.max(node.span.end as usize);
        }
        if !table.index.is_empty() {
            table.index.insert(key.text.clone(), table.entries.len());
        }
        table.entries.push((key, value));
        if table.index.is_empty() && table.entries.len() > MAX_SCANNED {
            let keys = table.entries.iter().map(|(key, _)| key.text.clone());
            table.index = keys.zip(0..).collect();
        }
    }

    /// Whether the last of a path of keys is a list of tables.
    pub fn leads_to_list(&self, path: &[Key]) -> bool {
        let mut table = ROOT;
        for (at, key) in path.iter().enumerate() {
            let entry = self.position(table, &key.text).and_then(|found| self.entry(table, found));
            table = match entry {
                Some((_, Value::List(items))) if at + 1 == path.len() => return !items.is_empty(),
                Some((_, Value::List(items))) => items.last().copied().unwrap_or(ROOT),
                Some((_, Value::Table(inner))) => *inner,
                _ => return false,
            };
        }
        false
    }

    /// The tree of a table that nothing is added to any more. Those that were opened behind it are gone.
    pub fn close(&mut self, table: Id, place: std::ops::Range<usize>) -> Node {
        let mut opened: Vec<Option<Table>> = self.all.drain(table..).map(Some).collect();
        let mut node = tree(self.file, &mut opened, table, table);
        node.span = span(self.file, place.start, place.end);
        node
    }

    /// The whole tree.
    pub fn into_root(mut self) -> Node {
        self.close(ROOT, 0..0)
    }
}

/// The tree of a table among those that begin with the number `first`. It nests no deeper than tables may.
fn tree(file: FileId, tables: &mut Vec<Option<Table>>, first: Id, table: Id) -> Node {
    let taken = table.checked_sub(first).and_then(|at| tables.get_mut(at)?.take());
    let Some(taken) = taken else {
        return Node { span: span(file, 0, 0), kind: Kind::Broken };
    };
    let mut end = taken.end;
    let mut entries = Vec::with_capacity(taken.entries.len());
    for (key, value) in taken.entries {
        let value = match value {
            Value::Whole(node) => node,
            Value::Table(inner) => tree(file, tables, first, inner),
            Value::List(items) => {
                let items: Vec<Node> =
                    items.into_iter().map(|item| tree(file, tables, first, item)).collect();
                let start = items.first().map_or(0, |item| item.span.start as usize);
                let end = items.iter().map(|item| item.span.end as usize).max().unwrap_or(start);
                Node { span: span(file, start, end), kind: Kind::Seq(items) }
            }
        };
        end = end.max(value.span.end as usize);
        entries.push(Entry { key, value });
    }
    Node { span: span(file, taken.start, end), kind: Kind::Map(entries) }
}
