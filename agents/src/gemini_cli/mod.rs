//! Gemini CLI: its tools, its hooks and its logs. In hooks its calls have no ids, and its paths are relative.

pub(crate) mod hook;
pub(crate) mod install;
pub mod tools;
pub(crate) mod transcript;
