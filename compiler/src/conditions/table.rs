//! Every condition as files have it: an entry for each row of the table of operations, with the
//! mapping form that follows from its operands.

use behavior_image::operand;
use behavior_image::operations;
use behavior_runtime::decision::Phase;

use super::composite::COMPOSITES;
use super::kind::ConditionKind;
use super::operand::Written;
use super::{branches, contains_secret, param_contains, paths, runs, target_is, user_asked};
use crate::decode::{Decode, missing_fields, unknown_field, wrong_type};
use crate::expression::Hole;
use crate::ir::Test;
use crate::lower::Lowering;
use crate::registry::schema::{Field, Record, Shape};
use crate::syntax::{Kind, Node};

/// Conditions that can hold in any phase.
const ANY: &[Phase] = Phase::ALL;
/// Conditions that need a call.
const CALL: &[Phase] = &[Phase::PreTool, Phase::PostTool];
/// Conditions that need a result.
const RESULT: &[Phase] = &[Phase::PostTool];
/// Conditions that need a text.
const TEXT: &[Phase] = &[Phase::OnText, Phase::TurnEnd];

macro_rules! declare_conditions {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident $(($($operands:tt)*))? -> $logic:ident {
            phases: $phases:ident,
            argument: $argument:ident,
            guard: $guard:ident,
            session: $session:ident,
            forms: [$($form:literal),+],
            example: $example:literal,
            expression: $expression:literal,
            $(also: $also:ident,)?
        }
    )*) => {
        /// Every condition, in the order in which they are documented.
        pub static ALL: &[&ConditionKind] = &[$(
            &ConditionKind {
                name: stringify!($key),
                docs: concat!($($docs, "\n"),+),
                argument: argument!($argument, $key, [$($docs)+] [$($($operands)*)?]),
                phases: $phases,
                example: $example,
                expression: $expression,
                forms: &[$($form),+],
                holes: holes!($argument, $key, [$($($operands)*)?]),
                lower: lower!($argument, $key, $name [$($($operands)*)?]),
            },
            $(&$also::KIND,)?
        )*];
    };
}

/// What stands behind a condition's key.
macro_rules! argument {
    (paths, $key:ident, $docs:tt $operands:tt) => {
        paths::ARGUMENT
    };
    (branches, $key:ident, $docs:tt $operands:tt) => {
        branches::ARGUMENT
    };
    (own, $key:ident, $docs:tt $operands:tt) => {
        $key::ARGUMENT
    };
    (operands, $key:ident, $docs:tt []) => {
        Shape::Bool
    };
    (operands, $key:ident, $docs:tt [
        $(#[doc = $operand_docs:literal])* $operand:ident: $kind:ident $(,)?
    ]) => {
        <operand::$kind as Written>::SHAPE
    };
    (operands, $key:ident, [$($docs:literal)+] [$(
        $(#[doc = $operand_docs:literal])+
        $operand:ident: $kind:ident $(= $default:literal)?
    ),+ $(,)?]) => {
        Shape::Record(&Record {
            name: concat!("a `", stringify!($key), "` condition"),
            docs: concat!($($docs, "\n"),+),
            fields: &[$(Field {
                name: stringify!($operand),
                docs: concat!($($operand_docs, "\n"),+),
                required: default!($($default)?).is_none(),
                default: default!($($default)?),
                shape: <operand::$kind as Written>::SHAPE,
            }),+],
        })
    };
}

/// What the templates of a condition may name.
macro_rules! holes {
    (paths, $key:ident, $operands:tt) => {
        paths::HOLES
    };
    (branches, $key:ident, $operands:tt) => {
        branches::HOLES
    };
    (own, $key:ident, $operands:tt) => {
        $key::HOLES
    };
    (operands, $key:ident, []) => {
        &[]
    };
    (operands, $key:ident, [
        $(#[doc = $operand_docs:literal])* $operand:ident: $kind:ident $(,)?
    ]) => {
        &[Hole::value(stringify!($operand), <operand::$kind as Written>::SYNTAX)]
    };
    (operands, $key:ident, [$(
        $(#[doc = $operand_docs:literal])+
        $operand:ident: $kind:ident $(= $default:literal)?
    ),+ $(,)?]) => {
        &[$(Hole::field(
            stringify!($operand),
            default!($($default)?),
            <operand::$kind as Written>::SYNTAX,
        )),+]
    };
}

macro_rules! default {
    () => {
        None::<&'static str>
    };
    ($default:literal) => {
        Some($default)
    };
}

/// Reads what stands behind a condition's key.
macro_rules! lower {
    (paths, $key:ident, $name:ident $operands:tt) => {
        |_, node, lowering| paths::lower(node, lowering).map(Test::$name)
    };
    (branches, $key:ident, $name:ident $operands:tt) => {
        |_, node, lowering| branches::lower(node, lowering).map(Test::$name)
    };
    (own, $key:ident, $name:ident $operands:tt) => {
        |_, node, lowering| $key::lower(node, lowering)
    };
    (operands, $key:ident, $name:ident []) => {
        |_, node, lowering| {
            // Written `false`, a switch never holds.
            let is_on = bool::decode(node, lowering.reports)?;
            Some(if is_on { Test::$name } else { Test::Constant(false) })
        }
    };
    (operands, $key:ident, $name:ident [
        $(#[doc = $operand_docs:literal])* $operand:ident: $kind:ident $(,)?
    ]) => {
        |_, node, lowering| operand::$kind::lower(node, lowering).map(Test::$name)
    };
    (operands, $key:ident, $name:ident [$(
        $(#[doc = $operand_docs:literal])+
        $operand:ident: $kind:ident $(= $default:literal)?
    ),+ $(,)?]) => {
        |kind, node, lowering| {
            let fields = Fields::of(kind, node, lowering)?;
            // All are read before any is missed, so that all problems show.
            $(let $operand = fields.read::<operand::$kind>(stringify!($operand), lowering);)+
            Some(Test::$name($($operand?),+))
        }
    };
}

operations!(declare_conditions);

/// The condition called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static ConditionKind> {
    ALL.iter().copied().find(|kind| kind.name == name)
}

/// The names of all conditions and composites.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    ALL.iter().map(|kind| kind.name).chain(COMPOSITES.iter().map(|composite| composite.name))
}

/// The mapping that a condition of several operands is given.
struct Fields<'n> {
    node: &'n Node,
    record: &'static Record,
}

impl<'n> Fields<'n> {
    /// Reports the keys that are unknown or missing.
    fn of(kind: &ConditionKind, node: &'n Node, lowering: &mut Lowering<'_>) -> Option<Fields<'n>> {
        let (Shape::Record(record), Some(entries)) = (kind.argument, node.entries()) else {
            wrong_type(node, kind.argument, lowering.reports);
            return None;
        };
        for entry in entries.iter().filter(|entry| record.field(&entry.key.text).is_none()) {
            unknown_field(entry, node, record, lowering.reports);
        }
        let fields = Fields { node, record };
        missing_fields(node, record, |name| fields.written(name).is_some(), lowering.reports);
        Some(fields)
    }

    /// A field that is written and left empty counts as not written.
    fn written(&self, name: &str) -> Option<&'n Node> {
        self.node.get(name).filter(|value| value.kind != Kind::Null)
    }

    fn read<K: Written>(&self, name: &str, lowering: &mut Lowering<'_>) -> Option<K::Value> {
        if let Some(value) = self.written(name) {
            return K::lower(value, lowering);
        }
        let default = self.record.field(name)?.default?;
        let kind = match (default.parse(), default.parse()) {
            (Ok(number), _) => Kind::Int(number),
            (_, Ok(value)) => Kind::Bool(value),
            _ => Kind::String(default.into()),
        };
        K::lower(&Node { span: self.node.span, kind }, lowering)
    }
}
