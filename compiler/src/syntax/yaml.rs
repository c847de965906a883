//! YAML to the spanned tree: the one module that knows the YAML parser.
//!
//! Builds on the parser's events with a stack of its own, so no input can exhaust the machine's.
//! Tags are refused, aliases are copied within a budget. Most files hold nothing that needs the
//! parser, and are read without it ([`simple`]). A document that does not parse is read piece by
//! piece ([`recover`]), and its errors are put into words in [`explain`].

mod explain;
mod recover;
mod simple;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle};

use super::{Comment, Entry, Key, Kind, MAX_DEPTH, Node, Parsed, duplicates, span};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{SYNTAX, TOO_LARGE, UNKNOWN_ALIAS, YAML_TAG};
use crate::source::{FileId, Span};

/// Copies made for aliases may not outnumber the nodes that were written by more than this factor…
const EXPANSION_FACTOR: usize = 10;
/// … and this constant, which lets small files do as they please.
const EXPANSION_FREE: usize = 10_000;

/// Reads one YAML document.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut reader = Reader::new(file, text);
    if let Some(root) = simple::read(&mut reader) {
        return reader.finished(root);
    }
    parse_any(file, text)
}

/// Reads one YAML document, whatever it holds.
fn parse_any(file: FileId, text: &str) -> Parsed {
    let mut reader = Reader::new(file, text);
    let root = match reader.read(text, 0) {
        Ok(Some(root)) => root,
        Ok(None) => Node { span: span(file, 0, 0), kind: Kind::Null },
        Err(failure) => recover::recover(&mut reader, failure),
    };
    reader.finished(root)
}

/// Why a piece of text did not parse.
#[derive(Clone)]
struct Failure {
    kind: ErrorKind,
    /// Byte offset in the file.
    at: usize,
}

/// What all pieces of a file have in common.
struct Reader<'t> {
    file: FileId,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
    comments: Vec<Comment>,
    /// Nodes written.
    written: usize,
    /// Nodes copied for anchors and aliases.
    copied: usize,
    /// Whether the budget for copies has been reported.
    exhausted: bool,
    /// Whether the file is read piece by piece.
    recovering: bool,
    /// In a file read piece by piece: the anchors of the pieces so far.
    anchors: HashMap<String, Anchored>,
    /// In a file read piece by piece: whatever looks like an anchor's name anywhere in it.
    mentioned: HashSet<&'t str>,
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

impl<'t> Reader<'t> {
    fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            text,
            diagnostics: Vec::new(),
            comments: Vec::new(),
            written: 0,
            copied: 0,
            exhausted: false,
            recovering: false,
            anchors: HashMap::new(),
            mentioned: HashSet::new(),
        }
    }

    fn finished(self, root: Node) -> Parsed {
        Parsed { root, diagnostics: self.diagnostics, comments: self.comments }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        span(self.file, start, end)
    }

    /// Reads a piece of the file that starts at `base`. On failure, leaves no traces.
    fn read(&mut self, piece: &str, base: usize) -> Result<Option<Node>, Failure> {
        let (diagnostics, comments) = (self.diagnostics.len(), self.comments.len());
        let result = Builder::new(self, base).run(piece);
        if result.is_err() {
            self.diagnostics.truncate(diagnostics);
            self.comments.truncate(comments);
        }
        result
    }

    fn second_document(&mut self, start: usize, end: usize) {
        let place = self.span(start, end);
        let message = "a second document starts here; a rule file holds only one";
        let problem = Diagnostic::new(&SYNTAX, place, message)
            .help("move it to a file of its own, or delete the `---`");
        self.diagnostics.push(problem);
    }

    /// Whether so many more nodes may be copied. Complains once.
    fn may_copy(&mut self, nodes: usize, place: Span) -> bool {
        let copied = self.copied.saturating_add(nodes);
        if copied <= EXPANSION_FREE + self.written.saturating_mul(EXPANSION_FACTOR) {
            self.copied = copied;
            return true;
        }
        if !self.exhausted {
            self.exhausted = true;
            let message = "aliases make this file grow too much: each is a copy of its anchor";
            let problem = Diagnostic::new(&TOO_LARGE, place, message);
            self.diagnostics.push(problem.help("use fewer aliases, or anchors on smaller parts"));
        }
        false
    }
}

/// Builds the tree of one piece from the parser's events.
struct Builder<'r, 't> {
    reader: &'r mut Reader<'t>,
    /// Where the piece starts in the file.
    base: usize,
    open: Vec<Open>,
    /// The children of all open lists, and of all open mappings, the innermost last: collected
    /// here so that each finished collection takes exactly the room it needs.
    items: Vec<Node>,
    entries: Vec<Entry>,
    root: Option<Node>,
    /// The finished anchors of this piece by their number; `None` while one is still open.
    anchors: HashMap<usize, Option<Anchored>>,
    /// The names of anchors, where later pieces may ask for them.
    names: Vec<(usize, String)>,
    /// End of the last token, to look for a block scalar's indicator from there.
    last_end: usize,
}

/// A collection that is not finished.
struct Open {
    start: usize,
    /// End of the last child as written.
    end: usize,
    anchor: usize,
    weight: Weight,
    children: Children,
}

/// Where a collection's children start among those of all open ones.
enum Children {
    Seq(usize),
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

impl<'r, 't> Builder<'r, 't> {
    fn new(reader: &'r mut Reader<'t>, base: usize) -> Self {
        Self {
            reader,
            base,
            open: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            names: Vec::new(),
            last_end: base,
        }
    }

    fn run(mut self, piece: &str) -> Result<Option<Node>, Failure> {
        let options = granit_parser::options! {
            emit_anchor_events: self.reader.recovering,
            emit_unresolved_aliases: true,
            max_buffered_comment_events: usize::MAX,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        let mut documents = 0;
        for step in Parser::new_from_str_with_options(piece, options) {
            let (event, place) = step.map_err(|error| {
                let at = error.marker().byte_offset().unwrap_or(0).min(piece.len());
                Failure { kind: error.kind().clone(), at: self.base + at }
            })?;
            let range = place.byte_range().unwrap_or(0..0);
            let (start, end) = (self.base + range.start, self.base + range.end);
            if let Event::DocumentStart(..) = event {
                documents += 1;
                if documents > 1 {
                    self.reader.second_document(start, end);
                    break;
                }
            }
            if let Some(tag) = place.tag_span().and_then(|tag| tag.byte_range()) {
                self.tag(self.base + tag.start, self.base + tag.end);
            }
            self.event(event, start, end)?;
        }
        self.share_anchors();
        Ok(self.root)
    }

    fn event(&mut self, event: Event<'_>, start: usize, end: usize) -> Result<(), Failure> {
        match event {
            Event::Scalar(value, style, anchor, _) => self.scalar(value, style, anchor, start, end),
            Event::SequenceStart(_, anchor, _) => {
                self.begin(start, end, anchor, Children::Seq(self.items.len()))?;
            }
            Event::MappingStart(_, anchor, _) => {
                self.begin(start, end, anchor, Children::Map(self.entries.len(), Slot::Key))?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.finish(start, end),
            Event::Alias(target) => self.alias(target, start, end),
            Event::UnresolvedAlias(name) => self.unresolved(&name, start, end),
            Event::Anchor(id, name) => self.names.push((id, name.into_owned())),
            Event::Comment(text, _) => {
                let span = self.reader.span(start, end);
                self.reader.comments.push(Comment { span, text: text.into() });
            }
            _ => {}
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        value: Cow<'_, str>,
        style: ScalarStyle,
        anchor: usize,
        start: usize,
        end: usize,
    ) {
        self.reader.written += 1;
        let (start, end) = self.scalar_range(style, start, end);
        let span = self.reader.span(start, end);
        self.last_end = end;
        if anchor == 0
            && let Some(Children::Map(_, slot @ Slot::Key)) =
                self.open.last_mut().map(|open| &mut open.children)
        {
            // The parser says `~` for a key that is not there.
            let text = if start == end { Box::default() } else { value.into() };
            *slot = Slot::Value(Key { text, span });
            if let Some(open) = self.open.last_mut() {
                open.end = end;
                open.weight.nodes += 1;
            }
            return;
        }
        let kind = match style {
            ScalarStyle::Plain => plain(value),
            _ => Kind::String(value.into()),
        };
        self.complete(Placed { node: Node { span, kind }, weight: SCALAR, end }, anchor);
    }

    /// The range of a scalar: block scalars from their indicator to their last character, and
    /// values that are not there right behind the colon.
    fn scalar_range(&self, style: ScalarStyle, start: usize, end: usize) -> (usize, usize) {
        match style {
            ScalarStyle::Literal | ScalarStyle::Folded => self.block_range(start, end),
            ScalarStyle::Plain if start == end => {
                let behind_colon = self.behind_colon(start).unwrap_or(start);
                (behind_colon, behind_colon)
            }
            _ => (start, end),
        }
    }

    fn behind_colon(&self, start: usize) -> Option<usize> {
        let Children::Map(_, Slot::Value(_)) = &self.open.last()?.children else { return None };
        let rest = self.reader.text.get(start..)?;
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        rest.get(blanks..)?.starts_with(':').then_some(start + blanks + 1)
    }

    fn block_range(&self, start: usize, end: usize) -> (usize, usize) {
        let text = self.reader.text;
        let Some(indicator) = self.indicator(start) else { return (start, end) };
        let trimmed = text.get(indicator..end).unwrap_or_default().trim_end().len();
        (indicator, indicator + trimmed.max(1))
    }

    /// Finds the `|` or `>` of a block scalar whose content starts at `content`: on the last line
    /// above that is not blank, behind the token before it.
    fn indicator(&self, content: usize) -> Option<usize> {
        let before = self.reader.text.get(self.last_end..content)?;
        let mut lines_end = before.trim_end().len();
        // Comments may stand on the indicator's line, and only there.
        loop {
            let line_start = before.get(..lines_end)?.rfind('\n').map_or(0, |at| at + 1);
            let line = before.get(line_start..lines_end)?;
            let mut offset = 0;
            for token in line.split([' ', '\t']) {
                if token.starts_with(['|', '>']) {
                    return Some(self.last_end + line_start + offset);
                }
                if token.starts_with('#') {
                    break;
                }
                offset += token.len() + 1;
            }
            lines_end = before.get(..line_start)?.trim_end().len();
            if lines_end == 0 {
                return None;
            }
        }
    }

    fn begin(
        &mut self,
        start: usize,
        end: usize,
        anchor: usize,
        children: Children,
    ) -> Result<(), Failure> {
        self.reader.written += 1;
        if self.open.len() >= MAX_DEPTH {
            return Err(Failure { kind: ErrorKind::RecursionLimitExceeded, at: start });
        }
        if anchor != 0 {
            self.anchors.insert(anchor, None);
        }
        self.last_end = self.last_end.max(end);
        self.open.push(Open {
            start,
            end,
            anchor,
            weight: Weight { nodes: 1, depth: 1 },
            children,
        });
        Ok(())
    }

    fn finish(&mut self, start: usize, end: usize) {
        let Some(open) = self.open.pop() else { return };
        // Block collections end where the next token starts; their last child tells more.
        let end = if end > start { end } else { open.end };
        self.last_end = end;
        let kind = match open.children {
            Children::Seq(from) => Kind::Seq(self.items.drain(from..).collect()),
            Children::Map(from, _) => {
                let mut entries = self.entries.drain(from..).collect();
                duplicates::remove(&mut entries, &mut self.reader.diagnostics);
                Kind::Map(entries)
            }
        };
        let span = self.reader.span(open.start, end.max(open.start));
        let placed = Placed { node: Node { span, kind }, weight: open.weight, end };
        self.complete(placed, open.anchor);
    }

    /// Notes a node that was written here if it has an anchor, and puts it into the tree.
    fn complete(&mut self, placed: Placed, anchor: usize) {
        if anchor != 0 {
            let Placed { node, weight, .. } = &placed;
            let node = match self.reader.may_copy(weight.nodes, node.span) {
                true => node.clone(),
                false => Node { span: node.span, kind: Kind::Broken },
            };
            self.anchors.insert(anchor, Some(Anchored { node, weight: *weight }));
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
            Children::Seq(_) => self.items.push(node),
            Children::Map(_, slot) => match std::mem::replace(slot, Slot::Key) {
                Slot::Value(key) => self.entries.push(Entry { key, value: node }),
                Slot::Nothing => {}
                Slot::Key => *slot = key(self.reader, node),
            },
        }
    }

    fn alias(&mut self, target: usize, start: usize, end: usize) {
        self.reader.written += 1;
        let place = self.reader.span(start, end);
        let placed = match self.anchors.get(&target) {
            Some(Some(anchored)) => {
                let anchored = Anchored { node: empty(place), weight: anchored.weight };
                match self.may_expand(&anchored, place) {
                    true => self.anchors.get(&target).cloned().flatten(),
                    false => None,
                }
            }
            _ => {
                let message = "this alias stands inside what it stands for";
                let problem = Diagnostic::new(&UNKNOWN_ALIAS, place, message)
                    .help("write the value out instead of the alias");
                self.reader.diagnostics.push(problem);
                None
            }
        };
        self.place_alias(placed, place);
    }

    fn may_expand(&mut self, anchored: &Anchored, place: Span) -> bool {
        if self.open.len() + anchored.weight.depth > MAX_DEPTH {
            let message = format!("this alias nests collections more than {MAX_DEPTH} levels deep");
            self.reader.diagnostics.push(Diagnostic::new(&TOO_LARGE, place, message));
            return false;
        }
        self.reader.may_copy(anchored.weight.nodes, place)
    }

    fn place_alias(&mut self, anchored: Option<Anchored>, place: Span) {
        let Anchored { node, weight } =
            anchored.unwrap_or_else(|| Anchored { node: empty(place), weight: SCALAR });
        self.last_end = place.end as usize;
        self.place(Placed { node, weight, end: place.end as usize });
    }

    fn unresolved(&mut self, name: &str, start: usize, end: usize) {
        self.reader.written += 1;
        let place = self.reader.span(start, end);
        if let Some(anchored) = self.reader.anchors.get(name) {
            let weight = Anchored { node: empty(place), weight: anchored.weight };
            let anchored = match self.may_expand(&weight, place) {
                true => self.reader.anchors.get(name).cloned(),
                false => None,
            };
            return self.place_alias(anchored, place);
        }
        // In a broken file the anchor may stand in a part that did not parse.
        if !self.reader.mentioned.contains(name) {
            let message = format!("there is no anchor `&{name}` above this alias");
            let help = format!("if `*{name}` is meant as text, put it in quotes: `\"*{name}\"`");
            self.reader
                .diagnostics
                .push(Diagnostic::new(&UNKNOWN_ALIAS, place, message).help(help));
        }
        self.place_alias(None, place);
    }

    /// Hands the piece's anchors to the pieces that follow.
    fn share_anchors(&mut self) {
        for (id, name) in std::mem::take(&mut self.names) {
            if let Some(anchored) = self.anchors.remove(&id).flatten() {
                self.reader.anchors.insert(name, anchored);
            }
        }
    }

    fn tag(&mut self, start: usize, end: usize) {
        let place = self.reader.span(start, end);
        let tag = self.reader.text.get(start..end).unwrap_or_default();
        let message =
            format!("the tag `{tag}` is not supported: rule files hold plain values only");
        let problem = Diagnostic::new(&YAML_TAG, place, message)
            .help("delete the tag; to make a value a string, put it in quotes");
        self.reader.diagnostics.push(problem);
    }
}

/// Makes a key of a node that had an anchor, came from an alias, or is no scalar.
fn key(reader: &mut Reader<'_>, node: Node) -> Slot {
    let place = node.span.start as usize..node.span.end as usize;
    let source = reader.text.get(place).unwrap_or_default();
    let text = match node.kind {
        Kind::String(text) => text,
        Kind::Broken => return Slot::Nothing,
        Kind::Seq(_) | Kind::Map(_) => {
            reader.diagnostics.push(complex_key(&node, source));
            return Slot::Nothing;
        }
        _ => source.into(),
    };
    Slot::Value(Key { text, span: node.span })
}

/// What stands for an alias that could not be followed.
fn empty(span: Span) -> Node {
    Node { span, kind: Kind::Broken }
}

fn complex_key(node: &Node, source: &str) -> Diagnostic {
    let message = format!("{} cannot be a key", node.describe());
    let help = match source.starts_with('{') || source.starts_with('[') {
        true => "if this is meant as text, such as a `{{placeholder}}`, put it in quotes",
        false => "write a name before the colon",
    };
    Diagnostic::new(&SYNTAX, node.span, message).help(help)
}

/// The value of a plain scalar under the core schema.
fn plain(text: Cow<'_, str>) -> Kind {
    resolve(&text).unwrap_or_else(|| Kind::String(text.into()))
}

fn resolve(text: &str) -> Option<Kind> {
    let &first = text.as_bytes().first()?;
    match first {
        b'~' if text.len() == 1 => Some(Kind::Null),
        b'n' | b'N' => matches!(text, "null" | "Null" | "NULL").then_some(Kind::Null),
        b't' | b'T' => matches!(text, "true" | "True" | "TRUE").then_some(Kind::Bool(true)),
        b'f' | b'F' => matches!(text, "false" | "False" | "FALSE").then_some(Kind::Bool(false)),
        b'0'..=b'9' | b'+' | b'-' | b'.' => number(text),
        _ => None,
    }
}

fn number(text: &str) -> Option<Kind> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        let negative = text.starts_with('-');
        return Some(Kind::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Kind::Float(f64::NAN));
    }
    if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        // Numbers beyond 64 bits become the nearest float rather than an error.
        return text.parse().map(Kind::Int).or_else(|_| text.parse().map(Kind::Float)).ok();
    }
    // What is left of Rust's float syntax once words are out is that of the core schema.
    let float =
        unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let digit_first =
        unsigned.bytes().find(|byte| *byte != b'.').is_some_and(|b| b.is_ascii_digit());
    (float && digit_first).then(|| text.parse().ok().map(Kind::Float)).flatten()
}

fn radix(digits: &str, radix: u32) -> Option<Kind> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let whole = i64::from_str_radix(digits, radix).ok().map(Kind::Int);
    whole.or_else(|| {
        let value = digits.chars().filter_map(|digit| digit.to_digit(radix));
        Some(Kind::Float(value.fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit))))
    })
}

#[cfg(test)]
mod tests;
