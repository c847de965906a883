//! `param_matches`: the parameter of the call matches the pattern.

use super::{CALL_PHASES, ConditionKind, argument};
use crate::decode::{Decode, ParamName, PatternText, record};
use crate::ir::Test;

record! {
    /// A parameter and a pattern.
    ParamMatches, "a `param_matches` condition" {
        /// The parameter.
        #[required(true)]
        param: ParamName,
        /// The regular expression.
        #[required(true)]
        pattern: PatternText,
    }
}

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "param_matches",
    docs: "The parameter of the call matches the pattern.\n\nA case-insensitive search anywhere in the value.\n\nA call without the parameter makes the condition false. A value that is no string is looked at as compact JSON; of a list, one element must do.",
    argument: <ParamMatches as Decode>::SHAPE,
    phases: CALL_PHASES,
    example: "param_matches: { param: query, pattern: \"UPDATE|DELETE\" }",
    expression: "param(query) matches \"UPDATE|DELETE\"",
    lower: |node, lowering| {
        let record: ParamMatches = argument(node, lowering)?;
        let pattern = record.pattern.and_then(|pattern| lowering.pattern(&pattern.node));
        Some(Test::ParamMatches(record.param?.text().into(), pattern?))
    },
};
