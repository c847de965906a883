//! `behavior workflow run` and `resume`: begin a run, or take one up again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use behavior_compiler::diagnostic::{Diagnostic, Severity};
use behavior_compiler::workflow::{Found, Workflows, settings};
use behavior_runtime::Image;
use behavior_runtime::workflow::{Resumption, Workflow};
use behavior_secrets::contains_secret;

use super::control_file::Places;
use super::dry_run;
use super::journal::{Entry, Journal, JournalError, VERSION};
use super::list::say_why;
use super::run::{RUNNING, Run};
use super::runs::{IMAGE, id_now, runs_folder};
use super::state::{State, Status};
use super::templates::Workspace;
use super::view::view;
use crate::args::workflow::{RunFormat, WorkflowResumeArgs, WorkflowRunArgs};
use crate::live::store::{private, regular, turn};
use crate::terminal::{Exit, Failure, Terminal};
use crate::{atomic, interrupt, live, orphan, project};

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
    refuse_broken_agents(&workflows, terminal)?;
    let (workspace, places) = places(&place, &mut state, true)?;
    if args.dry_run {
        let plan = dry_run::plan(&state, found, &workflows.agents, &places.told());
        terminal.print(&plan)?;
        return Ok(Exit::Clean);
    }
    let id = id_now();
    let folder = runs_folder(&workspace).join(&id);
    let _alone = Alone::in_workspace(&workspace)?;
    let mut journal = Journal::create(&folder, &id).map_err(failed)?;
    atomic::write(&folder.join(IMAGE), image.as_bytes()).map_err(|error| {
        Failure::Message(format!(
            "cannot write into the folder of the run: {}",
            project::describe(&error)
        ))
    })?;
    if let Some(kind) = input.as_deref().and_then(contains_secret) {
        terminal.note(&format!(
            "the input seems to hold a secret ({kind}): it is told to each agent that asks for the input, and kept in \
             `{}`; name a variable or a file instead",
            project::display(journal.folder())
        ));
    }
    let start = Entry::WorkflowStart {
        version: VERSION,
        run: id,
        workflow: name,
        input,
        pause_at: Some(state.workflow.pause_at()),
        ts: live::now(),
    };
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
    if !args.stop {
        refuse_broken_agents(&workflows, terminal)?;
    }
    let (mut journal, entries) = Journal::open(&folder, &args.id).map_err(failed)?;
    let mut state = super::runs::state_of(&folder, &args.id, &entries)?;
    let _alone = Alone::in_workspace(&workspace)?;
    if let Some(Entry::WorkflowStart { pause_at: Some(pause_at), .. }) = entries.first() {
        state.workflow.set_pause_at(*pause_at);
    }
    let (workspace, places) = places(&place, &mut state, false)?;
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
        (true, _) => Resumption::Skip,
        (_, true) => Resumption::Stop,
        _ => Resumption::Approve,
    };
    let entry = Entry::WorkflowResume { how, ts: live::now() };
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

/// A workspace in which this process alone runs a workflow: agents of several would take each other's control files.
struct Alone {
    _lock: std::fs::File,
}

impl Alone {
    /// Waits for nobody: where another run goes on, that is said. What a process that is gone left running is ended.
    fn in_workspace(workspace: &Path) -> Result<Self, Failure> {
        let runs = runs_folder(workspace);
        let failed = |error: std::io::Error| {
            let reason = project::describe(&error);
            Failure::Message(format!("cannot write into `{}`: {reason}", project::display(&runs)))
        };
        super::folders::make(workspace, &runs).map_err(failed)?;
        let mut options = private();
        options.create(true).truncate(false).read(true).write(true);
        let file = options.open(runs.with_extension("lock")).and_then(regular);
        let locked = file.and_then(|file| turn::wait_for(file, Duration::ZERO));
        let lock = locked.map_err(failed)?.ok_or_else(|| {
            Failure::Message(
                "another run goes on in this workspace, and its agents leave their control files in the same place: \
                 wait until it has ended (`behavior workflow runs`), or use another worktree"
                    .to_owned(),
            )
        })?;
        for folder in std::fs::read_dir(&runs).map_err(failed)?.flatten() {
            orphan::clear(&folder.path().join(RUNNING));
        }
        Ok(Self { _lock: lock })
    }
}

/// Refuses agents whose declaration has errors: what is half read may lack the rules that it names.
fn refuse_broken_agents(workflows: &Workflows, terminal: &Terminal) -> Result<(), Failure> {
    let of_agents = |problem: &&Diagnostic| {
        let file = workflows.sources.get(problem.span.file);
        problem.severity == Severity::Error
            && file.is_some_and(|file| file.name.ends_with("agents.yaml"))
    };
    let Some(first) = workflows.diagnostics.iter().find(of_agents) else { return Ok(()) };
    let file = workflows.sources.get(first.span.file).map_or("", |file| &file.name);
    say_why(workflows, file, terminal);
    Err(Failure::Message(format!("no agent of `{file}` is started: it has errors")))
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

/// The workspace and its control files, and what its config says of workflows. A run that goes on pauses no later than
/// it would have when it began: an agent can write into the config.
fn places(
    place: &Workspace,
    state: &mut State,
    begins: bool,
) -> Result<(PathBuf, Places), Failure> {
    let workspace = whole(place)?;
    let config = project::display(&place.path("behavior.yaml"));
    let settings = settings(&project::provider(), &config);
    if let Some(field) = settings.broken {
        return Err(Failure::Message(format!(
            "`{field}` in `{config}` cannot be read: `behavior check` says what is wrong with it"
        )));
    }
    match settings.pause_at {
        Some(pause_at) if begins => state.workflow.set_pause_at(pause_at),
        Some(pause_at) => state.workflow.pause_at_most(pause_at),
        None => {}
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
