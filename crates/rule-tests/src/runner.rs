//! Runs the tests of files, each set of rules compiled once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use behavior_agents::{Item, Problem, Sink};
use behavior_compiler::Options;
use behavior_compiler::provider::SourceProvider;
use behavior_compiler::rule_test::{
    Origin, RuleTest, Step, Suite, folder_of, join, origin, project, steps,
};
use behavior_compiler::source::{FileId, Span};
use behavior_runtime::Host;

use crate::compare::{Seen, compare, unexpected};
use crate::play::{self, Outcome, Player};
use crate::rules::{Key, NoRules, Rules, compile};
use crate::{snapshot, workflows};

/// Makes what answers questions about the world: a test knows of no files but those that its events tell of.
pub type MakeHost = fn() -> Box<dyn Host>;

/// Something that was not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The event, where it is about one.
    pub at: Option<usize>,
    /// What was expected and what was found.
    pub what: String,
    /// The rule that it is about, where it is about one.
    pub rule: Option<String>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at {
            Some(at) => write!(f, "at {at}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// What came of one test.
#[derive(Debug)]
pub struct TestResult {
    /// The file that it stands in.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Where it stands: of a test in its file, of an example among the sources of its rules.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// What was not as expected.
    pub failures: Vec<Failure>,
    /// The rules that fired, by their rows.
    pub fired: Vec<u32>,
    /// The rules, if they compile.
    pub rules: Option<Arc<Rules>>,
    /// The snapshot that the test names: its path, and the text that it should have.
    pub snapshot: Option<(String, String)>,
}

/// A test of a file.
#[derive(Clone, Copy)]
pub struct Test<'s> {
    /// The file.
    pub suite: &'s Suite,
    /// The test.
    pub test: &'s behavior_compiler::decode::Spanned<RuleTest>,
    /// Its place among the tests of the file, from 0.
    pub number: usize,
}

impl Test<'_> {
    /// Returns its name, or what stands for one.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.test.value.name.as_ref();
        name.map_or_else(|| format!("test {}", self.number), |name| name.value.to_string())
    }

    /// Returns the file that it stands in.
    #[must_use]
    pub fn file(&self) -> &str {
        self.suite.sources.get(FileId(0)).map_or("", |source| &source.name)
    }

    /// Whether it says itself which rules it is about.
    fn names_rules(&self) -> bool {
        self.test.value.config.is_some() || self.test.value.rules.is_some()
    }

    /// Returns the root of the repository that its sessions work in, if it says one.
    #[must_use]
    pub fn root(&self) -> Option<&str> {
        self.test.value.root.as_ref().map(|root| &*root.value)
    }

    fn line(&self) -> u32 {
        let source = self.suite.sources.get(FileId(0));
        source.map_or(0, |source| source.position(self.test.span.start).line)
    }

    /// Returns the native events that its entries stand for.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        self.test.value.events.as_deref().map(steps).unwrap_or_default()
    }
}

/// Runs tests, and keeps the rules that it compiled.
pub struct Runner<'p> {
    provider: &'p dyn SourceProvider,
    fallback: Option<String>,
    host: MakeHost,
    /// Rule files in place of those near a test, and how they are compiled.
    instead: Option<(Vec<String>, Options)>,
    /// Whether snapshots are what happens, so that none can fail.
    updates: bool,
    known: HashMap<Key, Result<Arc<Rules>, Arc<NoRules>>>,
    /// The rules for tests that name none, by their file: to find them takes looks at the disk.
    beside: HashMap<String, Result<Arc<Rules>, Arc<NoRules>>>,
}

impl<'p> Runner<'p> {
    /// Begins; `fallback` is the config for tests without rules near them.
    #[must_use]
    pub fn new(provider: &'p dyn SourceProvider, fallback: Option<String>, host: MakeHost) -> Self {
        let (known, beside) = (HashMap::new(), HashMap::new());
        Self { provider, fallback, host, instead: None, updates: false, known, beside }
    }

    /// Takes rule files for tests that name none, whatever lies near them.
    #[must_use]
    pub fn with_rules(mut self, entries: Vec<String>, options: Options) -> Self {
        self.instead = (!entries.is_empty()).then_some((entries, options));
        self
    }

    /// Takes what happens for what snapshots should hold.
    #[must_use]
    pub fn with_updates(mut self, updates: bool) -> Self {
        self.updates = updates;
        self
    }

    /// Returns the options for a rule file: for a project's config, the policies beside it.
    #[must_use]
    pub fn options_beside(provider: &dyn SourceProvider, entry: &str) -> Options {
        match project(provider, entry) {
            Origin::Files { options, .. } => *options,
            Origin::Inline(_) => Options::default(),
        }
    }

    /// Compiles rule files, or takes them from before.
    ///
    /// # Errors
    /// When they do not compile.
    pub fn rules_of(
        &mut self,
        entries: Vec<String>,
        options: Options,
    ) -> Result<Arc<Rules>, Arc<NoRules>> {
        let origin = Origin::Files { entries, named: Vec::new(), options: Box::new(options) };
        let provider = self.provider;
        let compile = || compile(&origin, provider).map(Arc::new).map_err(Arc::new);
        self.known.entry(origin.key("")).or_insert_with(compile).clone()
    }

    /// Returns the rules that a test is about.
    ///
    /// # Errors
    /// When there are none, or they do not compile.
    pub fn rules(&mut self, test: Test<'_>) -> Result<Arc<Rules>, Arc<NoRules>> {
        if test.names_rules() {
            return self.rules_from(test);
        }
        if let Some(known) = self.beside.get(test.file()) {
            return known.clone();
        }
        let found = self.rules_from(test);
        self.beside.insert(test.file().to_owned(), found.clone());
        found
    }

    fn rules_from(&mut self, test: Test<'_>) -> Result<Arc<Rules>, Arc<NoRules>> {
        let origin = self.origin(test)?;
        match self.known.entry(origin.key(folder_of(test.file()))) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(free) => {
                let rules = compile(&origin, self.provider);
                free.insert(rules.map(Arc::new).map_err(Arc::new)).clone()
            }
        }
    }

    /// Returns the rules of a test, with the places where they stand in this very test.
    ///
    /// # Errors
    /// As [`Runner::rules`].
    pub fn own_rules(&self, test: Test<'_>) -> Result<Rules, NoRules> {
        compile(&self.origin(test)?, self.provider)
    }

    fn origin(&self, test: Test<'_>) -> Result<Origin, NoRules> {
        match &self.instead {
            Some((entries, options)) if !test.names_rules() => {
                let (entries, options) = (entries.clone(), Box::new(options.clone()));
                Ok(Origin::Files { entries, named: Vec::new(), options })
            }
            _ => {
                let Some(file) = test.suite.sources.get(FileId(0)) else {
                    return Err(NoRules::Missing("the test file is empty".to_owned()));
                };
                let fallback = self.fallback.as_deref();
                origin(self.provider, file, &test.test.value, fallback).map_err(NoRules::Missing)
            }
        }
    }

    /// Runs a test.
    ///
    /// # Errors
    /// When its rules, its recording or its snapshot cannot be used.
    pub fn run(&mut self, test: Test<'_>) -> Result<TestResult, Arc<NoRules>> {
        let rules = self.rules(test)?;
        let mut result = TestResult {
            file: test.file().to_owned(),
            line: test.line(),
            span: test.test.span,
            name: test.name(),
            failures: Vec::new(),
            fired: Vec::new(),
            rules: Some(Arc::clone(&rules)),
            snapshot: None,
        };
        match self.play(test, &rules)? {
            Ok(outcomes) => self.judge(test, &rules, &outcomes, &mut result)?,
            Err(failure) => result.failures.push(failure),
        }
        Ok(result)
    }

    fn play(
        &self,
        test: Test<'_>,
        rules: &Rules,
    ) -> Result<Result<Vec<Outcome>, Failure>, Arc<NoRules>> {
        let expected = test.test.value.expect.as_deref().unwrap_or_default();
        let keeps_state = |at: usize| {
            expected.iter().any(|one| one.value.state.is_some() && at_of(&one.value) == Some(at))
        };
        let host = (self.host)();
        if let Some(trace) = &test.test.value.trace {
            let player = Player::new(&rules.layers, host, &keeps_state).with_root(test.root());
            let mut player = TracePlayer { player, index: 0 };
            self.feed(test, &trace.value, &mut player)?;
            return Ok(Ok(player.player.finish()));
        }
        let steps = test.steps();
        let outcomes = match steps.iter().any(|step| step.starts_workflow) {
            false => {
                let player = Player::new(&rules.layers, host, &keeps_state);
                play::all(player.with_root(test.root()), &steps)
            }
            true => {
                let player = Player::new(&rules.layers, host, &keeps_state);
                let player = player.with_root(test.root());
                let player = player.with_workflows(workflows::near(self.provider, test.file()));
                play::all(player, &steps)
            }
        };
        Ok(outcomes.map_err(|(at, what)| Failure { at: Some(at), what, rule: None }))
    }

    /// Reads the recording of a test.
    ///
    /// # Errors
    /// When it cannot be read, or is no recording.
    pub fn feed(&self, test: Test<'_>, path: &str, sink: &mut dyn Sink) -> Result<(), NoRules> {
        let unreadable =
            |why: &str| NoRules::Missing(format!("cannot read the recording `{path}`: {why}"));
        let name = join(folder_of(test.file()), path);
        let bytes = self.provider.read(&name).map_err(|error| unreadable(&error.to_string()))?;
        let format =
            behavior_agents::detect(&bytes).ok_or_else(|| unreadable("its format is not known"))?;
        behavior_agents::read(format, &mut bytes.as_slice(), sink)
            .map_err(|error| unreadable(&error.to_string()))?;
        Ok(())
    }

    /// Holds what was decided against what is expected.
    fn judge(
        &self,
        test: Test<'_>,
        rules: &Rules,
        outcomes: &[Outcome],
        result: &mut TestResult,
    ) -> Result<(), NoRules> {
        let layers = &rules.layers;
        let is_exact = test.test.value.exactly == Some(true);
        let failures = &mut result.failures;
        let mut looked_at = Vec::new();
        for expected in test.test.value.expect.iter().flatten() {
            let Some(at) = at_of(&expected.value) else { continue };
            let start = outcomes.partition_point(|outcome| outcome.at < at);
            let here = outcomes.get(start..).unwrap_or_default();
            let here = here.iter().take_while(|outcome| outcome.at == at);
            let mut seen = Seen::default();
            let mut count = 0;
            for outcome in here {
                seen.add(outcome, layers);
                count += 1;
            }
            if count == 0 && test.test.value.trace.is_some() {
                let what = format!("there is no such event: the recording has {}", outcomes.len());
                failures.push(Failure { at: Some(at), what, rule: None });
                continue;
            }
            looked_at.push(at);
            compare(at, &expected.value, is_exact, &seen, layers, failures);
        }
        if is_exact {
            looked_at.sort_unstable();
            for outcome in outcomes.iter().filter(|o| looked_at.binary_search(&o.at).is_err()) {
                let mut seen = Seen::default();
                seen.add(outcome, layers);
                unexpected(outcome.at, &seen.rules, failures);
            }
        }
        result.fired = outcomes.iter().flat_map(|o| &o.decision.findings).map(|f| f.rule).collect();
        self.compare_snapshot(test, rules, outcomes, result)
    }

    fn compare_snapshot(
        &self,
        test: Test<'_>,
        rules: &Rules,
        outcomes: &[Outcome],
        result: &mut TestResult,
    ) -> Result<(), NoRules> {
        let Some(path) = &test.test.value.snapshot else { return Ok(()) };
        let name = join(folder_of(test.file()), &path.value);
        let found = snapshot::text(outcomes, &rules.layers);
        let mut fail = |what: String| result.failures.push(Failure { at: None, what, rule: None });
        match self.provider.read(&name) {
            _ if self.updates => {}
            Ok(bytes) => {
                let expected = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
                if expected != found {
                    fail(snapshot::difference(&expected, &found));
                }
            }
            Err(behavior_compiler::ReadError::NotFound) => {
                fail(format!("there is no snapshot `{}` yet: `--update` writes it", path.value));
            }
            Err(error) => {
                let message = format!("cannot read the snapshot `{}`: {error}", path.value);
                return Err(NoRules::Missing(message));
            }
        }
        result.snapshot = Some((name, found));
        Ok(())
    }
}

fn at_of(expected: &behavior_compiler::rule_test::Expectation) -> Option<usize> {
    expected.at.as_ref().and_then(|at| usize::try_from(at.value.0).ok())
}

/// Plays what a reader of recordings finds.
struct TracePlayer<'k> {
    player: Player<'k>,
    index: usize,
}

impl Sink for TracePlayer<'_> {
    fn item(&mut self, item: Item<'_>) {
        self.player.item(self.index, &item);
        self.index += 1;
    }

    fn problem(&mut self, _problem: Problem) {}
}
