//! Rules of trace policies as rows of the image: a rule for what all rules have, a monitor for what it
//! asserts.

use behavior_image::format::{
    MonitorRecord, NONE, PairTest as PairTestRecord, RuleNotes, RuleRecord, Run,
};
use behavior_runtime::decision::{Origin, Phase};

use super::generator::Generator;
use crate::ir::{Assertion, Monitor, PairTest};

impl Generator<'_> {
    /// Lays out what people are told of a rule of a trace policy.
    pub(super) fn monitor_notes(&mut self, monitor: &Monitor) {
        let (file, line, column) = self.place(monitor.span);
        let notes = RuleNotes {
            description: self.draft.string(&monitor.description),
            file,
            line,
            column,
            trigger: self.draft.string(&parameters(&monitor.assertion)),
            condition: self.draft.string(&shown(&monitor.when)),
        };
        self.draft.rule_notes.push(notes);
    }

    pub(super) fn monitor(&mut self, monitor: &Monitor) {
        let rule = self.draft.rules.len() as u32;
        let id = self.draft.string(&monitor.id);
        self.draft.rules.push(RuleRecord {
            id,
            code: self.draft.code.len() as u32,
            message: self.draft.messages.len() as u32,
            phase: Phase::Exchange as u8,
            action: monitor.action as u8,
            origin: Origin::TracePolicy as u8,
            ..RuleRecord::default()
        });
        let when = self.pair_tests(&monitor.when);
        let mut record = MonitorRecord {
            rule,
            when: when.start,
            when_len: when.len,
            subject: NONE,
            object: NONE,
            kind: monitor.kind as u8,
            scope: monitor.scope as u8,
            ..MonitorRecord::default()
        };
        self.assertion(&monitor.assertion, &mut record);
        self.draft.monitors.push(record);
    }

    fn assertion(&mut self, assertion: &Assertion, record: &mut MonitorRecord) {
        let draft = &mut self.draft;
        match assertion {
            Assertion::Tool(text) | Assertion::Text(text) | Assertion::Schema(text) => {
                record.subject = draft.string(text);
            }
            Assertion::ToolEachTurn(tool) => {
                record.subject = draft.string(tool);
                record.each_turn = 1;
            }
            Assertion::Order(first, then) => {
                record.subject = draft.string(first);
                record.object = draft.string(then);
            }
            Assertion::Limit(limit) => record.limit = *limit,
            Assertion::Tokens(limit, weight) => {
                (record.limit, record.number) = (*limit, *weight);
            }
            Assertion::StopReasons(reasons) => {
                let reasons: Vec<u32> = reasons.iter().map(|reason| draft.string(reason)).collect();
                let Run { start, len } = draft.list(reasons);
                (record.allowed, record.allowed_len) = (start, len);
            }
            Assertion::Path(path) => record.subject = draft.pair_path(path),
            Assertion::CallFollows(trigger, tool, within) => {
                record.subject = draft.string(tool);
                record.number = *within;
                self.trigger(trigger, record);
            }
            Assertion::TextFollows(trigger, text, within) => {
                record.object = draft.string(text);
                record.number = *within;
                self.trigger(trigger, record);
            }
            Assertion::Grounded(path, share) => {
                record.subject = draft.pair_path(path);
                record.limit = share.to_bits();
            }
        }
    }

    fn trigger(&mut self, tests: &[PairTest], record: &mut MonitorRecord) {
        let Run { start, len } = self.pair_tests(tests);
        (record.trigger, record.trigger_len) = (start, len);
    }

    fn pair_tests(&mut self, tests: &[PairTest]) -> Run {
        let start = self.draft.pair_tests.len() as u32;
        for test in tests {
            let record = PairTestRecord {
                path: self.draft.pair_path(&test.path),
                value: self.draft.string(&test.value),
                operator: test.operator as u32,
            };
            self.draft.pair_tests.push(record);
        }
        Run { start, len: tests.len() as u32 }
    }
}

/// The tests, for people.
fn shown(tests: &[PairTest]) -> String {
    let one = |test: &PairTest| format!("{} {} {}", test.path, test.operator.name(), test.value);
    tests.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// What a rule asserts it of, for people.
fn parameters(assertion: &Assertion) -> String {
    let after = |tests: &[PairTest]| match tests {
        [] => "after every pair".to_owned(),
        tests => format!("after {}", shown(tests)),
    };
    let span = |within: u32| match within {
        1 => String::new(),
        more => format!(" within {more} responses"),
    };
    match assertion {
        Assertion::Tool(tool) => tool.to_string(),
        Assertion::Order(first, then) => format!("{first} before {then}"),
        Assertion::ToolEachTurn(tool) => format!("{tool} in each turn"),
        Assertion::Limit(limit) | Assertion::Tokens(limit, 1000) => limit.to_string(),
        Assertion::Tokens(limit, 0) => format!("{limit}, without cached input"),
        Assertion::Tokens(limit, weight) => {
            format!("{limit}, cached input counts {}", f64::from(*weight) / 1000.0)
        }
        Assertion::StopReasons(reasons) => reasons.join(", "),
        Assertion::Text(text) => format!("{text:?}"),
        Assertion::Schema(schema) => {
            let short: String = schema.chars().take(60).collect();
            if short.len() < schema.len() { format!("{short}…") } else { short }
        }
        Assertion::Path(path) => path.to_string(),
        Assertion::CallFollows(tests, tool, within) => {
            format!("{tool} {}{}", after(tests), span(*within))
        }
        Assertion::TextFollows(tests, text, within) => {
            format!("{text:?} {}{}", after(tests), span(*within))
        }
        Assertion::Grounded(path, share) => format!("{path} at {share}"),
    }
}
