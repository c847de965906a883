//! Sessions that show what is wrong with a rule: made of what the rule looks at, tried on the rules themselves before
//! anybody is told of them, and kept as a test or as a recording.
//!
//! What holds whatever happens has no such session: that a condition never holds, that nobody asks for a set.

mod meant;
mod play;
mod sample;
mod show;
mod text;

pub use show::show;
pub use text::{as_session, as_test};
