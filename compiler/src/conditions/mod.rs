//! Conditions: what the rows of the table of operations are in files, and how a condition in either
//! form becomes a test. A condition is a row of that table; only one that its operands alone do not
//! describe has a file here, for what it is given and how that is read.

mod branches;
mod composite;
mod contains_secret;
mod kind;
mod lower;
mod operand;
mod param_contains;
mod paths;
mod request;
mod runs;
mod table;
mod target_is;
mod user_asked;

pub use composite::{COMPOSITES, Composite};
pub use kind::ConditionKind;
pub(crate) use lower::{Lowered, lower};
pub(crate) use paths::{FileKind, lower as file_paths};
pub(crate) use runs::{ReadShapes, RunsConfig, argument as commands, check_classes};
pub use table::{ALL, find, names};
