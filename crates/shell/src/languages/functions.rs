//! Functions that code defines for itself: their parameters get names that nothing else has, so that what they are
//! called with can be told.

use std::collections::HashMap;
use std::ops::Range;

use super::language::Language;
use super::parts::{closing, opening, split, statement, trimmed};
use super::token::{Code, Token};

/// No more functions are looked at.
const MAX: usize = 256;

/// So many tokens may stand between the lines around the parameters of a block.
const MAX_BLOCK: usize = 16;

/// Stands in the new name of a parameter between its name and the number of its function. No name has it.
const MARK: char = '\u{1}';

/// A function that the code defines.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// The new names of its parameters, without the object that a method belongs to.
    pub parameters: Vec<String>,
    /// Which of them takes all arguments from its place on.
    pub rest: Option<usize>,
    /// What each of them is unless a call says so, as code; nothing where nothing is said.
    pub usual: Vec<Vec<Token>>,
}

/// Returns the name that a parameter has in the code.
pub fn plain(name: &str) -> &str {
    name.split(MARK).next().unwrap_or(name)
}

/// A function with the tokens in which its parameters mean something.
struct Scope {
    name: String,
    parameters: Vec<String>,
    rest: Option<usize>,
    usual: Vec<Vec<Token>>,
    /// Where the brackets open that its parameters stand in, if values are set there.
    header: Option<usize>,
    from: usize,
    to: usize,
}

/// Returns the functions, and gives their parameters new names.
pub fn take(language: Language, code: &mut Code) -> Vec<Function> {
    let closers = closers(&code.tokens);
    let scopes: Vec<Scope> = (0..code.tokens.len())
        .filter_map(|at| scope(language, code, &closers, at))
        .take(MAX)
        .collect();
    let mut open = Meanings::new();
    let mut functions = Vec::with_capacity(scopes.len());
    let mut next = scopes.into_iter().enumerate().peekable();
    for at in 0..code.tokens.len() {
        while let Some((number, scope)) = next.next_if(|(_, scope)| scope.from <= at) {
            let mut parameters = Vec::new();
            for parameter in scope.parameters {
                let renamed = format!("{parameter}{MARK}{number}");
                if let Some(header) = scope.header {
                    set_in_header(&mut code.tokens, header..scope.from, &parameter, &renamed);
                }
                open.entry(parameter).or_default().push((scope.to, renamed.clone()));
                parameters.push(renamed);
            }
            // What has no name is called by nobody: its parameters are told apart from others, and no more.
            if !scope.name.is_empty() {
                let (name, rest, usual) = (scope.name, scope.rest, scope.usual);
                functions.push(Function { name, parameters, rest, usual });
            }
        }
        if let Some(Token::Filled(template) | Token::Command(template)) = code.tokens.get_mut(at) {
            template.values.iter_mut().for_each(|value| rename(value, at, &mut open));
            continue;
        }
        let Some(Token::Name(name)) = code.tokens.get(at) else { continue };
        let Some(renamed) = meaning(name, at, &mut open) else { continue };
        let before = at.checked_sub(1).and_then(|at| code.tokens.get(at));
        // The name of an argument is one of the function that is called.
        let is_setting = matches!(before, Some(Token::Sign('(' | ',')))
            && code.tokens.get(at + 1) == Some(&Token::Sign('='))
            && code.tokens.get(at + 2) != Some(&Token::Sign('>'));
        if before != Some(&Token::Sign('.'))
            && !is_setting
            && let Some(token) = code.tokens.get_mut(at)
        {
            *token = Token::Name(renamed);
        }
    }
    functions
}

/// Gives a parameter its new name where it is set to a value unless it is given one: `def f(a=b)`.
fn set_in_header(tokens: &mut [Token], header: Range<usize>, name: &str, renamed: &str) {
    for at in header {
        let is_set = tokens.get(at + 1) == Some(&Token::Sign('='))
            && matches!(
                at.checked_sub(1).and_then(|at| tokens.get(at)),
                Some(Token::Sign('(' | ','))
            );
        if is_set
            && let Some(Token::Name(own)) = tokens.get_mut(at)
            && own == name
        {
            renamed.clone_into(own);
        }
    }
}

/// The new names of parameters by their own, with the places up to which they mean something.
type Meanings = HashMap<String, Vec<(usize, String)>>;

/// The new name of what is a parameter at a place.
fn meaning(name: &str, at: usize, open: &mut Meanings) -> Option<String> {
    let meanings = open.get_mut(name)?;
    while meanings.last().is_some_and(|(to, _)| *to <= at) {
        meanings.pop();
    }
    meanings.last().map(|(_, renamed)| renamed.clone())
}

/// Gives parameters their new names in the code of a value that is put into a text at a place.
fn rename(tokens: &mut [Token], at: usize, open: &mut Meanings) {
    let mut is_field = false;
    for token in tokens {
        match token {
            Token::Name(name) if !is_field => {
                if let Some(renamed) = meaning(name, at, open) {
                    *name = renamed;
                }
            }
            Token::Filled(template) | Token::Command(template) => {
                template.values.iter_mut().for_each(|value| rename(value, at, open));
            }
            _ => {}
        }
        is_field = *token == Token::Sign('.');
    }
}

/// Where each opening bracket is closed.
fn closers(tokens: &[Token]) -> HashMap<usize, usize> {
    let (mut open, mut closers) = (Vec::new(), HashMap::new());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => open.push(at),
            Token::Sign(')' | ']' | '}') => {
                closers.extend(open.pop().map(|opened| (opened, at)));
            }
            _ => {}
        }
    }
    closers
}

/// The function whose definition a token begins.
fn scope(
    language: Language,
    code: &Code,
    closers: &HashMap<usize, usize>,
    at: usize,
) -> Option<Scope> {
    let tokens = &code.tokens;
    let word = |at: usize| match tokens.get(at) {
        Some(Token::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let is_sign = |at: usize, sign: char| tokens.get(at) == Some(&Token::Sign(sign));
    let body = |from: usize| match is_sign(from, '{') {
        true => closers.get(&from).copied().unwrap_or(tokens.len()),
        false => from + statement(tokens.get(from..).unwrap_or_default()),
    };
    match language {
        Language::Python if word(at) == Some("def") && is_sign(at + 2, '(') => {
            let close = *closers.get(&(at + 2))?;
            let own = code.indents.get(at).copied().unwrap_or_default();
            // The line that the brackets end on is its own.
            let first = (close..tokens.len()).find(|at| is_sign(*at, '\n')).unwrap_or(tokens.len());
            // Who makes an object calls it by the name of the class.
            let name = word(at + 1)?;
            let class = (name == "__init__").then(|| class_around(code, at, own)).flatten();
            Some(Scope {
                name: class.unwrap_or(name).to_owned(),
                parameters: parameters(tokens.get(at + 3..close)?),
                rest: rest(tokens.get(at + 3..close)?),
                usual: usual(tokens.get(at + 3..close)?),
                header: (at + 2..close).any(|at| is_sign(at, '=')).then_some(at + 2),
                from: close,
                to: (first..tokens.len())
                    .find(|at| {
                        code.indents.get(*at).is_some_and(|indent| *indent <= own)
                            && !is_sign(*at, '\n')
                    })
                    .unwrap_or(tokens.len()),
            })
        }
        Language::JavaScript | Language::Php
            if word(at) == Some("function") && is_sign(at + 2, '(') =>
        {
            let close = *closers.get(&(at + 2))?;
            Some(Scope {
                name: word(at + 1)?.to_owned(),
                parameters: parameters(tokens.get(at + 3..close)?),
                rest: rest(tokens.get(at + 3..close)?),
                usual: usual(tokens.get(at + 3..close)?),
                header: None,
                from: close,
                to: body(close + 1),
            })
        }
        Language::Go | Language::Rust if matches!(word(at), Some("func" | "fn")) => {
            let signs = |from: usize, sign: char| {
                let end = from + MAX_BLOCK * 4;
                let ends = |at: &usize| is_sign(*at, sign) || is_sign(*at, ';');
                (from..end).find(ends).filter(|at| is_sign(*at, sign))
            };
            // What stands in pointed brackets before them says what kinds there are.
            let open = signs(at + 2, '(')?;
            let close = *closers.get(&open)?;
            Some(Scope {
                name: word(at + 1)?.to_owned(),
                parameters: parameters(tokens.get(open + 1..close)?),
                rest: None,
                usual: Vec::new(),
                header: None,
                from: close,
                to: body(signs(close + 1, '{')?),
            })
        }
        Language::JavaScript if word(at) == Some("function") && is_sign(at + 1, '(') => {
            let close = *closers.get(&(at + 1))?;
            Some(anonymous(plain_parameters(tokens.get(at + 2..close)?), at, body(close + 1)))
        }
        // `{ |file| … }`
        Language::Ruby if is_sign(at, '{') && is_sign(at + 1, '|') => {
            let inner = tokens.get(at + 2..)?;
            let end = inner.iter().take(MAX_BLOCK).position(|it| *it == Token::Sign('|'))?;
            Some(anonymous(plain_parameters(inner.get(..end)?), at, *closers.get(&at)?))
        }
        // `const run = (line) => …`, `const run = line => …`
        Language::JavaScript if is_sign(at, '=') && is_sign(at + 1, '>') => {
            let before = tokens.get(..at)?;
            let (inner, start) = match before.last()? {
                Token::Sign(')') => {
                    let open = opening(before)?;
                    (before.get(open + 1..at.checked_sub(1)?)?, open)
                }
                Token::Name(_) => (before.get(at.checked_sub(1)?..)?, at.checked_sub(1)?),
                _ => return None,
            };
            let is_async = start.checked_sub(1).and_then(word) == Some("async");
            let start = start.checked_sub(usize::from(is_async))?;
            if !is_sign(start.checked_sub(1)?, '=') {
                return Some(anonymous(plain_parameters(inner), start, body(at + 2)));
            }
            Some(Scope {
                name: word(start.checked_sub(2)?)?.to_owned(),
                parameters: parameters(inner),
                rest: rest(inner),
                usual: usual(inner),
                header: None,
                from: at,
                to: body(at + 2),
            })
        }
        _ => None,
    }
}

/// The class of Python that a definition stands in which is so far in.
fn class_around(code: &Code, at: usize, own: u32) -> Option<&str> {
    let is_class = |at: &usize| {
        matches!(code.tokens.get(*at), Some(Token::Name(word)) if word == "class")
            && code.indents.get(*at).is_some_and(|indent| *indent < own)
    };
    match code.tokens.get((0..at).rev().find(is_class)? + 1)? {
        Token::Name(name) => Some(name),
        _ => None,
    }
}

/// The parameters that are names, and are not taken apart.
fn plain_parameters(tokens: &[Token]) -> Vec<String> {
    let name = |part: &[Token]| match trimmed(part) {
        [Token::Name(name)] => Some(name.clone()),
        _ => None,
    };
    split(tokens, &[',']).into_iter().filter_map(name).collect()
}

/// A function without a name, from its parameters on.
fn anonymous(parameters: Vec<String>, from: usize, to: usize) -> Scope {
    Scope { name: String::new(), parameters, rest: None, usual: Vec::new(), header: None, from, to }
}

/// What parameters are unless a call says so: `def f(a, b="c")`.
fn usual(tokens: &[Token]) -> Vec<Vec<Token>> {
    /// What is longer is no constant.
    const MAX_USUAL: usize = 32;
    let value = |part: &[Token]| {
        let at = part.iter().position(|token| *token == Token::Sign('='));
        let value = at.and_then(|at| part.get(at + 1..)).unwrap_or_default();
        if value.len() <= MAX_USUAL { value.to_vec() } else { Vec::new() }
    };
    let is_own = |part: &&[Token]| !matches!(trimmed(part), [Token::Name(name), ..] if name == "self" || name == "cls");
    split(tokens, &[',']).into_iter().filter(is_own).map(value).collect()
}

fn parameters(tokens: &[Token]) -> Vec<String> {
    let name = |part: &[Token]| {
        part.iter().find_map(|token| match token {
            Token::Name(name) => Some(name.clone()),
            _ => None,
        })
    };
    let parts = split(tokens, &[',']);
    let names = parts.into_iter().filter_map(|part| name(trimmed(part)));
    names.filter(|name| !matches!(name.as_str(), "self" | "cls")).collect()
}

/// Which parameter takes all arguments from its place on: `*a` in Python, `...a` in JavaScript.
fn rest(tokens: &[Token]) -> Option<usize> {
    let is_rest = |part: &[Token]| {
        matches!(
            part,
            [Token::Sign('*'), Token::Name(_), ..]
                | [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), ..]
        )
    };
    let parts = split(tokens, &[',']);
    let is_own = |part: &&&[Token]| !matches!(trimmed(part), [Token::Name(name), ..] if name == "self" || name == "cls");
    parts.iter().filter(is_own).position(|part| is_rest(trimmed(part)))
}

/// Returns the arguments of a call of the function that a token names; `None` inside where it is used in another way,
/// and outside where it is not used there.
pub fn call(tokens: &[Token], at: usize) -> Option<Option<Vec<&[Token]>>> {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let is_definition = matches!(before, Some(Token::Name(word)) if matches!(word.as_str(), "def" | "function" | "func" | "fn" | "class"));
    let is_set = tokens.get(at + 1) == Some(&Token::Sign('='))
        && tokens.get(at + 2) != Some(&Token::Sign('='));
    if is_definition || is_set {
        return None;
    }
    if tokens.get(at + 1) != Some(&Token::Sign('(')) {
        // A field of the same name is another thing.
        return (before != Some(&Token::Sign('.'))).then_some(None);
    }
    let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close));
    Some(inner.map(|inner| split(inner, &[','])))
}
