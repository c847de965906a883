//! Sets whose targets are kept apart from the session: one that decides few events a process looks up those that it
//! needs, and tells at its end which are new. What is here says which of the kept ones are still in the set. No IO:
//! who keeps them is a [`KeptSets`].

use std::fmt;
use std::sync::Arc;

use crate::state::SetEntry;

/// A target that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptEntry {
    /// What its last use left.
    pub entry: SetEntry,
    /// Which use of the set that was; a set may be emptied, and later uses have higher numbers.
    pub at: u64,
}

/// Keeps the targets of a session's sets, under the names of the sets. What cannot be read is answered as unknown:
/// who keeps them says so to who asked for the decision, which then does not count.
pub trait KeptSets: fmt::Debug + Send + Sync {
    /// Returns what was kept last of a target.
    fn get(&self, set: &str, target: &str) -> Option<KeptEntry>;
    /// Returns what was kept last of each target of a set, in any order. Asked for only where rules have changed.
    fn all(&self, set: &str) -> Vec<KeptEntry>;
}

/// Which targets that are kept apart are in a set, and how many these are.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    kept: Arc<dyn KeptSets>,
    name: Box<str>,
    pub bounds: Bounds,
}

/// What a session remembers of a set whose targets are kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Uses up to this one are forgotten.
    pub after: u64,
    /// Uses in turns before this one are, too.
    pub since: u32,
    /// Whether the targets are counted by turns: where there is a window.
    pub is_by_turns: bool,
    /// How many targets were used last in each turn, the earliest first; all together stand under turn 0.
    pub counts: Vec<(u32, u64)>,
}

impl Bounds {
    /// Whether a kept target is in the set.
    pub fn admit(&self, kept: &KeptEntry) -> bool {
        kept.at > self.after && kept.entry.turn >= self.since
    }
}

impl Apart {
    /// Takes up a set. What its window of now does not hold any more is forgotten for good.
    pub fn new(kept: Arc<dyn KeptSets>, name: &str, bounds: Bounds, has_window: bool) -> Self {
        let mut apart = Self { kept, name: name.into(), bounds };
        if apart.bounds.is_by_turns && !has_window {
            let all = apart.len() as u64;
            apart.bounds.counts = vec![(0, all)];
        } else if has_window && !apart.bounds.is_by_turns {
            apart.bounds.counts.clear();
            for kept in apart.kept.all(name) {
                if apart.bounds.admit(&kept) {
                    apart.enter(kept.entry.turn);
                }
            }
        }
        apart.bounds.is_by_turns = has_window;
        apart
    }

    pub fn len(&self) -> usize {
        self.bounds.counts.iter().fold(0, |all, (_, count)| all.saturating_add(*count as usize))
    }

    pub fn get(&self, target: &str) -> Option<(SetEntry, u64)> {
        let kept = self.kept.get(&self.name, target).filter(|kept| self.bounds.admit(kept))?;
        Some((kept.entry, kept.at))
    }

    /// Counts a target that is used in a turn, and was in another one before if it was in the set.
    pub fn count(&mut self, before: Option<u32>, turn: u32) {
        if let Some(before) = before {
            let before = self.place(before);
            if let Some((_, count)) = self.bounds.counts.iter_mut().find(|(at, _)| *at == before) {
                *count = count.saturating_sub(1);
            }
            self.bounds.counts.retain(|(_, count)| *count > 0);
        }
        if self.bounds.is_by_turns { self.enter(turn) } else { self.enter(0) }
    }

    fn place(&self, turn: u32) -> u32 {
        if self.bounds.is_by_turns { turn } else { 0 }
    }

    fn enter(&mut self, turn: u32) {
        let counts = &mut self.bounds.counts;
        match counts.binary_search_by_key(&turn, |(at, _)| *at) {
            Ok(known) => {
                if let Some((_, count)) = counts.get_mut(known) {
                    *count = count.saturating_add(1);
                }
            }
            Err(place) => counts.insert(place, (turn, 1)),
        }
    }

    pub fn clear(&mut self, uses: u64) {
        self.bounds.after = uses;
        self.bounds.counts.clear();
    }

    pub fn forget_before(&mut self, turn: u32) {
        self.bounds.since = self.bounds.since.max(turn);
        self.bounds.counts.retain(|(at, _)| *at >= turn);
    }
}
