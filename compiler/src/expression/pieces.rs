//! The words of an expression and what may come next in it, for editors.

use std::ops::Range;

use super::hole::Hole;
use super::template::{FORMS, Form, Part};
use super::token::{Kind, Token, tokenize};

/// What a piece of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// `and`, `or`, `not`.
    Connective,
    /// A word of a condition's form.
    Word,
    /// `true` or `false`.
    Constant,
    /// A name.
    Name,
    /// A text in quotes.
    Text,
    /// A number.
    Number,
    /// A sign such as `>=`.
    Operator,
}

/// The pieces of an expression, those without meaning left out.
pub(crate) fn pieces(text: &str) -> Vec<(Range<usize>, Piece)> {
    let piece = |token: Token| {
        let piece = match token.kind {
            Kind::And | Kind::Or | Kind::Not => Piece::Connective,
            Kind::True | Kind::False => Piece::Constant,
            Kind::Word(_) => Piece::Word,
            Kind::Name => Piece::Name,
            Kind::Quoted => Piece::Text,
            Kind::Integer | Kind::Decimal => Piece::Number,
            Kind::Compare(_) => Piece::Operator,
            _ => return None,
        };
        Some((token.range, piece))
    };
    tokenize(text).tokens.into_iter().filter_map(piece).collect()
}

/// A form that a condition may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The condition.
    pub condition: &'static str,
    /// The form, with the names of its values in braces.
    pub label: String,
    /// Where each value stands in the label.
    pub values: Vec<Range<usize>>,
    /// Which value comes next, or is being written.
    pub active: Option<usize>,
}

/// The forms that the beginning of a condition may become.
pub(crate) fn signatures(beginning: &str) -> Vec<Signature> {
    let tokens = tokenize(beginning).tokens;
    // The last word may not be whole.
    let is_part = |c: char| c.is_alphanumeric() || "_<>=!".contains(c);
    let is_open = beginning.ends_with(is_part);
    let fits = |(number, (part, token)): (usize, (&Part, &Token))| match part {
        Part::Word(word) => {
            let is_it = token.kind == Kind::of_word(word).unwrap_or(Kind::Name);
            let written = beginning.get(token.range.clone()).unwrap_or_default();
            is_it || is_open && number + 1 == tokens.len() && word.starts_with(written)
        }
        Part::Open => matches!(token.kind, Kind::LeftParen | Kind::UnclosedParen),
        Part::Close => token.kind == Kind::RightParen,
        Part::Hole(_) => true,
    };
    let begins = |form: &&Form| form.parts.iter().zip(&tokens).enumerate().all(fits);
    let at = tokens.len().saturating_sub(usize::from(is_open));
    FORMS.iter().filter(begins).map(|form| signature(form, at)).collect()
}

fn signature(form: &Form, at: usize) -> Signature {
    let mut label = String::new();
    let mut values = Vec::new();
    let mut active = None;
    for (number, part) in form.parts.iter().enumerate() {
        let is_tight = matches!(part, Part::Open | Part::Close) || label.ends_with('(');
        if !label.is_empty() && !is_tight {
            label.push(' ');
        }
        match part {
            Part::Word(word) => label.push_str(word),
            Part::Open => label.push('('),
            Part::Close => label.push(')'),
            Part::Hole(Hole { name, .. }) => {
                let start = label.len();
                label.push_str(&format!("{{{name}}}"));
                if active.is_none() && number >= at {
                    active = Some(values.len());
                }
                values.push(start..label.len());
            }
        }
    }
    Signature { condition: form.condition, label, values, active }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_follow_from_their_beginnings() {
        let shown = |beginning: &str| {
            let all = signatures(beginning).into_iter();
            all.map(|it| format!("{} {:?}", it.label, it.active)).collect::<Vec<_>>()
        };
        assert!(
            shown("counter(").iter().all(|it| it.starts_with("counter({")),
            "{:?}",
            shown("counter(")
        );
        assert!(!shown("counter(").is_empty());
        assert!(shown("counter(reads) >").iter().any(|it| it.ends_with("Some(1)")));
        assert!(shown("target in ").contains(&"target in {set} Some(0)".to_owned()));
        assert!(shown("nonsense here").is_empty());
        assert!(shown("").len() > 20);
    }

    #[test]
    fn every_word_is_a_piece() {
        let found = pieces("not flag(a) and counter(b) >= 3 or text matches \"x\"");
        let count = |wanted| found.iter().filter(|(_, piece)| *piece == wanted).count();
        assert_eq!(count(Piece::Connective), 3);
        assert_eq!(count(Piece::Name), 2);
        assert_eq!((count(Piece::Text), count(Piece::Number), count(Piece::Operator)), (1, 1, 1));
    }
}
