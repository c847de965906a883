//! Tries a hook: runs this program as its command would, with events like its agent's, in a state directory of
//! its own, and tells what the agent would make of the answers.
//!
//! Settings may come with a repository from a stranger. Nothing that they name is run: not their program, not
//! through a shell. A command that is not just what `init` writes is told, and not tried.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use behavior_agents::hook::{Agent, Answer};
use behavior_agents::install::{Command, hook_words, own_words};
use behavior_agents::probe::{Outcome, Probe};

use behavior_runtime::Verdict;

use super::finding::{Finding, Level};
use crate::private_folder::{FolderError, PrivateFolder};
use crate::render::one_line;
use crate::rules::{self, Rules};
use crate::terminal::Failure;
use crate::{project, wiring};

/// Commands that rules are likely to be against. They are told to the hook and never run.
const DESTRUCTIVE: [&str; 2] = ["rm -rf /", "git push --force origin main"];
/// A hook that takes longer does not work: agents stop waiting, too.
const MAX_TIME: Duration = Duration::from_secs(12);
/// So often the time is measured.
const RUNS: usize = 5;
/// More than this of an answer is not read.
const MAX_OUTPUT: u64 = 1 << 20;

/// Where hooks are tried.
pub struct Lab {
    /// The state that the hooks have.
    state: PrivateFolder,
    project: PathBuf,
}

/// What came of trying a hook.
pub struct Trial {
    /// Whether the program is the one that runs now.
    pub program: Finding,
    /// Whether it answers a harmless call.
    pub fires: Finding,
    /// Whether it stops a destructive one.
    pub blocks: Finding,
    /// Whether it stops what it does not understand.
    pub fails_closed: Finding,
    /// How long a harmless call takes: the median of some.
    pub median: Option<Duration>,
}

/// What a run came to.
struct Ran {
    outcome: Outcome,
    exit_code: u8,
    took: Duration,
}

/// Why a hook cannot be tried, or what kept it from answering.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// There is no place for its state.
    #[error("hooks cannot be tried: {0}")]
    NoPlace(#[from] FolderError),
    /// The program does not start.
    #[error("it cannot be run: {}", project::describe(.0))]
    NotRun(std::io::Error),
    /// It took too long.
    #[error("no answer within {} s", MAX_TIME.as_secs())]
    NoAnswer,
    /// A signal ended it.
    #[error("it was ended: {0}")]
    Ended(std::process::ExitStatus),
}

impl From<TrialError> for Failure {
    fn from(reason: TrialError) -> Self {
        Failure::Message(reason.to_string())
    }
}

impl Lab {
    /// A place among the system's temporary files.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(project: &Path) -> Result<Self, TrialError> {
        let state = PrivateFolder::new("behavior-doctor")?;
        Ok(Self { state, project: project.to_owned() })
    }

    /// Tries a hook.
    pub fn try_out(&self, agent: Agent, command: &Command) -> Trial {
        let Some(arguments) = own_arguments(agent, command) else { return Trial::foreign(command) };
        let program = program_finding(agent, command);
        if program.level != Level::Good {
            return Trial::untried(program);
        }
        let run = |probe, number: usize| self.run(agent, &arguments, probe, number);
        let mut runs = Vec::new();
        for number in 0..RUNS {
            runs.push(run(Probe::Harmless, number));
            // What does not work once is not tried again and again.
            if !matches!(runs.last(), Some(Ok(_))) {
                break;
            }
        }
        let mut times: Vec<Duration> = runs.iter().flatten().map(|ran| ran.took).collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied();
        let fires = fires(runs.into_iter().next_back());
        if fires.level == Level::Error {
            let untried = || Finding::error("no", String::new());
            return Trial { program, fires, blocks: untried(), fails_closed: untried(), median };
        }
        let mut destructive = DESTRUCTIVE.iter().zip(RUNS..);
        let mut blocks = Finding::good("yes");
        for (line, number) in &mut destructive {
            blocks = blocking(run(Probe::Command(line), number));
            if blocks.level != Level::Warning {
                break;
            }
        }
        let fails_closed =
            closed(run(Probe::Malformed, RUNS + DESTRUCTIVE.len()), is_asked_for(agent, command));
        Trial { program, fires, blocks, fails_closed, median }
    }

    /// Runs this program with the arguments that the agent gives it.
    fn run(
        &self,
        agent: Agent,
        arguments: &[String],
        probe: Probe<'_>,
        number: usize,
    ) -> Result<Ran, TrialError> {
        let session = format!("behavior-doctor-{}-{number}", std::process::id());
        let cwd = project::display(&self.project);
        let payload = agent.probe(probe, &session, &cwd);
        let mut process = Process::new(std::env::current_exe().map_err(TrialError::NotRun)?);
        process
            .args(arguments)
            .current_dir(&self.project)
            .env("BEHAVIOR_STATE_DIR", self.state.path());
        if let Some(name) = agent.project_variable() {
            process.env(name, &self.project);
        }
        let started = Instant::now();
        let answer = answer(&mut process, &payload)?;
        let (took, exit_code) = (started.elapsed(), answer.exit_code);
        Ok(Ran { outcome: agent.outcome(&answer), exit_code, took })
    }
}

impl Trial {
    /// What is said of a command that is none of ours.
    fn foreign(command: &Command) -> Self {
        let words = match command {
            Command::Shell(line) => line.clone(),
            Command::Program(words) => words.join(" "),
        };
        let message = format!(
            "`{}` is not what `behavior init` writes, so it was not run: look at it, or let `behavior init \
             --uninstall` and `behavior init` put a plain one in",
            one_line(&words)
        );
        Self::untried(Finding::warning("unknown", message))
    }

    /// What is said of a hook that was not run, for what was found of its program.
    fn untried(program: Finding) -> Self {
        let unknown = || Finding::warning("unknown", String::new());
        let (fires, blocks, fails_closed) = (unknown(), unknown(), unknown());
        Self { program, fires, blocks, fails_closed, median: None }
    }
}

/// Whether a command runs this very program, named by a plain path or name, and nothing else.
pub fn is_own_plainly(agent: Agent, command: &Command) -> bool {
    own_arguments(agent, command).is_some() && program_finding(agent, command).word == "same"
}

/// The arguments that a command gives our program, if it is just what `init` writes.
fn own_arguments(agent: Agent, command: &Command) -> Option<Vec<String>> {
    let words = own_words(agent, command)?;
    let arguments = words.get(1..)?;
    crate::hook::parse(arguments)?;
    Some(arguments.to_vec())
}

/// Whether the settings run this very program.
fn program_finding(agent: Agent, command: &Command) -> Finding {
    let words = command.words();
    let name = hook_words(agent, &words).and_then(<[String]>::first);
    let Some(name) = name else { return Finding::good("same") };
    // What the shell makes of it only the shell knows.
    if name.contains(['$', '~', '`']) {
        return Finding::good("unknown");
    }
    let Some(path) = wiring::resolve(name) else {
        let message = format!(
            "there is no program `{name}`; `behavior init --uninstall` and `behavior init` put this \
             one in"
        );
        return Finding::error("none", message);
    };
    match std::env::current_exe() {
        Ok(own) if !wiring::is_same(&path, &own) => Finding::warning(
            "another",
            format!(
                "it runs `{}`, and this is `{}`; `behavior init` changes that",
                path.display(),
                own.display()
            ),
        ),
        _ => Finding::good("same"),
    }
}

fn fires(ran: Option<Result<Ran, TrialError>>) -> Finding {
    let failed = |reason: &str| {
        Finding::error(
            "no",
            format!("it gives no answer, and the agent does as it likes: {reason}"),
        )
    };
    match ran {
        None => failed("it was not run"),
        Some(Err(error)) => failed(&error.to_string()),
        Some(Ok(ran)) => match ran.outcome {
            Outcome::Ignores(reason) => failed(&reason),
            Outcome::Refuses(reason) if ran.exit_code != 0 => Finding::error(
                "no",
                format!("it fails, and nothing is allowed: {}", brief(&reason)),
            ),
            Outcome::Refuses(reason) | Outcome::Asks(reason) => Finding::warning(
                "yes",
                format!("even a harmless call is not simply allowed: {}", brief(&reason)),
            ),
            Outcome::Runs => Finding::good("yes"),
        },
    }
}

fn blocking(ran: Result<Ran, TrialError>) -> Finding {
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return Finding::error("no", error.to_string()),
    };
    match ran.outcome {
        Outcome::Ignores(reason) => Finding::error("no", reason),
        Outcome::Refuses(reason) if ran.exit_code != 0 => {
            Finding::error("no", format!("it fails on a shell command: {}", brief(&reason)))
        }
        Outcome::Refuses(_) => Finding::good("yes"),
        Outcome::Asks(_) => Finding::good("asks"),
        Outcome::Runs => Finding::warning(
            "nothing",
            format!(
                "nothing of the probe is blocked by your rules: {}",
                DESTRUCTIVE.map(|line| format!("`{line}`")).join(", ")
            ),
        ),
    }
}

/// Whether the rules of a hook say that what cannot be decided on is let pass.
fn is_asked_for(agent: Agent, command: &Command) -> bool {
    let words = command.words();
    let arguments = hook_words(agent, &words).and_then(|words| words.get(1..));
    let request = arguments.and_then(crate::hook::parse);
    let rules = request.map(|request| rules::load(&request.rules, |_| {}));
    matches!(rules, Some(Ok(Rules::Ready { layers, .. }))
        if layers.iter().all(|(_, image)| image.on_error() == Some(Verdict::Allow)))
}

fn closed(ran: Result<Ran, TrialError>, is_asked_for: bool) -> Finding {
    let open = |reason: &str| {
        let message = format!("an event that it cannot read lets the call pass{reason}");
        match is_asked_for {
            true => Finding::warning("no", format!("{message}: `on_error: allow` says so")),
            false => Finding::error("no", message),
        }
    };
    match ran.map(|ran| ran.outcome).map_err(|error| error.to_string()) {
        Ok(Outcome::Refuses(_)) => Finding::good("yes"),
        Ok(Outcome::Asks(_)) => Finding::good("asks"),
        Ok(Outcome::Runs) => open(""),
        Ok(Outcome::Ignores(reason)) | Err(reason) => open(&format!(": {reason}")),
    }
}

/// The first line of a reason.
fn brief(reason: &str) -> &str {
    let line = reason.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
    line.trim().trim_start_matches("behavior: ")
}

/// Runs a process with a text on its standard input, and takes its answer.
fn answer(process: &mut Process, input: &str) -> Result<Answer, TrialError> {
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(process, 0);
    let mut child = process.spawn().map_err(TrialError::NotRun)?;
    let deadline = Instant::now() + MAX_TIME;
    let output = collect(&mut child, input, deadline);
    let status = match output {
        Some(_) => wait(&mut child, deadline),
        None => None,
    };
    let (Some((stdout, stderr)), Some(status)) = (output, status) else {
        kill(&mut child);
        return Err(TrialError::NoAnswer);
    };
    let code = status.code().ok_or(TrialError::Ended(status))?;
    let exit_code = u8::try_from(code).unwrap_or(u8::MAX);
    Ok(Answer { stdout, stderr, exit_code, later: Vec::new() })
}

/// Everything that a process writes, until it has nothing to say any more.
fn collect(child: &mut Child, input: &str, deadline: Instant) -> Option<(String, String)> {
    let stdout = child.stdout.take().map(read);
    let stderr = child.stderr.take().map(read);
    if let Some(mut stdin) = child.stdin.take() {
        // Probes fit into a pipe; one that is not read is told by the answer.
        let _ = stdin.write_all(input.as_bytes());
    }
    let left = || deadline.saturating_duration_since(Instant::now());
    let stdout = stdout?.recv_timeout(left()).ok()?;
    let stderr = stderr?.recv_timeout(left()).ok()?;
    Some((stdout, stderr))
}

fn read(pipe: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut bytes);
        // Nobody waits any more where it took too long.
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

fn wait(child: &mut Child, deadline: Instant) -> Option<std::process::ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_micros(50));
            }
            _ => return None,
        }
    }
}

/// Ends a process and what it started.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
