//! What editors ask about rule files: plain data, byte offsets, no protocol.
//!
//! Answers are best guesses about text that is being typed: nothing here reports problems, fails or
//! panics, whatever the text and the offset. Everything said comes from the registry.

mod braces;
mod check;
mod completion;
mod describe;
mod expression;
mod hover;
mod index;
mod links;
mod names;
mod navigate;
mod outline;
mod patterns;
mod place;
mod recognise;
mod related;
mod rule_file;
mod siblings;
mod store;
mod tables;

pub use check::{Checked, Checks};
pub use completion::{Completion, CompletionKind, complete};
pub use hover::{Hover, hover};
pub use index::{Index, Occurrence, SymbolKind};
pub use links::{Link, links};
pub use navigate::{
    FileEdit, Rename, Target, definition, highlights, prepare_rename, references, rename,
};
pub use outline::{Fold, Symbol, WorkspaceSymbol, enclosing, folds, outline, workspace_symbols};
pub use recognise::{is_rule_file, may_be_rule_file};
pub use related::{files_of, related};
pub use rule_file::RuleFile;
pub use store::{Project, Store};

#[cfg(test)]
mod tests;
