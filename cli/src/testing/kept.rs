//! What came of tests before, for `--watch`: what no change can have affected is told again, and not run again.

use std::collections::HashMap;
use std::sync::Arc;

use behavior_compiler::SourceProvider;
use behavior_compiler::asked::{Asked, Noting};
use behavior_rule_tests::Rules;

use super::session::{Ran, Session};

/// What came of the last run.
#[derive(Default)]
pub struct Kept {
    /// The config for tests that have no rules near them.
    fallback: Option<String>,
    parts: HashMap<String, Part>,
    /// How many parts of the last run were run, of how many.
    pub counts: (usize, usize),
}

/// The tests of a file, or the examples of rules.
struct Part {
    asked: Vec<Asked>,
    rules: Vec<Arc<Rules>>,
    ran: Vec<Ran>,
    examples: usize,
}

/// A run, with what is kept from the one before.
pub struct Run {
    before: HashMap<String, Part>,
    told: Vec<Told>,
    /// How many tests there were when the part began that is being run, and how many examples among them.
    start: (usize, usize),
    counts: (usize, usize),
}

/// A part of a run, by where its tests stand among all.
struct Told {
    name: String,
    asked: Vec<Asked>,
    rules: Vec<Arc<Rules>>,
    tests: usize,
    examples: usize,
    is_kept: bool,
}

impl Kept {
    /// Begins a run.
    pub fn begin(&mut self, fallback: Option<&str>) -> Run {
        let mut before = std::mem::take(&mut self.parts);
        if self.fallback.as_deref() != fallback {
            before.clear();
        }
        self.fallback = fallback.map(str::to_owned);
        Run { before, told: Vec::new(), start: (0, 0), counts: (0, 0) }
    }

    /// Keeps what came of a run.
    pub fn keep(&mut self, run: Run, session: Session) {
        self.counts = run.counts;
        let mut all = session.ran.into_iter();
        for told in run.told {
            let ran = all.by_ref().take(told.tests).collect();
            let Told { name, asked, rules, examples, is_kept, .. } = told;
            if is_kept {
                self.parts.insert(name, Part { asked, rules, ran, examples });
            }
        }
    }
}

impl Run {
    /// Tells again what came of a part, where everything that it depends on is as it was; whether that was so.
    pub fn tell_again(
        &mut self,
        name: &str,
        provider: &dyn SourceProvider,
        session: &mut Session,
    ) -> bool {
        let known = self.before.remove(name);
        let known = known.filter(|part| part.asked.iter().all(|asked| asked.holds(provider)));
        self.counts.1 += 1;
        let Some(Part { asked, rules, ran, examples }) = known else { return false };
        rules.iter().for_each(|rules| session.coverage.know(rules));
        let tests = ran.len();
        for ran in ran {
            session.coverage.add(&ran.result);
            session.push(ran);
        }
        session.examples += examples;
        let name = name.to_owned();
        self.told.push(Told { name, asked, rules, tests, examples, is_kept: true });
        true
    }

    /// Takes note that a part begins.
    pub fn start(&mut self, provider: &Noting<'_>, session: &Session) {
        // What was asked before is no part's.
        drop(provider.take());
        self.start = (session.ran.len(), session.examples);
        self.counts.0 += 1;
    }

    /// Takes note of what came of a part. `rules` are those that examples stand in; a part of which not everything
    /// could be run is run again in any case.
    pub fn end(
        &mut self,
        name: &str,
        rules: Option<Arc<Rules>>,
        is_whole: bool,
        provider: &Noting<'_>,
        session: &Session,
    ) {
        let (tests, examples) = self.start;
        let ran = session.ran.get(tests..).unwrap_or_default();
        let mut rules: Vec<Arc<Rules>> = rules.into_iter().collect();
        for used in ran.iter().filter_map(|ran| ran.result.rules.as_ref()) {
            if rules.iter().all(|known| !Arc::ptr_eq(known, used)) {
                rules.push(Arc::clone(used));
            }
        }
        let mut asked = provider.take();
        asked.extend(rules.iter().flat_map(|rules| rules.asked.iter().cloned()));
        // The schemas that trace policies name are read while they are looked at.
        let is_told = rules.iter().all(|rules| rules.layers.monitors().is_empty());
        self.told.push(Told {
            name: name.to_owned(),
            asked,
            tests: ran.len(),
            examples: session.examples - examples,
            is_kept: is_whole && is_told && !rules.is_empty(),
            rules,
        });
    }
}
