//! Reads words: their quotes, escapes and unquoted text. What a `$` stands for is next door.

use super::context::Context;
use super::reader::{Reader, ends_word};
use super::variables::Spot;
use super::word::{Doubt, Growing, Word};
use super::{HOLE, Opaque, Reach, braces};

/// The length of a word without any sign in it, up to what ends it.
fn plain_word(text: &[u8]) -> Option<usize> {
    let is_sign = |byte: &u8| !MEANS_ITSELF.get(usize::from(*byte)).is_some_and(|itself| *itself);
    let length = text.iter().position(is_sign);
    let length = length.unwrap_or(text.len());
    let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')');
    (length > 0 && text.get(length).is_none_or(ends)).then_some(length)
}

/// The bytes that mean themselves wherever they stand in a word.
#[expect(
    clippy::indexing_slicing,
    reason = "in a constant, what is out of bounds does not compile"
)]
const MEANS_ITSELF: [bool; 256] = {
    let mut table = [false; 256];
    let signs = b"-_./:=+@%^~!#]";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    let mut byte = 0;
    while byte < 256 {
        table[byte] |= (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// How sure one can be of a substitution's text: not at all.
pub(super) const SUBSTITUTED: Doubt = Doubt::word(true, false);

impl Reader<'_, '_> {
    /// Reads one word of the text and keeps the words that come of it: none, one or several. Says
    /// whether there was one.
    pub fn word(&mut self, context: &Context) -> bool {
        let from = self.at;
        if let Some(length) = plain_word(self.rest().as_bytes()) {
            return self.take_plain_word(length);
        }
        let mut growing = self.line.pending.grow(from);
        self.grow_word(&mut growing, context, true);
        if self.at == from {
            return false;
        }
        self.end_word(&growing);
        true
    }

    /// Takes a word that means itself: most do.
    fn take_plain_word(&mut self, length: usize) -> bool {
        let from = self.at;
        self.at += length;
        let span = self.span(from, self.at);
        let text = self.text.get(from..self.at).unwrap_or_default();
        let start = self.line.text.len() as u32;
        self.line.text.push_str(text);
        let word = Word::new(start..self.line.text.len() as u32, span);
        self.line.pending.words.push(word);
        true
    }

    /// Ends a word that was split or is complete.
    pub fn end_word(&mut self, growing: &Growing) {
        let has_text = self.line.pending.buffer.len() > growing.base;
        if !growing.started && !has_text {
            return self.line.pending.drop_text(growing);
        }
        if self.line.pending.braces.len() > growing.braces + 1 {
            return self.end_braced(growing);
        }
        let word = self.finish_word(growing);
        self.line.pending.words.push(word);
    }

    /// `{a,b}` makes several words, as far as they are few.
    fn end_braced(&mut self, growing: &Growing) {
        let pending = &self.line.pending;
        let text = pending.buffer.get(growing.base..).unwrap_or_default();
        let signs = pending.braces.get(growing.braces..).unwrap_or_default();
        let text_has_hole = text.contains(HOLE);
        let expanded = braces::expand(text, signs, growing.base as u32);
        let expanded = expanded.filter(|words| {
            self.line.has_room(words.iter().map(String::len).sum::<usize>() + words.len())
        });
        let Some(expanded) = expanded else {
            // Too many to list, and any of them may matter.
            self.line.fail(Opaque::TooLarge);
            let mut growing = *growing;
            growing.mark_hole(Doubt::word(true, true), true);
            self.line.pending.buffer.truncate(growing.base);
            self.line.pending.buffer.push(HOLE);
            let word = self.finish_word(&growing);
            return self.line.pending.words.push(word);
        };
        for text in &expanded {
            let mut growing = *growing;
            // A number of a long sequence.
            if !text_has_hole && text.contains(HOLE) {
                growing.mark_hole(Doubt::OF_SEQUENCE, false);
            }
            self.line.pending.buffer.truncate(growing.base);
            match text.as_str() {
                // Without quotes, an empty text is no word.
                "" if !growing.started => continue,
                // Nobody knows here whether the quotes stand in this text or in another.
                "" => {
                    growing.mark_hole(Doubt::word(true, true), true);
                    self.line.pending.buffer.push(HOLE);
                }
                text => self.line.pending.buffer.push_str(text),
            }
            // The signs have done their work.
            let word = self.finish_word(&growing);
            self.line.pending.words.push(word);
        }
        self.line.pending.drop_text(growing);
    }

    /// Reads up to the end of a word. Where words may split, those before the last are kept.
    pub fn grow_word(&mut self, growing: &mut Growing, context: &Context, split: bool) {
        while let Some(byte) = self.peek() {
            match byte {
                b'<' | b'>' if self.peek_at(1) == Some(b'(') => {
                    self.process(growing, context);
                }
                b'(' if self.is_behind_glob(growing) => self.pattern_list(growing, context),
                _ if ends_word(byte) => break,
                b'\r' if matches!(self.peek_at(1), Some(b'\n') | None) => break,
                b'\\' => self.escaped(growing),
                b'\'' => self.single_quoted(growing),
                b'"' => {
                    growing.started = true;
                    self.at += 1;
                    self.double_quoted(growing, context, split);
                }
                b'$' => self.dollar(growing, context, false, split),
                b'`' => self.backticks(growing, context, false, split),
                _ => self.plain(growing, byte),
            }
        }
    }

    /// Text that means itself, up to the next byte that does not.
    fn plain(&mut self, growing: &mut Growing, byte: u8) {
        match byte {
            b'*' | b'?' | b'[' => growing.mark_glob(),
            b'{' | b'}' | b',' => {
                let at = self.line.pending.buffer.len() as u32;
                self.line.pending.braces.push(at);
            }
            _ => {}
        }
        let rest = self.rest();
        let run = rest.bytes().skip(1).position(|byte| {
            ends_word(byte)
                || matches!(
                    byte,
                    b'\\'
                        | b'\''
                        | b'"'
                        | b'$'
                        | b'`'
                        | b'*'
                        | b'?'
                        | b'['
                        | b'{'
                        | b'}'
                        | b','
                        | b'\r'
                )
        });
        let length = run.map_or(rest.len(), |run| run + 1);
        let text = rest.get(..length).unwrap_or_default();
        self.push_known(growing, text, Doubt::word(true, true));
        self.at += length;
    }

    /// Adds text; a text that runs inside another may bring holes of its own.
    pub fn push_known(&mut self, growing: &mut Growing, text: &str, doubt: Doubt) {
        if let Some(at) = text.find(HOLE) {
            let at_start = at == 0 && self.line.pending.buffer.len() == growing.base;
            growing.mark_hole(doubt, at_start);
        }
        self.line.pending.buffer.push_str(text);
    }

    fn escaped(&mut self, growing: &mut Growing) {
        self.at += 1;
        let Some(character) = self.rest().chars().next() else {
            self.line.pending.buffer.push('\\');
            return;
        };
        self.at += character.len_utf8();
        if character != '\n' {
            growing.started = true;
            let mut bytes = [0; 4];
            self.push_known(growing, character.encode_utf8(&mut bytes), SUBSTITUTED);
        }
    }

    fn single_quoted(&mut self, growing: &mut Growing) {
        growing.started = true;
        self.at += 1;
        let rest = self.rest();
        let end = match rest.find('\'') {
            Some(end) => end,
            None => {
                self.broken();
                rest.len()
            }
        };
        self.push_known(growing, rest.get(..end).unwrap_or_default(), SUBSTITUTED);
        self.at = (self.at + end + 1).min(self.text.len());
    }

    /// Behind the opening quote, up to the closing one and that too.
    pub fn double_quoted(&mut self, growing: &mut Growing, context: &Context, split: bool) {
        loop {
            let rest = self.rest();
            let Some(length) = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | b'$' | b'`'))
            else {
                self.broken();
                self.push_known(growing, rest, SUBSTITUTED);
                self.at = self.text.len();
                return;
            };
            self.push_known(growing, rest.get(..length).unwrap_or_default(), SUBSTITUTED);
            self.at += length;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return;
                }
                Some(b'\\') => self.escaped_in_double_quotes(growing),
                Some(b'$') => self.dollar(growing, context, true, split),
                _ => self.backticks(growing, context, true, split),
            }
        }
    }

    /// In double quotes a backslash stays, except before what means something there.
    pub fn escaped_in_double_quotes(&mut self, growing: &mut Growing) {
        match self.peek_at(1) {
            Some(b'\n') => self.at += 2,
            Some(b'$' | b'`' | b'"' | b'\\') => self.escaped(growing),
            _ => {
                self.line.pending.buffer.push('\\');
                self.at += 1;
            }
        }
    }

    /// Whether a parenthesis belongs to a pattern such as `@(a|b)`.
    fn is_behind_glob(&self, growing: &Growing) -> bool {
        let grown = self.line.pending.buffer.get(growing.base..).unwrap_or_default();
        let before = self.at.checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
        grown.ends_with(['?', '*', '+', '@', '!'])
            && matches!(before, Some(b'?' | b'*' | b'+' | b'@' | b'!'))
    }

    /// `@( … )`: part of a pattern for file names.
    fn pattern_list(&mut self, growing: &mut Growing, context: &Context) {
        growing.mark_glob();
        self.at += 1;
        self.line.pending.buffer.push('(');
        self.deeper(|reader| {
            loop {
                reader.grow_word(growing, context, false);
                match reader.peek() {
                    None => return reader.broken(),
                    Some(b')') => {
                        reader.at += 1;
                        return reader.line.pending.buffer.push(')');
                    }
                    Some(_) => {
                        let Some(other) = reader.rest().chars().next() else { return };
                        reader.at += other.len_utf8();
                        reader.line.pending.buffer.push(other);
                    }
                }
            }
        });
    }

    /// `<( … )`: a file that a command fills.
    fn process(&mut self, growing: &mut Growing, context: &Context) {
        let is_written = self.peek() == Some(b'>');
        let first = self.line.commands.len();
        self.at += 2;
        self.commands_inside(context);
        if is_written {
            // What is written to the file is what they read.
            for command in self.line.commands.iter_mut().skip(first) {
                command.input_unknown |= command.input.is_empty();
            }
        }
        growing.mark_hole(Doubt::word(false, false), true);
        if !is_written && self.line.pending.buffer.len() == growing.base {
            let commands = first as u32..self.line.commands.len() as u32;
            growing.mark_process(self.line.loop_words.keep_process(commands));
        }
        self.line.pending.buffer.push(HOLE);
    }

    /// The commands up to `)`.
    pub fn commands_inside(&mut self, context: &Context) {
        let inner = Context {
            parent: context.parent,
            reach: Reach::Substitution,
            in_loop: context.in_loop,
            function: context.function,
            ..Context::default()
        };
        let before = self.line.here();
        self.deeper(|reader| {
            reader.list(&inner, super::keywords::Until::Parenthesis);
        });
        self.line.roll_back(before);
    }

    /// Splits a known value, as happens outside quotes.
    pub fn push_split(&mut self, growing: &mut Growing, value: &str, spot: Spot, split: bool) {
        if !split {
            return self.push_known(growing, value, SUBSTITUTED);
        }
        let Some(separators) = self.line.variables.own_separators(spot) else {
            return self.hole(growing, Doubt::word(true, true));
        };
        let cuts = |sign: char| separators.contains(sign);
        let is_blank = |sign: char| matches!(sign, ' ' | '\t' | '\n') && cuts(sign);
        let mut rest = value;
        loop {
            let (part, behind) = rest.split_at(rest.find(cuts).unwrap_or(rest.len()));
            if part.contains(['*', '?', '[']) {
                growing.mark_glob();
            }
            self.push_known(growing, part, SUBSTITUTED);
            if behind.is_empty() {
                return;
            }
            rest = behind.trim_start_matches(is_blank);
            if let Some(behind) = rest.strip_prefix(cuts) {
                // Between two such signs there is a word, and be it empty.
                growing.started = true;
                rest = behind.trim_start_matches(is_blank);
            }
            self.end_word(growing);
            *growing = self.line.pending.grow(growing.from);
            if rest.is_empty() {
                return;
            }
        }
    }
}
