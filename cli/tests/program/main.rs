//! The program as people and agents run it: a file for each command, or for what holds for all of them. They are
//! one test program, since each of its own would be linked anew. What starts itself again, wants the machine for
//! itself, or needs what few machines have stands beside it.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

mod allow;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod constitution;
mod dap;
mod diff;
mod doctor_live;
mod editor;
mod explain;
mod fmt;
mod hook;
mod images;
mod import;
mod init;
mod lenses;
mod log;
mod mcp;
mod models;
mod pipes;
mod plain;
mod plan;
mod policies;
mod pretty;
mod readme;
mod rule_tests;
#[path = "../../../crates/models/tests/server/mod.rs"]
mod server;
mod simulate;
mod trace_policies;
mod trust;
mod verifier;
mod workflow;
