//! Changes of what a name stands for: what is put behind a list or a text, and what a field of an object is set to.

use super::language::Language;
use super::parts::{MAX_ARGUMENTS, closing, split, statement};
use super::token::Token;

/// How a name is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'t> {
    /// Something is put behind it: text behind text, the items of a list behind a list.
    Added(&'t [Token]),
    /// Items, which stand between commas, are put behind those of a list.
    Pushed(&'t [Token]),
    /// The same, before those of a list.
    Before(&'t [Token]),
    /// A field of an object is set.
    Field(&'t str, &'t [Token]),
    /// The items of a list are turned around where they are.
    Reversed,
}

/// Methods that put their arguments behind the items of a list.
const PUSH: &[&str] = &["append", "push", "add", "push_back"];

/// Methods that put the items of a list there.
const EXTEND: &[&str] = &["extend", "concat", "update"];

/// Methods that put their arguments before the items of a list.
const UNSHIFT: &[&str] = &["unshift", "prepend", "appendleft"];

/// Returns how the name is changed that stands at a place, if it is.
pub fn change(language: Language, tokens: &[Token], at: usize) -> Option<Change<'_>> {
    let behind = tokens.get(at + 1..)?;
    let rest = |from: usize| {
        let rest = behind.get(from..).unwrap_or_default();
        rest.get(..statement(rest)).unwrap_or_default()
    };
    match behind {
        [Token::Sign('+' | '.'), Token::Sign('='), next, ..] if *next != Token::Sign('=') => {
            Some(Change::Added(rest(2)))
        }
        // `a << b`
        [Token::Sign('<'), Token::Sign('<'), ..] if language == Language::Ruby => {
            Some(Change::Pushed(rest(2)))
        }
        // `$a[] = b`
        [Token::Sign('['), Token::Sign(']'), Token::Sign('='), ..] => Some(Change::Pushed(rest(3))),
        [Token::Sign('.'), Token::Name(method), Token::Sign('('), ..] => {
            method_of(language, method, behind)
        }
        [Token::Sign('.'), Token::Name(field), Token::Sign('='), next, ..]
            if !matches!(next, Token::Sign('=' | '>')) =>
        {
            Some(Change::Field(field, rest(3)))
        }
        [Token::Sign('['), Token::Text(field), Token::Sign(']'), Token::Sign('='), next, ..]
            if *next != Token::Sign('=') =>
        {
            Some(Change::Field(field, rest(4)))
        }
        _ => pushed(language, tokens, at),
    }
}

fn method_of<'t>(language: Language, method: &str, behind: &'t [Token]) -> Option<Change<'t>> {
    let inner = behind.get(3..closing(behind, 2)?)?;
    match method {
        // Of JavaScript it returns another list.
        "concat" if language == Language::JavaScript => None,
        "reverse" if matches!(language, Language::JavaScript | Language::Python) => {
            Some(Change::Reversed)
        }
        "insert" => {
            let parts = split(inner, &[',']);
            let place = parts.first()?;
            let item = inner.get(place.len() + 1..)?;
            Some(match place {
                [Token::Name(number)] if number == "0" => Change::Before(item),
                _ => Change::Pushed(item),
            })
        }
        method if PUSH.contains(&method) => Some(Change::Pushed(inner)),
        method if EXTEND.contains(&method) => Some(Change::Added(inner)),
        method if UNSHIFT.contains(&method) => Some(Change::Before(inner)),
        _ => None,
    }
}

/// `push @a, b`, `push(@a, b)`, `table.insert(a, b)`
fn pushed(language: Language, tokens: &[Token], at: usize) -> Option<Change<'_>> {
    if !matches!(language, Language::Perl | Language::Php | Language::Lua) {
        return None;
    }
    let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
    let mark = usize::from(matches!(before(1), Some(Token::Sign('@' | '$'))));
    let bracket = usize::from(before(1 + mark) == Some(&Token::Sign('(')));
    let Some(Token::Name(function)) = before(1 + mark + bracket) else { return None };
    let is_push = match language {
        Language::Lua => function == "insert",
        Language::Php => function == "array_push",
        _ => function == "push" || function == "unshift",
    };
    if !is_push || tokens.get(at + 1) != Some(&Token::Sign(',')) {
        return None;
    }
    let behind = tokens.get(at + 2..)?;
    let items = behind.get(..statement(behind).min(MAX_ARGUMENTS))?;
    Some(match function == "unshift" {
        true => Change::Before(items),
        false => Change::Pushed(items),
    })
}
