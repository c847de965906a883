//! Gemini CLI: its tools and its hooks. Its calls have no ids, and its paths are relative.

pub(crate) mod hook;
pub(crate) mod install;
pub mod tools;
