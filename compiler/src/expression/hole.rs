//! The values that the form of a condition has places for, and how each is written.

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
    pub(super) fn named(name: &str) -> Option<Self> {
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
