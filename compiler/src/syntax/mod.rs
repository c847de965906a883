//! From text to one spanned tree, whatever the format: YAML, TOML or JSON. Knows nothing of rules.
//!
//! Parsing never fails: it answers with what could be read, and with every problem found.

pub mod node;

pub use node::{Entry, Key, Kind, Node};
