//! What a session remembers between events. Knows nothing of rules.

pub(crate) mod evidence;
pub(crate) mod names;

use evidence::Evidence;
use names::Names;

use crate::apart::Apart;
use crate::asked::Asked;
use crate::delivery::Told;
use crate::host::Fingerprint;
use behavior_facts::targets::Targets;
use behavior_image::Image;
use behavior_image::code::VerifierMode;
use behavior_image::format::{Section, SetRecord};

/// The state of one session.
#[derive(Clone, Debug)]
pub struct State {
    /// When the first event came, in milliseconds since the epoch, where that is known.
    pub since: Option<i64>,
    /// The turn, from 1; 0 before the first.
    pub turn: u32,
    /// Calls of this turn that have ended.
    pub turn_calls: u32,
    /// Calls that have ended.
    pub total_calls: u64,
    /// Whether the agent wrote text in this turn.
    pub text_this_turn: bool,
    /// The tool that ran last, by the index of its name, and how often in a row.
    pub(crate) streak: Option<(u32, u32)>,
    /// How many findings count as violations.
    pub violations: u64,
    /// The rule of the last violation.
    pub last_violation: Option<u32>,
    pub(crate) sets: Vec<TrackedSet>,
    pub(crate) counters: Vec<i64>,
    pub(crate) flags: Vec<bool>,
    pub(crate) recent: Recent,
    /// What the agent was told.
    pub(crate) told: Told,
    /// What the user asked for.
    pub(crate) asked: Asked,
    /// What the agent has looked at, where a verifier is told of it.
    pub(crate) evidence: Option<Box<Evidence>>,
    /// The last text of the response that has not ended, where something asks for it.
    pub(crate) response: Option<Box<str>>,
    /// The files that were spoken of, where a condition asks for them.
    pub(crate) names: Option<Box<Names>>,
    /// How many uses a set had at most that the rules do not have any more.
    pub(crate) most_uses: u64,
}

/// A set of targets, oldest use first.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackedSet {
    entries: Targets<Used>,
    /// How many uses there were.
    uses: u64,
    /// What the rules say of it.
    record: SetRecord,
    /// The rest of it, where that is kept apart: then the entries are those that are new or changed.
    apart: Option<Box<Apart>>,
}

/// An entry, and which use of the set was its last. Using one again leaves it where it stands: moving
/// it behind the others would take time for each of them.
#[derive(Clone, Copy, Debug)]
struct Used {
    entry: SetEntry,
    at: u64,
}

/// When a target was last used, and what the file looked like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetEntry {
    /// The turn of the last use.
    pub turn: u32,
    /// What the file looked like then, where the set keeps that.
    pub fingerprint: Option<Fingerprint>,
}

impl State {
    pub(crate) fn new(image: &Image) -> Self {
        let view = image.view();
        let sets = (0..image.rows::<SetRecord>(Section::Sets))
            .map(|set| TrackedSet { record: view.row(Section::Sets, set), ..TrackedSet::default() })
            .collect();
        Self {
            since: None,
            turn: 0,
            turn_calls: 0,
            total_calls: 0,
            text_this_turn: false,
            streak: None,
            violations: 0,
            last_violation: None,
            sets,
            counters: vec![0; image.counters().count()],
            flags: vec![false; image.flags().count()],
            recent: Recent::default(),
            told: Told::default(),
            asked: Asked::default(),
            evidence: image
                .verifier()
                .filter(|verifier| verifier.mode != VerifierMode::Off)
                .map(|verifier| Box::new(Evidence::of(verifier.window_turns))),
            response: None,
            names: image.checks_claims().then(Box::default),
            most_uses: 0,
        }
    }

    /// A new turn: what belongs to the turn starts again, what belongs to the session stays.
    pub(crate) fn start_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
        self.turn_calls = 0;
        self.text_this_turn = false;
        self.response = None;
        self.told.start_turn();
        let turn = self.turn;
        self.sets.iter_mut().for_each(|set| set.forget_expired(turn));
    }

    pub(crate) fn counter(&self, index: u32) -> i64 {
        self.counters.get(index as usize).copied().unwrap_or(0)
    }

    pub(crate) fn flag(&self, index: u32) -> bool {
        self.flags.get(index as usize).copied().unwrap_or(false)
    }

    pub(crate) fn set(&self, index: u32) -> Option<&TrackedSet> {
        self.sets.get(index as usize)
    }

    /// How many uses a set has had at most, one of now or of before.
    pub(crate) fn most_uses(&self) -> u64 {
        let apart = self.sets.iter().filter(|set| set.apart().is_some());
        apart.map(TrackedSet::uses).fold(self.most_uses, u64::max)
    }

    pub(crate) fn set_len(&self, index: u32) -> usize {
        self.set(index).map_or(0, TrackedSet::len)
    }
}

impl TrackedSet {
    pub fn len(&self) -> usize {
        match &self.apart {
            None => self.entries.len(),
            Some(apart) => apart.len(),
        }
    }

    pub fn contains(&self, target: &str) -> bool {
        match &self.apart {
            None => self.entries.get(target).is_some(),
            Some(_) => self.get(target).is_some(),
        }
    }

    pub fn get(&self, target: &str) -> Option<SetEntry> {
        self.used(target).map(|used| used.entry)
    }

    fn used(&self, target: &str) -> Option<Used> {
        match self.entries.get(target) {
            Some(used) => Some(*used),
            None => self.apart.as_ref()?.get(target).map(|(entry, at)| Used { entry, at }),
        }
    }

    /// Enters a target, or makes it the newest.
    pub fn add(&mut self, target: &str, entry: SetEntry) {
        if self.apart.is_some() {
            self.count(target, entry.turn);
        }
        self.uses = self.uses.saturating_add(1);
        self.entries.insert(target, Used { entry, at: self.uses });
    }

    /// Starts a target's window again, with a new fingerprint, if it is in the set.
    pub fn renew(&mut self, target: &str, entry: SetEntry) {
        if self.apart.is_some() {
            let Some(Used { at, .. }) = self.used(target) else { return };
            self.count(target, entry.turn);
            self.entries.insert(target, Used { entry, at });
        } else if let Some(known) = self.entries.get_mut(target) {
            known.entry = entry;
        }
    }

    /// Counts a target whose last use is in this turn now.
    #[cold]
    fn count(&mut self, target: &str, turn: u32) {
        let before = self.get(target).map(|known| known.turn);
        if let Some(apart) = &mut self.apart {
            apart.count(before, turn);
        }
    }

    /// Forgets all targets.
    pub fn clear(&mut self) {
        self.entries.clear();
        if let Some(apart) = &mut self.apart {
            apart.clear(self.uses);
        }
    }

    /// Forgets what was last used before the window.
    #[inline]
    pub fn forget_expired(&mut self, turn: u32) {
        if self.record.window != 0 {
            self.forget_before_window(turn);
        }
    }

    #[inline(never)]
    fn forget_before_window(&mut self, turn: u32) {
        let window = self.record.window;
        self.entries.retain(|used| turn.saturating_sub(used.entry.turn) < window);
        if let Some(apart) = &mut self.apart {
            apart.forget_before(turn.saturating_sub(window - 1));
        }
    }

    /// Enters so many targets, oldest use first; of one that comes twice, the last use counts.
    pub fn fill<'e>(&mut self, count: usize, entries: impl Iterator<Item = (&'e str, SetEntry)>) {
        self.entries.reserve(count);
        entries.for_each(|(target, entry)| self.add(target, entry));
    }

    /// Takes up what is kept of the set apart from the session.
    pub fn keep_apart(&mut self, apart: Apart, uses: u64) {
        self.uses = uses;
        self.apart = Some(Box::new(apart));
    }

    pub fn apart(&self) -> Option<&Apart> {
        self.apart.as_deref()
    }

    pub fn uses(&self) -> u64 {
        self.uses
    }

    pub fn window(&self) -> u32 {
        self.record.window
    }

    /// What the rules say of it.
    pub fn record(&self) -> &SetRecord {
        &self.record
    }

    /// The targets that are in memory, which use of the set was the last of each, and what that left; in no order.
    pub fn used_targets(&self) -> impl Iterator<Item = (&str, u64, &SetEntry)> {
        self.entries.iter().map(|(target, used)| (target, used.at, &used.entry))
    }

    /// The targets in memory and their last use, oldest use first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (&str, &SetEntry)> {
        let mut entries: Vec<(&str, &Used)> = self.entries.iter().collect();
        // Most often they are in order already, which takes one look at each.
        entries.sort_by_key(|(_, used)| used.at);
        entries.into_iter().map(|(target, used)| (target, &used.entry))
    }

    /// The targets in memory, oldest use first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.entries().map(|(target, _)| target)
    }
}

/// The last calls: tool name and target. Its strings are used again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recent {
    calls: Vec<(u32, String)>,
    /// Where the oldest stands, which the next one takes the place of.
    oldest: usize,
}

impl Recent {
    /// How many are kept.
    pub const KEPT: usize = 10;
    /// Targets are for people to read; a longer one is cut.
    const MAX_TARGET_LENGTH: usize = 200;
    /// For how long a target there is room at once.
    const ROOM: usize = 64;

    pub fn push(&mut self, name: u32, target: &str) {
        let Some(text) = self.next(name) else { return };
        text.clear();
        if target.len() <= Self::MAX_TARGET_LENGTH {
            text.push_str(target);
        } else {
            text.extend(target.chars().take(Self::MAX_TARGET_LENGTH));
        }
    }

    /// The same where nobody needs the text of the target any more: a short one is exchanged for another one, of which the
    /// memory is of use.
    #[inline]
    pub fn take(&mut self, name: u32, target: Option<&mut String>) {
        match target {
            Some(target) if target.capacity() <= Self::MAX_TARGET_LENGTH => {
                if let Some(text) = self.next(name) {
                    std::mem::swap(text, target);
                }
            }
            target => self.push(name, target.map_or("", |target| target)),
        }
    }

    /// The place of the next one, with the target of the one that it takes the place of.
    #[inline]
    fn next(&mut self, name: u32) -> Option<&mut String> {
        let place = self.oldest;
        self.oldest = if place + 1 == Self::KEPT { 0 } else { place + 1 };
        if self.calls.len() < Self::KEPT {
            self.make_room(place);
        }
        let (known, text) = self.calls.get_mut(place)?;
        *known = name;
        Some(text)
    }

    /// Makes room for one more.
    #[cold]
    fn make_room(&mut self, place: usize) {
        self.calls.reserve_exact(Self::KEPT - self.calls.len());
        self.calls.insert(place, (0, String::with_capacity(Self::ROOM)));
    }

    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns them, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &str)> {
        let is_full = self.calls.len() == Self::KEPT;
        let (newer, older) = self.calls.split_at(if is_full { self.oldest } else { 0 });
        older.iter().chain(newer).map(|(name, target)| (*name, target.as_str()))
    }
}

pub(crate) fn set_number<T>(numbers: &mut [T], index: usize, value: T) {
    if let Some(number) = numbers.get_mut(index) {
        *number = value;
    }
}
