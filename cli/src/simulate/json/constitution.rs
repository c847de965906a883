//! What came of a change of a session's own rules, as JSON.

use behavior_runtime::constitution::{Entry, Refusal, Report};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// What came of a change.
#[derive(Serialize)]
pub struct ConstitutionOutput<'a> {
    op: &'static str,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<Box<RawValue>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<RefusalOutput<'a>>,
}

/// Why an entry is not kept: a diagnostic of `check` where there is one.
#[derive(Serialize)]
#[serde(untagged)]
enum RefusalOutput<'a> {
    Diagnostic(Box<RawValue>),
    Message { name: &'static str, severity: &'static str, message: &'a str },
}

/// The name of what is wrong where the compiler has nothing to say.
const NOT_KEPT: &str = "constitution";

impl<'a> ConstitutionOutput<'a> {
    /// Returns a report as it is written.
    #[must_use]
    pub fn of(report: &'a Report) -> Self {
        Self {
            op: report.op.name(),
            count: report.count,
            entries: report.entries.as_deref().map(entries),
            refused: report.refused.iter().map(RefusalOutput::of).collect(),
        }
    }
}

impl<'a> RefusalOutput<'a> {
    fn of(refusal: &'a Refusal) -> Self {
        match RawValue::from_string(refusal.detail.clone()) {
            Ok(diagnostic) => Self::Diagnostic(diagnostic),
            Err(_) => {
                Self::Message { name: NOT_KEPT, severity: "error", message: &refusal.message }
            }
        }
    }
}

/// Returns entries as they were given: texts, and definitions of rules.
#[must_use]
pub fn entries(entries: &[Entry]) -> Vec<Box<RawValue>> {
    let json = |entry: &Entry| {
        // What is kept was read as JSON once.
        RawValue::from_string(entry.content.to_json()).or_else(|_| to_raw_value(&())).ok()
    };
    entries.iter().filter_map(json).collect()
}
