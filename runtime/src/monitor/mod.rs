//! Rules of trace policies at work: what each remembers over its stretch, the whole trace or one
//! session of it, and what it finds as pairs of request and response go by.
//!
//! `watch` follows one session and says when an exchange begins and ends, `look` is one rule that looks
//! at what goes by, `monitors` is all of it for one session. Nothing here reads files or keeps events:
//! of a pair, only the values that some rule asks for outlive it.

mod compare;
mod explain;
mod grounded;
mod look;
mod monitors;
mod settle;
mod stretch;
mod watch;
mod watched;

pub(crate) use look::Outcome;
pub(crate) use monitors::{Monitors, settle_trace};
pub(crate) use stretch::{Obligation, Slot, Stretch};
pub(crate) use watch::{TraceWatch, Watch};
