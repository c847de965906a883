//! The forms that conditions have in expressions, read from the templates that they declare: words,
//! parentheses and holes, as in `target in {set}`. The words of the language, the grammar, the
//! reading and the printing of conditions all follow from them.
//!
//! A hole names an operand of the condition; behind a colon it may say how else the operand is
//! written. `[not]` makes two forms, the second of which negates the condition.

use std::sync::LazyLock;

use super::token::{Kind, tokenize};
use crate::conditions::{self, ConditionKind};
use crate::registry::schema::NameKind;

/// How an operand is written in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// A name, in quotes if it must be.
    Name(NameKind),
    /// A regular expression in quotes.
    Pattern,
    /// A path pattern in quotes.
    Glob,
    /// A text in quotes.
    Text,
    /// A command in quotes.
    Command,
    /// A whole number.
    Integer,
    /// A sign such as `>=`.
    Comparison,
    /// A text in quotes, a number, `true` or `false`.
    Value,
    /// A list of such values.
    Values,
    /// One of some words.
    Words(&'static [&'static str]),
    /// A comparison with a whole number, which is told by what is at least a number.
    AtLeast,
    /// `==` or `!=` and a whole number.
    Equal,
    /// `is` and `true` or `false`, or nothing for `true`.
    Is,
}

impl Syntax {
    /// The syntax that a template asks for.
    fn named(name: &str) -> Option<Self> {
        match name {
            "at_least" => Some(Self::AtLeast),
            "equal" => Some(Self::Equal),
            "is" => Some(Self::Is),
            _ => None,
        }
    }
}

/// A value that a template may name.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    /// Its name.
    pub name: &'static str,
    /// The field of the condition's mapping; `None` where the value stands behind the key itself.
    pub field: Option<&'static str>,
    /// What holds where the field is not there, as it would be written.
    pub default: Option<&'static str>,
    /// How it is written.
    pub syntax: Syntax,
}

impl Hole {
    /// The value that stands behind the condition's key.
    #[must_use]
    pub const fn value(name: &'static str, syntax: Syntax) -> Self {
        Self { name, field: None, default: None, syntax }
    }

    /// A field of the condition's mapping, with what holds where it is not there.
    #[must_use]
    pub const fn field(name: &'static str, default: Option<&'static str>, syntax: Syntax) -> Self {
        Self { name, field: Some(name), default, syntax }
    }
}

/// A form of a condition.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) condition: &'static str,
    /// Whether it stands for the opposite of the condition.
    pub(super) is_negated: bool,
    pub(super) parts: Vec<Part>,
}

/// A part of a form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Word(&'static str),
    Open,
    Close,
    Hole(Hole),
}

impl Form {
    pub(super) fn holes(&self) -> impl DoubleEndedIterator<Item = &Hole> {
        self.parts.iter().filter_map(|part| match part {
            Part::Hole(hole) => Some(hole),
            _ => None,
        })
    }

    /// What its first hole with one of the syntaxes is.
    pub(super) fn hole(&self, syntaxes: &[Syntax]) -> Option<&Hole> {
        self.holes().find(|hole| syntaxes.contains(&hole.syntax))
    }
}

/// All forms, in the order of the conditions.
pub(super) static FORMS: LazyLock<Vec<Form>> =
    LazyLock::new(|| conditions::ALL.iter().flat_map(|kind| of_condition(kind)).collect());

/// All words that forms are made of, sorted.
pub(super) static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut words = vec!["is"];
    for part in FORMS.iter().flat_map(|form| &form.parts) {
        match part {
            Part::Word(word) => words.push(word),
            Part::Hole(Hole { syntax: Syntax::Words(choices), .. }) => words.extend(*choices),
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words
});

/// The words that open a condition, for suggestions.
pub(super) static HEADS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut heads = vec!["not"];
    for form in FORMS.iter() {
        if let Some(Part::Word(word)) = form.parts.first()
            && !heads.contains(word)
        {
            heads.push(word);
        }
    }
    heads
});

/// The forms of a condition, the one that is printed first.
fn of_condition(kind: &'static ConditionKind) -> Vec<Form> {
    let form = |template, is_negated| {
        let parts = parts(kind, template, is_negated)?;
        Some(Form { condition: kind.name, is_negated, parts })
    };
    let mut forms = Vec::new();
    for template in kind.forms {
        forms.extend(form(template, false));
        if template.contains("[not]") {
            forms.extend(form(template, true));
        }
    }
    forms
}

/// The parts of a template; `None` where it names a hole that the condition does not have.
fn parts(kind: &ConditionKind, template: &'static str, is_negated: bool) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(next) = rest.chars().next() {
        let end = match next {
            '{' => rest.find('}')? + 1,
            '[' => rest.find(']')? + 1,
            '(' | ')' | ' ' => 1,
            _ => rest.find(['(', ')', ' ']).unwrap_or(rest.len()),
        };
        let (part, behind) = rest.split_at_checked(end)?;
        rest = behind;
        match next {
            ' ' => {}
            '(' => parts.push(Part::Open),
            ')' => parts.push(Part::Close),
            '[' if is_negated => parts.push(Part::Word("not")),
            '[' => {}
            '{' => parts.push(Part::Hole(hole(kind, part.trim_matches(['{', '}']))?)),
            _ => parts.push(Part::Word(part)),
        }
    }
    Some(parts)
}

fn hole(kind: &ConditionKind, written: &str) -> Option<Hole> {
    let (name, syntax) = written.split_once(':').unzip();
    let mut hole = *kind.holes.iter().find(|hole| hole.name == name.unwrap_or(written))?;
    if let Some(syntax) = syntax {
        hole.syntax = Syntax::named(syntax)?;
    }
    Some(hole)
}

/// What kind of name may stand behind the beginning of a condition.
pub(crate) fn name_behind(beginning: &str) -> Option<NameKind> {
    let tokens = tokenize(beginning).tokens;
    let fits = |(part, token): (&Part, &super::token::Token)| match part {
        Part::Word(word) => token.kind == Kind::of_word(word).unwrap_or(Kind::Name),
        Part::Open => token.kind == Kind::LeftParen,
        Part::Close => token.kind == Kind::RightParen,
        Part::Hole(_) => true,
    };
    let begins = |form: &&Form| form.parts.iter().zip(&tokens).all(fits);
    FORMS.iter().filter(begins).find_map(|form| match form.parts.get(tokens.len())? {
        Part::Hole(Hole { syntax: Syntax::Name(kind), .. }) => Some(*kind),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_a_form() {
        for kind in conditions::ALL {
            let negated = kind.forms.iter().filter(|form| form.contains("[not]")).count();
            assert_eq!(of_condition(kind).len(), kind.forms.len() + negated, "{}", kind.name);
            assert!(!kind.forms.is_empty(), "{}", kind.name);
        }
    }
}
