//! `behavior simulate`: recorded sessions through compiled rules. Here: arguments in, reports and
//! exit codes out; the work is done in `run`, each output format is a file of its own.

mod gate;
mod github;
mod host;
pub mod input;
pub mod json;
mod junit;
pub mod label;
mod markdown;
mod pretty;
mod progress;
mod report;
mod run;
mod summary;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use behavior_runtime::Image;


use crate::args::{FailOn, OutputArgs, SimulateArgs, SimulateFormat};
use crate::loaded::{self, UNUSABLE, fail};
use crate::terminal::Terminal;
use gate::Gate;
use progress::Progress;
use report::{Report, Silent};
use run::{Settings, Stopped, run_all};
use summary::Summary;

/// Runs the command.
pub fn run(args: &SimulateArgs, output: &OutputArgs) -> ExitCode {
    let loaded = match loaded::load(&args.rules, output) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let found = match input::find(&args.traces, args.input_format) {
        Ok(found) => found,
        Err(message) => return fail(&message),
    };
    if output.verbose {
        for name in &found.skipped {
            eprintln!("note: `{name}` is no trace in a known format and was passed over");
        }
    }
    let size = found.traces.iter().map(|trace| trace.size).sum();
    let is_free = output.quiet || !std::io::stdout().is_terminal();
    let job = Job {
        args,
        output,
        image: loaded.image,
        several: found.traces.len() > 1,
        terminal: Terminal::of_stdout(output.color),
        progress: Progress::new(size, is_free),
        started: Instant::now(),
    };
    match job.run(&found.traces) {
        Ok(code) => code,
        Err(Stopped::Problem { file, problem }) => {
            fail(&format!("{file}:{}: {}", problem.line, problem.message))
        }
        Err(Stopped::Unreadable(message)) => fail(&message),
        // Whoever reads has seen enough.
        Err(Stopped::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Stopped::Output(error)) => {
            eprintln!("error: cannot write the output: {}", crate::project::describe(&error));
            ExitCode::from(UNUSABLE)
        }
    }
}

/// One run of the command.
struct Job<'a> {
    args: &'a SimulateArgs,
    output: &'a OutputArgs,
    image: Arc<Image>,
    several: bool,
    terminal: Terminal,
    progress: Progress,
    started: Instant,
}

impl Job<'_> {
    fn run(&self, traces: &[input::Trace]) -> Result<ExitCode, Stopped> {
        let mut stdout = std::io::stdout().lock();
        let head = self.head();
        stdout.write_all(head.as_bytes()).map_err(Stopped::Output)?;
        let separator = (self.args.format == SimulateFormat::Json).then_some(json::SEPARATOR);
        drop(stdout);
        let gate = Gate::new(std::io::stdout(), separator);
        let settings = Settings { strict: self.args.strict, live_fs: self.args.live_fs };
        let make_report = || self.report();
        let ran = run_all(&self.image, traces, settings, &gate, &self.progress, &make_report);
        self.progress.end();
        let (mut stdout, failed) = gate.into_inner();
        if let Some(error) = failed {
            return Err(Stopped::Output(error));
        }
        let summary = ran.inspect_err(|_| {
            // What there is so far is shown; if that fails too, the reason given is still the first.
            let _ = stdout.flush();
        })?;
        let tail = self.tail(&summary);
        stdout.write_all(tail.as_bytes()).and_then(|()| stdout.flush()).map_err(Stopped::Output)?;
        Ok(self.exit_code(&summary))
    }

    fn exit_code(&self, summary: &Summary) -> ExitCode {
        let limit = self.args.fail_on;
        let fails = limit != FailOn::None && summary.worst(&self.image) >= limit;
        ExitCode::from(u8::from(fails))
    }

    fn report(&self) -> Box<dyn Report + '_> {
        let options = json::Options {
            all: self.args.all,
            state: self.args.state,
            file: self.several,
            list: self.args.format == SimulateFormat::Json,
        };
        let image = || Arc::clone(&self.image);
        match self.args.format {
            SimulateFormat::Junit => Box::new(junit::JunitReport::new(image())),
            _ if self.output.quiet => Box::new(Silent),
            SimulateFormat::Markdown => Box::new(Silent),
            SimulateFormat::Github => Box::new(github::GithubReport::new(image())),
            SimulateFormat::Json | SimulateFormat::Jsonl => {
                Box::new(json::JsonReport::new(&self.image, options))
            }
            SimulateFormat::Pretty => {
                let all = self.args.all || self.args.state;
                Box::new(pretty::PrettyReport::new(image(), self.terminal, all, self.args.state))
            }
        }
    }

    /// What is printed before everything else.
    fn head(&self) -> &'static str {
        match self.args.format {
            SimulateFormat::Json if self.output.quiet => "{\"version\":1",
            SimulateFormat::Json => "{\"version\":1,\"decisions\":[\n",
            SimulateFormat::Junit => junit::HEAD,
            _ => "",
        }
    }

    /// What is printed in the end.
    fn tail(&self, summary: &Summary) -> String {
        let image = &self.image;
        match self.args.format {
            SimulateFormat::Json => {
                let end = if self.output.quiet { "" } else { "\n]" };
                format!("{end},\"summary\":{}}}\n", json::summary(summary, image))
            }
            SimulateFormat::Jsonl | SimulateFormat::Github => String::new(),
            SimulateFormat::Junit => junit::TAIL.to_owned(),
            SimulateFormat::Markdown => markdown::render(summary, image),
            SimulateFormat::Pretty => {
                let elapsed = self.output.verbose.then(|| self.started.elapsed());
                pretty::summary(summary, image, &self.terminal, self.several, elapsed)
            }
        }
    }
}
