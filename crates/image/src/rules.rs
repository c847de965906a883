//! The rules of an image, as people and other programs ask for them.

use crate::code::{Action, Origin, Phase, Repeat, Verdict};
use crate::format::{ConditionNotes, NONE, RuleNotes, RuleRecord, Section};
use crate::image::{Image, View};

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleInfo<'a> {
    /// Its id.
    pub id: &'a str,
    /// When it is looked at.
    pub phase: Phase,
    /// What it does.
    pub action: Action,
    /// What is answered where nobody can tell whether it applies, if it stops calls.
    pub when_undecided: Verdict,
    /// What becomes of a call that it asks about where nobody can answer: it is allowed or denied.
    pub when_unanswered: Verdict,
    /// Whether a user may allow what it stops.
    pub is_grantable: bool,
    /// How often the agent is told what it warns or reminds of.
    pub repeat: Repeat,
    /// With [`Repeat::Calls`], how many calls there are between two times.
    pub repeat_calls: u32,
    /// Whether it holds in sub-agents.
    pub in_subagent: bool,
    /// Where it comes from.
    pub origin: Origin,
    /// What it is for.
    pub description: &'a str,
    /// Its triggers, separated by commas.
    pub trigger: &'a str,
    /// Its condition as an expression; empty when it always fires.
    pub condition: &'a str,
    /// Where it stands.
    pub place: Place<'a>,
}

/// A place in a rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What makes a rule silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionInfo<'a> {
    /// The rule, by its number.
    pub rule: u32,
    /// Its condition as an expression.
    pub condition: &'a str,
    /// Why it was made.
    pub reason: &'a str,
    /// The second since the epoch at which it ends, if it does.
    pub until: Option<u32>,
    /// Where it stands.
    pub place: Place<'a>,
}

/// The rules in force, in the order in which findings are reported.
#[derive(Clone, Copy, Debug)]
pub struct RuleTable<'a> {
    pub(crate) image: &'a Image,
}

impl Image {
    /// The rules in force, in the order in which findings are reported.
    #[must_use]
    pub fn rules(&self) -> RuleTable<'_> {
        RuleTable::new(self)
    }
}

impl<'a> View<'a> {
    /// The condition that an instruction was compiled from.
    #[must_use]
    pub fn condition(&self, at: u32) -> Option<ConditionNotes> {
        let rows = self.rows::<ConditionNotes>(Section::ConditionNotes);
        let (mut low, mut high) = (0, rows);
        while low < high {
            let middle = low + (high - low) / 2;
            let notes: ConditionNotes = self.row(Section::ConditionNotes, middle);
            match notes.at.cmp(&at) {
                std::cmp::Ordering::Equal => return Some(notes),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The place that notes of a condition name.
    #[must_use]
    pub fn place(&self, notes: &ConditionNotes) -> Place<'a> {
        Place { file: self.string(notes.file), line: notes.line, column: notes.column }
    }
}

impl<'a> RuleTable<'a> {
    pub(crate) fn new(image: &'a Image) -> Self {
        Self { image }
    }

    /// How many there are.
    #[must_use]
    pub fn len(self) -> u32 {
        self.image.rows::<RuleRecord>(Section::Rules)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// What is known of a rule, by its number in findings.
    #[must_use]
    pub fn get(self, rule: u32) -> Option<RuleInfo<'a>> {
        if rule >= self.len() {
            return None;
        }
        let view = self.image.view();
        let record = view.rule(rule);
        let notes: RuleNotes = view.row(Section::RuleNotes, rule);
        Some(RuleInfo {
            id: view.string(record.id),
            phase: Phase::from_number(record.phase)?,
            action: Action::from_number(record.action)?,
            when_undecided: Verdict::from_number(record.when_undecided)?,
            when_unanswered: Verdict::from_number(record.when_unanswered)?,
            is_grantable: record.grantable != 0,
            repeat: Repeat::from_number(record.repeat)?,
            repeat_calls: record.repeat_calls,
            in_subagent: record.in_subagent != 0,
            origin: Origin::from_number(record.origin)?,
            description: view.string(notes.description),
            trigger: view.string(notes.trigger),
            condition: view.string(notes.condition),
            place: Place { file: view.string(notes.file), line: notes.line, column: notes.column },
        })
    }

    /// The exceptions of all rules, in the order of the rules.
    pub fn exceptions(self) -> impl Iterator<Item = ExceptionInfo<'a>> {
        let view = self.image.view();
        let of_rule = move |rule| {
            view.exceptions(&view.rule(rule)).map(move |record| ExceptionInfo {
                rule,
                condition: view.string(record.condition),
                reason: view.string(record.reason),
                until: (record.until != NONE).then_some(record.until),
                place: Place {
                    file: view.string(record.file),
                    line: record.line,
                    column: record.column,
                },
            })
        };
        (0..self.len()).flat_map(of_rule)
    }

    /// The tools without which a rule makes no sense.
    pub fn needs(self, rule: u32) -> impl Iterator<Item = &'a str> {
        let view = self.image.view();
        let record = view.rule(rule);
        view.list(record.needs, record.needs_len.into()).map(move |id| view.string(id))
    }

    /// The id of a rule; empty where there is none of that number.
    #[must_use]
    pub fn id(self, rule: u32) -> &'a str {
        let view = self.image.view();
        if rule < self.len() { view.string(view.rule(rule).id) } else { "" }
    }

    /// The number of the rule called `id`.
    #[must_use]
    pub fn find(self, id: &str) -> Option<u32> {
        (0..self.len()).find(|&rule| self.id(rule) == id)
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = RuleInfo<'a>> {
        (0..self.len()).filter_map(move |rule| self.get(rule))
    }
}
