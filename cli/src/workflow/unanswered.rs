//! A step that has run and waits for a model to look at it: kept beside the journal until that has answered, so that it
//! is not run again where this process ends meanwhile.

use std::fs;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::journal::{Ended, Journal};
use super::state::State;
use crate::{atomic, project};

/// The file, in the folder of the run.
const FILE: &str = "unanswered.json";
/// Larger files are not ours, in bytes.
const MAX_LENGTH: u64 = 16 << 20;

/// A step that has run.
#[derive(Serialize)]
struct Waiting<'a> {
    /// How many steps had ended before it.
    after: u32,
    ended: &'a Ended,
}

#[derive(Deserialize)]
struct Kept {
    after: u32,
    ended: Ended,
}

fn place(journal: &Journal) -> PathBuf {
    journal.folder().join(FILE)
}

/// Keeps a step.
///
/// # Errors
/// When it cannot be written.
pub fn keep(journal: &Journal, state: &State, ended: &Ended) -> io::Result<()> {
    let waiting = Waiting { after: state.ended, ended };
    atomic::write(&place(journal), &serde_json::to_vec(&waiting)?)
}

/// Returns the step that has run and is the next one still: it was not stepped over.
pub fn take_up(journal: &Journal, state: &State) -> Option<Ended> {
    let file = project::open_regular(&place(journal)).ok()?;
    let kept = serde_json::from_reader(BufReader::new(file.take(MAX_LENGTH)));
    let Kept { after, ended } = kept.ok()?;
    let next = state.workflow.next_step()?;
    let is_next = after == state.ended && (ended.step, ended.depth) == (next.index, next.depth);
    (is_next && ended.agent == next.agent).then_some(ended)
}

/// Forgets it: the journal has it now.
pub fn forget(journal: &Journal) {
    let _ = fs::remove_file(place(journal));
}
