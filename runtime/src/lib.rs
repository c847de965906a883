//! Runs compiled agent rules.
//!
//! An [`Image`] is the verified, compiled form of everything that decides; a [`Session`] holds the
//! state of one agent session and turns [`Event`]s into [`Decision`]s. This crate does no IO: what
//! rules ask of the outside world goes through a [`Host`].
//!
//! Data flows one way: bytes → [`Image`] → [`Session`] → [`Decision`].
#![forbid(unsafe_code)]

mod abilities;
mod addresses;
mod answers;
mod apart;
mod argument;
mod asked;
mod braces;
pub mod brain;
mod claims;
pub mod classifier;
pub mod commands;
pub mod constitution;
mod context;
pub mod conversation;
mod decided_lines;
pub mod decision;
mod delivery;
pub mod document;
mod engine;
mod eval;
pub mod event;
mod evidence;
mod excerpt;
pub mod exchange;
pub mod explain;

pub mod host;
mod known_params;
mod layers;
mod linted;
mod mark;
mod mention;
mod message;
mod met_tools;
pub mod model;
pub mod monitor;
mod own_containers;
pub mod path;
mod path_match;
pub mod permission;
mod policy_facts;
pub mod preflight;
mod prepared_rule;
mod prepared_rules;
mod question;
mod recorded_texts;
pub mod replay;
pub mod report;
pub mod saved;
mod scanned;
mod select;
mod session;
mod session_layer;
mod shared;
mod state;
mod targets;
mod test_databases;
mod texts;
pub mod tool_catalogue;
pub mod tools;
pub mod touched;
mod truth;
mod value;
pub mod verifier;
pub mod workflow;

pub use abilities::Abilities;
pub use apart::{KeptEntry, KeptSets};
pub use asked::Refused;
pub use behavior_image::{Image, ImageError};
pub use decision::{Decision, Finding, Phase, Verdict};
pub use event::Event;
pub use explain::Explanation;
pub use host::{FactHost, Host};
pub use layers::{Layer, LayeredSession, Layers};
pub use question::TurnView;
pub use replay::Replay;
pub use saved::{KeptTarget, Saved, SavedError};
pub use session::Session;
pub use session_layer::SessionLayer;
pub use shared::SharedFacts;
pub use state::SetEntry;
pub use truth::Truth;
