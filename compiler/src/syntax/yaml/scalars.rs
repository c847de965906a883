//! Finds where scalars end, in all five styles; what they mean, [`scalar`](crate::syntax::scalar) knows.

use std::borrow::Cow;

use super::explain::Fault;
use super::reader::{MAX_OPEN_BRACKETS, Reader, Result, Unfinished};
use crate::syntax::scalar::{
    Style, behind_break, decode_block, decode_flow, is_blank, is_break, is_document_marker,
    is_flow_indicator,
};

/// A scalar that was read and is not in the tree yet.
pub(super) struct Scalar<'t> {
    pub value: Cow<'t, str>,
    pub style: Style,
    pub start: usize,
    pub end: usize,
    pub is_multiline: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn is_byte_order_mark(&self, at: usize) -> bool {
        self.get(at, at + 3) == "\u{FEFF}"
    }

    /// Reads a scalar in a block collection.
    pub(super) fn scalar(&mut self, may_open: bool) -> Result<Scalar<'t>> {
        let start = self.at;
        match self.byte(start) {
            b'"' | b'\'' => self.quoted(false),
            b'|' | b'>' => self.block_scalar(),
            b']' | b'}' => Err(Fault::ClosesNothing { at: start }),
            b'%' if may_open && start == self.line_start => Err(Fault::Directive { at: start }),
            b'%' | b'@' | b'`' | b',' => Err(Fault::Reserved { at: start }),
            _ if self.is_byte_order_mark(start) => Err(Fault::ByteOrderMark { at: start }),
            _ => {
                let line = self.line_start;
                let scalar = self.plain(false)?;
                let is_fresh = may_open && line == self.line_start;
                self.note_end(Unfinished::Plain { start, is_fresh, in_flow: false });
                Ok(scalar)
            }
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
        // Nothing but its own signs stands on the line of a header.
        let mut unfinished = Unfinished::Nothing;
        let mut indent = 0;
        if is_break(self.byte(self.at)) {
            unfinished = Unfinished::Block { start: self.at };
            self.skip_break();
            indent = self.block_indent(increment, column)?;
        }
        let is_literal = self.byte(start) == b'|';
        let mut value = String::new();
        self.at = decode_block(self.text, start, indent, &mut value);
        self.line_start = self.at;
        self.note_end(unfinished);
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
    pub(super) fn quoted(&mut self, in_flow: bool) -> Result<Scalar<'t>> {
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
                    self.is_entangled |= in_flow;
                    self.note_end(Unfinished::Quoted { start, in_flow });
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
        let is_outside = (self.at - self.line_start) as isize <= self.block_column();
        if self.byte(self.at) == 0 || is_escaped {
            self.is_entangled |= is_escaped && (is_outside || self.byte(self.at) == 0);
            return Ok(());
        }
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
    pub(super) fn outside(&mut self, fault: Fault) -> Result<()> {
        self.is_entangled = true;
        if self.open_brackets >= MAX_OPEN_BRACKETS {
            self.resume = Some(self.line_start);
            return Err(fault);
        }
        self.breach.get_or_insert((self.line_start, fault));
        Ok(())
    }

    /// Reads a scalar without quotes.
    pub(super) fn plain(&mut self, in_flow: bool) -> Result<Scalar<'t>> {
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
                0 => {
                    self.is_entangled |= in_flow;
                    return Ok(false);
                }
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
    pub(super) fn check_characters(&self, start: usize, end: usize) -> Result<()> {
        if self.unprintable.is_empty() {
            return Ok(());
        }
        let next = self.unprintable.partition_point(|at| *at < start);
        match self.unprintable.get(next).filter(|at| **at < end) {
            Some(&at) => Err(Fault::Unprintable { at }),
            None => Ok(()),
        }
    }
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
