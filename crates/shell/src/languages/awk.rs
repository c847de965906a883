//! What AWK writes into files and commands, and reads of them, by signs of its own: `print > "file"`, `print | "command"`,
//! `"command" | getline`. Texts that stand side by side are one. Its calls are read as those of other languages.

use super::code::Scan;
use super::effects::{emptied, files, piped, shell};
use super::line::Line;
use super::parts::{MAX_ARGUMENTS, opening, split, value_of_awk};
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
        if !self.is_pipe(at) {
            return;
        }
        let Some(written) = self.printed(at) else { return };
        let end = written.iter().rposition(|token| *token == Token::Sign('|')).unwrap_or(0);
        let parts = split(written.get(..end).unwrap_or_default(), &[',']);
        let values: Vec<Value> = parts.iter().map(|part| self.names.value(part, 0)).collect();
        let given = match values.as_slice() {
            [Value::Text(text)] => text.clone(),
            _ => HOLE.to_string(),
        };
        piped(&given, text, found);
    }

    /// What the sign `>` or `<` at a place lets AWK write or read: `print > "a" name`, `getline line < name`.
    pub fn redirected(&self, at: usize, found: &mut Vec<Line>) {
        match self.sign(at) {
            Some('<') if self.takes_in(at) => {
                let path = self.names.value(self.first_term(at + 1), 0);
                files("<", [&path], false, found);
            }
            // Of `>>` the first.
            Some('>') if !self.writes(at) => {
                let Some(written) = self.printed(at + 1) else { return };
                if !is_even(written) {
                    return;
                }
                let path = self.names.value(self.target(at + 1), 0);
                let is_appended = self.sign(at + 1) == Some('>');
                if !is_appended && self.prints_nothing(written) {
                    emptied(&path, found);
                }
                match path {
                    // One of them, whichever AWK reads at the time.
                    Value::Told(told) if told.is_all => files("touch --", [&path], false, found),
                    path => files(">", [&path], false, found),
                }
            }
            _ => {}
        }
    }

    /// A command that AWK reads from or writes into, where that is put together: `"cat " name | getline`,
    /// `print | ("cat > " name)`.
    pub fn joined_pipe(&self, at: usize, found: &mut Vec<Line>) {
        let is_pipe = at.checked_sub(1).and_then(|at| self.sign(at)) != Some('|');
        let behind = at + 1 + usize::from(self.sign(at + 1) == Some('&'));
        if !is_pipe || self.sign(behind) == Some('|') {
            return;
        }
        let command = match self.name(behind) {
            Some("getline") => self.before(at),
            _ if self.sign(behind) == Some('(') => self.first_term(behind),
            _ => return,
        };
        // What stands alone is looked at where it stands.
        if command.len() < 2 {
            return;
        }
        if let Value::Text(text) = self.names.value(command, 0) {
            shell(&text, found);
        }
    }

    /// The values side by side that end before a place.
    fn before(&self, at: usize) -> &[Token] {
        let start = at.saturating_sub(MAX_ARGUMENTS);
        let before = self.tokens.get(start..at).unwrap_or_default();
        if let [inner @ .., Token::Sign(')')] = before {
            let open = opening(before).map_or(inner.len(), |open| open + 1);
            return inner.get(open..).unwrap_or_default();
        }
        let ends =
            |token: &Token| matches!(token, Token::Sign(';' | '\n' | '{' | '}' | '(' | '=' | '!'));
        let begin = before.iter().rposition(ends).map_or(0, |at| at + 1);
        before.get(begin..).unwrap_or_default()
    }

    /// Where a redirection leads: up to the end of the statement.
    fn target(&self, at: usize) -> &[Token] {
        let at = at + usize::from(self.sign(at) == Some('>'));
        let behind = self.tokens.get(at..).unwrap_or_default();
        let behind = behind.get(..behind.len().min(MAX_ARGUMENTS)).unwrap_or_default();
        let mut depth = 0_usize;
        let end = behind.iter().position(|token| {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') if depth > 0 => depth -= 1,
                Token::Sign(';' | '\n' | '}' | ')') => return depth == 0,
                _ => {}
            }
            false
        });
        behind.get(..end.unwrap_or(behind.len())).unwrap_or_default()
    }

    /// The one value that stands at a place.
    fn first_term(&self, at: usize) -> &[Token] {
        let behind = self.tokens.get(at..).unwrap_or_default();
        behind.get(..value_of_awk(behind)).unwrap_or_default()
    }

    /// `getline < "file"`, `getline line < "file"`
    fn takes_in(&self, at: usize) -> bool {
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.name(at));
        [1, 2].into_iter().any(|count| before(count) == Some("getline"))
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

/// Whether all brackets that are open are closed, too.
fn is_even(tokens: &[Token]) -> bool {
    let mut depth = 0_i64;
    tokens.iter().all(|token| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        depth >= 0
    }) && depth == 0
}
