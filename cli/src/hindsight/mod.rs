//! What the language server is told of recorded sessions: which there are, and what rules do in them. All of it stays in
//! this process.

mod find;
mod kept;
mod opened;
mod replayed;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use behavior_compiler::ide::Compiled;
use behavior_lsp::{Hindsight, Question, Recordings, Sessions, Told};

use crate::number::number;
use kept::{Recording, Stamp};
use replayed::{IsOver, Replayed, watch};

/// How many bytes the events of all recordings may take in memory.
const MAX_BYTES: usize = 96 << 20;
/// How many runs are kept: of the rules as they are, as they are stored, and as they were before.
const MAX_RUNS: usize = 3;
/// For how long what was found is not looked for again.
const MAX_AGE: Duration = Duration::from_secs(3);
/// How many files are named that were left out.
const MAX_NOTES: usize = 5;

/// The recordings of this machine.
#[derive(Debug, Default)]
pub struct OnDisk {
    held: Mutex<Held>,
    opened: opened::Opened,
}

/// What is kept from one question to the next.
#[derive(Debug, Default)]
struct Held {
    /// What was read, or why not, by path.
    files: BTreeMap<String, (Stamp, Result<Arc<Recording>, String>)>,
    /// What rules said, by the identity of their image, of the recordings that are asked now.
    runs: Vec<(u64, Arc<Replayed>)>,
    /// The recordings that these runs are of.
    asked: Vec<Arc<Recording>>,
    /// What is known of the beginnings of recordings.
    beginnings: find::Beginnings,
    /// When they were looked for, for which sessions from which folder, and what was left out.
    found: Option<(Instant, Sessions, String, Vec<String>)>,
}

impl Recordings for OnDisk {
    fn look(&self, question: &Question, is_over: IsOver<'_>, tell: &mut dyn FnMut(Hindsight)) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = held.look(question, is_over, tell);
    }

    fn decide(&self, text: &str, rules: &Compiled, is_over: IsOver<'_>) -> Option<Vec<Told>> {
        self.opened.decide(text, rules, is_over)
    }
}

impl Held {
    fn look(
        &mut self,
        question: &Question,
        is_over: IsOver<'_>,
        tell: &mut dyn FnMut(Hindsight),
    ) -> Option<()> {
        let mut notes = self.read(&question.sessions, &question.root, is_over)?;
        let now = self.run(&question.now, is_over)?;
        let (rules, policy) = now.by_rule();
        let asked = self.asked.iter();
        let mut hindsight = Hindsight {
            sessions: asked.clone().map(|it| it.sessions.len() as u64).sum(),
            events: asked.map(|it| it.events.len() as u64).sum(),
            rules,
            policy,
            tools: self.asked.iter().flat_map(|it| it.tools.iter().cloned()).collect(),
            ..Hindsight::default()
        };
        if let Some(saved) = &question.saved {
            let before = self.run(saved, is_over)?;
            hindsight.change = Some(now.since(&before));
        }
        if now.dropped() > 0 {
            notes.push(format!("{} events were too many to count", number(now.dropped())));
        }
        hindsight.notes = notes;
        tell(hindsight.clone());
        let watched = watch(&question.now.image, &question.now.tests, &self.asked, is_over)?;
        for (id, miss) in watched.misses {
            if let Some(of) = hindsight.rules.get_mut(&id).filter(|of| of.fired == 0) {
                of.miss = Some(miss);
            }
        }
        hindsight.conditions = watched.conditions;
        tell(hindsight);
        Some(())
    }

    /// Reads what is asked and was not read yet, or has changed. Returns what was left out.
    fn read(
        &mut self,
        sessions: &Sessions,
        root: &str,
        is_over: IsOver<'_>,
    ) -> Option<Vec<String>> {
        // Who edits rules asks many times a minute; sessions change far less often.
        if let Some((when, known, from, notes)) = &self.found
            && known == sessions
            && from == root
            && when.elapsed() < MAX_AGE
        {
            return Some(notes.clone());
        }
        self.found = None;
        let found = find::find(sessions, root, &mut self.beginnings);
        let mut notes = found.notes;
        let (mut asked, mut left, mut bytes) = (Vec::new(), Vec::new(), 0);
        let mut files = BTreeMap::new();
        // The newest come first where not all have room.
        for path in found.paths.iter().rev() {
            if is_over() {
                return None;
            }
            let Ok(metadata) = std::fs::metadata(path) else { continue };
            let stamp = Stamp::of(&metadata);
            let known = self.files.remove(path).filter(|(known, _)| *known == stamp);
            let read = match known {
                Some((_, read)) => read,
                None => {
                    let most = MAX_BYTES.saturating_sub(bytes).min(kept::MAX_EVENTS);
                    kept::read(path, most, &|| is_over()).map(Arc::new)
                }
            };
            if is_over() {
                // What was read so far is of use next time.
                self.files.append(&mut files);
                return None;
            }
            match &read {
                Ok(recording) => {
                    bytes += recording.bytes;
                    asked.push(Arc::clone(recording));
                }
                Err(reason) => left.push(format!("`{path}` was left out: {reason}")),
            }
            files.insert(path.clone(), (stamp, read));
        }
        let more = left.len().saturating_sub(MAX_NOTES);
        notes.extend(left.into_iter().take(MAX_NOTES));
        if more > 0 {
            notes.push(format!("and {} more were left out", number(more as u64)));
        }
        asked.reverse();
        self.files = files;
        let is_same = asked.len() == self.asked.len()
            && asked.iter().zip(&self.asked).all(|(one, other)| Arc::ptr_eq(one, other));
        if !is_same {
            self.runs.clear();
            self.asked = asked;
        }
        self.found = Some((Instant::now(), sessions.clone(), root.to_owned(), notes.clone()));
        Some(notes)
    }

    /// Returns what rules say, from before if nothing has changed.
    fn run(&mut self, rules: &Compiled, is_over: IsOver<'_>) -> Option<Arc<Replayed>> {
        let identity = rules.image.identity();
        if let Some(at) = self.runs.iter().position(|(known, _)| *known == identity) {
            let run = self.runs.remove(at);
            self.runs.push(run);
        } else {
            let run = Replayed::new(&rules.image, &self.asked, is_over)?;
            if self.runs.len() >= MAX_RUNS {
                self.runs.remove(0);
            }
            self.runs.push((identity, Arc::new(run)));
        }
        self.runs.last().map(|(_, run)| Arc::clone(run))
    }
}
