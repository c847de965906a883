//! The parts of code: its statements, what brackets hold, what stands between commas, what a method is called on. Knows
//! tokens, and not what they mean.

use std::collections::HashSet;

use super::token::Token;
use crate::hole::HOLE;

/// Tokens as they may have been written.
pub fn written(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Name(name) | Token::Text(name) => text.push_str(name),
            Token::Sign(sign) => text.push(*sign),
            Token::Filled(template) => text.push_str(&template.text),
            Token::Command(_) | Token::Words(_) => text.push(HOLE),
        }
    }
    text
}

/// Where a word stands outside of brackets.
pub fn outside(tokens: &[Token], word: &str) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().position(|token| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(token, Token::Name(name) if name == word)
    })
}

/// What the method is called on whose name stands at a place: `a.b(c)` of `a.b(c).d`.
pub fn object(tokens: &[Token], at: usize) -> &[Token] {
    let mut end = at;
    // The sign before the name: `.`, `?.`, `->`, `::`.
    while let Some(Token::Sign('.' | '?' | '>' | '-' | ':')) =
        end.checked_sub(1).and_then(|at| tokens.get(at))
        && at - end < 2
    {
        end -= 1;
    }
    let before = tokens.get(..end).unwrap_or_default();
    if end == at {
        return &[];
    }
    before.get(chain(before)..).unwrap_or_default()
}

/// Where the chain of names and calls begins that ends a list of tokens.
pub fn chain(tokens: &[Token]) -> usize {
    const MAX: usize = 64;
    let mut from = tokens.len();
    let last = |from: usize| from.checked_sub(1).and_then(|at| tokens.get(at));
    for _ in 0..MAX {
        match last(from) {
            Some(Token::Sign(')' | ']')) => {
                let Some(open) = opening(tokens.get(..from).unwrap_or_default()) else {
                    return from;
                };
                from = open;
                // `TempDir::new()`
                let is_field =
                    matches!(from.checked_sub(1).and_then(last), Some(Token::Sign('.' | ':')));
                match last(from) {
                    Some(Token::Name(word)) if is_field || !is_keyword(word) => from -= 1,
                    Some(Token::Sign(')' | ']')) => continue,
                    Some(Token::Text(_) | Token::Filled(_)) => from -= 1,
                    _ => {}
                }
            }
            Some(Token::Name(word)) if !is_keyword(word) => from -= 1,
            Some(Token::Text(_) | Token::Filled(_) | Token::Words(_)) => from -= 1,
            _ => return from,
        }
        if let Some(Token::Sign('$' | '@')) = last(from) {
            from -= 1;
        }
        match (last(from), from.checked_sub(1).and_then(last)) {
            (Some(Token::Sign('.')), Some(Token::Sign('?'))) => from -= 2,
            (Some(Token::Sign('.')), _) => from -= 1,
            (Some(Token::Sign(':')), Some(Token::Sign(':'))) => from -= 2,
            (Some(Token::Sign('>')), Some(Token::Sign('-'))) => from -= 2,
            _ => return from,
        }
    }
    from
}

/// Whether a word before brackets or behind an expression is none of its names.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "for"
            | "while"
            | "in"
            | "of"
            | "return"
            | "await"
            | "and"
            | "or"
            | "not"
            | "new"
            | "else"
            | "elif"
            | "yield"
            | "foreach"
            | "unless"
            | "do"
            | "then"
            | "print"
    )
}

/// How many tokens the value of AWK has that some begin with: `name`, `list[1]`, `f(x)`, `(a b)`, `$1`; none where they begin with
/// an operator.
pub fn value_of_awk(tokens: &[Token]) -> usize {
    let bracketed = |at: usize| closing(tokens, at).map_or(tokens.len(), |close| close + 1);
    match tokens {
        [Token::Name(_), Token::Sign('[' | '('), ..] => bracketed(1),
        [Token::Name(_) | Token::Text(_) | Token::Filled(_), ..] => 1,
        [Token::Sign('('), ..] => bracketed(0),
        [Token::Sign('$'), Token::Sign('('), ..] => bracketed(1),
        [Token::Sign('$'), _, ..] => 2,
        _ => 0,
    }
}

/// Whether a name is set here: `x =`, `x +=`, `as x`.
pub fn sets(tokens: &[Token], at: usize) -> bool {
    let is_sign = |at: usize, sign: char| tokens.get(at) == Some(&Token::Sign(sign));
    let is_assigned = is_sign(at + 1, '=') && !is_sign(at + 2, '=') && !is_sign(at + 2, '>');
    let is_changed = matches!(
        tokens.get(at + 1),
        Some(Token::Sign('+' | '-' | '*' | '/' | '.' | '|' | ':' | '?'))
    ) && is_sign(at + 2, '=');
    // `a, err := f()`
    let is_taken_apart = is_sign(at + 1, ',')
        && matches!(tokens.get(at + 2), Some(Token::Name(_)))
        && is_sign(at + 3, ':')
        && is_sign(at + 4, '=');
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let is_bound = matches!(before, Some(Token::Name(word)) if word == "as");
    is_assigned || is_changed || is_bound || is_taken_apart
}

/// Whether a name is set to one value at the beginning of a statement.
pub fn is_plainly_set(tokens: &[Token], at: usize) -> bool {
    let is_assigned = tokens.get(at + 1) == Some(&Token::Sign('='));
    let mut before = at.checked_sub(1).and_then(|at| tokens.get(at));
    if matches!(before, Some(Token::Sign('$' | '@'))) {
        before = at.checked_sub(2).and_then(|at| tokens.get(at));
    }
    // `while ($file = readdir $folder)`
    let is_condition = before == Some(&Token::Sign('('))
        && (2..=3).any(|back| {
            let word = at.checked_sub(back).and_then(|at| tokens.get(at));
            matches!(word, Some(Token::Name(word)) if matches!(word.as_str(), "while" | "until" | "chomp"))
        });
    let begins = match before {
        None => true,
        Some(Token::Sign(sign)) => matches!(sign, '\n' | ';' | '{' | '}' | ')' | ':'),
        Some(Token::Name(word)) => {
            matches!(
                word.as_str(),
                "const" | "let" | "mut" | "var" | "my" | "our" | "local" | "then" | "do"
            )
        }
        Some(_) => false,
    };
    is_assigned && (begins || is_condition)
}

/// How many tokens a statement has from here.
pub fn statement(tokens: &[Token]) -> usize {
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

/// The fields that code sets of objects.
pub fn fields_set(tokens: &[Token]) -> HashSet<&str> {
    let fields = tokens.windows(4).filter_map(|window| match window {
        [Token::Sign('.'), Token::Name(field), Token::Sign('='), next]
            if *next != Token::Sign('=') =>
        {
            Some(field.as_str())
        }
        _ => None,
    });
    fields.collect()
}

/// Without line breaks at both ends.
pub fn trimmed(mut tokens: &[Token]) -> &[Token] {
    while let [Token::Sign('\n'), rest @ ..] | [rest @ .., Token::Sign('\n')] = tokens {
        tokens = rest;
    }
    tokens
}
