//! What AWK writes into files and commands, and reads of them, by signs of its own: `print > "file"`, `print | "command"`,
//! `"command" | getline`. Its calls are read as those of other languages.

use super::code::Scan;
use super::effects::{emptied, files, piped, shell};
use super::line::Line;
use super::parts::{MAX_ARGUMENTS, split};
use super::token::Token;
use super::value::Value;
use crate::hole::HOLE;

impl Scan<'_> {
    /// `"command" | getline`
    pub fn is_read(&self, at: usize) -> bool {
        let is_grouped = at.checked_sub(1).and_then(|at| self.sign(at)) == Some('(');
        let at = at + usize::from(is_grouped && self.sign(at + 1) == Some(')'));
        let pipe = usize::from(self.sign(at + 2) == Some('&'));
        self.sign(at + 1) == Some('|') && self.name(at + 2 + pipe) == Some("getline")
    }

    /// `print | "command"`, `print |& "command"`
    pub fn is_pipe(&self, at: usize) -> bool {
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.sign(at));
        match before(1) {
            Some('|') => before(2) != Some('|'),
            Some('&') => before(2) == Some('|'),
            _ => false,
        }
    }

    /// What AWK writes into a command, or reads of it.
    pub fn pipe(&self, at: usize, text: &str, found: &mut Vec<Line>) {
        if self.is_read(at) {
            return shell(text, found);
        }
        if self.takes_in(at) {
            return files("<", [&Value::Text(text.to_owned())], false, found);
        }
        let writes = self.writes(at);
        if !writes && !self.is_pipe(at) {
            return;
        }
        let Some(written) = self.printed(at) else { return };
        if writes {
            let path = Value::Text(text.to_owned());
            if self.prints_nothing(written) {
                emptied(&path, found);
            }
            return files(">", [&path], false, found);
        }
        let end = written.iter().rposition(|token| *token == Token::Sign('|')).unwrap_or(0);
        let parts = split(written.get(..end).unwrap_or_default(), &[',']);
        let values: Vec<Value> = parts.iter().map(|part| self.names.value(part, 0)).collect();
        let given = match values.as_slice() {
            [Value::Text(text)] => text.clone(),
            _ => HOLE.to_string(),
        };
        piped(&given, text, found);
    }

    /// `getline < "file"`, `getline line < "file"`
    fn takes_in(&self, at: usize) -> bool {
        let before = |count: usize| at.checked_sub(count);
        before(1).and_then(|at| self.sign(at)) == Some('<')
            && [2, 3]
                .into_iter()
                .any(|count| before(count).and_then(|at| self.name(at)) == Some("getline"))
    }

    /// `print > "file"`, `print >> "file"`
    fn writes(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|at| self.sign(at)) == Some('>')
    }

    /// Whether nothing is printed into the file that a field of each line names.
    pub fn empties_field(&self, at: usize) -> bool {
        let Some(sign) = at.checked_sub(1).filter(|at| self.sign(*at) == Some('$')) else {
            return false;
        };
        self.writes(sign) && self.printed(sign).is_some_and(|written| self.prints_nothing(written))
    }

    /// `printf "" > file`
    fn prints_nothing(&self, written: &[Token]) -> bool {
        matches!(written, [Token::Text(text), Token::Sign('>')] if text.is_empty())
    }

    /// What stands behind the `print` or `printf` of the same statement, up to here.
    fn printed(&self, at: usize) -> Option<&[Token]> {
        let start = at.saturating_sub(MAX_ARGUMENTS);
        let before = self.tokens.get(start..at)?;
        let ends = |token: &Token| matches!(token, Token::Sign(';' | '\n' | '{' | '}'));
        let begin = before.iter().rposition(ends).map_or(0, |at| at + 1);
        let before = before.get(begin..)?;
        let prints = |token: &Token| matches!(token, Token::Name(word) if word == "print" || word == "printf");
        before.get(before.iter().position(prints)? + 1..)
    }
}
