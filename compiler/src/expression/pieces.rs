//! The words of an expression and what may come next in it, for editors.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::hole::{Hole, Syntax};
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
    /// A pattern in quotes.
    Pattern,
    /// A number.
    Number,
    /// A sign such as `>=`.
    Operator,
}

/// The pieces of an expression, those without meaning left out.
pub(crate) fn pieces(text: &str) -> Vec<(Range<usize>, Piece)> {
    // Whether a word stands before it behind which forms have a pattern.
    let mut is_pattern = false;
    let piece = |token: Token| {
        let word = text.get(token.range.clone()).unwrap_or_default();
        let is_here = std::mem::replace(&mut is_pattern, BEFORE_PATTERNS.contains(word));
        let piece = match token.kind {
            Kind::Quoted if is_here => Piece::Pattern,
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

/// The words right behind which some form has a pattern.
static BEFORE_PATTERNS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let pairs = FORMS.iter().flat_map(|form| form.parts.windows(2));
    let before = pairs.filter_map(|pair| match pair {
        [Part::Word(word), Part::Hole(Hole { syntax: Syntax::Pattern | Syntax::Glob, .. })] => {
            Some(*word)
        }
        _ => None,
    });
    before.collect()
});

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
    let is_word = |word: &'static str, token: &Token, is_last: bool| {
        let is_it = token.kind == Kind::of_word(word).unwrap_or(Kind::Name);
        let written = beginning.get(token.range.clone()).unwrap_or_default();
        is_it || is_open && is_last && word.starts_with(written)
    };
    let part_at = |form: &Form| {
        let mut at = 0;
        for (number, part) in form.parts.iter().enumerate() {
            let Some(token) = tokens.get(at) else { return Some(number) };
            let is_last = at + 1 == tokens.len();
            let fits = match part {
                Part::Word(word) => is_word(word, token, is_last),
                Part::Open => matches!(token.kind, Kind::LeftParen | Kind::UnclosedParen),
                Part::Close => token.kind == Kind::RightParen,
                Part::Hole(_) => true,
            };
            if !fits {
                return None;
            }
            let length = length_of(part, tokens.get(at..).unwrap_or_default());
            // What is not whole yet is still being written.
            if length.is_none_or(|length| is_open && at + length == tokens.len()) {
                return Some(number);
            }
            at += length.unwrap_or(1);
        }
        Some(form.parts.len())
    };
    FORMS.iter().filter_map(|form| Some(signature(form, part_at(form)?))).collect()
}

/// How many of some tokens a part takes; `None` where it goes on behind them.
fn length_of(part: &Part, tokens: &[Token]) -> Option<usize> {
    let first = tokens.first()?;
    match part {
        // A sign, and the number that it compares with.
        Part::Hole(Hole { syntax: Syntax::AtLeast | Syntax::Equal, .. }) => {
            (tokens.len() > 1).then_some(2)
        }
        Part::Hole(_) if first.kind == Kind::LeftBracket => {
            let end = tokens.iter().position(|token| token.kind == Kind::RightBracket)?;
            Some(end + 1)
        }
        _ => Some(1),
    }
}

/// A form, of which the part with a number is the next, or is being written.
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
        assert_eq!(shown("counter(reads) >= "), ["counter({name}) {value} Some(1)"]);
        assert_eq!(shown("counter(reads) >= 3"), ["counter({name}) {value} Some(1)"]);
        assert_eq!(shown("counter(reads) >= 3 "), ["counter({name}) {value} None"]);
        assert!(shown("param(x) in [\"a\", ").iter().any(|it| it.ends_with("{values} Some(1)")));
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
        assert_eq!((count(Piece::Pattern), count(Piece::Number)), (1, 1));
        assert_eq!(count(Piece::Operator), 1);
        let of = |text: &str| pieces(text).into_iter().map(|(_, piece)| piece).collect::<Vec<_>>();
        assert_eq!(of("param(x) matches \"a+b\"").last(), Some(&Piece::Pattern));
        assert_eq!(of("writes \"src/**\"").last(), Some(&Piece::Pattern));
        assert_eq!(of("param(x) contains \"a+b\"").last(), Some(&Piece::Text));
    }
}
