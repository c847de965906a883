//! Writes code of JavaScript that takes lists apart as code that takes single items: `const [, , out = "a"] = process.argv` as
//! `const out = process.argv[2] || "a"`; the kinds of TypeScript behind names are gone. Means the same, and knows no function.

use super::language::Language;
use super::parts::{closing, split, trimmed};
use super::token::{Code, Token};

/// No more tokens say as what a name is declared.
const MAX_DECLARED: usize = 32;

/// No more items of a list are taken.
const MAX_ITEMS: usize = 16;

/// Makes the spelling of code usual.
pub fn respell(language: Language, code: &mut Code) {
    if language != Language::JavaScript {
        return;
    }
    let tokens = std::mem::take(&mut code.tokens);
    let indents = std::mem::take(&mut code.indents);
    let parses = tokens.iter().any(|token| is_word(token, "parseArgs"));
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (written, length) = match taken(&tokens, at) {
            Some(taken) => taken,
            None => match declared(&tokens, at) {
                Some(length) => (vec![token.clone()], length + 1),
                None if parses => positional(&tokens, at).unwrap_or((vec![token.clone()], 1)),
                None => (vec![token.clone()], 1),
            },
        };
        code.tokens.extend(written);
        code.indents.resize(code.tokens.len(), indents.get(at).copied().unwrap_or_default());
        at += length;
    }
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Name(name) if name == word)
}

fn declares(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    matches!(before, Some(Token::Name(word)) if matches!(word.as_str(), "const" | "let" | "var"))
}

/// How many tokens behind a name that is set say as what it is declared: `const out: string = "a"`.
fn declared(tokens: &[Token], at: usize) -> Option<usize> {
    if !declares(tokens, at) || tokens.get(at + 1) != Some(&Token::Sign(':')) {
        return None;
    }
    let behind = tokens.get(at + 1..)?.iter().take(MAX_DECLARED);
    let ends = |token: &&Token| matches!(token, Token::Sign('=' | ';' | '\n'));
    let length = behind.take_while(|token| !ends(token)).count();
    let is_set = tokens.get(at + 1 + length) == Some(&Token::Sign('='));
    (is_set && tokens.get(at + 2 + length) != Some(&Token::Sign('>'))).then_some(length)
}

/// `[, , out = "a"] = process.argv`, with how many tokens that has.
fn taken(tokens: &[Token], at: usize) -> Option<(Vec<Token>, usize)> {
    if tokens.get(at) != Some(&Token::Sign('[')) || !declares(tokens, at) {
        return None;
    }
    let close = closing(tokens, at)?;
    let (first, length) = words_from(tokens.get(close + 1..)?)?;
    let mut written = Vec::new();
    let inner = tokens.get(at + 1..close)?;
    for (number, part) in split(inner, &[',']).into_iter().enumerate().take(MAX_ITEMS) {
        let (name, usual) = match trimmed(part) {
            [name @ Token::Name(_)] => (name, None),
            [name @ Token::Name(_), Token::Sign('='), usual @ ..] => (name, Some(usual)),
            _ => continue,
        };
        if !written.is_empty() {
            written.push(Token::Sign(';'));
        }
        written.extend([name.clone(), Token::Sign('=')]);
        written.extend(word(number + first));
        if let Some(usual) = usual {
            written.extend([Token::Sign('|'), Token::Sign('|')]);
            written.extend_from_slice(usual);
        }
    }
    (!written.is_empty()).then_some((written, close + 1 + length - at))
}

/// The tokens of `process.argv[1]`.
fn word(number: usize) -> [Token; 6] {
    let name = |name: &str| Token::Name(name.to_owned());
    [
        name("process"),
        Token::Sign('.'),
        name("argv"),
        Token::Sign('['),
        Token::Name(number.to_string()),
        Token::Sign(']'),
    ]
}

/// `= process.argv.slice(2)`: the number of the first word that is meant, and how many tokens say so.
fn words_from(tokens: &[Token]) -> Option<(usize, usize)> {
    let [Token::Sign('='), process, Token::Sign('.'), argv, rest @ ..] = tokens else {
        return None;
    };
    if !is_word(process, "process") || !is_word(argv, "argv") {
        return None;
    }
    match rest {
        [Token::Sign('.'), slice, Token::Sign('('), Token::Name(from), Token::Sign(')'), ..]
            if is_word(slice, "slice") =>
        {
            Some((from.parse().ok()?, 9))
        }
        [Token::Sign('.' | '['), ..] => None,
        _ => Some((0, 4)),
    }
}

/// `positionals[0]` of `parseArgs`.
fn positional(tokens: &[Token], at: usize) -> Option<(Vec<Token>, usize)> {
    match tokens.get(at..at + 4)? {
        [name, Token::Sign('['), Token::Name(number), Token::Sign(']')]
            if is_word(name, "positionals") =>
        {
            let number: usize = number.parse().ok().filter(|number| *number < MAX_ITEMS)?;
            Some((word(number + 2).to_vec(), 4))
        }
        _ => None,
    }
}
