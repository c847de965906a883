//! `behavior check`: what is wrong with rule files. Every file given is compiled on its own, so that
//! also a profile that nothing uses is looked at.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use behavior_compiler::project::{self as project_files, LookedAt};
use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_compiler::{Compilation, Options, SourceProvider};
use behavior_runtime::Layer;

use crate::args::{CheckArgs, CheckFormat, Deny};
use crate::project::LayerFiles;
use crate::rules::is_image;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{
    ended, files, fix, models, neighbours, project, ready, render, report, rules, tools, workflow,
};

/// Rule files that are compiled together.
#[derive(Default)]
struct Entry {
    files: project_files::Entry,
    /// The layer that they are, where discovery found it.
    layer: Option<LayerFiles>,
}

/// What there is to check, and whether something of it could not be read.
#[derive(Default)]
struct Inputs {
    entries: Vec<Entry>,
    is_incomplete: bool,
    /// The profile that files which are named are looked at with.
    profile: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When there is nothing to check, or the output cannot be written.
pub fn run(args: &CheckArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let tools = args.tools.as_deref().map(tools::named).transpose()?;
    let options = Options {
        allow_unknown_conditions: args.rules.allow_unknown_conditions,
        only_problems: true,
        tools,
        agents: workflow::users_agents().into_iter().collect(),
        agent: args.agent.map(|agent| behavior_compiler::Agent {
            name: agent.name().to_owned(),
            can: agent.abilities(),
            tools: tools::of(agent),
        }),
        has_default_brain: Some(models::has_default_brain()),
        ..Options::default()
    };
    let inputs = inputs(args, terminal)?;
    if inputs.entries.is_empty() {
        return Ok(Exit::Invalid);
    }
    if args.fix || args.unsafe_fixes || args.diff {
        let disk = project::provider();
        let check_once = |provider: &dyn SourceProvider| {
            let mut compile = |entry: &Entry, _: &[Entry], options: OptionsOf<'_>| {
                behavior_compiler::check(provider, &entry.files.paths, &options(entry))
            };
            check(&mut compile, &inputs.entries, &options, None)
        };
        let fixed = fix::run(&disk, args.unsafe_fixes, &check_once);
        if args.diff {
            terminal.print(&fixed.diff(terminal))?;
            let exit = if fixed.is_empty() { Exit::Clean } else { Exit::Findings };
            return Ok(if inputs.is_incomplete { Exit::Invalid } else { exit });
        }
        fixed.write(terminal)?;
    }
    let (disk, mut ahead) = (project::provider(), Ahead::default());
    let mut compile = |entry: &Entry, behind: &[Entry], options: OptionsOf<'_>| {
        ahead.next(&disk, entry, behind, options)
    };
    let mut report = check(&mut compile, &inputs.entries, &options, Some(terminal));
    if args.format == CheckFormat::Json {
        behavior_compiler::witness::show(&disk, &mut report.problems);
    }
    terminal.print(&match args.format {
        CheckFormat::Pretty => render::pretty::render(&report, terminal.color, terminal.quiet),
        CheckFormat::Concise if terminal.quiet => format!("{}\n", report.summary()),
        CheckFormat::Concise => render::concise::render(&report),
        CheckFormat::Json => render::json::render(&report)?,
        CheckFormat::Sarif => render::sarif::render(&report)?,
        CheckFormat::Github => render::github::render(&report),
        CheckFormat::Gitlab => render::gitlab::render(&report)?,
        CheckFormat::Junit => render::junit::render(&report),
    })?;
    Ok(exit(&report, args.deny, inputs.is_incomplete))
}

fn exit(report: &report::Report, deny: Option<Deny>, is_incomplete: bool) -> Exit {
    let counts = report.counts();
    let fails = counts.errors > 0 || deny == Some(Deny::Warnings) && counts.warnings > 0;
    match (report.has_internal(), is_incomplete, fails) {
        (true, _, _) => Exit::Bug,
        (_, true, _) => Exit::Invalid,
        (_, _, true) => Exit::Findings,
        _ => Exit::Clean,
    }
}

/// Checks what there is. Without a terminal nothing is said of it.
fn check(
    compile: Compile<'_>,
    entries: &[Entry],
    options: &Options,
    terminal: Option<&Terminal>,
) -> report::Report {
    let mut report = report::Report::default();
    let mut looked_at = LookedAt::default();
    let mut named = models::NamedModels::default();
    // What files say that were named one by one, each for itself.
    let mut asked = BTreeSet::new();
    let mut kept_bytes = 0;
    for (at, entry) in entries.iter().enumerate() {
        // A model that a more trusted layer names is one to ask.
        let names_a_brain = named.names_a_brain();
        let options_of = |entry: &Entry| {
            let mut options = entry.files.options(options);
            options.has_default_brain =
                options.has_default_brain.map(|has_one| has_one || names_a_brain);
            options
        };
        let behind = entries.get(at + 1..).unwrap_or_default();
        let compilation = compile(entry, behind, &options_of);
        match &entry.layer {
            Some(files) => named.note(files.layer, &compilation.program),
            None => {
                let mut of_file = models::NamedModels::default();
                of_file.note(Layer::Project, &compilation.program);
                asked.extend(of_file.in_words());
            }
        }
        if let (Some(files), Some(terminal)) = (&entry.layer, terminal) {
            ready::waits(&rules::waiting(files, &compilation), terminal);
        }
        let told = looked_at.note(&entry.files, project_files::read_by(&compilation));
        let problems = report::problems(&compilation).into_iter();
        report.problems.extend(problems.filter(|problem| told.includes(problem)));
        if let Some(terminal) = terminal {
            ended::note(&compilation, terminal);
        }
        if let Some(terminal) = terminal.filter(|terminal| terminal.verbose && !terminal.quiet) {
            note_documents(&compilation, terminal);
        }
        // The process is about to end: to take the trees of large files apart takes longer than a lint. Fixes check again.
        let sources = compilation.sources.iter().map(|(_, source)| source);
        let own = sources.filter(|source| !source.name.starts_with(LIBRARY_PREFIX));
        kept_bytes += own.map(|source| source.text.len()).sum::<usize>();
        if terminal.is_some() && (behind.is_empty() || kept_bytes < MAX_KEPT_BYTES) {
            std::mem::forget(compilation);
        }
    }
    if let Some(terminal) = terminal.filter(|terminal| !terminal.quiet) {
        asked.extend(named.in_words());
        asked.iter().for_each(|line| terminal.note(line));
    }
    report.files = looked_at.len();
    report.sort();
    report
}

/// What an entry is compiled with.
type OptionsOf<'o> = &'o (dyn Fn(&Entry) -> Options + Sync);

/// Compiles an entry; those behind it come next.
type Compile<'c> = &'c mut dyn FnMut(&Entry, &[Entry], OptionsOf<'_>) -> Compilation;

/// Entries that were compiled before it was their turn, as many at a time as there are cores.
#[derive(Default)]
struct Ahead(VecDeque<Compilation>);

impl Ahead {
    /// What becomes of an entry. Those right behind it are compiled beside it as long as they belong to no layer: what
    /// such files say has no say in what is said of others.
    fn next(
        &mut self,
        provider: &(dyn SourceProvider + Sync),
        first: &Entry,
        behind: &[Entry],
        options: OptionsOf<'_>,
    ) -> Compilation {
        let compile =
            |entry: &Entry| behavior_compiler::check(provider, &entry.files.paths, &options(entry));
        if self.0.is_empty() {
            let beside = beside(first, behind);
            let batch: Vec<&Entry> = std::iter::once(first).chain(beside).collect();
            self.0.extend(on_all_cores(&batch, &compile));
        }
        // What fails in a thread fails here, too, and says so.
        self.0.pop_front().unwrap_or_else(|| compile(first))
    }
}

/// The entries behind one that are compiled beside it: so many small ones that no core waits long for another.
fn beside<'e>(first: &Entry, behind: &'e [Entry]) -> impl Iterator<Item = &'e Entry> {
    let is_alone = first.layer.is_none();
    let mut bytes = size(first);
    behind.iter().take_while(move |entry| {
        let goes_on = is_alone && entry.layer.is_none() && bytes < MAX_BATCH_BYTES;
        bytes += size(entry);
        goes_on
    })
}

/// How large the files of an entry are, in bytes.
fn size(entry: &Entry) -> u64 {
    let sizes = entry.files.paths.iter().map(|path| std::fs::metadata(path).map(|it| it.len()));
    sizes.map(Result::unwrap_or_default).sum()
}

/// Compiles entries, each on the core that is free next. What comes behind one that fails is left out.
fn on_all_cores(
    entries: &[&Entry],
    compile: &(dyn Fn(&Entry) -> Compilation + Sync),
) -> Vec<Compilation> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (next, slots) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(entry) = entries.get(at) else { break };
        let compilation = compile(entry);
        slots.lock().unwrap_or_else(PoisonError::into_inner).push((at, compilation));
    };
    std::thread::scope(|scope| {
        // Where no thread is to be had, the others do more.
        let start = |_| {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).ok()
        };
        let threads: Vec<_> =
            (1..cores.min(MAX_CORES).min(entries.len())).map_while(start).collect();
        work();
        // What one failed at is compiled when its turn comes.
        threads.into_iter().for_each(|thread| _ = thread.join());
    });
    let mut done = slots.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    let in_order = done.into_iter().enumerate().take_while(|(index, (at, _))| index == at);
    in_order.map(|(_, (_, compilation))| compilation).collect()
}

/// So many bytes of rule files are compiled before the first of them is told of: a large one alone, small ones together.
const MAX_BATCH_BYTES: u64 = 512 << 10;

/// The trees of so many bytes of rule files are not taken apart.
const MAX_KEPT_BYTES: usize = 2 << 20;

/// More cores than this are not used: files are read from one disk.
const MAX_CORES: usize = 8;

/// The stack of a thread that compiles, as large as that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// Tells what the files that a compilation read were taken as.
fn note_documents(compilation: &Compilation, terminal: &Terminal) {
    for document in &compilation.documents {
        let Some(source) = compilation.sources.get(document.file) else { continue };
        if !source.name.starts_with(LIBRARY_PREFIX) {
            let kind = document.kind.describe();
            terminal.note(&format!("`{}` was taken as {kind}", source.name));
        }
    }
}

fn inputs(args: &CheckArgs, terminal: &Terminal) -> Result<Inputs, Failure> {
    let profile = args.rules.profile.clone();
    let mut inputs = Inputs { profile, ..Inputs::default() };
    let directories = args.paths.iter().map(Path::new).filter(|path| path.is_dir());
    let notes = match (args.paths.is_empty(), args.rules.config.is_empty()) {
        (true, true) => neighbours::passed_over(),
        _ => directories.flat_map(neighbours::of_directory).collect(),
    };
    notes.iter().for_each(|note| terminal.note(note));
    if !args.rules.config.is_empty() {
        inputs.add(args.rules.config.clone(), false, terminal);
    }
    for path in &args.paths {
        if Path::new(path).is_dir() {
            inputs.add_directory(path, terminal);
        } else {
            inputs.add(vec![path.clone()], false, terminal);
        }
    }
    if !args.paths.is_empty() || !args.rules.config.is_empty() {
        return Ok(inputs);
    }
    let found = args.rules.find();
    let workflows = workflow::Workspace::find().rule_files();
    let projects = project::projects();
    let rest = files::in_directory(projects.first().map_or("", |files| &files.folder));
    if found.is_nothing() && workflows.is_empty() && rest.is_nothing() {
        let message = "nothing to check: there is no `behavior.yaml` here or in a directory \
                       above; name the files, or start one with \
                       `behavior profiles dev --as-yaml > behavior.yaml`";
        return Err(Failure::Message(message.to_owned()));
    }
    if !found.is_nothing() {
        for files in found.layers {
            inputs.add_layer(files, terminal);
        }
    }
    for file in workflows {
        inputs.add(vec![file], false, terminal);
    }
    // Nothing that lies there takes part in what holds here; it is looked at as an editor looks at what is open.
    inputs.add_found(rest, terminal);
    Ok(inputs)
}

impl Inputs {
    /// Adds the files of a layer, and the profiles beside its config, be they used or not.
    fn add_layer(&mut self, files: LayerFiles, terminal: &Terminal) {
        let LayerFiles { layer, entries, policies, trace_policies, profile, .. } = files.clone();
        let config = entries.first().filter(|_| layer == Layer::Project);
        let profiles = config.map(|config| files::profiles_beside(config)).unwrap_or_default();
        let folder = config.map(|config| project_files::folder_of(config));
        let tests = folder.map(|folder| project_files::tests_in(&project::Disk, folder));
        let unreadable = entries.iter().find_map(|entry| files::unreadable(entry));
        if let Some(problem) = unreadable {
            terminal.error(&problem);
            self.is_incomplete = true;
            return;
        }
        let is_found = false;
        let (paths, layer) = (entries, Some(files));
        let files = project_files::Entry { paths, policies, trace_policies, profile, is_found };
        self.entries.push(Entry { files, layer });
        for path in profiles.into_iter().chain(tests.unwrap_or_default()) {
            self.add(vec![path], true, terminal);
        }
    }

    fn add(&mut self, paths: Vec<String>, is_found: bool, terminal: &Terminal) {
        self.add_with(paths, Vec::new(), is_found, terminal);
    }

    fn add_with(
        &mut self,
        paths: Vec<String>,
        trace_policies: Vec<String>,
        is_found: bool,
        terminal: &Terminal,
    ) {
        let mut readable = Vec::new();
        for path in paths {
            let problem = if is_image(&path) {
                Some(format!(
                    "`{path}` is a compiled image: check the rule files that it was made of"
                ))
            } else {
                files::unreadable(&path)
            };
            match problem {
                Some(problem) => {
                    terminal.error(&problem);
                    self.is_incomplete = true;
                }
                None => readable.push(path),
            }
        }
        let is_known = self.entries.iter().any(|entry| entry.files.paths == readable);
        if !readable.is_empty() && !is_known {
            let profile = self.profile.clone();
            let (paths, nothing) = (readable, project_files::Entry::default());
            let files =
                project_files::Entry { paths, trace_policies, is_found, profile, ..nothing };
            self.entries.push(Entry { files, layer: None });
        }
    }

    fn add_directory(&mut self, directory: &str, terminal: &Terminal) {
        let found = files::in_directory(directory);
        if found.is_nothing() {
            terminal.error(&format!(
                "there are no rule files in `{directory}`: they are called `behavior.yaml`, \
                 `app.yaml`, `behavior/NAME.yaml`, `behavior/policy.toml` or \
                 `templates/workflows/NAME.yaml`; name others one by one"
            ));
            self.is_incomplete = true;
        }
        self.add_found(found, terminal);
    }

    /// Adds the files of a folder and below that no layer has, those of a project together.
    fn add_found(&mut self, mut found: files::Found, terminal: &Terminal) {
        let layers = self.entries.iter().filter_map(|entry| entry.layer.as_ref());
        let files = layers.flat_map(LayerFiles::files);
        let found_before = self.entries.iter().filter(|entry| entry.files.is_found);
        let files = files.chain(found_before.flat_map(|entry| &entry.files.paths));
        // From a folder below, what lies there has a longer name, too.
        let known: BTreeSet<PathBuf> = files.map(|path| files::real(path)).collect();
        found.retain(|path| !known.contains(&files::real(path)));
        for config in found.configs {
            // A project's policy holds together with its config, which may tell of programs.
            let own = project::policy_beside(&config);
            let own = own.filter(|_| config.ends_with("behavior.yaml"));
            let own = found.policies.extract_if(.., |policy| own.as_ref() == Some(policy));
            let folder = format!("{}behavior/", project_files::folder_of(&config));
            let is_own = |policy: &&String| {
                policy.rsplit_once('/').is_some_and(|(it, _)| {
                    config.ends_with("behavior.yaml") && it == folder.trim_end_matches('/')
                })
            };
            // Those of a project hold with its config, which has the state that they ask for.
            let trace_policies: Vec<String> =
                found.trace_policies.iter().filter(is_own).cloned().collect();
            found.trace_policies.retain(|policy| !trace_policies.contains(policy));
            let paths = std::iter::once(config).chain(own).collect();
            self.add_with(paths, trace_policies, true, terminal);
        }
        let policies = found.policies.into_iter().chain(found.trace_policies);
        let others = found.profiles.into_iter().chain(policies).chain(found.workflows);
        for path in others.chain(found.tests) {
            self.add(vec![path], true, terminal);
        }
    }
}
