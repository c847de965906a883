//! Configs and events that several suites share: a small standard library, a config with every
//! condition, a stream of events that reaches all of them.

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_compiler::Options;
use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::trace_policy::TraceRuleKind;
use behavior_runtime::{Image, Replay};
use behavior_stdlib as stdlib;

/// A config with every condition, every placeholder and every kind of state.
pub const EVERYTHING: &str = include_str!("samples/everything.yaml");

/// The rules of the small standard library.
pub const SMALL_LIBRARY: &str = include_str!("samples/library.yaml");

/// Native events that reach every condition of [`EVERYTHING`].
pub const EVENTS: &str = include_str!("samples/events.jsonl");

/// A trace policy with every kind of rule and every operator.
pub const POLICY: &str = include_str!("samples/all.policy.yaml");

/// Native events that reach every rule of [`POLICY`].
pub const EXCHANGES: &str = include_str!("samples/exchanges.jsonl");

/// Files in memory, with a small standard library that compiles in a moment and has no presets.
#[must_use]
pub fn small_provider(files: &[(&str, &str)]) -> WithLibrary<MemoryFiles> {
    let files = files.iter().map(|&(name, text)| (name, text));
    WithLibrary { library: small_file, presets: &[], project: MemoryFiles::new(files) }
}

fn small_file(name: &str) -> Option<&'static str> {
    if name == "rules.yaml" { Some(SMALL_LIBRARY) } else { stdlib::file(name) }
}

/// Files in memory, with a standard library that knows only a few programs.
#[must_use]
pub fn few_programs(files: &[(&str, &str)]) -> WithLibrary<MemoryFiles> {
    let library = |name: &str| match name {
        "programs.yaml" => Some(include_str!("samples/programs.yaml")),
        name => small_file(name),
    };
    let files = files.iter().map(|&(name, text)| (name, text));
    WithLibrary { library, presets: &[], project: MemoryFiles::new(files) }
}

/// Compiles a config that is known to be right.
///
/// # Panics
/// When the config has errors: it is part of a test.
#[must_use]
pub fn image_of(config: &str) -> Image {
    image_of_files(&[("behavior.yaml", config)])
}

/// Compiles rule files that compose and are known to be right.
///
/// # Panics
/// When they have errors: they are part of a test.
#[must_use]
pub fn image_of_files(files: &[(&str, &str)]) -> Image {
    let entries: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let provider = crate::provider(files);
    let compilation = behavior_compiler::compile_all(&provider, &entries, &Options::default());
    let problems: Vec<_> = compilation.diagnostics.iter().map(|d| &d.message).collect();
    compilation.image.unwrap_or_else(|| panic!("{files:?}\n{problems:#?}"))
}

/// An image with a rule of a trace policy of every kind.
///
/// # Panics
/// When an example of the registry has errors.
#[must_use]
pub fn watching_image() -> Image {
    let rules: String = TraceRuleKind::ALL.iter().map(|kind| kind.example).collect();
    let policy = format!("rules:\n{rules}");
    let provider = crate::provider(&[("all.policy.yaml", &policy)]);
    let compilation = behavior_compiler::compile(&provider, "all.policy.yaml");
    compilation.image.unwrap_or_else(|| panic!("{policy}\n{:#?}", compilation.diagnostics))
}

/// Where an image comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// The compiler made it: deciding and explaining must agree.
    ByCompiler,
    /// Somebody changed its tables: it may decide anything, but must not panic.
    ByForger,
}

/// Runs every event of a trace through an image, by every way that there is to ask.
///
/// # Panics
/// When an explanation of an honest image says something else than its decision.
pub fn run_through(image: &std::sync::Arc<Image>, made: Made, trace: &[u8], format: Format) {
    let mut run = Run { replay: Replay::new(image.clone()), made, events: 0 };
    // Reading from memory cannot fail.
    let _ = read(format, &mut &trace[..], &mut run);
}

struct Run {
    replay: Replay,
    made: Made,
    events: usize,
}

impl Sink for Run {
    fn item(&mut self, item: Item<'_>) {
        let explained = self.replay.explain(&item.session, &item.event);
        let decided = self.replay.apply(&item.session, &item.event);
        if self.made == Made::ByCompiler {
            assert_eq!(explained[0].1.decision, decided, "{item:?}");
        }
        self.events += 1;
        if self.events.is_multiple_of(16)
            && let Some(session) = self.replay.session(&item.session)
        {
            let _ = (session.report(), session.snapshot());
        }
    }

    fn problem(&mut self, problem: Problem) {
        assert!(!problem.message.is_empty());
    }

    fn stop(&self) -> bool {
        self.events > 10_000
    }
}

/// Asks everything that can be asked of an image without a session.
pub fn look_at(image: &Image) {
    for (index, rule) in (0u32..).zip(image.rules().iter().collect::<Vec<_>>()) {
        let _ = (image.rules().disassemble(index), image.rules().worst_case_steps(index), rule);
    }
    let _ = (image.sets().count(), image.counters().count(), image.flags().count());
    let _ = (image.thresholds().count(), image.profile(), image.entry(), image.producer());
    let _ = (image.prompt(), image.classifier(), image.sections().count(), image.identity());
    let _ = (image.rules().find("no such rule"), image.brains());
    let _ = image.monitors().iter().count();
}
