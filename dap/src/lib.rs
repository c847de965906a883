//! The debug adapter: steps through a recorded session, forward and back, and shows what rules make of each event.
//!
//! The Debug Adapter Protocol comes in on one stream and goes out on another; files, rules and the readers of
//! recordings come from a [`Project`]. Nothing that a recording holds is run, and nothing here opens a file.
#![forbid(unsafe_code)]

mod adapter;
mod breakpoints;
mod debuggee;
mod frames;
mod framing;
mod project;
mod protocol;
mod recording;
mod server;
mod timeline;
mod values;

pub use project::{Launch, Project, Watch};
pub use server::serve;
