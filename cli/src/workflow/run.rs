//! Takes a run from step to step: runs the agent, takes its control file, writes down what follows, and goes on.

use std::path::{Path, PathBuf};
use std::time::Instant;

use behavior_compiler::workflow::AgentDeclaration;
use behavior_runtime::workflow::{ControlAction, ControlFile, NextStep};
use behavior_secrets::redacted;
use serde_json::to_value;

use super::agent_command::AgentCommand;
use super::control_file::{Left, Places};
use super::journal::{Ended, Entry, Journal};
use super::output::TransitionOutput;
use super::process::{self, Outcome, Stream};
use super::state::{State, Status};
use super::step_prompt::prompt;
use super::view::View;
use super::{oversight, unanswered};
use crate::terminal::Failure;
use crate::{atomic, interrupt, live, orphan, without_secrets};

/// So much of what an agent prints is kept while it runs, the end of it.
const KEPT: usize = 64 << 10;
/// So much of it goes into the journal and into the next prompt.
const WRITTEN: usize = 16 << 10;
/// The file that says what runs, in the folder of the run.
pub const RUNNING: &str = "running.json";

/// A run that this process works on.
pub struct Run<'a> {
    /// The workspace, with its links resolved.
    pub workspace: PathBuf,
    /// Where control files are.
    pub places: Places,
    /// The agents that are declared.
    pub agents: &'a [AgentDeclaration],
    /// Where everything is written down.
    pub journal: Journal,
    /// Where the run stands.
    pub state: State,
    /// What is shown.
    pub view: &'a mut dyn View,
}

/// How an agent ended.
struct Taken {
    outcome: Outcome,
    output: String,
    took: u64,
}

/// What came of a step.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum Ran {
    Ended(Ended),
    /// The user broke it off.
    BrokenOff,
}

impl Run<'_> {
    /// Goes on until the run is over, pauses, or is broken off. Returns how it stands, and why.
    ///
    /// # Errors
    /// When something cannot be written down, or an agent has no command. The run can be taken up again.
    pub fn go_on(&mut self) -> Result<(Status, Option<String>), Failure> {
        self.view.begins(self.journal.id(), &self.state.workflow);
        orphan::clear(&self.journal.folder().join(RUNNING));
        self.places.prepare().map_err(|error| in_workspace(&error))?;
        while !self.state.transition.paused {
            if interrupt::is_wanted() {
                return Ok(broken_off());
            }
            let Some(ended) = self.run_step()? else { break };
            let Ran::Ended(ended) = ended else { return Ok(broken_off()) };
            let Ran::Ended(ended) = self.oversee(ended)? else { return Ok(broken_off()) };
            self.follow(ended)?;
        }
        let status = self.state.status();
        let reason = match status {
            Status::Finished => None,
            Status::Stopped if self.state.is_stopped => Some("ended by the user".to_owned()),
            _ => self.state.transition.reason.clone(),
        };
        Ok((status, reason))
    }

    /// Runs the next step, unless it has run before and only waits for oversight; nothing where none runs next.
    fn run_step(&mut self) -> Result<Option<Ran>, Failure> {
        if let Some(ended) = unanswered::take_up(&self.journal, &self.state) {
            return Ok(Some(Ran::Ended(ended)));
        }
        let Some((command, index)) = self.next_command()? else { return Ok(None) };
        self.put_aside()?;
        let taken = self.take(&command);
        if taken.outcome == Outcome::Interrupted {
            return Ok(Some(Ran::BrokenOff));
        }
        self.ended(taken, index).map(|ended| Some(Ran::Ended(ended)))
    }

    /// Asks a model to look at it, where the step wants that. That it has run is written down before: it is not run
    /// again where this process ends while it waits.
    fn oversee(&mut self, mut ended: Ended) -> Result<Ran, Failure> {
        let control = ended.control.as_deref().filter(|_| ended.ok);
        let asked = control.and_then(|text| ControlFile::parse(text).ok());
        let Some(asked) = asked.filter(|asked| asked.action == ControlAction::Vibecheck) else {
            return Ok(Ran::Ended(ended));
        };
        unanswered::keep(&self.journal, &self.state, &ended).map_err(|error| {
            let reason = crate::project::describe(&error);
            Failure::Message(format!("cannot write into the folder of the run: {reason}"))
        })?;
        let reason = asked.reason.as_deref();
        let of_run = (self.journal.id(), &self.state);
        let Some(overseen) = oversight::ask(of_run, ended.step, reason, &ended.output) else {
            return Ok(Ran::BrokenOff);
        };
        ended.oversight = Some(overseen);
        Ok(Ran::Ended(ended))
    }

    /// The command of the next step and its index.
    fn next_command(&mut self) -> Result<Option<(AgentCommand, u32)>, Failure> {
        let Some(step) = self.state.workflow.next_step() else { return Ok(None) };
        self.view.step(&self.state.workflow, &step);
        let command = command(&self.state, &step, self.agents, &self.places.told())?;
        Ok(Some((command, step.index)))
    }

    /// Moves a control file away that is there before the step which could have written it: nobody asked for it now.
    fn put_aside(&mut self) -> Result<(), Failure> {
        let kept = self.kept("before");
        let left =
            self.places.take(&kept, &mut Vec::new()).map_err(|error| in_workspace(&error))?;
        if left != Left::Nothing {
            self.view.note("a control file was there before the step began; it was moved aside and has no effect");
        }
        Ok(())
    }

    /// Where the next control file is kept.
    fn kept(&self, what: &str) -> PathBuf {
        let number = self.state.ended + 1;
        self.journal.folder().join(format!("{number:04}-control-{what}.json"))
    }

    /// Runs the agent.
    fn take(&mut self, command: &AgentCommand) -> Taken {
        let began = Instant::now();
        let mut output = Vec::new();
        let control = self.places.told();
        let id = self.journal.id().to_owned();
        let env = [("BEHAVIOR_CONTROL_FILE", &*control), (orphan::MARK, Path::new(&id))];
        let note = self.journal.folder().join(RUNNING);
        let view = &mut *self.view;
        let outcome = process::run(command, &self.workspace, &env, &note, &mut |part| {
            if let Some((Stream::Output, bytes)) = part {
                output.extend_from_slice(bytes);
                if output.len() > 2 * KEPT {
                    output.drain(..output.len() - KEPT);
                }
            }
            view.printed(part);
        });
        let took = began.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        Taken { outcome, output: end_of(&output), took }
    }

    /// What is to be written down of a step that ended.
    fn ended(&mut self, taken: Taken, step: u32) -> Result<Ended, Failure> {
        let Taken { outcome, output, took } = taken;
        let ok = outcome == Outcome::Exited(Some(0));
        let mut ignored = Vec::new();
        let kept = self.kept("asked");
        let left = self.places.take(&kept, &mut ignored).map_err(|error| in_workspace(&error))?;
        for name in ignored {
            self.view
                .note(&format!("`{name}` was left as well; it was moved aside and has no effect"));
        }
        let (control, control_error) = match left {
            Left::Nothing => (None, None),
            // What it holds is written down, shown, and told to others.
            Left::Text(text) => {
                let shown = without_secrets::json(&text);
                if shown != text {
                    atomic::write(&kept, shown.as_bytes()).map_err(|error| in_workspace(&error))?;
                }
                (Some(shown), None)
            }
            Left::Unreadable(reason) => (None, Some(reason)),
        };
        let reason = failure(&outcome);
        let next = self.state.workflow.next_step();
        let (agent, depth) =
            next.map_or_else(Default::default, |next| (next.agent.to_owned(), next.depth));
        Ok(Ended {
            step,
            agent,
            depth,
            ok,
            output: match reason {
                // The last line is what people are told.
                Some(reason) if output.trim().is_empty() => reason,
                Some(reason) => format!("{}\n{reason}", output.trim_end()),
                None => output,
            },
            control,
            control_error,
            oversight: None,
            ts: live::now(),
            took,
            workflow: None,
        })
    }

    /// Writes down that a step ended and what follows, and goes on from there.
    fn follow(&mut self, mut ended: Ended) -> Result<(), Failure> {
        let transition = self.state.workflow.clone().step_ended(&ended.as_event());
        ended.workflow = to_value(TransitionOutput::from(&transition)).ok();
        let entry = Entry::StepEnd(ended);
        self.journal.append(&entry).map_err(|error| Failure::Message(error.to_string()))?;
        self.state.apply(&entry);
        unanswered::forget(&self.journal);
        if let Entry::StepEnd(ended) = &entry {
            self.view.ended(&self.state.workflow, ended, &transition);
            if let Some(overseen) = &ended.oversight {
                self.view.note(&overseen.in_words());
            }
        }
        Ok(())
    }
}

/// Returns the command of a step.
///
/// # Errors
/// When its agent is not declared any more, or its command lacks something.
pub fn command(
    state: &State,
    step: &NextStep<'_>,
    agents: &[AgentDeclaration],
    control_file: &Path,
) -> Result<AgentCommand, Failure> {
    let Some(agent) = agents.iter().find(|agent| agent.id == step.agent) else {
        let message = format!(
            "nobody declares the agent `{}` of step {}: declare it in `behavior/agents.yaml`",
            step.agent, step.index
        );
        return Err(Failure::Message(message));
    };
    let prompt = prompt(state, step, agent.prompt.as_deref(), control_file);
    AgentCommand::new(agent, step, &prompt).map_err(Failure::Message)
}

fn broken_off() -> (Status, Option<String>) {
    (Status::Paused, Some("broken off by the user".to_owned()))
}

/// Why a step failed; nothing where it did not.
fn failure(outcome: &Outcome) -> Option<String> {
    Some(match outcome {
        Outcome::Exited(Some(0)) => return None,
        Outcome::Exited(Some(code)) => format!("the command ended with exit code {code}"),
        Outcome::Exited(None) => "the command was ended by a signal".to_owned(),
        Outcome::TimedOut => "the command did not end in time".to_owned(),
        Outcome::Interrupted => "broken off by the user".to_owned(),
        Outcome::NotStarted(reason) => reason.clone(),
    })
}

/// The end of an output as a text, without secrets.
fn end_of(output: &[u8]) -> String {
    // What a cut may have halved lies before what is written.
    let start = output.len().saturating_sub(KEPT);
    let text = String::from_utf8_lossy(output.get(start..).unwrap_or_default());
    let clean = redacted(text.trim_end(), usize::MAX);
    let start = clean.ceil_char_boundary(clean.len().saturating_sub(WRITTEN));
    clean.get(start..).unwrap_or_default().to_owned()
}

fn in_workspace(error: &std::io::Error) -> Failure {
    let reason = crate::project::describe(error);
    Failure::Message(format!("the control file of the workspace cannot be taken: {reason}"))
}
