//! Recordings under one set of rules: what was said on which events, kept small enough to be held against what other
//! rules say.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use behavior_lsp::{Change, Glimpse, Miss, OfRule, Seen, Spot};
use behavior_runtime::decision::{Action, Permission};
use behavior_runtime::explain::Explanation;
use behavior_runtime::{Decision, Image, Layers, Replay, Truth, Verdict};

use super::kept::{Kept, Recording};
use crate::diff::decided::{Direction, Speaker, found, is_silent, spoken};
use crate::explain::why::{distance, is_negated};
use crate::live::host::LiveHost;
use crate::schemas::WithSchemas;

/// How many events on which something was said are kept of a run; behind them, it is only counted.
const MAX_SPOKEN: usize = 500_000;
/// How many lines are named of a rule or a change.
const MAX_SPOTS: usize = 200;
/// After how many events somebody looks whether the answer is still wanted.
const BREATH: usize = 64;

/// Asks whether what is done is of no use any more.
pub type IsOver<'a> = &'a (dyn Fn() -> bool + Sync);

/// What was said on an event.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spoken {
    /// Its number in the file; that of what is found behind the last is their count.
    event: u32,
    line: u32,
    session: u32,
    is_denied: bool,
    said: Box<[(Speaker, Action)]>,
}

/// What came of one file.
#[derive(Debug, Default)]
struct OfFile {
    spoken: Vec<Spoken>,
    /// How often each rule of a policy decided, and in which sessions.
    decided: HashMap<u32, (u64, BTreeSet<u32>)>,
    /// How often nobody could tell whether a rule applies.
    undecided: HashMap<u32, u64>,
    /// How many events there was no place for.
    dropped: u64,
}

/// What came of all files.
#[derive(Debug)]
pub struct Replayed {
    layers: Arc<Layers>,
    files: Vec<(Arc<Recording>, OfFile)>,
}

/// Begins a replay.
#[must_use]
pub fn begin(layers: &Arc<Layers>) -> Replay {
    Replay::with_layers(Arc::clone(layers))
        .with_workflows(crate::workflow::for_replays())
        .with_host(Box::new(WithSchemas::new(None::<LiveHost<'_>>)))
}

impl Replayed {
    /// Lets rules decide on all events; `None` where nobody waits for that any more.
    pub fn new(
        image: &Arc<Image>,
        recordings: &[Arc<Recording>],
        is_over: IsOver<'_>,
    ) -> Option<Self> {
        let layers = Arc::new(Layers::from(Arc::clone(image)));
        let kept = AtomicUsize::new(0);
        let done = each(recordings, is_over, |recording| one(&layers, recording, &kept, is_over))?;
        let files = recordings.iter().map(Arc::clone).zip(done).collect();
        Some(Self { layers, files })
    }

    /// Returns what came of each rule, and of each rule of policies.
    #[must_use]
    pub fn by_rule(&self) -> (BTreeMap<String, OfRule>, BTreeMap<String, OfRule>) {
        let mut tally = Tally::default();
        for (number, (recording, file)) in (0_u32..).zip(&self.files) {
            for spoken in &file.spoken {
                for (speaker, action) in &spoken.said {
                    let spot = || Spot { path: Arc::clone(&recording.path), line: spoken.line };
                    tally.said(*speaker, *action, (number, spoken.session), spot);
                }
            }
            for (rule, times) in &file.undecided {
                tally.rules.entry(Speaker::Rule(*rule)).or_default().0.undecided += times;
            }
            for (rule, (times, sessions)) in &file.decided {
                tally.decided(*rule, *times, sessions.iter().map(|session| (number, *session)));
            }
        }
        let layers = &self.layers;
        let rules = (0..).zip(layers.rules().iter());
        let rules =
            rules.map(|(number, rule)| (rule.id.to_owned(), tally.take(Speaker::Rule(number))));
        let rules = rules.collect();
        let policy = (0..).zip(layers.policy().iter());
        let policy = policy.map(|(number, rule)| {
            (rule.name.to_owned(), tally.take(Speaker::Policy(Some(number))))
        });
        (rules, policy.collect())
    }

    /// Returns what changes from what other rules said of the same recordings to this.
    #[must_use]
    pub fn since(&self, before: &Self) -> Change {
        let mut change = Change::default();
        for ((recording, now), (_, then)) in self.files.iter().zip(&before.files) {
            let (mut now, mut then) = (now.spoken.iter().peekable(), then.spoken.iter().peekable());
            loop {
                let next = match (then.peek(), now.peek()) {
                    (Some(then), Some(now)) => then.event.min(now.event),
                    (Some(one), None) | (None, Some(one)) => one.event,
                    (None, None) => break,
                };
                let then = then.next_if(|spoken| spoken.event == next);
                let now = now.next_if(|spoken| spoken.event == next);
                let one = now.or(then).map_or(0, |spoken| spoken.line);
                if compare((then, &before.layers), (now, &self.layers), &mut change)
                    && change.spots.len() < MAX_SPOTS
                {
                    change.spots.push(Spot { path: Arc::clone(&recording.path), line: one });
                }
            }
        }
        change
    }

    /// Returns how many events there was no place for.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.files.iter().map(|(_, file)| file.dropped).sum()
    }
}

/// Takes what changes at one event; answers whether anything does.
fn compare(
    (then, old): (Option<&Spoken>, &Layers),
    (now, new): (Option<&Spoken>, &Layers),
    change: &mut Change,
) -> bool {
    let mut by_name: BTreeMap<&str, [Vec<Action>; 2]> = BTreeMap::new();
    for (speaker, action) in then.into_iter().flat_map(|spoken| &spoken.said) {
        by_name.entry(speaker.name(old)).or_default()[0].push(*action);
    }
    for (speaker, action) in now.into_iter().flat_map(|spoken| &spoken.said) {
        by_name.entry(speaker.name(new)).or_default()[1].push(*action);
    }
    let is_denied = |spoken: Option<&Spoken>| spoken.is_some_and(|spoken| spoken.is_denied);
    let mut is_changed = false;
    match (is_denied(then), is_denied(now)) {
        (false, true) => change.blocked += 1,
        (true, false) => change.freed += 1,
        _ => {}
    }
    for [before, after] in by_name.values() {
        match Direction::of(before, after) {
            None => continue,
            Some(Direction::Fires) => change.more += 1,
            Some(Direction::NoLongerFires) => change.fewer += 1,
            Some(Direction::Otherwise) => change.other += 1,
        }
        is_changed = true;
    }
    is_changed || is_denied(then) != is_denied(now)
}

/// Counts by rule.
#[derive(Default)]
struct Tally {
    rules: HashMap<Speaker, (OfRule, BTreeSet<(u32, u32)>)>,
}

impl Tally {
    fn said(
        &mut self,
        speaker: Speaker,
        action: Action,
        session: (u32, u32),
        spot: impl FnOnce() -> Spot,
    ) {
        let (of, sessions) = self.rules.entry(speaker).or_default();
        let is_policy = matches!(speaker, Speaker::Policy(_));
        of.fired += u64::from(!is_policy);
        of.blocked += u64::from(action == Action::Block);
        of.asked += u64::from(action == Action::Ask || is_policy && action != Action::Block);
        sessions.insert(session);
        if of.spots.len() < MAX_SPOTS {
            of.spots.push(spot());
        }
    }

    fn decided(&mut self, rule: u32, times: u64, by: impl Iterator<Item = (u32, u32)>) {
        let (of, sessions) = self.rules.entry(Speaker::Policy(Some(rule))).or_default();
        of.fired += times;
        sessions.extend(by);
    }

    fn take(&mut self, speaker: Speaker) -> OfRule {
        let (of, sessions) = self.rules.remove(&speaker).unwrap_or_default();
        OfRule { sessions: sessions.len() as u64, ..of }
    }
}

/// Does something with each recording, on all processors; `None` where nobody waits for that any more.
fn each<T: Send>(
    recordings: &[Arc<Recording>],
    is_over: IsOver<'_>,
    work: impl Fn(&Recording) -> T + Sync,
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::default();
    let run = || {
        while !is_over() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(recording) = recordings.get(at) else { return };
            let result = work(recording);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match processors.min(recordings.len()) {
        0 | 1 => run(),
        workers => std::thread::scope(|scope| {
            (1..workers).for_each(|_| drop(scope.spawn(run)));
            run();
        }),
    }
    if is_over() {
        return None;
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    Some(done.into_iter().map(|(_, result)| result).collect())
}

fn one(
    layers: &Arc<Layers>,
    recording: &Recording,
    kept: &AtomicUsize,
    is_over: IsOver<'_>,
) -> OfFile {
    let mut replay = begin(layers);
    let mut of_file = OfFile::default();
    for (index, event) in (0_u32..).zip(&recording.events) {
        if (index as usize).is_multiple_of(BREATH) && is_over() {
            return of_file;
        }
        let decision = replay.apply(recording.session_of(event), &event.event);
        of_file.take(index, event, &decision, kept);
    }
    of_file.end(recording, &mut replay);
    of_file
}

impl OfFile {
    fn take(&mut self, index: u32, kept: &Kept, decision: &Decision, room: &AtomicUsize) {
        // Where a rule may cover the call, it is that rule that has the user asked.
        let decides = |permission: Permission| permission.doubt.or(permission.rule);
        if let Some(rule) = decision.permission.and_then(decides) {
            let (times, sessions) = self.decided.entry(rule).or_default();
            *times += 1;
            sessions.insert(kept.session);
        }
        for undecided in &decision.undecided {
            *self.undecided.entry(undecided.rule).or_default() += 1;
        }
        if is_silent(decision) {
            return;
        }
        if room.fetch_add(1, Ordering::Relaxed) >= MAX_SPOKEN {
            self.dropped += 1;
            return;
        }
        self.spoken.push(Spoken {
            event: index,
            line: kept.line,
            session: kept.session,
            is_denied: decision.verdict == Some(Verdict::Deny),
            said: spoken(decision).map(|(speaker, action, _)| (speaker, action)).collect(),
        });
    }

    /// Takes what is found when the recording is over.
    fn end(&mut self, recording: &Recording, replay: &mut Replay) {
        let event = u32::try_from(recording.events.len()).unwrap_or(u32::MAX);
        let line = recording.events.last().map_or(1, |last| last.line);
        let settled = replay.finish();
        for conclusion in settled.sessions.iter().map(|(_, it)| it).chain([&settled.trace]) {
            for undecided in &conclusion.undecided {
                *self.undecided.entry(undecided.rule).or_default() += 1;
            }
        }
        let mut all: Vec<(Speaker, Action)> = Vec::new();
        for (_, conclusion) in &settled.sessions {
            all.extend(found(&conclusion.findings).map(|(speaker, action, _)| (speaker, action)));
        }
        all.extend(found(&settled.trace.findings).map(|(speaker, action, _)| (speaker, action)));
        if !all.is_empty() {
            let session = recording.events.last().map_or(0, |last| last.session);
            self.spoken.push(Spoken { event, line, session, is_denied: false, said: all.into() });
        }
    }
}

/// What is known of each rule that never fired, and of each condition.
#[derive(Debug, Default)]
pub struct Watched {
    /// Where each rule was nearest to firing, by its id.
    pub misses: BTreeMap<String, Miss>,
    /// What each condition saw last.
    pub conditions: Vec<Seen>,
}

/// How far a rule was from firing.
type Distance = (usize, usize);
/// A condition, by its line and column and the rule that has it.
type At = (u32, u32, u32);

#[derive(Default)]
struct Watching {
    nearest: HashMap<u32, (Distance, Miss)>,
    seen: HashMap<At, Seen>,
}

/// Watches rules decide on all events. That takes longer than to let them decide.
pub fn watch(
    image: &Arc<Image>,
    tests: &[usize],
    recordings: &[Arc<Recording>],
    is_over: IsOver<'_>,
) -> Option<Watched> {
    let layers = Arc::new(Layers::from(Arc::clone(image)));
    let done = each(recordings, is_over, |recording| {
        let mut replay = begin(&layers);
        let mut watching = Watching::default();
        for (index, event) in recording.events.iter().enumerate() {
            if index.is_multiple_of(BREATH) && is_over() {
                return watching;
            }
            let (_, explained) = replay.watch(recording.session_of(event), &event.event);
            if let Some(explanation) = explained.filter(|it| !it.rules.is_empty()) {
                watching.take(image, tests, &explanation, recording, event);
            }
        }
        watching
    })?;
    let mut whole = Watching::default();
    done.into_iter().for_each(|one| whole.join(one));
    let misses = whole
        .nearest
        .into_iter()
        .map(|(rule, (_, miss))| (image.rules().id(rule).to_owned(), miss));
    Some(Watched { misses: misses.collect(), conditions: whole.seen.into_values().collect() })
}

impl Watching {
    fn take(
        &mut self,
        image: &Image,
        tests: &[usize],
        explanation: &Explanation,
        recording: &Recording,
        event: &Kept,
    ) {
        let spot = || Spot { path: Arc::clone(&recording.path), line: event.line };
        for trace in &explanation.rules {
            let is_miss = trace.outcome == Truth::False;
            if let Some(last) = trace.steps.last().filter(|_| is_miss) {
                let far = distance(trace, tests);
                if self.nearest.get(&trace.rule).is_none_or(|(known, _)| far < *known) {
                    let condition = last.condition(image).map_or("", |(text, _)| text);
                    let not = if is_negated(trace) { "not " } else { "" };
                    let condition = format!("{not}{condition}");
                    let miss = Miss { spot: spot(), condition, saw: last.saw.clone() };
                    self.nearest.insert(trace.rule, (far, miss));
                }
            }
            let last = trace.steps.len().saturating_sub(1);
            for (at, step) in trace.steps.iter().enumerate() {
                let Some((text, place)) = step.condition(image) else { continue };
                let glimpse = Glimpse {
                    held: match step.result {
                        Truth::True => Some(true),
                        Truth::False => Some(false),
                        Truth::Opaque | Truth::Unknown => None,
                    },
                    saw: step.saw.clone(),
                    spot: spot(),
                };
                let decided = (at == last).then(|| glimpse.clone());
                let holds = u64::from(step.result == Truth::True);
                let at = (place.line, place.column, trace.rule);
                match self.seen.get_mut(&at) {
                    Some(seen) => {
                        seen.asked += 1;
                        seen.holds += holds;
                        seen.last = glimpse;
                        seen.decided = decided.or_else(|| seen.decided.take());
                    }
                    None => {
                        let seen = Seen {
                            file: place.file.to_owned(),
                            line: place.line,
                            column: place.column,
                            condition: text.to_owned(),
                            asked: 1,
                            holds,
                            last: glimpse,
                            decided,
                        };
                        self.seen.insert(at, seen);
                    }
                }
            }
        }
    }

    /// Adds what was seen in a later recording.
    fn join(&mut self, later: Self) {
        for (rule, (far, miss)) in later.nearest {
            if self.nearest.get(&rule).is_none_or(|(known, _)| far < *known) {
                self.nearest.insert(rule, (far, miss));
            }
        }
        for (at, mut seen) in later.seen {
            if let Some(known) = self.seen.get(&at) {
                seen.asked += known.asked;
                seen.holds += known.holds;
                seen.decided = seen.decided.or_else(|| known.decided.clone());
            }
            self.seen.insert(at, seen);
        }
    }
}
