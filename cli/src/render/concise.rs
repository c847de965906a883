//! Problems, a line each: `file:line:column: level[name]: message`.

use std::fmt::Write;

use super::one_line;
use crate::report::Report;

/// The lines, in the order of the report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for problem in &report.problems {
        let start = problem.place.source.position(problem.place.start);
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{}]: {}",
            one_line(&problem.place.source.name),
            start.line,
            start.column,
            problem.severity.name(),
            problem.name,
            one_line(&problem.message)
        );
    }
    out
}
