//! The mapping form of an expression, as if the author had written it in the file.

use std::ops::Range;

use super::tree::{Args, Expr, Test, Value};
use crate::fragment::Spanned;
use crate::source::Span;
use crate::syntax::{Entry, Key, Kind, Node};

/// Turns an expression into the mapping form of the condition. `map` says where in its file a range
/// of the expression stands. Parts that were reported are [`Kind::Broken`].
#[must_use]
pub fn to_node(expression: &Spanned<Expr>, map: &dyn Fn(Range<usize>) -> Span) -> Node {
    let span = map(expression.range.clone());
    let list = |items: &[Spanned<Expr>]| {
        let items = items.iter().map(|item| to_node(item, map)).collect();
        Node { span, kind: Kind::Seq(items) }
    };
    let (key, value) = match &expression.value {
        Expr::All(items) => ("all", list(items)),
        Expr::Any(items) => ("any", list(items)),
        Expr::Not(operand) => ("not", to_node(operand, map)),
        Expr::Test(Test { name, args }) => {
            let value = arguments(args, span, map);
            return mapping(span, vec![entry(&name.value, map(name.range.clone()), value)]);
        }
        Expr::Error => return Node { span, kind: Kind::Broken },
    };
    mapping(span, vec![entry(key, span, value)])
}

fn arguments(args: &Args, span: Span, map: &dyn Fn(Range<usize>) -> Span) -> Node {
    match args {
        Args::Value(value) => value_node(value, map),
        Args::Fields(fields) => {
            let field = |(name, value): &(&str, Spanned<Value>)| {
                let value = value_node(value, map);
                entry(name, value.span, value)
            };
            mapping(span, fields.iter().map(field).collect())
        }
    }
}

fn value_node(value: &Spanned<Value>, map: &dyn Fn(Range<usize>) -> Span) -> Node {
    let kind = match &value.value {
        Value::Bool(value) => Kind::Bool(*value),
        Value::Int(value) => Kind::Int(*value),
        Value::Float(value) => Kind::Float(*value),
        Value::String(value) => Kind::String(value.as_str().into()),
        Value::List(items) => Kind::Seq(items.iter().map(|item| value_node(item, map)).collect()),
    };
    Node { span: map(value.range.clone()), kind }
}

fn mapping(span: Span, entries: Vec<Entry>) -> Node {
    Node { span, kind: Kind::Map(entries) }
}

fn entry(key: &str, span: Span, value: Node) -> Entry {
    Entry { key: Key { text: key.into(), span }, value }
}
