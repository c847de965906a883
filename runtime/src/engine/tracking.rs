//! What is kept of calls: counters, flags and sets, before a call runs and once it has ended. Decides nothing.

use super::Engine;
use crate::context::{Counted, EvaluationContext};
use crate::decision::Phase;
use crate::eval::{Machine, Scratch, Unobserved, set_key};
use crate::host::{Fingerprint, Host};
use crate::met_tools::MetTool;
use crate::path_match::held;
use crate::select::PhaseRules;
use crate::state::{SetEntry, State, set_number};
use behavior_facts::commands::Hints;
use behavior_facts::event::Call;
use behavior_facts::params::Params;
use behavior_facts::truth::Truth;
use behavior_image::code::{Change, PathUse};
use behavior_image::format::{NONE, Section, SetRecord, Transition};
use behavior_image::shapes::ShapeRun;
use behavior_image::{Image, View, scan};
use behavior_shell::touched::Effect;

/// Of one call about which the user is asked, so many files are remembered that it would make.
const MAX_MADE: usize = 256;

impl Engine {
    /// Counts the newest call, which is made, or the user is asked whether it is.
    #[inline]
    pub fn count_made(&mut self, tool: u32, call: &Call<'_>, is_asked: bool, host: &mut dyn Host) {
        self.open.mark_newest();
        if self.counts_when_made(tool) {
            self.count_newest(tool, call, is_asked, host);
        }
    }

    #[inline(never)]
    fn count_newest(&mut self, tool: u32, call: &Call<'_>, is_asked: bool, host: &mut dyn Host) {
        let told = self.tools.get(tool).and_then(|met| met.tool.told(call, Hints::ALL));
        let params = || Params::of_call(call).with_line(told.as_deref());
        let counted = self.count_call(tool, params, is_asked, host);
        self.open.count_newest(counted);
    }

    /// Whether anything may change because a call of a tool is made.
    #[inline]
    pub(super) fn counts_when_made(&self, tool: u32) -> bool {
        let may_change = |met: &MetTool| met.tool.changes_when_made;
        self.wants.files_of_made_calls || self.tools.get(tool).is_some_and(may_change)
    }

    /// Enters a call into the sets that take it when it is made, and counts it where calls count that have not run.
    /// Returns what is left to do once it has run: of a call about which the user is asked, nothing makes a file that
    /// the user did not let it make.
    pub(super) fn count_call<'p>(
        &mut self,
        tool: u32,
        params: impl Fn() -> Params<'p>,
        is_asked: bool,
        host: &mut dyn Host,
    ) -> Counted {
        let started = self.start_counting(tool, &params, host);
        let mut counted = Counted { started, made: Vec::new() };
        let Self { image, state, tools, scratch, start, wants, .. } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return counted };
        let on_call = |transition: &&Transition| transition.change == Change::AddOnCall as u32;
        if wants.files_of_made_calls {
            let context = EvaluationContext::of_made_call(
                tool,
                entry.runs_commands(params()),
                entry.files,
                params(),
            );
            let mut found = files_of(image, state, &context, start.cwd.as_deref(), host, scratch);
            if is_asked {
                let made = found.extract_if(.., |(reason, _)| *reason == PathUse::Made);
                counted.made.extend(made.map(|(_, path)| path).take(MAX_MADE));
            }
            add_paths(image, state, found, host);
        }
        for transition in entry.transitions.iter().filter(on_call) {
            let cwd = start.cwd.as_deref();
            // What would make the file has no need of it.
            let params = (params(), entry.changes_files);
            enter(state, image.view(), transition.target, params, cwd, host, &mut scratch.path);
        }
        counted
    }

    /// Enters the files that a call has made, which its user let it make.
    #[cold]
    pub(super) fn enter_made(&mut self, paths: Vec<String>, host: &mut dyn Host) {
        let made = paths.into_iter().map(|path| (PathUse::Made, path)).collect();
        add_paths(&self.image, &mut self.state, made, host);
    }

    /// Counts a call up that is made, where calls count that have not run. Returns the counters.
    fn start_counting<'p>(
        &mut self,
        tool: u32,
        params: &impl Fn() -> Params<'p>,
        host: &mut dyn Host,
    ) -> Vec<u32> {
        let counts = |transition: &Transition| transition.change == Change::IncrementOnCall as u32;
        let Self { image, state, tools, scratch, start, text_unknown, .. } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return Vec::new() };
        if !entry.transitions.iter().any(counts) {
            return Vec::new();
        }
        let context = EvaluationContext::of_made_call(
            tool,
            entry.runs_commands(params()),
            entry.files,
            params(),
        );
        let mut machine = Machine::new(image, state, &context, start.cwd.as_deref(), host, scratch);
        machine.text_unknown = *text_unknown;
        machine.told_branch = start.branch.as_deref();
        machine.is_subagent = start.is_subagent;
        let holds = |transition: &&Transition| {
            let Transition { code, code_len, .. } = **transition;
            code_len == 0 || machine.run_code(code, code_len, &mut Unobserved) == Truth::True
        };
        let counted = entry.transitions.iter().filter(|transition| counts(transition));
        let started: Vec<u32> = counted.filter(holds).map(|transition| transition.target).collect();
        for counter in &started {
            if let Some(counter) = state.counters.get_mut(*counter as usize) {
                *counter = counter.saturating_add(1);
            }
        }
        started
    }

    /// Takes back what was counted for calls that had not run when the turn was over.
    pub(super) fn forget_started(&mut self) {
        for counter in self.open.take_started() {
            if let Some(counter) = self.state.counters.get_mut(counter as usize) {
                *counter = (*counter - 1).max(0);
            }
        }
    }

    /// Returns of each change that a call may bring about whether its condition holds, on the state before
    /// the call. Empty where no change has a condition.
    pub(super) fn conditions_held(
        &mut self,
        tool: u32,
        context: &EvaluationContext<'_>,
        host: &mut dyn Host,
    ) -> Vec<bool> {
        let Self { image, state, tools, scratch, start, text_unknown, .. } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return Vec::new() };
        let mut machine = Machine::new(image, state, context, start.cwd.as_deref(), host, scratch);
        machine.text_unknown = *text_unknown;
        machine.told_branch = start.branch.as_deref();
        machine.is_subagent = start.is_subagent;
        let holds = |transition: &Transition| {
            let Transition { code, code_len, .. } = *transition;
            code_len == 0 || machine.run_code(code, code_len, &mut Unobserved) == Truth::True
        };
        entry.transitions.iter().map(holds).collect()
    }

    /// Updates the state for a call that has ended. `held` is what [`Engine::conditions_held`] says, and `resets` what was
    /// found before the call, if somebody looked.
    pub(super) fn remember(
        &mut self,
        tool: u32,
        context: &EvaluationContext<'_>,
        (held, resets): (&[bool], Option<u64>),
        host: &mut dyn Host,
    ) {
        let (params, ok) = (context.params, context.ok);
        let Self { image, state, tools, scratch, start, wants, file_sets, .. } = self;
        let Some(met) = tools.get(tool) else { return };
        let (entry, name) = (&met.tool, met.name);
        let view = image.view();
        let cwd = start.cwd.as_deref();
        state.total_calls = state.total_calls.saturating_add(1);
        state.turn_calls = state.turn_calls.saturating_add(1);
        state.streak = match state.streak {
            Some((last, length)) if last == name => Some((last, length.saturating_add(1))),
            _ => Some((name, 1)),
        };
        if ok && wants.touched_files {
            let found = files_of(image, state, context, cwd, host, scratch);
            add_paths(image, state, found, host);
        }
        if file_sets.is_empty() {
            // No entry depends on what became of a file.
        } else if entry.changes_files && ok {
            renew(state, (file_sets, view), params, cwd, host, &mut scratch.path);
        } else if !ok {
            miss(state, (file_sets, view), params, cwd, host, &mut scratch.path);
        }
        for (at, transition) in entry.transitions.iter().enumerate() {
            if held.get(at) == Some(&false) {
                continue;
            }
            let Transition { change, target, param, pattern, scan, .. } = *transition;
            let index = target as usize;
            match Change::from_number(change) {
                Some(Change::Add) => {
                    let params = (params, ok);
                    enter(state, view, target, params, cwd, host, &mut scratch.path);
                }
                Some(Change::AddOnSuccess) if ok => {
                    let params = (params, ok);
                    enter(state, view, target, params, cwd, host, &mut scratch.path);
                }
                Some(Change::Increment) => {
                    if let Some(counter) = state.counters.get_mut(index) {
                        *counter = counter.saturating_add(1);
                    }
                }
                Some(Change::Reset) => set_number(&mut state.counters, index, 0),
                // A counter at zero stays there, whatever the command.
                Some(Change::ResetWhen) if state.counter(target) != 0 => {
                    let before = entry.phases.get(Phase::PreTool as usize);
                    let found = resets.zip(before.and_then(PhaseRules::known));
                    let known = found.and_then(|(found, rules)| rules.is_reset(at, found));
                    let mut matches = |text: &str| {
                        may_match(view, scan, text, &mut scratch.fold)
                            && image.matches(pattern, text, &mut scratch.fold)
                    };
                    let matched = known.unwrap_or_else(|| {
                        let value = params.get(view.string_bytes(param));
                        value.is_some_and(|value| value.any_text(&mut matches))
                    });
                    if matched {
                        set_number(&mut state.counters, index, 0);
                    }
                }
                Some(Change::ResetWhenRuns) if state.counter(target) != 0 => {
                    let is_shell = entry.runs_commands(params);
                    let value = params.command_line(view.string(param), is_shell);
                    let Some(value) = value else { continue };
                    let shapes = ShapeRun::of(view, pattern);
                    if scratch.shell.read_if_it_matters(image, value)
                        && scratch.shell.some_has(image, shapes) == Truth::True
                    {
                        set_number(&mut state.counters, index, 0);
                    }
                }
                Some(Change::Set) => set_number(&mut state.flags, index, true),
                Some(Change::Unset) => set_number(&mut state.flags, index, false),
                Some(Change::ResetWhen | Change::ResetWhenRuns) => {}
                Some(Change::AddOnCall | Change::AddOnSuccess | Change::IncrementOnCall) | None => {
                }
            }
        }
    }
}

/// Whether a text holds a literal that every match contains; true where there is no such scan.
fn may_match(view: View<'_>, scan: u32, text: &str, fold: &mut String) -> bool {
    if scan == NONE {
        return true;
    }
    let mut found = false;
    scan::search(&view, &view.row(Section::Scans, scan), text, fold, |_| found = true);
    found
}

/// Enters the target of a call into a set, with its fingerprint where the set keeps them. `found` is false where
/// the call may not have found its target: then that may be known to be absent.
fn enter(
    state: &mut State,
    view: View<'_>,
    set: u32,
    (params, found): (Params<'_>, bool),
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut String,
) {
    let turn = state.turn;
    let Some(set) = state.sets.get_mut(set as usize) else { return };
    let Some(target) = params.target_of_set(view, set.record()) else { return };
    let key = set_key(target, cwd, host, scratch);
    let fingerprint = match set.record().fingerprint != 0 {
        true if !found && host.exists(&key) == Some(false) => Some(Fingerprint::ABSENT),
        true => host.fingerprint(&key),
        false => None,
    };
    set.add(&key, SetEntry { turn, fingerprint });
}

/// The files that a call touches, as sets may take them; of a call that has not run yet, what it makes and moves.
fn files_of(
    image: &Image,
    state: &State,
    context: &EvaluationContext<'_>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut Scratch,
) -> Vec<(PathUse, String)> {
    let mut machine = Machine::new(image, state, context, cwd, host, scratch);
    match context.phase == Phase::PreTool {
        true => machine.files_of_made_call(),
        false => {
            let files = machine.known_files(&[Effect::Read, Effect::Write]).into_iter();
            let use_of = |effect| match effect {
                Effect::Read => PathUse::Read,
                Effect::Write | Effect::Delete => PathUse::Written,
            };
            files.map(|(effect, path)| (use_of(effect), path)).collect()
        }
    }
}

/// Adds files to the sets that take them.
fn add_paths(image: &Image, state: &mut State, found: Vec<(PathUse, String)>, host: &mut dyn Host) {
    let view = image.view();
    // A name that could be a pattern is none in the set: the pattern would be taken for what was made.
    let is_clear = |(reason, path): &(PathUse, String)| {
        *reason != PathUse::Made || !path.contains(['*', '?', '['])
    };
    for (reason, path) in found.into_iter().filter(is_clear) {
        let key = held::canonical(path, host);
        for (index, set) in (0..).zip(&mut state.sets) {
            let record: SetRecord = view.row(Section::Sets, index);
            if reason.is_in(record.paths) {
                let fingerprint =
                    (record.fingerprint != 0).then(|| host.fingerprint(&key)).flatten();
                set.add(&key, SetEntry { turn: state.turn, fingerprint });
            }
        }
    }
}

/// A file that the agent itself changed is as well known as before: its entries start again.
fn renew(
    state: &mut State,
    (sets, view): (&[(usize, SetRecord)], View<'_>),
    params: Params<'_>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut String,
) {
    let turn = state.turn;
    for (index, record) in sets {
        let Some(target) = params.target_of_set(view, record) else { continue };
        let key = set_key(target, cwd, host, scratch);
        let fingerprint = (record.fingerprint != 0).then(|| host.fingerprint(&key)).flatten();
        if let Some(set) = state.sets.get_mut(*index) {
            set.renew(&key, SetEntry { turn, fingerprint });
        }
    }
}

/// A file that a call did not find is known to be absent, whatever it was before.
fn miss(
    state: &mut State,
    (sets, view): (&[(usize, SetRecord)], View<'_>),
    params: Params<'_>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut String,
) {
    for (index, record) in sets {
        let Some(target) = params.target_of_set(view, record) else { continue };
        let key = set_key(target, cwd, host, scratch);
        if record.fingerprint != 0
            && let Some(set) = state.sets.get_mut(*index)
            && let Some(entry) = set.get(&key)
            && host.exists(&key) == Some(false)
        {
            set.renew(&key, SetEntry { fingerprint: Some(Fingerprint::ABSENT), ..entry });
        }
    }
}
