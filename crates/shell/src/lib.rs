//! What a shell command line would run: every simple command in it, with its program, its words after
//! quoting and constant expansion, its redirections, and how it is reached.
//!
//! Reading is tolerant and never fails: what cannot be known is marked so, and what does not parse
//! is never taken for harmless. Nothing is run, nothing is asked of the machine. What is known of
//! single programs (which of them run others, which flags are the same) comes in through
//! [`Knowledge`], never from code here.
//!
//! ```
//! use behavior_shell::CommandLine;
//!
//! let mut line = CommandLine::default();
//! line.read(r#"git add . && git commit -m "remove rm -rf""#, None);
//! let programs: Vec<&str> = line.commands().iter().filter_map(|c| line.program(c)).collect();
//! assert_eq!(programs, ["git", "git"]);
//! ```

mod add;
mod archives;
mod argument;
pub mod arguments;
mod assignments;
mod awaited;
mod braces;
mod builtins;
mod certain_loops;
mod certainty;
mod checked;
mod cmd;
mod command;
mod compiled;
mod context;
mod data;
mod decode;
mod directories;
mod doubts;
mod emptied;
mod environment;
mod environment_files;
mod escapes;
mod expansion;
mod fetched;
mod filters;
mod fish;
mod found;
mod function_calls;
mod functions;
pub mod given;
pub mod globs;
mod goals;
mod here_document;
mod hole;
mod imported;
pub mod keywords;
mod kinds;
mod languages;
mod limits;
mod line;
mod links;
mod listings;
mod lists;
mod loops;
mod mounts;
mod ninja;
mod operators;
pub mod patch;
mod pending;
mod powershell;
mod powershell_blocks;
mod powershell_file;
mod powershell_switch;
mod powershell_values;
mod preloads;
mod program_name;
pub mod programs;
mod quoting;
mod read;
mod reader;
mod recipes;
mod redirections;
mod restored;
mod rounds;
mod run_code;
mod run_fetched;
mod run_files;
mod run_rules;
mod run_text;
mod run_words;
mod runner;
mod script;
mod scripts;
mod search;
mod sed;
pub mod set_for;
mod settings;
mod simple;
mod sources;
pub mod sql;
mod status;
mod stored;
mod strictness;
mod subscript;
mod substitution;
pub mod tasks;
mod terminals;
#[cfg(test)]
mod tests;
pub mod touched;
mod unreached;
mod unused;
mod unwrap;
mod usual;
mod variables;
mod word;
mod written;

pub use command::{Command, Opaque, Reach, Redirect, RedirectKind};
pub use directories::goes_back;
pub use hole::{HOLE, MADE};
pub use languages::Language;
pub use limits::{MAX_DEPTH, MAX_LENGTH};
pub use line::CommandLine;
pub use programs::{
    Facts, FileEffect, FilePlace, FileUse, FlagEffect, FlagValue, Knowledge, KnownFlag, KnownName,
    Program, Runs, Traits,
};
pub use script::Script;
pub use word::Word;

use line::range;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
