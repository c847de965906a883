//! Codex CLI: its tools and its hooks. It has no tool that reads files, so that commands which only
//! print them count as reading; its patches and its scripts hold several calls in one.

pub(crate) mod hook;
pub(crate) mod install;
mod prints;
mod script;
pub mod tools;
