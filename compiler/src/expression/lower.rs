//! From token positions to conditions: gives each form the condition that it stands for, and
//! reports the few things that only the values show.

use std::ops::Range;

use super::grammar::{self, Match, Shape, Tree};
use super::hole::{Hole, Syntax};
use super::token::{Comparator, Kind, Token, unquote};
use super::tree::{Args, Expr, Test, Value};
use crate::fragment::{Problem, Spanned};

pub(super) struct Lowering<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// Where a text begins that is never closed: what it should be, nobody can tell.
    unreliable_from: Option<usize>,
    pub(super) problems: Vec<Problem>,
}

impl<'t> Lowering<'t> {
    pub(super) fn new(text: &'t str, tokens: &'t [Token], unreliable_from: Option<usize>) -> Self {
        Self { text, tokens, unreliable_from, problems: Vec::new() }
    }

    /// The condition of a tree, whose depth the caller has bounded.
    pub(super) fn tree(&mut self, tree: Tree) -> Spanned<Expr> {
        let range = self.bytes(&tree.tokens);
        let value = match tree.shape {
            Shape::All(items) => Expr::All(items.into_iter().map(|item| self.tree(item)).collect()),
            Shape::Any(items) => Expr::Any(items.into_iter().map(|item| self.tree(item)).collect()),
            Shape::Not(operand) => Expr::Not(Box::new(self.tree(*operand))),
            Shape::Test(_) if self.unreliable_from.is_some_and(|from| range.end > from) => {
                Expr::Error
            }
            Shape::Test(test) => self.test(test, &range),
            Shape::Broken => Expr::Error,
        };
        Spanned::new(value, range)
    }

    /// The bytes that tokens cover; for none of them, the empty range behind the last one before.
    fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let last = tokens.end.max(tokens.start).checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = last.map_or(0, |token| token.range.end);
        match self.tokens.get(tokens.start) {
            Some(first) if !tokens.is_empty() => first.range.start..end,
            _ => end..end,
        }
    }

    fn token(&self, index: usize) -> (Kind, &'t str, Range<usize>) {
        let Some(token) = self.tokens.get(index) else { return (Kind::Unknown, "", 0..0) };
        let text = self.text.get(token.range.clone()).unwrap_or_default();
        (token.kind, text, token.range.clone())
    }

    /// A name or a text, whether in quotes or not.
    fn string(&self, index: usize) -> Spanned<Value> {
        let (kind, text, range) = self.token(index);
        let text = if kind == Kind::Quoted { unquote(text) } else { text.to_owned() };
        Spanned::new(Value::String(text), range)
    }

    fn value(&self, index: usize) -> Spanned<Value> {
        let (kind, text, range) = self.token(index);
        let value = match kind {
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Integer => text.parse().map_or(Value::Int(0), Value::Int),
            Kind::Decimal => text.parse().map_or(Value::Float(0.0), Value::Float),
            _ => return self.string(index),
        };
        Spanned::new(value, range)
    }

    fn comparator(&self, index: usize) -> Comparator {
        match self.token(index).0 {
            Kind::Compare(comparator) => comparator,
            _ => Comparator::Equal,
        }
    }

    fn test(&mut self, test: grammar::Test, range: &Range<usize>) -> Expr {
        match test {
            grammar::Test::Form(found) => self.form(found, range),
            grammar::Test::Constant(true) => Expr::All(Vec::new()),
            grammar::Test::Constant(false) => Expr::Any(Vec::new()),
            grammar::Test::Call { name, argument } => {
                let (_, text, name) = self.token(name);
                let argument = argument.map_or_else(
                    || Spanned::new(Value::Bool(true), name.clone()),
                    |argument| self.value(argument),
                );
                self::test(text, &name, Args::Value(argument))
            }
        }
    }

    /// The condition of a form. A hole with a comparison is its last.
    fn form(&mut self, found: Match, range: &Range<usize>) -> Expr {
        let Match { form, holes } = found;
        let mut values: Vec<_> = form
            .holes()
            .zip(&holes)
            .map(|(hole, tokens)| (hole, self.hole(hole.syntax, tokens, range)))
            .collect();
        let compared = form.hole(&[Syntax::AtLeast, Syntax::Equal]).zip(holes.last());
        let Some((hole, Range { start: comparator, .. })) = compared else {
            let test = test(form.condition, range, arguments(values, range));
            return negate_if(form.is_negated, test, range);
        };
        let Some((_, limit)) = values.pop() else { return Expr::Error };
        let compared = |value| {
            let values = values.iter().cloned().chain([(hole, value)]).collect();
            test(form.condition, range, arguments(values, range))
        };
        match hole.syntax {
            Syntax::AtLeast => self.at_least(*comparator, limit, range, compared),
            _ => self.equal(*comparator, limit, range, compared),
        }
    }

    /// The value of a hole.
    fn hole(&self, syntax: Syntax, tokens: &Range<usize>, range: &Range<usize>) -> Spanned<Value> {
        let first = tokens.start;
        match syntax {
            Syntax::Values => self.list(tokens, range),
            Syntax::Comparison => {
                let symbol = self.comparator(first).symbol().to_owned();
                Spanned::new(Value::String(symbol), self.token(first).2)
            }
            Syntax::Is if tokens.is_empty() => Spanned::new(Value::Bool(true), range.clone()),
            Syntax::Is => {
                let (kind, _, range) = self.token(first + 1);
                let negated = self.token(first).0 == Kind::Compare(Comparator::NotEqual);
                Spanned::new(Value::Bool((kind == Kind::True) != negated), range)
            }
            Syntax::Value | Syntax::Integer => self.value(first),
            Syntax::AtLeast | Syntax::Equal => self.value(first + 1),
            Syntax::Name(_)
            | Syntax::Pattern
            | Syntax::Glob
            | Syntax::Text
            | Syntax::Command
            | Syntax::Words(_) => self.string(first),
        }
    }

    /// The values of a list in brackets.
    fn list(&self, tokens: &Range<usize>, range: &Range<usize>) -> Spanned<Value> {
        let values = tokens.clone().filter(|at| self.token(*at).0.is_scalar());
        let items: Vec<_> = values.map(|at| self.value(at)).collect();
        let all = items.first().zip(items.last());
        let within = all.map_or(range.clone(), |(a, b)| a.range.start..b.range.end);
        Spanned::new(Value::List(items), within)
    }

    /// A comparison of a number for which only "at least" is a condition.
    fn at_least(
        &mut self,
        comparator: usize,
        limit: Spanned<Value>,
        range: &Range<usize>,
        at_least: impl Fn(Spanned<Value>) -> Expr,
    ) -> Expr {
        let comparator = self.comparator(comparator);
        let Value::Int(number) = limit.value else { return Expr::Error };
        let needs_next = !matches!(comparator, Comparator::GreaterOrEqual | Comparator::Less);
        let next = number.checked_add(1).map(|n| Spanned::new(Value::Int(n), limit.range.clone()));
        let next = match next {
            Some(next) => next,
            None if needs_next => {
                self.problems.push(Problem::new(limit.range, "this number is too large"));
                return Expr::Error;
            }
            None => limit.clone(),
        };
        let equal = || {
            let below = negate_if(true, at_least(next.clone()), range);
            let both = [at_least(limit.clone()), below];
            Expr::All(both.into_iter().map(|one| Spanned::new(one, range.clone())).collect())
        };
        match comparator {
            Comparator::GreaterOrEqual => at_least(limit),
            Comparator::Greater => at_least(next),
            Comparator::Less => negate_if(true, at_least(limit), range),
            Comparator::LessOrEqual => negate_if(true, at_least(next), range),
            Comparator::Equal => equal(),
            Comparator::NotEqual => negate_if(true, equal(), range),
        }
    }

    /// A comparison of a number for which only "equal" is a condition.
    fn equal(
        &mut self,
        comparator: usize,
        number: Spanned<Value>,
        range: &Range<usize>,
        equal: impl Fn(Spanned<Value>) -> Expr,
    ) -> Expr {
        let negated = match self.comparator(comparator) {
            Comparator::Equal => false,
            Comparator::NotEqual => true,
            other => {
                let at = self.token(comparator).2;
                let subject = self.text.get(range.start..at.start).unwrap_or_default().trim_end();
                let message = format!("`{subject}` cannot be compared with `{}`", other.symbol());
                self.problems.push(Problem::new(at, message).help(
                    "only `==` and `!=` can be asked of it; count the calls in a counter for the others",
                ));
                return Expr::Error;
            }
        };
        negate_if(negated, equal(number), range)
    }
}

/// What a condition is given.
fn arguments(mut values: Vec<(&Hole, Spanned<Value>)>, range: &Range<usize>) -> Args {
    if let [(Hole { field: None, .. }, _)] = values.as_slice()
        && let Some((_, value)) = values.pop()
    {
        return Args::Value(value);
    }
    let fields: Vec<_> =
        values.into_iter().filter_map(|(hole, value)| Some((hole.field?, value))).collect();
    match fields.is_empty() {
        true => Args::Value(Spanned::new(Value::Bool(true), range.clone())),
        false => Args::Fields(fields),
    }
}

fn test(name: &str, range: &Range<usize>, args: Args) -> Expr {
    Expr::Test(Test { name: Spanned::new(name.to_owned(), range.clone()), args })
}

fn negate_if(negated: bool, expression: Expr, range: &Range<usize>) -> Expr {
    if negated { Expr::Not(Box::new(Spanned::new(expression, range.clone()))) } else { expression }
}
