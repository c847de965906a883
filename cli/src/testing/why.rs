//! Why rules decided as they did where a test failed: the explanation of that event, as `explain` gives it.

use std::sync::Arc;

use behavior_agents::{Problem, Sink, native};
use behavior_compiler::rule_test::{ExampleEvents, Step, steps};
use behavior_compiler::source::{FileId, Source};
use behavior_rule_tests::{Failure, Rules, Runner, Test, TestResult, play};
use behavior_runtime::Layers;
use behavior_runtime::decision::Phase;
use serde_json::Value;

use crate::explain::trace::{Question, Shown, watch};
use crate::explain::why::Why;
use crate::terminal::Terminal;

/// The explanation of each event at which a test failed.
pub struct Explained {
    layers: Arc<Layers>,
    parts: Vec<(Vec<Why>, Option<u32>)>,
}

/// At most so many events of a test are explained.
const MAX_SHOWN: usize = 3;

/// Explains the failures of a test.
pub fn of_test(test: Test<'_>, result: &TestResult, runner: &Runner<'_>) -> Option<Explained> {
    let failures = explained(&result.failures);
    if failures.is_empty() {
        return None;
    }
    // Rules that stand in tests are compiled once for all that say the same; here the place counts.
    let rules = runner.own_rules(test).ok()?;
    let source = test.suite.sources.get(FileId(0))?;
    let layers = Arc::clone(&rules.layers);
    let parts = failures.into_iter().filter_map(|failure| {
        let only = failure.rule.as_deref().and_then(|id| layers.rules().find(id));
        let whys = match &test.test.value.trace {
            Some(trace) => {
                let question = question(&trace.value, &rules, test.root(), failure.at? as u64);
                let feed = |sink: &mut dyn Sink| runner.feed(test, &trace.value, sink);
                watch(&question, feed).ok()?.whys?
            }
            None => {
                let staged =
                    Staged { source, steps: &test.steps(), rules: &rules, root: test.root() };
                watch_steps(&staged, &failure, only)?
            }
        };
        let whys = whys.into_iter().map(|why| match failure.at {
            Some(at) => why.of_entry(at),
            None => why,
        });
        Some((whys.collect(), only))
    });
    let parts = parts.collect();
    Some(Explained { layers, parts })
}

/// Explains why an example does not hold.
pub fn of_example(result: &TestResult) -> Option<Explained> {
    let failures = explained(&result.failures);
    let failure = failures.first()?;
    let rules = result.rules.as_ref()?;
    let layers = Arc::clone(&rules.layers);
    let program = &rules.compilation.program;
    let rule = program.rules.iter().find(|rule| Some(&*rule.id) == failure.rule.as_deref())?;
    let sources = &rules.compilation.sources;
    let stands_there = |example: &&ExampleEvents| example.span == result.span;
    let lists = [&rule.examples.fires, &rule.examples.passes];
    let example = lists.into_iter().flatten().flatten().find(stands_there)?;
    let source = sources.get(example.span.file)?;
    let only = layers.rules().find(&rule.id);
    let staged = Staged { source, steps: &steps(&example.events), rules, root: None };
    let whys = watch_steps(&staged, failure, only)?;
    let whys = whys.into_iter().map(|why| match failure.at {
        Some(at) => why.of_entry(at),
        None => why,
    });
    let whys = whys.collect();
    Some(Explained { layers, parts: vec![(whys, only)] })
}

/// The failures to explain: one for each event, about a rule where all of that event are about that one.
fn explained(failures: &[Failure]) -> Vec<Failure> {
    let mut chosen: Vec<Failure> = Vec::new();
    for failure in failures.iter().filter(|failure| failure.at.is_some()) {
        let has_room = chosen.len() < MAX_SHOWN;
        match chosen.iter_mut().find(|known| known.at == failure.at) {
            Some(known) if known.rule != failure.rule => known.rule = None,
            Some(_) => {}
            None if has_room => chosen.push(failure.clone()),
            None => {}
        }
    }
    chosen
}

fn question<'a>(file: &'a str, rules: &'a Rules, root: Option<&'a str>, at: u64) -> Question<'a> {
    Question {
        file,
        layers: &rules.layers,
        compilations: vec![Some(&rules.compilation)],
        mode: None,
        root,
        at,
    }
}

/// Events, where they stand, and what they are played under.
struct Staged<'a> {
    source: &'a Source,
    steps: &'a [Step],
    rules: &'a Rules,
    root: Option<&'a str>,
}

/// Plays the events that were decided on, and watches the one that a failure is about.
fn watch_steps(staged: &Staged<'_>, failure: &Failure, only: Option<u32>) -> Option<Vec<Why>> {
    let Staged { source, steps, rules, root } = *staged;
    let player = play::Player::new(&rules.layers, super::host::host(), &|_| false);
    let outcomes = play::all(player.with_root(root), steps).ok()?;
    let at = failure.at?;
    let is_after = only
        .and_then(|rule| rules.layers.rules().get(rule))
        .is_some_and(|rule| rule.phase == Phase::PostTool);
    let here = (0_u64..).zip(&outcomes).filter(|(_, outcome)| outcome.at == at);
    let mut here = here.map(|(index, _)| index);
    let index = if is_after { here.last() } else { here.next() }?;
    let feed = |sink: &mut dyn Sink| -> Result<(), Problem> {
        for outcome in &outcomes {
            let Some(step) = steps.get(outcome.number) else { continue };
            let number = source.position(step.offset).line;
            if let Some(item) = native::parse(&step.event, number)? {
                sink.item(item);
            }
        }
        Ok(())
    };
    watch(&question(&source.name, rules, root, index), feed).ok()?.whys
}

impl Explained {
    fn shown<'a>(&'a self, whys: &'a [Why], only: Option<u32>) -> Shown<'a> {
        let only = only.map(|rule| self.layers.locate(rule));
        Shown { layers: &self.layers, whys, of_session: None, only, workflow: None }
    }

    /// Returns it for people.
    #[must_use]
    pub fn to_text(&self, terminal: &Terminal) -> String {
        self.parts.iter().map(|(whys, only)| self.shown(whys, *only).to_text(terminal)).collect()
    }

    /// Returns it as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.parts.iter().map(|(whys, only)| self.shown(whys, *only).to_json()).collect()
    }
}
