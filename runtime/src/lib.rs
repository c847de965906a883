//! Runs compiled agent rules.
//!
//! An [`Image`] is the verified, compiled form of everything that decides; a [`Session`] holds the
//! state of one agent session and turns [`Event`]s into [`Decision`]s. This crate does no IO: what
//! rules ask of the outside world goes through a [`Host`].
//!
//! Data flows one way: bytes → [`Image`] → [`Session`] → [`Decision`].
#![forbid(unsafe_code)]

mod apart;
mod asked;
pub mod brain;
pub mod classifier;
pub mod command_explanation;
pub mod constitution;
mod context;
pub mod conversation;
mod decided_lines;
pub mod decision;
mod delivery;
pub mod document;
mod engine;
mod eval;
pub mod exchange;
pub mod explain;

pub mod host;
mod layers;
mod message;
mod met_tools;
pub mod model;
pub mod monitor;
mod path_match;
pub mod permission;
mod policy_facts;
pub mod preflight;
mod prepared_rule;
mod prepared_rules;
mod question;
pub mod replay;
pub mod report;
pub mod saved;
mod scanned;
mod select;
mod session;
mod session_layer;
mod shared;
mod state;
pub mod verifier;
pub mod workflow;

pub use apart::{KeptEntry, KeptSets};
pub use asked::Refused;
pub use behavior_facts::abilities::Abilities;
pub use behavior_facts::event::{self, Event};
pub use behavior_facts::truth::Truth;
pub use behavior_image::{Image, ImageError};
pub use decision::{Decision, Finding, Phase, Verdict};
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
