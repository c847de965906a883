//! `behavior doctor --live`: starts agents headless, each in a throw-away place, against a model of our own on 127.0.0.1
//! that asks for two calls, and looks what becomes of them. Nothing of the user's is written, no hook of anybody else is
//! run, and nothing is started that the user was not asked about.

mod http;
mod model;
mod protocol;
mod stage;
mod start;
mod verdict;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use behavior_agents::headless::Headless;
use behavior_agents::hook::Agent;
use behavior_agents::install::Command;
use behavior_agents::portable::LeftOut;

use super::finding::{Finding, Level};
use super::installed::Installed;
use super::trial;
use crate::args::DoctorArgs;
use crate::render::one_line;
use crate::terminal::{Failure, Terminal};
use crate::wiring::{self, Places};
use crate::{interrupt, person, project};
use model::{Model, Script};
use stage::{Canary, Copied, Stage};
use start::Ended;
use verdict::{Facts, Log};

/// How long a program may take to say of which version it is.
const VERSION_TIME: Duration = Duration::from_secs(20);
/// So much of a log is read.
const MAX_LOG: u64 = 4 << 20;

/// What was seen of an agent.
pub struct Seen {
    pub agent: Agent,
    /// The program and its version, where there is one that was or would be started.
    pub program: Option<(PathBuf, String)>,
    pub finding: Finding,
    /// What of its settings was left out of the copy, with the file.
    pub left_out: Vec<(String, LeftOut)>,
}

/// An agent that is ready to be started.
struct Ready {
    agent: Agent,
    headless: &'static Headless,
    program: PathBuf,
    version: String,
    stage: Stage,
    canary: Canary,
    copied: Copied,
}

/// Tries the agents that have the hook. `None` where the user does not want that.
///
/// # Errors
/// When nobody can be asked, or an agent asks, or there is no place to try them in.
pub fn run(
    args: &DoctorArgs,
    installed: &[Installed],
    places: &Places,
    terminal: &Terminal,
) -> Result<Option<Vec<Seen>>, Failure> {
    interrupt::listen_for_hangup();
    let (mut ready, mut seen) = (Vec::new(), Vec::new());
    for agent in agents(installed) {
        match prepared(agent, installed, places)? {
            Ok(one) => ready.push(one),
            Err(one) => seen.push(one),
        }
    }
    if !ready.is_empty() && !agreed(args, &ready, terminal)? {
        return Ok(None);
    }
    for one in ready {
        if interrupt::is_wanted() {
            return Err(interrupted());
        }
        terminal.note(&format!("starting {} {}", one.agent.name(), one.version));
        seen.push(one.tried(Duration::from_secs(args.timeout))?);
    }
    seen.sort_by_key(|one| one.agent.name());
    Ok(Some(seen))
}

/// Refuses where nobody may start agents.
///
/// # Errors
/// Where an agent runs this program, or nobody can be asked and nobody said yes before.
pub fn refuse(args: &DoctorArgs) -> Result<(), Failure> {
    person::refuse_agents("have agents started")?;
    if args.yes || io::stdin().is_terminal() {
        return Ok(());
    }
    let message = "nobody is there to be asked whether agents may be started, so none was: run it at a terminal, or with \
                   `--yes`";
    Err(Failure::Message(message.to_owned()))
}

fn interrupted() -> Failure {
    Failure::Message("broken off: what was started was ended, and its copy removed".to_owned())
}

/// The agents with a hook, each once.
fn agents(installed: &[Installed]) -> Vec<Agent> {
    let mut agents: Vec<Agent> = installed.iter().map(|one| one.agent).collect();
    agents.dedup();
    agents
}

/// Makes an agent ready, or says why it is not started.
fn prepared(
    agent: Agent,
    installed: &[Installed],
    places: &Places,
) -> Result<Result<Ready, Seen>, Failure> {
    let not = |program, left_out, finding| Ok(Err(Seen { agent, program, finding, left_out }));
    let name = agent.name();
    if super::checks::is_switched_off() {
        let message = format!(
            "{name} was not started: `BEHAVIOR=off` is set, so that its hook lets everything run. Take it out"
        );
        return not(None, Vec::new(), Finding::error("not called", message));
    }
    let headless = match agent.headless() {
        Ok(headless) => headless,
        Err(reason) => {
            let message = format!("{name} cannot be tried like this: {reason}");
            return not(None, Vec::new(), Finding { message, ..Finding::good("not possible") });
        }
    };
    // A copy has none of what keeps the hook from being called in the project itself.
    let mut own = installed.iter().filter(|one| one.agent == agent);
    if own.any(|one| one.is_kept_out) {
        let message = format!(
            "{name} was not started, since it does not call the hook here: see to what is said above of that first"
        );
        return not(None, Vec::new(), Finding::error("not called", message));
    }
    let program = wiring::resolve(headless.program).filter(|path| path.is_absolute());
    let Some(program) = program else {
        let message = format!(
            "{name} was not started: there is no program `{}` on your `PATH`. Install it, or put its folder there",
            headless.program
        );
        return not(None, Vec::new(), Finding::error("not started", message));
    };
    let (stage, canary) = (Stage::new()?, Canary::new()?);
    let is_own = |command: &Command| trial::is_own_plainly(agent, command);
    let copied = match stage.set(agent, places, &canary, &is_own) {
        Ok(copied) => copied,
        Err(Failure::Message(reason)) => {
            let message = format!("{name} was not started: {reason}");
            return not(None, Vec::new(), Finding::error("not started", message));
        }
        Err(failure) => return Err(failure),
    };
    if copied.files == 0 {
        let message = format!(
            "{name} was not started: none of its hooks is what `behavior init` writes, and others are not run. `behavior \
             init --agent {name}` sets a plain one"
        );
        return not(None, copied.left_out, Finding::error("not started", message));
    }
    let version = version(&stage, &program);
    Ok(Ok(Ready { agent, headless, program, version, stage, canary, copied }))
}

/// What a program says of its version.
fn version(stage: &Stage, program: &std::path::Path) -> String {
    let ran = start::run(stage.bare(program).arg("--version"), VERSION_TIME);
    let is_one = |line: &&str| line.chars().any(|sign| sign.is_ascii_digit());
    let line = ran.output.lines().rev().find(is_one).unwrap_or("of an unknown version");
    one_line(&line.trim().chars().take(80).collect::<String>())
}

/// Whether the agents may be started.
fn agreed(args: &DoctorArgs, ready: &[Ready], terminal: &Terminal) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    terminal.say("this starts, with nobody at it and against a model of our own on 127.0.0.1:\n");
    for one in ready {
        let (name, version) = (one.agent.name(), &one.version);
        let (program, place) = (one.program.display(), one.stage.root().display());
        terminal.say(&format!("  {name}: {program}, {version}, in {place}\n"));
        for left in left_out(&one.copied.left_out) {
            terminal.say(&format!("    without {left}\n"));
        }
    }
    terminal.say("start? [y/N] ");
    wait_for_answer()?;
    crate::question::is_yes(io::stdin().lock()).map_err(|error| {
        Failure::Message(format!("the answer cannot be read: {}", project::describe(&error)))
    })
}

/// Waits until somebody has typed something: who breaks off instead waits for nothing.
#[cfg(unix)]
fn wait_for_answer() -> Result<(), Failure> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let tick = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    let stdin = io::stdin();
    while !interrupt::is_wanted() {
        let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
        // A signal ends it early.
        if poll(&mut polled, Some(&tick)).is_ok_and(|count| count > 0) {
            return Ok(());
        }
    }
    Err(Failure::Message("broken off: nothing was started".to_owned()))
}

#[cfg(not(unix))]
fn wait_for_answer() -> Result<(), Failure> {
    Ok(())
}

/// What was left out, for people.
pub fn left_out(all: &[(String, LeftOut)]) -> Vec<String> {
    let told = |(file, left): &(String, LeftOut)| match left {
        LeftOut::Hook { event, command } => {
            format!("the hook `{}` ({event} in {file})", one_line(command))
        }
        LeftOut::Setting(name) => format!("the setting `{}` in {file}", one_line(name)),
        LeftOut::File => format!("all of {}", one_line(file)),
    };
    all.iter().map(told).collect()
}

impl Ready {
    /// Starts the agent, and says what became of the two calls.
    fn tried(self, limit: Duration) -> Result<Seen, Failure> {
        let Self { agent, headless, program, version, stage, canary, copied } = self;
        let script = Script {
            commands: [format!("touch {}", canary.twin), format!("touch {}", canary.file)],
            reason: canary.reason.clone(),
        };
        let model = Model::start(headless, script, &canary.token).map_err(|error| {
            let reason = project::describe(&error);
            Failure::Message(format!("no model can be started on 127.0.0.1: {reason}"))
        })?;
        stage.point_at(agent, &model.url)?;
        let ran = start::run(&mut stage.command(agent, &program, &model.url), limit);
        if ran.ended == Ended::Interrupted {
            return Err(interrupted());
        }
        let is_there = |name: &str| stage.project().join(name).exists();
        let facts = Facts {
            agent: agent.name(),
            program: headless.program,
            limit: limit.as_secs(),
            ended: ran.ended,
            output: &ran.output,
            talk: model.talk(),
            twin_ran: is_there(&canary.twin),
            canary_ran: is_there(&canary.file),
            log: Log::read(&stage.logs().map(|path| beginning(&path)).concat()),
        };
        let finding = facts.finding();
        debug_assert!(finding.level != Level::Good || facts.log.has_denial, "it was seen");
        Ok(Seen { agent, program: Some((program, version)), finding, left_out: copied.left_out })
    }
}

/// The beginning of a file, which holds all that is of interest.
fn beginning(path: &std::path::Path) -> String {
    use std::io::Read;
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        let _ = file.take(MAX_LOG).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
