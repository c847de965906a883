//! A session as bytes, for those who decide one event a process: [`Session::save`] writes everything
//! that must outlive the process, [`Session::restore`] takes it up again, [`Saved`] shows it to
//! people without any rules. No IO: where the bytes are kept, and that they come back as they were
//! written, is the caller's to see to; there is no checksum in here.
//!
//! Sets, counters, flags, rules and tools stand by their names, so that the rules may change while a
//! session goes on: what the new rules know by the same name is kept, the rest is dropped, and what
//! is new starts fresh.
//!
//! The targets of sets may be kept apart, by a [`KeptSets`], so that what is saved does not grow with what
//! the session has met: [`Session::restore_apart`] looks up those that an event needs, and
//! [`Session::targets_to_keep`] tells which are new or changed.
//!
//! Of calls that wait for their results, no parameters are kept. They serve results that do not repeat
//! their call: restored between the two, a session takes such a result as an orphan where it names no
//! tool, and as one without parameters where it does. It then enters no target and no rule on its
//! parameters fires. Where sets take calls when they are made, it is kept which calls wait and whether
//! they were taken, so that their results do not enter them once more. Live agents repeat the call
//! with its result, and nothing is lost.

mod asked;
mod bytes;
mod error;
mod evidence;
mod told;
mod watch;

use std::collections::HashMap;
use std::sync::Arc;

use crate::apart::{Apart, Bounds, KeptEntry, KeptSets};
use crate::context::{OpenCalls, Remnant};
use crate::engine::{Engine, Started};
use crate::host::Fingerprint;
use crate::permission::mode_named;
use crate::report::StateReport;
use crate::session::Session;
use crate::state::{Recent, SetEntry, State};
use behavior_image::Image;
use behavior_image::code::{ApprovalMode, Change};
use behavior_image::format::{Section, Transition};

use bytes::{Reader, put_number, put_optional, put_signed, put_text};
use error::damaged;
pub use error::{SavedError, VERSION};

const MAGIC: [u8; 3] = *b"BHS";
/// What is saved in place of a target with a secret, where targets are shown only.
pub const SECRET: &str = "(a target with a secret)";

/// Which parts of a fingerprint are saved.
#[derive(Clone, Copy)]
enum Measured {
    Nothing = 0,
    Both = 1,
    Size = 2,
    Mtime = 3,
}

impl Measured {
    fn of(size: bool, mtime: bool) -> Self {
        match (size, mtime) {
            (false, false) => Self::Nothing,
            (true, true) => Self::Both,
            (true, false) => Self::Size,
            (false, true) => Self::Mtime,
        }
    }

    fn from_number(number: u8) -> Option<Self> {
        [Self::Nothing, Self::Both, Self::Size, Self::Mtime]
            .into_iter()
            .find(|told| *told as u8 == number)
    }
}

impl Session {
    /// Appends the session to `out`, without the parameters of calls that wait for their results.
    pub fn save(&self, out: &mut Vec<u8>) {
        let (state, start, image) = (&self.engine.state, &self.engine.start, &self.engine.image);
        out.extend(MAGIC);
        out.push(VERSION);
        put_optional(start.agent.as_deref(), out);
        put_optional(start.cwd.as_deref(), out);
        put_optional(start.mode.as_deref(), out);
        put_optional(self.engine.mode.map(ApprovalMode::name), out);
        out.push(u8::from(start.headless));
        out.push(u8::from(start.is_subagent));
        put_optional(start.branch.as_deref(), out);
        put_number(start.off.len() as u64, out);
        start.off.iter().for_each(|rule| put_text(image.rules().id(*rule), out));
        put_number(state.since.map_or(0, |since| since.max(0) as u64 + 1), out);
        out.push(u8::from(state.text_this_turn));
        put_number(state.turn.into(), out);
        put_number(state.turn_calls.into(), out);
        put_number(state.total_calls, out);
        put_number(state.violations, out);
        put_optional(state.last_violation.map(|rule| image.rules().id(rule)), out);
        // Where to look for it first: there may be thousands of rules.
        put_number(state.last_violation.unwrap_or(0).into(), out);
        put_optional(state.streak.map(|(tool, _)| self.engine.tools.name(tool)), out);
        put_number(state.streak.map_or(0, |(_, length)| length.into()), out);
        put_number(state.recent.len() as u64, out);
        for (tool, target) in state.recent.iter() {
            put_text(self.engine.tools.name(tool), out);
            // It is shown to people only.
            let has_secret = behavior_secrets::is_to_be_hidden(target);
            put_text(if has_secret { SECRET } else { target }, out);
        }
        self.save_tracked(out);
        self.save_open(out);
        told::save(&state.told, image, out);
        asked::save(&state.asked, image, out);
        evidence::save(state, out);
        watch::save(self, out);
    }

    /// Which calls wait for their results, where it matters that a call was seen.
    fn save_open(&self, out: &mut Vec<u8>) {
        let takes_all = takes_calls(&self.engine.image);
        let matters = |call: &Remnant<'_>| takes_all || !call.made.is_empty();
        put_number(self.engine.open.remnants().filter(matters).count() as u64, out);
        for call in self.engine.open.remnants().filter(matters) {
            out.push(u8::from(call.is_counted));
            put_optional(call.id, out);
            put_text(self.engine.tools.name(call.name), out);
            put_number(call.started.len() as u64, out);
            for counter in call.started {
                put_text(self.engine.image.counters().nth(*counter as usize).unwrap_or(""), out);
            }
            put_number(call.made.len() as u64, out);
            call.made.iter().for_each(|path| put_text(path, out));
        }
    }

    fn save_tracked(&self, out: &mut Vec<u8>) {
        let (state, image) = (&self.engine.state, &self.engine.image);
        put_number(state.most_uses(), out);
        put_number(state.sets.len() as u64, out);
        for (name, set) in image.sets().zip(&state.sets) {
            put_text(name, out);
            out.push(u8::from(set.apart().is_some()));
            if let Some(apart) = set.apart() {
                put_number(set.uses(), out);
                put_bounds(&apart.bounds, out);
                continue;
            }
            put_number(set.len() as u64, out);
            for (target, entry) in set.entries() {
                put_text(target, out);
                put_number(entry.turn.into(), out);
                let Fingerprint { size, mtime } = entry.fingerprint.unwrap_or_default();
                out.push(Measured::of(size.is_some(), mtime.is_some()) as u8);
                size.into_iter().for_each(|size| put_number(size, out));
                mtime.into_iter().for_each(|mtime| put_signed(mtime, out));
            }
        }
        put_number(state.counters.len() as u64, out);
        for (name, value) in image.counters().zip(&state.counters) {
            put_text(name, out);
            put_signed(*value, out);
        }
        put_number(state.flags.len() as u64, out);
        for (name, value) in image.flags().zip(&state.flags) {
            put_text(name, out);
            out.push(u8::from(*value));
        }
    }

    /// Takes up a session that was saved, under an image that may be another by now.
    ///
    /// # Errors
    /// When the bytes are no saved session, were saved by another version, or are damaged.
    pub fn restore(image: Arc<Image>, bytes: &[u8]) -> Result<Self, SavedError> {
        let saved = Saved::read(bytes)?;
        match saved.sets.iter().any(|(_, set)| matches!(set, SavedSet::Apart { .. })) {
            true => Err(damaged("the targets of its sets are kept apart, and they are not here")),
            false => Ok(saved.resume(image, None)),
        }
    }

    /// Takes up a session that was saved under other rules. What these name and those did not begins with what
    /// `beside` knows of the session.
    ///
    /// # Errors
    /// As [`Session::restore`].
    pub fn restore_beside(
        image: Arc<Image>,
        bytes: &[u8],
        beside: &Self,
    ) -> Result<Self, SavedError> {
        let mut known = Vec::new();
        beside.save(&mut known);
        let mut saved = Saved::read(bytes)?;
        saved.add_unnamed(Saved::read(&known)?);
        let mut session = saved.resume(image, None);
        session.forget_rules();
        Ok(session)
    }

    /// Returns the session as it is under an image with other rules: sets, counters and flags that it knows by the
    /// same name are kept, and what is remembered of rules is not. Targets that are kept apart stay there.
    #[must_use]
    pub fn under(&self, image: Arc<Image>) -> Self {
        let mut bytes = Vec::new();
        self.save(&mut bytes);
        let mut session = match Saved::read(&bytes) {
            Ok(saved) => saved.resume(image, None),
            // What was written just now can be read.
            Err(_) => Self::new(image),
        };
        session.forget_rules();
        session
    }

    /// As [`Session::under`]; what the image names and this session's did not begins with what `beside` knows.
    #[must_use]
    pub fn under_beside(&self, image: Arc<Image>, beside: &Self) -> Self {
        let mut bytes = Vec::new();
        self.save(&mut bytes);
        // What was written just now can be read.
        Self::restore_beside(Arc::clone(&image), &bytes, beside)
            .unwrap_or_else(|_| Self::new(image))
    }

    /// Forgets what is remembered of rules by their ids: that they were told, and that they are off.
    pub(crate) fn forget_rules(&mut self) {
        self.engine.state.told.clear();
        self.engine.state.last_violation = None;
        self.engine.start.off.clear();
    }

    /// Takes up a session whose sets' targets are kept apart.
    ///
    /// # Errors
    /// As [`Session::restore`].
    pub fn restore_apart(
        image: Arc<Image>,
        bytes: &[u8],
        kept: &Arc<dyn KeptSets>,
    ) -> Result<Self, SavedError> {
        Ok(Saved::read(bytes)?.resume(image, Some(kept)))
    }

    /// A session in which nothing has happened yet, and whose sets' targets will be kept apart.
    #[must_use]
    pub fn new_apart(image: Arc<Image>, kept: &Arc<dyn KeptSets>) -> Self {
        let mut session = Self::new(Arc::clone(&image));
        for (name, set) in image.sets().zip(&mut session.engine.state.sets) {
            set.keep_apart(
                Apart::new(Arc::clone(kept), name, Bounds::default(), set.window() > 0),
                0,
            );
        }
        session
    }

    /// The targets that are new or changed since the session was taken up, of sets whose targets are kept
    /// apart: the name of the set, the target, and what to keep.
    pub fn targets_to_keep(&self) -> impl Iterator<Item = (&str, &str, KeptEntry)> {
        let sets = self.engine.image.sets().zip(&self.engine.state.sets);
        sets.filter(|(_, set)| set.apart().is_some()).flat_map(|(name, set)| {
            set.used_targets()
                .map(move |(target, at, entry)| (name, target, KeptEntry { entry: *entry, at }))
        })
    }

    /// Returns whether a target that is kept apart is still in its set.
    #[must_use]
    pub fn admits(&self, set: &str, kept: &KeptEntry) -> bool {
        let mut sets = self.engine.image.sets().zip(&self.engine.state.sets);
        let found = sets.find(|(name, _)| *name == set).and_then(|(_, set)| set.apart());
        found.is_some_and(|apart| apart.bounds.admit(kept))
    }
}

/// A target of a set that is kept apart, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTarget {
    /// The name of the set.
    pub set: String,
    /// The target.
    pub target: String,
    /// What is kept of it.
    pub kept: KeptEntry,
}

fn put_bounds(bounds: &Bounds, out: &mut Vec<u8>) {
    put_number(bounds.after, out);
    put_number(bounds.since.into(), out);
    out.push(u8::from(bounds.is_by_turns));
    put_number(bounds.counts.len() as u64, out);
    for (turn, count) in &bounds.counts {
        put_number((*turn).into(), out);
        put_number(*count, out);
    }
}

/// A saved session, read without any rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<'b> {
    agent: Option<&'b str>,
    cwd: Option<&'b str>,
    mode: Option<&'b str>,
    set_mode: Option<ApprovalMode>,
    headless: bool,
    is_subagent: bool,
    branch: Option<&'b str>,
    off: Vec<&'b str>,
    since: Option<i64>,
    text_this_turn: bool,
    turn: u32,
    turn_calls: u32,
    total_calls: u64,
    violations: u64,
    last_violation: Option<&'b str>,
    last_violation_at: u32,
    streak: Option<(&'b str, u32)>,
    recent: Vec<(&'b str, &'b str)>,
    most_uses: u64,
    sets: Vec<(&'b str, SavedSet<'b>)>,
    counters: Vec<(&'b str, i64)>,
    flags: Vec<(&'b str, bool)>,
    open: Vec<OpenCall<'b>>,
    told: told::SavedTold<'b>,
    asked: asked::SavedAsked<'b>,
    evidence: evidence::SavedEvidence<'b>,
    watch: watch::SavedWatch<'b>,
}

/// A call that waits for its result.
#[derive(Clone, Debug, PartialEq)]
struct OpenCall<'b> {
    is_counted: bool,
    id: Option<&'b str>,
    tool: &'b str,
    started: Vec<&'b str>,
    made: Vec<&'b str>,
}

/// What was saved of a set.
#[derive(Clone, Debug, PartialEq)]
enum SavedSet<'b> {
    Here(Entries<'b>),
    Apart { uses: u64, bounds: Bounds },
}

/// The entries of a set, which were looked at before and are read again where they are used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entries<'b> {
    count: usize,
    last_turn: u32,
    bytes: &'b [u8],
}

impl<'b> Entries<'b> {
    fn iter(self) -> impl Iterator<Item = (&'b str, SetEntry)> {
        let mut reader = Reader { rest: self.bytes };
        (0..self.count).map_while(move |_| reader.entry(self.last_turn).ok())
    }
}

impl<'b> Saved<'b> {
    /// Reads what [`Session::save`] wrote.
    ///
    /// # Errors
    /// As [`Session::restore`].
    pub fn read(bytes: &'b [u8]) -> Result<Self, SavedError> {
        let Some((head, rest)) = bytes.split_first_chunk::<4>() else {
            return Err(SavedError::NotASession);
        };
        let [magic @ .., version] = *head;
        if magic != MAGIC {
            return Err(SavedError::NotASession);
        }
        if version != VERSION {
            return Err(SavedError::Version { found: version });
        }
        let mut reader = Reader { rest };
        let saved = reader.session()?;
        if !reader.rest.is_empty() {
            return Err(damaged("something follows its end"));
        }
        Ok(saved)
    }

    /// The agent's name, where it was told.
    #[must_use]
    pub fn agent(&self) -> Option<&'b str> {
        self.agent
    }

    /// The working directory, where it was told.
    #[must_use]
    pub fn cwd(&self) -> Option<&'b str> {
        self.cwd
    }

    /// The approval mode, where it was told.
    #[must_use]
    pub fn mode(&self) -> Option<&'b str> {
        self.mode
    }

    /// Whether nobody is there to answer questions.
    #[must_use]
    pub fn is_headless(&self) -> bool {
        self.headless
    }

    /// The state in terms for people, in the names that the rules of then gave, without the targets of sets
    /// that are kept apart.
    #[must_use]
    pub fn report(&self) -> StateReport<'b> {
        self.report_with(&[])
    }

    /// The state in terms for people, with what is kept of its sets apart.
    #[must_use]
    pub fn report_with(&self, kept: &'b [KeptTarget]) -> StateReport<'b> {
        let relative = |target: &'b str| behavior_facts::path::relative_to(target, self.cwd);
        let targets = |name: &str, set: &SavedSet<'b>| match set {
            SavedSet::Here(entries) => entries.iter().map(|(target, _)| relative(target)).collect(),
            SavedSet::Apart { bounds, .. } => {
                let is_in = |known: &&KeptTarget| known.set == name && bounds.admit(&known.kept);
                let mut found: Vec<&'b KeptTarget> = kept.iter().filter(is_in).collect();
                found.sort_by_key(|known| known.kept.at);
                found.into_iter().map(|known| relative(&known.target)).collect()
            }
        };
        StateReport {
            turn: self.turn,
            calls_this_turn: self.turn_calls,
            total_calls: self.total_calls,
            streak: self.streak,
            violations: self.violations,
            last_violation: self.last_violation,
            sets: self.sets.iter().map(|(name, set)| (*name, targets(name, set))).collect(),
            counters: self.counters.clone(),
            flags: self.flags.clone(),
            recent: self.recent.clone(),
        }
    }

    /// Adds what another session knows by names that this one does not have. Targets that are kept apart stay there.
    fn add_unnamed(&mut self, other: Self) {
        fn add<'b, T>(to: &mut Vec<(&'b str, T)>, from: Vec<(&'b str, T)>) {
            for (name, value) in from {
                if to.iter().all(|(known, _)| *known != name) {
                    to.push((name, value));
                }
            }
        }
        let here = other.sets.into_iter().filter(|(_, set)| matches!(set, SavedSet::Here(_)));
        add(&mut self.sets, here.collect());
        add(&mut self.counters, other.counters);
        add(&mut self.flags, other.flags);
    }

    /// The session, under an image: what it knows by name is kept.
    fn resume(self, image: Arc<Image>, kept: Option<&Arc<dyn KeptSets>>) -> Session {
        let mut session = Session::new(image);
        let Engine { image, state, tools, open, .. } = &mut session.engine;
        *state = State {
            turn: self.turn,
            turn_calls: self.turn_calls,
            total_calls: self.total_calls,
            since: self.since,
            text_this_turn: self.text_this_turn,
            streak: self.streak.map(|(tool, length)| (tools.name_index(tool), length)),
            violations: self.violations,
            last_violation: self.last_violation.and_then(|id| {
                let at = self.last_violation_at;
                if image.rules().id(at) == id { Some(at) } else { image.rules().find(id) }
            }),
            ..State::new(image)
        };
        for (tool, target) in self.recent {
            state.recent.push(tools.name_index(tool), target);
        }
        let uses = |(_, set): &(&str, SavedSet<'_>)| match set {
            SavedSet::Here(_) => 0,
            SavedSet::Apart { uses, .. } => *uses,
        };
        state.most_uses = self.sets.iter().map(uses).fold(self.most_uses, u64::max);
        let names = image.sets();
        for ((saved, name), set) in
            in_order(image.sets(), self.sets).zip(names).zip(&mut state.sets)
        {
            // What is kept under the name of a set that is new was another one's.
            let (uses, mut bounds) =
                (state.most_uses, Bounds { after: state.most_uses, ..Bounds::default() });
            let (uses, entries) = match saved {
                Some(SavedSet::Apart { uses, bounds: saved }) => {
                    bounds = saved;
                    (uses, Entries::default())
                }
                Some(SavedSet::Here(entries)) => (uses, entries),
                None => (uses, Entries::default()),
            };
            if let Some(kept) = kept {
                let has_window = set.window() > 0;
                set.keep_apart(Apart::new(Arc::clone(kept), name, bounds, has_window), uses);
            }
            set.fill(entries.count, entries.iter());
            // The rules may have made the window smaller.
            set.forget_expired(self.turn);
        }
        for (value, counter) in in_order(image.counters(), self.counters).zip(&mut state.counters) {
            *counter = value.unwrap_or(0);
        }
        for (value, flag) in in_order(image.flags(), self.flags).zip(&mut state.flags) {
            *flag = value.unwrap_or(false);
        }
        state.told = self.told.resume(image);
        state.asked = self.asked.resume(image);
        self.evidence.resume(state);
        let takes_all = takes_calls(image);
        let remnants = self.open.into_iter().filter(|call| takes_all || !call.made.is_empty());
        for OpenCall { is_counted, id, tool, started, made } in remnants {
            let of_name = |name: &&str| image.counters().position(|counter| counter == *name);
            let started: Vec<u32> =
                started.iter().filter_map(of_name).map(|index| index as u32).collect();
            let name = tools.name_index(tool);
            let made: Vec<String> = made.into_iter().map(str::to_owned).collect();
            open.keep_remnant(&Remnant { id, name, is_counted, started: &started, made: &made });
        }
        session.engine.start = Started {
            agent: self.agent.map(str::to_owned),
            cwd: self.cwd.map(str::to_owned),
            mode: self.mode.map(str::to_owned),
            headless: self.headless,
            is_subagent: self.is_subagent,
            branch: self.branch.map(str::to_owned),
            off: self
                .off
                .into_iter()
                .filter_map(|id| session.engine.image.rules().find(id))
                .collect(),
        };
        session.engine.mode = self.set_mode;
        (session.monitors.watch, session.monitors.trace) = self.watch.resume(&session.engine.image);
        session
    }
}

/// Whether an image has sets that take calls when they are made, or counters that count them then.
fn takes_calls(image: &Image) -> bool {
    let view = image.view();
    let row = |row| view.row::<Transition>(Section::Transitions, row).change;
    (0..image.rows::<Transition>(Section::Transitions)).any(|transition| {
        [Change::AddOnCall as u32, Change::IncrementOnCall as u32].contains(&row(transition))
    })
}

/// The saved value of each of the names, where there is one. Most often the names are the same in
/// the same order, and nothing has to be looked up.
fn in_order<'i, 'b, T>(
    names: impl Iterator<Item = &'i str>,
    saved: Vec<(&'b str, T)>,
) -> impl Iterator<Item = Option<T>> {
    let mut saved = saved.into_iter().peekable();
    let mut others: Option<HashMap<&'b str, T, foldhash::fast::RandomState>> = None;
    names.map(move |name| {
        if others.is_none()
            && let Some((_, value)) = saved.next_if(|(saved, _)| *saved == name)
        {
            return Some(value);
        }
        others.get_or_insert_with(|| saved.by_ref().collect()).remove(name)
    })
}

impl<'b> Reader<'b> {
    fn session(&mut self) -> Result<Saved<'b>, SavedError> {
        let mut saved = Saved {
            agent: self.optional()?,
            cwd: self.optional()?,
            mode: self.optional()?,
            set_mode: match self.optional()? {
                None => None,
                Some(name) => {
                    Some(mode_named(name).ok_or(damaged("its approval mode is unknown"))?)
                }
            },
            headless: self.yes_or_no()?,
            is_subagent: self.yes_or_no()?,
            branch: self.optional()?,
            off: self.list(Self::text)?,
            since: self.number()?.checked_sub(1).and_then(|since| i64::try_from(since).ok()),
            text_this_turn: self.yes_or_no()?,
            turn: self.small_number()?,
            turn_calls: self.small_number()?,
            total_calls: self.number()?,
            violations: self.number()?,
            last_violation: self.optional()?,
            last_violation_at: self.small_number()?,
            streak: None,
            recent: Vec::new(),
            most_uses: 0,
            sets: Vec::new(),
            counters: Vec::new(),
            flags: Vec::new(),
            open: Vec::new(),
            told: told::SavedTold::default(),
            asked: asked::SavedAsked::default(),
            evidence: evidence::SavedEvidence::default(),
            watch: watch::SavedWatch::default(),
        };
        let (tool, length) = (self.optional()?, self.small_number()?);
        saved.streak = tool.map(|tool| (tool, length));
        saved.recent = self.list(|reader| Ok((reader.text()?, reader.text()?)))?;
        if saved.recent.len() > Recent::KEPT {
            return Err(damaged("it remembers too many recent calls"));
        }
        let turn = saved.turn;
        saved.most_uses = self.number()?;
        saved.sets = self.list(|reader| Ok((reader.text()?, reader.set(turn)?)))?;
        saved.counters = self.list(|reader| Ok((reader.text()?, reader.signed()?)))?;
        saved.flags = self.list(|reader| Ok((reader.text()?, reader.yes_or_no()?)))?;
        saved.open = self.list(|reader| {
            let is_counted = reader.yes_or_no()?;
            let (id, tool) = (reader.optional()?, reader.text()?);
            let (started, made) = (reader.list(Reader::text)?, reader.list(Reader::text)?);
            Ok(OpenCall { is_counted, id, tool, started, made })
        })?;
        if saved.open.len() > OpenCalls::MAX {
            return Err(damaged("it waits for the results of too many calls"));
        }
        saved.told = self.told()?;
        saved.asked = self.asked()?;
        saved.evidence = self.evidence()?;
        saved.watch = self.watch()?;
        Ok(saved)
    }

    fn set(&mut self, last_turn: u32) -> Result<SavedSet<'b>, SavedError> {
        if !self.yes_or_no()? {
            return Ok(SavedSet::Here(self.entries(last_turn)?));
        }
        let uses = self.number()?;
        let (after, since) = (self.number()?, self.small_number()?);
        let is_by_turns = self.yes_or_no()?;
        let counts = self.list(|reader| Ok((reader.small_number()?, reader.number()?)))?;
        let is_in_order = counts.is_sorted_by(|(left, _), (right, _)| left < right);
        if !is_in_order || after > uses {
            return Err(damaged("what it counts of a set is out of order"));
        }
        Ok(SavedSet::Apart { uses, bounds: Bounds { after, since, is_by_turns, counts } })
    }

    /// Looks at all entries, and keeps none: there may be thousands.
    fn entries(&mut self, last_turn: u32) -> Result<Entries<'b>, SavedError> {
        let count = self.count()?;
        let start = self.rest;
        for _ in 0..count {
            self.entry(last_turn)?;
        }
        let bytes = start.get(..start.len() - self.rest.len()).unwrap_or_default();
        Ok(Entries { count, last_turn, bytes })
    }

    fn entry(&mut self, last_turn: u32) -> Result<(&'b str, SetEntry), SavedError> {
        let target = self.text()?;
        let turn = self.small_number()?;
        if turn > last_turn {
            return Err(damaged("a target was used in a turn that has not come yet"));
        }
        let (has_size, has_mtime) = match Measured::from_number(self.byte()?) {
            Some(Measured::Nothing) => (false, false),
            Some(Measured::Both) => (true, true),
            Some(Measured::Size) => (true, false),
            Some(Measured::Mtime) => (false, true),
            None => return Err(damaged("what is known of a file is of an unknown kind")),
        };
        let size = has_size.then(|| self.number()).transpose()?;
        let mtime = has_mtime.then(|| self.signed()).transpose()?;
        let fingerprint = (has_size || has_mtime).then_some(Fingerprint { size, mtime });
        Ok((target, SetEntry { turn, fingerprint }))
    }
}
