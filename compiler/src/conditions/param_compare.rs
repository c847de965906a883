//! `param_compare`: the parameter of the call compares to the value.

use super::{CALL_PHASES, ConditionKind, argument};
use behavior_runtime::code;

use crate::decode::{Decode, ParamName, Scalar, choice, record};
use crate::ir::Test;

choice! {
    /// How a parameter compares to a value.
    Comparison {
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

impl Comparison {
    fn runtime(self) -> code::Comparison {
        match self {
            Comparison::Equal => code::Comparison::Equal,
            Comparison::NotEqual => code::Comparison::NotEqual,
            Comparison::Less => code::Comparison::Less,
            Comparison::LessOrEqual => code::Comparison::LessOrEqual,
            Comparison::Greater => code::Comparison::Greater,
            Comparison::GreaterOrEqual => code::Comparison::GreaterOrEqual,
        }
    }
}

record! {
    /// A parameter, a comparison and a value.
    ParamCompare, "a `param_compare` condition" {
        /// The parameter.
        #[required(true)]
        param: ParamName,
        /// The comparison.
        #[required(true)]
        op: Comparison,
        /// The value: a string, a number, `true` or `false`.
        #[required(true)]
        value: Scalar,
    }
}

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "param_compare",
    docs: "The parameter of the call compares to the value.\n\n`==` and `!=` take any value; orderings hold between numbers only. A call without the parameter makes the condition false.",
    argument: <ParamCompare as Decode>::SHAPE,
    phases: CALL_PHASES,
    example: "param_compare: { param: amount, op: \">\", value: 500 }",
    expression: "param(amount) > 500",
    lower: |node, lowering| {
        let record: ParamCompare = argument(node, lowering)?;
        let comparison = record.op?.runtime();
        Some(Test::ParamCompare(record.param?.text().into(), comparison, record.value?.json))
    },
};
