//! Functions that a test replaces while it runs: what is called there under their names is a mock, and does nothing.

use super::language::Language;
use super::parts::{MAX_ARGUMENTS, closing};
use super::token::{Code, Token};

/// No more replaced functions are looked at.
const MAX: usize = 64;

/// Gives mocks a name that no function has: `with patch("shutil.rmtree"): …`, `@patch("os.remove")`.
pub fn take(language: Language, code: &mut Code) {
    if language != Language::Python {
        return;
    }
    let is_patch = |token: &Token| matches!(token, Token::Name(name) if name == "patch");
    let found: Vec<usize> =
        (0..code.tokens.len()).filter(|at| code.tokens.get(*at).is_some_and(is_patch)).collect();
    for at in found.into_iter().take(MAX) {
        let Some((module, function)) = replaced(&code.tokens, at) else { continue };
        let Some((from, to)) = body(code, at) else { continue };
        for at in from..to {
            let is_it = |back: usize, name: &str| {
                at.checked_sub(back).and_then(|at| code.tokens.get(at))
                    == Some(&Token::Name(name.to_owned()))
            };
            if is_it(0, &function)
                && is_it(2, &module)
                && let Some(token) = code.tokens.get_mut(at)
            {
                *token = Token::Name("mock".to_owned());
            }
        }
    }
}

/// The library and the function of it that are replaced.
fn replaced(tokens: &[Token], at: usize) -> Option<(String, String)> {
    match tokens.get(at + 1..)? {
        [Token::Sign('('), Token::Text(path), ..] => {
            let (module, function) = path.rsplit_once('.')?;
            let module = module.rsplit('.').next()?;
            Some((module.to_owned(), function.to_owned()))
        }
        [
            Token::Sign('.'),
            Token::Name(object),
            Token::Sign('('),
            Token::Name(module),
            Token::Sign(','),
            Token::Text(function),
            ..,
        ] if object == "object" => Some((module.clone(), function.clone())),
        _ => None,
    }
}

/// The lines in which the function is replaced: those of a `with`, or of the function behind `@`.
fn body(code: &Code, at: usize) -> Option<(usize, usize)> {
    let is_break = |at: &usize| code.tokens.get(*at) == Some(&Token::Sign('\n'));
    let start = at.saturating_sub(MAX_ARGUMENTS);
    let begin = (start..at).rev().find(is_break).map_or(start, |at| at + 1);
    let own = code.indents.get(begin).copied()?;
    let first = code.tokens.get(begin)?;
    let is_with = matches!(first, Token::Name(word) if word == "with" || word == "async");
    let close = (at..code.tokens.len())
        .find(|at| code.tokens.get(*at) == Some(&Token::Sign('(')))
        .and_then(|open| closing(&code.tokens, open))?;
    let mut line = (close..code.tokens.len()).find(is_break)?;
    if *first == Token::Sign('@') {
        // The line of the function itself, with other decorators before it.
        let is_definition =
            |at: &usize| matches!(code.tokens.get(*at), Some(Token::Name(word)) if word == "def");
        let function = (line..code.tokens.len()).find(is_definition)?;
        line = (function..code.tokens.len()).find(is_break)?;
    } else if !is_with {
        return None;
    }
    let ends =
        |at: &usize| code.indents.get(*at).is_some_and(|indent| *indent <= own) && !is_break(at);
    let to = (line + 1..code.tokens.len()).find(ends).unwrap_or(code.tokens.len());
    Some((line, to))
}
