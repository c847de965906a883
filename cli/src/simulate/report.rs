//! What a report of a simulation is asked to do. Each output format is one.

use behavior_runtime::replay::Settled;

use super::summary::{Seen, Summary};

/// Tells of one file as it is read. What it appends to `out` is printed soon after.
pub trait Report {
    /// Something happened and was decided on.
    fn event(&mut self, seen: &Seen<'_>, out: &mut Vec<u8>);

    /// Puts what rules of trace policies found about whole sessions and the trace where it belongs.
    /// False where it has no such place: then each is told as an event that ends a session. `nothing`
    /// says what a file without any event holds instead.
    fn finish(
        &mut self,
        _file: &str,
        _settled: &Settled,
        _nothing: Option<&str>,
        _out: &mut Vec<u8>,
    ) -> bool {
        false
    }

    /// Whether it takes what was found about a session that was over before an event from the
    /// decision on that event. Otherwise it is told apart, as in [`Report::finish`].
    fn takes_settled(&self) -> bool {
        false
    }

    /// A line was not understood.
    fn problem(&mut self, _file: &str, _line: u32, _message: &str, _out: &mut Vec<u8>) {}

    /// The file is at its end; `summary` is what it came to.
    fn end(&mut self, _file: &str, _summary: &Summary, _out: &mut Vec<u8>) {}
}

/// Tells nothing.
pub struct Silent;

impl Report for Silent {
    fn event(&mut self, _seen: &Seen<'_>, _out: &mut Vec<u8>) {}
}
