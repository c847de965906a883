//! What a session remembers.

use behavior_compiler::ir::{Condition, Program, ResetTest, Test};
use behavior_image::code::PathUse;
use behavior_runtime::event::Call;
use behavior_shell::touched::{Effect, Extent};

use super::asked::{self, Asked};
use super::files::Fingerprint;
use super::truth::Truth;
use super::world::World;
use super::{command, files, names, paths, values};

/// The state of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The turn.
    pub turn: u32,
    /// Calls of this turn that have ended.
    pub turn_calls: u32,
    /// Calls that have ended.
    pub total_calls: u64,
    /// Whether the agent wrote text in this turn.
    pub text_this_turn: bool,
    /// The tool that ran last, and how often in a row.
    pub streak: Option<(String, u32)>,
    /// How many findings count.
    pub violations: u64,
    /// The rule of the last of them.
    pub last_violation: Option<String>,
    /// Each set's name, window and entries, oldest use first, dead ones included.
    pub sets: Vec<(String, u32, Vec<Entry>)>,
    /// The counters.
    pub counters: Vec<(String, i64)>,
    /// The flags.
    pub flags: Vec<(String, bool)>,
    /// What the agent was told, of rules that are not told each time.
    pub told: Vec<Telling>,
    /// How many warnings and reminders it was told in this turn.
    pub told_this_turn: u32,
    /// Whether another agent gave the agent its task.
    pub is_subagent: bool,
    /// The names of files that were spoken of.
    pub seen: Vec<String>,
    /// The last text of the response that has not ended.
    pub response: String,
    pub branch: Option<String>,
    pub asked: Asked,
    /// The normalised names of the tools that the agent has, where that was told.
    pub tools: Option<Vec<String>>,
    /// The last ten calls: tool and target.
    pub recent: Vec<(String, String)>,
}

/// The agent was told of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The rule.
    pub rule: String,
    /// The turn.
    pub turn: u32,
    /// How many calls had ended.
    pub calls: u64,
    /// Whether it was when a turn ended.
    pub is_end: bool,
    /// What the rule was told of.
    pub target: String,
}

/// What a file looked like that a failed call did not find.
pub const ABSENT: Fingerprint = (None, Some(i64::MIN));

/// A target in a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The target, paths canonical.
    pub key: String,
    /// The turn in which it was last used.
    pub turn: u32,
    /// What the file looked like.
    pub fingerprint: Fingerprint,
}

/// The tools whose success changes the file that they are about, of those that random traces call. It is
/// said here again: what the runtime's own table says is held against it.
const CHANGE_FILES: [&str; 5] = ["edit", "write", "multi_edit", "notebook_edit", "apply_patch"];

impl State {
    /// Nothing has happened yet.
    pub(super) fn new(program: &Program) -> Self {
        Self {
            turn: 0,
            turn_calls: 0,
            total_calls: 0,
            text_this_turn: false,
            streak: None,
            violations: 0,
            last_violation: None,
            sets: program.sets.iter().map(|s| (s.name.to_string(), s.window, vec![])).collect(),
            counters: program.counters.iter().map(|c| (c.name.to_string(), 0)).collect(),
            flags: program.flags.iter().map(|f| (f.name.to_string(), false)).collect(),
            told: Vec::new(),
            told_this_turn: 0,
            is_subagent: false,
            branch: None,
            asked: Asked::default(),
            tools: None,
            recent: Vec::new(),
            seen: Vec::new(),
            response: String::new(),
        }
    }

    /// Names of files were spoken of.
    pub(super) fn see(&mut self, names: Vec<String>) {
        for name in names {
            if !self.seen.contains(&name) {
                self.seen.push(name);
            }
        }
        assert!(self.seen.len() <= 1024, "no random trace has as many");
    }

    /// A new turn.
    pub(super) fn start_turn(&mut self, world: &World<'_>, text: Option<&str>) {
        let offered = std::mem::take(&mut self.asked.offered);
        let wanted = text.map(asked::wanted).unwrap_or_default();
        let is_wanted = |pattern: &u32| asked::some_meets(world, *pattern, &wanted);
        self.asked.asked = asked_patterns(world).into_iter().filter(is_wanted).collect();
        if text.is_some_and(asked::is_yes) {
            self.asked.asked.extend(offered);
        }
        for (counter, (_, value)) in world.program.counters.iter().zip(&mut self.counters) {
            *value = if counter.is_per_turn { 0 } else { *value };
        }
        for (flag, (_, value)) in world.program.flags.iter().zip(&mut self.flags) {
            *value &= !flag.is_per_turn;
        }
        self.turn += 1;
        self.turn_calls = 0;
        self.response.clear();
        self.text_this_turn = false;
        self.told_this_turn = 0;
    }

    /// The agent wrote something: a yes answers the last offer of it.
    pub(super) fn agent_wrote(&mut self, world: &World<'_>, text: &str) {
        let offers = asked::offers(text);
        if !offers.is_empty() {
            let is_offered = |pattern: &u32| asked::some_meets(world, *pattern, &offers);
            self.asked.offered = asked_patterns(world).into_iter().filter(is_offered).collect();
        }
    }

    /// What the agent has read is no longer before its eyes.
    pub(super) fn compaction(&mut self, program: &Program) {
        for (set, (_, _, entries)) in program.sets.iter().zip(&mut self.sets) {
            if !set.survives_compaction {
                entries.clear();
            }
        }
        self.told.clear();
    }

    /// The length of the streak.
    pub(super) fn streak_length(&self) -> u32 {
        self.streak.as_ref().map_or(0, |(_, length)| *length)
    }

    /// The entries of a set that are alive.
    #[must_use]
    pub fn entries(&self, set: u32) -> Vec<&Entry> {
        let (_, window, entries) = &self.sets[set as usize];
        let is_alive = |entry: &&Entry| *window == 0 || self.turn < entry.turn + *window;
        entries.iter().filter(is_alive).collect()
    }

    /// The targets of a set, paths as seen from the working directory.
    #[must_use]
    pub fn targets(&self, set: u32, cwd: Option<&str>) -> Vec<String> {
        let entries = self.entries(set);
        entries.into_iter().map(|entry| files::seen_from(cwd, &entry.key)).collect()
    }

    /// The entry of a target, if it is in the set.
    pub(super) fn entry(&self, set: u32, key: &str) -> Option<&Entry> {
        self.entries(set).into_iter().find(|entry| entry.key == key)
    }

    /// What changes after a call. `held` says which of the program's conditions on changes hold.
    pub(super) fn update(
        &mut self,
        world: &World<'_>,
        call: &Call<'_>,
        ok: bool,
        cwd: Option<&str>,
        held: &[bool],
    ) {
        let mut held = held.iter().copied();
        let mut holds = || held.next().unwrap_or(true);
        let tool = names::canonical(&call.tool);
        self.total_calls += 1;
        self.turn_calls += 1;
        let length = match &self.streak {
            Some((last, length)) if *last == tool => length + 1,
            _ => 1,
        };
        self.streak = Some((tool.clone(), length));
        let about = values::target(call, &[]).map_or(String::new(), |target| target.text);
        self.recent.push((tool.clone(), about.chars().take(200).collect()));
        if self.recent.len() > 10 {
            self.recent.remove(0);
        }
        if ok {
            let uses = [(Effect::Read, PathUse::Read), (Effect::Write, PathUse::Written)];
            for (effect, reason) in uses {
                self.add_paths(world, call, cwd, effect, reason);
            }
        }
        for index in 0..world.program.sets.len() {
            self.update_set(world, index, call, ok, cwd, holds());
        }
        for (index, counter) in world.program.counters.iter().enumerate() {
            let value = &mut self.counters[index].1;
            let (counts, resets) = (holds(), holds());
            if counts && !counter.counts_started && names::any_selects(&counter.increment_on, call)
            {
                *value += 1;
            }
            if names::any_selects(&counter.reset_on, call) || counter.reset_if.is_some() && resets {
                *value = 0;
            }
            if let Some(reset) = &counter.reset_when
                && names::any_selects(&reset.tools, call)
                && reset_holds(world, &reset.test, call, &reset.param)
            {
                *value = 0;
            }
        }
        for (index, flag) in world.program.flags.iter().enumerate() {
            let (sets, unsets) = (holds(), holds());
            if sets && names::any_selects(&flag.set_on, call) {
                self.flags[index].1 = true;
            }
            if names::any_selects(&flag.unset_on, call) || flag.unset_when.is_some() && unsets {
                self.flags[index].1 = false;
            }
        }
    }

    /// What changes when a call is made. `held` says which of the program's conditions on changes hold before it runs.
    /// Gives the counters in which it counts.
    pub(super) fn count_call(
        &mut self,
        world: &World<'_>,
        call: &Call<'_>,
        cwd: Option<&str>,
        held: &[bool],
    ) -> Vec<usize> {
        let mut started = Vec::new();
        for (index, counter) in world.program.counters.iter().enumerate() {
            // Each set has one condition, and each counter two.
            let holds = held[world.program.sets.len() + 2 * index];
            if counter.counts_started && holds && names::any_selects(&counter.increment_on, call) {
                self.counters[index].1 += 1;
                started.push(index);
            }
        }
        self.add_paths(world, call, cwd, Effect::Write, PathUse::Made);
        for (index, set) in world.program.sets.iter().enumerate() {
            let Some(key) = key(world, call, index as u32, cwd) else { continue };
            if names::any_selects(&set.add_on_call, call) {
                let changes = CHANGE_FILES.contains(&&*names::canonical(&call.tool));
                self.enter(world, index, key, changes);
            }
        }
        started
    }

    /// Takes back what was counted for a call that has not run.
    pub(super) fn take_back(&mut self, counters: &[usize]) {
        for index in counters {
            let value = &mut self.counters[*index].1;
            *value = (*value - 1).max(0);
        }
    }

    /// Adds the files that a call touches to the sets that take them.
    fn add_paths(
        &mut self,
        world: &World<'_>,
        call: &Call<'_>,
        cwd: Option<&str>,
        effect: Effect,
        reason: PathUse,
    ) {
        for file in paths::touched(world, call) {
            let is_meant = file.effect == Some(effect) && file.extent != Extent::Within;
            let full = files::normal(&file.path, cwd);
            let is_new = || world.files.exists(&full) == Some(false);
            if !is_meant || !file.is_known() || reason == PathUse::Made && !is_new() {
                continue;
            }
            if reason == PathUse::Made && full.contains(['*', '?', '[']) {
                continue;
            }
            let key = world.files.canonical(&full);
            for index in 0..world.program.sets.len() {
                if world.program.sets[index].paths & reason.bit() != 0 {
                    self.enter(world, index, key.clone(), true);
                }
            }
        }
    }

    fn enter(&mut self, world: &World<'_>, index: usize, key: String, ok: bool) {
        let keeps = world.program.sets[index].fingerprint;
        let fingerprint = match keeps {
            true if !ok && world.files.exists(&key) == Some(false) => ABSENT,
            true => world.files.fingerprint(&key),
            false => (None, None),
        };
        let entries = &mut self.sets[index].2;
        entries.retain(|entry| entry.key != key);
        entries.push(Entry { key, turn: self.turn, fingerprint });
    }

    fn update_set(
        &mut self,
        world: &World<'_>,
        index: usize,
        call: &Call<'_>,
        ok: bool,
        cwd: Option<&str>,
        holds: bool,
    ) {
        let set = &world.program.sets[index];
        let Some(key) = key(world, call, index as u32, cwd) else { return };
        let adds = names::any_selects(&set.add_on, call)
            || ok && names::any_selects(&set.add_on_success, call);
        let adds = adds && holds;
        if adds {
            return self.enter(world, index, key, ok);
        }
        if !ok && set.fingerprint && world.files.exists(&key) == Some(false) {
            let entries = self.sets[index].2.iter_mut();
            entries.filter(|entry| entry.key == key).for_each(|entry| entry.fingerprint = ABSENT);
        }
        let changes_file = ok && CHANGE_FILES.contains(&&*names::canonical(&call.tool));
        if changes_file && self.entry(index as u32, &key).is_some() {
            let fingerprint =
                if set.fingerprint { world.files.fingerprint(&key) } else { (None, None) };
            let turn = self.turn;
            for entry in self.sets[index].2.iter_mut().filter(|entry| entry.key == key) {
                *entry = Entry { key: key.clone(), turn, fingerprint };
            }
        }
    }
}

impl paths::Sets for State {
    fn has(&self, set: u32, target: &str) -> bool {
        self.entry(set, target).is_some()
    }
}

fn reset_holds(world: &World<'_>, test: &ResetTest, call: &Call<'_>, name: &str) -> bool {
    match test {
        ResetTest::Matches(pattern) => values::param(call, name).is_some_and(|param| {
            values::candidates(param).iter().any(|text| world.matches(*pattern, text))
        }),
        ResetTest::Runs(shapes) => {
            command::runs(world, shapes, call, name, None, &[]) == Truth::Yes
        }
    }
}

/// What a set knows a call's target as.
pub(super) fn key(
    world: &World<'_>,
    call: &Call<'_>,
    set: u32,
    cwd: Option<&str>,
) -> Option<String> {
    let target = values::target(call, &world.program.sets[set as usize].targets)?;
    if !target.is_path {
        return Some(target.text);
    }
    Some(world.files.canonical(&files::normal(&target.text, cwd)))
}

/// The patterns that rules ask of the user's words.
fn asked_patterns(world: &World<'_>) -> Vec<u32> {
    fn collect(condition: &Condition, found: &mut Vec<u32>) {
        match condition {
            Condition::All(items) | Condition::Any(items) => {
                items.iter().for_each(|item| collect(item, found));
            }
            Condition::Not(inner) => collect(inner, found),
            Condition::Test { test: Test::UserAsked(pattern), .. } => found.push(*pattern),
            _ => {}
        }
    }
    let mut found = Vec::new();
    world.program.conditions().for_each(|condition| collect(condition, &mut found));
    found
}
