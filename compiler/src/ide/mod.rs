//! What editors ask about rule files: plain data, byte offsets, no protocol.
//!
//! Answers are best guesses about text that is being typed: nothing here reports problems, fails or
//! panics, whatever the text and the offset. Everything said comes from the registry.

mod recognise;

pub use recognise::{is_rule_file, may_be_rule_file};
