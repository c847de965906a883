//! What an agent has looked at of late, as whoever judges its answers is told of it: calls by a line each,
//! files by their paths. Knows nothing of who judges.

mod gather;
mod kept;
mod line;
mod surfaced;

pub(crate) use gather::gather;
pub(crate) use kept::{Evidence, Seen, shortened};
