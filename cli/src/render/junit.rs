//! Problems as JUnit XML: a suite for each file, a case for each problem.

use behavior_compiler::Severity;
use quick_junit::{TestCaseStatus, TestSuite};

use crate::report::{Problem, Report};
use crate::simulate::junit::{case, document, failure};

/// Writes the document. What is only good to know fails no case.
#[must_use]
pub fn render(report: &Report) -> String {
    let (shown, _) = report.shown();
    let same_file = |a: &&Problem, b: &&Problem| a.place.source.name == b.place.source.name;
    let mut suites: Vec<TestSuite> = shown
        .chunk_by(same_file)
        .map(|of_file| {
            let mut suite =
                TestSuite::new(of_file.first().map_or("", |one| &one.place.source.name));
            suite.add_test_cases(of_file.iter().map(|problem| {
                let at = problem.place.source.position(problem.place.start);
                case(
                    &format!("{}:{} {}", at.line, at.column, problem.name),
                    problem.name,
                    status(problem),
                )
            }));
            suite
        })
        .collect();
    if suites.is_empty() {
        let mut suite = TestSuite::new("behavior check");
        suite.add_test_case(case(&report.summary(), "behavior check", TestCaseStatus::success()));
        suites.push(suite);
    }
    document("behavior check", suites)
}

fn status(problem: &Problem) -> TestCaseStatus {
    if problem.severity == Severity::Info {
        return TestCaseStatus::success();
    }
    let help = problem.help.as_deref().unwrap_or_default();
    failure(problem.severity.name(), &problem.message, help)
}
