//! `result_has_lint_errors`: the result of the call reports a lint error.

use super::{ConditionKind, RESULT_PHASES};
use crate::decode::Decode;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "result_has_lint_errors",
    docs: "The result of the call reports a lint error.\n\nThat is an item with `severity: error` in the list `lint` of the result, or in `data.lint`.",
    argument: Shape::Bool,
    phases: RESULT_PHASES,
    example: "result_has_lint_errors: true",
    expression: "result has lint errors",
    lower: |node, lowering| {
        // Written `false`, a switch never holds.
        bool::decode(node, lowering.reports)
            .map(|on| if on { Test::ResultHasLintErrors } else { Test::Constant(false) })
    },
};
