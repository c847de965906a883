//! From the text of a pattern to tokens. What stands in quotes, in a class or in the parentheses of
//! a call is text, whatever it holds.

use std::ops::Range;

use crate::fragment::Problem;

/// What kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word or a part of one.
    Text,
    /// Blanks.
    Blank,
    /// `|` between alternatives.
    Bar,
    /// The `(` of a call.
    Open,
    /// What stands in the parentheses of a call.
    Body,
    /// The `)` of a call.
    Close,
}

/// One token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// The tokens of a pattern, and what is wrong with them by themselves.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub tokens: Vec<Token>,
    pub problems: Vec<Problem>,
    /// Where something begins that is never closed: what the grammar finds in it is no news.
    pub unclosed: Option<usize>,
}

pub(super) fn tokenize(text: &str) -> Tokens {
    let mut lexer = Lexer { text, at: 0, out: Tokens::default() };
    while let Some(character) = lexer.peek() {
        lexer.next(character);
    }
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let range = self.at..self.at + length;
        self.at = range.end;
        match self.out.tokens.last_mut() {
            Some(last) if kind == Kind::Text && last.kind == kind => last.range.end = range.end,
            _ => self.out.tokens.push(Token { kind, range }),
        }
    }

    fn next(&mut self, character: char) {
        match character {
            '|' => self.push(Kind::Bar, 1),
            '(' if self.begins_call() => self.call(),
            '(' | ')' => self.stray(character),
            blank if blank.is_whitespace() => {
                let rest = self.rest();
                self.push(Kind::Blank, rest.len() - rest.trim_start().len());
            }
            _ => {
                let length = self.piece(character);
                self.push(Kind::Text, length);
            }
        }
    }

    /// The length of the text that begins here and belongs together.
    fn piece(&mut self, character: char) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        match character {
            '\'' | '"' => quoted(rest).unwrap_or_else(|| {
                let message = format!("this `{character}` is not closed");
                self.out.problems.push(
                    Problem::new(self.at..self.at + 1, message)
                        .help(format!("close it, or write `\\{character}` for the character")),
                );
                self.out.unclosed.get_or_insert(self.at);
                rest.len()
            }),
            '\\' => match rest.chars().nth(1) {
                Some(next) => 1 + next.len_utf8(),
                None => {
                    let place = self.at..self.at + 1;
                    self.out.problems.push(
                        Problem::new(place, "there is nothing behind the `\\`")
                            .help("write `\\\\` for a backslash"),
                    );
                    1
                }
            },
            '[' => class(rest).unwrap_or(1),
            other => other.len_utf8(),
        }
    }

    /// A parenthesis right behind the first word of an alternative opens a call.
    fn begins_call(&self) -> bool {
        let mut before = self.out.tokens.iter().rev();
        let is_word = before.next().is_some_and(|token| token.kind == Kind::Text);
        let first = before.find(|token| token.kind != Kind::Blank);
        is_word && first.is_none_or(|token| token.kind == Kind::Bar)
    }

    fn call(&mut self) {
        let open = self.at..self.at + 1;
        self.push(Kind::Open, 1);
        match body(self.rest()) {
            Some(length) => {
                self.push(Kind::Body, length);
                self.push(Kind::Close, 1);
            }
            None => {
                let end = self.text.len();
                self.out.unclosed.get_or_insert(open.start);
                self.out.problems.push(
                    Problem::new(open, "this `(` is never closed")
                        .help("add `)` where it ends")
                        .fix(end..end, ")"),
                );
                let length = end - self.at;
                self.push(Kind::Body, length);
                self.push(Kind::Close, 0);
            }
        }
    }

    fn stray(&mut self, character: char) {
        let place = self.at..self.at + 1;
        let problem = match character {
            ')' => Problem::new(place, "this `)` closes nothing")
                .help("delete it, or write `\\)` for the character"),
            _ => Problem::new(place, "a `(` stands only behind `bash` or `mcp`")
                .help("write `\\(` for the character"),
        };
        self.out.problems.push(problem);
        // Nothing that the grammar could say of it would help more.
        self.push(Kind::Text, 1);
    }
}

/// The length of the quoted text at the start, quotes included.
fn quoted(text: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    let (_, quote) = characters.next()?;
    while let Some((at, character)) = characters.next() {
        if character == quote {
            return Some(at + 1);
        }
        if character == '\\' && quote == '"' {
            characters.next();
        }
    }
    None
}

/// The length of the class at the start, brackets included. Blanks are never in one.
fn class(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let negated = usize::from(inner.starts_with(['!', '^']));
    // A `]` that comes first means itself.
    let first = inner.get(negated..)?.chars().next()?.len_utf8();
    let start = 1 + negated + first;
    let end = start + text.get(start..)?.find(']')?;
    let is_one_word = !text.get(..end)?.contains(char::is_whitespace);
    is_one_word.then_some(end + 1)
}

/// The length of what stands before the `)` that closes a call.
fn body(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let character = rest.chars().next()?;
        let mut length = character.len_utf8();
        match character {
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            '(' => depth += 1,
            // An apostrophe that nothing closes is reported by whoever reads the command.
            '\'' | '"' => length = quoted(rest).unwrap_or(1),
            '\\' => length += rest.chars().nth(1).map_or(0, char::len_utf8),
            _ => {}
        }
        at += length;
    }
    None
}
