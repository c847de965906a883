//! Cursor: its tools and its hooks. The facts are those of its documents as of 2.7; nothing was tried
//! with the program.

pub(crate) mod hook;
pub(crate) mod install;
pub mod tools;
pub(crate) mod transcript;
