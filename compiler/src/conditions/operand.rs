//! How each kind of operand is written in files and in expressions, and how it is read.

use behavior_image::code;
use behavior_image::operand::*;

use crate::decode::{
    CounterName, Decode, FlagName, GlobText, ParamName, PatternText, Scalar, SetName, choice,
};
use crate::expression::Syntax;
use crate::lower::Lowering;
use crate::operand::Kind;
use crate::registry::schema::{NameKind, Shape};
use crate::syntax::Node;

/// A kind of operand that is one value of a mapping.
pub(super) trait Written: Kind {
    /// What the value may be.
    const SHAPE: Shape;

    /// How it is written in an expression, where its form does not say otherwise.
    const SYNTAX: Syntax;

    /// Reads the value; `None` after reporting what is wrong.
    fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<Self::Value>;
}

/// Declares how kinds are written.
macro_rules! written {
    ($(
        $name:ident: $shape:expr, as $syntax:expr,
            |$node:pat_param, $lowering:pat_param| $lower:expr,
    )*) => {$(
        impl Written for $name {
            const SHAPE: Shape = $shape;
            const SYNTAX: Syntax = $syntax;

            fn lower(
                $node: &Node,
                $lowering: &mut Lowering<'_>,
            ) -> Option<<$name as Kind>::Value> {
                $lower
            }
        }
    )*};
}

written! {
    Set: SetName::SHAPE, as Syntax::Name(NameKind::Set), |node, lowering| {
        SetName::decode(node, lowering.reports).and_then(|name| lowering.set(&name.node))
    },

    Counter: CounterName::SHAPE, as Syntax::Name(NameKind::Counter), |node, lowering| {
        CounterName::decode(node, lowering.reports).and_then(|name| lowering.counter(&name.node))
    },

    Flag: FlagName::SHAPE, as Syntax::Name(NameKind::Flag), |node, lowering| {
        FlagName::decode(node, lowering.reports).and_then(|name| lowering.flag(&name.node))
    },

    Param: ParamName::SHAPE, as Syntax::Name(NameKind::Param), |node, lowering| {
        ParamName::decode(node, lowering.reports).map(|param| param.text().into())
    },

    Pattern: PatternText::SHAPE, as Syntax::Pattern, |node, lowering| {
        PatternText::decode(node, lowering.reports).and_then(|text| lowering.pattern(&text.node))
    },

    Glob: GlobText::SHAPE, as Syntax::Glob, |node, lowering| {
        GlobText::decode(node, lowering.reports).and_then(|text| lowering.glob(&text.node))
    },

    Count: Shape::Int(0, i64::MAX), as Syntax::Integer, |node, lowering| {
        lowering.number(node, 0).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
    },

    Integer: Shape::Any, as Syntax::Integer, |node, lowering| lowering.number(node, i64::MIN),

    Bool: bool::SHAPE, as Syntax::Value, |node, lowering| bool::decode(node, lowering.reports),

    Texts: <Vec<Scalar>>::SHAPE, as Syntax::Values, |node, lowering| {
        let values = <Vec<Scalar>>::decode(node, lowering.reports)?;
        Some(values.into_iter().map(|value| value.text).collect())
    },

    Comparison: ComparisonSign::SHAPE, as Syntax::Comparison, |node, lowering| {
        ComparisonSign::decode(node, lowering.reports).map(ComparisonSign::meaning)
    },

    JsonScalar: Scalar::SHAPE, as Syntax::Value, |node, lowering| {
        Scalar::decode(node, lowering.reports).map(|scalar| scalar.json)
    },
}

choice! {
    /// How a parameter compares to a value.
    ComparisonSign {
        /// Equal.
        Equal = "==",
        /// Not equal.
        NotEqual = "!=",
        /// Less.
        Less = "<",
        /// Less or equal.
        LessOrEqual = "<=",
        /// Greater.
        Greater = ">",
        /// Greater or equal.
        GreaterOrEqual = ">=",
    }
}

impl ComparisonSign {
    fn meaning(self) -> code::Comparison {
        match self {
            ComparisonSign::Equal => code::Comparison::Equal,
            ComparisonSign::NotEqual => code::Comparison::NotEqual,
            ComparisonSign::Less => code::Comparison::Less,
            ComparisonSign::LessOrEqual => code::Comparison::LessOrEqual,
            ComparisonSign::Greater => code::Comparison::Greater,
            ComparisonSign::GreaterOrEqual => code::Comparison::GreaterOrEqual,
        }
    }
}
