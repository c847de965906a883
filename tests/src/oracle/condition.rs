//! Conditions, walked as trees.

use behavior_compiler::ir::{Branches, Condition, Paths, Test};
use behavior_facts::touched::TouchedFile;
use behavior_image::code::{Comparison, EventPart};
use behavior_runtime::decision::Phase;
use behavior_runtime::event::{Call, Value};
use behavior_secrets::contains_secret;
use behavior_shell::HOLE;
use behavior_shell::touched::{Effect, Extent};
use serde_json::Value as Json;

use super::aside::Aside;
use super::command::Pushed;
use super::session::{Context, Session};
use super::truth::{Truth, all, any};
use super::world::World;
use super::{claims, command, files, paths, state, values};

/// Whatever happens to a file.
const EVERY: &[Effect] = &[Effect::Read, Effect::Write, Effect::Delete];

/// A rule's condition, asked at one moment.
pub struct Question<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) session: &'a Session,
    pub(super) context: &'a Context<'a>,
    pub(super) aside: Aside,
}

impl Question<'_> {
    /// Whether a condition holds.
    pub(super) fn holds(&self, condition: &Condition) -> Truth {
        match condition {
            Condition::Always => Truth::Yes,
            Condition::All(items) => all(items.iter().map(|item| self.holds(item))),
            Condition::Any(items) => any(items.iter().map(|item| self.holds(item))),
            Condition::Not(inner) => self.holds(inner).opposite(),
            Condition::Test { test, .. } => {
                let result = self.test(test);
                let name = format!("{test:?}").split(['(', ' ']).next().unwrap().to_owned();
                self.world.reached.borrow_mut().insert((name, result));
                result
            }
        }
    }

    fn test(&self, test: &Test) -> Truth {
        let state = &self.session.state;
        match test {
            Test::TargetExists => Truth::of_fact(self.target_exists()),
            Test::TargetChangedSince(set) => Truth::of_fact(self.target_changed(*set)),
            Test::Reads(paths) => self.some_file(paths, &[Effect::Read]),
            Test::Writes(paths) => self.some_file(paths, &[Effect::Write]),
            Test::Deletes(paths) => self.some_file(paths, &[Effect::Delete]),
            Test::Touches(paths) => self.some_file(paths, EVERY),
            Test::WritesOnly(paths) => self.only_files(paths, &[Effect::Write]),
            Test::DeletesOnly(paths) => self.only_files(paths, &[Effect::Delete]),
            Test::TouchesOnly(paths) => self.only_files(paths, EVERY),
            Test::TargetIs(paths) => self.target_is(paths),
            Test::Runs(name, shapes) => match self.context.call {
                Some(call) => {
                    let (cwd, state) = (self.session.cwd.as_deref(), &self.session.state);
                    let place = (cwd, state as &dyn paths::Sets, paths::directory(call));
                    command::runs(self.world, shapes, call, name, Some(place), &self.aside.commands)
                }
                None => Truth::No,
            },
            Test::BranchIs(branches) => self.branch_is(branches),
            Test::UngroundedClaims => {
                let (cwd, seen) = (self.session.cwd.as_deref(), &self.session.state.seen);
                let text = match self.context.phase {
                    Phase::TurnEnd => &self.session.state.response,
                    _ => self.context.text,
                };
                claims::are_ungrounded(text, cwd, &self.world.files, seen)
            }
            Test::OnDefaultBranch => match &self.session.state.branch {
                Some(name) => ["main", "master"].contains(&name.as_str()).into(),
                None => Truth::Missing,
            },
            Test::PushesTo(branches) => match self.context.call {
                Some(call) => {
                    let pushes = command::pushes(self.world, call).into_iter();
                    let open = pushes.filter(|(by, _)| !self.aside.commands.contains(by));
                    any(open.map(|(_, pushed)| match pushed {
                        Pushed::To(name) => self.is_branch(&name, branches).into(),
                        Pushed::CheckedOut => self.branch_is(branches),
                        Pushed::Everything => Truth::Yes,
                        Pushed::Unknown => Truth::Hidden,
                    }))
                }
                None => Truth::No,
            },
            known => Truth::from(match known {
                Test::Constant(value) => *value,
                Test::TargetInSet(set) => self.is_in(*set) == Some(true),
                Test::TargetNotInSet(set) => self.is_in(*set) == Some(false),
                Test::CounterAtLeast(counter, least) => {
                    state.counters[*counter as usize].1 >= *least
                }
                Test::FlagIs(flag, value) => state.flags[*flag as usize].1 == *value,
                Test::ParamMatches(name, pattern) => {
                    self.texts(name).iter().any(|text| self.world.matches(*pattern, text))
                }
                Test::ParamIn(name, values) => {
                    self.texts(name).iter().any(|text| values.iter().any(|value| **value == **text))
                }
                Test::ParamCompare(name, comparison, expected) => match self.told(name) {
                    Some(told) => compare(&Value::Text(told.into()), *comparison, expected),
                    None => {
                        self.param(name).is_some_and(|value| compare(value, *comparison, expected))
                    }
                },
                Test::NoTextBeforeTools => !state.text_this_turn,
                Test::IsSubagent => state.is_subagent,
                Test::FirstToolThisTurn => state.turn_calls == 0,
                Test::ConsecutiveAtLeast(least) => self.context.consecutive >= *least,
                Test::TurnCallsEqual(number) => state.turn_calls == *number,
                Test::TextMatches(pattern) => self.world.matches(*pattern, self.context.text),
                Test::ResultHasLintErrors => {
                    self.context.result.is_some_and(|result| has_lint_errors(&values::json(result)))
                }
                Test::TargetMatches(glob) => self.target_matches(*glob),
                Test::ResultMatches(pattern) => self
                    .context
                    .result
                    .is_some_and(|result| self.world.matches(*pattern, &values::whole(result))),
                Test::ResultFailed => !self.context.ok,
                Test::UserAsked(pattern) => state.asked.asked.contains(pattern),
                Test::ContainsSecret(place) => self.has_secret(place.place, place.param.as_deref()),
                _ => unreachable!("it is answered above"),
            }),
        }
    }

    pub(super) fn asked<'q>(&'q self, paths: &'q Paths) -> paths::Asked<'q> {
        let (cwd, sets) = (self.session.cwd.as_deref(), &self.session.state);
        paths::Asked { world: self.world, paths, cwd, sets }
    }

    fn branch_is(&self, branches: &Branches) -> Truth {
        match &self.session.state.branch {
            Some(name) => self.is_branch(name, branches).into(),
            None => Truth::Missing,
        }
    }

    fn is_branch(&self, name: &str, branches: &Branches) -> bool {
        branches.is_default && ["main", "master"].contains(&name)
            || branches.names.iter().any(|pattern| self.world.matches(*pattern, name))
    }

    fn some_file(&self, paths: &Paths, effects: &[Effect]) -> Truth {
        let Some(call) = self.context.call else { return Truth::No };
        self.asked(paths).some(&self.touched(call), effects)
    }

    /// The first file that a test of the condition holds for, else may, as it is written.
    pub(super) fn deciding_file(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().find_map(|part| self.deciding_file(part))
            }
            Condition::Not(part) => self.deciding_file(part),
            Condition::Test { test, .. } => match test {
                Test::Reads(paths) => self.file_of(paths, &[Effect::Read]),
                Test::Writes(paths) => self.file_of(paths, &[Effect::Write]),
                Test::Deletes(paths) => self.file_of(paths, &[Effect::Delete]),
                Test::Touches(paths) => self.file_of(paths, EVERY),
                _ => None,
            },
            Condition::Always => None,
        }
    }

    fn file_of(&self, paths: &Paths, effects: &[Effect]) -> Option<String> {
        let files = paths::touched(self.world, self.context.call?);
        let asked = self.asked(paths);
        let answers =
            files.iter().map(|file| (file, asked.some(std::slice::from_ref(file), effects)));
        let answers: Vec<_> = answers.filter(|(_, answer)| *answer != Truth::No).collect();
        let sure = answers.iter().find(|(_, answer)| *answer == Truth::Yes);
        let (file, _) = sure.or(answers.first())?;
        Some(file.path.replace(HOLE, "…"))
    }

    fn only_files(&self, paths: &Paths, effects: &'static [Effect]) -> Truth {
        let Some(call) = self.context.call else { return Truth::No };
        let answer = self.asked(paths).only(&self.touched(call), effects);
        if answer == Truth::Yes && self.aside.says_nothing_of_files {
            return Truth::No;
        }
        if answer == Truth::Yes {
            self.aside.held.borrow_mut().push((effects, paths.clone()));
        }
        answer
    }

    /// The files that the call touches, without those that are left aside.
    fn touched(&self, call: &Call<'_>) -> Vec<TouchedFile> {
        let mut files = paths::touched(self.world, call);
        files.retain(|file| !self.aside.files.contains(file));
        files
    }

    fn target_is(&self, paths: &Paths) -> Truth {
        let target = self.context.call.and_then(|call| values::target(call, &[]));
        let Some(target) = target.filter(|target| target.is_path) else { return Truth::No };
        let path = target.text.to_owned();
        self.asked(paths).is_among(&TouchedFile {
            extent: Extent::File,
            path,
            ..TouchedFile::unknown()
        })
    }

    fn param(&self, name: &str) -> Option<&Value<'_>> {
        values::param(self.context.call?, name)
    }

    fn texts(&self, name: &str) -> Vec<String> {
        match self.told(name) {
            Some(told) => vec![told],
            None => self.given_texts(name),
        }
    }

    /// The whole command line of a call of which an exception asks for a parameter, where several say it.
    fn told(&self, name: &str) -> Option<String> {
        let call = self.context.call.filter(|_| self.aside.is_of_exception && name == "command")?;
        command::told(call).filter(|_| command::runs_commands(call))
    }

    fn given_texts(&self, name: &str) -> Vec<String> {
        self.param(name).map_or(Vec::new(), values::candidates)
    }

    fn key(&self, set: u32) -> Option<String> {
        state::key(self.world, self.context.call?, set, self.session.cwd.as_deref())
    }

    fn is_in(&self, set: u32) -> Option<bool> {
        self.key(set).map(|key| self.session.state.entry(set, &key).is_some())
    }

    fn target_exists(&self) -> Option<bool> {
        let Some(target) = self.context.call.and_then(|call| values::target(call, &[])) else {
            return Some(false);
        };
        let path = files::normal(&target.text, self.session.cwd.as_deref());
        self.world.files.exists(&path)
    }

    fn target_changed(&self, set: u32) -> Option<bool> {
        let Some(key) = self.key(set) else { return Some(false) };
        let Some(entry) = self.session.state.entry(set, &key) else { return Some(false) };
        if self.world.files.exists(&key) == Some(false) {
            return Some(false);
        }
        let (then, now) = (entry.fingerprint, self.world.files.fingerprint(&key));
        if then == state::ABSENT {
            let is_there = self.world.files.exists(&key) == Some(true) || now != (None, None);
            return is_there.then_some(true);
        }
        let differ = |differ: Option<bool>| differ == Some(true);
        let sizes = then.0.zip(now.0).map(|(then, now)| then != now);
        let times = then.1.zip(now.1).map(|(then, now)| then != now);
        let tell_of_the_same =
            then.0.is_some() == now.0.is_some() && then.1.is_some() == now.1.is_some();
        match () {
            () if differ(sizes) || differ(times) => Some(true),
            () if tell_of_the_same && (sizes.is_some() || times.is_some()) => Some(false),
            () => None,
        }
    }

    /// A path glob is tried on the path as given, and on the one that it stands for.
    fn target_matches(&self, glob: u32) -> bool {
        let Some(target) = self.context.call.and_then(|call| values::target(call, &[])) else {
            return false;
        };
        let given = files::normal(&target.text, None);
        if !target.is_path {
            return self.world.matches(glob, &given);
        }
        let source = &self.world.program.patterns[glob as usize].source;
        let is_anchored = ["/", "./", "~/"].iter().any(|anchor| source.starts_with(anchor));
        let paths = Paths { globs: vec![glob], ..Paths::default() };
        let full = files::normal(&target.text, self.session.cwd.as_deref());
        self.asked(&paths).matches(glob, &full) || !is_anchored && self.world.matches(glob, &given)
    }

    fn has_secret(&self, place: EventPart, param: Option<&str>) -> bool {
        let has = |value: &Value<'_>| contains_secret(&values::whole(value)).is_some();
        let params =
            || self.context.call.is_some_and(|call| call.params.iter().any(|p| has(&p.value)));
        let result = || self.context.result.is_some_and(has);
        let text = || contains_secret(self.context.text).is_some();
        match place {
            EventPart::Params => params(),
            EventPart::Param => param.and_then(|name| self.param(name)).is_some_and(has),
            EventPart::Result => result(),
            EventPart::Text => text(),
            EventPart::Anywhere => params() || result() || text(),
        }
    }
}

fn compare(value: &Value<'_>, comparison: Comparison, expected: &str) -> bool {
    let actual = values::json(value);
    let expected: Json = serde_json::from_str(expected).expect("a JSON scalar");
    let equal = match (actual.as_f64(), expected.as_f64()) {
        (Some(actual), Some(expected)) => actual == expected,
        _ => actual == expected,
    };
    let numbers = actual.as_f64().zip(expected.as_f64());
    match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => !equal,
        Comparison::Less => numbers.is_some_and(|(actual, expected)| actual < expected),
        Comparison::LessOrEqual => numbers.is_some_and(|(actual, expected)| actual <= expected),
        Comparison::Greater => numbers.is_some_and(|(actual, expected)| actual > expected),
        Comparison::GreaterOrEqual => numbers.is_some_and(|(actual, expected)| actual >= expected),
    }
}

/// `lint` or `data.lint` lists something of severity `error`.
fn has_lint_errors(result: &Json) -> bool {
    let is_error = |item: &Json| item["severity"] == "error";
    let lists = |list: &Json| list.as_array().is_some_and(|items| items.iter().any(is_error));
    lists(&result["lint"]) || lists(&result["data"]["lint"])
}
