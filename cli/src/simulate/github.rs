//! Findings as annotations of GitHub Actions, on the lines of the trace.

use std::sync::Arc;

use behavior_runtime::Image;
use behavior_runtime::decision::Action;

use super::report::Report;
use super::summary::Seen;

/// Writes an annotation for each finding.
pub struct GithubReport {
    image: Arc<Image>,
}

impl GithubReport {
    /// Annotations under `image`.
    pub fn new(image: Arc<Image>) -> Self {
        Self { image }
    }
}

impl Report for GithubReport {
    fn event(&mut self, seen: &Seen<'_>, out: &mut String) {
        for finding in &seen.decision.findings {
            let level = match finding.action {
                Action::Block => "error",
                Action::Warn => "warning",
                Action::Remind => "notice",
            };
            let id = self.image.rule(finding.rule).map_or("", |rule| rule.id);
            let text = if finding.message.is_empty() { id } else { &finding.message };
            out.push_str(&format!(
                "::{level} file={},line={},title={}::{}\n",
                property(seen.file),
                seen.line,
                property(id),
                data(text)
            ));
        }
    }

    fn problem(&mut self, file: &str, line: u32, message: &str, out: &mut String) {
        let (file, message) = (property(file), data(message));
        out.push_str(&format!(
            "::warning file={file},line={line},title=not understood::{message}\n"
        ));
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
