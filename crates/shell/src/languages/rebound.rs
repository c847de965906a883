//! Names that may stand for something else than they are set to: parameters, variables of loops, what is taken apart, what
//! is changed where it is. Only the tokens around a name are looked at.

use super::language::Language;
use super::parts::closing;
use super::token::{REWRITES, Token};

/// How far is looked around a name.
const MAX: usize = 32;

/// Returns these names, and some of them more than once.
pub fn names(language: Language, tokens: &[Token]) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name(word) => defined(language, tokens, at, word, &mut found),
            Token::Sign('=') => assigned(tokens, at, &mut found),
            Token::Sign('|') if language == Language::Ruby => {
                let behind = tokens.get(at + 1..).unwrap_or_default();
                let end = behind.iter().take(MAX).position(|token| *token == Token::Sign('|'));
                found.extend(words(behind.get(..end.unwrap_or(0)).unwrap_or_default()));
            }
            _ => {}
        }
    }
    found.extend(changed(language, tokens));
    found
}

/// Returns the names of texts that are changed where they are: `$a =~ s/…/…/`, `gsub(/…/, "…", a)`, `a.reverse!`, `a << b`.
pub fn changed(language: Language, tokens: &[Token]) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let behind = tokens.get(at + 1..).unwrap_or_default();
        match (language, token, behind) {
            (
                Language::Perl,
                Token::Name(name),
                [Token::Sign('='), Token::Sign('~'), Token::Name(regex), ..],
            ) if regex == REWRITES => found.push(name.as_str()),
            (Language::Perl, Token::Name(regex), _) if regex == REWRITES => found.push("_"),
            (Language::Awk, Token::Name(word), [Token::Sign('('), ..])
                if matches!(word.as_str(), "sub" | "gsub" | "split" | "getline") =>
            {
                let end = closing(tokens, at + 1).unwrap_or(at);
                found.extend(words(tokens.get(at + 2..end).unwrap_or_default()));
            }
            (Language::Awk, Token::Name(word), [Token::Name(name), ..]) if word == "getline" => {
                found.push(name);
            }
            (
                Language::Ruby,
                Token::Name(name),
                [Token::Sign('.'), Token::Name(_), Token::Sign('!'), next, ..],
            ) if *next != Token::Sign('=') => found.push(name),
            (Language::Ruby, Token::Name(name), [Token::Sign('<'), Token::Sign('<'), ..])
            | (Language::Ruby, Token::Name(name), [Token::Sign('['), ..]) => {
                let is_set = behind.first() != Some(&Token::Sign('['))
                    || closing(tokens, at + 1).is_some_and(|close| {
                        tokens.get(close + 1) == Some(&Token::Sign('='))
                            && tokens.get(close + 2) != Some(&Token::Sign('='))
                    });
                found.extend(is_set.then_some(name.as_str()));
            }
            _ => {}
        }
    }
    found
}

fn words(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Name(name) => Some(name.as_str()),
        _ => None,
    })
}

/// The names that a word gives another meaning to, behind it or before it.
fn defined<'t>(
    language: Language,
    tokens: &'t [Token],
    at: usize,
    word: &str,
    found: &mut Vec<&'t str>,
) {
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let until = |sign: &[Token], end: &str| {
        let is_end = |token: &Token| {
            sign.contains(token) || matches!(token, Token::Name(word) if word == end)
        };
        let end = behind.iter().take(MAX).position(is_end).unwrap_or(behind.len().min(MAX));
        behind.get(..end).unwrap_or_default()
    };
    match word {
        "def" | "function" | "sub" | "fn" | "func" => {
            let open = behind.iter().take(2).position(|token| *token == Token::Sign('('));
            let close = open.and_then(|open| closing(tokens, at + 1 + open));
            let end = close.map_or(1, |close| close - at - 1);
            found.extend(words(behind.get(..end).unwrap_or_default()));
        }
        "lambda" => found.extend(words(until(&[Token::Sign(':')], ""))),
        "for" | "foreach" => {
            found.extend(words(until(&[Token::Sign(';'), Token::Sign('\n')], "in")));
        }
        "as" | "global" | "nonlocal" | "del" | "delete" | "local" => {
            // `as` of a library names that.
            let is_set = word != "local" || language != Language::Lua;
            found.extend(
                words(behind.get(..behind.len().min(2)).unwrap_or_default()).filter(|_| is_set),
            );
        }
        _ => {}
    }
}

/// The names that are taken apart before an equals sign, and the parameters before an arrow.
fn assigned<'t>(tokens: &'t [Token], at: usize, found: &mut Vec<&'t str>) {
    let is_arrow = tokens.get(at + 1) == Some(&Token::Sign('>'));
    if tokens.get(at + 1) == Some(&Token::Sign('=')) {
        return;
    }
    let before = tokens.get(at.saturating_sub(MAX)..at).unwrap_or_default();
    let mut open = 0_usize;
    let mut is_argument = false;
    let is_part = |token: &&Token| match token {
        Token::Name(_) | Token::Sign(',' | '$' | '@' | '*') => true,
        Token::Sign(')' | ']' | '}') => {
            open += 1;
            true
        }
        Token::Sign('(' | '[' | '{') if open > 0 => {
            open -= 1;
            true
        }
        // `f(a, b=c)` sets nothing but an argument.
        Token::Sign('(') => {
            is_argument = true;
            false
        }
        _ => false,
    };
    let part: Vec<&Token> = before.iter().rev().take_while(is_part).collect();
    if is_argument && !is_arrow {
        return;
    }
    let is_list = part.iter().any(|token| **token == Token::Sign(','));
    let ends = matches!(part.first(), Some(Token::Sign(')' | ']' | '}')));
    if is_list || is_arrow || ends {
        found.extend(part.iter().filter_map(|token| match token {
            Token::Name(name) => Some(name.as_str()),
            _ => None,
        }));
    }
}
