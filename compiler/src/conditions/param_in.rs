//! `param_in`: the parameter of the call is one of the values.

use super::{CALL_PHASES, ConditionKind, argument};
use crate::decode::{Decode, ParamName, Scalar, record};
use crate::ir::Test;

record! {
    /// A parameter and the values that it may have.
    ParamIn, "a `param_in` condition" {
        /// The parameter.
        #[required(true)]
        param: ParamName,
        /// The values.
        #[required(true)]
        values: Vec<Scalar>,
    }
}

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "param_in",
    docs: "The parameter of the call is one of the values.\n\nCase counts.\n\nA call without the parameter makes the condition false. A value that is no string is looked at as compact JSON; of a list, one element must do.",
    argument: <ParamIn as Decode>::SHAPE,
    phases: CALL_PHASES,
    example: "param_in: { param: table, values: [users, orders] }",
    expression: "param(table) in [\"users\", \"orders\"]",
    lower: |node, lowering| {
        let record: ParamIn = argument(node, lowering)?;
        let values = record.values?.into_iter().map(|value| value.text).collect();
        Some(Test::ParamIn(record.param?.text().into(), values))
    },
};
