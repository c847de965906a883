//! An expression that was read: the conditions in it, and what each is given.

use crate::fragment::Spanned;

/// A condition as written in an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// All of them hold: one chain of `and`. Empty for `true`.
    All(Vec<Spanned<Expr>>),
    /// One of them holds: one chain of `or`. Empty for `false`.
    Any(Vec<Spanned<Expr>>),
    /// It does not hold.
    Not(Box<Spanned<Expr>>),
    /// One condition of the registry.
    Test(Test),
    /// Something that failed and was reported.
    Error,
}

/// One condition of the registry and what it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The condition's name, such as `counter_gte`. Its range is the whole test where the test has
    /// a form of its own, and the name where it is written as a call.
    pub name: Spanned<String>,
    /// What the condition is given.
    pub args: Args,
}

/// What a condition is given, in the shape of the mapping form.
#[derive(Clone, Debug, PartialEq)]
pub enum Args {
    /// One value: `target_in_set: read_files`.
    Value(Spanned<Value>),
    /// Named values: `counter_gte: {name: reads, value: 3}`.
    Fields(Vec<(&'static str, Spanned<Value>)>),
}

/// A value in an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number, finite.
    Float(f64),
    /// A name or a text in quotes.
    String(String),
    /// A list.
    List(Vec<Spanned<Value>>),
}
