//! Reads block collections. Those that are open stand on a stack of their own, so the machine's stack is
//! not used for them.

use super::explain::Fault;
use super::reader::{
    Block, End, MAX_KEY_CHARACTERS, Properties, Reader, Result, State, Unfinished,
};
use super::scalars::Scalar;
use super::tree::{AnchorId, TooDeep};
use crate::syntax::scalar::{Style, is_blank};

impl<'t> Reader<'t> {
    /// What can stand in a column of a blank line at the end of the text.
    pub(super) fn blank_end(&mut self, column: isize) -> Option<End> {
        let stays = |block: &Block| block.column <= column;
        let is_map = |block: &Block| block.column == column && !block.is_list;
        // Behind the items of a list, its column may belong to the mapping around it.
        let open = self.blocks.iter().rposition(is_map);
        let open = open.or_else(|| self.blocks.iter().rposition(stays));
        self.close_down_to(open.map_or(0, |index| index + 1));
        let what = match self.blocks.last() {
            Some(block) if block.column == column && block.is_list => Unfinished::Dash,
            Some(block) if block.column == column => {
                self.leave_empty();
                Unfinished::Fresh
            }
            _ if self.is_awaiting() => Unfinished::Fresh,
            _ => return None,
        };
        let (path, keys) = (self.tree.path(), self.tree.keys());
        Some(End { what, path, keys, column })
    }

    fn is_awaiting(&self) -> bool {
        match self.blocks.last() {
            Some(block) => matches!(block.state, State::Key(_) | State::Value(_)),
            None => self.root.is_some(),
        }
    }

    /// Closes what a line at a column is no longer part of.
    pub(super) fn settle(&mut self, column: isize) -> Result<()> {
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
        self.known = self.tree.diagnostics.len();
        let is_deeper = column > self.block_column();
        Err(Fault::Misplaced { at: self.at, is_item: is_dash, in_list, is_deeper })
    }

    pub(super) fn close_down_to(&mut self, open: usize) {
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
    pub(super) fn node(&mut self, mut column: isize, mut may_open: bool) -> Result<()> {
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
                self.note_indicator_end();
                return self.end_of_line();
            }
            if may_open {
                column = self.column(self.at);
            }
            own = Properties::default();
        }
    }

    /// Notes that the text ends behind an indicator.
    fn note_indicator_end(&mut self) {
        let is_separate = is_blank(self.byte(self.at - 1));
        self.note_end(match self.blocks.last() {
            Some(block) if is_separate && block.is_list => Unfinished::Fresh,
            Some(_) if is_separate => Unfinished::Value,
            _ => Unfinished::Nothing,
        });
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

    /// Whether only a key can stand at a column.
    pub(super) fn is_key_place(&self, column: isize) -> bool {
        let is_key = |block: &Block| !block.is_list && block.column == column;
        self.blocks.last().is_some_and(is_key)
    }

    /// Reads a scalar, a collection in brackets or an alias. Whether it was a key, so that its value
    /// may follow.
    fn content(&mut self, column: isize, may_open: bool, own: Properties) -> Result<bool> {
        let start = self.at;
        let is_key_place = may_open && self.is_key_place(column);
        let key_start = if own.any() { own.start } else { start };
        if is_key_place {
            self.continue_block(column, false);
        }
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

    pub(super) fn put(&mut self, scalar: Scalar<'_>, anchor: Option<AnchorId>) {
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
}
