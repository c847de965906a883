//! The rules of trace policies in an image, as people and other programs ask for them.

use crate::code::{Action, Operator, Scope};
use crate::format::{MonitorRecord, PairTest, Section};
use crate::image::{Image, View};
use crate::rules::Place;
use crate::trace_rule::MonitorKind;

/// What is known of a rule of a trace policy.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorInfo<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its row among the rules, as [`crate::RuleTable::get`] takes it.
    pub rule: u32,
    /// What it asserts.
    pub kind: MonitorKind,
    /// Over what.
    pub scope: Scope,
    /// What it does.
    pub action: Action,
    /// Its parameters, for people.
    pub parameters: String,
    /// What must hold of a pair for the rule to look at it, for people.
    pub when: Vec<String>,
    /// Where it stands.
    pub place: Place<'a>,
}

/// The rules of trace policies, in their order.
#[derive(Clone, Copy, Debug)]
pub struct MonitorTable<'a> {
    image: &'a Image,
}

impl Image {
    /// The rules of trace policies.
    #[must_use]
    pub fn monitors(&self) -> MonitorTable<'_> {
        MonitorTable::new(self)
    }
}

impl<'a> MonitorTable<'a> {
    pub(crate) fn new(image: &'a Image) -> Self {
        Self { image }
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(self) -> u32 {
        self.image.rows::<MonitorRecord>(Section::Monitors)
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = MonitorInfo<'a>> {
        (0..self.len()).filter_map(move |row| self.get(row))
    }

    /// The one that stands behind a rule of the image; `None` for other rules.
    #[must_use]
    pub fn of_rule(self, rule: u32) -> Option<MonitorInfo<'a>> {
        let first = self.image.rules().len().checked_sub(self.len())?;
        self.get(rule.checked_sub(first)?)
    }

    fn get(self, row: u32) -> Option<MonitorInfo<'a>> {
        if row >= self.len() {
            return None;
        }
        let view = self.image.view();
        let monitor = view.row::<MonitorRecord>(Section::Monitors, row);
        let rule = self.image.rules().get(monitor.rule)?;
        Some(MonitorInfo {
            id: rule.id,
            rule: monitor.rule,
            kind: MonitorKind::from_number(monitor.kind)?,
            scope: Scope::from_number(monitor.scope)?,
            action: rule.action,
            parameters: rule.trigger.to_owned(),
            when: pair_tests(view, monitor.when, monitor.when_len)
                .map(|test| describe_pair_test(view, &test))
                .collect(),
            place: rule.place,
        })
    }

    /// Whether some of them decides only when a stretch of this scope is over.
    #[must_use]
    pub fn settles(self, scope: Scope) -> bool {
        self.iter().any(|monitor| monitor.kind.decides_at_end() && monitor.scope == scope)
    }
}

/// The tests of pairs in a run.
pub fn pair_tests(view: View<'_>, start: u32, len: u32) -> impl Iterator<Item = PairTest> {
    (start..start + len).map(move |row| view.row(Section::PairTests, row))
}

/// A test of pairs, for people.
#[must_use]
pub fn describe_pair_test(view: View<'_>, test: &PairTest) -> String {
    let path = view.string(view.row(Section::PairPaths, test.path));
    let operator = Operator::from_number(test.operator).map_or("?", Operator::name);
    format!("{path} {operator} {}", view.string(test.value))
}
