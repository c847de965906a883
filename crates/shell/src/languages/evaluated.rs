//! Code and data that code runs: texts of its own language, and bytes that say themselves what is run when they are read
//! back. Reads code by the one that reads all of it.

use super::arguments::Arguments;
use super::calls::Effect;
use super::code::{Meant, Scan};
use super::effects::{is_unknown, say};
use super::language::Language;
use super::line::{self, Line};
use super::parts::{closing, object};
use super::token::Token;
use super::value::Value;
use super::vm;
use crate::hole::{COMPUTED, HOLE, LISTED, READ};

/// So many files that code opens are looked at.
const MAX_OPENED: usize = 32;

impl Scan<'_> {
    /// Code that is run: a text of the same language.
    pub fn code(&self, at: usize, found: &mut Vec<Line>) {
        let Some(arguments) = self.arguments(at + 1) else { return };
        let mut values = arguments.values.into_iter();
        // The parameters of a function stand before its code.
        let is_behind = matches!(self.name(at), Some("Function" | "create_function"));
        let code = if is_behind { values.next_back() } else { values.next() };
        match code {
            Some(Value::Text(code)) if self.language == Language::JavaScript => {
                self.run(Some(Value::Text(vm::with_names(self, at, &code))), at, found);
            }
            code => self.run(code, at, found),
        }
    }

    /// Code that may be run later: only a constant text is looked into.
    pub fn code_later(&self, at: usize, found: &mut Vec<Line>) {
        let Some(arguments) = self.arguments(at + 1) else { return };
        if let Some(code @ Value::Text(_)) = arguments.values.into_iter().next()
            && code.text().is_some_and(|text| !text.contains([HOLE, COMPUTED]))
        {
            // What runs it may have looked into it, too.
            let mut lines = Vec::new();
            self.run(Some(code), at, &mut lines);
            lines.into_iter().for_each(|line| say(line, found));
        }
    }

    /// `include "data:…"` of PHP: code that stands in the name of a file, or comes from far away.
    pub fn includes_data(&self, at: usize, name: &str) -> bool {
        const SCHEMES: [&str; 5] = ["data:", "php:", "http:", "https:", "expect:"];
        let behind = self.tokens.get(at + 1..).unwrap_or_default();
        let path = match behind {
            [Token::Sign('('), Token::Text(path), ..] | [Token::Text(path), ..] => path,
            _ => return false,
        };
        self.language == Language::Php
            && matches!(name, "include" | "include_once" | "require" | "require_once")
            && SCHEMES.iter().any(|scheme| path.starts_with(scheme))
    }

    /// Data that is read back: where it stands in the code, or the code says how objects are made of it, nobody can tell
    /// what that runs.
    pub fn payload(&self, at: usize, found: &mut Vec<Line>) {
        let is_maker = |token: &Token| matches!(token, Token::Name(name) if matches!(name.as_str(), "__reduce__" | "__reduce_ex__" | "__setstate__" | "marshal_load"));
        let first = self.arguments(at + 1).and_then(|given| given.values.into_iter().next());
        let is_constant =
            matches!(&first, Some(Value::Text(text)) if !text.contains([HOLE, LISTED, READ]));
        if is_constant || first.is_some() && self.tokens.iter().any(is_maker) {
            say(line::opaque(), found);
        }
    }

    /// Runs a value as code.
    pub fn run(&self, code: Option<Value>, at: usize, found: &mut Vec<Line>) {
        let values = match code {
            Some(Value::Each(values)) => values,
            Some(value) => vec![value],
            None => return,
        };
        for value in values {
            match value {
                Value::Text(code) if !is_unknown(&code) && !code.contains(COMPUTED) => {
                    match self.nested.inside(self.language, &code) {
                        Some(lines) => found.extend(lines),
                        None => say(line::opaque(), found),
                    }
                }
                _ if self.is_file(at) => self.run_file(at, found),
                _ => say(line::opaque(), found),
            }
        }
    }

    /// Runs the file that a function is given the text of: `exec(open("a.py").read())`.
    fn run_file(&self, at: usize, found: &mut Vec<Line>) {
        let Some(reader) = self.reader(at) else { return };
        let path = match self.name(reader) {
            // `Path("a.py").read_text()`
            Some("read_text") => Some(self.names.value(object(self.tokens, reader), 0)),
            _ => self.arguments(reader + 1).and_then(|given| given.values.into_iter().next()),
        };
        let Some(path) = path else { return };
        let arguments = Arguments { values: vec![path], ..Arguments::default() };
        self.write(Meant { effect: Effect::Script, is_certain: true }, &arguments, found);
    }

    /// Whether what a function is given comes out of a file with a name, which is as known as any script: neither what it
    /// reads, nor what an address gives it.
    fn is_file(&self, at: usize) -> bool {
        const ELSEWHERE: [&str; 4] = ["/dev/stdin", "/dev/fd/0", "php://stdin", "php://input"];
        let Some(reader) = self.reader(at) else { return false };
        match self.tokens.get(reader + 2) {
            Some(Token::Text(path)) => !path.contains("://") && !ELSEWHERE.contains(&path.as_str()),
            Some(Token::Name(name)) => name != "0",
            _ => true,
        }
    }

    /// The place of the function that reads a file whose text a function is given.
    fn reader(&self, at: usize) -> Option<usize> {
        let close = closing(self.tokens, at + 1)?;
        let inside = (at + 2..close).find(|at| self.name(*at).is_some_and(is_reader));
        inside.or_else(|| match self.tokens.get(at + 2..close)? {
            // `with open("a.py") as f: exec(f.read())`
            [Token::Name(file), Token::Sign('.'), Token::Name(read), ..] if read == "read" => {
                self.opened_as(file)
            }
            _ => None,
        })
    }

    /// The place of `open` in what gives a name to a file: `open("a.py") as f`, `f = open("a.py")`.
    fn opened_as(&self, file: &str) -> Option<usize> {
        let is_open = |at: usize| self.name(at) == Some("open") && self.sign(at + 1) == Some('(');
        let opens = (0..self.tokens.len()).filter(|at| is_open(*at)).take(MAX_OPENED);
        let is_it = |at: &usize| {
            let is_set = at.checked_sub(2).and_then(|at| self.name(at)) == Some(file)
                && self.sign(at - 1) == Some('=');
            let behind = closing(self.tokens, at + 1);
            let is_bound = behind.is_some_and(|close| {
                self.name(close + 1) == Some("as") && self.name(close + 2) == Some(file)
            });
            is_set || is_bound
        };
        opens.into_iter().find(is_it)
    }
}

/// Whether a function reads a file.
fn is_reader(name: &str) -> bool {
    matches!(name, "open" | "read_text" | "readFileSync" | "file_get_contents")
}
