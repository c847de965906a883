//! Reads a document statement by statement: headers, and keys with their values.
//!
//! What is wrong is reported where it stands. A value that is no good becomes [`Kind::Broken`], and reading goes on behind
//! it. Brackets that are not closed end where the next statement begins, which is told by its looks: nothing may be
//! swallowed for want of a bracket.

use std::ops::Range;

use super::cursor::Seeker;
use super::explain::{self, Words};
use super::scalars::{self, Problem, Quoted};
use super::tables::{Id, ROOT, Tables};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::SYNTAX;
use crate::source::{FileId, Span};
use crate::syntax::cursor::{Site, Step};
use crate::syntax::parsed::MAX_ERRORS;
use crate::syntax::scalar::{Style, behind_break, byte, decode};
use crate::syntax::{Comment, Key, Kind, MAX_DEPTH, Node, Text, span};

pub struct Reader<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    /// The table that the last header opened.
    table: Id,
    /// By how much the statement is indented that is being read.
    indent: usize,
    pub tables: Tables,
    pub diagnostics: Vec<Diagnostic>,
    pub comments: Vec<Comment>,
    /// Looks for what can be written at the end of the text.
    pub seeker: Option<Seeker>,
}

/// A bracket that is not closed before the next statement, or the end of the text.
struct Unclosed;

/// What may come next in brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// An element of an array, or the comma behind one.
    Element,
    /// A key of an inline table.
    Key,
    /// The comma behind a value of an inline table.
    Comma,
}

impl<'t> Reader<'t> {
    pub fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            text,
            at: 0,
            table: ROOT,
            indent: 0,
            tables: Tables::new(file),
            diagnostics: Vec::new(),
            comments: Vec::new(),
            seeker: None,
        }
    }

    /// Reads all statements.
    pub fn document(&mut self) {
        while self.statement() {}
    }

    /// Reads statements up to the first header; returns the keys of the root.
    pub fn keys_before_headers(mut self) -> Vec<String> {
        loop {
            self.skip_to_statement();
            if self.byte() == b'[' || !self.statement() {
                return self.tables.keys(ROOT).map(str::to_owned).collect();
            }
        }
    }

    /// Reads a statement; answers whether there was one.
    fn statement(&mut self) -> bool {
        self.skip_to_statement();
        if self.is_at_end() {
            let start = self.at;
            self.find_key_of(self.table, start);
            return false;
        }
        match self.byte() {
            b'[' => self.header(),
            _ => self.entry(),
        }
        if let Some(seeker) = &mut self.seeker {
            seeker.leave_all();
        }
        true
    }

    /// Goes to where the next statement begins.
    fn skip_to_statement(&mut self) {
        let mut line = self.at;
        loop {
            self.blanks();
            match self.byte() {
                b'#' => self.comment(),
                _ if self.pass_line_break() => {}
                _ => break,
            }
            line = self.at;
        }
        self.indent = self.at - line;
    }

    /// `[table]` or `[[list]]`.
    fn header(&mut self) {
        let start = self.at;
        let is_list = byte(self.text, start + 1) == b'[';
        let close = if is_list { "]]" } else { "]" };
        self.at += close.len();
        let path = self.key_path();
        if self.is_at_end() {
            self.find(start, || Site::Header);
        }
        let is_closed = path.is_some() && self.rest().starts_with(close);
        self.table = match &path {
            Some(path) if is_closed => {
                self.at += close.len();
                self.open(path, is_list, start..self.at)
            }
            _ => self.tables.apart(1, start),
        };
        if let Some(seeker) = &mut self.seeker {
            let path = path.as_deref().unwrap_or_default();
            let is_item = |length: usize| match length == path.len() {
                true => is_list,
                false => path.get(..length).is_some_and(|way| self.tables.leads_to_list(way)),
            };
            seeker.enter_table(path, is_item);
        }
        if is_closed {
            return self.end_of_line();
        }
        if path.is_some() {
            let line = self.line_from(start);
            let behind = self.text.get(self.at..line.end).unwrap_or_default();
            match !behind.starts_with(']') && behind.contains(']') {
                true => self.error(self.at..self.at, explain::HEADER),
                false => self.report(explain::unclosed(self.span(&line), '[')),
            }
        }
        self.skip_line();
    }

    fn open(&mut self, path: &[Key], is_list: bool, place: Range<usize>) -> Id {
        match self.tables.open(path, is_list, &place) {
            Ok(table) => table,
            Err((refusal, known)) => {
                self.report(explain::refusal(refusal, path));
                known.unwrap_or_else(|| self.tables.apart(1, place.start))
            }
        }
    }

    /// `key = value`.
    fn entry(&mut self) {
        let start = self.at;
        let path = self.key_path();
        if self.is_at_end() {
            self.find_key_of(self.table, start);
        }
        let Some(path) = path else { return self.skip_line() };
        if self.byte() != b'=' {
            self.no_equals();
            return self.skip_line();
        }
        self.at += 1;
        let behind = self.at;
        self.blanks();
        self.enter(&path);
        if self.is_at_end() {
            self.find(self.at, || Site::Inline { quote: None, flow: false });
        }
        let value = match self.byte() {
            b'\n' | b'\r' | b'#' | 0 => {
                self.error(behind..behind, explain::VALUE);
                self.broken(behind..behind)
            }
            _ => self.statement_value(self.tables.depth_below(self.table, &path)),
        };
        self.put(self.table, &path, value);
        self.end_of_line();
    }

    /// The value of a statement, with all brackets in it.
    fn statement_value(&mut self, depth: usize) -> Node {
        let start = self.at;
        self.value(depth, false).unwrap_or_else(|Unclosed| {
            let line = self.line_from(start);
            let open = if byte(self.text, start) == b'[' { '[' } else { '{' };
            self.report(explain::unclosed(self.span(&line), open));
            let inside = self.text.get(start..self.at).unwrap_or_default();
            self.broken(start..start + inside.trim_end().len())
        })
    }

    fn put(&mut self, table: Id, path: &[Key], value: Node) {
        if let Err(refusal) = self.tables.put(table, path, value) {
            self.report(explain::refusal(refusal, path));
        }
    }

    /// Keys with dots between them.
    fn key_path(&mut self) -> Option<Vec<Key>> {
        let mut path = Vec::with_capacity(1);
        loop {
            self.blanks();
            path.push(self.key()?);
            self.blanks();
            if self.byte() != b'.' {
                return Some(path);
            }
            self.at += 1;
        }
    }

    fn key(&mut self) -> Option<Key> {
        let start = self.at;
        if matches!(self.byte(), b'"' | b'\'') {
            let read = scalars::quoted(self.text, start);
            let has_lines = matches!(read.style, Style::DoubleLines | Style::SingleLines);
            if has_lines {
                self.error(start..start + 3, explain::LINES_KEY);
                return None;
            }
            self.at = read.end;
            let value = self.string_value(start, &read)?;
            return Some(Key { text: value, span: self.span(&(start..read.end)) });
        }
        let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let bytes = self.text.as_bytes().get(start..).unwrap_or_default();
        self.at += bytes.iter().take_while(|byte| is_bare(byte)).count();
        if self.at == start {
            let met = self.rest().chars().next();
            let words = match met {
                Some(met) if met.is_alphanumeric() => explain::LETTERS,
                _ => explain::KEY,
            };
            let is_shown = met.is_some_and(|met| !met.is_whitespace());
            let length = met.filter(|_| is_shown).map_or(0, char::len_utf8);
            self.error(start..start + length, words);
            return None;
        }
        let place = start..self.at;
        let text = self.text.get(place.clone()).unwrap_or_default();
        Some(Key { text: text.into(), span: self.span(&place) })
    }

    /// A value; `flow` where it stands in brackets.
    fn value(&mut self, depth: usize, flow: bool) -> Result<Node, Unclosed> {
        match self.byte() {
            b'[' | b'{' if depth >= MAX_DEPTH => Ok(self.too_deep()),
            b'[' => self.array(depth),
            b'{' => self.inline_table(depth),
            b'"' | b'\'' => Ok(self.string()),
            _ => Ok(self.word(flow)),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Node, Unclosed> {
        let start = self.at;
        self.at += 1;
        self.enter_step(|| Step::Item);
        let mut items = Vec::new();
        loop {
            self.gap(Next::Element)?;
            if self.is_at_end() {
                self.find(self.at, || Site::Inline { quote: None, flow: true });
                return Err(Unclosed);
            }
            match self.byte() {
                b']' => break,
                b',' => {
                    items.push(self.broken(self.at..self.at + 1));
                    self.error(self.at..self.at + 1, explain::ELEMENT);
                    self.at += 1;
                }
                _ => {
                    items.push(self.value(depth + 1, true)?);
                    if !self.separator(b']', Next::Element)? {
                        items.push(self.broken(self.at..self.at));
                    }
                }
            }
        }
        self.at += 1;
        self.leave_step();
        Ok(Node { span: self.span(&(start..self.at)), kind: Kind::Seq(items) })
    }

    fn inline_table(&mut self, depth: usize) -> Result<Node, Unclosed> {
        let start = self.at;
        self.at += 1;
        let table = self.tables.apart(depth, start);
        loop {
            self.gap(Next::Key)?;
            let key = self.at;
            if self.is_at_end() {
                self.find_key_of(table, key);
                return Err(Unclosed);
            }
            match self.byte() {
                b'}' => break,
                b',' => {
                    self.error(key..key + 1, explain::ELEMENT);
                    self.at += 1;
                }
                _ => {
                    self.inline_entry(table)?;
                    self.separator(b'}', Next::Comma)?;
                }
            }
        }
        self.at += 1;
        Ok(self.tables.close(table, start..self.at))
    }

    /// `key = value` of an inline table.
    fn inline_entry(&mut self, table: Id) -> Result<(), Unclosed> {
        let start = self.at;
        let path = self.key_path();
        if self.is_at_end() {
            self.find_key_of(table, start);
        }
        let Some(path) = path else {
            self.skip_element();
            return Ok(());
        };
        self.gap(Next::Key)?;
        if self.byte() != b'=' {
            self.no_equals();
            self.skip_element();
            return Ok(());
        }
        self.at += 1;
        let behind = self.at;
        let steps = self.enter(&path);
        self.gap(Next::Key)?;
        if self.is_at_end() {
            self.find(self.at, || Site::Inline { quote: None, flow: true });
        }
        let value = match self.byte() {
            b',' | b'}' | 0 => {
                self.error(behind..behind, explain::VALUE);
                self.broken(behind..behind)
            }
            _ => self.value(self.tables.depth_below(table, &path), true)?,
        };
        (0..steps).for_each(|_| self.leave_step());
        self.put(table, &path, value);
        Ok(())
    }

    /// Goes behind the comma after a value in brackets, or to the bracket that closes them. Answers whether nothing else
    /// stood there.
    fn separator(&mut self, close: u8, next: Next) -> Result<bool, Unclosed> {
        let mut is_clean = true;
        loop {
            self.gap(next)?;
            if self.is_at_end() {
                self.find_nothing();
                return Err(Unclosed);
            }
            match self.byte() {
                b',' => {
                    self.at += 1;
                    return Ok(is_clean);
                }
                met if met == close => return Ok(is_clean),
                _ => {}
            }
            let start = self.at;
            self.skip_element();
            if self.at == start {
                self.at += 1;
            }
            if is_clean {
                self.error(start..self.at, explain::COMMA);
            }
            is_clean = false;
        }
    }

    /// Goes to the comma or bracket behind an element, or to the end of the line.
    fn skip_element(&mut self) {
        let start = self.at;
        while !self.is_at_end() {
            match self.byte() {
                b',' | b']' | b'}' | b'\n' | b'#' => break,
                b'"' | b'\'' => self.at = scalars::quoted(self.text, self.at).end.max(self.at + 1),
                _ => self.at += self.rest().chars().next().map_or(1, char::len_utf8),
            }
        }
        let passed = self.text.get(start..self.at).unwrap_or_default();
        self.at = start + passed.trim_end_matches([' ', '\t', '\r']).len();
    }

    /// Goes on to what stands next in brackets.
    fn gap(&mut self, next: Next) -> Result<(), Unclosed> {
        loop {
            self.blanks();
            match self.byte() {
                b'#' => self.comment(),
                _ if self.pass_line_break() => {}
                b'\r' => {
                    self.error(self.at..self.at + 1, explain::CARRIAGE_RETURN);
                    self.at += 1;
                    continue;
                }
                _ => return Ok(()),
            }
            if self.begins_statement(next) {
                return Err(Unclosed);
            }
        }
    }

    /// Whether the line that starts here looks like a statement, rather than like something in brackets.
    fn begins_statement(&self, next: Next) -> bool {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        let trimmed = line.trim_start_matches([' ', '\t']);
        if line.len() - trimmed.len() > self.indent {
            return false;
        }
        let is_key = |text: &str| {
            let text = text.trim();
            let is_of_key = |c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'' | ' ')
            };
            text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && text.chars().all(is_of_key)
        };
        if let Some(header) = trimmed.strip_prefix('[') {
            let name = header.trim_start_matches('[').split([']', '#']).next().unwrap_or_default();
            return is_key(name) && scalars::resolve(name.trim()).is_none();
        }
        next != Next::Key && trimmed.split_once('=').is_some_and(|(key, _)| is_key(key))
    }

    fn string(&mut self) -> Node {
        let start = self.at;
        let read = scalars::quoted(self.text, start);
        let has_lines = matches!(read.style, Style::DoubleLines | Style::SingleLines);
        let quote = if byte(self.text, start) == b'"' { '"' } else { '\'' };
        if !read.is_closed && read.end == self.text.len() {
            let behind = start + if has_lines { 3 } else { 1 };
            self.find(behind, || Site::Inline { quote: Some(quote), flow: false });
        }
        if !read.is_closed && has_lines {
            // Its end is anybody's guess: all but its first line is read as what it looks like.
            let line = self.line_from(start);
            self.report(explain::unclosed(self.span(&line), quote));
            self.at = line.end;
            return self.broken(line);
        }
        self.at = read.end;
        let place = start..read.end;
        match self.string_value(start, &read) {
            Some(value) => {
                let kind = Kind::String(Text::written(value, read.style));
                Node { span: self.span(&place), kind }
            }
            None => self.broken(place),
        }
    }

    /// What a string stands for; `None` where something is wrong with it, which is reported.
    fn string_value(&mut self, start: usize, read: &Quoted) -> Option<Box<str>> {
        if !read.is_closed {
            self.error(start..read.end, explain::LINE_STRING);
            return None;
        }
        if let Some(problem) = &read.problem {
            let (Problem::Escape(place) | Problem::Control(place)) = problem;
            self.error(place.clone(), explain::string(problem));
            return None;
        }
        let mut value = String::new();
        let is_plain = !read.has_escapes && matches!(read.style, Style::Single | Style::Double);
        match self.text.get(start + 1..read.end - 1) {
            Some(inside) if is_plain => value.push_str(inside),
            _ => decode(self.text, start..read.end, read.style, &mut value).ok()?,
        }
        Some(value.into())
    }

    /// A value without quotes; `flow` where it stands in brackets.
    fn word(&mut self, flow: bool) -> Node {
        let start = self.at;
        let ends = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '#') || flow && is_flow_end(c);
        let rest = self.rest();
        let mut length = rest.find(ends).unwrap_or(rest.len());
        if let Some(time) = rest.get(length..).and_then(|rest| rest.strip_prefix(' ')) {
            let time = time.find(ends).unwrap_or(time.len());
            let both = rest.get(..length + 1 + time).unwrap_or_default();
            if both.starts_with(|c: char| c.is_ascii_digit()) && scalars::resolve(both).is_some() {
                length = both.len();
            }
        }
        self.at += length;
        if self.is_at_end() {
            self.find(start, || Site::Inline { quote: None, flow });
        }
        let word = rest.get(..length).unwrap_or_default();
        if let Some(kind) = scalars::resolve(word) {
            return Node { span: self.span(&(start..self.at)), kind };
        }
        if word.is_empty() || word.starts_with([']', '}', ',']) {
            self.at += usize::from(!self.is_at_end());
            self.error(start..self.at, explain::VALUE);
            return self.broken(start..self.at);
        }
        // Where one word is no value, those behind it are most likely of the same text.
        let whole = rest.find(|c: char| matches!(c, '\n' | '#') || flow && is_flow_end(c));
        let whole = rest.get(..whole.unwrap_or(rest.len())).unwrap_or_default().trim_end();
        self.at = start + whole.len();
        self.error(start..self.at, explain::word(word));
        self.broken(start..self.at)
    }

    /// Goes behind brackets that nest too deeply.
    fn too_deep(&mut self) -> Node {
        let start = self.at;
        self.report(explain::too_deep(self.span(&(start..start + 1))));
        let mut open = 0_usize;
        while !self.is_at_end() {
            match self.byte() {
                b'"' | b'\'' => {
                    self.at = scalars::quoted(self.text, self.at).end.max(self.at + 1);
                    continue;
                }
                b'#' => {
                    self.comment();
                    continue;
                }
                b'[' | b'{' => open += 1,
                b']' | b'}' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                break;
            }
        }
        self.broken(start..self.at)
    }

    /// Goes on to the next line, on which nothing else may stand.
    fn end_of_line(&mut self) {
        self.blanks();
        match self.byte() {
            _ if self.is_at_end() => self.find_nothing(),
            b'\n' => {}
            b'\r' if byte(self.text, self.at + 1) == b'\n' => {}
            b'#' => self.comment(),
            b'\r' => {
                self.error(self.at..self.at + 1, explain::CARRIAGE_RETURN);
                self.at += 1;
            }
            _ if self.is_at_line_start() => {}
            _ => {
                let line = self.line_from(self.at);
                self.error(line, explain::REST);
                self.skip_line();
            }
        }
    }

    /// Whether nothing but blanks stands before on this line: what was not closed ended before it.
    fn is_at_line_start(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default().trim_end_matches([' ', '\t']);
        before.ends_with('\n')
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
        if self.is_at_end() {
            self.find_nothing();
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let line = self.rest().split('\n').next().unwrap_or_default();
        let content = line.strip_suffix('\r').unwrap_or(line);
        self.at += line.len();
        if self.is_at_end() {
            self.find_nothing();
        }
        let place = self.span(&(start..start + content.len()));
        let text = content.get(1..).unwrap_or_default();
        self.comments.push(Comment { span: place, text: text.into() });
    }

    /// Goes behind a line break; answers whether there was one.
    fn pass_line_break(&mut self) -> bool {
        let is_break = self.rest().starts_with('\n') || self.rest().starts_with("\r\n");
        if is_break {
            self.at = behind_break(self.text, self.at);
        }
        is_break
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), b' ' | b'\t') {
            self.at += 1;
        }
    }

    fn byte(&self) -> u8 {
        byte(self.text, self.at)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// From an offset to the end of its line, without the blanks there.
    fn line_from(&self, start: usize) -> Range<usize> {
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        start..start + line.trim_end().len()
    }

    fn span(&self, place: &Range<usize>) -> Span {
        span(self.file, place.start, place.end)
    }

    fn broken(&self, place: Range<usize>) -> Node {
        Node { span: self.span(&place), kind: Kind::Broken }
    }

    /// Reports what stands in place of the `=` behind a key.
    fn no_equals(&mut self) {
        match self.byte() {
            b':' => self.error(self.at..self.at + 1, explain::COLON),
            _ => self.error(self.at..self.at, explain::EQUALS),
        }
    }

    fn error(&mut self, place: Range<usize>, (message, help): Words) {
        let place = self.span(&place);
        self.report(Diagnostic::new(&SYNTAX, place, message).help(help));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Notes for who looks for it that a key of a table can be written at the end of the text.
    fn find_key_of(&mut self, table: Id, start: usize) {
        if let Some(seeker) = &mut self.seeker {
            let others = self.tables.keys(table).map(str::to_owned).collect();
            seeker.find_key(start, others, table == self.table);
        }
    }

    fn find(&mut self, start: usize, site: impl FnOnce() -> Site) {
        if let Some(seeker) = &mut self.seeker {
            seeker.find(start, site);
        }
    }

    fn find_nothing(&mut self) {
        if let Some(seeker) = &mut self.seeker {
            seeker.find_nothing();
        }
    }

    /// Goes into the values of keys; returns how many steps that takes.
    fn enter(&mut self, path: &[Key]) -> usize {
        for key in path {
            self.enter_step(|| Step::Key(key.text.to_string()));
        }
        path.len()
    }

    fn enter_step(&mut self, step: impl FnOnce() -> Step) {
        if let Some(seeker) = &mut self.seeker {
            seeker.enter(step());
        }
    }

    fn leave_step(&mut self) {
        if let Some(seeker) = &mut self.seeker {
            seeker.leave();
        }
    }
}

/// Whether a character ends a word in brackets.
fn is_flow_end(c: char) -> bool {
    matches!(c, ',' | ']' | '}')
}
