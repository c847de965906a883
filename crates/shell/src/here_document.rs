//! Here-documents: the lines behind a command that it reads.

use super::awaited::Awaited;
use super::command::{Redirect, RedirectKind, Target};
use super::context::Context;
use super::reader::{Reader, ends_word};
use super::word::Word;

impl Reader<'_, '_> {
    /// Behind `<<`: reads the delimiter.
    pub fn await_here_document(&mut self, context: &Context) {
        // `<<-` drops tabs; the sign was taken as `<<`.
        self.skip_joints();
        let strips_tabs = self.take("-");
        self.skip_joints();
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
            self.skip_joints();
        }
        let from = self.at;
        let (delimiter, literal) = self.delimiter();
        if self.at == from {
            self.broken();
        }
        let index = self.line.here_documents.len() as u32;
        self.line.here_documents.push(Word::default());
        let target = Target::HereDocument(index);
        self.line.pending.redirects.push(Redirect { kind: RedirectKind::HereDocument, target });
        self.here_documents.push(Awaited {
            delimiter,
            strips_tabs,
            literal,
            index,
            context: context.clone(),
        });
    }

    /// The word that ends a text, and whether it was quoted. Nothing in it is expanded.
    fn delimiter(&mut self) -> (String, bool) {
        let mut delimiter = String::new();
        let mut is_quoted = false;
        let mut quote = None;
        while let Some(character) = self.rest().chars().next() {
            let is_end = quote.is_none()
                && (character == '\r' || character.is_ascii() && ends_word(character as u8));
            if is_end {
                break;
            }
            if quote != Some('\'') && self.skip_joints() {
                continue;
            }
            self.at += character.len_utf8();
            match (quote, character) {
                (Some(sign), character) if sign == character => quote = None,
                (None, '\'' | '"') => (quote, is_quoted) = (Some(character), true),
                (None | Some('"'), '\\') => {
                    is_quoted |= quote.is_none();
                    let next = self.rest().chars().next();
                    let escapes = quote.is_none() || matches!(next, Some('"' | '\\' | '$' | '`'));
                    match next.filter(|_| escapes) {
                        Some(next) => {
                            self.at += next.len_utf8();
                            delimiter.push(next);
                        }
                        None => delimiter.push('\\'),
                    }
                }
                // `$'…'` is a way of quoting, too.
                (None, '$') if matches!(self.peek(), Some(b'\'' | b'"')) => {
                    // Its escapes are rare enough to give up on.
                    let rest = self.rest();
                    let end = rest.get(1..).and_then(|rest| rest.find(['\'', '"']));
                    if rest.get(..end.unwrap_or(0)).is_some_and(|text| text.contains('\\')) {
                        self.broken();
                    }
                }
                // The commands of a substitution would be part of the word.
                (None, '$') if self.peek() == Some(b'(') => self.broken(),
                (None, '`') => self.broken(),
                (_, character) => delimiter.push(character),
            }
        }
        if quote.is_some() {
            self.broken();
        }
        (delimiter, is_quoted)
    }

    /// The length of the next line with its end. Where the text is expanded, a backslash joins a line
    /// with the next.
    fn line_length(&self, literal: bool) -> usize {
        let rest = self.rest();
        let mut length = 0;
        loop {
            let line = rest.get(length..).unwrap_or_default();
            let end = line.find('\n');
            length += end.map_or(line.len(), |end| end + 1);
            let text = line.get(..end.unwrap_or(0)).unwrap_or_default();
            let slashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
            if literal || slashes % 2 == 0 {
                return length;
            }
        }
    }

    /// The text of a here-document that is awaited, if it is a constant and the only one of what is left of its line.
    pub fn constant_here_document(&self, index: u32) -> Option<String> {
        // Of a line that awaits several, the rest is looked for no more than once.
        let [awaited] = self.here_documents.as_slice() else { return None };
        let (line, behind) = self.rest().split_once('\n').filter(|_| awaited.index == index)?;
        if line.contains(['\'', '"', '`', '<', '\\', '$']) {
            return None;
        }
        let mut text = String::new();
        for line in behind.split_inclusive('\n') {
            if awaited.ends_at(line) {
                return Some(text);
            }
            let stands_for_itself = awaited.literal || !line.contains(['$', '`', '\\']);
            if !stands_for_itself || text.len() > super::rounds::MAX_ROWS {
                return None;
            }
            text.push_str(match awaited.strips_tabs {
                true => line.trim_start_matches('\t'),
                false => line,
            });
        }
        // What is never ended goes on to the end.
        Some(text)
    }

    /// At the start of a line: reads the texts of the here-documents that are awaited.
    pub fn read_here_documents(&mut self) {
        for awaited in std::mem::take(&mut self.here_documents) {
            let start = self.at;
            let mut end = self.text.len();
            while self.at < self.text.len() {
                let length = self.line_length(awaited.literal);
                let line = self.rest().get(..length).unwrap_or_default();
                let line_start = self.at;
                self.at += length;
                if awaited.ends_at(line) {
                    end = line_start;
                    break;
                }
            }
            let after = self.at;
            let word = self.here_document_text(&awaited, start, end);
            self.at = after;
            if let Some(place) = self.line.here_documents.get_mut(awaited.index as usize) {
                *place = word;
            }
        }
    }

    fn here_document_text(&mut self, awaited: &Awaited, start: usize, end: usize) -> Word {
        let body = self.text.get(start..end).unwrap_or_default();
        let span = self.span(start, end);
        let stripped: String;
        let body = if awaited.strips_tabs {
            stripped =
                body.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect();
            &stripped
        } else {
            body
        };
        if awaited.literal {
            return self.line.add_text(body, span);
        }
        let place = (span.start, span.end);
        let mut word = Word::default();
        self.deeper(|reader| word = reader.nested(body, place).expanded(&awaited.context));
        (word.from, word.to) = place;
        word
    }

    /// A text in which `$`, backticks and backslashes mean something, and quotes do not.
    fn expanded(&mut self, context: &Context) -> Word {
        let mut growing = self.line.pending.grow(0);
        loop {
            let rest = self.rest();
            let length = rest.bytes().position(|byte| matches!(byte, b'\\' | b'$' | b'`'));
            let text = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            self.push_known(&mut growing, text, super::quoting::SUBSTITUTED);
            self.at += text.len();
            match self.peek() {
                None => break,
                Some(b'\\') => self.escaped_in_double_quotes(&mut growing),
                Some(b'$') => self.dollar(&mut growing, context, true, false),
                _ => self.backticks(&mut growing, context, true, false),
            }
        }
        self.finish_word(&growing)
    }
}
