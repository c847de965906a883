//! Reads collections in brackets. Recursive, but never deeper than
//! [`MAX_DEPTH`](crate::syntax::MAX_DEPTH), which the tree refuses to exceed.

use super::explain::Fault;
use super::reader::{MAX_KEY_CHARACTERS, Properties, Reader, Result, Unfinished};
use super::tree::{AnchorId, TooDeep};
use crate::syntax::scalar::{is_blank, is_break, is_document_marker, is_flow_indicator};

/// What was read between brackets, as far as a `:` behind it depends on it.
struct Read {
    start: usize,
    line: usize,
    /// Whether a `:` may follow without a blank behind it: after quotes and brackets.
    is_delimited: bool,
}

fn closes(byte: u8) -> bool {
    matches!(byte, b']' | b'}')
}

impl Reader<'_> {
    /// Reads the collection whose bracket is at hand.
    pub(super) fn flow(&mut self, anchor: Option<AnchorId>) -> Result<()> {
        let start = self.at;
        let around = std::mem::replace(&mut self.bracket, start);
        let too_deep = |TooDeep| Fault::TooDeep { at: start };
        let is_list = self.byte(start) == b'[';
        match is_list {
            true => self.tree.begin_list(start, anchor).map_err(too_deep)?,
            false => self.tree.begin_map(start, anchor).map_err(too_deep)?,
        }
        self.at += 1;
        self.is_complete = false;
        self.flow_gap()?;
        while !closes(self.byte(self.at)) {
            match is_list {
                true => self.flow_item()?,
                false => self.flow_entry()?,
            }
            self.flow_gap()?;
            match self.byte(self.at) {
                b',' => {
                    self.at += 1;
                    self.is_complete = false;
                }
                byte if closes(byte) => break,
                _ => return Err(self.unseparated()),
            }
            self.flow_gap()?;
        }
        if (self.byte(self.at) == b']') != is_list {
            return Err(Fault::Mismatched { open: start });
        }
        self.at += 1;
        self.tree.finish(Some(self.at));
        self.bracket = around;
        self.is_complete = true;
        Ok(())
    }

    /// Something that fits nowhere between the brackets at hand.
    fn unseparated(&self) -> Fault {
        Fault::Separator { at: self.at, open: self.bracket }
    }

    /// Goes over blanks, line breaks and comments between brackets.
    fn flow_gap(&mut self) -> Result<()> {
        let before = self.at.checked_sub(1).map_or(0, |at| self.byte(at));
        let mut is_separate = is_blank(before) || self.at == self.line_start;
        loop {
            let byte = self.byte(self.at);
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'#' if is_separate => self.comment(),
                b'\n' | b'\r' => {
                    self.skip_break();
                    self.flow_indent()?;
                }
                0 => {
                    self.is_entangled = true;
                    self.note_end(match self.is_complete {
                        true => Unfinished::Nothing,
                        false => Unfinished::Flow,
                    });
                    return Err(Fault::OpenBracket { at: self.bracket });
                }
                b'#' => return Err(self.unseparated()),
                _ => return Ok(()),
            }
            is_separate |= byte != b'#';
        }
    }

    /// Goes over the blanks that a line between brackets starts with.
    fn flow_indent(&mut self) -> Result<()> {
        let start = self.at;
        self.skip_blanks();
        let byte = self.byte(self.at);
        if self.is_line_end(self.at) || byte == b'#' {
            return Ok(());
        }
        self.flow_line(self.get(start, self.at).find('\t').map(|tab| start + tab))
    }

    /// Checks a line between brackets whose first character that is no blank is at hand.
    pub(super) fn flow_line(&mut self, tab: Option<usize>) -> Result<()> {
        let outermost = Fault::OpenBracket { at: self.bracket };
        if self.at == self.line_start && is_document_marker(self.text, self.at) {
            return Err(outermost);
        }
        let column = (self.at - self.line_start) as isize;
        if let Some(at) = tab.filter(|tab| ((tab - self.line_start) as isize) < self.tab_limit) {
            return Err(Fault::Tab { at });
        }
        match column <= self.block_column() && !closes(self.byte(self.at)) {
            true => self.outside(outermost),
            false => Ok(()),
        }
    }

    /// Whether a `:` at hand is followed by a value rather than part of a text.
    fn is_colon(&self, is_delimited: bool) -> bool {
        let next = self.byte(self.at + 1);
        self.byte(self.at) == b':'
            && (is_delimited || self.is_space(self.at + 1) || is_flow_indicator(next))
    }

    /// Reads an item of a list: a value, or a pair without braces around it.
    fn flow_item(&mut self) -> Result<()> {
        let start = self.at;
        let too_deep = |TooDeep| Fault::TooDeep { at: start };
        let is_explicit = self.byte(start) == b'?' && self.is_space(start + 1);
        if is_explicit || self.is_colon(false) {
            self.tree.begin_map(start, None).map_err(too_deep)?;
            self.flow_entry()?;
            self.tree.finish(None);
            return Ok(());
        }
        let read = self.flow_node()?;
        let is_delimited = self.gap_behind(&read)?;
        if !self.is_colon(is_delimited) {
            return Ok(());
        }
        if read.line != self.line_start || self.is_long(read.start) {
            return Err(self.unseparated());
        }
        self.tree.begin_map_of_last(start, None).map_err(too_deep)?;
        self.flow_value(is_delimited)?;
        self.tree.finish(None);
        Ok(())
    }

    /// Reads a key of a mapping with its value, if it has one.
    fn flow_entry(&mut self) -> Result<()> {
        let is_explicit = self.byte(self.at) == b'?' && self.is_space(self.at + 1);
        if is_explicit {
            self.at += 1;
            self.flow_gap()?;
        }
        let start = self.at;
        let is_over = self.byte(start) == b',' || closes(self.byte(start));
        let mut is_delimited = false;
        if self.is_colon(false) || is_explicit && is_over {
            self.tree.empty(None, start);
        } else {
            let read = self.flow_node()?;
            is_delimited = self.gap_behind(&read)?;
            let is_split = self.is_colon(is_delimited) && read.line != self.line_start;
            let is_outside = is_split && {
                let colon = (self.at - self.line_start) as isize;
                let key = self.get(read.line, start).chars().count() as isize;
                key.min(colon) <= self.block_column()
            };
            if !is_explicit && (is_outside || self.is_colon(is_delimited) && self.is_long(start)) {
                return Err(self.unseparated());
            }
        }
        if self.is_colon(is_delimited) {
            return self.flow_value(is_delimited);
        }
        self.tree.empty(None, self.at);
        Ok(())
    }

    /// Goes over what stands behind a node; whether a `:` may then follow without a blank.
    fn gap_behind(&mut self, read: &Read) -> Result<bool> {
        let comments = self.tree.comments.len();
        self.flow_gap()?;
        Ok(read.is_delimited && comments == self.tree.comments.len())
    }

    fn is_long(&self, start: usize) -> bool {
        self.at - start > MAX_KEY_CHARACTERS
            && self.get(start, self.at).chars().count() > MAX_KEY_CHARACTERS
    }

    /// Reads what stands behind the `:` at hand.
    fn flow_value(&mut self, is_delimited: bool) -> Result<()> {
        self.at += 1;
        self.is_complete = false;
        let behind = self.at;
        if !is_delimited && matches!(self.byte(behind), b'[' | b'{') {
            return Err(self.unseparated());
        }
        self.flow_gap()?;
        match self.byte(self.at) {
            b',' | b']' | b'}' => self.tree.empty(None, behind),
            _ => {
                self.flow_node()?;
            }
        }
        Ok(())
    }

    /// Reads a value or key with what may stand before it.
    fn flow_node(&mut self) -> Result<Read> {
        let (start, line) = (self.at, self.line_start);
        let mut properties = Properties::default();
        while matches!(self.byte(self.at), b'&' | b'!') {
            self.property(&mut properties, true)?;
            let end = self.at;
            self.flow_gap()?;
            if self.at == end && !is_flow_indicator(self.byte(end)) {
                return Err(self.unseparated());
            }
        }
        let anchor = properties.anchor;
        let read = |is_delimited| Ok(Read { start, line, is_delimited });
        let at = self.at;
        self.is_complete = true;
        let next = self.byte(at + 1);
        match self.byte(at) {
            b',' | b']' | b'}' if properties.any() => self.tree.empty(anchor, at),
            b':' if properties.any() && self.is_colon(false) => self.tree.empty(anchor, at),
            b'*' if properties.any() => return Err(Fault::TwoProperties { at }),
            b'*' => self.alias(true)?,
            b'[' | b'{' => {
                self.flow(anchor)?;
                return read(true);
            }
            b'"' | b'\'' => {
                let scalar = self.quoted(true)?;
                self.check_characters(scalar.start, scalar.end)?;
                let quote = self.byte(at);
                self.put(scalar, anchor);
                self.behind_quote(quote)?;
                return read(true);
            }
            b'-' if self.is_space(at + 1) || is_flow_indicator(next) => {
                return Err(self.unseparated());
            }
            b':' if self.is_colon(false) => return Err(self.unseparated()),
            b'?' if self.is_space(at + 1) => return Err(self.unseparated()),
            b',' | b']' | b'}' | b'#' => return Err(self.unseparated()),
            b'|' | b'>' | b'%' | b'@' | b'`' => return Err(Fault::Reserved { at }),
            _ if self.is_byte_order_mark(at) => return Err(Fault::ByteOrderMark { at }),
            _ => {
                let scalar = self.plain(true)?;
                self.note_end(Unfinished::Plain { start: at, is_fresh: false, in_flow: true });
                self.check_characters(scalar.start, scalar.end)?;
                self.put(scalar, anchor);
            }
        }
        read(false)
    }

    /// Checks what follows a closing quote on its line.
    fn behind_quote(&mut self, quote: u8) -> Result<()> {
        self.skip_blanks();
        let byte = self.byte(self.at);
        let is_fine = matches!(byte, b',' | b']' | b'}' | b':' | b'#' | 0) || is_break(byte);
        match is_fine {
            true => Ok(()),
            false => Err(Fault::BehindQuote { at: self.at, quote }),
        }
    }
}
