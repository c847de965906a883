//! Problems as annotations of GitHub Actions.

use std::fmt::Write;

use behavior_compiler::Severity;

use crate::report::Report;
use crate::simulate::github::{data, property};

/// Writes an annotation for each problem.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let (shown, hidden) = report.shown();
    for problem in shown {
        let level = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place = &problem.place;
        let (start, end) = (place.source.position(place.start), place.source.position(place.end));
        let mut text = problem.message.clone();
        if let Some(help) = &problem.help {
            let _ = write!(text, "\n{help}");
        }
        let _ = write!(out, "::{level} file={},line={}", property(&place.source.name), start.line);
        // Columns are only understood within one line.
        if start.line == end.line {
            let _ = write!(out, ",col={},endColumn={}", start.column, end.column.max(start.column));
        } else {
            let _ = write!(out, ",endLine={}", end.line);
        }
        let _ = writeln!(out, ",title={}::{}", property(problem.name), data(&text));
    }
    for hidden in hidden {
        let file = property(hidden.file);
        let _ = writeln!(out, "::notice file={file}::and {} more", hidden.count);
    }
    out
}
