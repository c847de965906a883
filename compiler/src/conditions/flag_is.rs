//! `flag_is`: the flag has the value.

use super::{ANY_PHASE, ConditionKind, argument};
use crate::decode::{Decode, FlagName, record};
use crate::ir::Test;

record! {
    /// A flag and its value.
    FlagIs, "a `flag_is` condition" {
        /// The flag.
        #[required(true)]
        name: FlagName,
        /// The value that it must have.
        #[default("true")]
        value: bool,
    }
}

pub(super) static KIND: ConditionKind = ConditionKind {
    name: "flag_is",
    docs: "The flag has the value.\n\nA flag that was never set is false.",
    argument: <FlagIs as Decode>::SHAPE,
    phases: ANY_PHASE,
    example: "flag_is: { name: backup_created, value: true }",
    expression: "flag(backup_created)",
    lower: |node, lowering| {
        let record: FlagIs = argument(node, lowering)?;
        let flag = lowering.flag(&record.name?.node)?;
        Some(Test::FlagIs(flag, record.value.unwrap_or(true)))
    },
};
