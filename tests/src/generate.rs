//! Configs and sessions made from bytes: any bytes give a config without errors and events to run
//! through it. Fewer and smaller bytes give simpler ones, so whoever shrinks the bytes shrinks these.

mod blocks;
mod choices;
mod commands;
mod condition;
mod config;
pub mod policy;
mod trace;
mod words;

pub use choices::{Choices, Seed};
pub use config::{config, has_preset};
pub use trace::trace;
pub use words::documents;
