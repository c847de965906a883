//! Rules of a session on random programs and events: with them, every decision is at least as strict as without.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_compiler::session_rules::compile_session_rules;
use behavior_compiler::source::FileId;
use behavior_compiler::trace_policy::json_of;
use behavior_compiler::{Options, compile_all, syntax};
use behavior_runtime::constitution::SessionRule;
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use behavior_runtime::{Decision, Image, Layers, Replay, Verdict};
use behavior_tests::generate::{self, Choices, Seed};
use behavior_tests::{provider, samples};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

const CASES: u32 = 100;

/// The rules of a project, a config and a policy.
fn project(seed: &Seed, policy: &[u8]) -> Arc<Image> {
    let config = generate::config(seed);
    let policy = generate::policy::written(&generate::policy::policy(&mut Choices::new(policy)));
    let files = [("behavior.yaml", &*config), ("behavior/policy.toml", &*policy)];
    let full = provider(&files);
    let small = samples::small_provider(&files);
    let provider = if generate::has_preset(&config) { full } else { small };
    let policies = vec!["behavior/policy.toml".to_owned()];
    let options = Options { policies, ..Options::default() };
    let compiled = compile_all(&provider, &["behavior.yaml".to_owned()], &options);
    Arc::new(compiled.image.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics)))
}

/// The definitions of rules of a random config, as JSON.
fn definitions(seed: &Seed) -> Vec<String> {
    let config = generate::config(seed);
    let parsed = syntax::parse(FileId(0), &config, syntax::Format::Yaml);
    let items = parsed.root.get("rule_definitions").and_then(|list| list.items());
    items.unwrap_or_default().iter().map(|rule| json_of(rule).to_string()).collect()
}

/// The same trace with rules of the sessions and without.
struct Race {
    with: Replay,
    without: Replay,
    layers: Arc<Layers>,
    /// What is changed before each event, as events of its session.
    changes: Vec<Option<String>>,
    index: usize,
    /// Sessions in which a rule of theirs has kept a call from running, so that the other one saw more of it.
    apart: BTreeSet<String>,
    compared: u32,
    /// Findings of rules of sessions.
    own: u32,
    kept: usize,
    failure: Option<String>,
}

impl Race {
    fn stops<'l>(decision: &Decision, layers: &'l Layers) -> BTreeSet<&'l str> {
        let stops = decision
            .effective()
            .filter(|finding| matches!(finding.action, Action::Block | Action::Ask))
            .filter(|finding| layers.rules().of_session(finding.rule).is_none());
        stops.map(|finding| layers.rules().id(finding.rule)).collect()
    }
}

impl Sink for Race {
    fn item(&mut self, item: Item<'_>) {
        let change = self.changes.get(self.index).cloned().flatten();
        self.index += 1;
        if let Some(body) = change {
            let changed =
                self.with.apply(&item.session, &Event::Constitution { body: body.into() });
            assert_eq!(changed.verdict, None);
            assert!(changed.findings.is_empty(), "{changed:?}");
            self.kept += changed.besides().constitution.as_ref().map_or(0, |report| report.count);
        }
        let with = self.with.apply(&item.session, &item.event);
        let without = self.without.apply(&item.session, &item.event);
        let rules = self.layers.rules();
        self.own +=
            with.findings.iter().filter(|one| rules.of_session(one.rule).is_some()).count() as u32;
        if self.failure.is_some() || self.apart.contains(&*item.session) {
            return;
        }
        self.compared += 1;
        let is_kept =
            Self::stops(&without, &self.layers).is_subset(&Self::stops(&with, &self.layers));
        let all: Vec<_> = with
            .findings
            .iter()
            .filter(|one| rules.of_session(one.rule).is_none())
            .cloned()
            .collect();
        let is_same = all == without.findings && with.permission == without.permission;
        if with.verdict < without.verdict || !is_kept || !is_same || with.turn != without.turn {
            self.failure = Some(format!("{item:?}\nwith {with:#?}\nwithout {without:#?}"));
        }
        if with.verdict == Some(Verdict::Deny) && without.verdict != Some(Verdict::Deny) {
            self.apart.insert(item.session.into_owned());
        }
    }

    fn problem(&mut self, problem: Problem) {
        panic!("{problem:?}");
    }
}

/// An event that changes the rules of a session, made of these bytes.
fn change(bytes: &[u8], rules: &[String]) -> Option<String> {
    let at = |index: usize| bytes.get(index).map_or(0, |byte| usize::from(*byte));
    if at(0) % 2 == 1 {
        return None;
    }
    let by = if at(1) % 3 == 0 { "user" } else { "agent" };
    let rule = &rules[at(2) % rules.len()];
    Some(match at(3) % 6 {
        1 => format!(r#"{{"op":"reset","by":"{by}","rules":[{rule},"a text"]}}"#),
        2 => format!(r#"{{"op":"remove","by":"{by}"}}"#),
        _ => format!(r#"{{"op":"update","by":"{by}","rule":{rule}}}"#),
    })
}

#[test]
fn a_session_can_only_make_decisions_stricter() {
    let rules = || (vec(any::<u8>(), 0..120), vec(vec(any::<u8>(), 0..40), 1..5));
    let layer = || {
        (rules(), vec(any::<u8>(), 8..60)).prop_map(|((config, rules), policy)| {
            (Seed { config, rules, events: Vec::new() }, policy)
        })
    };
    let events = vec(vec(any::<u8>(), 0..30), 1..40);
    let changes = vec(vec(any::<u8>(), 0..8), 0..12);
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let config =
        ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let counts = std::cell::Cell::new((0, 0, 0));
    TestRunner::new_with_rng(config, seed)
        .run(&(layer(), layer(), events, changes), |(project_seed, own, events, changes)| {
            let layers = Arc::new(Layers::from(project(&project_seed.0, &project_seed.1)));
            let mut rules = definitions(&own.0);
            rules.push(r#"{"trigger":"*","action":"ask","message":"Sure?"}"#.to_owned());
            let host = || Box::new(generate::documents());
            let trace = generate::trace(&Seed { events, ..project_seed.0 });
            let mut race = Race {
                with: Replay::with_layers(Arc::clone(&layers)).with_host(host()),
                without: Replay::with_layers(Arc::clone(&layers)).with_host(host()),
                layers,
                changes: changes.iter().map(|bytes| change(bytes, &rules)).collect(),
                index: 0,
                apart: BTreeSet::new(),
                compared: 0,
                own: 0,
                kept: 0,
                failure: None,
            };
            read(Format::NATIVE, &mut trace.as_bytes(), &mut race).unwrap();
            let (compared, own, kept) = counts.get();
            counts.set((compared + race.compared, own + race.own, kept + race.kept));
            race.failure.map_or(Ok(()), |why| Err(TestCaseError::fail(why)))
        })
        .unwrap();
    let (compared, own, kept) = counts.get();
    assert!(compared > 500 && own > 100 && kept > 50, "{:?}", counts.get());
}

/// State that is built in and that no rule of a session names is left out of its image. A rule that names it has it.
#[test]
fn rules_have_the_state_that_they_name_and_no_other() {
    let compile = |condition: &str| {
        let definition = format!(
            r#"{{"trigger": "*", "action": "warn", "message": "No.", "condition": "{condition}"}}"#
        );
        compile_session_rules(&provider(&[]), &[SessionRule { number: 0, definition: &definition }])
    };
    let state = |image: &Image| -> Vec<String> {
        image.sets().chain(image.counters()).chain(image.flags()).map(str::to_owned).collect()
    };
    let conditions = [
        ("target in read_files", "read_files"),
        ("target in edited_files", "edited_files"),
        ("target in written_files", "written_files"),
        ("target in searched_patterns", "searched_patterns"),
        ("counter(changes_since_test) > 1", "changes_since_test"),
        ("counter(reads_since_search) > 1", "reads_since_search"),
        ("flag(has_web_searched)", "has_web_searched"),
    ];
    let whole = state(
        &compile_all(
            &provider(&[("a.yaml", "rules: {}")]),
            &["a.yaml".into()],
            &Options::default(),
        )
        .image
        .unwrap(),
    );
    assert_eq!(whole, conditions.map(|(_, name)| name));
    for (condition, name) in conditions {
        let compiled = compile(condition);
        let image = compiled.image.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics));
        assert_eq!(state(&image), [name], "{condition}");
    }
    let misspelt = compile("target in read_file");
    let told = format!("{:?}", misspelt.diagnostics);
    assert!(misspelt.image.is_none() && told.contains("`read_files`"), "{told}");
}
