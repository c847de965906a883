//! `behavior simulate`: recorded sessions through compiled rules. Here: arguments in, reports and
//! exit codes out; the work is done in `run`, each output format is a file of its own.

mod archive;
mod ask;
pub mod compressed;
mod filter;
pub mod gate;
pub mod github;
mod hold;
pub mod input;
pub mod json;
pub mod junit;
pub mod label;
pub mod markdown;
mod pretty;
pub mod progress;
pub mod report;
pub mod run;
pub mod summary;

use behavior_json::plain::{escaped, neutral};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use behavior_compiler::Compilation;
use behavior_runtime::Layers;

use crate::args::{FailOn, SimulateArgs, SimulateFormat};
use crate::models::Choice;
use crate::models::answers::Answers;
use crate::models::price;
use crate::number::{count, number};
use crate::render::one_line;
use crate::screen::Screen;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{ready, rules};
use gate::Gate;
use progress::Progress;
use report::{Report, Silent};
use run::{Settings, run_all};
use summary::Summary;

/// Runs the command.
///
/// # Errors
/// When the rules or a trace cannot be used, or nothing can be printed.
pub fn run(args: &SimulateArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    ready::point_at_warnings(&ready, &args.rules, terminal);
    for compilation in ready.compilations.iter().flatten() {
        warn_of_unknown_conditions(compilation, terminal);
    }
    let found = input::find(&args.traces, args.input_format)?;
    if terminal.verbose {
        for name in &found.skipped {
            let why = input::why_not(name);
            terminal.note(&format!("`{name}` is no trace and was passed over: {why}"));
        }
    }
    let filter = filter::Filter::of(args, &ready.layers)?;
    let choice = Choice { layers: &ready.layers, trusts_project: ready.trusts_project };
    let answers = Answers::of(&args.models, choice, !terminal.quiet)?;
    if let Some(answers) = &answers {
        estimate(answers, &ready.layers, &found.traces, args, terminal)?;
    }
    let size = found.traces.iter().map(|trace| trace.size).sum();
    let is_free = terminal.quiet || !std::io::stdout().is_terminal();
    let job = Job {
        args,
        terminal,
        layers: ready.layers,
        several: found.traces.len() > 1,
        screen: Screen::of_stdout(terminal),
        progress: Progress::new(size, is_free),
        started: Instant::now(),
        filter,
        suites: junit::Suites::default(),
        answers,
    };
    job.run(&found.traces)
}

/// Says how often models would be asked, before the first is, where that is often. Standard input can be read only
/// once.
fn estimate(
    answers: &Answers,
    layers: &Arc<Layers>,
    traces: &[input::Trace],
    args: &SimulateArgs,
    terminal: &Terminal,
) -> Result<(), Failure> {
    const MANY: u64 = 10;
    let can_be_read_twice = traces.iter().all(input::Trace::is_file);
    let Some(counting) = answers.counting() else { return Ok(()) };
    if !can_be_read_twice {
        terminal.note(
            "what is read once tells only as it goes how often models are asked; `--max-calls N` asks no more often than N",
        );
        return Ok(());
    }
    let settings = Settings {
        mode: args.mode.mode,
        live_fs: args.live_fs,
        answers: Some(&counting),
        ..Settings::default()
    };
    let (gate, progress) = (Gate::new(std::io::sink(), None), Progress::new(0, false));
    run_all(layers, traces, settings, &gate, &progress, &|| Box::new(Silent))?;
    let counts = counting.counts();
    answers.expect(args.models.max_calls.map_or(counts.calls, |most| most.min(counts.calls)));
    if counts.calls >= MANY {
        let of = |(brain, calls): &(String, u64)| format!("{} of `{brain}`", count(*calls, "call"));
        let calls = counts.by_brain.iter().map(of).collect::<Vec<_>>().join(" and ");
        let kept = match counts.kept {
            0 => String::new(),
            kept => format!(", besides {} kept from before", count(kept, "answer")),
        };
        let limit = match args.models.max_calls {
            Some(most) if most < counts.calls => format!("{} are made", count(most, "call")),
            _ => "`--max-calls N` asks no more often than N".to_owned(),
        };
        let cost = args.models.price.map(|price| price.of(counts.input_tokens, 0));
        let cost = cost.map(|cost| format!(", which cost {}", price::shown(cost)));
        terminal.note(&format!(
            "{calls} are due{kept}: about {} tokens of questions{}; {limit}",
            number(counts.input_tokens),
            cost.unwrap_or_default()
        ));
    }
    Ok(())
}

/// Standard output, where a progress may stand on the same screen.
struct Beside<'a> {
    answers: Option<&'a Answers>,
}

impl std::io::Write for Beside<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.answers.iter().for_each(|answers| answers.clear());
        std::io::stdout().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stdout().flush()
    }
}

/// A rule that never fires because it holds something unknown is said here too.
fn warn_of_unknown_conditions(compilation: &Compilation, terminal: &Terminal) {
    for message in rules::not_understood(compilation) {
        terminal.note(&format!("{message}; its rule never fires"));
    }
}

/// Rules by their names, for people.
pub fn never_asked(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{}`", one_line(name))).collect();
    format!("never asked: {}", names.join(", "))
}

/// The lines that were not understood, for formats that have no place for them.
fn not_understood(summary: &Summary) -> String {
    let mut text = String::new();
    for line in &summary.problem_lines {
        let (file, message) = (one_line(&line.file), one_line(&line.message));
        text.push_str(&format!("{file}:{}: {message}\n", line.line));
    }
    let more = summary.problems.saturating_sub(summary.problem_lines.len() as u64);
    if more > 0 {
        text.push_str(&format!("and {} more\n", number(more)));
    }
    for hollow in &summary.hollow {
        let (file, message) = (one_line(&hollow.file), one_line(&hollow.message));
        text.push_str(&format!("{file}: no event was found: {message}\n"));
    }
    if let Some(unknown) = summary::unknown_records(&summary.stats) {
        text.push_str(&format!("{unknown} were passed over\n"));
    }
    text
}

/// One run of the command.
struct Job<'a> {
    args: &'a SimulateArgs,
    terminal: &'a Terminal,
    layers: Arc<Layers>,
    several: bool,
    screen: Screen,
    progress: Progress,
    started: Instant,
    filter: filter::Filter,
    suites: junit::Suites,
    answers: Option<Answers>,
}

impl Job<'_> {
    fn run(&self, traces: &[input::Trace]) -> Result<Exit, Failure> {
        let mut stdout = std::io::stdout().lock();
        let head = self.head();
        stdout.write_all(head.as_bytes())?;
        let separator = (self.args.format == SimulateFormat::Json).then_some(json::SEPARATOR);
        drop(stdout);
        let gate = Gate::new(Beside { answers: self.answers.as_ref() }, separator);
        let settings = Settings {
            strict: self.args.strict,
            live_fs: self.args.live_fs,
            mode: self.args.mode.mode,
            answers: self.answers.as_ref(),
        };
        let make_report = || self.report();
        let ran = run_all(&self.layers, traces, settings, &gate, &self.progress, &make_report);
        self.progress.end();
        if let Some(told) =
            self.answers.as_ref().and_then(|all| all.summary(self.args.models.price))
        {
            self.terminal.note(&told);
        }
        let (mut stdout, failed) = gate.into_inner();
        if let Some(error) = failed {
            return Err(Failure::Output(error));
        }
        let summary = ran.inspect_err(|_| {
            // What there is so far is shown; if that fails too, the reason given is still the first.
            let _ = stdout.flush();
        })?;
        self.say_beside(&summary);
        let tail = self.tail(&summary, traces).map_err(std::io::Error::other)?;
        stdout.write_all(tail.as_bytes()).and_then(|()| stdout.flush())?;
        Ok(self.exit_code(&summary))
    }

    /// What formats without a place for it would hide is said on standard error.
    fn say_beside(&self, summary: &Summary) {
        if self.terminal.verbose {
            let unasked = summary.unasked(&self.layers);
            if !unasked.is_empty() {
                self.terminal.note(&format!("{}: no pair or call met them", never_asked(&unasked)));
            }
        }
        let format = self.args.format;
        if format != SimulateFormat::Pretty {
            self.terminal.say(&not_understood(summary));
        }
        let has_place = matches!(
            format,
            SimulateFormat::Pretty | SimulateFormat::Markdown | SimulateFormat::Json
        );
        if self.layers.rules().is_empty() && !self.layers.policy().is_in_force() && !has_place {
            self.terminal.note(summary::NO_RULES);
        }
    }

    /// A line that was not understood may hide any finding, and a recording without events is one
    /// that nothing was found in because nothing was read: neither passes where findings are to fail.
    /// Where no line at all was understood, there was nothing to read; and a native trace with lines
    /// that nobody knows is none of this version, though the rest of it is decided on.
    fn exit_code(&self, summary: &Summary) -> Exit {
        let limit = self.args.fail_on;
        let is_read = summary.problems == 0 && summary.hollow.is_empty();
        let is_bad = !is_read || summary.worst() >= limit;
        let fails = limit != FailOn::None && is_bad;
        let is_unread = summary.problems > 0 && summary.stats.events == 0;
        match (fails, is_unread || summary.native_problems > 0) {
            (true, _) => Exit::Findings,
            (false, true) => Exit::Invalid,
            (false, false) => Exit::Clean,
        }
    }

    fn report(&self) -> Box<dyn Report + '_> {
        let options = json::Options {
            all: self.args.all,
            state: self.args.state,
            file: self.several,
            list: self.args.format == SimulateFormat::Json,
        };
        let layers = || Arc::clone(&self.layers);
        match self.args.format {
            SimulateFormat::Junit => Box::new(junit::JunitReport::new(layers(), &self.suites)),
            _ if self.terminal.quiet => Box::new(Silent),
            SimulateFormat::Markdown => Box::new(Silent),
            SimulateFormat::Github => Box::new(github::GithubReport::new(layers())),
            SimulateFormat::Json | SimulateFormat::Jsonl => {
                Box::new(json::JsonReport::new(&self.layers, options))
            }
            SimulateFormat::Pretty => {
                let all = self.args.all || self.args.state;
                Box::new(pretty::PrettyReport::new(
                    layers(),
                    self.screen,
                    pretty::Shown {
                        all,
                        state: self.args.state,
                        verbose: self.terminal.verbose,
                        filter: self.filter.clone(),
                    },
                ))
            }
        }
    }

    /// What is printed before everything else.
    fn head(&self) -> &'static str {
        match self.args.format {
            SimulateFormat::Json if self.terminal.quiet => "{\"version\":1",
            SimulateFormat::Json => "{\"version\":1,\"decisions\":[\n",
            _ => "",
        }
    }

    /// The document of all files, in their order.
    fn junit(&self, traces: &[input::Trace]) -> String {
        let mut suites = self.suites.lock().unwrap_or_else(PoisonError::into_inner);
        suites.sort_by_key(|(file, _)| traces.iter().position(|trace| trace.name == *file));
        junit::document("behavior", suites.drain(..).map(|(_, suite)| suite))
    }

    /// What is printed in the end.
    fn tail(&self, summary: &Summary, traces: &[input::Trace]) -> serde_json::Result<String> {
        let layers = &self.layers;
        let tail = match self.args.format {
            SimulateFormat::Json => {
                let end = if self.terminal.quiet { "" } else { "\n]" };
                let summary = json::SummaryOutput::new(summary, layers);
                let summary = serde_json::to_string(&summary)?;
                return Ok(format!("{end},\"summary\":{}}}\n", escaped(&summary)));
            }
            SimulateFormat::Github if !self.terminal.quiet => github::undecided(summary, layers),
            SimulateFormat::Jsonl | SimulateFormat::Github => String::new(),
            SimulateFormat::Junit => self.junit(traces),
            SimulateFormat::Markdown => markdown::render(summary, layers),
            SimulateFormat::Pretty => {
                let elapsed = self.terminal.verbose.then(|| self.started.elapsed());
                pretty::summary(summary, layers, &self.screen, self.several, elapsed)
            }
        };
        Ok(neutral(&tail).into_owned())
    }
}
