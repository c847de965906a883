//! Trace policies on random traces: they find what the simplest evaluation finds, however the trace is
//! read and whatever other sessions stand beside.
//!
//! `BEHAVIOR_POLICY_CASES` sets how many policies are tried, each on several traces.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::sync::Arc;

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_compiler::{Options, compile_all};
use behavior_image::trace_rule::MonitorKind;
use behavior_runtime::decision::Finding;
use behavior_runtime::{Image, Replay};
use behavior_tests::documents::Documents;
use behavior_tests::policies;
use behavior_tests::samples::small_provider;
use behavior_tests::stream::Numbers;
use serde_json::Value;

const POLICIES: u64 = 250;
const TRACES: u64 = 8;

/// Calls `look` with policies and traces that are the same on every machine.
fn each_case(mut look: impl FnMut(&Value, &Arc<Image>, &[Value], &mut Numbers)) {
    let cases = std::env::var("BEHAVIOR_POLICY_CASES").ok();
    let cases = cases.map_or(POLICIES, |cases| cases.parse().expect("a number of cases"));
    for case in 1..=cases {
        let mut numbers = Numbers::new(case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let policy = policies::policy(&mut numbers);
        let image = compiled(&policy);
        for _ in 0..TRACES {
            let trace = policies::trace(&mut numbers);
            look(&policy, &image, &trace, &mut numbers);
        }
    }
}

fn compiled(policy: &Value) -> Arc<Image> {
    let text = policy.to_string();
    let provider = small_provider(&[("random.policy.json", &text)]);
    let entries = ["random.policy.json".to_owned()];
    let compilation = compile_all(&provider, &entries, &Options::default());
    let problems: Vec<_> = compilation.diagnostics.iter().map(|d| &d.message).collect();
    Arc::new(compilation.image.unwrap_or_else(|| panic!("{text}\n{problems:#?}")))
}

/// Something that a rule found, and the session that it was found in, unless it is about everything.
type Found = (String, Option<u64>, String, Option<String>);

struct Findings {
    image: Arc<Image>,
    replay: Replay,
    found: Vec<Found>,
}

impl Findings {
    fn of(image: &Arc<Image>, source: impl Read) -> Vec<Found> {
        let replay = Replay::new(Arc::clone(image)).with_host(Box::new(Documents::default()));
        let mut findings = Findings { image: Arc::clone(image), replay, found: Vec::new() };
        let mut source = BufReader::with_capacity(64, source);
        read(Format::NATIVE, &mut source, &mut findings).expect("memory can be read");
        let settled = findings.replay.finish();
        for (slot, conclusion) in settled.sessions {
            let name = findings.replay.by_slot(slot).map(|(name, _)| name.to_owned());
            findings.add(&conclusion.findings, name.as_deref());
        }
        findings.add(&settled.trace.findings, None);
        findings.found.sort();
        findings.found
    }

    fn add(&mut self, findings: &[Finding], session: Option<&str>) {
        for finding in findings {
            let rule = self.image.rules().get(finding.rule).expect("a rule").id.to_owned();
            let violation = finding.violation.clone().expect("all rules are of the policy");
            let session = session.map(str::to_owned);
            self.found.push((rule, violation.pair, violation.subject, session));
        }
    }
}

impl Sink for Findings {
    fn item(&mut self, item: Item<'_>) {
        let decision = self.replay.apply(&item.session, &item.event);
        self.add(&decision.besides().settled, Some(&item.session));
        self.add(&decision.findings, Some(&item.session));
    }

    fn problem(&mut self, problem: Problem) {
        panic!("the trace does not read: {problem:?}");
    }

    fn wants_exchanges(&self) -> bool {
        true
    }
}

#[test]
fn image_and_simplest_evaluation_find_alike() {
    let (mut reached, mut count) = (BTreeSet::new(), 0);
    each_case(|policy, image, trace, _| {
        let text = policies::written(trace);
        let mut found: Vec<_> = Findings::of(image, text.as_bytes())
            .into_iter()
            .map(|(rule, pair, _, _)| (rule, pair))
            .collect();
        found.sort();
        let expected = policies::findings(policy, trace);
        assert_eq!(found, expected, "\n{policy:#}\n{text}");
        reached.extend(expected.into_iter().map(|(rule, _)| rule));
        count += 1;
    });
    if count >= POLICIES * TRACES {
        assert_eq!(
            reached.len(),
            MonitorKind::ALL.len(),
            "some kind never found anything: {reached:?}"
        );
    }
}

/// Gives a few bytes at a time.
struct Trickle<'t>(&'t [u8], Numbers);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let few = (1 + self.1.below(7) as usize).min(buffer.len()).min(self.0.len());
        let (now, later) = self.0.split_at(few);
        buffer[..few].copy_from_slice(now);
        self.0 = later;
        Ok(few)
    }
}

#[test]
fn bytes_may_come_in_any_portions() {
    each_case(|_, image, trace, numbers| {
        let text = policies::written(trace);
        let trickle = Trickle(text.as_bytes(), numbers.clone());
        assert_eq!(Findings::of(image, trickle), Findings::of(image, text.as_bytes()), "{text}");
    });
}

#[test]
fn another_session_changes_nothing_of_a_rule_on_sessions() {
    let mut count = 0;
    each_case(|policy, image, trace, numbers| {
        if trace.is_empty() {
            return;
        }
        let of_sessions: BTreeSet<&str> = policy
            .as_array()
            .unwrap()
            .iter()
            .filter(|rule| rule["scope"] == "session")
            .map(|rule| rule["id"].as_str().unwrap())
            .collect();
        let mut other = policies::trace(numbers);
        other.iter_mut().for_each(|event| event["session"] = Value::from("other"));
        let mut mixed = trace.to_vec();
        let mut at = 0;
        for event in other {
            at += numbers.below((mixed.len() - at) as u64 + 1) as usize;
            mixed.insert(at, event);
            at += 1;
        }
        // Pairs are counted in the whole trace, so their numbers change.
        let of = |trace: &[Value]| -> Vec<(String, bool, String, Option<String>)> {
            let found = Findings::of(image, policies::written(trace).as_bytes()).into_iter();
            let mut found: Vec<_> = found
                .filter(|(rule, _, _, session)| {
                    of_sessions.contains(&**rule) && session.as_deref() != Some("other")
                })
                .map(|(rule, pair, subject, session)| (rule, pair.is_some(), subject, session))
                .collect();
            found.sort();
            found
        };
        let alone = of(trace);
        assert_eq!(of(&mixed), alone, "{}", policies::written(&mixed));
        count += alone.len();
    });
    assert!(count > 100, "{count} findings only");
}
