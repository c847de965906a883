//! A session that is saved and restored between any two events decides as one that lives on; rules
//! may change in between; bytes of any kind are refused or harmless.
//!
//! `BEHAVIOR_SAVED_CASES` sets how many sessions are tried.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use behavior_agents::{Format, Item, Problem, Sink, native, read};
use behavior_compiler::{Options, compile_all};
use behavior_image::code::ApprovalMode;
use behavior_runtime::event::{Call, Event, Param, Value};
use behavior_runtime::report::StateReport;
use behavior_runtime::saved::{SECRET, VERSION};
use behavior_runtime::{
    Decision, FactHost, Image, KeptEntry, KeptSets, KeptTarget, Saved, SavedError, Session,
};
use behavior_tests::generate::{self, Seed};
use behavior_tests::samples::{self, image_of};
use behavior_tests::stream::Numbers;
use behavior_tests::{policies, provider, stream};

const CASES: u64 = 400;

fn cases() -> u64 {
    let text = std::env::var("BEHAVIOR_SAVED_CASES").ok();
    text.map_or(CASES, |text| text.parse().expect("a number of cases"))
}

/// How saved sessions begin.
const HEAD: [u8; 4] = [b'B', b'H', b'S', VERSION];

fn saved(session: &Session) -> Vec<u8> {
    let mut bytes = Vec::new();
    session.save(&mut bytes);
    bytes
}

fn seed(number: u64) -> Seed {
    let mut numbers = Numbers::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut bytes =
        |most: u64| (0..numbers.below(most)).map(|_| numbers.below(256) as u8).collect::<Vec<_>>();
    let config = bytes(60);
    let rules = (0..1 + config.len() % 8).map(|_| bytes(40)).collect();
    let events = (0..20 + config.len()).map(|_| bytes(30)).collect();
    Seed { config, rules, events }
}

fn compiled(config: &str) -> Arc<Image> {
    let files = [("behavior.yaml", config)];
    let (full, small) = (provider(&files), samples::small_provider(&files));
    let provider = if generate::has_preset(config) { full } else { small };
    let compilation = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    Arc::new(compilation.image.expect("generated configs compile"))
}

/// The targets of a session's sets, kept apart from it.
#[derive(Debug, Default)]
struct Shelf(Mutex<BTreeMap<(String, String), KeptEntry>>);

impl KeptSets for Shelf {
    fn get(&self, set: &str, target: &str) -> Option<KeptEntry> {
        self.0.lock().unwrap().get(&(set.to_owned(), target.to_owned())).copied()
    }

    fn all(&self, set: &str) -> Vec<KeptEntry> {
        let shelf = self.0.lock().unwrap();
        shelf.iter().filter(|((of, _), _)| of == set).map(|(_, kept)| *kept).collect()
    }
}

/// What a session tells of itself once it was saved: of recent calls, no target with a secret.
fn shown(session: &Session) -> StateReport<'_> {
    let mut report = session.report();
    for (_, target) in &mut report.recent {
        if behavior_secrets::is_to_be_hidden(target) {
            *target = SECRET;
        }
    }
    report
}

/// A session whose sets' targets are kept apart.
#[derive(Clone, Debug, Default)]
struct Apart {
    bytes: Vec<u8>,
    shelf: Arc<Shelf>,
}

impl Apart {
    fn restored(&self, image: &Arc<Image>) -> Session {
        let shelf: Arc<dyn KeptSets> = self.shelf.clone();
        match self.bytes.is_empty() {
            true => Session::new_apart(Arc::clone(image), &shelf),
            false => Session::restore_apart(Arc::clone(image), &self.bytes, &shelf).unwrap(),
        }
    }

    fn keep(&mut self, session: &Session) {
        let mut shelf = self.shelf.0.lock().unwrap();
        for (set, target, kept) in session.targets_to_keep() {
            assert!(session.admits(set, &kept), "what is new is in its set");
            shelf.insert((set.to_owned(), target.to_owned()), kept);
        }
        self.bytes = saved(session);
    }

    fn targets(&self) -> Vec<KeptTarget> {
        let shelf = self.shelf.0.lock().unwrap();
        let one = |((set, target), kept): (&(String, String), &KeptEntry)| KeptTarget {
            set: set.clone(),
            target: target.clone(),
            kept: *kept,
        };
        shelf.iter().map(one).collect()
    }

    /// Checks that it tells what a session tells that has everything in memory.
    fn check(&self, alive: &Session) {
        let saved = Saved::read(&self.bytes).unwrap();
        let targets = self.targets();
        assert_eq!(saved.report_with(&targets), shown(alive));
    }
}

/// Each session three times: as it lives on, as bytes, and with the targets of its sets apart.
struct Twice {
    image: Arc<Image>,
    alive: HashMap<String, Session>,
    asleep: HashMap<String, Vec<u8>>,
    apart: HashMap<String, Apart>,
    facts: FactHost,
    open: Vec<Call<'static>>,
    decided: u64,
}

impl Twice {
    fn new(image: Arc<Image>) -> Self {
        Self {
            image,
            alive: HashMap::new(),
            asleep: HashMap::new(),
            apart: HashMap::new(),
            facts: FactHost::default(),
            open: Vec::new(),
            decided: 0,
        }
    }

    fn fresh(&self) -> Session {
        let mut session = Session::new(Arc::clone(&self.image));
        session.set_mode(ApprovalMode::AutoEdit);
        session
    }

    /// The event as live agents tell it: results repeat their call, parameters and all.
    fn live(&mut self, event: &Event<'_>) -> Event<'static> {
        let json = behavior_agents::to_native(&Item {
            line: 1,
            session: "default".into(),
            ts: None,
            event: event.clone(),
        });
        let text: &'static str = Box::leak(json.to_string().into_boxed_str());
        let mut event = native::parse(text, 1).unwrap().unwrap().event;
        match &mut event {
            Event::ToolCall(call) => self.open.push(call.clone()),
            Event::ToolResult(result) => {
                let known = self.open.iter().find(|call| call.id.is_some() && call.id == result.id);
                let call = result.call.get_or_insert_with(|| {
                    known.cloned().unwrap_or(Call { tool: "unknown".into(), ..Call::default() })
                });
                if call.params.is_empty() {
                    let value = Value::Text("of the call".into());
                    call.params = vec![Param { name: "nothing".into(), native: None, value }];
                }
            }
            _ => {}
        }
        event
    }
}

fn same(alive: &Session, restored: &Session, left: &Decision, right: &Decision) {
    let named = |session: &Session, decision: &Decision| {
        decision.tool.map(|tool| {
            (session.tool_name(tool).to_owned(), session.native_tool_name(tool).to_owned())
        })
    };
    assert_eq!(named(alive, left), named(restored, right));
    let without_number = |decision: &Decision| Decision { tool: None, ..decision.clone() };
    assert_eq!(without_number(left), without_number(right));
    let of_itself = |session: &Session| {
        let text = |text: Option<&str>| text.map(str::to_owned);
        (text(session.agent()), text(session.cwd()), text(session.mode()), session.is_headless())
    };
    assert_eq!(of_itself(alive), of_itself(restored));
}

impl Sink for Twice {
    fn item(&mut self, item: Item<'_>) {
        let name = item.session.clone().into_owned();
        let event = self.live(&item.event);
        let fresh = self.fresh();
        let alive = self.alive.entry(name.clone()).or_insert_with(|| fresh.clone());
        match &event {
            Event::Fs(fact) => self.facts.learn(fact, alive.cwd()),
            Event::Clock { now } => self.facts.set_clock(*now),
            _ => {}
        }
        let expected = alive.apply(&event, &mut self.facts);
        let mut restored = match self.asleep.get(&name) {
            Some(bytes) => Session::restore(Arc::clone(&self.image), bytes).unwrap(),
            None => fresh,
        };
        let decided = restored.apply(&event, &mut self.facts);
        same(alive, &restored, &expected, &decided);
        assert_eq!(shown(alive), shown(&restored));
        let apart = self.apart.entry(name.clone()).or_default();
        let mut looked_up = apart.restored(&self.image);
        if apart.bytes.is_empty() {
            looked_up.set_mode(ApprovalMode::AutoEdit);
        }
        let decided = looked_up.apply(&event, &mut self.facts);
        same(alive, &looked_up, &expected, &decided);
        apart.keep(&looked_up);
        apart.check(alive);
        let bytes = saved(&restored);
        assert_eq!(saved(alive), bytes, "both save alike");
        assert_eq!(Saved::read(&bytes).unwrap().report(), shown(alive));
        self.asleep.insert(name.clone(), bytes);
        self.decided += 1;
        if event == Event::SessionEnd {
            self.alive.remove(&name);
            self.asleep.remove(&name);
            self.apart.remove(&name);
        }
    }

    fn problem(&mut self, problem: Problem) {
        panic!("the trace does not read: {problem:?}");
    }
}

fn run_twice(image: Arc<Image>, trace: &str) -> Twice {
    let mut twice = Twice::new(image);
    read(Format::NATIVE, &mut trace.as_bytes(), &mut twice).unwrap();
    twice
}

#[test]
fn restored_between_any_two_events_a_session_decides_as_if_it_lived_on() {
    let twice = run_twice(Arc::new(image_of(samples::EVERYTHING)), samples::EVENTS);
    assert!(twice.decided > 20);
    let mut decided = 0;
    for number in 1..=cases() {
        let seed = seed(number);
        let config = generate::config(&seed);
        let twice = run_twice(compiled(&config), &generate::trace(&seed));
        decided += twice.decided;
    }
    assert!(decided > cases() * 20, "{decided} decisions only");
}

#[test]
fn trace_policies_remember_over_restores() {
    for number in 1..=cases() {
        let mut numbers = Numbers::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let policy = policies::policy(&mut numbers).to_string();
        let provider = samples::small_provider(&[("random.policy.json", &policy)]);
        let entries = ["random.policy.json".to_owned()];
        let image = compile_all(&provider, &entries, &Options::default()).image;
        let image = Arc::new(image.expect("generated policies compile"));
        for _ in 0..4 {
            run_twice(Arc::clone(&image), &policies::written(&policies::trace(&mut numbers)));
        }
    }
}

#[test]
fn what_the_next_rules_know_by_name_is_kept() {
    let mut previous: Option<(Arc<Image>, Twice)> = None;
    let mut kept = 0;
    for number in 1..=cases() / 4 {
        let seed = seed(number);
        let config = generate::config(&seed);
        let image = compiled(&config);
        let next = run_twice(Arc::clone(&image), &generate::trace(&seed));
        let sessions = previous.iter().flat_map(|(_, before)| {
            before.alive.iter().map(|(name, session)| (session, before.apart[name].clone()))
        });
        for (before, mut apart) in sessions {
            let bytes = saved(before);
            let mut after = Session::restore(Arc::clone(&image), &bytes).unwrap();
            kept += carried_over(before, &after);
            let again = saved(&after);
            let twice = Session::restore(Arc::clone(&image), &again).unwrap();
            assert_eq!(saved(&twice), again, "what was dropped once stays so");
            apart.keep(&apart.restored(&image));
            apart.check(&after);
            // What the rules did not know in between is not found again, by whatever name.
            let returned = before.image();
            let twice = Session::restore(Arc::clone(returned), &again).unwrap();
            apart.keep(&apart.restored(returned));
            apart.check(&twice);
            after.apply(&Event::TurnStart { text: None }, &mut FactHost::default());
        }
        previous = Some((image, next));
    }
    assert!(kept > 50, "hardly anything was carried over: {kept}");
}

/// Checks a session under other rules against what it was; how many values other than nothing it kept.
fn carried_over(before: &Session, after: &Session) -> usize {
    let (old, new) = (shown(before), shown(after));
    assert_eq!((old.turn, old.calls_this_turn), (new.turn, new.calls_this_turn));
    assert_eq!((old.total_calls, old.violations), (new.total_calls, new.violations));
    assert_eq!((&old.streak, &old.recent), (&new.streak, &new.recent));
    let known = old.last_violation.filter(|id| after.image().rules().find(id).is_some());
    assert_eq!(new.last_violation, known);
    let sets: BTreeMap<_, _> = old.sets.into_iter().collect();
    let mut kept = 0;
    for (name, targets) in new.sets {
        let was = sets.get(name).cloned().unwrap_or_default();
        // A smaller window may have forgotten some.
        assert!(targets.iter().all(|target| was.contains(target)), "{name}: {targets:?}, {was:?}");
        kept += targets.len();
    }
    let counters: BTreeMap<_, _> = old.counters.into_iter().collect();
    for (name, value) in new.counters {
        assert_eq!(value, counters.get(name).copied().unwrap_or(0), "{name}");
        kept += usize::from(value != 0);
    }
    let flags: BTreeMap<_, _> = old.flags.into_iter().collect();
    for (name, value) in new.flags {
        assert_eq!(value, flags.get(name).copied().unwrap_or(false), "{name}");
        kept += usize::from(value);
    }
    kept
}

const BEFORE: &str = "
state_tracking:
  sets:
    seen: { add_on: [read], fingerprint: true }
    gone: { add_on: [read] }
  counters: { steps: { increment_on: ['*'] }, gone_too: { increment_on: ['*'] } }
  flags: { safe: { set_on: [read] } }
rule_definitions:
  - { id: old_rule, trigger: read, condition: { target_in_set: gone }, message: m }
";

const AFTER: &str = "
state_tracking:
  sets:
    fresh: { add_on: [glob] }
    seen: { add_on: [read], window_turns: 2 }
  counters: { fresh: { increment_on: [read] }, steps: { increment_on: ['*'] } }
  flags: { fresh: { set_on: [read] }, safe: { set_on: [read] } }
rule_definitions:
  - { id: new_rule, trigger: edit, condition: { target_in_set: seen }, message: m }
";

const TRACE: &str = r#"{"event":"turn_start"}
{"event":"tool_result","tool":"read","params":{"file_path":"old.rs"}}
{"event":"turn_start"}
{"event":"turn_start"}
{"event":"tool_result","tool":"read","params":{"file_path":"new.rs"}}
{"event":"tool_call","tool":"read","params":{"file_path":"new.rs"}}"#;

#[test]
fn rules_that_change_find_what_they_still_know() {
    let mut session = Session::new(Arc::new(image_of(BEFORE)));
    for line in TRACE.lines() {
        session.apply(&native::parse(line, 1).unwrap().unwrap().event, &mut FactHost::default());
    }
    let report = session.report();
    assert_eq!((report.last_violation, report.violations), (Some("old_rule"), 1));
    let session = Session::restore(Arc::new(image_of(AFTER)), &saved(&session)).unwrap();
    let report = session.report();
    assert_eq!((report.turn, report.total_calls, report.violations), (3, 2, 1));
    assert_eq!(report.last_violation, None);
    assert_eq!(report.streak, Some(("read", 2)));
    let set = |name| report.sets.iter().find(|(set, _)| *set == name).unwrap().1.clone();
    assert_eq!(set("seen"), ["new.rs"], "the smaller window forgot the other");
    assert!(set("fresh").is_empty());
    let counter = |name| report.counters.iter().find(|(counter, _)| *counter == name).unwrap().1;
    assert_eq!((counter("steps"), counter("fresh")), (2, 0));
    let flag = |name| report.flags.iter().find(|(flag, _)| *flag == name).unwrap().1;
    assert_eq!((flag("safe"), flag("fresh")), (true, false));
    assert!(report.sets.iter().all(|(name, _)| *name != "gone"));
}

#[test]
fn what_the_user_forbids_outlives_a_restore() {
    let image = Arc::new(image_of("profile: guard\n"));
    let mut session = Session::new(Arc::clone(&image));
    let is_asked = |session: &mut Session, line: &str| {
        let item = native::parse(line, 1).unwrap().unwrap();
        !session.apply(&item.event, &mut FactHost::default()).findings.is_empty()
    };
    let commit = r#"{"event":"tool_call","tool":"bash","params":{"command":"git commit -am x"}}"#;
    is_asked(&mut session, r#"{"event":"turn_start","text":"fix it, dont commit yet"}"#);
    let mut session = Session::restore(Arc::clone(&image), &saved(&session)).unwrap();
    is_asked(&mut session, r#"{"event":"turn_start","text":"also rename foo to bar"}"#);
    let mut session = Session::restore(Arc::clone(&image), &saved(&session)).unwrap();
    assert!(is_asked(&mut session, commit));
    is_asked(&mut session, r#"{"event":"turn_start","text":"ok now commit"}"#);
    assert!(!is_asked(&mut session, commit));
}

fn a_saved_session() -> (Arc<Image>, Vec<u8>) {
    let image = Arc::new(image_of(samples::EVERYTHING));
    let twice = run_twice(Arc::clone(&image), samples::EVENTS);
    let longest = twice.asleep.values().max_by_key(|bytes| bytes.len()).unwrap().clone();
    (image, longest)
}

fn a_session_apart(image: &Arc<Image>) -> Apart {
    let twice = run_twice(Arc::clone(image), samples::EVENTS);
    twice.apart.values().max_by_key(|apart| apart.bytes.len()).unwrap().clone()
}

/// Opens the bytes; a session that opens goes on.
fn refused(image: &Arc<Image>, bytes: &[u8]) -> bool {
    Session::restore(Arc::clone(image), bytes).map_or(true, |session| !goes_on(session))
}

fn goes_on(mut session: Session) -> bool {
    for line in samples::EVENTS.lines().take(30) {
        let Ok(Some(item)) = native::parse(line, 1) else { continue };
        session.apply(&item.event, &mut FactHost::default());
    }
    let _ = (session.report(), session.snapshot(), saved(&session));
    true
}

#[test]
fn bytes_that_end_early_or_late_are_refused() {
    let (image, bytes) = a_saved_session();
    assert!(!refused(&image, &bytes));
    for length in 0..bytes.len() {
        assert!(refused(&image, &bytes[..length]), "{length} of {} bytes", bytes.len());
    }
    assert!(refused(&image, &[&bytes[..], &[0]].concat()));
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let (image, bytes) = a_saved_session();
    let mut numbers = Numbers::new(11);
    let mut refusals = 0;
    for at in 0..bytes.len() {
        for value in [bytes[at] ^ 1, bytes[at] ^ 0x80, 0, 0xff, numbers.below(256) as u8] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            refusals += usize::from(refused(&image, &damaged));
        }
    }
    assert!(refusals > bytes.len() / 2, "{refusals} refusals");
    let apart = a_session_apart(&image);
    for at in 0..apart.bytes.len() {
        for value in [apart.bytes[at] ^ 1, apart.bytes[at] ^ 0x80, 0, 0xff] {
            let mut damaged = apart.bytes.clone();
            damaged[at] = value;
            let shelf: Arc<dyn KeptSets> = apart.shelf.clone();
            let restored = Session::restore_apart(Arc::clone(&image), &damaged, &shelf);
            let _ = restored.is_ok_and(goes_on);
            assert!(refused(&image, &damaged), "its targets are somewhere else");
        }
    }
    for _ in 0..20_000 {
        let length = numbers.below(200);
        let noise = (0..length).map(|_| numbers.below(256) as u8);
        let bytes: Vec<u8> = HEAD.into_iter().chain(noise).collect();
        refused(&image, &bytes);
    }
}

#[test]
fn what_is_wrong_is_said() {
    let image = Arc::new(image_of("rule_definitions: []\n"));
    let error = |bytes: &[u8]| Session::restore(Arc::clone(&image), bytes).unwrap_err();
    assert_eq!(error(b""), SavedError::NotASession);
    assert_eq!(error(b"profile: dev\n"), SavedError::NotASession);
    let newer = error(&[b'B', b'H', b'S', VERSION + 1]);
    assert_eq!(newer, SavedError::Version { found: VERSION + 1 });
    assert!(newer.to_string().contains(&format!("saved in form {}", VERSION + 1)), "{newer}");
    let early = error(&[&HEAD[..], &[0, 0]].concat());
    assert!(early.to_string().contains("it ends too early; clear it"), "{early}");
    // A count that nothing follows reserves nothing.
    let count = [&HEAD[..], &[0; 16], &[0xff, 0xff, 0xff, 0xff, 0x7f]].concat();
    assert!(matches!(error(&count), SavedError::Damaged { .. }));
}

#[test]
fn a_session_at_the_end_of_all_numbers_goes_on() {
    let image = Arc::new(image_of("rule_definitions: []\n"));
    let most = [&[0xff; 4][..], &[0x0f]].concat();
    let most_long = [&[0xff; 9][..], &[1]].concat();
    let numbers = [&most[..], &most, &most_long, &most_long].concat();
    // Nothing else is kept: as many zeros as the form has counts.
    let mut session = (0..64)
        .find_map(|counts| {
            let bytes = [&HEAD[..], &[0; 10], &numbers, &vec![0; counts]].concat();
            Session::restore(Arc::clone(&image), &bytes).ok()
        })
        .unwrap();
    assert_eq!(session.report().turn, u32::MAX);
    for event in stream::realistic(50, 3) {
        session.apply(&event, &mut FactHost::default());
    }
    assert_eq!(session.report().turn, u32::MAX);
    assert_eq!(session.report().total_calls, u64::MAX);
}
