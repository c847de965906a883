//! What a report of a simulation is asked to do. Each output format is one.

use super::summary::{Seen, Summary};

/// Tells of one file as it is read. What it appends to `out` is printed soon after.
pub trait Report {
    /// Something happened and was decided on.
    fn event(&mut self, seen: &Seen<'_>, out: &mut String);

    /// A line was not understood.
    fn problem(&mut self, _file: &str, _line: u32, _message: &str, _out: &mut String) {}

    /// The file is at its end; `summary` is what it came to.
    fn end(&mut self, _file: &str, _summary: &Summary, _out: &mut String) {}
}

/// Tells nothing.
pub struct Silent;

impl Report for Silent {
    fn event(&mut self, _seen: &Seen<'_>, _out: &mut String) {}
}
