//! `behavior workflow runs` and `show`: the runs of a workspace, and what came of one.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use behavior_runtime::Image;
use behavior_runtime::workflow::Resumption;
use behavior_secrets::redacted;
use serde::Serialize;

use super::journal::{Entry, JournalError, is_busy, read};
use super::output::in_words;
use super::state::{State, Status};
use super::templates::Workspace;
use crate::args::PlainFormat;
use crate::render::{json, one_line};
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal};
use crate::{live, project, random};

/// The folder of all runs, from the workspace.
const FOLDER: &str = ".behavior/runs";
/// The image of the workflow of a run, in its folder: what it was started with counts, whatever becomes of the file.
pub const IMAGE: &str = "workflow.bhv";
/// Images of runs larger than this are not read.
const MAX_IMAGE: u64 = 64 << 20;

/// Returns the folder of all runs.
#[must_use]
pub fn runs_folder(workspace: &Path) -> PathBuf {
    workspace.join(FOLDER)
}

/// Returns an id for a run that begins now: ids of later runs sort behind it, to the millisecond.
#[must_use]
pub fn id_now() -> String {
    let now = jiff::Timestamp::from_millisecond(live::now()).unwrap_or_default();
    // Two runs of one moment need not be told apart where there is no randomness: creating the folder fails then.
    let random = random::name::<3>().unwrap_or_default();
    format!("{}-{random}", now.strftime("%Y%m%d-%H%M%S-%3f"))
}

/// Returns the folder of a run.
///
/// # Errors
/// When no run can be called so, or there is none.
pub fn folder_of(workspace: &Path, id: &str) -> Result<PathBuf, Failure> {
    let is_id =
        !id.is_empty() && id.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-');
    let folder = runs_folder(workspace).join(id);
    match is_id && folder.is_dir() {
        true => Ok(folder),
        false => Err(Failure::Message(format!(
            "there is no run `{}`; `behavior workflow runs` lists them",
            one_line(id)
        ))),
    }
}

/// Returns how a run began, as the first line of its journal says.
///
/// # Errors
/// When its image cannot be read, or its journal does not begin.
pub fn state_of(folder: &Path, id: &str, entries: &[Entry]) -> Result<State, Failure> {
    let Some(Entry::WorkflowStart { workflow, input, .. }) = entries.first() else {
        return Err(Failure::Message(format!(
            "the run `{id}` was broken off before it began: start it anew, and delete `{}`",
            folder.display()
        )));
    };
    let path = folder.join(IMAGE);
    let unreadable = |reason: String| {
        Failure::Message(format!("the workflow of the run `{id}` cannot be read: {reason}"))
    };
    let bytes = bounded(&path).map_err(|error| unreadable(project::describe(&error)))?;
    let image = Image::from_bytes(bytes).map_err(|error| unreadable(error.to_string()))?;
    State::begin(&Arc::new(image), workflow, input.clone())
        .map_err(|error| unreadable(error.to_string()))
}

/// The bytes of a file, if it is a regular one that is not too long.
fn bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    project::open_own(path)?.take(MAX_IMAGE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A run.
#[derive(Serialize)]
struct RunOutput {
    id: String,
    workflow: String,
    status: &'static str,
    started: i64,
    steps_run: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_step: Option<u32>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct RunsOutput {
    version: u32,
    runs: Vec<RunOutput>,
}

#[derive(Serialize)]
struct ShowOutput<'a> {
    version: u32,
    #[serde(flatten)]
    run: RunOutput,
    journal: &'a [Entry],
}

/// What a folder of a run comes to.
fn run_in(folder: &Path, id: &str) -> Result<(RunOutput, Vec<Entry>, State), Failure> {
    let (entries, _) =
        read(folder, id).map_err(|error: JournalError| Failure::Message(error.to_string()))?;
    let mut state = state_of(folder, id, &entries)?;
    entries.iter().for_each(|entry| state.apply(entry));
    let (workflow, started) = match entries.first() {
        Some(Entry::WorkflowStart { workflow, ts, .. }) => (workflow.clone(), *ts),
        _ => Default::default(),
    };
    let status = match state.status() {
        Status::Interrupted if is_busy(folder) => Status::Running,
        status => status,
    };
    let output = RunOutput {
        id: id.to_owned(),
        workflow,
        status: status.name(),
        started,
        steps_run: state.ended,
        next_step: state.workflow.next_step().map(|next| next.index),
        reason: state.transition.reason.clone().filter(|_| state.transition.paused),
    };
    Ok((output, entries, state))
}

/// The ids of all runs, the latest first.
fn ids(workspace: &Path) -> Vec<String> {
    let mut ids = crate::project::names_in(&runs_folder(workspace));
    ids.retain(|id| runs_folder(workspace).join(id).is_dir());
    ids.reverse();
    ids
}

/// Lists the runs.
///
/// # Errors
/// When the output cannot be written.
pub fn list(format: PlainFormat, terminal: &Terminal) -> Result<Exit, Failure> {
    let workspace = Workspace::find().path("");
    let mut runs = Vec::new();
    for id in ids(&workspace) {
        match run_in(&runs_folder(&workspace).join(&id), &id) {
            Ok((run, ..)) => runs.push(run),
            Err(failure) => terminal.note(&failure.to_string()),
        }
    }
    terminal.print(&match format {
        PlainFormat::Json => json::to_text(&RunsOutput { version: 1, runs })?,
        PlainFormat::Pretty if runs.is_empty() => "no runs\n".to_owned(),
        PlainFormat::Pretty => runs.iter().map(|run| line(run, terminal)).collect(),
    })?;
    Ok(Exit::Clean)
}

fn line(run: &RunOutput, terminal: &Terminal) -> String {
    let facts = format!("{}, {} step runs", run.status, run.steps_run);
    let reason =
        run.reason.as_ref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
    format!(
        "{}  {}  {}{reason}\n",
        terminal.paint(BOLD, &run.id),
        one_line(&run.workflow),
        terminal.paint(DIM, &facts)
    )
}

/// Shows a run, the latest without an id.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn show(id: Option<&str>, format: PlainFormat, terminal: &Terminal) -> Result<Exit, Failure> {
    let workspace = Workspace::find().path("");
    let id = match id {
        Some(id) => id.to_owned(),
        None => ids(&workspace)
            .into_iter()
            .next()
            .ok_or_else(|| Failure::Message("there are no runs here".to_owned()))?,
    };
    let folder = folder_of(&workspace, &id)?;
    let (run, mut entries, _) = run_in(&folder, &id)?;
    for entry in &mut entries {
        if let Entry::WorkflowStart { input: Some(input), .. } = entry {
            *input = redacted(input, usize::MAX);
        }
    }
    terminal.print(&match format {
        PlainFormat::Json => json::to_text(&ShowOutput { version: 1, run, journal: &entries })?,
        PlainFormat::Pretty => text(&run, &folder, &entries, terminal)?,
    })?;
    Ok(Exit::Clean)
}

/// A run from its first step on.
fn text(
    run: &RunOutput,
    folder: &Path,
    entries: &[Entry],
    terminal: &Terminal,
) -> Result<String, Failure> {
    let mut out = line(run, terminal);
    let mut state = state_of(folder, &run.id, entries)?;
    for entry in entries {
        state.apply(entry);
        match entry {
            Entry::WorkflowStart { input: Some(input), .. } => {
                let _ = writeln!(out, "input: {}", one_line(&redacted(input, usize::MAX)));
            }
            Entry::WorkflowStart { .. } => {}
            Entry::StepEnd(ended) => {
                let how = if ended.ok { "done" } else { "failed" };
                let after = one_line(&in_words(&state.transition));
                let _ = writeln!(
                    out,
                    "step {} ({}) {how}: {after}",
                    ended.step,
                    one_line(&ended.agent)
                );
                if let Some(overseen) = &ended.oversight {
                    let _ = writeln!(out, "  {}", overseen.in_words());
                }
                if terminal.verbose {
                    ended.output.lines().for_each(|line| {
                        let _ = writeln!(out, "  | {}", one_line(line));
                    });
                }
            }
            Entry::WorkflowResume { how, .. } => {
                let said = match how {
                    Resumption::Approve => "approved",
                    Resumption::Skip => "skipped",
                    Resumption::Stop => "stopped",
                };
                let _ = writeln!(out, "resumed: {said}");
            }
        }
    }
    if matches!(run.status, "paused" | "failed" | "interrupted") {
        let _ = writeln!(out, "go on with `behavior workflow resume {}`", run.id);
    }
    Ok(out)
}
