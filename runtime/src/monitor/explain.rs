//! Why rules of trace policies found something on an event, or did not: which of their tests of the
//! pair held, and what they saw.

use super::look::Around;
use super::monitors::Monitors;
use super::watch;
use crate::decision::Decision;
use crate::exchange::{Body, ToolNames};
use crate::explain::{RuleTrace, Step};
use behavior_facts::event::Event;
use behavior_facts::truth::Truth;
use behavior_image::format::{MonitorRecord, Section};
use behavior_image::trace_rule::MonitorKind;
use behavior_image::{Image, describe_pair_test, pair_tests};

/// How much of a value is shown, in characters.
const SHOWN: usize = 120;

impl Monitors {
    /// How each rule of a trace policy came to what it said of `event`; none for events that such
    /// rules do not look at.
    pub fn explain(&self, image: &Image, event: &Event<'_>, decision: &Decision) -> Vec<RuleTrace> {
        let is_call = matches!(event, Event::ToolCall(_));
        let mut names = ToolNames::default();
        let values = match event {
            Event::Response { body } => {
                let body = Body::open(body);
                names = ToolNames::of_body(&body);
                watch::values(image, &body, self.watch.pending.as_deref())
            }
            Event::ToolCall(_) => self.watch.around(),
            _ => return Vec::new(),
        };
        let around = Around { values: &values, blocks: None, names: &names, is_end_untold: false };
        let view = image.view();
        let mut traces = Vec::new();
        for row in 0..image.monitors().len() {
            let monitor: MonitorRecord = view.row(Section::Monitors, row);
            let Some(kind) = MonitorKind::from_number(monitor.kind) else { continue };
            if is_call && !kind.is_about_calls() {
                continue;
            }
            let mut steps = Vec::new();
            for test in pair_tests(view, monitor.when, monitor.when_len) {
                let holds = around.holds(view, &test);
                let saw = values.get(test.path as usize).and_then(Option::as_deref);
                steps.push(Step::of_pair(
                    describe_pair_test(view, &test),
                    monitor.rule,
                    if holds { Truth::True } else { Truth::False },
                    saw.map_or("nothing is there".to_owned(), |value| {
                        value.chars().take(SHOWN).collect()
                    }),
                ));
                if !holds {
                    break;
                }
            }
            let found = decision.findings.iter().find(|finding| finding.rule == monitor.rule);
            let is_gated_out = steps.last().is_some_and(|step| step.result == Truth::False);
            if !is_gated_out {
                let text = format!(
                    "{} {}",
                    kind.name(),
                    image.rules().get(monitor.rule).map_or("", |rule| rule.trigger)
                );
                let (result, saw) = match found {
                    Some(finding) => (Truth::True, finding.message.clone()),
                    None => (Truth::False, "nothing that violates it here".to_owned()),
                };
                steps.push(Step::of_pair(text, monitor.rule, result, saw));
            }
            traces.push(RuleTrace {
                rule: monitor.rule,
                outcome: if found.is_some() { Truth::True } else { Truth::False },
                message: found.map(|finding| finding.message.clone()),
                steps,
            });
        }
        traces
    }
}
