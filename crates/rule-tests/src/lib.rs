//! Runs rule tests: the events of a test under its rules, and what was decided against what is expected.
//!
//! What a test file may hold is declared in [`behavior_compiler::rule_test`]. Files come from a provider: nothing here
//! opens one.
#![forbid(unsafe_code)]

mod compare;
mod examples;
pub mod play;
mod rules;
mod runner;
mod snapshot;
mod workflows;

pub use examples::of_rules;
pub use rules::{NoRules, Rules};
pub use runner::{Failure, Runner, Test, TestResult};
pub use snapshot::is_snapshot;
