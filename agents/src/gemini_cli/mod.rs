//! Gemini CLI: its tools, its hooks and its logs. In hooks its calls have no ids, and its paths are relative.

pub(crate) mod adapter;
pub(crate) mod context;
pub(crate) mod headless;
pub(crate) mod hook;
pub(crate) mod install;
pub(crate) mod telemetry;
pub mod tools;
pub(crate) mod transcript;
pub(crate) mod trust;

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "gemini-cli";
