//! What code reads of its environment by the name of a variable: `os.environ["F"]`, `process.env.F`, `$ENV{F}`. Knows the
//! signs of all languages at once, since none of them means anything else by these names.

use super::parts::{opening, split, statement};
use super::token::Token;

/// Returns the name by which the value of a variable is given to code: no name of its own is written so.
pub fn key(name: &str) -> String {
    format!("${name}")
}

/// The name by which code is given the words behind it, and its own name before them, each with [`BETWEEN`] behind it.
pub const WORDS: &str = "$@";

/// Stands before the name of a file in the name by which code is given what stands in it.
pub const FILE: char = '<';

/// Stands behind each of the words.
pub const BETWEEN: char = '\0';

/// Returns the variable that code sets at a place, with what it is set to, and whether it may have a value before:
/// `os.environ["F"] = "x"`, `process.env.F = "x"`, `os.environ.setdefault("F", "x")`.
pub fn set(tokens: &[Token], at: usize) -> Option<(&str, &[Token], bool)> {
    let [Token::Name(of), rest @ ..] = tokens.get(at..)? else { return None };
    let is_own =
        matches!(of.as_str(), "environ" | "ENV") || of == "env" && is_of_process(tokens, at);
    let (name, value) = match rest {
        _ if !is_own => return None,
        [
            Token::Sign('.'),
            Token::Name(method),
            Token::Sign('('),
            Token::Text(name),
            Token::Sign(','),
            value @ ..,
        ] if method == "setdefault" => {
            let end = statement(value);
            return Some((name, value.get(..end)?, true));
        }
        [Token::Sign('['), Token::Text(name), Token::Sign(']'), Token::Sign('='), value @ ..]
        | [Token::Sign('.'), Token::Name(name), Token::Sign('='), value @ ..] => (name, value),
        _ => return None,
    };
    let is_set = !matches!(value.first(), Some(Token::Sign('=')));
    is_set.then(|| Some((name.as_str(), value.get(..statement(value))?, false))).flatten()
}

/// Whether `process.` stands before a place.
fn is_of_process(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(2).and_then(|at| tokens.get(at));
    matches!(before, Some(Token::Name(name)) if name == "process")
}

/// Returns what an expression takes instead of the value of a variable that is not set: `os.environ.get("F", "x")`.
pub fn instead(tokens: &[Token]) -> Option<&[Token]> {
    let open = opening(tokens)?;
    let inner = tokens.get(open + 1..tokens.len() - 1)?;
    split(inner, &[',']).get(1).copied()
}

/// Returns the name of the variable that an expression asks for, if it asks for one.
pub fn variable(tokens: &[Token]) -> Option<&str> {
    match tokens {
        // `os.environ["F"]`, `$ENV{F}`, `process.env["F"]`
        [
            ..,
            Token::Name(of),
            Token::Sign('[' | '{'),
            Token::Text(name) | Token::Name(name),
            Token::Sign(']' | '}'),
        ] if is_list(of) => Some(name),
        // `process.env.F`
        [.., Token::Name(of), Token::Sign('.'), Token::Name(name)] if of == "env" => Some(name),
        [.., Token::Sign(')')] => asked(tokens),
        _ => None,
    }
}

/// `os.getenv("F")`, `os.environ.get("F")`, `ENV.fetch("F", "x")`
fn asked(tokens: &[Token]) -> Option<&str> {
    let open = opening(tokens)?;
    let name = match tokens.get(open + 1..)? {
        [Token::Text(name), Token::Sign(')' | ','), ..] => name,
        _ => return None,
    };
    let is_asked = match tokens.get(..open)? {
        [.., Token::Name(of), Token::Sign('.'), Token::Name(get)]
            if matches!(get.as_str(), "get" | "fetch") =>
        {
            is_list(of)
        }
        [.., Token::Name(get)] => matches!(get.as_str(), "getenv" | "Getenv"),
        _ => false,
    };
    is_asked.then_some(name)
}

/// Whether an expression is all variables: `os.environ`.
pub fn is_all(tokens: &[Token]) -> bool {
    matches!(tokens.last(), Some(Token::Name(of)) if is_list(of))
}

/// Whether a name is that of all variables.
fn is_list(of: &str) -> bool {
    matches!(of, "environ" | "ENVIRON" | "ENV" | "_ENV" | "_SERVER" | "env")
}
