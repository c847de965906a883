//! `no_text_before_tools`: the agent has written no text in this turn so far.

use super::{ANY_PHASE, ConditionKind};
use crate::decode::Decode;
use crate::ir::Test;
use crate::registry::schema::Shape;

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "no_text_before_tools",
    docs: "The agent has written no text in this turn so far.\n\nText that is blank does not count.",
    argument: Shape::Bool,
    phases: ANY_PHASE,
    example: "no_text_before_tools: true",
    expression: "no text before tools",
    lower: |node, lowering| {
        // Written `false`, a switch never holds.
        bool::decode(node, lowering.reports)
            .map(|on| if on { Test::NoTextBeforeTools } else { Test::Constant(false) })
    },
};
