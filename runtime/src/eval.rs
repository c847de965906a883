//! Runs conditions. Logic has four values: what nobody can tell stays so through `not`, `all` and `any`
//! unless the rest decides.

mod deciding;
mod patched;
mod published;
mod refused;
pub(crate) mod scripts;
mod silenced;
mod spared;
mod ungrounded;

use silenced::Excepting;

use std::borrow::Cow;

use crate::asked::is_of_refusals;
use crate::context::EvaluationContext;
use crate::host::{Fingerprint, Host};
use crate::path_match::{PathMatcher, places_of};
use crate::prepared_rule::{PreparedRule, decoded};
use crate::state::State;
use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::commands::push::Pushed;
use behavior_facts::commands::shell::Shell;
use behavior_facts::excerpt::shorten;
use behavior_facts::linted::has_lint_errors;
use behavior_facts::params::Target;
use behavior_facts::path;
use behavior_facts::path_patterns::Anchor;
use behavior_facts::places::{LocatedFile, Places};
use behavior_facts::touched::{self, TouchedFile};
use behavior_facts::truth::Truth;
use behavior_facts::value::ValueRef;
use behavior_image::code::{EventPart, Slot, SlotKind};
use behavior_image::format::{Instruction, Section};
use behavior_image::operand::*;
use behavior_image::operation::Evaluate;
use behavior_image::operation::Op;
use behavior_image::shapes::ShapeRun;
use behavior_image::{Image, View, unpack_run};
use behavior_intent::wish::USUAL_DEFAULTS;
use behavior_secrets::contains_secret;
use behavior_shell::HOLE;
use behavior_shell::touched::{Effect, Extent};

/// Watches conditions being tested. The one that is always on does nothing and costs nothing.
pub(crate) trait Observer {
    /// Whether all rules with the right trigger are to be tested, even those that cannot fire.
    const THOROUGH: bool = false;
    /// A rule is about to be tested.
    fn rule(&mut self, _rule: u32) {}
    /// The instruction `at` was tested; `saw` says what it looked at.
    fn tested(&mut self, _at: u32, _result: Truth, _saw: impl FnOnce() -> String) {}
    /// A rule was tested.
    fn outcome(&mut self, _rule: u32, _result: Truth, _message: Option<&str>) {}
}

/// Watches nothing.
pub(crate) struct Unobserved;

impl Observer for Unobserved {}

/// Buffers that are used again for every event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub path: String,
    pub fold: String,
    pub candidates: Vec<u32>,
    pub shell: Shell,
}

/// Everything that a condition may look at.
pub(crate) struct Machine<'a> {
    pub image: &'a Image,
    pub view: View<'a>,
    pub state: &'a State,
    pub context: &'a EvaluationContext<'a>,
    pub cwd: Option<&'a str>,
    /// Whether the agent may have written text that nobody saw.
    pub text_unknown: bool,
    pub host: &'a mut dyn Host,
    pub scratch: &'a mut Scratch,
    /// What was found out; nothing on most events.
    pub answers: Option<Box<Answers>>,
    /// Whether a user may allow what rules stop.
    pub takes_grants: bool,
    /// The branch that is checked out, as the session was told.
    pub told_branch: Option<&'a str>,
    /// Whether another agent gave this one its task.
    pub is_subagent: bool,
}

/// What was found out about an event for one condition, and may be asked for again.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// What the last unknown test would have needed.
    pub missing: Option<String>,
    /// The files that the call touches.
    touched: Option<Vec<LocatedFile>>,
    /// The places that files are seen from.
    places: Option<Places>,
    /// What [`Host::own_files`] says, once somebody asked.
    own_files: Option<Vec<String>>,
    /// The branch that is checked out.
    branch: Option<String>,
    /// What the text claims without ground; a line each.
    pub ungrounded: Vec<String>,
    /// What is different while an exception is asked.
    excepting: Option<Box<Excepting>>,
}

impl<'a> Machine<'a> {
    /// A machine that sees what the agent writes, and whose user takes grants.
    pub fn new(
        image: &'a Image,
        state: &'a State,
        context: &'a EvaluationContext<'a>,
        cwd: Option<&'a str>,
        host: &'a mut dyn Host,
        scratch: &'a mut Scratch,
    ) -> Self {
        Self {
            image,
            view: image.view(),
            state,
            context,
            cwd,
            text_unknown: false,
            host,
            scratch,
            answers: None,
            takes_grants: true,
            told_branch: None,
            is_subagent: false,
        }
    }

    /// What was found out so far, to be added to.
    pub fn answers(&mut self) -> &mut Answers {
        self.answers.get_or_insert_default()
    }

    /// Remembers what an unknown test would have needed.
    #[cold]
    pub fn miss(&mut self, needs: String) {
        self.answers().missing = Some(needs);
    }

    /// What the last unknown test would have needed; it is asked for once.
    pub fn take_missing(&mut self) -> Option<String> {
        self.answers.as_mut()?.missing.take()
    }

    /// What the text claims without ground.
    pub fn ungrounded(&self) -> &[String] {
        self.answers.as_ref().map_or(&[], |answers| &answers.ungrounded)
    }

    /// Runs a condition: so many instructions from one on.
    pub fn run_code<O: Observer>(&mut self, start: u32, len: u32, observer: &mut O) -> Truth {
        let code = self.view.instructions(start, len);
        self.run(start, |at| code.get(at).and_then(|bytes| decoded(bytes)), observer)
    }

    /// Runs the condition of a rule that was taken out of the image.
    #[inline]
    pub fn test<O: Observer>(&mut self, rule: &PreparedRule, observer: &mut O) -> Truth {
        self.run(rule.record.code, |at| rule.code.get(at).copied(), observer)
    }

    #[inline(always)]
    fn run<O: Observer>(
        &mut self,
        start: u32,
        instruction: impl Fn(usize) -> Option<(Op, Instruction)>,
        observer: &mut O,
    ) -> Truth {
        let mut accumulator = Truth::True;
        let mut stack = 0u64;
        let mut pc = 0usize;
        while let Some((op, instruction)) = instruction(pc) {
            pc += 1;
            match op {
                Op::Not => accumulator = accumulator.not(),
                Op::Push => stack = stack << 2 | accumulator as u64,
                Op::And => {
                    accumulator = accumulator.and(Truth::from_bits(stack));
                    stack >>= 2;
                }
                Op::Or => {
                    accumulator = accumulator.or(Truth::from_bits(stack));
                    stack >>= 2;
                }
                Op::JumpIfFalse if accumulator == Truth::False => pc += instruction.c as usize,
                Op::JumpIfTrue if accumulator == Truth::True => pc += instruction.c as usize,
                Op::JumpIfFalse | Op::JumpIfTrue => {}
                test => {
                    // The verifier admits known operands only.
                    accumulator = test.evaluate(&instruction, self).unwrap_or(Truth::False);
                    let at = start + pc as u32 - 1;
                    observer.tested(at, accumulator, || self.saw(test, &instruction));
                }
            }
        }
        accumulator
    }

    fn param_name(&self, param: Param) -> &'a str {
        self.view.string(self.view.row(Section::Params, param.0.into()))
    }

    fn param(&self, param: Param) -> Option<ValueRef<'a>> {
        let name: u32 = self.view.row(Section::Params, param.0.into());
        let name = self.view.string_bytes(name);
        // Only tools of servers are told a line by several parameters.
        match self.context.params.told_line() {
            Some(_) => self.whole_line(name).or_else(|| self.context.params.get(name)),
            None => self.context.params.get(name),
        }
    }

    #[inline(always)]
    fn target_of_set(&self, set: Set) -> Option<Target<'a>> {
        self.context.params.target_of_set(self.view, &self.view.row(Section::Sets, set.0))
    }

    /// Whether the call's target is in a set; `None` when the call has no target.
    fn is_in_set(&mut self, set: Set) -> Option<bool> {
        let set = self.state.set(set.0)?;
        let target = self.context.params.target_of_set(self.view, set.record())?;
        let key = set_key(target, self.cwd, self.host, &mut self.scratch.path);
        Some(set.contains(&key))
    }

    fn matches(&mut self, pattern: Pattern, text: &str) -> bool {
        self.image.matches(pattern.0, text, &mut self.scratch.fold)
    }

    fn secret_kind(&self, place: SecretPlace) -> Option<&'static str> {
        let context = self.context;
        let in_value = |value: ValueRef<'_>| contains_secret(&value.text());
        let in_params = || {
            let mut found = None;
            context.params.for_each(|value| found = found.or_else(|| in_value(value)));
            found
        };
        match place.place {
            EventPart::Params => in_params(),
            EventPart::Param => {
                context.params.get(self.view.string(place.param)).and_then(in_value)
            }
            EventPart::Result => context.result.and_then(in_value),
            EventPart::Text => contains_secret(context.text),
            EventPart::Anywhere => in_params()
                .or_else(|| context.result.and_then(in_value))
                .or_else(|| contains_secret(context.text)),
        }
    }

    /// Whether a number has come to a value: what lets a rule that waits for it be looked at.
    #[inline]
    pub fn has_come_to(&self, slot: Slot, least: i64) -> bool {
        let number =
            |kind| number(self.state, self.context.consecutive, kind, slot.index()) >= least;
        slot.kind().is_none_or(number)
    }

    /// The branch that is checked out; `None` where nobody tells.
    fn checked_out(&mut self) -> Option<String> {
        let answers = self.answers.get_or_insert_default();
        if answers.branch.is_none() {
            answers.branch = self.host.branch().or_else(|| self.told_branch.map(str::to_owned));
        }
        answers.branch.clone()
    }

    fn is_default(&mut self, name: &str) -> bool {
        match self.host.default_branch() {
            Some(default) => default == name,
            None => USUAL_DEFAULTS.contains(&name),
        }
    }

    /// The root of the repository that a command of the line that was read runs in, where that is another one than the
    /// session's.
    fn repository_elsewhere(&mut self, command: u32) -> Option<String> {
        let path = self.scratch.shell.directory_of(self.image, command)?;
        let here = TouchedFile { path, may_split: false, ..TouchedFile::unknown() };
        let here = here.run_in(self.context.params.working_directory());
        let mut matcher = self.path_matcher();
        let full = matcher.places.locate(here).full;
        if full.contains(HOLE) {
            return None;
        }
        let root = matcher.repository_of(&full)?;
        (!matcher.places.is_repository(&root)).then_some(root)
    }

    /// Whether a command of the line that was read runs in another repository than the session's.
    fn pushes_elsewhere(&mut self, command: u32) -> bool {
        self.repository_elsewhere(command).is_some()
    }

    /// Whether the branch that is checked out where a command runs is one of some.
    fn branch_there(&mut self, command: u32, branches: Branches) -> Truth {
        let root = self.repository_elsewhere(command);
        match root.and_then(|root| self.host.branch_in(&root)) {
            Some(name) => self.is_branch(&name, branches).into(),
            None => {
                self.miss("which branch is checked out".to_owned());
                Truth::Unknown
            }
        }
    }

    fn is_branch(&mut self, name: &str, branches: Branches) -> bool {
        if branches.is_default && self.is_default(name) {
            return true;
        }
        let run = unpack_run(self.view.row(Section::Constants, branches.names));
        let view = self.view;
        view.list(run.start, run.len).any(|glob| self.matches(Pattern(glob), name))
    }

    /// What a test looked at, for people.
    fn saw(&self, op: Op, instruction: &Instruction) -> String {
        match op {
            Op::TargetInSet | Op::TargetNotInSet | Op::TargetChangedSince => {
                self.saw_operand(instruction, Self::saw_set)
            }
            Op::CounterAtLeast => self.saw_operand(instruction, |this, counter: Counter| {
                format!("{} is {}", counter.print(this.view), this.state.counter(counter.0.into()))
            }),
            Op::FlagIs => self.saw_operand(instruction, |this, flag: Flag| {
                format!("{} is {}", flag.print(this.view), this.state.flag(flag.0))
            }),
            Op::ParamMatches | Op::ParamIn | Op::ParamCompare | Op::Runs => {
                self.saw_operand(instruction, Self::saw_param)
            }
            Op::NoTextBeforeTools if self.state.text_this_turn => "text came before".to_owned(),
            Op::NoTextBeforeTools if self.text_unknown => "no text was seen before".to_owned(),
            Op::NoTextBeforeTools => "no text came before".to_owned(),
            Op::FirstToolThisTurn | Op::TurnCallsEqual => {
                format!("calls of this turn so far: {}", self.state.turn_calls)
            }
            Op::ConsecutiveAtLeast => format!("in a row: {}", self.context.consecutive),
            Op::TargetExists | Op::TargetMatches | Op::TargetIs => {
                match self.context.params.target() {
                    Some(target) => format!("target is `{}`", target.text),
                    None => "the call has no target".to_owned(),
                }
            }
            Op::TextMatches => format!("text is `{}`", shorten(self.context.text)),
            Op::ResultHasLintErrors | Op::ResultMatches => match self.context.result {
                Some(result) => format!("result is `{}`", shorten(&result.text())),
                None => "there is no result".to_owned(),
            },
            Op::ResultFailed if self.context.ok => "the tool succeeded".to_owned(),
            Op::ResultFailed => "the tool failed".to_owned(),
            Op::BranchIs | Op::OnDefaultBranch | Op::PushesTo => {
                match self.answers.as_ref().and_then(|answers| answers.branch.as_ref()) {
                    Some(branch) => format!("branch is `{branch}`"),
                    None => "nobody tells the branch".to_owned(),
                }
            }
            Op::IsSubagent if self.is_subagent => "another agent gave it its task".to_owned(),
            Op::IsSubagent => "no other agent gave it its task".to_owned(),
            Op::UngroundedClaims if self.ungrounded().is_empty() => {
                "nothing that is known not to be there".to_owned()
            }
            Op::UngroundedClaims => shorten(&self.ungrounded().join("; ")).into_owned(),
            Op::UserAsked => "the user's message of this turn".to_owned(),
            Op::Reads | Op::Writes | Op::Deletes | Op::Touches => self.saw_files(),
            Op::WritesOnly | Op::DeletesOnly | Op::TouchesOnly => self.saw_files(),
            Op::ContainsSecret => self.saw_operand(instruction, |this, place: SecretPlace| {
                this.secret_kind(place)
                    .map_or("found none".to_owned(), |kind| format!("found: {kind}"))
            }),
            Op::Constant | Op::Not | Op::Push | Op::And | Op::Or => String::new(),
            Op::JumpIfFalse | Op::JumpIfTrue => String::new(),
        }
    }

    fn path_matcher(&mut self) -> PathMatcher<'_, '_> {
        let answers = self.answers.get_or_insert_default();
        let places = answers.places.get_or_insert_with(|| places_of(self.cwd, self.host));
        let named = &self.state.asked.named;
        let takes_back =
            !named.is_empty() && self.context.is_shell && self.scratch.shell.takes_back();
        PathMatcher {
            image: self.image,
            view: self.view,
            host: self.host,
            fold: &mut self.scratch.fold,
            sets: &self.state.sets,
            named,
            left_alone: &self.state.asked.left_alone,
            scope: &self.state.asked.scope,
            since: self.state.since,
            places,
            own: &mut answers.own_files,
            looks_inside: false,
            takes_back,
        }
    }

    /// Asks about the files that the call touches, and where they lie.
    fn with_files<T>(
        &mut self,
        ask: impl FnOnce(&mut [LocatedFile], PathMatcher<'_, '_>) -> T,
    ) -> T {
        let known = self.answers.as_mut().and_then(|answers| answers.touched.take());
        let mut files = known.unwrap_or_else(|| self.find_files());
        let result = ask(&mut files, self.path_matcher());
        self.answers().touched = Some(files);
        result
    }

    /// The paths of files that the call reads or writes, as far as they are known: none that only a directory
    /// stands for.
    pub fn known_files(&mut self, effects: &[Effect]) -> Vec<(Effect, String)> {
        self.with_files(|files, _| {
            let known = files.iter().filter_map(|located| {
                let effect = located.file.effect.filter(|effect| effects.contains(effect))?;
                let file = &located.file;
                let is_one = file.is_known() && !file.is_doubtful && file.extent != Extent::Within;
                is_one.then(|| (effect, located.full.clone()))
            });
            known.collect()
        })
    }

    /// Reads the command line of a call to a shell.
    fn read_line(&mut self) {
        if let Some(line) = self.context.params.command_line(COMMAND_PARAMS[0], true) {
            self.scratch.shell.read(self.image, line);
        }
    }

    fn find_files(&mut self) -> Vec<LocatedFile> {
        let context = self.context;
        let files = if context.is_shell {
            self.read_line();
            let mut files = self.files_of_line(context.params.working_directory());
            // A tool that is no shell may do more than run what it is given.
            files.extend(touched::of_params(context.files, |visit| {
                context.params.for_each_named(visit);
            }));
            files
        } else {
            touched::of_params(context.files, |visit| context.params.for_each_named(visit))
        };
        let matcher = self.path_matcher();
        files.into_iter().map(|file| matcher.places.locate(file)).collect()
    }

    /// The files that a condition was asked about, for people.
    fn saw_files(&self) -> String {
        let known = self.answers.as_ref().and_then(|answers| answers.touched.as_deref());
        let files = known.unwrap_or_default();
        if files.is_empty() {
            return "the call touches no file that is known".to_owned();
        }
        let texts = files.iter().take(5).map(|LocatedFile { file, .. }| {
            let verb = match file.effect {
                Some(Effect::Read) => "reads",
                Some(Effect::Write) => "writes",
                Some(Effect::Delete) => "deletes",
                None => "touches",
            };
            format!("{verb} `{}`", file.path.replace(HOLE, "…"))
        });
        let more = if files.len() > 5 { ", …" } else { "" };
        format!("{}{more}", shorten(&texts.collect::<Vec<_>>().join(", ")))
    }

    /// Whether a file that is touched so has one of the paths.
    pub fn some_file(&mut self, effects: &[Effect], paths: Paths) -> Truth {
        let (result, lacks_root) = self.with_files(|files, mut matcher| {
            let mut result = Truth::False;
            let mut lacks_root = false;
            for file in files {
                let is_meant = match file.file.effect {
                    Some(effect) if !effects.contains(&effect) => continue,
                    Some(_) => true,
                    None => effects == Effect::ALL,
                };
                let is_sure = is_meant && !file.file.is_doubtful;
                let matches = matcher.is_among(file, paths);
                result = result.or(if is_sure { matches } else { matches.and(Truth::Opaque) });
                if result == Truth::True {
                    break;
                }
                lacks_root |= matches == Truth::Unknown && matcher.lacks_root(file, paths);
            }
            (result, lacks_root)
        });
        if result.is_open() {
            let needs = match lacks_root {
                true => "where the root of the repository is",
                false => "which files the call touches",
            };
            self.miss(needs.to_owned());
        }
        result
    }

    /// Whether there are files that are touched so, and all have one of the paths.
    pub fn only_files(&mut self, effects: &'static [Effect], paths: Paths) -> Truth {
        let result = self.with_files(|files, mut matcher| {
            let mut result = None;
            for file in files {
                match file.file.effect {
                    Some(effect) if !effects.contains(&effect) => continue,
                    Some(_) => {}
                    None if effects == Effect::ALL => {}
                    // It may be one of them.
                    None => return None,
                }
                let mut is_among = matcher.is_all_among(file, paths);
                if file.file.is_doubtful {
                    is_among = is_among.or(Truth::Opaque);
                }
                result = Some(result.unwrap_or(Truth::True).and(is_among));
            }
            result
        });
        if result.is_some_and(Truth::is_open) {
            self.miss("where the files of the call lie".to_owned());
        }
        let result = result.unwrap_or(Truth::False);
        match result == Truth::True && !self.note_files_alone(effects, paths) {
            true => Truth::False,
            false => result,
        }
    }

    fn saw_operand<O: Operand>(
        &self,
        instruction: &Instruction,
        saw: impl FnOnce(&Self, O) -> String,
    ) -> String {
        O::read(instruction).map(|operand| saw(self, operand)).unwrap_or_default()
    }

    fn saw_set(&self, set: Set) -> String {
        match self.target_of_set(set) {
            Some(target) => format!(
                "target is `{}`, {} holds {}",
                target.text,
                set.print(self.view),
                self.state.set_len(set.0)
            ),
            None => "the call has no target".to_owned(),
        }
    }

    fn saw_param(&self, param: Param) -> String {
        let name = self.param_name(param);
        match self.param(param) {
            Some(value) => format!("{name} is `{}`", shorten(&value.text())),
            None => format!("the call has no {name}"),
        }
    }
}

impl Evaluate for Machine<'_> {
    type Truth = Truth;

    fn target_in_set(&mut self, set: Set) -> bool {
        self.is_in_set(set).unwrap_or(false)
    }

    fn target_not_in_set(&mut self, set: Set) -> bool {
        self.is_in_set(set).is_some_and(|is_in| !is_in)
    }

    fn target_changed_since(&mut self, set: Set) -> Truth {
        let Some(target) = self.target_of_set(set) else {
            return Truth::False;
        };
        let key = set_key(target, self.cwd, self.host, &mut self.scratch.path);
        let Some(entry) = self.state.set(set.0).and_then(|set| set.get(&key)) else {
            return Truth::False;
        };
        if self.host.exists(&key) == Some(false) {
            return Truth::False;
        }
        let then = entry.fingerprint;
        let now = self.host.fingerprint(&key);
        let changed = match (then, now) {
            // It was not there then, and is now.
            (Some(Fingerprint::ABSENT), _) if self.host.exists(&key) == Some(true) => Truth::True,
            (Some(Fingerprint::ABSENT), None) => Truth::Unknown,
            (Some(then), Some(now)) => now.changed_since(then),
            _ => Truth::Unknown,
        };
        if changed == Truth::Unknown {
            self.miss(format!("whether `{}` has changed", target.text));
        }
        changed
    }

    fn target_exists_on_disk(&mut self) -> Truth {
        let Some(target) = self.context.params.target() else { return Truth::False };
        let path = path::normalise(target.text, self.cwd, &mut self.scratch.path);
        match self.host.exists(path) {
            Some(exists) => exists.into(),
            None => {
                self.miss(format!("whether `{}` exists", target.text));
                Truth::Unknown
            }
        }
    }

    fn target_matches(&mut self, glob: Glob) -> bool {
        let Some(target) = self.context.params.target() else { return false };
        let (is_path, text) = (target.is_path, target.text);
        let Scratch { path: scratch, fold, .. } = &mut *self.scratch;
        let given = path::normalise(text, None, scratch);
        let is_anchored = Anchor::of_glob(self.view, glob) != Anchor::Any;
        if !is_anchored || !is_path {
            if self.image.matches(glob.0, given, fold) {
                return true;
            }
            // The same file by its other names: `../x` is `/x`.
            let seen_elsewhere = self.cwd.is_some() || text.contains('\\') || path::is_drive(text);
            if !is_path || !seen_elsewhere {
                return false;
            }
        }
        self.path_matcher().target_has(glob, text)
    }

    fn counter_gte(&mut self, name: Counter, value: Integer) -> bool {
        let least = self.view.row::<u64>(Section::Constants, value.0) as i64;
        self.state.counter(name.0.into()) >= least
    }

    fn flag_is(&mut self, name: Flag, value: Bool) -> bool {
        self.state.flag(name.0) == value.0
    }

    fn param_matches(&mut self, param: Param, pattern: Pattern) -> bool {
        let Some(value) = self.param(param) else { return false };
        value.any_text(|text| self.matches(pattern, text))
    }

    fn param_in(&mut self, param: Param, values: Texts) -> bool {
        let run = unpack_run(self.view.row(Section::Constants, values.0));
        self.param(param).is_some_and(|value| {
            value.any_text(|text| {
                self.view.list(run.start, run.len).any(|item| self.view.string(item) == text)
            })
        })
    }

    fn param_compare(&mut self, param: Param, op: Comparison, value: JsonScalar) -> bool {
        let expected = self.view.string(value.0);
        self.param(param).is_some_and(|value| value.compares(op.0, expected))
    }

    fn runs(&mut self, param: Param, shapes: Shapes) -> Truth {
        let (name, is_shell) = (self.param_name(param), self.context.is_shell);
        let Some(value) = self.context.params.command_line(name, is_shell) else {
            return Truth::False;
        };
        let shapes = ShapeRun::of(self.view, shapes.0);
        if !self.scratch.shell.read_if_it_matters(self.image, value) {
            return Truth::False;
        }
        let result = match self.scratch.shell.some_has(self.image, shapes) {
            Truth::False => Truth::False,
            _ if !self.are_all_open(param) => self.runs_beyond(shapes),
            result if !self.scratch.shell.has_spares(self.image, shapes) => result,
            _ => self.runs_unspared(shapes),
        };
        match (result.is_open(), value) {
            (false, _) => result,
            // A call without a command line lacks what calls have.
            (true, None) => {
                self.miss("what the call runs".to_owned());
                Truth::Unknown
            }
            (true, Some(_)) => {
                let untold = self.scratch.shell.untold(self.image, shapes);
                self.miss(untold);
                result
            }
        }
    }

    fn reads(&mut self, paths: Paths) -> Truth {
        self.some_file(&[Effect::Read], paths)
    }

    fn writes(&mut self, paths: Paths) -> Truth {
        self.some_file(&[Effect::Write], paths)
    }

    fn deletes(&mut self, paths: Paths) -> Truth {
        self.some_file(&[Effect::Delete], paths)
    }

    fn touches(&mut self, paths: Paths) -> Truth {
        self.some_file(Effect::ALL, paths)
    }

    fn writes_only(&mut self, paths: Paths) -> Truth {
        self.only_files(&[Effect::Write], paths)
    }

    fn deletes_only(&mut self, paths: Paths) -> Truth {
        self.only_files(&[Effect::Delete], paths)
    }

    fn touches_only(&mut self, paths: Paths) -> Truth {
        self.only_files(Effect::ALL, paths)
    }

    fn target_is(&mut self, paths: Paths) -> Truth {
        let Some(target) = self.context.params.target().filter(|target| target.is_path) else {
            return Truth::False;
        };
        let path = target.text.to_owned();
        let file = TouchedFile { extent: Extent::File, path, ..TouchedFile::unknown() };
        let mut matcher = self.path_matcher();
        let mut file = matcher.places.locate(file);
        let result = matcher.is_among(&mut file, paths);
        if result.is_open() {
            self.miss(format!("where `{}` lies", target.text));
        }
        result
    }

    fn branch(&mut self, branches: Branches) -> Truth {
        match self.checked_out() {
            Some(name) => self.is_branch(&name, branches).into(),
            None => {
                self.miss("which branch is checked out".to_owned());
                Truth::Unknown
            }
        }
    }

    fn is_subagent(&mut self) -> bool {
        self.is_subagent
    }

    fn on_default_branch(&mut self) -> Truth {
        match self.checked_out() {
            Some(name) => self.is_default(&name).into(),
            None => {
                self.miss("which branch is checked out".to_owned());
                Truth::Unknown
            }
        }
    }

    fn pushes_to(&mut self, branches: Branches) -> Truth {
        let Some(line) = self.context.params.command_line(COMMAND_PARAMS[0], self.context.is_shell)
        else {
            return Truth::False;
        };
        self.scratch.shell.read(self.image, line);
        let mut result = Truth::False;
        for (command, pushed) in self.scratch.shell.pushes(self.image) {
            if self.stays_here(command) || !self.is_open(command) {
                continue;
            }
            result = result.or(match pushed {
                Pushed::CheckedOut if self.pushes_elsewhere(command) => {
                    self.branch_there(command, branches)
                }
                Pushed::To(name) => self.is_branch(&name, branches).into(),
                Pushed::CheckedOut => self.branch(branches),
                Pushed::Everything => Truth::True,
                Pushed::Unknown => {
                    self.miss("where it pushes to".to_owned());
                    Truth::Opaque
                }
            });
        }
        result
    }

    fn user_asked(&mut self, pattern: Pattern) -> bool {
        if is_of_refusals(self.image, pattern.0) {
            return self.refuses(pattern);
        }
        self.state.asked.has(pattern.0) && !self.is_about_another()
    }

    fn text_matches(&mut self, pattern: Pattern) -> bool {
        self.matches(pattern, self.context.text)
    }

    fn ungrounded_claims(&mut self) -> Truth {
        self.has_ungrounded_claims()
    }

    fn result_matches(&mut self, pattern: Pattern) -> bool {
        self.context.result.is_some_and(|result| self.matches(pattern, &result.text()))
    }

    fn result_has_lint_errors(&mut self) -> bool {
        self.context.result.is_some_and(has_lint_errors)
    }

    fn result_failed(&mut self) -> bool {
        !self.context.ok
    }

    fn contains_secret(&mut self, place: SecretPlace) -> bool {
        self.secret_kind(place).is_some()
    }

    fn no_text_before_tools(&mut self) -> Truth {
        if !self.state.text_this_turn && self.text_unknown {
            self.miss("whether the agent wrote text before the call".to_owned());
            return Truth::Unknown;
        }
        (!self.state.text_this_turn).into()
    }

    fn first_tool_this_turn(&mut self) -> bool {
        self.state.turn_calls == 0
    }

    fn consecutive_gte(&mut self, count: Count) -> bool {
        self.context.consecutive >= count.0
    }

    fn tool_calls_this_turn_eq(&mut self, count: Count) -> bool {
        self.state.turn_calls == count.0
    }
}

/// A number that rules may wait for; `consecutive` is how often the tool ran in a row.
#[inline]
pub(crate) fn number(state: &State, consecutive: u32, kind: SlotKind, index: u32) -> i64 {
    match kind {
        SlotKind::Counter => state.counter(index),
        SlotKind::Flag => i64::from(state.flag(index)),
        SlotKind::SetCount => state.set_len(index) as i64,
        SlotKind::Consecutive => i64::from(consecutive),
        SlotKind::TurnCalls => i64::from(state.turn_calls),
    }
}

/// The form in which sets hold a target: paths normal and canonical, everything else as it is.
#[inline(always)]
pub(crate) fn set_key<'a>(
    target: Target<'a>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &'a mut String,
) -> Cow<'a, str> {
    if !target.is_path {
        return Cow::Borrowed(target.text);
    }
    if let Some(path) = path::on_drive(target.text, cwd) {
        return Cow::Owned(host.canonical(&path).unwrap_or(path));
    }
    let path = path::normalise(target.text, cwd, scratch);
    match host.canonical(path) {
        Some(real) => Cow::Owned(real),
        None => Cow::Borrowed(path),
    }
}
