//! Goes on behind what does not parse: the entry that it belongs to is given up, and reading goes on at
//! the next line that an open collection knows as its own.

use super::explain::{Fault, explain};
use super::reader::{Block, Properties, Reader, State};
use crate::syntax::scalar::{Style, is_break, is_document_marker};

impl<'t> Reader<'t> {
    /// Reports what did not parse, gives up the entry that it belongs to, and goes to the next line
    /// that an open collection knows as its own.
    pub(super) fn recover(&mut self, mut fault: Fault) {
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
