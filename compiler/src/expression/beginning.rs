//! What may follow the beginning of a condition.

use super::hole::{Hole, Syntax};
use super::template::{FORMS, Form, Part};
use super::token::{Kind, Token, tokenize};
use crate::registry::schema::NameKind;

/// What kind of name may stand behind the beginning of a condition.
pub(crate) fn name_behind(beginning: &str) -> Option<NameKind> {
    holes_behind(beginning).into_iter().find_map(|syntax| match syntax {
        Syntax::Name(kind) => Some(kind),
        _ => None,
    })
}

/// The words of which one may stand behind the beginning of a condition.
pub(crate) fn words_behind(beginning: &str) -> Option<&'static [&'static str]> {
    holes_behind(beginning).into_iter().find_map(|syntax| match syntax {
        Syntax::Words(words) => Some(words),
        _ => None,
    })
}

/// Whether a path pattern in quotes may stand behind the beginning of a condition.
pub(crate) fn is_glob_behind(beginning: &str) -> bool {
    holes_behind(beginning).contains(&Syntax::Glob)
}

/// How the values are written that may stand behind the beginning of a condition.
fn holes_behind(beginning: &str) -> Vec<Syntax> {
    let tokens = tokenize(beginning).tokens;
    let fits = |(part, token): (&Part, &Token)| match part {
        Part::Word(word) => token.kind == Kind::of_word(word).unwrap_or(Kind::Name),
        Part::Open => token.kind == Kind::LeftParen,
        Part::Close => token.kind == Kind::RightParen,
        Part::Hole(_) => true,
    };
    let begins = |form: &&Form| form.parts.iter().zip(&tokens).all(fits);
    let next =
        FORMS.iter().filter(begins).filter_map(|form| match form.parts.get(tokens.len())? {
            Part::Hole(Hole { syntax, .. }) => Some(*syntax),
            _ => None,
        });
    next.collect()
}
