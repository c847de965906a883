//! Runs once what there is to test.

use std::sync::Arc;

use behavior_compiler::asked::Noting;
use behavior_compiler::rule_test::{self, Suite};
use behavior_compiler::source::FileId;
use behavior_compiler::{Options, SourceProvider};
use behavior_rule_tests::{NoRules, Rules, Runner, Test, is_snapshot, of_rules};

use super::host::host;
use super::kept::Kept;
use super::session::{Ran, Session};
use super::{github, json, junit, pretty, why};
use crate::args::{TestArgs, TestFormat};
use crate::atomic;
use crate::report::{Problem, Report, problems};
use crate::rules::is_image;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{files, project, render};

/// What there is to test.
#[derive(Default)]
struct Inputs {
    tests: Vec<String>,
    /// Rule files whose rules may have examples.
    rules: Vec<(Vec<String>, Options)>,
}

/// What is wrong with files, so that nothing can be said of tests in them.
#[derive(Default)]
struct Unfit {
    report: Report,
    messages: Vec<String>,
}

/// Runs what there is to test. What is kept from before and still holds is told again; `kept` has what came of it all
/// then.
///
/// # Errors
/// When there is nothing to test, or the output cannot be written.
pub fn run(args: &TestArgs, kept: &mut Kept, terminal: &Terminal) -> Result<Exit, Failure> {
    let disk = project::provider();
    let provider = Noting::new(&disk);
    let inputs = inputs(args)?;
    let options = Options {
        profile: args.rules.profile.clone(),
        allow_unknown_conditions: args.rules.allow_unknown_conditions,
        ..Options::default()
    };
    let fallback = project::discover();
    let mut ongoing = kept.begin(fallback.as_deref());
    let mut runner = Runner::new(&provider, fallback, host)
        .with_rules(args.rules.config.clone(), options)
        .with_updates(args.update);
    let (mut session, mut unfit) = (Session::default(), Unfit::default());
    for name in &inputs.tests {
        if ongoing.tell_again(name, &disk, &mut session) {
            continue;
        }
        let faults = unfit.count();
        ongoing.start(&provider, &session);
        match rule_test::read(&provider, name) {
            Ok(suite) => {
                run_suite(&suite, &mut runner, &mut session, &mut unfit, args)?;
                if !args.watch {
                    // The process is about to end: to take large trees apart takes longer than to run some tests.
                    std::mem::forget(suite);
                }
            }
            Err(error) => unfit.messages.push(format!("cannot read `{name}`: {error}")),
        }
        ongoing.end(name, None, unfit.count() == faults, &provider, &session);
    }
    for (entries, options) in inputs.rules {
        let name = [&*entries, &options.policies, &options.trace_policies].concat().join("\n");
        if ongoing.tell_again(&name, &disk, &mut session) {
            continue;
        }
        ongoing.start(&provider, &session);
        let rules = run_examples(entries, options, &mut runner, &mut session, &mut unfit);
        ongoing.end(&name, rules, true, &provider, &session);
    }
    unfit.say(terminal);
    terminal.print(&match args.format {
        TestFormat::Pretty => pretty::render(&session, terminal),
        TestFormat::Json => json::render(&session)?,
        TestFormat::Junit => junit::render(&session),
        TestFormat::Github => github::render(&session),
    })?;
    let exit = match () {
        () if unfit.is_any() => Exit::Invalid,
        () if session.failed().next().is_some() => Exit::Findings,
        () => Exit::Clean,
    };
    kept.keep(ongoing, session);
    Ok(exit)
}

fn run_suite(
    suite: &Suite,
    runner: &mut Runner<'_>,
    session: &mut Session,
    unfit: &mut Unfit,
    args: &TestArgs,
) -> Result<(), Failure> {
    if !suite.diagnostics.is_empty() {
        unfit.report.problems.extend(problems_of(suite));
        let is_error = |one: &behavior_compiler::Diagnostic| {
            one.severity == behavior_compiler::Severity::Error
        };
        if suite.diagnostics.iter().any(is_error) {
            return Ok(());
        }
    }
    for (number, test) in suite.tests.iter().enumerate() {
        let test = Test { suite, test, number };
        match runner.run(test) {
            Ok(result) => {
                if let (Some((name, text)), true) = (&result.snapshot, args.update) {
                    write_snapshot(name, text)?;
                }
                session.coverage.add(&result);
                let why = session.explains(&result).then(|| why::of_test(test, &result, runner));
                let why = why.flatten();
                session.push(Ran { result, why });
            }
            Err(no_rules) => unfit.add(&no_rules, Some(test)),
        }
    }
    Ok(())
}

fn run_examples(
    entries: Vec<String>,
    options: Options,
    runner: &mut Runner<'_>,
    session: &mut Session,
    unfit: &mut Unfit,
) -> Option<Arc<Rules>> {
    let rules: Arc<Rules> = match runner.rules_of(entries, options) {
        Ok(rules) => rules,
        Err(no_rules) => {
            unfit.add(&no_rules, None);
            return None;
        }
    };
    session.coverage.know(&rules);
    for result in of_rules(&rules, host) {
        session.coverage.add(&result);
        session.examples += 1;
        let why = session.explains(&result).then(|| why::of_example(&result)).flatten();
        session.push(Ran { result, why });
    }
    Some(rules)
}

/// Writes a snapshot where it is not what it should be, and over nothing else.
fn write_snapshot(name: &str, text: &str) -> Result<(), Failure> {
    match std::fs::read(name) {
        Ok(known) if known == text.as_bytes() => return Ok(()),
        Ok(known) if !is_snapshot(&String::from_utf8_lossy(&known)) => {
            return Err(Failure::Message(format!(
                "`{name}` is there and is no snapshot: name another file, or take it away"
            )));
        }
        _ => {}
    }
    if std::fs::symlink_metadata(name).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(Failure::Message(format!(
            "`{name}` is a link: a snapshot is written into a file of its own"
        )));
    }
    let failed = |error: std::io::Error| {
        Failure::Message(format!("cannot write `{name}`: {}", project::describe(&error)))
    };
    if let Some(folder) = std::path::Path::new(name).parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    atomic::write_inside(std::path::Path::new(name), text.as_bytes()).map_err(failed)
}

fn problems_of(suite: &Suite) -> Vec<Problem> {
    let compilation = behavior_compiler::Compilation {
        image: None,
        program: behavior_compiler::ir::Program::default(),
        diagnostics: suite.diagnostics.clone(),
        sources: suite.sources.clone(),
        documents: Vec::new(),
        loosening: Vec::new(),
    };
    problems(&compilation)
}

impl Unfit {
    fn is_any(&self) -> bool {
        self.report.counts().errors > 0 || !self.messages.is_empty()
    }

    /// How much is wrong.
    fn count(&self) -> usize {
        self.report.problems.len() + self.messages.len()
    }

    /// Adds why there are no rules for a test, or at all.
    fn add(&mut self, no_rules: &NoRules, test: Option<Test<'_>>) {
        match no_rules {
            NoRules::Broken(compilation) => {
                let mut found = problems(compilation);
                found.retain(|problem| problem.severity == behavior_compiler::Severity::Error);
                self.report.problems.extend(found);
            }
            NoRules::Missing(why) => {
                let place = test.and_then(|test| {
                    let source = test.suite.sources.get(FileId(0))?;
                    let line = source.position(test.test.span.start).line;
                    Some(format!("{}:{line}: ", source.name))
                });
                self.messages.push(format!("{}{why}", place.unwrap_or_default()));
            }
        }
    }

    fn say(&mut self, terminal: &Terminal) {
        if !self.report.problems.is_empty() {
            self.report.sort();
            let text = render::pretty::render(&self.report, terminal.error_color, terminal.quiet);
            terminal.say(&text);
        }
        self.messages.iter().for_each(|message| terminal.error(message));
    }
}

fn inputs(args: &TestArgs) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::default();
    for path in &args.paths {
        inputs.add(path)?;
    }
    if !args.paths.is_empty() {
        return Ok(inputs);
    }
    let found = args.rules.find();
    let is_nothing = found.is_nothing();
    if !is_nothing {
        for files in &found.layers {
            if let Some(image) = files.entries.iter().find(|entry| is_image(entry)) {
                return Err(of_image(image));
            }
            if files.files().next().is_some() {
                inputs.rules.push((files.entries.clone(), args.rules.options(files)));
            }
        }
    }
    let projects = project::projects();
    let root = projects.first().map_or("", |files| &files.folder);
    inputs.tests = files::in_directory(root).tests;
    if is_nothing && inputs.tests.is_empty() {
        let message = "nothing to test: there is no `behavior.yaml` here or in a directory above, and no file \
                       `*.test.yaml` with a list `tests` of events and what is expected of them; `behavior test --from-trace TRACE --at N` prints a test to start from";
        return Err(Failure::Message(message.to_owned()));
    }
    Ok(inputs)
}

fn of_image(path: &str) -> Failure {
    let message =
        format!("`{path}` is a compiled image, which has no examples: name the rule files");
    Failure::Message(message)
}

impl Inputs {
    fn add(&mut self, path: &str) -> Result<(), Failure> {
        if std::path::Path::new(path).is_dir() {
            let found = files::in_directory(path);
            if found.tests.is_empty() && found.configs.is_empty() {
                let message = format!("there are no rule tests and no rule files in `{path}`");
                return Err(Failure::Message(message));
            }
            self.tests.extend(found.tests);
            for config in found.configs {
                self.rules.push((
                    vec![config.clone()],
                    Runner::options_beside(&project::provider(), &config),
                ));
            }
            return Ok(());
        }
        if is_image(path) {
            return Err(of_image(path));
        }
        let bytes = project::provider()
            .read(path)
            .map_err(|error| Failure::Message(format!("cannot read `{path}`: {error}")))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) if !rule_test::is_test_file(path, text) && !is_called_test(path) => {
                let options = Runner::options_beside(&project::provider(), path);
                self.rules.push((vec![path.to_owned()], options));
            }
            _ => self.tests.push(path.to_owned()),
        }
        Ok(())
    }
}

fn is_called_test(path: &str) -> bool {
    [".test.yaml", ".test.yml", ".test.json"].iter().any(|ending| path.ends_with(ending))
}
