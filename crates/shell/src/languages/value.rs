//! Constant values in code: texts, lists of them, and paths that are put together. What is not constant is unknown.

use std::collections::HashMap;

use super::super::HOLE;
use super::Language;
use super::token::Token;

/// Stands for a file or directory that the code makes for itself, under a name that nobody else has.
const MADE: &str = "/tmp/mktemp.new";

/// How deep expressions nest.
const MAX_DEPTH: u32 = 16;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, with holes for what is not known of it.
    Text(String),
    /// A list or a tuple.
    List(Vec<Value>),
    /// Anything else.
    Unknown,
}

impl Value {
    /// The text, where some of it is known.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.chars().all(|character| character == HOLE) => Some(text),
            _ => None,
        }
    }

    /// As a piece of a text.
    fn piece(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            _ => HOLE.to_string(),
        }
    }
}

/// The values of names that are set once.
#[derive(Debug, Default)]
pub struct Names {
    known: HashMap<String, Value>,
}

/// Functions that return their first argument as a path, or join all of them to one.
const JOINS: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "join",
    "resolve",
    "normalize",
    "abspath",
    "realpath",
    "str",
    "String",
    "fspath",
    "expanduser",
    "quote",
    "normpath",
    "expand_path",
    "catfile",
    "catdir",
];

/// Functions that make a file or directory of their own.
const MAKES: &[&str] = &[
    "mkdtemp",
    "mkstemp",
    "mktemp",
    "mkdtempSync",
    "TemporaryDirectory",
    "NamedTemporaryFile",
    "gettempdir",
    "tmpdir",
    "mktmpdir",
    "tempdir",
    "tempfile",
    "tmpname",
    "tempnam",
    "sys_get_temp_dir",
    "makeTempDirSync",
    "makeTempDir",
];

/// What stands for the home of the user.
const HOMES: &[&str] = &["homedir", "home"];

impl Names {
    /// Takes up what is set in code, where it is set once and nothing else is known to change it.
    pub fn of(language: Language, tokens: &[Token]) -> Self {
        let mut names = Self::default();
        let mut seen: HashMap<&str, u32> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            if let (Token::Name(name), true) = (token, sets(tokens, at)) {
                *seen.entry(name).or_default() += 1;
            }
        }
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let once = seen.get(&**name) == Some(&1) && is_plainly_set(tokens, at);
            if !once || language == Language::Unknown {
                continue;
            }
            let behind = tokens.get(at + 2..).unwrap_or_default();
            let end = statement(behind);
            let value = names.value(behind.get(..end).unwrap_or_default(), 0);
            if value != Value::Unknown {
                names.known.insert(name.clone(), value);
            }
        }
        names
    }

    /// The value of an expression.
    pub fn value(&self, tokens: &[Token], depth: u32) -> Value {
        if depth > MAX_DEPTH {
            return Value::Unknown;
        }
        let tokens = trimmed(tokens);
        if let [Token::Sign('['), .., Token::Sign(']')] | [Token::Sign('('), .., Token::Sign(')')] =
            tokens
            && closing(tokens, 0) == Some(tokens.len() - 1)
        {
            let inner = tokens.get(1..tokens.len() - 1).unwrap_or_default();
            let items: Vec<Value> =
                split(inner, &[',']).into_iter().map(|item| self.value(item, depth + 1)).collect();
            let is_list = matches!(tokens.first(), Some(Token::Sign('['))) || items.len() != 1;
            return match is_list {
                true => Value::List(items),
                false => items.into_iter().next().unwrap_or(Value::Unknown),
            };
        }
        if let [Token::Words(words)] = tokens {
            return Value::List(words.iter().cloned().map(Value::Text).collect());
        }
        // `a / b` joins paths, `a + b` and `a . b` texts, and `a % b` fills in.
        let parts = split(tokens, &['/']);
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| self.value(part, depth + 1));
            return Value::Text(join(parts));
        }
        let parts = split(tokens, &['+']);
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| self.value(part, depth + 1).piece());
            return Value::Text(parts.collect());
        }
        self.term(tokens, depth)
    }

    fn term(&self, tokens: &[Token], depth: u32) -> Value {
        match tokens {
            [Token::Text(text)] => Value::Text(text.clone()),
            // Texts side by side are one, and what follows may change it.
            [Token::Text(text), Token::Text(_), ..] => {
                let pieces = tokens.iter().map_while(|token| match token {
                    Token::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                let all: String = pieces.clone().collect();
                let is_all = pieces.count() == tokens.len();
                Value::Text(if is_all { all } else { format!("{text}{HOLE}") })
            }
            [Token::Text(text), Token::Sign('.'), Token::Text(more)] => {
                Value::Text(format!("{text}{more}"))
            }
            // `"…{}".format(x)`, `"%s" % x`, `"a" . $x`: the beginning is known.
            [Token::Text(text), ..] => Value::Text(beginning(text)),
            [Token::Sign('$'), rest @ ..] => self.term(rest, depth),
            [Token::Name(name)] => self.known.get(name).cloned().unwrap_or(Value::Unknown),
            [.., Token::Sign(')')] => self.call(tokens, depth),
            _ => Value::Unknown,
        }
    }

    /// The value of a call, by the last name before its arguments.
    fn call(&self, tokens: &[Token], depth: u32) -> Value {
        let open = opening(tokens);
        let Some((Some(Token::Name(name)), open)) =
            open.map(|open| (open.checked_sub(1).and_then(|at| tokens.get(at)), open))
        else {
            return Value::Unknown;
        };
        let inner = tokens.get(open + 1..tokens.len() - 1).unwrap_or_default();
        if MAKES.contains(&name.as_str()) {
            return Value::Text(MADE.to_owned());
        }
        if HOMES.contains(&name.as_str()) {
            return Value::Text("~".to_owned());
        }
        // A method of a path that gives one.
        if matches!(name.as_str(), "resolve" | "absolute" | "expanduser") && inner.is_empty() {
            let before = tokens.get(..open.saturating_sub(2)).unwrap_or_default();
            return self.value(before, depth + 1);
        }
        if JOINS.contains(&name.as_str()) {
            let parts = split(inner, &[',']).into_iter().map(|part| self.value(part, depth + 1));
            return Value::Text(join(parts));
        }
        Value::Unknown
    }
}

/// A text up to where something is put into it.
fn beginning(text: &str) -> String {
    let end = text.find(['%', '{']).unwrap_or(text.len());
    format!("{}{HOLE}", text.get(..end).unwrap_or_default())
}

/// Pieces of a path as one.
fn join(parts: impl Iterator<Item = Value>) -> String {
    let mut path = String::new();
    for part in parts {
        let piece = part.piece();
        // What begins at the root replaces what stands before it.
        if path.is_empty() || piece.starts_with(['/', '~']) {
            path = piece;
        } else {
            path = format!("{}/{piece}", path.trim_end_matches('/'));
        }
    }
    path
}

/// Whether a name is set, looped over, or a parameter here: `x =`, `x +=`, `for x`, `as x`.
fn sets(tokens: &[Token], at: usize) -> bool {
    let is_sign = |at: usize, sign: char| tokens.get(at) == Some(&Token::Sign(sign));
    let is_assigned = is_sign(at + 1, '=') && !is_sign(at + 2, '=') && !is_sign(at + 2, '>');
    let is_changed = matches!(
        tokens.get(at + 1),
        Some(Token::Sign('+' | '-' | '*' | '/' | '.' | '|' | ':' | '?'))
    ) && is_sign(at + 2, '=');
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let is_bound = matches!(before, Some(Token::Name(word)) if matches!(word.as_str(), "for" | "as" | "foreach"));
    is_assigned || is_changed || is_bound
}

/// Whether a name is set to one value at the beginning of a statement.
fn is_plainly_set(tokens: &[Token], at: usize) -> bool {
    let is_assigned = tokens.get(at + 1) == Some(&Token::Sign('='));
    let mut before = at.checked_sub(1).and_then(|at| tokens.get(at));
    if before == Some(&Token::Sign('$')) {
        before = at.checked_sub(2).and_then(|at| tokens.get(at));
    }
    let begins = match before {
        None => true,
        Some(Token::Sign(sign)) => matches!(sign, '\n' | ';' | '{' | '}' | ')' | ':'),
        Some(Token::Name(word)) => {
            matches!(
                word.as_str(),
                "const" | "let" | "var" | "my" | "our" | "local" | "then" | "do"
            )
        }
        Some(_) => false,
    };
    is_assigned && begins
}

/// How many tokens a statement has from here.
fn statement(tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().take(MAX_ARGUMENTS) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return at,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(';' | '\n') if depth == 0 => return at,
            _ => {}
        }
    }
    tokens.len().min(MAX_ARGUMENTS)
}

/// The arguments of a call are looked at so far, in tokens.
pub const MAX_ARGUMENTS: usize = 512;

/// Where what an opening bracket opens is closed.
pub fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open).take(MAX_ARGUMENTS) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where what the last token closes is opened.
pub fn opening(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().rev().take(MAX_ARGUMENTS) {
        match token {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between signs that stand outside of brackets. The last one, if it is empty, is none.
pub fn split<'t>(tokens: &'t [Token], signs: &[char]) -> Vec<&'t [Token]> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Sign(sign) if depth == 0 && signs.contains(sign) => {
                parts.push(tokens.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = tokens.get(from..).unwrap_or_default();
    if !trimmed(last).is_empty() {
        parts.push(last);
    }
    parts
}

/// Without line breaks at both ends.
pub fn trimmed(mut tokens: &[Token]) -> &[Token] {
    while let [Token::Sign('\n'), rest @ ..] | [rest @ .., Token::Sign('\n')] = tokens {
        tokens = rest;
    }
    tokens
}
