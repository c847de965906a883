//! `counter_gte`: the counter has come to the value.

use super::{ANY_PHASE, ConditionKind, argument};
use crate::decode::{CounterName, Decode, record};
use crate::ir::Test;
use crate::syntax::Node;

record! {
    /// A counter and the least value.
    CounterGte, "a `counter_gte` condition" {
        /// The counter.
        #[required(true)]
        name: CounterName,
        /// The least value that it must have.
        #[default("0")]
        value: Node,
    }
}

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "counter_gte",
    docs: "The counter has come to the value.\n\nA counter that has not ticked is 0.",
    argument: <CounterGte as Decode>::SHAPE,
    phases: ANY_PHASE,
    example: "counter_gte: { name: changes_since_test, value: 3 }",
    expression: "counter(changes_since_test) >= 3",
    lower: |node, lowering| {
        let record: CounterGte = argument(node, lowering)?;
        let value = record.value.as_ref();
        let least = value.map_or(Some(0), |value| lowering.number(value, i64::MIN));
        let counter = lowering.counter(&record.name?.node);
        Some(Test::CounterAtLeast(counter?, least?))
    },
};
