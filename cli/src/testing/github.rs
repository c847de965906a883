//! What came of tests, as annotations of GitHub Actions on the lines of the tests.

use super::session::Session;
use crate::simulate::github::annotation;

/// Writes an annotation for each test that failed.
pub fn render(session: &Session) -> String {
    let mut out = String::new();
    for ran in session.failed() {
        let result = &ran.result;
        let failures: Vec<String> = result.failures.iter().map(ToString::to_string).collect();
        let text = failures.join("\n");
        out.push_str(&annotation("error", &result.file, result.line, &result.name, &text));
    }
    out
}
