//! All that was run, and what came of it.

use behavior_rule_tests::TestResult;

use super::coverage::Coverage;
use super::why::Explained;

/// A test that was run.
pub struct Ran {
    /// What came of it.
    pub result: TestResult,
    /// Why it was decided so where it failed: for people and as JSON.
    pub why: Option<Explained>,
}

/// All that was run.
#[derive(Default)]
pub struct Session {
    /// The tests, in the order of their files.
    pub ran: Vec<Ran>,
    /// Which rules fired.
    pub coverage: Coverage,
    /// How many of the tests are examples of rules.
    pub examples: usize,
    /// How many failures were explained.
    explained: usize,
}

/// More tests that failed are told without an explanation: who has that many mends the first ones first.
const MAX_EXPLAINED: usize = 50;

impl Session {
    /// Whether what came of a test is to be explained.
    pub(super) fn explains(&self, result: &TestResult) -> bool {
        !result.failures.is_empty() && self.explained < MAX_EXPLAINED
    }

    pub(super) fn push(&mut self, ran: Ran) {
        self.explained += usize::from(ran.why.is_some());
        self.ran.push(ran);
    }

    /// Returns the tests that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Ran> {
        self.ran.iter().filter(|ran| !ran.result.failures.is_empty())
    }
}
