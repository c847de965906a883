//! Runs compiled agent rules.
//!
//! An [`Image`] is the verified, compiled form of everything that decides; a [`Session`] holds the
//! state of one agent session and turns [`Event`]s into [`Decision`]s. This crate does no IO: what
//! rules ask of the outside world goes through a [`Host`].
//!
//! Data flows one way: bytes → [`Image`] → [`Session`] → [`Decision`].
#![forbid(unsafe_code)]

mod abilities;
pub mod classifier;
pub mod code;
pub mod decision;
mod disassemble;
pub mod document;
mod eval;
pub mod event;
pub mod exchange;
pub mod explain;
pub mod host;
pub mod image;
pub mod json;
mod message;
pub mod monitor;
pub mod path;
pub mod permission;
pub mod replay;
pub mod report;
pub mod saved;
pub mod scan;
mod scene;
pub mod secret;
mod select;
mod session;
pub mod shell;
mod state;
pub mod tools;

pub use abilities::Abilities;
pub use decision::{Decision, Finding, Phase, Verdict};
pub use eval::Truth;
pub use event::Event;
pub use explain::Explanation;
pub use host::{FactHost, Host};
pub use image::{Image, ImageError};
pub use replay::Replay;
pub use saved::{Saved, SavedError};
pub use scene::{TARGET_PARAMS, is_usual_target};
pub use session::Session;
