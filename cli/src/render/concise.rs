//! Problems, a line each: `file:line:column: level[name]: message`.

use std::fmt::Write;

use super::one_line;
use crate::report::Report;

/// The lines, in the order of the report; then, for files with very many problems, how many more
/// there are.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let (shown, hidden) = report.shown();
    for problem in shown {
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
    for hidden in hidden {
        let _ = writeln!(out, "{}: and {} more", one_line(hidden.file), hidden.count);
    }
    out
}
