//! Problems as a code quality report of GitLab.

use behavior_compiler::Severity;
use serde_json::{Value, json};

use super::{fingerprint, json::to_text};
use crate::report::Report;

/// Writes the report, with a line break at its end.
///
/// # Errors
/// None: plain data is always written.
pub fn render(report: &Report) -> std::io::Result<String> {
    let (shown, _) = report.shown();
    let fingerprints = fingerprint::of(&shown);
    let problems = shown.iter().zip(fingerprints).map(|(problem, fingerprint)| {
        let place = &problem.place;
        let line = |offset: u32| place.source.position(offset).line;
        let description = match &problem.help {
            Some(help) => format!("{}\n{help}", problem.message),
            None => problem.message.clone(),
        };
        json!({
            "description": description,
            "check_name": problem.name,
            "fingerprint": fingerprint,
            "severity": match problem.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            },
            "location": {
                "path": place.source.name,
                "lines": { "begin": line(place.start), "end": line(place.end) },
            },
        })
    });
    to_text(&problems.collect::<Value>())
}
