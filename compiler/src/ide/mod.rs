//! What editors ask about rule files: plain data, byte offsets, no protocol.
//!
//! Answers are best guesses about text that is being typed: nothing here reports problems, fails or
//! panics, whatever the text and the offset. Everything said comes from the registry.

mod action;
mod actions;
mod braces;
mod check;
mod compiled;
mod completion;
mod describe;
mod events;
mod expression;
mod extract;
mod forms;
mod hierarchy;
mod hints;
mod hover;
mod index;
mod insert;
mod links;
mod names;
mod navigate;
mod nearby;
mod outline;
mod patterns;
mod place;
mod recognise;
mod related;
mod rule_file;
mod rules;
mod siblings;
mod signature;
mod site;
mod snippets;
mod store;
mod tokens;
mod tools_named;
mod values;
mod witness;

pub use action::{Action, ActionKind};
pub use actions::{actions, add_exception};
pub use check::{Checked, Checks};
pub use compiled::{Compiled, compiled};
pub use completion::{Completion, CompletionKind, complete};
pub use hierarchy::{Member, member_at, named_by, names_what};
pub use hints::{Hint, hints, step_hints};
pub use hover::{Hover, hover};
pub use index::{Index, Occurrence, Scope, SymbolKind};
pub use links::{Link, links};
pub use navigate::{
    FileEdit, Rename, Target, definition, highlights, prepare_rename, references, rename,
};
pub use outline::{Fold, Symbol, WorkspaceSymbol, enclosing, folds, outline, workspace_symbols};
pub use recognise::{is_rule_file, may_be_rule_file};
pub use related::{files_of, related};
pub use rule_file::RuleFile;
pub use rules::{RulePlace, base_place, condition_at, holds_tests, rule_places};
pub use signature::{SignatureHelp, signature_help};
pub use store::{Project, Store};
pub use tokens::{Token, TokenKind, tokens};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_across_files;
#[cfg(test)]
mod tests_of_completion;
#[cfg(test)]
mod tests_of_edits;
