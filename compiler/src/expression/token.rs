//! From text to tokens: what the grammar sees of an expression. Reports only what no grammar could
//! say better: strings without an end, and spellings borrowed from other languages.

use std::ops::Range;

use super::template::WORDS;
use crate::fragment::{MAX_PROBLEMS, Problem, escaped};

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparator {
    pub(super) const ALL: [Self; 6] = [
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
    ];

    /// The operator as it is written.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// What kind of token; its text is in the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    And,
    Or,
    Not,
    True,
    False,
    /// A word of some condition's form.
    Word(&'static str),
    /// A bare name that is no word of the language.
    Name,
    /// A string in quotes.
    Quoted,
    /// A whole number.
    Integer,
    /// Any other number.
    Decimal,
    Compare(Comparator),
    LeftParen,
    /// A parenthesis without its partner; the grammar reads it like any other.
    UnclosedParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Comma,
    /// A character with no meaning here.
    Unknown,
}

impl Kind {
    /// The word's kind, if the language has that word.
    pub(super) fn of_word(text: &str) -> Option<Self> {
        match text {
            "and" => Some(Self::And),
            "or" => Some(Self::Or),
            "not" => Some(Self::Not),
            "true" => Some(Self::True),
            "false" => Some(Self::False),
            _ => {
                let index = WORDS.binary_search(&text).ok()?;
                WORDS.get(index).map(|word| Self::Word(word))
            }
        }
    }

    /// The spelling of a word of the language.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::And => Some("and"),
            Self::Or => Some("or"),
            Self::Not => Some("not"),
            Self::True => Some("true"),
            Self::False => Some("false"),
            Self::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether a name of a counter, flag, set or parameter may be written so.
    pub(super) fn is_name(self) -> bool {
        match self {
            Self::And | Self::Or | Self::Not => false,
            Self::Name | Self::Quoted | Self::Integer | Self::Decimal => true,
            word => word.word().is_some(),
        }
    }

    /// Whether it is an opening parenthesis.
    pub(super) fn opens(self) -> bool {
        matches!(self, Self::LeftParen | Self::UnclosedParen)
    }

    /// Whether it is a value: text in quotes, a number, `true` or `false`.
    pub(super) fn is_scalar(self) -> bool {
        matches!(self, Self::Quoted | Self::Integer | Self::Decimal | Self::True | Self::False)
    }
}

/// One token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

/// The tokens of an expression, and what is wrong with them by themselves.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) problems: Vec<Problem>,
    /// Where a string without an end begins: what the grammar finds behind it is no news.
    pub(super) unreliable_from: Option<usize>,
}

/// Cuts an expression into tokens; every byte that is not blank belongs to one.
pub(super) fn tokenize(text: &str) -> Tokens {
    let mut lexer = Lexer { text, at: 0, out: Tokens::default() };
    lexer.out.tokens.reserve(text.len() / 4 + 1);
    while let Some(next) = lexer.peek() {
        lexer.token(next);
    }
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    out: Tokens,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: Kind, length: usize) -> Range<usize> {
        let range = self.at..self.at + length;
        self.at = range.end;
        self.out.tokens.push(Token { kind, range: range.clone() });
        range
    }

    /// Pushes a token that is spelt as elsewhere, says so, and goes on as if it were right.
    fn push_foreign(&mut self, kind: Kind, length: usize, instead: &str) {
        let range = self.push(kind, length);
        let written = self.text.get(range.clone()).unwrap_or_default();
        let problem = Problem::new(range.clone(), format!("`{written}` is written `{instead}`"))
            .help(format!("write `{instead}`"))
            .fix(range, instead);
        self.report(problem);
    }

    fn report(&mut self, problem: Problem) {
        if self.out.problems.len() < MAX_PROBLEMS {
            self.out.problems.push(problem);
        }
    }

    fn token(&mut self, next: char) {
        match next {
            blank if blank.is_whitespace() => self.at += blank.len_utf8(),
            '(' => drop(self.push(Kind::LeftParen, 1)),
            ')' => drop(self.push(Kind::RightParen, 1)),
            '[' => drop(self.push(Kind::LeftBracket, 1)),
            ']' => drop(self.push(Kind::RightBracket, 1)),
            ',' => drop(self.push(Kind::Comma, 1)),
            '"' | '\'' => self.quoted(next),
            '=' | '!' | '<' | '>' | '&' | '|' => self.operator(),
            _ => self.word(next),
        }
    }

    fn operator(&mut self) {
        let rest = self.rest();
        for (symbol, kind) in [("&&", Kind::And), ("||", Kind::Or)] {
            if rest.starts_with(symbol) {
                self.push(kind, 2);
                return;
            }
        }
        let foreign = [
            ("===", Comparator::Equal),
            ("!==", Comparator::NotEqual),
            ("=>", Comparator::GreaterOrEqual),
            ("=<", Comparator::LessOrEqual),
            ("<>", Comparator::NotEqual),
        ];
        for (symbol, comparator) in foreign {
            if rest.starts_with(symbol) {
                let kind = Kind::Compare(comparator);
                return self.push_foreign(kind, symbol.len(), comparator.symbol());
            }
        }
        let longest_first = |length| {
            let mut all = Comparator::ALL.into_iter();
            all.find(|c| c.symbol().len() == length && rest.starts_with(c.symbol()))
        };
        if let Some(found) = longest_first(2).or_else(|| longest_first(1)) {
            self.push(Kind::Compare(found), found.symbol().len());
            return;
        }
        match rest.as_bytes().first() {
            Some(b'!') => drop(self.push(Kind::Not, 1)),
            Some(b'=') => self.push_foreign(Kind::Compare(Comparator::Equal), 1, "=="),
            Some(b'&') => self.push_foreign(Kind::And, 1, "and"),
            _ => self.push_foreign(Kind::Or, 1, "or"),
        }
    }

    /// A string up to its closing quote; without one, up to the end of the line.
    fn quoted(&mut self, quote: char) {
        let line = |text: &'t str| text.split(['\n', '\r']).next().unwrap_or_default();
        let mut rest = self.rest();
        if self.out.unreliable_from.is_some() {
            // Strings no longer cross lines: each could go on to the end of the text in vain.
            rest = line(rest);
        }
        if let Some(length) = quoted_length(rest, quote) {
            self.push(Kind::Quoted, length);
            return;
        }
        let range = self.push(Kind::Quoted, line(rest).len());
        self.out.unreliable_from.get_or_insert(range.start);
        let problem = Problem::new(range, format!("this text has no closing `{quote}`"));
        self.report(problem.help(format!(
            "add `{quote}` where the text ends; inside the text, write it `\\{quote}`"
        )));
    }

    fn word(&mut self, first: char) {
        let rest = self.rest();
        let signed = first == '-' && rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if !(first.is_alphanumeric() || first == '_' || signed) {
            self.push(Kind::Unknown, first.len_utf8());
            return;
        }
        let length = rest
            .char_indices()
            .find(|(_, c)| !is_name_character(*c))
            .map_or(rest.len(), |(index, _)| index);
        let text = rest.get(..length).unwrap_or_default();
        if let Some(number) = number(text) {
            self.push(number, length);
            return;
        }
        match Kind::of_word(text) {
            Some(kind) => drop(self.push(kind, length)),
            None => self.name(text),
        }
    }

    /// A name, or one of the few words that people like to write in capitals.
    fn name(&mut self, text: &str) {
        let shouted = ["and", "or", "not", "true", "false"]
            .into_iter()
            .find(|word| word.eq_ignore_ascii_case(text));
        match shouted.and_then(|word| Some((word, Kind::of_word(word)?))) {
            Some((word, kind)) => self.push_foreign(kind, text.len(), word),
            None => drop(self.push(Kind::Name, text.len())),
        }
    }
}

/// The bytes from an opening quote to its closing one, if there is one.
fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        if !escaped && byte == quote as u8 {
            return Some(index + 1);
        }
        escaped = !escaped && byte == b'\\';
    }
    None
}

/// Whether a bare name may hold the character.
pub(super) fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The kind of number that `text` is, if it is one.
fn number(text: &str) -> Option<Kind> {
    if !text.bytes().find(|byte| *byte != b'-')?.is_ascii_digit() {
        return None;
    }
    if text.parse::<i64>().is_ok() {
        return Some(Kind::Integer);
    }
    text.parse::<f64>().is_ok_and(f64::is_finite).then_some(Kind::Decimal)
}

/// The text that a string in quotes stands for.
pub(super) fn unquote(quoted: &str) -> String {
    let mut characters = quoted.chars();
    let Some(quote) = characters.next() else { return String::new() };
    let body = characters.as_str();
    let mut out = String::with_capacity(body.len());
    let mut characters = body.chars().peekable();
    while let Some(next) = characters.next() {
        match next {
            '\\' => match characters.next_if(|c| matches!(c, '"' | '\'' | '\\')) {
                Some(escaped) => out.push(escaped),
                None => out.push('\\'),
            },
            end if end == quote => break,
            other => out.push(other),
        }
    }
    out
}

/// The shortest string in double quotes that [`unquote`] reads as `text`.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}
