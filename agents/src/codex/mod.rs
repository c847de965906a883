//! Codex CLI: its tools, its hooks and its rollouts. It has no tool that reads files, so that commands
//! which only print them count as reading; its patches and its scripts hold several calls in one.

pub(crate) mod adapter;
mod calls;
pub(crate) mod context;
pub(crate) mod headless;
pub(crate) mod hook;
pub(crate) mod install;
mod outcome;
mod prints;
mod script;
pub mod tools;
pub(crate) mod transcript;
pub(crate) mod trust;

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "codex";
/// What it is called besides.
pub(crate) const ALIASES: &[&str] = &["codex-cli"];
