//! `behavior workflow run` and `resume`: begin a run, or take one up again.

use std::path::PathBuf;
use std::sync::Arc;

use behavior_compiler::workflow::{Found, Workflows, settings};
use behavior_runtime::Image;
use behavior_runtime::workflow::Workflow;

use super::control_file::Places;
use super::dry_run;
use super::journal::{Entry, How, Journal, JournalError, VERSION};
use super::list::say_why;
use super::run::Run;
use super::runs::{id_now, runs_folder};
use super::state::{State, Status};
use super::templates::Workspace;
use super::view::view;
use crate::args::workflow::{RunFormat, WorkflowResumeArgs, WorkflowRunArgs};
use crate::interrupt;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{atomic, live, project};

/// The image of the workflow of a run, in its folder: what it was started with counts, whatever becomes of the file.
pub const IMAGE: &str = "workflow.bhv";
/// The most bytes of an input.
const MAX_INPUT: u64 = 4 << 20;

/// Runs a workflow.
///
/// # Errors
/// When there is no such workflow, it has errors, or nothing can be written down.
pub fn run(args: &WorkflowRunArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let place = Workspace::find();
    let mut workflows = place.compile();
    let image = workflows.image.take().map(Arc::new);
    let (found, image) = match (find(&workflows, &args.name), image) {
        (Some(found), Some(image)) => (found, image),
        (_, image) => return Err(unknown(&workflows, image.as_ref(), &args.name, terminal)),
    };
    let input = args.input.as_deref().map(input).transpose()?;
    let name = found.template.name.clone();
    let mut state =
        State::begin(&image, &name, input.clone()).map_err(|e| Failure::Message(e.to_string()))?;
    if args.dry_run {
        terminal.print(&dry_run::plan(&state, found, &workflows.agents))?;
        return Ok(Exit::Clean);
    }
    let (workspace, places) = places(&place, &mut state)?;
    let id = id_now();
    let folder = runs_folder(&workspace).join(&id);
    let mut journal = Journal::create(&folder, &id).map_err(failed)?;
    atomic::write(&folder.join(IMAGE), image.as_bytes()).map_err(|error| {
        Failure::Message(format!(
            "cannot write into the folder of the run: {}",
            project::describe(&error)
        ))
    })?;
    let start =
        Entry::WorkflowStart { version: VERSION, run: id, workflow: name, input, ts: live::now() };
    journal.append(&start).map_err(failed)?;
    go(Begun { workspace, places, workflows: &workflows, journal, state }, args.format, terminal)
}

/// Takes a run up again.
///
/// # Errors
/// When there is no such run, or another process works on it.
pub fn resume(args: &WorkflowResumeArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let place = Workspace::find();
    let workflows = place.compile();
    let workspace = whole(&place)?;
    let folder = super::runs::folder_of(&workspace, &args.id)?;
    let (mut journal, entries) = Journal::open(&folder, &args.id).map_err(failed)?;
    let mut state = super::runs::state_of(&folder, &args.id, &entries)?;
    let (workspace, places) = places(&place, &mut state)?;
    entries.iter().for_each(|entry| state.apply(entry));
    if matches!(state.status(), Status::Finished | Status::Stopped) {
        view(args.format, terminal).over(
            &args.id,
            state.status(),
            Some("there is nothing left to do"),
        );
        return Ok(Exit::Clean);
    }
    let how = match (args.skip, args.stop) {
        (true, _) => How::Skip,
        (_, true) => How::Stop,
        _ => How::Approve,
    };
    let entry = Entry::Resume { how, ts: live::now() };
    journal.append(&entry).map_err(failed)?;
    state.apply(&entry);
    go(Begun { workspace, places, workflows: &workflows, journal, state }, args.format, terminal)
}

/// What a run needs.
struct Begun<'a> {
    workspace: PathBuf,
    places: Places,
    workflows: &'a Workflows,
    journal: Journal,
    state: State,
}

fn go(begun: Begun<'_>, format: RunFormat, terminal: &Terminal) -> Result<Exit, Failure> {
    interrupt::listen();
    let Begun { workspace, places, workflows, journal, state } = begun;
    let id = journal.id().to_owned();
    let mut view = view(format, terminal);
    let agents = &workflows.agents;
    let mut run = Run { workspace, places, agents, journal, state, view: &mut *view };
    let (status, reason) = match run.go_on() {
        Ok(end) => end,
        Err(failure) => (Status::Failed, Some(failure.to_string())),
    };
    view.over(&id, status, reason.as_deref());
    Ok(match status {
        Status::Finished | Status::Stopped => Exit::Clean,
        _ => Exit::Findings,
    })
}

fn failed(error: JournalError) -> Failure {
    Failure::Message(error.to_string())
}

/// The workspace with its links resolved.
fn whole(place: &Workspace) -> Result<PathBuf, Failure> {
    place.path("").canonicalize().or_else(|_| std::env::current_dir()).map_err(|error| {
        Failure::Message(format!(
            "the working directory cannot be read: {}",
            project::describe(&error)
        ))
    })
}

/// The workspace and its control files, and what its config says of workflows.
fn places(place: &Workspace, state: &mut State) -> Result<(PathBuf, Places), Failure> {
    let workspace = whole(place)?;
    let config = project::display(&place.path("behavior.yaml"));
    let settings = settings(&project::provider(), &config);
    if let Some(pause_at) = settings.pause_at {
        state.workflow.pause_at_most(pause_at);
    }
    Ok((workspace.clone(), Places::new(&workspace, settings.control_file)))
}

fn find<'w>(workflows: &'w Workflows, name: &str) -> Option<&'w Found> {
    workflows.found.iter().find(|found| found.template.name == name)
}

/// Why a workflow cannot be run: there is none of the name, or it has errors.
fn unknown(
    workflows: &Workflows,
    image: Option<&Arc<Image>>,
    name: &str,
    terminal: &Terminal,
) -> Failure {
    if say_why(workflows, name, terminal) {
        return Failure::Message(format!(
            "the workflow `{name}` cannot be run: its file has errors"
        ));
    }
    match image.and_then(|image| Workflow::start(image, name).err()) {
        Some(unknown) if unknown.closest.is_some() => Failure::Message(unknown.to_string()),
        _ => Failure::Message(format!(
            "there is no workflow `{name}`; `behavior workflow list` lists them"
        )),
    }
}

/// The input that an argument means.
fn input(argument: &str) -> Result<String, Failure> {
    use std::io::Read;
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    std::io::stdin().lock().take(MAX_INPUT + 1).read_to_string(&mut text).map_err(|error| {
        Failure::Message(format!("the input cannot be read: {}", project::describe(&error)))
    })?;
    match text.len() as u64 > MAX_INPUT {
        true => Err(Failure::Message(format!("the input is larger than {} MiB", MAX_INPUT >> 20))),
        false => Ok(text.trim_end().to_owned()),
    }
}
