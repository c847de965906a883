//! A recording that is open in the editor: what rules say at its lines.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use behavior_compiler::ide::Compiled;
use behavior_lsp::{Told, Weight};
use behavior_runtime::decision::Action;
use behavior_runtime::{Layers, Verdict};

use super::kept::{self, Recording};
use super::replayed::{IsOver, begin};
use crate::diff::decided::{Speaker, found, spoken};

/// How many bytes a recording may have that is open.
const MAX_TEXT: usize = 16 << 20;
/// How many recordings are kept as they were read.
const MAX_OPENED: usize = 4;
/// How much is said of one recording at most.
const MAX_TOLD: usize = 5000;
/// How much of it is looked at to tell its format.
const BEGINNING: usize = 64 << 10;
/// After how many events somebody looks whether the answer is still wanted.
const BREATH: usize = 64;

/// The recordings that are open, as they were read last: rules are edited more often than they.
#[derive(Debug, Default)]
pub struct Opened {
    read: Mutex<Vec<(u64, Option<Arc<Recording>>)>>,
}

impl Opened {
    /// Lets rules decide on a recording.
    pub fn decide(&self, text: &str, rules: &Compiled, is_over: IsOver<'_>) -> Option<Vec<Told>> {
        if text.len() > MAX_TEXT {
            return None;
        }
        told(&*self.read(text, is_over)?, rules, is_over)
    }

    fn read(&self, text: &str, is_over: IsOver<'_>) -> Option<Arc<Recording>> {
        let key = foldhash::fast::FixedState::default().hash_one(text);
        let mut all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(known, _)| *known == key) {
            return known.clone();
        }
        let bytes = text.as_bytes();
        let format = behavior_agents::detect(bytes.get(..BEGINNING).unwrap_or(bytes));
        let read = format.map(|format| kept::read_text(format, text, &|| is_over()));
        if is_over() {
            return None;
        }
        let recording = read.and_then(Result::ok).map(Arc::new);
        if all.len() >= MAX_OPENED {
            all.remove(0);
        }
        all.push((key, recording.clone()));
        recording
    }
}

fn told(recording: &Recording, rules: &Compiled, is_over: IsOver<'_>) -> Option<Vec<Told>> {
    let layers = Arc::new(Layers::from(Arc::clone(&rules.image)));
    let mut replay = begin(&layers);
    let mut all = Vec::new();
    for (index, event) in recording.events.iter().enumerate() {
        if index.is_multiple_of(BREATH) && is_over() {
            return None;
        }
        let decision = replay.apply(recording.session_of(event), &event.event);
        all.extend(spoken(&decision).map(|said| one(event.line, said, &layers)));
        if let Some(verdict) = decision.verdict.filter(|verdict| *verdict != Verdict::Allow) {
            all.push(Told {
                line: event.line,
                weight: Weight::Verdict,
                rule: String::new(),
                text: verdict.name().to_owned(),
            });
        }
        if all.len() >= MAX_TOLD {
            return Some(all);
        }
    }
    let settled = replay.finish();
    let line = recording.events.last().map_or(1, |last| last.line);
    for conclusion in settled.sessions.iter().map(|(_, it)| it).chain([&settled.trace]) {
        all.extend(found(&conclusion.findings).map(|said| one(line, said, &layers)));
    }
    Some(all)
}

fn one(line: u32, (speaker, action, message): (Speaker, Action, &str), layers: &Layers) -> Told {
    let weight = match (action, speaker) {
        (Action::Block, _) => Weight::Blocked,
        (Action::Ask, _) | (Action::Warn, Speaker::Policy(_)) => Weight::Asked,
        (Action::Warn, _) => Weight::Warned,
        (Action::Remind, _) => Weight::Reminded,
    };
    Told { line, weight, rule: speaker.name(layers).to_owned(), text: message.to_owned() }
}
