//! `param_contains`: the parameter of the call contains the text, ignoring case. It compiles to a
//! search for a literal pattern, and has no operation of its own.

use behavior_runtime::decision::Phase;

use super::kind::ConditionKind;
use crate::decode::{Decode, ParamName, record};
use crate::expression::{Hole, Syntax};
use crate::ir::Test;
use crate::registry::schema::NameKind;

record! {
    /// A parameter and a text.
    ParamContains, "a `param_contains` condition" {
        /// The parameter.
        #[required(true)]
        param: ParamName,
        /// The text. An empty one is in no value.
        #[required(true)]
        value: Box<str>,
    }
}

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "param_contains",
    docs: "The parameter of the call contains the text, ignoring case.\n\nA call without the parameter makes the condition false. A value that is no string is looked at as compact JSON; of a list, one element must do.",
    argument: <ParamContains as Decode>::SHAPE,
    phases: &[Phase::PreTool, Phase::PostTool],
    example: "param_contains: { param: file_path, value: migration }",
    expression: "param(file_path) contains \"migration\"",
    forms: &["param({param}) contains {value}"],
    holes: &[
        Hole::field("param", None, Syntax::Name(NameKind::Param)),
        Hole::field("value", None, Syntax::Text),
    ],
    lower: |_, node, lowering| {
        let record: ParamContains = Decode::decode(node, lowering.reports)?;
        let (param, value) = (record.param?, record.value?);
        if value.is_empty() {
            return Some(Test::Constant(false));
        }
        Some(Test::ParamMatches(param.text().into(), lowering.literal(&value)))
    },
};
