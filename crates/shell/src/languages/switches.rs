//! What functions are called with that code defines: `def clean(path, dry_run)` and `clean("src", dry_run=True)`. Knows no values.
//! Of a function that is used in another way than to be called, and of a parameter that anything else may set, nothing is told.

use std::collections::HashMap;

use super::language::Language;
use super::parts::{closing, split, trimmed};
use super::token::{Code, Token};

/// No more functions of one code are looked at.
const MAX: usize = 32;

/// Functions with more parameters are not looked at, nor those that are called more often.
const MAX_PARTS: usize = 16;

/// By those, a variable may be set without its name.
const BLIND: [&str; 7] = ["exec", "eval", "locals", "globals", "vars", "partial", "arguments"];

/// A function: its name, where that stands, and the parentheses of its parameters.
struct Function<'t> {
    name: &'t str,
    at: usize,
    open: usize,
}

/// The name of a parameter, and what it is unless given.
type Parameter<'t> = (&'t str, Option<&'t [Token]>);

/// What each parameter is given, by its name: an expression for each call.
pub fn passed(language: Language, code: &Code) -> HashMap<&str, Vec<&[Token]>> {
    let tokens = code.tokens.as_slice();
    let mut passed = HashMap::new();
    let is_blind =
        |token: &Token| matches!(token, Token::Name(name) if BLIND.contains(&name.as_str()));
    if !tokens.iter().any(is_defining) || tokens.iter().any(is_blind) {
        return passed;
    }
    for function in functions(language, code).into_iter().take(MAX) {
        let Some(calls) = calls(tokens, &function) else { continue };
        let Some(parameters) = parameters(tokens, &function) else { continue };
        for (place, (name, usual)) in parameters.iter().enumerate() {
            let given: Option<Vec<&[Token]>> =
                calls.iter().map(|call| argument(call, place, name).or(*usual)).collect();
            let Some(given) = given.filter(|given| !given.is_empty()) else { continue };
            // What is not given has its usual value, also where that is said.
            let is_said =
                |own: &&[Token]| matches!(own, [Token::Name(word)] if word == "undefined");
            if !given.iter().any(is_said) && is_set_once(language, tokens, name, &function) {
                passed.insert(*name, given);
            }
        }
    }
    passed
}

fn is_defining(token: &Token) -> bool {
    matches!(token, Token::Name(word) if word == "def" || word == "function")
}

/// The functions that code defines where nothing is around them, and that nothing else decorates.
fn functions(language: Language, code: &Code) -> Vec<Function<'_>> {
    let tokens = code.tokens.as_slice();
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some([word, Token::Name(name), Token::Sign('('), ..]) = tokens.get(at..) else {
            continue;
        };
        if !is_defining(word) || depth > 0 {
            continue;
        }
        let is_decorated = begins_before(tokens, at) == Some(&Token::Sign('@'));
        let is_outermost = match language {
            Language::Python => code.indents.get(at) == Some(&0),
            _ => true,
        };
        if is_outermost && !is_decorated {
            found.push(Function { name, at: at + 1, open: at + 2 });
        }
    }
    found
}

/// What the line begins with that stands before the statement at a place.
fn begins_before(tokens: &[Token], at: usize) -> Option<&Token> {
    let is_part = |token: &Token| match token {
        Token::Name(word) => matches!(word.as_str(), "async" | "export" | "default"),
        token => *token == Token::Sign('\n'),
    };
    let last = tokens.get(..at)?.iter().rposition(|token| !is_part(token))?;
    // Brackets may go over several lines.
    let mut depth = 0_usize;
    for place in (0..=last).rev() {
        match tokens.get(place)? {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') => depth = depth.checked_sub(1)?,
            Token::Sign('\n') if depth == 0 => return tokens.get(place + 1),
            _ => {}
        }
    }
    tokens.first()
}

/// The arguments of all calls of a function; `None` where it is used in another way.
fn calls<'t>(tokens: &'t [Token], function: &Function<'t>) -> Option<Vec<Vec<&'t [Token]>>> {
    let mut calls = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // Somebody may look it up by its name.
            Token::Text(text) if text == function.name => return None,
            Token::Name(name) if name == function.name && at != function.at => {}
            _ => continue,
        }
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_other = matches!(before, Some(Token::Sign('.' | '@')))
            || matches!(before, Some(Token::Name(word))
                if matches!(word.as_str(), "def" | "function" | "class" | "as" | "import" | "new"));
        if is_other || tokens.get(at + 1) != Some(&Token::Sign('(')) || calls.len() >= MAX_PARTS {
            return None;
        }
        let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close))?;
        let parts: Vec<&[Token]> =
            split(inner, &[',']).into_iter().map(trimmed).filter(|part| !part.is_empty()).collect();
        // What is spread may be any of them.
        let is_spread = |part: &&[Token]| matches!(part.first(), Some(Token::Sign('*' | '.')));
        if parts.iter().any(is_spread) {
            return None;
        }
        calls.push(parts);
    }
    Some(calls)
}

/// The parameters of a function, each with what it is unless given.
fn parameters<'t>(tokens: &'t [Token], function: &Function<'t>) -> Option<Vec<Parameter<'t>>> {
    let inner =
        closing(tokens, function.open).and_then(|close| tokens.get(function.open + 1..close))?;
    let parts = split(inner, &[',']).into_iter().map(trimmed).filter(|part| !part.is_empty());
    let parameter = |part: &'t [Token]| {
        let (Token::Name(name), rest) = part.split_first()? else { return None };
        let usual = rest.iter().position(|token| *token == Token::Sign('='));
        let is_plain = rest.is_empty() || matches!(rest.first(), Some(Token::Sign(':' | '=')));
        is_plain.then(|| (name.as_str(), usual.and_then(|at| rest.get(at + 1..))))
    };
    let all: Option<Vec<_>> = parts.map(parameter).collect();
    all.filter(|all| all.len() <= MAX_PARTS)
}

/// What a call gives a parameter, by its place or its name.
fn argument<'t>(call: &[&'t [Token]], place: usize, name: &str) -> Option<&'t [Token]> {
    let named = call.iter().find_map(|part| match part {
        [Token::Name(own), Token::Sign('='), value @ ..]
            if own == name && value.first() != Some(&Token::Sign('=')) =>
        {
            Some(value)
        }
        _ => None,
    });
    let is_named = |part: &&[Token]| matches!(part, [Token::Name(_), Token::Sign('='), next, ..] if *next != Token::Sign('='));
    named.or_else(|| call.get(place).copied().filter(|part| !is_named(part)))
}

/// Whether a name is the parameter of one function alone, and nothing else sets it.
fn is_set_once(language: Language, tokens: &[Token], name: &str, function: &Function<'_>) -> bool {
    let close = closing(tokens, function.open).unwrap_or(function.open);
    let own = function.open..close;
    places(tokens, name).all(|at| {
        own.contains(&at) || !sets(language, tokens, at) && !is_parameter_of_another(tokens, at)
    })
}

/// Whether something else than a call sets what a parameter holds.
pub fn is_set_again(language: Language, tokens: &[Token], name: &str) -> bool {
    places(tokens, name)
        .any(|at| sets(language, tokens, at) && !is_parameter_of_another(tokens, at))
}

/// Where a name stands that is no field of something else.
fn places<'t>(tokens: &'t [Token], name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_it = move |token: &Token| matches!(token, Token::Name(other) if other == name);
    let found = tokens.iter().enumerate().filter(move |(_, token)| is_it(token));
    let is_field =
        |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at)) == Some(&Token::Sign('.'));
    found.map(|(at, _)| at).filter(move |at| !is_field(*at))
}

/// Whether a name at a place gets a value there.
fn sets(language: Language, tokens: &[Token], at: usize) -> bool {
    const BINDING: [&str; 14] = [
        "for", "as", "global", "nonlocal", "del", "import", "const", "let", "var", "lambda", "of",
        "class", "def", "function",
    ];
    let sign = |at: usize| match tokens.get(at) {
        Some(Token::Sign(sign)) => Some(*sign),
        _ => None,
    };
    let word = at.checked_sub(1).and_then(|at| match tokens.get(at) {
        Some(Token::Name(word)) => Some(word.as_str()),
        _ => None,
    });
    let (next, second) = (sign(at + 1), sign(at + 2));
    let compares = next == Some('=') && second == Some('=');
    // A call may give it on by its name.
    let is_named = language == Language::Python && next == Some('=') && is_in_call(tokens, at);
    let is_set = next == Some('=') && !compares && !is_named
        || matches!(next, Some('+' | '-' | '*' | '/' | '|' | '&' | '?' | '%' | '^' | ':'))
            && (second == Some('=') || second == next);
    is_set
        || word.is_some_and(|word| BINDING.contains(&word))
        || is_target(tokens, at)
        || is_taken_apart(tokens, at)
}

/// Whether a name stands in the parentheses of a call, and not in those of what defines a function.
fn is_in_call(tokens: &[Token], at: usize) -> bool {
    around(tokens, at).is_some_and(|open| {
        let word = |back: usize| open.checked_sub(back).and_then(|at| tokens.get(at));
        matches!(word(1), Some(Token::Name(_)))
            && !word(2).is_some_and(is_defining)
            && tokens.get(open) == Some(&Token::Sign('('))
            && matches!(tokens.get(at.saturating_sub(1)), Some(Token::Sign('(' | ',' | '\n')))
    })
}

/// The bracket around a place.
fn around(tokens: &[Token], at: usize) -> Option<usize> {
    /// More tokens before it are not looked at.
    const MAX_BEFORE: usize = 256;
    let mut depth = 0_usize;
    for place in (at.saturating_sub(MAX_BEFORE)..at).rev() {
        match tokens.get(place) {
            Some(Token::Sign(')' | ']' | '}')) => depth += 1,
            Some(Token::Sign('(' | '[' | '{')) if depth == 0 => return Some(place),
            Some(Token::Sign('(' | '[' | '{')) => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a name stands before the sign by which its statement sets something: `a, name = …`, `[name] = …`.
fn is_target(tokens: &[Token], at: usize) -> bool {
    /// In a longer statement it may be one.
    const MAX_AROUND: usize = 128;
    let begins = |token: &Token| matches!(token, Token::Sign('\n' | ';' | '{' | '}'));
    let ends = |token: &Token| matches!(token, Token::Sign('\n' | ';'));
    let first = at.saturating_sub(MAX_AROUND);
    let before = tokens.get(first..at).unwrap_or_default();
    let Some(from) =
        before.iter().rposition(begins).map(|end| first + end + 1).or((first == 0).then_some(0))
    else {
        return true;
    };
    let rest = tokens.get(from..tokens.len().min(at + MAX_AROUND)).unwrap_or_default();
    let Some(length) =
        rest.iter().position(ends).or((from + rest.len() == tokens.len()).then_some(rest.len()))
    else {
        return true;
    };
    let whole = rest.get(..length).unwrap_or_default();
    let mut depth = 0_usize;
    whole.iter().enumerate().any(|(place, token)| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let near = |at: Option<usize>| at.and_then(|at| whole.get(at));
        let compares =
            |token: Option<&Token>| matches!(token, Some(Token::Sign('=' | '!' | '<' | '>')));
        *token == Token::Sign('=')
            && depth == 0
            && from + place > at
            && !compares(near(place.checked_sub(1)))
            && !compares(near(Some(place + 1)))
    })
}

/// Whether a name stands among those that a loop, a lambda or a declaration gives a value: `for a, name in`.
fn is_taken_apart(tokens: &[Token], at: usize) -> bool {
    /// More tokens before it are not looked at.
    const MAX_BEFORE: usize = 24;
    for place in (at.saturating_sub(MAX_BEFORE)..at).rev() {
        match tokens.get(place) {
            Some(Token::Name(word)) => match word.as_str() {
                "for" | "lambda" | "const" | "let" | "var" | "catch" | "import" | "case" => {
                    return true;
                }
                "in" | "of" | "if" | "while" | "return" | "not" | "and" | "or" => return false,
                _ => {}
            },
            Some(Token::Sign(',' | '(' | ')' | '[' | ']' | '{' | '*' | '.')) => {}
            _ => return false,
        }
    }
    false
}

/// Whether a name is a parameter of some function at another place: of `def`, of `function`, of an arrow.
fn is_parameter_of_another(tokens: &[Token], at: usize) -> bool {
    let is_arrow =
        |at: usize| tokens.get(at..at + 2) == Some(&[Token::Sign('='), Token::Sign('>')]);
    let Some(open) = around(tokens, at) else { return is_arrow(at + 1) };
    let word = |back: usize| open.checked_sub(back).and_then(|at| tokens.get(at));
    let behind = closing(tokens, open).unwrap_or(open);
    is_arrow(at + 1)
        || is_arrow(behind + 1)
        || word(1).is_some_and(is_defining)
        || word(2).is_some_and(is_defining)
}
