//! Fields that code sets of its own object: each becomes one name, so that what it is set to can be told.

use std::collections::HashSet;

use super::classes;
use super::language::Language;
use super::token::{Code, Token};

/// Makes one name of `self.field`, where the code sets that.
pub fn join(language: Language, code: &mut Code) {
    let own = match language {
        Language::Python => {
            classes::join(code);
            "self"
        }
        Language::JavaScript => "this",
        _ => return,
    };
    let field = |tokens: &[Token], at: usize| match tokens.get(at..at + 3)? {
        [Token::Name(object), Token::Sign('.'), Token::Name(name)] if object == own => {
            Some(name.clone())
        }
        _ => None,
    };
    let is_sign = |tokens: &[Token], at: usize, sign| tokens.get(at) == Some(&Token::Sign(sign));
    let set: HashSet<String> = (0..code.tokens.len())
        .filter(|at| is_sign(&code.tokens, at + 3, '=') && !is_sign(&code.tokens, at + 4, '='))
        .filter_map(|at| field(&code.tokens, at))
        .collect();
    if set.is_empty() {
        return;
    }
    let tokens = std::mem::take(&mut code.tokens);
    let indents = std::mem::take(&mut code.indents);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let joined = field(&tokens, at).filter(|name| set.contains(name));
        code.indents.extend(indents.get(at));
        at += if joined.is_some() { 3 } else { 1 };
        code.tokens.push(
            joined.map_or_else(|| token.clone(), |name| Token::Name(format!("{own}.{name}"))),
        );
    }
}
