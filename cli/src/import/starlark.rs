//! The part of Starlark that rule files are written in: calls with plain values, and names for such
//! values. Anything else is passed over as a whole, and said to be.

use std::collections::{HashMap, HashSet};

use behavior_compiler::source::{FileId, Span};

/// Lists within lists.
const MAX_DEPTH: usize = 16;
/// The largest value that a name may stand for, so that names of names do not grow for ever.
const LARGEST: usize = 4_096;
/// How much is put in the places of names, in all.
const MAX_COPIED: usize = 1 << 20;

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// A call of a function.
    Call(Call),
    /// Something that is not understood.
    Other {
        /// Where it begins.
        span: Span,
        /// What it is, for people.
        what: String,
    },
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The function.
    pub name: String,
    /// The whole of it.
    pub span: Span,
    /// The arguments in order, with their names.
    pub arguments: Vec<(Option<String>, Value)>,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Where it begins.
    pub span: Span,
    pub kind: ValueKind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum ValueKind {
    Text(String),
    List(Vec<Value>),
    /// A number, a tuple, `None`: nothing that a rule takes.
    Wrong,
    /// Something that would have to be worked out.
    Other,
}

impl Value {
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn items(&self) -> Option<&[Value]> {
        match &self.kind {
            ValueKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// How much it takes up: values and bytes of text.
    fn size(&self) -> usize {
        match &self.kind {
            ValueKind::Text(text) => 1 + text.len(),
            ValueKind::List(items) => 1 + items.iter().map(Value::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// The first value in it that is not plain.
    pub fn other(&self) -> Option<&Value> {
        match &self.kind {
            ValueKind::Other => Some(self),
            ValueKind::List(items) => items.iter().find_map(Value::other),
            _ => None,
        }
    }
}

/// Why a file does not load.
#[derive(Debug)]
pub(super) struct Problem {
    pub span: Span,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    Number,
    Sign(char),
    /// The end of a logical line.
    End,
}

/// A token, where it begins and ends, and whether it begins its line behind blanks.
#[derive(Clone, Debug)]
struct Lexeme {
    token: Token,
    start: usize,
    end: usize,
    is_indented: bool,
}

/// Reads a file.
///
/// # Errors
/// The first thing that is no Starlark.
pub(super) fn parse(file: FileId, text: &str) -> Result<Vec<Statement>, Problem> {
    let lexemes = Lexer { file, text, at: 0, depth: Vec::new(), out: Vec::new() }.run()?;
    let mut parser = Parser {
        file,
        lexemes,
        at: 0,
        names: HashMap::new(),
        copied: 0,
        functions: HashSet::new(),
    };
    let mut statements = Vec::new();
    while parser.at < parser.lexemes.len() {
        if let Some(statement) = parser.statement() {
            statements.push(statement);
        }
    }
    Ok(statements)
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, start as u32, end as u32)
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    /// The brackets that are open.
    depth: Vec<(char, usize)>,
    out: Vec<Lexeme>,
}

impl Lexer<'_> {
    fn run(mut self) -> Result<Vec<Lexeme>, Problem> {
        let mut line_start = true;
        let mut is_indented = false;
        while let Some(character) = self.peek() {
            let start = self.at;
            let begins_line = std::mem::replace(&mut line_start, false);
            match character {
                '\n' => {
                    self.bump();
                    line_start = true;
                    is_indented = false;
                    let ends = self.out.last().is_some_and(|last| last.token != Token::End);
                    if self.depth.is_empty() && ends {
                        self.push(Token::End, start, false);
                    }
                    continue;
                }
                '\t' => return Err(self.problem(start, "there is a tab, which Codex refuses")),
                ' ' | '\r' => {
                    self.bump();
                    is_indented |= begins_line && character == ' ';
                    continue;
                }
                '\\' if self.rest().starts_with("\\\n") => {
                    self.at += 2;
                    continue;
                }
                '#' => {
                    let length = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += length;
                    continue;
                }
                '"' | '\'' => {
                    let value = self.string(false)?;
                    self.push(Token::Text(value), start, is_indented);
                }
                'r' if self.rest().starts_with("r\"") || self.rest().starts_with("r'") => {
                    self.bump();
                    let value = self.string(true)?;
                    self.push(Token::Text(value), start, is_indented);
                }
                _ if character.is_alphabetic() || character == '_' => {
                    let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
                    self.push(Token::Name(name), start, is_indented);
                }
                _ if character.is_ascii_digit() => {
                    self.take_while(|c| c.is_alphanumeric() || c == '.');
                    self.push(Token::Number, start, is_indented);
                }
                _ => self.sign(character, start, is_indented)?,
            }
            is_indented = false;
        }
        if let Some(&(open, at)) = self.depth.last() {
            return Err(self.problem(at, &format!("this `{open}` is not closed")));
        }
        self.push(Token::End, self.text.len(), false);
        Ok(self.out)
    }

    fn sign(&mut self, sign: char, start: usize, is_indented: bool) -> Result<(), Problem> {
        if sign.is_control() || sign == '\u{FEFF}' {
            return Err(self.problem(start, "there is a character that means nothing here"));
        }
        self.bump();
        match sign {
            '(' | '[' | '{' => self.depth.push((sign, start)),
            ')' | ']' | '}' => {
                let open = self.depth.pop().map(|(open, _)| open);
                if !matches!((open, sign), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                    return Err(self.problem(start, &format!("nothing is open for this `{sign}`")));
                }
            }
            _ => {}
        }
        self.push(Token::Sign(sign), start, is_indented);
        Ok(())
    }

    /// A string; `at` is on its first quote.
    fn string(&mut self, is_raw: bool) -> Result<String, Problem> {
        let start = self.at;
        let quote = self.bump().unwrap_or('"');
        let triple: String = [quote; 3].iter().collect();
        let is_triple = self.text.get(start..).is_some_and(|text| text.starts_with(&triple));
        if is_triple {
            self.at = start + 3;
        }
        let mut out = String::new();
        loop {
            if is_triple && self.rest().starts_with(&triple) {
                self.at += 3;
                return Ok(out);
            }
            match self.bump() {
                Some(character) if character == quote && !is_triple => return Ok(out),
                None => return Err(self.problem(start, "this string is not closed")),
                Some('\n') if !is_triple => {
                    return Err(self.problem(start, "this string is not closed on its line"));
                }
                Some('\\') if is_raw => {
                    out.push('\\');
                    out.extend(self.bump());
                }
                Some('\\') => self.escape(&mut out),
                Some(character) => out.push(character),
            }
        }
    }

    fn escape(&mut self, out: &mut String) {
        match self.bump() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\n') | None => {}
            Some(character @ ('\\' | '\'' | '"')) => out.push(character),
            Some(sign @ ('x' | 'u' | 'U')) => {
                let digits = match sign {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let code = self.text.get(self.at..self.at + digits);
                let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
                match code.and_then(char::from_u32) {
                    Some(character) => {
                        self.at += digits;
                        out.push(character);
                    }
                    None => out.extend(['\\', sign]),
                }
            }
            Some(other) => out.extend(['\\', other]),
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    fn take_while(&mut self, test: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let length = rest.find(|c| !test(c)).unwrap_or(rest.len());
        let taken = rest.get(..length).unwrap_or_default().to_owned();
        self.at += length;
        taken
    }

    fn push(&mut self, token: Token, start: usize, is_indented: bool) {
        let end = self.at.max(start);
        self.out.push(Lexeme { token, start, end, is_indented });
    }

    fn problem(&self, at: usize, message: &str) -> Problem {
        Problem { span: span(self.file, at, at + 1), message: message.to_owned() }
    }
}

struct Parser {
    file: FileId,
    lexemes: Vec<Lexeme>,
    at: usize,
    /// What names stand for.
    names: HashMap<String, Value>,
    /// How much of that was put in their places.
    copied: usize,
    /// The functions that the file has made.
    functions: HashSet<String>,
}

impl Parser {
    fn token(&self, ahead: usize) -> Option<&Token> {
        self.lexemes.get(self.at + ahead).map(|lexeme| &lexeme.token)
    }

    fn is_sign(&self, ahead: usize, sign: char) -> bool {
        self.token(ahead) == Some(&Token::Sign(sign))
    }

    fn start(&self) -> usize {
        self.lexemes.get(self.at).map_or(0, |lexeme| lexeme.start)
    }

    fn statement(&mut self) -> Option<Statement> {
        let (begin, start) = (self.at, self.start());
        if let Some(Token::Name(name)) = self.token(0).cloned() {
            if self.is_sign(1, '(') && !self.functions.contains(&name) {
                self.at += 2;
                let arguments = self.arguments();
                let end = self.lexemes.get(self.at.saturating_sub(1)).map_or(start, |l| l.end);
                if let Some(arguments) = arguments
                    && self.ends()
                {
                    let span = span(self.file, start, end);
                    return Some(Statement::Call(Call { name, span, arguments }));
                }
            } else if self.is_sign(1, '=') && !self.is_sign(2, '=') {
                self.at += 2;
                let value = self.value(0);
                if self.ends() {
                    let kind = if value.size() > LARGEST { ValueKind::Other } else { value.kind };
                    self.names.insert(name, Value { kind, ..value });
                    return None;
                }
            }
        }
        self.at = begin;
        self.pass_over()
    }

    /// Whether the line ends here; if so, it is left behind.
    fn ends(&mut self) -> bool {
        let ends = matches!(self.token(0), Some(Token::End) | None) || self.is_sign(0, ';');
        self.at += usize::from(ends);
        ends
    }

    /// Leaves a statement behind, with the lines that are indented under it.
    fn pass_over(&mut self) -> Option<Statement> {
        let start = self.start();
        let what = match self.token(0) {
            Some(Token::End) | None => {
                self.at += 1;
                return None;
            }
            Some(Token::Text(_)) if matches!(self.token(1), Some(Token::End) | None) => {
                // A text that stands alone is a comment.
                self.at += 2;
                return None;
            }
            Some(Token::Name(name)) => {
                let what = format!("a statement that begins with `{name}`");
                if name == "def"
                    && let Some(Token::Name(function)) = self.token(1).cloned()
                {
                    self.functions.insert(function);
                }
                what
            }
            _ => "a statement that is no call".to_owned(),
        };
        loop {
            while !matches!(self.token(0), Some(Token::End) | None) {
                self.at += 1;
            }
            self.at += 1;
            if !self.lexemes.get(self.at).is_some_and(|lexeme| lexeme.is_indented) {
                break;
            }
        }
        Some(Statement::Other { span: span(self.file, start, start + 1), what })
    }

    /// Arguments up to the closing parenthesis.
    fn arguments(&mut self) -> Option<Vec<(Option<String>, Value)>> {
        let mut arguments = Vec::new();
        while !self.is_sign(0, ')') {
            let name = match self.token(0) {
                Some(Token::Name(name)) if self.is_sign(1, '=') && !self.is_sign(2, '=') => {
                    Some(name.clone())
                }
                _ => None,
            };
            self.at += if name.is_some() { 2 } else { 0 };
            let value = self.value(0);
            arguments.push((name, value));
            if self.is_sign(0, ',') {
                self.at += 1;
            } else if !self.is_sign(0, ')') {
                return None;
            }
        }
        self.at += 1;
        Some(arguments)
    }

    /// A value, up to the sign behind it.
    fn value(&mut self, depth: usize) -> Value {
        let start = self.start();
        let mut kind = self.operand(depth);
        while self.is_sign(0, '+') {
            self.at += 1;
            let other = self.operand(depth);
            kind = match (kind, other) {
                (ValueKind::Text(left), ValueKind::Text(right)) => ValueKind::Text(left + &right),
                (ValueKind::List(mut left), ValueKind::List(right)) => {
                    left.extend(right);
                    ValueKind::List(left)
                }
                _ => ValueKind::Other,
            };
        }
        if !self.is_at_end_of_value() {
            self.skip_to_end_of_value();
            kind = ValueKind::Other;
        }
        Value { span: span(self.file, start, start + 1), kind }
    }

    fn is_at_end_of_value(&self) -> bool {
        match self.token(0) {
            Some(Token::Sign(sign)) => matches!(sign, ',' | ')' | ']' | '}' | ';'),
            Some(Token::End) | None => true,
            _ => false,
        }
    }

    fn skip_to_end_of_value(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.token(0) {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') if depth > 0 => depth -= 1,
                Token::Sign(',' | ')' | ']' | '}' | ';') | Token::End if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn operand(&mut self, depth: usize) -> ValueKind {
        let token = self.token(0).cloned();
        match token {
            Some(Token::Text(mut text)) => {
                self.at += 1;
                while let Some(Token::Text(next)) = self.token(0) {
                    text.push_str(next);
                    self.at += 1;
                }
                ValueKind::Text(text)
            }
            Some(Token::Number) => {
                self.at += 1;
                ValueKind::Wrong
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                match &*name {
                    "None" | "True" | "False" => ValueKind::Wrong,
                    _ => self.named(&name),
                }
            }
            Some(Token::Sign('[')) if depth < MAX_DEPTH => self.list(depth),
            Some(Token::Sign('(')) if depth < MAX_DEPTH => self.in_parentheses(depth),
            _ => ValueKind::Other,
        }
    }

    /// A value in parentheses, or a tuple.
    fn in_parentheses(&mut self, depth: usize) -> ValueKind {
        let open = self.at;
        self.at += 1;
        let value = self.value(depth + 1);
        if self.is_sign(0, ')') {
            self.at += 1;
            return value.kind;
        }
        self.at = open;
        self.skip_brackets();
        ValueKind::Wrong
    }

    /// What a name stands for.
    fn named(&mut self, name: &str) -> ValueKind {
        let Some(value) = self.names.get(name) else { return ValueKind::Other };
        self.copied += value.size();
        if self.copied > MAX_COPIED { ValueKind::Other } else { value.kind.clone() }
    }

    fn list(&mut self, depth: usize) -> ValueKind {
        let open = self.at;
        self.at += 1;
        let mut items = Vec::new();
        while !self.is_sign(0, ']') {
            items.push(self.value(depth + 1));
            if self.is_sign(0, ',') {
                self.at += 1;
            } else if !self.is_sign(0, ']') {
                self.at = open;
                self.skip_brackets();
                return ValueKind::Other;
            }
        }
        self.at += 1;
        ValueKind::List(items)
    }

    /// Leaves what the bracket here encloses behind.
    fn skip_brackets(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.token(0) {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}
