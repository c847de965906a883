//! Here-documents: the lines behind a command that it reads.

use super::reader::{Context, Reader};
use super::{Redirect, RedirectKind, Target, Word};

/// A here-document whose text has not come yet.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    /// The line that ends it.
    delimiter: String,
    /// Whether tabs before each line are dropped.
    strips_tabs: bool,
    /// Whether the text stands for itself.
    literal: bool,
    /// Where its text goes.
    index: u32,
    context: Context,
}

impl Reader<'_, '_> {
    /// Behind `<<`: reads the delimiter.
    pub fn await_here_document(&mut self, context: &Context) {
        // `<<-` drops tabs; the sign was taken as `<<`.
        let strips_tabs = self.take("-");
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let from = self.at;
        let word = self.value(context);
        if self.at == from {
            self.broken();
        }
        let written = self.text.get(from..self.at).unwrap_or_default();
        let literal = written.contains(['\'', '"', '\\']);
        let delimiter = self.line.text(&word).to_owned();
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

    /// At the start of a line: reads the texts of the here-documents that are awaited.
    pub fn read_here_documents(&mut self) {
        for awaited in std::mem::take(&mut self.here_documents) {
            let start = self.at;
            let mut end = self.text.len();
            while self.at < self.text.len() {
                let rest = self.rest();
                let length = rest.find('\n').unwrap_or(rest.len());
                let line = rest.get(..length).unwrap_or_default();
                let line = line.strip_suffix('\r').unwrap_or(line);
                let line = if awaited.strips_tabs { line.trim_start_matches('\t') } else { line };
                let line_start = self.at;
                self.at = (self.at + length + 1).min(self.text.len());
                if line == awaited.delimiter {
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
                _ => self.backticks(&mut growing, context, true),
            }
        }
        self.finish_word(&growing)
    }
}
