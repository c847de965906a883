//! What editors ask about rule files: plain data, byte offsets, no protocol.
//!
//! Answers are best guesses about text that is being typed: nothing here reports problems, fails or
//! panics, whatever the text and the offset. Everything said comes from the registry.

mod completion;
mod describe;
mod expression;
mod hover;
mod names;
mod patterns;
mod place;
mod recognise;
mod rule_file;
mod tables;

pub use completion::{Completion, CompletionKind, complete};
pub use hover::{Hover, hover};
pub use recognise::{is_rule_file, may_be_rule_file};
pub use rule_file::RuleFile;

#[cfg(test)]
mod tests;
