//! What is known of a call by itself: its tool, its arguments, the commands of its line, the paths and addresses it
//! touches; and the truth values and events that this rests on.
//!
//! A call is one of the [`event`]s of a session. [`tools`] and [`tool_catalogue`] tell what its tool is, [`params`],
//! [`argument`] and [`value`] what it is given, [`commands`] what its command line runs, and [`touched`] which files it would
//! read, write and delete. [`places`] tells where those lie, and [`mention`] which files a text names. What nobody can tell
//! of it stays so, as [`truth`] says. Knows no session, no rules' state and no decisions:
//! whoever holds rules asks it, and it asks nobody. It does no IO.
//!
//! ```
//! use behavior_facts::event::{Call, Param, Value};
//! use behavior_facts::touched::of_call;
//!
//! let call = Call {
//!     tool: "move_file".into(),
//!     params: [("source", "a/draft.md"), ("destination", "b/final.md")]
//!         .map(|(name, path)| Param { name: name.into(), native: None, value: Value::Text(path.into()) })
//!         .into(),
//!     ..Call::default()
//! };
//! let touched: Vec<String> = of_call(&call).into_iter().map(|file| file.path).collect();
//! assert_eq!(touched, ["a/draft.md", "b/final.md"]);
//! ```
#![forbid(unsafe_code)]

pub mod abilities;
pub mod addresses;
pub mod answers;
pub mod argument;
pub mod braces;
pub mod call_line;
pub mod commands;
pub mod event;
pub mod excerpt;
pub mod file_claims;
pub mod fingerprint;
pub mod known_params;
pub mod linted;
pub mod mark;
pub mod mention;
pub mod moves;
pub mod own_containers;
pub mod params;
pub mod path;
pub mod path_patterns;
pub mod places;
pub mod recorded_files;
pub mod recorded_texts;
pub mod resumption;
pub mod step_end;
pub mod surfaced;
pub mod targets;
pub mod test_databases;
pub mod texts;
pub mod tool_catalogue;
pub mod tools;
pub mod touched;
pub mod truth;
pub mod value;
