//! Conditions written as one string in a small infix language, such as
//! `counter(changes_since_test) >= 3 and not target in read_files`.
//!
//! Knows only syntax: what it reads becomes the mapping form of a condition, so that whatever
//! decodes mappings decides which names exist. How a condition is written comes from the templates
//! that it declares. Reports every problem of a string, never fails
//! as a whole unless the string is too long or too deep, and bounds both.

mod beginning;
mod grammar;
mod hole;
mod lower;
mod message;
mod node;
mod parse;
mod phrases;
mod pieces;
mod print;
mod template;
#[cfg(test)]
mod tests;
mod token;
mod tree;

pub use crate::fragment::{Problem, Spanned};
pub(crate) use beginning::{is_glob_behind, name_behind, words_behind};
pub use hole::{Hole, Syntax};
pub use node::to_node;
pub use parse::{MAX_DEPTH, MAX_LENGTH, parse};
pub(crate) use pieces::{Piece, Signature, pieces, signatures};
pub use print::print;
pub use tree::{Args, Expr, Test, Value};
