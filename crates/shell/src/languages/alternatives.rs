//! Expressions that are one of two: what is given from outside, or else something that the code says. Where nobody knows
//! whether it is given, both count.

use super::environment;
use super::language::Language;
use super::names::Names;
use super::parts::{outside, trimmed};
use super::token::Token;
use super::told::{Told, told};
use super::value::Value;
use crate::hole::{HOLE, LISTED, READ};

/// No longer expressions are looked at, in tokens.
const MAX: usize = 128;

impl Value {
    /// This, or something that nobody knows.
    pub fn or_unknown(self) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            value => Self::either(value, Self::Unknown),
        }
    }

    /// One value or another.
    fn either(first: Self, second: Self) -> Self {
        let parts = |value: Self| match value {
            Self::Each(values) => values,
            value => vec![value],
        };
        let mut all = parts(first);
        for value in parts(second) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        Self::each(all)
    }

    /// Whether it is known, and so is that it says yes.
    fn is_given(&self) -> bool {
        matches!(self, Self::Text(text) if !text.is_empty() && !text.contains([HOLE, LISTED, READ]))
    }
}

impl Names {
    /// The value of an expression that is one of two; `None` for all others.
    pub fn alternative(&self, tokens: &[Token], depth: u32) -> Option<Value> {
        if tokens.len() < 3 || tokens.len() > MAX {
            return None;
        }
        if let Some((first, second)) = choice(self.language(), tokens) {
            let (first, second) = (self.if_given(first, depth), self.if_given(second, depth));
            // Of two texts of the code's own nobody asks which.
            return match (&first, &second) {
                (Value::Told(_) | Value::Unknown | Value::Off, Value::Text(_)) => {
                    Some(self.or(first, second))
                }
                (Value::Text(_), Value::Told(_) | Value::Unknown | Value::Off) => {
                    Some(self.or(second, first))
                }
                _ => None,
            };
        }
        let (first, second) = otherwise(self.language(), tokens)?;
        let is_of_environment = environment::variable(trimmed(first)).is_some();
        let first = match self.if_given(first, depth) {
            // By custom, what nobody sets is not set.
            Value::Unknown if is_of_environment => Value::Off,
            first => first,
        };
        match first.is_given() {
            true => Some(first),
            false => Some(self.or(first, self.value(second, depth + 1))),
        }
    }

    /// The value of an expression, which says no where it is a word that is not there.
    fn if_given(&self, tokens: &[Token], depth: u32) -> Value {
        match told(self.language(), trimmed(tokens)) {
            Some(told) if told.is_single() && self.is_missing(told) => Value::Off,
            _ => self.value(tokens, depth + 1),
        }
    }

    /// Whether it is known that a word is not there that the code may be told.
    pub fn is_missing(&self, told: Told) -> bool {
        self.words().is_some_and(|words| words.len() <= told.from as usize)
    }

    /// A value, or another one where it is not given.
    fn or(&self, value: Value, other: Value) -> Value {
        match value {
            Value::Off => other,
            Value::Told(told) if self.words().is_some() => Value::Told(told),
            Value::Unknown => other.or_unknown(),
            value => Value::either(other, value),
        }
    }
}

/// `a if c else b`, `c ? a : b`
fn choice(language: Language, tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    if language == Language::Python {
        let at = outside(tokens, "if").filter(|at| *at > 0)?;
        let behind = tokens.get(at + 1..)?;
        let other = outside(behind, "else")?;
        return Some((tokens.get(..at)?, behind.get(other + 1..)?));
    }
    if !matches!(language, Language::JavaScript | Language::Php | Language::Ruby) {
        return None;
    }
    let is_alone = |at: usize| {
        let is_mark = |at: usize| tokens.get(at) == Some(&Token::Sign('?'));
        let before = at.checked_sub(1).is_some_and(is_mark);
        is_mark(at) && !before && !is_mark(at + 1) && tokens.get(at + 1) != Some(&Token::Sign('.'))
    };
    let at = outer(tokens).find(|at| is_alone(*at))?;
    let behind = tokens.get(at + 1..)?;
    let colon = outer(behind).find(|at| behind.get(*at) == Some(&Token::Sign(':')))?;
    Some((behind.get(..colon)?, behind.get(colon + 1..)?))
}

/// `a or b`, `a || b`, `a ?? b`
fn otherwise(language: Language, tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let signs: &[char] = match language {
        Language::JavaScript | Language::Php => &['|', '?'],
        Language::Ruby | Language::Perl => &['|'],
        _ => &[],
    };
    let is_pair = |at: &usize| match tokens.get(*at..*at + 2) {
        Some([Token::Sign(first), Token::Sign(second)]) => first == second && signs.contains(first),
        _ => false,
    };
    if let Some(at) = outer(tokens).find(is_pair) {
        return Some((tokens.get(..at)?, tokens.get(at + 2..)?));
    }
    let has_word =
        matches!(language, Language::Python | Language::Ruby | Language::Perl | Language::Lua);
    let at = outside(tokens, "or").filter(|at| has_word && *at > 0)?;
    Some((tokens.get(..at)?, tokens.get(at + 1..)?))
}

/// The places of tokens that stand outside of brackets.
fn outer(tokens: &[Token]) -> impl Iterator<Item = usize> {
    let mut depth = 0_usize;
    tokens.iter().enumerate().filter_map(move |(at, token)| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => return (depth == 0).then_some(at),
        }
        None
    })
}
