//! Layers on random rules and events: whatever a less trusted layer says, what a more trusted one forbids
//! stays forbidden, and what it finds stays found.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_compiler::{Authority, Options, compile_all};
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use behavior_runtime::{
    Decision, FactHost, Image, Layer, LayeredSession, Layers, Replay, TurnView, Verdict,
};
use behavior_tests::generate::{self, Choices, Seed};
use behavior_tests::{provider, samples};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

const CASES: u32 = 150;

/// Rules of a layer, a config and a policy.
fn layer(seed: &Seed, policy: &[u8], authority: Authority) -> Arc<Image> {
    let config = generate::config(seed);
    let policy = generate::policy::written(&generate::policy::policy(&mut Choices::new(policy)));
    let files = [("behavior.yaml", &*config), ("behavior/policy.toml", &*policy)];
    let full = provider(&files);
    let small = samples::small_provider(&files);
    let provider = if generate::has_preset(&config) { full } else { small };
    let policies = vec!["behavior/policy.toml".to_owned()];
    let options = Options { policies, authority, ..Options::default() };
    let compiled = compile_all(&provider, &["behavior.yaml".to_owned()], &options);
    Arc::new(compiled.image.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics)))
}

/// The same trace under some layers, and under one of them alone.
struct Race {
    together: Replay,
    alone: Replay,
    layers: Arc<Layers>,
    only: Arc<Layers>,
    /// Sessions in which another layer has kept a call from running, so that the one alone saw more of it.
    apart: BTreeSet<String>,
    compared: u32,
    failure: Option<String>,
}

impl Race {
    fn of(layers: Vec<(Layer, Arc<Image>)>, alone: usize) -> Self {
        let only = Arc::new(Layers::from(Arc::clone(&layers[alone].1)));
        let layers = Arc::new(Layers::new(layers).unwrap());
        let host = || Box::new(generate::documents());
        Self {
            together: Replay::with_layers(Arc::clone(&layers)).with_host(host()),
            alone: Replay::with_layers(Arc::clone(&only)).with_host(host()),
            layers,
            only,
            apart: BTreeSet::new(),
            compared: 0,
            failure: None,
        }
    }

    /// The rules that stop something, by their ids.
    fn stops<'l>(decision: &Decision, layers: &'l Layers) -> BTreeSet<&'l str> {
        let stops = decision
            .effective()
            .filter(|finding| matches!(finding.action, Action::Block | Action::Ask));
        stops.map(|finding| layers.rules().id(finding.rule)).collect()
    }
}

impl Sink for Race {
    fn item(&mut self, item: Item<'_>) {
        let together = self.together.apply(&item.session, &item.event);
        let alone = self.alone.apply(&item.session, &item.event);
        if self.failure.is_some() || self.apart.contains(&*item.session) {
            return;
        }
        self.compared += 1;
        let stops = Self::stops(&alone, &self.only);
        let is_kept = stops.is_subset(&Self::stops(&together, &self.layers));
        if together.verdict < alone.verdict || !is_kept {
            self.failure = Some(format!("{item:?}\ntogether {together:#?}\nalone {alone:#?}"));
        }
        if together.verdict == Some(Verdict::Deny) && alone.verdict != Some(Verdict::Deny) {
            self.apart.insert(item.session.into_owned());
        }
    }

    fn problem(&mut self, problem: Problem) {
        panic!("{problem:?}");
    }
}

#[test]
fn no_layer_makes_another_ones_decisions_laxer() {
    let rules = || (vec(any::<u8>(), 0..120), vec(vec(any::<u8>(), 0..40), 1..5));
    let layer_of = || {
        (rules(), vec(any::<u8>(), 8..60)).prop_map(|((config, rules), policy)| {
            (Seed { config, rules, events: Vec::new() }, policy)
        })
    };
    let events = vec(vec(any::<u8>(), 0..30), 1..40);
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let config =
        ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let compared = std::cell::Cell::new(0);
    TestRunner::new_with_rng(config, seed)
        .run(&([layer_of(), layer_of()], events, 0..2usize, any::<bool>()), |case| {
            let ([upper, lower], events, alone, is_trusted) = case;
            let authority = if is_trusted { Authority::Full } else { Authority::TightenOnly };
            let layers = vec![
                (Layer::User, layer(&upper.0, &upper.1, Authority::Full)),
                (Layer::Project, layer(&lower.0, &lower.1, authority)),
            ];
            let trace = generate::trace(&Seed { events, ..upper.0 });
            let mut race = Race::of(layers, alone);
            read(Format::NATIVE, &mut trace.as_bytes(), &mut race).unwrap();
            compared.set(compared.get() + race.compared);
            race.failure.map_or(Ok(()), |why| Err(TestCaseError::fail(why)))
        })
        .unwrap();
    assert!(compared.get() > 1_000, "only {} events were compared", compared.get());
}

#[test]
fn a_layer_that_asks_a_model_gets_the_answer() {
    let image = |config: &str| Arc::new(samples::image_of(config));
    let plain = image("profile: dev\n");
    let asks = |footer: &str| {
        image(&format!("classify_turns: true\nclassifier: {{ directive_footer: \"{footer}\" }}\n"))
    };
    for (user, project, footer) in [
        (asks("of the user"), Arc::clone(&plain), "of the user"),
        (Arc::clone(&plain), asks("of the project"), "of the project"),
        (asks("of the user"), asks("of the project"), "of the project"),
    ] {
        let layers = Layers::new(vec![(Layer::User, user), (Layer::Project, project)]).unwrap();
        let mut session = LayeredSession::new(Arc::new(layers));
        let mut host = FactHost::default();
        let start = session.apply(&Event::TurnStart { text: Some("rename it".into()) }, &mut host);
        assert!(start.classifier.is_some_and(|due| due.runs), "{footer}");
        let turn = TurnView { message: "rename it", ..TurnView::default() };
        let request = session.classifier_request(&turn).unwrap();
        assert!(request.user.contains("rename it") && request.user.contains("Turn: 1"));
        let raw = r#"{"directives": ["Look first."]}"#;
        let decision = session.apply(&Event::ClassifierReply { raw: raw.into() }, &mut host);
        let told = decision.besides().directive.clone().unwrap();
        assert!(told.ends_with(footer), "{told}");
        assert!(decision.besides().problems.is_empty(), "{:?}", decision.besides().problems);
    }
    let layers = Layers::new(vec![(Layer::User, Arc::clone(&plain)), (Layer::Project, plain)]);
    let session = LayeredSession::new(Arc::new(layers.unwrap()));
    assert_eq!(session.classifier_request(&TurnView::default()), None);
}
