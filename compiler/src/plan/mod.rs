//! Plans: the tool calls that an agent means to make, as JSON. Text goes in, and out come the steps, what is wrong with
//! the plan, and what in it was probably not meant. Nothing here runs a step, or asks a rule about one.

mod ask;
mod bind;
mod lint;
mod read;
mod shell;
mod step;
mod tools;

pub use ask::{Answer, Asking, Next, Question};
pub use bind::Arguments;
pub use read::{is_plan_file, read};
pub use step::{Checked, Plan, Step};
pub use tools::{PlanTool, TOOLS, find};

pub(crate) use read::{check, holds_no_rules};

#[cfg(test)]
mod tests;
