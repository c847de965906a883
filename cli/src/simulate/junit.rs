//! Findings as JUnit XML: a suite for each file, a case for each rule and session. Rules of a policy are
//! such rules, and the calls that none of them covers have a case, too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use behavior_runtime::Layers;
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};

use super::label;
use super::report::Report;
use super::summary::{Refusal, Seen, Summary};
use crate::permissions;

/// How many findings of a rule are told in full for each session.
const TOLD: u64 = 20;

/// The suites of all files, each with the file's name, in the order in which they were done.
pub type Suites = Mutex<Vec<(String, TestSuite)>>;

/// Gathers the findings of a file. Reminders do not fail a case; what could not be decided, and
/// did not fire elsewhere, is skipped. What a policy denied fails; what it asked about is skipped, since
/// a person decides on it. Lines that were not understood are an error of their own:
/// they may hide any finding.
pub struct JunitReport<'a> {
    layers: Arc<Layers>,
    suites: &'a Suites,
    not_understood: (u64, String),
    failures: BTreeMap<(usize, u32), (u64, String)>,
    /// What was needed first, by session and rule.
    undecided: BTreeMap<(usize, u32), String>,
    /// What the policy denied or asked about, by session.
    refused: BTreeMap<(usize, Refusal), (u64, String)>,
}

impl<'a> JunitReport<'a> {
    /// Cases for the rules of `layers`, which are added to `suites` at the end of the file.
    pub fn new(layers: Arc<Layers>, suites: &'a Suites) -> Self {
        Self {
            layers,
            suites,
            not_understood: Default::default(),
            failures: BTreeMap::new(),
            undecided: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }
}

impl Report for JunitReport<'_> {
    fn event(&mut self, seen: &Seen<'_>, _out: &mut Vec<u8>) {
        for finding in seen.decision.effective() {
            let (count, text) = self.failures.entry((seen.slot, finding.rule)).or_default();
            *count += 1;
            if *count <= TOLD {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "line {}: {}", seen.line, finding.message);
            }
        }
        for undecided in &seen.decision.undecided {
            self.undecided
                .entry((seen.slot, undecided.rule))
                .or_insert_with(|| undecided.needs.to_string());
        }
        self.permission(seen);
    }

    fn problem(&mut self, _file: &str, line: u32, message: &str, _out: &mut Vec<u8>) {
        let (count, text) = &mut self.not_understood;
        *count += 1;
        if *count <= TOLD {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "line {line}: {message}");
        }
    }

    fn end(&mut self, file: &str, summary: &Summary, _out: &mut Vec<u8>) {
        let mut suite = TestSuite::new(file);
        let unknown: u64 = summary.stats.unknown.values().sum();
        if unknown > 0 {
            suite.add_property(Property::new("records of unknown kinds", unknown.to_string()));
        }
        if let Some(hollow) = summary.hollow.first() {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(format!("no event was found: {}", hollow.message));
            suite.add_test_case(case("the recording holds events", "trace", status));
        }
        suite.add_test_cases(not_understood(self.not_understood.0, Some(&self.not_understood.1)));
        for (slot, (session, _)) in summary.sessions.iter().enumerate() {
            self.add_policy(slot, session, &mut suite);
            for (number, rule) in (0..).zip(self.layers.rules().iter()) {
                suite.add_test_case(self.rule_case(slot, number, rule.id, rule.action, session));
            }
        }
        let mut suites = self.suites.lock().unwrap_or_else(PoisonError::into_inner);
        suites.push((file.to_owned(), suite));
    }
}

/// Returns the case of the lines that were not understood, where there are any.
pub fn not_understood(count: u64, told: Option<&str>) -> Option<TestCase> {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(format!("not understood: {}", crate::number::count(count, "line")));
    if let Some(told) = told {
        status.set_description(told);
    }
    (count > 0).then(|| case("every line is understood", "trace", status))
}

/// Returns a case.
#[must_use]
pub fn case(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

/// Returns the whole document.
#[must_use]
pub fn document(name: &str, suites: impl IntoIterator<Item = TestSuite>) -> String {
    let mut report = quick_junit::Report::new(name);
    report.add_test_suites(suites);
    // Memory does not refuse.
    report.to_string().unwrap_or_default()
}

impl JunitReport<'_> {
    fn permission(&mut self, seen: &Seen<'_>) {
        let (Some(permission), Some(refusal), Event::ToolCall(call)) =
            (seen.decision.permission, Refusal::of(seen.decision), seen.event)
        else {
            return;
        };
        let (count, text) = self.refused.entry((seen.slot, refusal)).or_default();
        *count += 1;
        if *count <= TOLD {
            let (_, reason) = permissions::told(&permission, &*self.layers);
            let label = label::of_call(call, seen.session.own().cwd());
            let parts = [&*call.tool, &*label, &*reason];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "line {}: {}", seen.line, parts.join(": "));
        }
    }

    /// Adds a case for each rule of the policy, and one for the calls that none of them covers. Where a
    /// rule both denied and asked, the denial counts.
    fn add_policy(&self, slot: usize, session: &str, suite: &mut TestSuite) {
        if !self.layers.policy().is_in_force() {
            return;
        }
        let rules =
            (0..).zip(self.layers.policy().iter()).map(|(rule, info)| (Some(rule), info.name));
        for (rule, name) in rules.chain([(None, "no rule")]) {
            let told = |denies| self.refused.get(&(slot, Refusal { denies, rule }));
            let status = match (told(true), told(false)) {
                (Some((count, text)), _) => {
                    failure("deny", &format!("denied {}", times(*count)), text)
                }
                (None, Some((count, text))) => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(format!("asked about {}", times(*count)));
                    status.set_description(text);
                    status
                }
                (None, None) => TestCaseStatus::success(),
            };
            suite.add_test_case(case(&format!("policy: {name}"), session, status));
        }
    }

    /// Returns a session's case for a rule.
    fn rule_case(
        &self,
        slot: usize,
        rule: u32,
        id: &str,
        action: Action,
        session: &str,
    ) -> TestCase {
        let found = self.failures.get(&(slot, rule));
        let status = match (found, self.undecided.get(&(slot, rule))) {
            (Some((count, text)), _) if action != Action::Remind => {
                failure(action.name(), &format!("fired {}", times(*count)), text)
            }
            (None, Some(needs)) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(format!("undecided: nothing tells {needs}"));
                status
            }
            _ => TestCaseStatus::success(),
        };
        let mut case = case(id, session, status);
        if let Some((_, text)) = found.filter(|_| action == Action::Remind) {
            case.set_system_out(text);
        }
        case
    }
}

/// Returns the status of a case that failed.
#[must_use]
pub fn failure(kind: &str, message: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind);
    status.set_message(message);
    status.set_description(text);
    status
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
