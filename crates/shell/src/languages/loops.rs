//! Loops in code: which names are given the items of what.

use std::collections::HashMap;

use super::language::Language;
use super::parts::{MAX_ARGUMENTS, closing, object, split, statement};
use super::token::Token;

/// A loop.
#[derive(Debug)]
pub struct Loop<'t> {
    /// The names that are set in each round.
    pub names: Vec<&'t str>,
    /// What is looped over.
    pub over: &'t [Token],
    /// Whether these are folders, and the names are given what lies below them.
    pub is_walk: bool,
}

/// So many tokens may stand between `for` and what is looped over.
const MAX_NAMES: usize = 16;

/// Methods whose function is given each item.
const EACH: &[&str] = &[
    "each",
    "forEach",
    "map",
    "each_entry",
    "each_line",
    "each_pair",
    "flatMap",
    "select",
    "filter",
    "reject",
    "each_child",
];

/// Returns the loops of code by the places at which they begin.
pub fn loops<'t>(language: Language, tokens: &'t [Token]) -> HashMap<usize, Vec<Loop<'t>>> {
    let mut found: HashMap<usize, Vec<Loop<'t>>> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(word) = token else { continue };
        let is_field = at > 0 && matches!(tokens.get(at - 1), Some(Token::Sign('.' | '>')));
        let one = match word.as_str() {
            "for" | "foreach" if !is_field => match language {
                Language::Perl => perl(tokens, at),
                Language::Php => php(tokens, at),
                _ => usual(language, tokens, at),
            },
            "map" if language == Language::Perl && !is_field => mapped(tokens, at),
            "find" | "finddepth" | "wanted" if language == Language::Perl => walked(tokens, at),
            "while" if language == Language::Perl => read(tokens, at),
            word if is_field && EACH.contains(&word) => block(tokens, at),
            _ => None,
        };
        if let Some(one) = one {
            found.entry(at).or_default().push(one);
        }
    }
    found
}

/// The names among tokens.
fn names(tokens: &[Token]) -> Vec<&str> {
    let is_word = |word: &str| {
        matches!(word, "const" | "let" | "var" | "my" | "our" | "await" | "async" | "local")
    };
    let mut names = Vec::new();
    for token in tokens {
        match token {
            Token::Name(name) if !is_word(name) => names.push(name.as_str()),
            _ => {}
        }
    }
    names
}

/// `for x in y`, `for (const x of y)`.
fn usual(language: Language, tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let behind = tokens.get(at + 1..)?;
    let is_in = |token: &Token| matches!(token, Token::Name(word) if word == "in" || word == "of");
    let middle = behind.iter().take(MAX_NAMES).position(is_in)?;
    let over = behind.get(middle + 1..)?;
    let mut depth = 0_usize;
    let ends = |token: &Token| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return true,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            // In Lua it stands before the name of a method.
            Token::Sign(':') if language == Language::Lua => {}
            Token::Sign(':' | '\n' | ';') if depth == 0 => return true,
            Token::Name(word) if depth == 0 => {
                return matches!(word.as_str(), "if" | "for" | "do" | "async");
            }
            _ => {}
        }
        false
    };
    let end =
        over.iter().take(MAX_ARGUMENTS).position(ends).unwrap_or(over.len().min(MAX_ARGUMENTS));
    Some(Loop { names: names(behind.get(..middle)?), over: over.get(..end)?, is_walk: false })
}

/// `for my $x (…)`, `… for …`.
fn perl(tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let behind = tokens.get(at + 1..)?;
    let open = behind.iter().take(4).position(|token| *token == Token::Sign('('));
    if let Some(open) = open
        && matches!(behind.first(), Some(Token::Sign('(' | '$')) | Some(Token::Name(_)))
        && names(behind.get(..open)?).len() < 2
        && !matches!(behind.first(), Some(Token::Name(word)) if word != "my" && word != "our")
    {
        let over = behind.get(open + 1..closing(behind, open)?)?;
        let mut names = names(behind.get(..open)?);
        if names.is_empty() {
            names.push("_");
        }
        return Some(Loop { names, over, is_walk: false });
    }
    let ends = |token: &Token| matches!(token, Token::Sign(';' | '}' | '\n'));
    let end = behind.iter().take(MAX_ARGUMENTS).position(ends);
    Some(Loop {
        names: vec!["_"],
        over: behind.get(..end.unwrap_or(behind.len().min(MAX_ARGUMENTS)))?,
        is_walk: false,
    })
}

/// `map { … } …`
fn mapped(tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let behind = tokens.get(at + 1..)?;
    let close =
        (behind.first() == Some(&Token::Sign('{'))).then(|| closing(behind, 0)).flatten()?;
    let over = behind.get(close + 1..)?;
    let over = over.get(..statement(over))?;
    Some(Loop { names: vec!["_"], over, is_walk: false })
}

/// `find(sub { … }, "a")`, `finddepth({ wanted => \&f, no_chdir => 1 }, "a")` of `File::Find`.
fn walked(tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let close = (tokens.get(at + 1) == Some(&Token::Sign('('))).then(|| closing(tokens, at + 1));
    let inner = match close.flatten() {
        Some(close) => tokens.get(at + 2..close)?,
        None => {
            let rest = tokens.get(at + 1..)?;
            rest.get(..statement(rest))?
        }
    };
    let begins = match inner.first()? {
        Token::Name(word) => word == "sub",
        Token::Sign(sign) => matches!(sign, '\\' | '{' | '&' | '$'),
        _ => false,
    };
    let wanted = split(inner, &[',']).first()?.len();
    let over = inner.get(wanted + 1..).filter(|over| begins && !over.is_empty())?;
    Some(Loop { names: vec!["_"], over, is_walk: true })
}

/// `while (<STDIN>)`, `while (readdir $d)`
fn read(tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let inner = tokens.get(at + 2..closing(tokens, at + 1)?)?;
    let is_read = match inner {
        [Token::Sign('<'), .., Token::Sign('>')] => true,
        [Token::Name(word), ..] => word == "readdir",
        _ => false,
    };
    is_read.then_some(Loop { names: vec!["_"], over: inner, is_walk: false })
}

/// `foreach (… as $x)`.
fn php(tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let inner = tokens.get(at + 2..closing(tokens, at + 1)?)?;
    let is_as = |token: &Token| matches!(token, Token::Name(word) if word == "as");
    let middle = inner.iter().position(is_as)?;
    let last = names(inner.get(middle + 1..)?).pop()?;
    Some(Loop { names: vec![last], over: inner.get(..middle)?, is_walk: false })
}

/// `x.each { |y| … }`, `x.forEach(y => …)`, `x.forEach(function (y) { … })`.
fn block(tokens: &[Token], at: usize) -> Option<Loop<'_>> {
    let over = object(tokens, at);
    let sign = |at: usize| match tokens.get(at) {
        Some(Token::Sign(sign)) => Some(*sign),
        _ => None,
    };
    let word = |at: usize| match tokens.get(at) {
        Some(Token::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let mut open = at + 1;
    if sign(open) == Some('{') || word(open) == Some("do") {
        let inner = tokens.get(open + 2..).filter(|_| sign(open + 1) == Some('|'))?;
        let end = inner.iter().take(MAX_NAMES).position(|token| *token == Token::Sign('|'))?;
        return Some(Loop { names: names(inner.get(..end)?), over, is_walk: false })
            .filter(|found| found.names.len() == 1);
    }
    if sign(open) != Some('(') {
        return None;
    }
    // `Dir.each_child("src") { |name| … }`
    if let Some(close) = closing(tokens, open)
        && sign(close + 1) == Some('{')
        && sign(close + 2) == Some('|')
    {
        let inner = tokens.get(close + 3..)?;
        let end = inner.iter().take(MAX_NAMES).position(|token| *token == Token::Sign('|'))?;
        let from = at.checked_sub(over.len() + 1)?;
        let over = tokens.get(from..=close)?;
        return Some(Loop { names: names(inner.get(..end)?), over, is_walk: false });
    }
    open += 1;
    if matches!(word(open), Some("async" | "function")) {
        open += 1;
    }
    if word(open) == Some("function") {
        open += 1;
    }
    let name = match sign(open) {
        Some('(') => word(open + 1)?,
        _ => word(open)?,
    };
    // Without an arrow it is the name of a function.
    let is_function =
        sign(open) == Some('(') || sign(open + 1) == Some('=') && sign(open + 2) == Some('>');
    is_function.then_some(Loop { names: vec![name], over, is_walk: false })
}
