//! Command lines in the light of an image: what it knows of programs, which commands have the shapes that
//! rules describe, and what comes of that for people who ask.

mod access;
mod call;
mod display;
mod named;
pub mod push;
mod quote;
pub mod remote;
mod runs;
pub mod shape;
pub mod shell;
mod table;
mod told;

use behavior_image::View;
use behavior_image::format::{LiteralRecord, Record, ScanRecord};
use behavior_shell::{Command, CommandLine};

pub use access::Change;
pub use call::{CallLine, command_line, command_of};
pub use display::command_shown;
pub use runs::{COMMAND_PARAMS, Language, Runs};
pub use table::ProgramTable;
pub use told::{EachParam, Hints, may_speak_of_commands, told};

/// Calls `found` with each rule that a program of the line brings in. A command of which nobody knows
/// what it is brings in all.
pub fn search_programs(
    view: &View<'_>,
    scan: &ScanRecord,
    line: &CommandLine,
    mut found: impl FnMut(u32),
) {
    let literals = view.literals(scan.literals, scan.literals_len);
    let literal = |bytes: &[u8; LiteralRecord::SIZE]| LiteralRecord::read(bytes);
    if line.commands().iter().any(|command| command.opaque.is_some()) {
        return literals.iter().for_each(|bytes| found(literal(bytes).rule));
    }
    for name in line.commands().iter().filter_map(Command::name) {
        let start = literals.partition_point(|bytes| literal(bytes).text < name);
        let behind = literals.iter().skip(start).map(literal);
        behind.take_while(|literal| literal.text == name).for_each(|literal| found(literal.rule));
    }
}
