//! Reads a document line by line: directives and markers, blank lines and comments, and lines that
//! belong to the block collections that are open.

use super::explain::Fault;
use super::reader::{Reader, Result, State};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::SYNTAX;
use crate::syntax::scalar::is_document_marker;

impl<'t> Reader<'t> {
    /// Reads the whole text.
    pub(super) fn read(&mut self) {
        self.read_lines();
        self.close_down_to(0);
        if let Some(at) = self.root.take()
            && self.properties.any()
        {
            self.tree.empty(self.properties.anchor, at);
        }
    }

    /// Reads all lines, and leaves open what is open at their end.
    pub(super) fn read_lines(&mut self) {
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
            let is_second = line.starts_with("%YAML") && std::mem::replace(&mut has_version, true);
            if is_second || !is_directive(line) {
                return Err(Fault::BadDirective { at: start });
            }
        }
        let is_marker = self.at == self.line_start
            && is_document_marker(self.text, self.at)
            && self.byte(self.at) == b'-';
        match first.filter(|_| !is_marker) {
            Some(at) => Err(Fault::BadDirective { at }),
            None => Ok(()),
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

/// Whether a line that starts with `%` is a directive. Those that YAML does not know mean nothing.
fn is_directive(line: &str) -> bool {
    let line = line.split(" #").next().unwrap_or(line);
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("%YAML"), Some(version), None, None) => {
            let minor = version.strip_prefix("1.").unwrap_or_default();
            !minor.is_empty() && minor.len() < 10 && minor.bytes().all(|b| b.is_ascii_digit())
        }
        (Some("%TAG"), Some(handle), Some(_), None) => {
            handle.starts_with('!') && handle.ends_with('!')
        }
        (Some("%YAML" | "%TAG" | "%"), ..) => false,
        _ => true,
    }
}
