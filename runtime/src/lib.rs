//! Runs compiled agent rules.
//!
//! An `Image` is the verified, compiled form of everything that decides; a session holds the state
//! of one agent session and turns events into decisions. This crate does no IO: what rules ask of
//! the outside world goes through a [`Host`].
#![forbid(unsafe_code)]

pub mod event;
pub mod host;
pub mod path;

pub use event::Event;
pub use host::{FactHost, Host};
