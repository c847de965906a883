//! Findings as annotations of GitHub Actions, on the lines of the trace.

use behavior_json::plain::is_deceptive;
use std::sync::Arc;

use behavior_runtime::Layers;
use behavior_runtime::decision::Action;

use super::report::Report;
use super::summary::{Refusal, Seen, Summary, by_rule, times, unknown_records};
use crate::permissions;

/// Writes an annotation for each finding, and for each call that a policy does not just let run.
pub struct GithubReport {
    layers: Arc<Layers>,
}

impl GithubReport {
    /// Annotations under `layers`.
    pub fn new(layers: Arc<Layers>) -> Self {
        Self { layers }
    }
}

impl GithubReport {
    /// What a policy denied or asked about. That it asks where no rule covers a call is its usual way.
    fn permission(&self, seen: &Seen<'_>, out: &mut Vec<u8>) {
        let (Some(permission), Some(refusal)) =
            (seen.decision.permission, Refusal::of(seen.decision))
        else {
            return;
        };
        let (level, done) = match refusal {
            Refusal { denies: true, .. } => ("error", "denied by policy"),
            Refusal { rule: Some(_), .. } => ("warning", "asked about by policy"),
            Refusal { rule: None, .. } => ("notice", "asked about by policy"),
        };
        let (name, reason) = permissions::told(&permission, &*self.layers);
        let text = if reason.is_empty() { done.to_owned() } else { format!("{done}: {reason}") };
        out.extend(annotation(level, seen.file, seen.line, name, &text).bytes());
    }
}

impl Report for GithubReport {
    fn event(&mut self, seen: &Seen<'_>, out: &mut Vec<u8>) {
        self.permission(seen, out);
        for finding in seen.decision.effective() {
            let level = match finding.action {
                Action::Block => "error",
                Action::Ask | Action::Warn => "warning",
                Action::Remind => "notice",
            };
            let id = self.layers.rules().id(finding.rule);
            let text = if finding.message.is_empty() { id } else { &finding.message };
            out.extend(annotation(level, seen.file, seen.line, id, text).bytes());
        }
    }

    fn problem(&mut self, file: &str, line: u32, message: &str, out: &mut Vec<u8>) {
        out.extend(annotation("warning", file, line, "not understood", message).bytes());
    }

    fn end(&mut self, file: &str, summary: &Summary, out: &mut Vec<u8>) {
        let text = if let Some(hollow) = summary.hollow.first() {
            annotation("warning", file, 1, "no event was found", &hollow.message)
        } else if let Some(text) = unknown_records(&summary.stats) {
            annotation("notice", file, 1, "passed over", &text)
        } else {
            return;
        };
        out.extend(text.bytes());
    }
}

/// An annotation for each rule that could not be decided somewhere, where that was first.
pub fn undecided(summary: &Summary, layers: &Layers) -> String {
    let mut out = String::new();
    for (rule, count) in by_rule(&summary.all.undecided) {
        let Some(place) = summary.first_undecided.get(&rule) else { continue };
        let text = format!("undecided {}: nothing tells {}", times(count), place.text);
        out.push_str(&annotation(
            "notice",
            &place.file,
            place.line,
            layers.rules().id(rule),
            &text,
        ));
    }
    out
}

/// Returns an annotation of a line, with its line feed. Levels are `error`, `warning` and `notice`.
#[must_use]
pub fn annotation(level: &str, file: &str, line: u32, title: &str, text: &str) -> String {
    let (file, title, text) = (property(file), property(title), data(text));
    format!("::{level} file={file},line={line},title={title}::{text}\n")
}

/// Returns text as GitHub reads it. Line breaks are escaped; other characters that would command a
/// terminal are replaced.
#[must_use]
pub fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            '\t' => out.push('\t'),
            unfit if is_deceptive(unfit) => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// Returns text as GitHub reads it in a property.
#[must_use]
pub fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
