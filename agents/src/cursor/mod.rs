//! Cursor: its tools and its hooks. The facts are those of its documents as of 2.7; nothing was tried
//! with the program.

pub(crate) mod adapter;
pub(crate) mod hook;
pub(crate) mod install;
pub mod tools;
pub(crate) mod transcript;

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "cursor";
