//! From token positions to conditions: gives each form the condition that it stands for, and
//! reports the few things that only the values show.

use std::ops::Range;

use super::grammar::{Form, ParamTest, Shape, Tree};
use super::token::{Comparator, Kind, Token, unquote};
use super::{Args, Expr, Test, Value};
use crate::fragment::{Problem, Spanned};

pub(super) struct Lowering<'t> {
    text: &'t str,
    tokens: &'t [Token],
    pub(super) problems: Vec<Problem>,
}

impl<'t> Lowering<'t> {
    pub(super) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self { text, tokens, problems: Vec::new() }
    }

    /// The condition of a tree, whose depth the caller has bounded.
    pub(super) fn tree(&mut self, tree: Tree) -> Spanned<Expr> {
        let range = self.bytes(&tree.tokens);
        let value = match tree.shape {
            Shape::All(items) => Expr::All(items.into_iter().map(|item| self.tree(item)).collect()),
            Shape::Any(items) => Expr::Any(items.into_iter().map(|item| self.tree(item)).collect()),
            Shape::Not(operand) => Expr::Not(Box::new(self.tree(*operand))),
            Shape::Test(form) => self.form(form, &range),
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

    fn form(&mut self, form: Form, range: &Range<usize>) -> Expr {
        let on = || Args::Value(Spanned::new(Value::Bool(true), range.clone()));
        let (name, args) = match form {
            Form::Counter { name, comparator, value } => {
                let name = self.string(name);
                return self.at_least(comparator, value, range, |value| {
                    let fields = vec![("name", name.clone()), ("value", value)];
                    test("counter_gte", range, Args::Fields(fields))
                });
            }
            Form::Consecutive { comparator, value } => {
                return self.at_least(comparator, value, range, |value| {
                    test("consecutive_gte", range, Args::Value(value))
                });
            }
            Form::ToolCallsThisTurn { comparator, value } => {
                return self.tool_calls(comparator, value, range);
            }
            Form::Constant(true) => return Expr::All(Vec::new()),
            Form::Constant(false) => return Expr::Any(Vec::new()),
            Form::Param { name, test } => return self.param(name, test, range),
            Form::Call { name, argument } => {
                let (_, text, name) = self.token(name);
                let argument = argument.map_or_else(
                    || Spanned::new(Value::Bool(true), name.clone()),
                    |argument| self.value(argument),
                );
                return test(text, &name, Args::Value(argument));
            }
            Form::Flag { name, value } => ("flag_is", self.flag(name, value, range)),
            Form::TargetIn { negated: false, set } => {
                ("target_in_set", Args::Value(self.string(set)))
            }
            Form::TargetIn { negated: true, set } => {
                ("target_not_in_set", Args::Value(self.string(set)))
            }
            Form::TargetMatches(glob) => ("target_matches", Args::Value(self.string(glob))),
            Form::TargetExists => ("target_exists_on_disk", on()),
            Form::TargetChangedSince(set) => {
                ("target_changed_since", Args::Value(self.string(set)))
            }
            Form::TextMatches(pattern) => ("text_matches", Args::Value(self.string(pattern))),
            Form::ResultMatches(pattern) => ("result_matches", Args::Value(self.string(pattern))),
            Form::ResultFailed => ("result_failed", on()),
            Form::ResultHasLintErrors => ("result_has_lint_errors", on()),
            Form::NoTextBeforeTools => ("no_text_before_tools", on()),
            Form::FirstToolThisTurn => ("first_tool_this_turn", on()),
            Form::ContainsSecret => ("contains_secret", on()),
            Form::SecretIn(place) => ("contains_secret", Args::Value(self.string(place))),
            Form::SecretInParam(name) => {
                ("contains_secret", Args::Fields(vec![("param", self.string(name))]))
            }
            Form::Runs(command) => ("runs", Args::Value(self.string(command))),
        };
        test(name, range, args)
    }

    fn flag(&self, name: usize, value: Option<(usize, usize)>, range: &Range<usize>) -> Args {
        let value = match value {
            None => Spanned::new(Value::Bool(true), range.clone()),
            Some((comparator, value)) => {
                let (kind, _, range) = self.token(value);
                let negated = self.token(comparator).0 == Kind::Compare(Comparator::NotEqual);
                Spanned::new(Value::Bool((kind == Kind::True) != negated), range)
            }
        };
        Args::Fields(vec![("name", self.string(name)), ("value", value)])
    }

    fn param(&self, name: usize, form: ParamTest, range: &Range<usize>) -> Expr {
        let param = ("param", self.string(name));
        let (name, field, negated) = match form {
            ParamTest::Matches(pattern) => {
                ("param_matches", vec![("pattern", self.string(pattern))], false)
            }
            ParamTest::Contains(text) => {
                ("param_contains", vec![("value", self.string(text))], false)
            }
            ParamTest::In { negated, values } => {
                let items: Vec<_> = values.iter().map(|value| self.value(*value)).collect();
                let all = items.first().zip(items.last());
                let within = all.map_or(range.clone(), |(a, b)| a.range.start..b.range.end);
                let list = Spanned::new(Value::List(items), within);
                ("param_in", vec![("values", list)], negated)
            }
            ParamTest::Compare { comparator, value } => {
                let symbol = self.comparator(comparator).symbol().to_owned();
                let op = Spanned::new(Value::String(symbol), self.token(comparator).2);
                ("param_compare", vec![("op", op), ("value", self.value(value))], false)
            }
        };
        let fields = std::iter::once(param).chain(field).collect();
        negate_if(negated, test(name, range, Args::Fields(fields)), range)
    }

    /// A comparison of a number for which only "at least" is a condition.
    fn at_least(
        &mut self,
        comparator: usize,
        value: usize,
        range: &Range<usize>,
        at_least: impl Fn(Spanned<Value>) -> Expr,
    ) -> Expr {
        let comparator = self.comparator(comparator);
        let limit = self.value(value);
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

    fn tool_calls(&mut self, comparator: usize, value: usize, range: &Range<usize>) -> Expr {
        let negated = match self.comparator(comparator) {
            Comparator::Equal => false,
            Comparator::NotEqual => true,
            other => {
                let message =
                    format!("`tool_calls_this_turn` cannot be compared with `{}`", other.symbol());
                let problem = Problem::new(self.token(comparator).2, message);
                self.problems.push(problem.help(
                    "only `==` and `!=` can be asked of it; count the calls in a counter for the others",
                ));
                return Expr::Error;
            }
        };
        let equal = test("tool_calls_this_turn_eq", range, Args::Value(self.value(value)));
        negate_if(negated, equal, range)
    }
}

fn test(name: &str, range: &Range<usize>, args: Args) -> Expr {
    Expr::Test(Test { name: Spanned::new(name.to_owned(), range.clone()), args })
}

fn negate_if(negated: bool, expression: Expr, range: &Range<usize>) -> Expr {
    if negated { Expr::Not(Box::new(Spanned::new(expression, range.clone()))) } else { expression }
}
