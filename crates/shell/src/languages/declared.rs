//! Writes code of C, C++ and Java, in which kinds stand before names, as other languages would have it: `char *c = "x"` as
//! `c = "x"`, `#define C "x"` too, `"a" "b"` as one text, `{"a", "b", 0}` as a list. Means the same, and knows no function.

use super::language::Language;
use super::token::{Code, Token};

/// Changes the tokens of code.
pub fn respell(language: Language, code: &mut Code) {
    if !matches!(language, Language::C | Language::Java) {
        return;
    }
    join_texts(code);
    set_names(code);
    make_lists(code);
    drop_ends(code);
}

fn remake(code: &mut Code, mut keep: impl FnMut(&[Token], usize, &mut Vec<Token>)) {
    let tokens = std::mem::take(&mut code.tokens);
    let mut made = Vec::with_capacity(tokens.len());
    for at in 0..tokens.len() {
        keep(&tokens, at, &mut made);
    }
    code.indents.resize(made.len(), 0);
    code.tokens = made;
}

/// Texts one behind the other are one.
fn join_texts(code: &mut Code) {
    remake(code, |tokens, at, made| match tokens.get(at) {
        Some(Token::Text(more)) => match made.last_mut() {
            Some(Token::Text(text)) => text.push_str(more),
            _ => made.push(Token::Text(more.clone())),
        },
        // A line may end between them.
        Some(Token::Sign('\n')) if matches!(tokens.get(at + 1), Some(Token::Text(_))) => {}
        Some(token) => made.push(token.clone()),
        None => {}
    });
}

/// A name that is set begins a statement, whatever says before it of what kind it is.
fn set_names(code: &mut Code) {
    let is_sign = |token: Option<&Token>, sign: char| token == Some(&Token::Sign(sign));
    remake(code, |tokens, at, made| {
        let Some(token) = tokens.get(at) else { return };
        let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
        let is_kind = matches!(before(1), Some(Token::Name(_)))
            || is_sign(before(1), '*')
            || is_sign(before(1), ']')
            || is_sign(before(1), '&');
        match token {
            // `#define NAME text`
            Token::Name(_)
                if before(1) == Some(&Token::Name("define".to_owned()))
                    && is_sign(before(2), '#') =>
            {
                made.extend([Token::Sign(';'), token.clone(), Token::Sign('=')]);
            }
            // `char *name = …`, `char name[] = …`
            Token::Name(_) if is_kind => {
                let behind = tokens.get(at + 1..).unwrap_or_default();
                let skipped = match behind {
                    [Token::Sign('['), Token::Sign(']'), ..] => 2,
                    [Token::Sign('['), _, Token::Sign(']'), ..] => 3,
                    _ => 0,
                };
                let is_set =
                    is_sign(behind.get(skipped), '=') && !is_sign(behind.get(skipped + 1), '=');
                made.extend(is_set.then_some(Token::Sign(';')));
                made.push(token.clone());
            }
            // The brackets between a name and what it is set to.
            Token::Sign('[' | ']') => {
                let closes = match token {
                    Token::Sign(']') => at,
                    _ if is_sign(tokens.get(at + 1), ']') => at + 1,
                    _ => at + 2,
                };
                let is_set =
                    is_sign(tokens.get(closes), ']') && is_sign(tokens.get(closes + 1), '=');
                made.extend((!is_set).then(|| token.clone()));
            }
            token => made.push(token.clone()),
        }
    });
}

/// `= {…}`, `new String[] {…}`, `List.of(…)` are lists.
fn make_lists(code: &mut Code) {
    let mut open: Vec<bool> = Vec::new();
    remake(code, |tokens, at, made| match tokens.get(at) {
        Some(Token::Sign('{')) => {
            let is_list = match made.as_slice() {
                [.., Token::Sign('=')] => true,
                [.., Token::Name(new), Token::Name(_), Token::Sign('['), Token::Sign(']')] => {
                    new == "new"
                }
                _ => false,
            };
            if is_list && made.last() == Some(&Token::Sign(']')) {
                made.truncate(made.len().saturating_sub(4));
            }
            open.push(is_list);
            made.push(Token::Sign(if is_list { '[' } else { '{' }));
        }
        Some(Token::Sign('}')) => {
            let is_list = open.pop().unwrap_or_default();
            made.push(Token::Sign(if is_list { ']' } else { '}' }));
        }
        Some(token) => made.push(token.clone()),
        None => {}
    });
}

/// `, NULL)`, `, (char *)0)`: the sign for the end of a list is no item of it.
fn drop_ends(code: &mut Code) {
    remake(code, |tokens, at, made| {
        let Some(token) = tokens.get(at) else { return };
        if matches!(token, Token::Sign(')' | ']')) {
            let is_end = matches!(made.last(), Some(Token::Name(name)) if matches!(name.as_str(), "0" | "NULL" | "nullptr"));
            if is_end {
                made.pop();
                if let [.., Token::Sign('('), Token::Name(_), Token::Sign('*'), Token::Sign(')')] =
                    made.as_slice()
                {
                    made.truncate(made.len().saturating_sub(4));
                }
                if made.last() == Some(&Token::Sign(',')) {
                    made.pop();
                }
            }
        }
        made.push(token.clone());
    });
}
