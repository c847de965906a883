//! Reads the block structure of a YAML document, line by line and without looking back.
//!
//! The open block collections stand on a stack, so the machine's stack is not used for them. Where
//! something does not parse, the entry that it belongs to is given up, and reading goes on at the
//! next line that an open collection knows as its own.

use std::borrow::Cow;

use super::explain::{Fault, explain};
use super::tree::{AnchorId, TooDeep, TreeBuilder};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{SYNTAX, YAML_TAG};
use crate::source::FileId;
use crate::syntax::scalar::{
    Style, behind_break, byte, decode_block, decode_flow, is_blank, is_break, is_document_marker,
    is_flow_indicator,
};

/// The longest key without a `?`, in characters.
pub(super) const MAX_KEY_CHARACTERS: usize = 1024;

/// So many brackets may be left open in a file before lines between brackets must be indented, which
/// keeps the time linear: each may be looked for down to the end of the file.
const MAX_OPEN_BRACKETS: usize = 64;

pub(super) type Result<T> = std::result::Result<T, Fault>;

/// Reads one document.
pub(super) struct Reader<'t> {
    pub file: FileId,
    pub text: &'t str,
    pub tree: TreeBuilder<'t>,
    /// Where reading is.
    pub at: usize,
    /// Where the line starts that reading is on.
    pub line_start: usize,
    blocks: Vec<Block>,
    /// What stands before a value that has not come yet, on the lines above.
    properties: Properties,
    /// Where the root's value is to come; `None` once it has.
    root: Option<usize>,
    /// Whether a `---` was seen.
    has_marker: bool,
    /// Whether the document is over: `...` was seen, or something was that ends all reading.
    is_over: bool,
    /// Up to which column tabs may not stand at the start of a line.
    pub tab_limit: isize,
    /// The first line between brackets that is not indented, and what is wrong if they stay open.
    pub breach: Option<(usize, Fault)>,
    open_brackets: usize,
    /// The innermost bracket that is open.
    pub bracket: usize,
    /// The line to go on with where something was left open above it.
    resume: Option<usize>,
    /// Where characters are that no YAML file may hold, ascending.
    unprintable: Vec<usize>,
    /// Whether anything failed to parse.
    pub has_failed: bool,
    /// Where the key or dash of the entry at hand starts.
    entry_start: usize,
    /// How many diagnostics there were when the value at hand began.
    known: usize,
}

/// A block collection that is not finished.
struct Block {
    column: isize,
    is_list: bool,
    state: State,
}

/// What a block collection waits for; the offsets are those behind the indicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The next item or key.
    Entry,
    /// The key behind a `?`.
    Key(usize),
    /// The `:` of such a key.
    Colon(usize),
    /// The value behind a `:` or a dash.
    Value(usize),
}

/// What may stand before a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Properties {
    pub anchor: Option<AnchorId>,
    pub has_tag: bool,
    /// Where the first stands.
    pub start: usize,
}

impl Properties {
    pub fn any(self) -> bool {
        self.anchor.is_some() || self.has_tag
    }
}

/// A scalar that was read and is not in the tree yet.
pub(super) struct Scalar<'t> {
    pub value: Cow<'t, str>,
    pub style: Style,
    pub start: usize,
    pub end: usize,
    pub is_multiline: bool,
}

impl<'t> Reader<'t> {
    pub fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            text,
            tree: TreeBuilder::new(file, text),
            at: 0,
            line_start: 0,
            blocks: Vec::new(),
            properties: Properties::default(),
            root: Some(0),
            has_marker: false,
            is_over: false,
            tab_limit: -1,
            breach: None,
            open_brackets: 0,
            bracket: 0,
            resume: None,
            unprintable: unprintable(text),
            has_failed: false,
            entry_start: 0,
            known: 0,
        }
    }

    /// Reads the whole text.
    pub fn read(&mut self) {
        if self.text.starts_with('\u{FEFF}') {
            self.at = '\u{FEFF}'.len_utf8();
            self.line_start = self.at;
        }
        if let Err(fault) = self.directives() {
            self.recover(fault);
        }
        while self.next_line() && !self.is_over {
            self.known = self.tree.diagnostics.len();
            if let Err(fault) = self.line() {
                self.recover(fault);
            }
        }
        self.close_down_to(0);
        if let Some(at) = self.root.take()
            && self.properties.any()
        {
            self.tree.empty(self.properties.anchor, at);
        }
    }

    pub fn byte(&self, at: usize) -> u8 {
        byte(self.text, at)
    }

    pub fn get(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Whether an indicator ends at an offset: a blank, a line break or the end of the text is there.
    pub fn is_space(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r' | 0)
    }

    pub fn is_line_end(&self, at: usize) -> bool {
        matches!(self.byte(at), b'\n' | b'\r' | 0)
    }

    pub fn skip_blanks(&mut self) {
        while is_blank(self.byte(self.at)) {
            self.at += 1;
        }
    }

    pub fn skip_break(&mut self) {
        self.at = behind_break(self.text, self.at);
        self.line_start = self.at;
    }

    /// The column of an offset on the line at hand, in characters.
    pub fn column(&self, at: usize) -> isize {
        self.get(self.line_start, at).chars().count() as isize
    }

    /// The column of the innermost block collection; -1 where there is none.
    pub fn block_column(&self) -> isize {
        self.blocks.last().map_or(-1, |block| block.column)
    }

    fn is_awaiting(&self) -> bool {
        match self.blocks.last() {
            Some(block) => matches!(block.state, State::Key(_) | State::Value(_)),
            None => self.root.is_some(),
        }
    }

    /// Goes to the next line that holds anything; whether there is one.
    fn next_line(&mut self) -> bool {
        loop {
            self.skip_blanks();
            match self.byte(self.at) {
                0 => return false,
                b'\n' | b'\r' => self.skip_break(),
                b'#' => self.comment(),
                _ => return true,
            }
        }
    }

    /// Goes behind a comment.
    pub fn comment(&mut self) {
        let start = self.at;
        while !self.is_line_end(self.at) {
            self.at += 1;
        }
        self.tree.comment(start, self.at);
    }

    /// Goes to the end of the line, behind a comment at most.
    fn end_of_line(&mut self) -> Result<()> {
        self.skip_blanks();
        match self.byte(self.at) {
            b'\n' | b'\r' | 0 => Ok(()),
            b'#' if is_blank(self.byte(self.at - 1)) => {
                self.comment();
                Ok(())
            }
            _ => Err(Fault::EndOfLine { at: self.at }),
        }
    }

    /// Reads a line whose first character that is no blank is at hand.
    fn line(&mut self) -> Result<()> {
        let indent = self.get(self.line_start, self.at);
        let column = indent.len() as isize;
        if column == 0 && self.marker()? {
            return Ok(());
        }
        if let Some(tab) = indent.find('\t') {
            let is_pending = self.blocks.last().is_some_and(|b| b.state != State::Entry);
            let limit = self.block_column() + isize::from(is_pending);
            if !self.blocks.is_empty() && (tab as isize) < limit {
                return Err(Fault::Tab { at: self.line_start + tab });
            }
        }
        self.entry_start = self.at;
        self.settle(column)?;
        self.known = self.tree.diagnostics.len();
        self.node(column, true)
    }

    /// Closes what a line at a column is no longer part of.
    fn settle(&mut self, column: isize) -> Result<()> {
        let is_dash = self.byte(self.at) == b'-' && self.is_space(self.at + 1);
        let takes = |block: &Block| {
            block.column < column || block.column == column && (!block.is_list || is_dash)
        };
        let open = self.blocks.iter().rposition(takes).map_or(0, |index| index + 1);
        let is_innermost = open == self.blocks.len();
        let target = open.checked_sub(1).and_then(|index| self.blocks.get(index));
        let fits = match target {
            None => self.blocks.is_empty() && self.root.is_some(),
            Some(block) if block.column < column => is_innermost && self.is_awaiting(),
            Some(block) if block.is_list || !is_dash => true,
            Some(block) => is_innermost && matches!(block.state, State::Key(_) | State::Value(_)),
        };
        if fits {
            self.close_down_to(open);
            return Ok(());
        }
        let in_list = self.blocks.iter().rev().find(|b| b.column == column).map(|b| b.is_list);
        // What is left out stands in the collection that it comes behind.
        self.close_down_to((open + 1).min(self.blocks.len()));
        self.leave_empty();
        let is_deeper = column > self.block_column();
        Err(Fault::Misplaced { at: self.at, is_item: is_dash, in_list, is_deeper })
    }

    fn close_down_to(&mut self, open: usize) {
        while self.blocks.len() > open {
            self.leave_empty();
            self.blocks.pop();
            self.tree.finish(None);
            self.value_is_done();
        }
    }

    /// Says that what the innermost block still waits for is not there.
    fn leave_empty(&mut self) {
        let anchor = std::mem::take(&mut self.properties).anchor;
        let Some(block) = self.blocks.last_mut() else { return };
        match std::mem::replace(&mut block.state, State::Entry) {
            State::Entry => {}
            State::Key(at) => {
                self.tree.empty(anchor, at);
                self.tree.empty(None, at);
            }
            State::Colon(at) | State::Value(at) => self.tree.empty(anchor, at),
        }
    }

    /// Notes that the value that was waited for has come.
    fn value_is_done(&mut self) {
        let end = self.at;
        match self.blocks.last_mut() {
            None => self.root = None,
            Some(block) => {
                block.state = match block.state {
                    State::Key(_) => State::Colon(end),
                    _ => State::Entry,
                };
            }
        }
    }

    /// Reads what stands at a column, with all that follows on the line. `may_open` says whether a
    /// block collection may start here.
    fn node(&mut self, mut column: isize, mut may_open: bool) -> Result<()> {
        let mut own = Properties::default();
        loop {
            let at = self.at;
            if may_open && !own.any() {
                self.entry_start = at;
            }
            let is_indicator = self.is_space(at + 1);
            match self.byte(at) {
                b'-' if is_indicator => {
                    if !may_open || own.any() {
                        return Err(Fault::ItemBehindKey { at });
                    }
                    self.open_block(column, true, at)?;
                    may_open = self.behind_indicator(State::Value(at + 1))?;
                }
                b'?' if is_indicator => {
                    if !may_open || own.any() {
                        return Err(Fault::QuestionMark { at });
                    }
                    self.open_block(column, false, at)?;
                    may_open = self.behind_indicator(State::Key(at + 1))?;
                }
                b':' if is_indicator => {
                    self.colon(column, may_open, own)?;
                    may_open = self.behind_indicator(State::Value(at + 1))? && !own.any();
                }
                b'&' | b'!' => {
                    self.property(&mut own, false)?;
                    self.skip_blanks();
                    if self.is_line_end(self.at) || self.byte(self.at) == b'#' {
                        return self.properties_alone(column, may_open, own);
                    }
                    continue;
                }
                _ => match self.content(column, may_open, own)? {
                    true => may_open = false,
                    false => return Ok(()),
                },
            }
            if self.is_line_end(self.at) || self.byte(self.at) == b'#' {
                return self.end_of_line();
            }
            if may_open {
                column = self.column(self.at);
            }
            own = Properties::default();
        }
    }

    /// Goes behind the indicator at hand, which leaves the innermost block in a state; whether a block
    /// collection may start behind it.
    fn behind_indicator(&mut self, state: State) -> Result<bool> {
        if let Some(block) = self.blocks.last_mut() {
            block.state = state;
        }
        self.at += 1;
        let start = self.at;
        self.skip_blanks();
        let has_tab = self.get(start, self.at).contains('\t');
        let is_dash = self.byte(start - 1) == b'-';
        self.tab_limit = self.block_column() + isize::from(!is_dash);
        if has_tab && is_dash && self.byte(self.at) == b'-' && self.is_space(self.at + 1) {
            let tab = self.get(start, self.at).find('\t').unwrap_or_default();
            return Err(Fault::Tab { at: start + tab });
        }
        Ok(is_dash || !has_tab)
    }

    /// Goes on with the block at a column, or opens it where a value is waited for.
    fn open_block(&mut self, column: isize, is_list: bool, start: usize) -> Result<()> {
        if self.continue_block(column, is_list) {
            return Ok(());
        }
        let anchor = std::mem::take(&mut self.properties).anchor;
        let begun = match is_list {
            true => self.tree.begin_list(start, anchor),
            false => self.tree.begin_map(start, anchor),
        };
        begun.map_err(|TooDeep| Fault::TooDeep { at: start })?;
        self.blocks.push(Block { column, is_list, state: State::Entry });
        Ok(())
    }

    /// Whether the innermost block is the one at a column; it is then ready for its next entry.
    fn continue_block(&mut self, column: isize, is_list: bool) -> bool {
        let is_same =
            self.blocks.last().is_some_and(|b| b.column == column && b.is_list == is_list);
        if is_same {
            self.leave_empty();
        }
        is_same
    }

    /// A `:` that no key stands before on its line.
    fn colon(&mut self, column: isize, may_open: bool, own: Properties) -> Result<()> {
        let at = self.at;
        if !may_open {
            return Err(Fault::HoldsColon { value: at });
        }
        let is_expected = self.blocks.last().is_some_and(|block| {
            !own.any()
                && block.column == column
                && matches!(block.state, State::Colon(_) | State::Key(_))
        });
        if is_expected {
            if let Some(State::Key(at)) = self.blocks.last().map(|block| block.state) {
                let anchor = std::mem::take(&mut self.properties).anchor;
                self.tree.empty(anchor, at);
            }
            return Ok(());
        }
        self.open_block(column, false, if own.any() { own.start } else { at })?;
        self.tree.empty(own.anchor, at);
        Ok(())
    }

    /// Anchors and tags at the end of a line: they are those of the value below.
    fn properties_alone(&mut self, column: isize, may_open: bool, own: Properties) -> Result<()> {
        if may_open && self.is_key_place(column) {
            return Err(Fault::NoColon { start: own.start });
        }
        self.properties = self.merged(own)?;
        let limit = self.blocks.last().map_or(-1, |block| block.column + 1);
        self.tab_limit = limit;
        self.end_of_line()
    }

    /// The properties of a value: those on its line and those on lines above.
    fn merged(&mut self, own: Properties) -> Result<Properties> {
        let above = std::mem::take(&mut self.properties);
        if !above.any() {
            return Ok(own);
        }
        let is_double = above.anchor.is_some() && own.anchor.is_some()
            || above.has_tag && own.has_tag
            || above.anchor.is_some() && above.has_tag && own.any();
        if is_double {
            return Err(Fault::TwoProperties { at: own.start });
        }
        Ok(Properties {
            anchor: above.anchor.or(own.anchor),
            has_tag: above.has_tag || own.has_tag,
            start: above.start,
        })
    }

    /// Whether only a key can stand at a column.
    fn is_key_place(&self, column: isize) -> bool {
        let is_key = |block: &Block| !block.is_list && block.column == column;
        self.blocks.last().is_some_and(is_key)
    }

    /// Reads a scalar, a collection in brackets or an alias. Whether it was a key, so that its value
    /// may follow.
    fn content(&mut self, column: isize, may_open: bool, own: Properties) -> Result<bool> {
        let start = self.at;
        let is_key_place = may_open && self.is_key_place(column);
        let key_start = if own.any() { own.start } else { start };
        if matches!(self.byte(start), b'[' | b'{' | b'*') {
            return self.node_or_key(column, may_open, own);
        }
        let scalar = self.scalar(may_open)?;
        self.check_characters(scalar.start, scalar.end)?;
        let behind = self.at;
        if !scalar.is_multiline {
            self.skip_blanks();
        }
        let is_block = matches!(scalar.style, Style::Literal { .. } | Style::Folded { .. });
        let is_key = !is_block && self.byte(self.at) == b':' && self.is_space(self.at + 1);
        if is_key && (scalar.is_multiline || !may_open) {
            return Err(match (is_key_place, may_open, scalar.is_multiline) {
                (true, ..) => Fault::NoColon { start },
                (_, false, true) => Fault::Deeper { at: self.at },
                (_, true, true) => Fault::NoColon { start },
                _ => Fault::HoldsColon { value: start },
            });
        }
        if is_key {
            self.key_length(key_start, is_key_place)?;
            self.open_block(column, false, key_start)?;
            self.put(scalar, own.anchor);
            self.behind_key()?;
            return Ok(true);
        }
        self.at = behind;
        if is_key_place {
            return Err(Fault::NoColon { start });
        }
        let properties = self.merged(own)?;
        if !is_block {
            self.end_of_line().map_err(|fault| match (scalar.style, fault) {
                (Style::Single | Style::Double, Fault::EndOfLine { at }) => {
                    Fault::BehindQuote { at, quote: self.byte(start) }
                }
                (_, fault) => fault,
            })?;
        }
        self.put(scalar, properties.anchor);
        self.value_is_done();
        Ok(false)
    }

    pub fn is_byte_order_mark(&self, at: usize) -> bool {
        self.get(at, at + 3) == "\u{FEFF}"
    }

    pub fn put(&mut self, scalar: Scalar<'_>, anchor: Option<AnchorId>) {
        self.tree.scalar(scalar.value, scalar.style, anchor, scalar.start, scalar.end);
    }

    fn behind_key(&mut self) -> Result<()> {
        let colon = self.at;
        self.behind_indicator(State::Value(colon + 1)).map(|_| ())
    }

    fn key_length(&self, start: usize, is_required: bool) -> Result<()> {
        let is_long = self.at - start > MAX_KEY_CHARACTERS
            && self.get(start, self.at).chars().count() > MAX_KEY_CHARACTERS;
        match is_long {
            true if is_required => Err(Fault::NoColon { start }),
            true => Err(Fault::LongKey { start }),
            false => Ok(()),
        }
    }

    /// Reads a collection in brackets or an alias, which may turn out to be a key.
    fn node_or_key(&mut self, column: isize, may_open: bool, own: Properties) -> Result<bool> {
        let start = self.at;
        let line = self.line_start;
        let is_key_place = may_open && self.is_key_place(column);
        if is_key_place {
            self.continue_block(column, false);
        }
        let above = self.properties;
        let properties = self.merged(own)?;
        match self.byte(start) {
            b'*' if properties.any() => return Err(Fault::TwoProperties { at: start }),
            b'*' => self.alias(false)?,
            _ => {
                self.tab_limit = if self.blocks.is_empty() { -1 } else { self.block_column() + 1 };
                self.flow(properties.anchor)?;
                self.breach = None;
            }
        }
        let behind = self.at;
        self.skip_blanks();
        let is_key = self.byte(self.at) == b':' && self.is_space(self.at + 1);
        if is_key && may_open && line == self.line_start {
            self.key_length(start, is_key_place)?;
            if !is_key_place {
                let begun = self.tree.begin_map_of_last(start, above.anchor);
                begun.map_err(|TooDeep| Fault::TooDeep { at: start })?;
                self.blocks.push(Block { column, is_list: false, state: State::Entry });
            }
            self.behind_key()?;
            return Ok(true);
        }
        if is_key_place {
            return Err(Fault::NoColon { start });
        }
        if is_key {
            return Err(Fault::HoldsColon { value: start });
        }
        self.at = behind;
        if let Err(fault) = self.end_of_line() {
            self.tree.take_last();
            return Err(fault);
        }
        self.value_is_done();
        Ok(false)
    }

    /// Reads an anchor or a tag.
    pub fn property(&mut self, properties: &mut Properties, in_flow: bool) -> Result<()> {
        let start = self.at;
        if !properties.any() {
            properties.start = start;
        }
        let is_anchor = self.byte(start) == b'&';
        let is_double = if is_anchor { properties.anchor.is_some() } else { properties.has_tag };
        if is_double {
            return Err(Fault::TwoProperties { at: start });
        }
        if is_anchor {
            let name = self.name()?;
            properties.anchor = Some(self.tree.define(name));
            return Ok(());
        }
        properties.has_tag = true;
        self.tag(in_flow)
    }

    /// Reads the name of an anchor or alias behind its indicator.
    fn name(&mut self) -> Result<&'t str> {
        let start = self.at;
        let rest = self.get(start + 1, self.text.len());
        let ends = |c: char| {
            matches!(c, ' ' | '\t' | '\n' | '\r' | ',' | '[' | ']' | '{' | '}' | '\u{FEFF}')
        };
        let length = rest.find(ends).unwrap_or(rest.len());
        if length == 0 {
            return Err(Fault::Reserved { at: start });
        }
        self.at = start + 1 + length;
        self.check_characters(start, self.at)?;
        Ok(self.get(start + 1, self.at))
    }

    pub fn alias(&mut self, in_flow: bool) -> Result<()> {
        let start = self.at;
        let name = self.name()?;
        let is_separate = self.is_space(self.at)
            || in_flow && matches!(self.byte(self.at), b',' | b']' | b'}' | b'[' | b'{');
        if !is_separate {
            return Err(Fault::EndOfLine { at: self.at });
        }
        self.tree.alias(name, start, self.at);
        Ok(())
    }

    /// Reads a tag and reports it; the value is kept.
    fn tag(&mut self, in_flow: bool) -> Result<()> {
        let start = self.at;
        let rest = self.get(start, self.text.len());
        let ends = |c: char| {
            c.is_ascii_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}') && in_flow
        };
        let length = match rest.strip_prefix("!<") {
            Some(uri) => uri.find('>').map_or(2, |end| end + 3),
            None => rest.find(ends).unwrap_or(rest.len()),
        };
        self.at = start + length;
        let tag = self.get(start, self.at);
        let named = tag.get(1..).and_then(|tag| tag.find('!')).is_some_and(|handle| handle > 0);
        if named || !self.is_space(self.at) && !in_flow {
            self.at = start;
            return Err(Fault::Tag { at: start });
        }
        let message =
            format!("the tag `{tag}` is not supported: rule files hold plain values only");
        let problem = Diagnostic::new(&YAML_TAG, self.tree.span(start, self.at), message)
            .help("delete the tag; to make a value a string, put it in quotes");
        self.tree.diagnostics.push(problem);
        Ok(())
    }

    /// Reads a scalar in a block collection.
    fn scalar(&mut self, may_open: bool) -> Result<Scalar<'t>> {
        let start = self.at;
        match self.byte(start) {
            b'"' | b'\'' => self.quoted(false),
            b'|' | b'>' => self.block_scalar(),
            b']' | b'}' => Err(Fault::ClosesNothing { at: start }),
            b'%' if may_open && start == self.line_start => Err(Fault::Directive { at: start }),
            b'%' | b'@' | b'`' | b',' => Err(Fault::Reserved { at: start }),
            _ if self.is_byte_order_mark(start) => Err(Fault::ByteOrderMark { at: start }),
            _ => self.plain(false),
        }
    }

    /// Reads a block scalar with all its lines.
    fn block_scalar(&mut self) -> Result<Scalar<'t>> {
        let start = self.at;
        let column = self.block_column();
        let mut at = start + 1;
        let mut increment = None;
        let is_chomping = |byte| matches!(byte, b'+' | b'-');
        let has_chomping = is_chomping(self.byte(at));
        at += usize::from(has_chomping);
        if self.byte(at).is_ascii_digit() {
            increment = Some(isize::from(self.byte(at) - b'0'));
            at += 1;
            at += usize::from(!has_chomping && is_chomping(self.byte(at)));
        }
        let header_end = at;
        while is_blank(self.byte(at)) {
            at += 1;
        }
        let is_comment = self.byte(at) == b'#' && at > header_end;
        if increment == Some(0) || !is_comment && !self.is_line_end(at) {
            return Err(Fault::BlockHeader { at: start });
        }
        self.at = at;
        if is_comment {
            self.comment();
        }
        let mut indent = 0;
        if is_break(self.byte(self.at)) {
            self.skip_break();
            indent = self.block_indent(increment, column)?;
        }
        let is_literal = self.byte(start) == b'|';
        let mut value = String::new();
        self.at = decode_block(self.text, start, indent, &mut value);
        self.line_start = self.at;
        let end = start + self.get(start, self.at).trim_end().len().max(1);
        let indent = indent as u32;
        let style = if is_literal { Style::Literal { indent } } else { Style::Folded { indent } };
        Ok(Scalar { value: value.into(), style, start, end, is_multiline: true })
    }

    /// How far the lines of a block scalar are indented whose first line starts here.
    fn block_indent(&self, increment: Option<isize>, column: isize) -> Result<usize> {
        if self.byte(self.at) == b'\t' {
            return Err(Fault::Tab { at: self.at });
        }
        let fixed = increment.map(|increment| (column.max(0) + increment) as usize);
        let (mut at, mut widest) = (self.at, 0);
        let found = loop {
            let line = at;
            while self.byte(at) == b' ' && fixed.is_none_or(|fixed| at - line < fixed) {
                at += 1;
            }
            widest = widest.max(at - line);
            match self.byte(at) {
                b'\n' | b'\r' => at = behind_break(self.text, at),
                _ => break at - line,
            }
        };
        let indent = fixed.unwrap_or(widest.max((column + 1) as usize));
        let is_deeper = found < indent && found as isize > column && self.byte(at) != 0;
        let is_over = column < 0
            && found == 0
            && (is_document_marker(self.text, at) || self.byte(at) == b'#');
        match is_deeper && !is_over {
            true => Err(Fault::BlockIndent { at }),
            false => Ok(indent),
        }
    }

    /// Reads a quoted scalar.
    pub fn quoted(&mut self, in_flow: bool) -> Result<Scalar<'t>> {
        let start = self.at;
        let quote = self.byte(start);
        let is_double = quote == b'"';
        let (line, mut is_verbatim) = (self.line_start, true);
        let mut at = start + 1;
        loop {
            match self.byte(at) {
                byte if byte == quote => {
                    if is_double || self.byte(at + 1) != quote {
                        break;
                    }
                    is_verbatim = false;
                    at += 2;
                }
                b'\\' if is_double => {
                    is_verbatim = false;
                    at += 1;
                    match self.byte(at) {
                        b'\n' | b'\r' => {
                            self.at = at;
                            self.quoted_break(start, quote, in_flow, true)?;
                            at = self.at;
                        }
                        0 => {}
                        _ => at += 1,
                    }
                }
                b'\n' | b'\r' => {
                    is_verbatim = false;
                    self.at = at;
                    self.quoted_break(start, quote, in_flow, false)?;
                    at = self.at;
                }
                0 => {
                    self.at = at;
                    return Err(Fault::OpenQuote { at: start });
                }
                _ => at += 1,
            }
        }
        let style = if is_double { Style::Double } else { Style::Single };
        let value = match is_verbatim {
            true => Cow::Borrowed(self.get(start + 1, at)),
            false => self.decoded(start + 1, at, quote)?,
        };
        self.at = at + 1;
        Ok(Scalar { value, style, start, end: at + 1, is_multiline: line != self.line_start })
    }

    fn decoded(&self, start: usize, end: usize, quote: u8) -> Result<Cow<'t, str>> {
        let mut value = String::with_capacity(end - start);
        match decode_flow(self.text, start..end, quote, &mut value) {
            Ok(()) => Ok(value.into()),
            Err(range) => Err(Fault::Escape { start: range.start, end: range.end }),
        }
    }

    /// Goes over the line breaks in a quoted scalar to where its text goes on.
    fn quoted_break(
        &mut self,
        start: usize,
        quote: u8,
        in_flow: bool,
        is_escaped: bool,
    ) -> Result<()> {
        loop {
            match self.byte(self.at) {
                b'\n' | b'\r' => self.skip_break(),
                b'\t' if ((self.at - self.line_start) as isize) < self.tab_limit => {
                    return Err(Fault::Tab { at: self.at });
                }
                b' ' | b'\t' => self.at += 1,
                _ => break,
            }
        }
        let open = Fault::OpenQuote { at: start };
        if self.at == self.line_start && is_document_marker(self.text, self.at) {
            return Err(open);
        }
        if self.byte(self.at) == 0 || is_escaped {
            return Ok(());
        }
        let is_outside = (self.at - self.line_start) as isize <= self.block_column();
        if in_flow {
            return if is_outside { self.outside(open) } else { Ok(()) };
        }
        match is_outside && self.byte(self.at) != quote {
            true => {
                self.resume = Some(self.line_start);
                Err(open)
            }
            false => Ok(()),
        }
    }

    /// Notes that a line between brackets is not indented, which is allowed where they are closed.
    pub fn outside(&mut self, fault: Fault) -> Result<()> {
        if self.open_brackets >= MAX_OPEN_BRACKETS {
            self.resume = Some(self.line_start);
            return Err(fault);
        }
        self.breach.get_or_insert((self.line_start, fault));
        Ok(())
    }

    /// Reads a scalar without quotes.
    pub fn plain(&mut self, in_flow: bool) -> Result<Scalar<'t>> {
        let start = self.at;
        let line = self.line_start;
        self.tab_limit = self.block_column();
        let mut end = self.plain_line(in_flow);
        while is_break(self.byte(self.at)) {
            let (at, line_start) = (self.at, self.line_start);
            if !self.plain_goes_on(in_flow)? {
                // The break is not part of it.
                (self.at, self.line_start) = (at, line_start);
                break;
            }
            let next = self.plain_line(in_flow);
            if next == self.line_start || self.at == at {
                break;
            }
            end = next;
        }
        let is_multiline = line != self.line_start;
        let value = match is_multiline {
            true => self.decoded(start, end, 0)?,
            false => Cow::Borrowed(self.get(start, end)),
        };
        Ok(Scalar { value, style: Style::Plain, start, end, is_multiline })
    }

    /// Goes over the rest of a plain scalar's line, to what ends it; returns where its text ends.
    fn plain_line(&mut self, in_flow: bool) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut end) = (self.at, self.at);
        while let Some(&byte) = bytes.get(at) {
            match PLAIN.get(usize::from(byte)).copied().unwrap_or_default() {
                Plain::Text => end = at + 1,
                Plain::Blank => {}
                Plain::Break => break,
                Plain::Flow if in_flow => break,
                Plain::Colon if self.is_space(at + 1) => break,
                Plain::Colon if in_flow && is_flow_indicator(self.byte(at + 1)) => break,
                Plain::Comment if at > 0 && is_blank(self.byte(at - 1)) => break,
                Plain::Flow | Plain::Colon | Plain::Comment => end = at + 1,
            }
            at += 1;
        }
        self.at = at;
        end
    }

    /// Goes to the next line of a plain scalar; whether it is one.
    fn plain_goes_on(&mut self, in_flow: bool) -> Result<bool> {
        let column = self.block_column();
        loop {
            let mut tab = None;
            loop {
                match self.byte(self.at) {
                    b' ' => {}
                    b'\t' => tab = tab.or(Some(self.at)),
                    _ => break,
                }
                self.at += 1;
            }
            match self.byte(self.at) {
                b'\n' | b'\r' => self.skip_break(),
                0 => return Ok(false),
                _ => {
                    let tab = tab.filter(|tab| ((tab - self.line_start) as isize) <= column);
                    if let Some(at) = tab.filter(|_| self.byte(self.at) != b'#') {
                        return Err(Fault::Tab { at });
                    }
                    break;
                }
            }
        }
        if self.at == self.line_start && is_document_marker(self.text, self.at) {
            return Ok(false);
        }
        let next = self.byte(self.at);
        let is_colon = next == b':' && self.is_space(self.at + 1);
        if in_flow {
            let is_text = !matches!(next, b'#' | b',' | b'[' | b']' | b'{' | b'}') && !is_colon;
            return if is_text { self.flow_line(None).map(|()| true) } else { Ok(false) };
        }
        let is_outside = (self.at - self.line_start) as isize <= column;
        Ok(!is_outside && next != b'#' && !is_colon)
    }

    /// Refuses characters that no YAML file may hold.
    pub fn check_characters(&self, start: usize, end: usize) -> Result<()> {
        if self.unprintable.is_empty() {
            return Ok(());
        }
        let next = self.unprintable.partition_point(|at| *at < start);
        match self.unprintable.get(next).filter(|at| **at < end) {
            Some(&at) => Err(Fault::Unprintable { at }),
            None => Ok(()),
        }
    }

    /// Reads the directives that a text starts with, and the marker that must follow them.
    fn directives(&mut self) -> Result<()> {
        let mut first = None;
        let mut has_version = false;
        while self.next_line() && self.at == self.line_start && self.byte(self.at) == b'%' {
            let start = self.at;
            first.get_or_insert(start);
            while !self.is_line_end(self.at) {
                self.at += 1;
            }
            let line = self.get(start, self.at);
            let line = line.split(" #").next().unwrap_or(line);
            let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
            let is_fine = match (words.next(), words.next(), words.next(), words.next()) {
                (Some("%YAML"), Some(version), None, None) => {
                    let digits = |text: &str| {
                        !text.is_empty()
                            && text.len() < 10
                            && text.bytes().all(|b| b.is_ascii_digit())
                    };
                    let is_known = version
                        .split_once('.')
                        .is_some_and(|(major, minor)| major == "1" && digits(minor));
                    is_known && !std::mem::replace(&mut has_version, true)
                }
                (Some("%YAML" | "%"), ..) => false,
                (Some("%TAG"), Some(handle), Some(_), None) => {
                    handle.starts_with('!') && handle.ends_with('!')
                }
                (Some("%TAG"), ..) => false,
                _ => true,
            };
            if !is_fine {
                return Err(Fault::BadDirective { at: start });
            }
        }
        match first {
            Some(at)
                if self.at != self.line_start
                    || !is_document_marker(self.text, self.at)
                    || self.byte(self.at) == b'.' =>
            {
                Err(Fault::BadDirective { at })
            }
            _ => Ok(()),
        }
    }

    /// Reads a `---` or `...` at the start of a line; whether one stands there.
    fn marker(&mut self) -> Result<bool> {
        let at = self.at;
        let has_begun = self.has_marker
            || self.root.is_none()
            || !self.blocks.is_empty()
            || self.properties.any();
        if !is_document_marker(self.text, at) {
            return Ok(false);
        }
        if self.byte(at) == b'.' {
            self.close_down_to(0);
            self.at += 3;
            self.end_of_line()?;
            if has_begun {
                self.is_over = true;
                self.rest_after_end();
            }
            return Ok(true);
        }
        if has_begun {
            self.second_document(at, at + 3);
            self.is_over = true;
            return Ok(true);
        }
        self.has_marker = true;
        self.at += 3;
        self.root = Some(self.at);
        self.skip_blanks();
        if self.is_line_end(self.at) || self.byte(self.at) == b'#' {
            self.end_of_line()?;
        } else {
            self.node(-1, false)?;
        }
        Ok(true)
    }

    /// Looks for another document behind the end of the first.
    fn rest_after_end(&mut self) {
        while self.next_line() {
            if self.at == self.line_start && self.get(self.at, self.at + 3) == "..." {
                self.at += 3;
                continue;
            }
            let start = self.at;
            let line = self.get(start, self.text.len());
            let line = line.lines().next().unwrap_or_default().trim_end();
            let length = if line.starts_with("---") { 3 } else { line.len() };
            return self.second_document(start, start + length);
        }
    }

    fn second_document(&mut self, start: usize, end: usize) {
        let message = "a second document starts here; a rule file holds only one";
        let problem = Diagnostic::new(&SYNTAX, self.tree.span(start, end), message)
            .help("move it to a file of its own, or delete the `---`");
        self.tree.diagnostics.push(problem);
    }
}

impl Reader<'_> {
    /// Reports what did not parse, gives up the entry that it belongs to, and goes to the next line
    /// that an open collection knows as its own.
    fn recover(&mut self, mut fault: Fault) {
        self.has_failed = true;
        self.properties = Properties::default();
        if let Some((line, open)) = self.breach.take() {
            self.open_brackets += 1;
            self.resume = Some(line);
            fault = open;
        }
        self.tree.diagnostics.truncate(self.known);
        self.tree.diagnostics.push(explain(self.file, self.text, &fault));
        self.tree.unwind(self.blocks.len());
        let resume = self.resume.take().filter(|line| *line > self.entry_start);
        match resume {
            Some(line) => self.at = line,
            None => self.skip_line(),
        }
        self.line_start = self.at;
        self.skip_unknown_lines();
        self.give_up(&fault);
    }

    fn skip_line(&mut self) {
        while !self.is_line_end(self.at) {
            self.at += 1;
        }
        if self.at < self.text.len() {
            self.skip_break();
        }
    }

    /// Skips lines up to one that an open collection knows as its own.
    fn skip_unknown_lines(&mut self) {
        while self.at < self.text.len() && !self.is_known_line() {
            self.skip_line();
        }
    }

    fn is_known_line(&self) -> bool {
        let rest = self.get(self.at, self.text.len());
        let length = rest.bytes().position(is_break).unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        let text = line.trim_start_matches(' ');
        let column = (line.len() - text.len()) as isize;
        if is_document_marker(self.text, self.at) {
            return true;
        }
        let starts_item = || is_item(text);
        let starts_key = || key_length(text).is_some() || text.starts_with("? ");
        let is_own = |block: &Block| {
            block.column == column && if block.is_list { starts_item() } else { starts_key() }
        };
        match self.blocks.is_empty() {
            true => self.root.is_some() && column == 0 && (starts_item() || starts_key()),
            false => self.blocks.iter().rev().any(is_own),
        }
    }

    /// Puts something broken where the innermost block waits for something.
    fn give_up(&mut self, fault: &Fault) {
        let (entry, end) = (self.entry_start, self.at);
        let text = self.text;
        let trimmed = |start: usize| {
            let text = text.get(start..end.max(start)).unwrap_or_default();
            let start = start + (text.len() - text.trim_start().len());
            (start, start + text.trim().len())
        };
        let Some(block) = self.blocks.last_mut() else {
            if self.root.is_none() {
                // What stands behind the end of the root makes all of it doubtful.
                self.tree.root = None;
                self.root = Some(0);
                self.is_over = true;
            }
            return;
        };
        match std::mem::replace(&mut block.state, State::Entry) {
            State::Value(at) => {
                let (start, end) = trimmed(at);
                self.tree.broken(start, end);
            }
            State::Colon(at) => self.tree.empty(None, at),
            State::Key(at) => {
                let (start, end) = trimmed(at);
                self.tree.broken(start, end);
                self.tree.broken(end, end);
            }
            State::Entry if !block.is_list && fault.is_of_key() => {
                let (start, end) = trimmed(entry);
                self.stray_key(start, end);
            }
            State::Entry => {}
        }
    }

    /// What was probably meant to be a key by a line such as `when:x` or `when x`: knowing that
    /// something stands there spares the author a complaint that it is missing.
    fn stray_key(&mut self, start: usize, end: usize) {
        let text = self.get(start, end);
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let length = text.find(|c| !word(c)).unwrap_or(text.len());
        let name = text.get(..length).unwrap_or_default();
        if name.starts_with(char::is_alphabetic) {
            let behind = start + length;
            self.tree.scalar(name.into(), Style::Plain, None, start, behind);
            self.tree.broken(behind, end);
        }
    }
}

/// Whether a line, its indentation left out, starts with the dash of an item.
fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ") || text.starts_with("-\t")
}

/// The length of the key that a line starts with, if it looks like `key: …`.
fn key_length(text: &str) -> Option<usize> {
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

/// What a byte is in a scalar without quotes.
#[derive(Clone, Copy, Default)]
enum Plain {
    #[default]
    Text,
    Blank,
    Break,
    /// A comma or bracket.
    Flow,
    Colon,
    Comment,
}

static PLAIN: [Plain; 256] = plain_bytes();

const fn plain_bytes() -> [Plain; 256] {
    let mut table = [Plain::Text; 256];
    let mut rest: &[u8] = b",[]{}";
    while let [first, behind @ ..] = rest {
        set(&mut table, *first, Plain::Flow);
        rest = behind;
    }
    set(&mut table, b' ', Plain::Blank);
    set(&mut table, b'\t', Plain::Blank);
    set(&mut table, b'\n', Plain::Break);
    set(&mut table, b'\r', Plain::Break);
    set(&mut table, b':', Plain::Colon);
    set(&mut table, b'#', Plain::Comment);
    table
}

const fn set(table: &mut [Plain; 256], byte: u8, plain: Plain) {
    if let Some((_, [at, ..])) = table.split_at_mut_checked(byte as usize) {
        *at = plain;
    }
}

/// The places of characters that YAML allows nowhere.
fn unprintable(text: &str) -> Vec<usize> {
    // Without a branch for each byte, which lets the compiler look at many of them at once.
    let is_suspicious = |byte: &u8| {
        ((*byte < b' ') & !matches!(*byte, b'\t' | b'\n' | b'\r'))
            | (*byte == 0x7F)
            | (*byte == 0xC2)
            | (*byte == 0xEF)
    };
    let mut pieces = text.as_bytes().chunks(4096);
    if !pieces.any(|piece| piece.iter().fold(false, |any, byte| any | is_suspicious(byte))) {
        return Vec::new();
    }
    let is_bad = |c: char| {
        matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{84}'
            | '\u{86}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
    };
    text.char_indices().filter(|(_, c)| is_bad(*c)).map(|(at, _)| at).collect()
}
