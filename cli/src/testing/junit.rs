//! What came of tests, as JUnit XML: a suite for each file.

use quick_junit::{TestCaseStatus, TestSuite};

use super::session::{Ran, Session};
use crate::simulate::junit::{case, document, failure};
use crate::terminal::Terminal;

/// Writes the document.
pub fn render(session: &Session) -> String {
    let same_file = |a: &Ran, b: &Ran| a.result.file == b.result.file;
    let suites =
        session.ran.chunk_by(same_file).map(|of_file| {
            let mut suite = TestSuite::new(of_file.first().map_or("", |ran| &ran.result.file));
            suite.add_test_cases(of_file.iter().map(|ran| {
                case(&ran.result.name, &format!("line {}", ran.result.line), status(ran))
            }));
            suite
        });
    document("behavior test", suites)
}

fn status(ran: &Ran) -> TestCaseStatus {
    let failures: Vec<String> = ran.result.failures.iter().map(ToString::to_string).collect();
    let Some(first) = failures.first() else { return TestCaseStatus::success() };
    let plain = Terminal { color: false, error_color: false, quiet: false, verbose: false };
    let why = ran.why.as_ref().map(|why| why.to_text(&plain)).unwrap_or_default();
    failure("rule-test", first, &format!("{}\n{why}", failures.join("\n")))
}
