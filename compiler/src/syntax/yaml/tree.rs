//! Builds the tree of a YAML document from what a reader comes across, in the order of the text.
//!
//! Works with a stack of its own, so no input can exhaust the machine's. Aliases are copied within a
//! budget; duplicate keys are reported and left out.

use std::borrow::Cow;
use std::collections::HashMap;

use super::core_schema;
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{SYNTAX, TOO_LARGE, UNKNOWN_ALIAS};
use crate::source::{FileId, Span};
use crate::syntax::cursor::Step;
use crate::syntax::scalar::Style;
use crate::syntax::{Comment, Entry, Key, Kind, MAX_DEPTH, Node, Text, duplicates, span};

/// Copies made for aliases may not outnumber the nodes that were written by more than this factor…
const EXPANSION_FACTOR: usize = 10;
/// … and this constant, which lets small files do as they please.
const EXPANSION_FREE: usize = 10_000;

/// Names an anchor of a document, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchorId(usize);

/// A collection that would nest too deeply.
#[derive(Clone, Copy, Debug)]
pub struct TooDeep;

/// The tree so far.
pub struct TreeBuilder<'t> {
    file: FileId,
    text: &'t str,
    pub root: Option<Node>,
    pub diagnostics: Vec<Diagnostic>,
    pub comments: Vec<Comment>,
    /// Aliases without an anchor above, by name: what is said of them unless the anchor stands in a
    /// part that did not parse.
    pub unknown_aliases: Vec<(&'t str, Diagnostic)>,
    open: Vec<Open>,
    /// The children of all open lists, and of all open mappings, the innermost last: collected
    /// here so that each finished collection takes exactly the room it needs.
    items: Vec<Node>,
    entries: Vec<Entry>,
    /// What each anchor stands for, once it is finished.
    anchors: Vec<Option<Anchored>>,
    names: HashMap<&'t str, AnchorId>,
    /// Nodes written.
    written: usize,
    /// Nodes copied for anchors and aliases.
    copied: usize,
    /// Whether the budget for copies has been reported.
    is_exhausted: bool,
}

/// A node that aliases may stand for.
#[derive(Clone)]
struct Anchored {
    node: Node,
    weight: Weight,
}

/// How much a node adds to the tree.
#[derive(Clone, Copy)]
struct Weight {
    nodes: usize,
    depth: usize,
}

const SCALAR: Weight = Weight { nodes: 1, depth: 0 };

/// A collection that is not finished.
struct Open {
    start: usize,
    /// End of the last child as written.
    end: usize,
    anchor: Option<AnchorId>,
    weight: Weight,
    children: Children,
}

/// Where a collection's children start among those of all open ones.
enum Children {
    List(usize),
    Map(usize, Slot),
}

/// What a mapping waits for.
enum Slot {
    Key,
    Value(Key),
    /// The value of a key that was refused.
    Nothing,
}

/// A finished node on its way into the tree.
struct Placed {
    node: Node,
    weight: Weight,
    /// Where the node's text ends, which for an alias is not where its span does.
    end: usize,
}

impl<'t> TreeBuilder<'t> {
    pub fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            text,
            root: None,
            diagnostics: Vec::new(),
            comments: Vec::new(),
            unknown_aliases: Vec::new(),
            open: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: Vec::new(),
            names: HashMap::new(),
            written: 0,
            copied: 0,
            is_exhausted: false,
        }
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        span(self.file, start, end)
    }

    /// The way to the value, or to the mapping whose key comes next.
    pub fn path(&self) -> Vec<Step> {
        let step = |open: &Open| match &open.children {
            Children::List(_) => Some(Step::Item),
            Children::Map(_, Slot::Value(key)) => Some(Step::Key(key.text.to_string())),
            Children::Map(..) => None,
        };
        self.open.iter().filter_map(step).collect()
    }

    /// Where the innermost mapping starts and the keys that it has; nothing where no key comes next.
    pub fn keys(&self) -> Option<(usize, Vec<String>)> {
        let open = self.open.last()?;
        let Children::Map(from, Slot::Key) = open.children else { return None };
        let entries = self.entries.get(from..).unwrap_or_default();
        Some((open.start, entries.iter().map(|entry| entry.key.text.to_string()).collect()))
    }

    /// Notes a comment; the range includes its `#`.
    pub fn comment(&mut self, start: usize, end: usize) {
        let text = self.text.get(start + 1..end).unwrap_or_default().into();
        self.comments.push(Comment { span: self.span(start, end), text });
    }

    /// A new anchor, which is from now on what its name means.
    pub fn define(&mut self, name: &'t str) -> AnchorId {
        let id = AnchorId(self.anchors.len());
        self.anchors.push(None);
        self.names.insert(name, id);
        id
    }

    /// A scalar, or nothing where its text is empty and plain.
    pub fn scalar(
        &mut self,
        value: Cow<'_, str>,
        style: Style,
        anchor: Option<AnchorId>,
        start: usize,
        end: usize,
    ) {
        self.written += 1;
        let span = self.span(start, end);
        if anchor.is_none()
            && let Some(Open { end: open_end, weight, children, .. }) = self.open.last_mut()
            && let Children::Map(_, slot @ Slot::Key) = children
        {
            *slot = Slot::Value(Key { text: value.into(), span });
            *open_end = end;
            weight.nodes += 1;
            return;
        }
        let kind = match style {
            Style::Plain if value.is_empty() => Some(Kind::Null),
            Style::Plain => core_schema::resolve(&value),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| Kind::String(Text::written(value.into(), style)));
        self.complete(Placed { node: Node { span, kind }, weight: SCALAR, end }, anchor);
    }

    /// Something that was expected and is not there.
    pub fn empty(&mut self, anchor: Option<AnchorId>, at: usize) {
        self.scalar(Cow::Borrowed(""), Style::Plain, anchor, at, at);
    }

    /// Something that did not parse.
    pub fn broken(&mut self, start: usize, end: usize) {
        let node = Node { span: self.span(start, end), kind: Kind::Broken };
        self.place(Placed { node, weight: SCALAR, end });
    }

    /// Opens a list.
    ///
    /// # Errors
    ///
    /// Where it would nest too deeply.
    pub fn begin_list(&mut self, start: usize, anchor: Option<AnchorId>) -> Result<(), TooDeep> {
        self.begin(start, anchor, Children::List(self.items.len()))
    }

    /// Opens a mapping.
    ///
    /// # Errors
    ///
    /// Where it would nest too deeply.
    pub fn begin_map(&mut self, start: usize, anchor: Option<AnchorId>) -> Result<(), TooDeep> {
        self.begin(start, anchor, Children::Map(self.entries.len(), Slot::Key))
    }

    /// Opens a mapping whose first key is the node that was put into the tree last.
    ///
    /// # Errors
    ///
    /// Where it would nest too deeply.
    pub fn begin_map_of_last(
        &mut self,
        start: usize,
        anchor: Option<AnchorId>,
    ) -> Result<(), TooDeep> {
        let last = self.take_last();
        self.begin_map(start, anchor)?;
        if let Some(node) = last {
            let end = node.span.end as usize;
            self.place(Placed { node, weight: SCALAR, end });
        }
        Ok(())
    }

    /// Takes the value that was put into the tree last out of it again.
    pub fn take_last(&mut self) -> Option<Node> {
        match self.open.last_mut().map(|open| &mut open.children) {
            None => self.root.take(),
            Some(Children::List(from)) if *from < self.items.len() => self.items.pop(),
            Some(Children::Map(from, slot)) if *from < self.entries.len() => {
                self.entries.pop().map(|entry| {
                    *slot = Slot::Value(entry.key);
                    entry.value
                })
            }
            Some(_) => None,
        }
    }

    fn begin(
        &mut self,
        start: usize,
        anchor: Option<AnchorId>,
        children: Children,
    ) -> Result<(), TooDeep> {
        self.written += 1;
        if self.open.len() >= MAX_DEPTH {
            return Err(TooDeep);
        }
        let weight = Weight { nodes: 1, depth: 1 };
        self.open.push(Open { start, end: start, anchor, weight, children });
        Ok(())
    }

    /// Closes the innermost collection, at its last child or where its bracket ends.
    pub fn finish(&mut self, bracket_end: Option<usize>) {
        let Some(open) = self.open.pop() else { return };
        let end = bracket_end.unwrap_or(open.end);
        let kind = match open.children {
            Children::List(from) => Kind::Seq(self.items.drain(from..).collect()),
            Children::Map(from, _) => {
                let mut entries = self.entries.drain(from..).collect();
                duplicates::remove(&mut entries, &mut self.diagnostics);
                Kind::Map(entries)
            }
        };
        let span = self.span(open.start, end.max(open.start));
        self.complete(Placed { node: Node { span, kind }, weight: open.weight, end }, open.anchor);
    }

    /// Throws away the innermost collections, down to so many open ones.
    pub fn unwind(&mut self, depth: usize) {
        while self.open.len() > depth {
            match self.open.pop().map(|open| open.children) {
                Some(Children::List(from)) => self.items.truncate(from),
                Some(Children::Map(from, _)) => self.entries.truncate(from),
                None => {}
            }
        }
    }

    /// Notes a node that was written here if it has an anchor, and puts it into the tree.
    fn complete(&mut self, placed: Placed, anchor: Option<AnchorId>) {
        if let Some(AnchorId(id)) = anchor {
            let Placed { node, weight, .. } = &placed;
            let (span, weight) = (node.span, *weight);
            let node = match self.may_copy(weight.nodes, span) {
                true => node.clone(),
                false => Node { span, kind: Kind::Broken },
            };
            if let Some(anchored) = self.anchors.get_mut(id) {
                *anchored = Some(Anchored { node, weight });
            }
        }
        self.place(placed);
    }

    /// Puts a finished node where the innermost open collection wants it.
    fn place(&mut self, placed: Placed) {
        let Placed { node, weight, end } = placed;
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        open.end = open.end.max(end);
        open.weight.nodes = open.weight.nodes.saturating_add(weight.nodes);
        open.weight.depth = open.weight.depth.max(weight.depth + 1);
        match &mut open.children {
            Children::List(_) => self.items.push(node),
            Children::Map(_, slot) => match std::mem::replace(slot, Slot::Key) {
                Slot::Value(key) => self.entries.push(Entry { key, value: node }),
                Slot::Nothing => {}
                Slot::Key => *slot = key(self.text, &mut self.diagnostics, node),
            },
        }
    }

    /// An alias; the range includes its `*`.
    pub fn alias(&mut self, name: &'t str, start: usize, end: usize) {
        self.written += 1;
        let place = self.span(start, end);
        let anchored = match self.names.get(name).map(|AnchorId(id)| self.anchors.get(*id)) {
            Some(Some(Some(Anchored { weight, .. }))) => Some(*weight),
            Some(_) => {
                let message = "this alias stands inside what it stands for";
                let problem = Diagnostic::new(&UNKNOWN_ALIAS, place, message)
                    .help("write the value out instead of the alias");
                self.diagnostics.push(problem);
                None
            }
            None => {
                let message = format!("there is no anchor `&{name}` above this alias");
                let help =
                    format!("if `*{name}` is meant as text, put it in quotes: `\"*{name}\"`");
                let problem = Diagnostic::new(&UNKNOWN_ALIAS, place, message).help(help);
                self.unknown_aliases.push((name, problem));
                None
            }
        };
        let copy = anchored.filter(|weight| self.may_expand(*weight, place));
        let copy = copy.and_then(|_| {
            let AnchorId(id) = self.names.get(name)?;
            self.anchors.get(*id)?.clone()
        });
        let nothing =
            || Anchored { node: Node { span: place, kind: Kind::Broken }, weight: SCALAR };
        let Anchored { node, weight } = copy.unwrap_or_else(nothing);
        self.place(Placed { node, weight, end });
    }

    fn may_expand(&mut self, weight: Weight, place: Span) -> bool {
        if self.open.len() + weight.depth > MAX_DEPTH {
            let message = format!("this alias nests collections more than {MAX_DEPTH} levels deep");
            self.diagnostics.push(Diagnostic::new(&TOO_LARGE, place, message));
            return false;
        }
        self.may_copy(weight.nodes, place)
    }

    /// Whether so many more nodes may be copied. Complains once.
    fn may_copy(&mut self, nodes: usize, place: Span) -> bool {
        let copied = self.copied.saturating_add(nodes);
        if copied <= EXPANSION_FREE + self.written.saturating_mul(EXPANSION_FACTOR) {
            self.copied = copied;
            return true;
        }
        if !self.is_exhausted {
            self.is_exhausted = true;
            let message = "aliases make this file grow too much: each is a copy of its anchor";
            let problem = Diagnostic::new(&TOO_LARGE, place, message);
            self.diagnostics.push(problem.help("use fewer aliases, or anchors on smaller parts"));
        }
        false
    }
}

/// Makes a key of a node that had an anchor, came from an alias, or is no scalar.
fn key(text: &str, diagnostics: &mut Vec<Diagnostic>, node: Node) -> Slot {
    let place = node.span.start as usize..node.span.end as usize;
    let source = text.get(place).unwrap_or_default();
    let text = match node.kind {
        Kind::String(text) => text.into_value(),
        Kind::Broken => return Slot::Nothing,
        Kind::Seq(_) | Kind::Map(_) => {
            diagnostics.push(complex_key(&node, source));
            return Slot::Nothing;
        }
        _ => source.into(),
    };
    Slot::Value(Key { text, span: node.span })
}

fn complex_key(node: &Node, source: &str) -> Diagnostic {
    let message = format!("{} cannot be a key", node.describe());
    let help = match source.starts_with('{') || source.starts_with('[') {
        true => "if this is meant as text, such as a `{{placeholder}}`, put it in quotes",
        false => "write a name before the colon",
    };
    Diagnostic::new(&SYNTAX, node.span, message).help(help)
}
