//! What of a session makes decisions stricter for all who work in it, its agent and the sub-agents of that: where files
//! were moved, which were written, what was set up to be said to the agent, and what the user said no to. No IO: who keeps
//! it between them is the caller.

use std::collections::{BTreeMap, BTreeSet};

use behavior_image::code::PathUse;
use behavior_image::format::{Section, SetRecord};

use crate::asked::Refused;
use crate::session::Session;
use crate::state::SetEntry;

/// What one who works in a session knows, and all who do are to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedFacts {
    /// Where files were moved, and which were written, by the name of the set.
    pub targets: BTreeMap<String, BTreeSet<String>>,
    /// The hashes of what was set up to be said to the agent.
    pub scheduled: BTreeSet<u64>,
    /// Whether more was set up than is kept.
    pub overflowed: bool,
    /// What the user said no to; `None` from one whom no user speaks to.
    pub refused: Option<Refused>,
}

impl SharedFacts {
    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let has_files = !self.targets.is_empty();
        !has_files && self.scheduled.is_empty() && !self.overflowed && self.refused.is_none()
    }

    /// Takes up the facts of another one.
    pub fn extend(&mut self, other: Self) {
        for (set, targets) in other.targets {
            self.targets.entry(set).or_default().extend(targets);
        }
        self.scheduled.extend(other.scheduled);
        self.overflowed |= other.overflowed;
        // What the user says now counts.
        self.refused = other.refused.or(self.refused.take());
    }
}

impl Session {
    /// Returns what all who work in the session are to know; of sets whose targets are kept apart, what is new. A sub-agent's
    /// session `hears_user` not.
    #[must_use]
    pub fn shared_facts(&self, hears_user: bool) -> SharedFacts {
        let state = &self.engine.state;
        let mut of_sets = BTreeMap::new();
        for (name, index) in self.shared_sets() {
            let set = state.sets.get(index).into_iter();
            let targets: BTreeSet<String> = set
                .flat_map(|set| set.used_targets())
                .map(|(target, ..)| target.to_owned())
                .collect();
            if !targets.is_empty() {
                of_sets.insert(name, targets);
            }
        }
        let scheduled = &state.asked.scheduled;
        SharedFacts {
            targets: of_sets,
            scheduled: scheduled.hashes().collect(),
            overflowed: scheduled.overflowed,
            refused: hears_user.then(|| state.asked.refused()),
        }
    }

    /// Takes up what others who work in the session know: what the user said no to, where it `hears_user` not itself.
    pub fn take_shared_facts(&mut self, facts: &SharedFacts, hears_user: bool) {
        let sets = self.shared_sets();
        let state = &mut self.engine.state;
        let entry = SetEntry { turn: state.turn, fingerprint: None };
        for (name, index) in sets {
            let Some(set) = state.sets.get_mut(index) else { continue };
            for target in facts.targets.get(&name).into_iter().flatten() {
                if !set.contains(target) {
                    set.add(target, entry);
                }
            }
        }
        let scheduled = &mut state.asked.scheduled;
        facts.scheduled.iter().for_each(|hash| scheduled.add_hash(*hash));
        scheduled.overflowed |= facts.overflowed;
        if let Some(refused) = facts.refused.as_ref().filter(|_| !hears_user) {
            state.asked.take_refused(&self.engine.image, refused, &mut String::new());
        }
    }

    /// The sets that take where files are moved, or for the whole session what is written and nothing else, by their names.
    fn shared_sets(&self) -> Vec<(String, usize)> {
        let image = &self.engine.image;
        let takes = |(index, _): &(usize, &str)| {
            let record: SetRecord = image.view().row(Section::Sets, *index as u32);
            let is_written = record.paths == PathUse::Written.bit() && record.window == 0;
            PathUse::Moved.is_in(record.paths) || is_written
        };
        let sets = image.sets().enumerate().filter(takes);
        sets.map(|(index, name)| (name.to_owned(), index)).collect()
    }
}
