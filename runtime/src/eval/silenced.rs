//! Why what a rule says has no effect: an exception of it holds, or somebody allowed what it stops. What is allowed for
//! some files alone covers what a call does with those, and nothing else that made the rule fire: where the rule would
//! fire on the rest, it does.

use behavior_image::format::{
    ExceptionRecord, Instruction, NONE, PermissionRecord, RuleRecord, Section,
};
use behavior_image::operand::{Param, Paths};
use behavior_image::operation::Op;
use behavior_shell::touched::Effect;

use super::{Machine, Unobserved};
use crate::decision::{Granted, Phase, action_in_doubt};
use crate::host::grant_of_policy;
use crate::path_match::PathMatcher;
use crate::prepared_rule::decoded;
use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::commands::shell::Shell;
use behavior_facts::places::LocatedFile;
use behavior_facts::touched::TouchedFile;
use behavior_facts::truth::Truth;
use behavior_facts::value::ValueRef;

/// What becomes of a condition that is for some files alone.
#[derive(Debug, Default)]
pub(super) enum FilesAlone {
    /// It is answered.
    #[default]
    Answered,
    /// It is answered, and where it holds, what it is for is noted.
    Noted(Vec<AllowedFiles>),
    /// It does not hold.
    Refused,
}

/// Files for which something is allowed.
#[derive(Clone, Debug)]
pub(super) enum AllowedFiles {
    /// Those at some paths, to be touched so.
    At(&'static [Effect], Paths),
    /// Those that a glob matches, however they are touched.
    Below(String),
}

impl AllowedFiles {
    fn cover(&self, file: &mut LocatedFile, matcher: &mut PathMatcher<'_, '_>) -> bool {
        match self {
            Self::At(effects, paths) => {
                let is_meant = match file.file.effect {
                    Some(effect) => effects.contains(&effect),
                    None => *effects == Effect::ALL,
                };
                is_meant && matcher.is_all_among(file, *paths) == Truth::True
            }
            Self::Below(glob) => matcher.is_all_below(file, glob),
        }
    }
}

/// What is different while an exception is asked, or what goes beyond it.
#[derive(Debug, Default)]
pub(super) struct Excepting {
    files_alone: FilesAlone,
    /// The commands of the line that are not looked at, in order: what they do is allowed.
    covered: Option<Vec<u32>>,
}

/// What a call does that is allowed: nothing of it makes a rule fire.
#[derive(Debug)]
pub(super) struct Covered {
    /// The commands of its line, in order, that touch only files for which that is allowed.
    commands: Vec<u32>,
    /// Of each file that it touches, whether that is allowed.
    files: Vec<bool>,
}

impl<'a> Machine<'a> {
    /// Why what a rule says has no effect, if that is so: an exception of it holds, or somebody allowed what it
    /// stops.
    #[inline]
    pub fn granted(&mut self, rule: &RuleRecord, stops: bool) -> Option<Granted> {
        let is_grantable = stops && rule.grantable != 0 && self.takes_grants;
        match rule.exceptions_len != 0 || is_grantable {
            true => self.silenced(rule, is_grantable),
            false => None,
        }
    }

    #[inline(never)]
    fn silenced(&mut self, rule: &RuleRecord, is_grantable: bool) -> Option<Granted> {
        // Nothing of what follows is said to be missing.
        let missing = self.take_missing();
        let excepted = if rule.exceptions_len == 0 { None } else { self.excepted(rule) };
        let granted = excepted.or_else(|| {
            if !is_grantable {
                return None;
            }
            let id = self.view.string(rule.id);
            self.allowed(id, |this, covered| !this.fires_beyond(rule, covered))
        });
        if let Some(answers) = &mut self.answers {
            answers.missing = missing;
        }
        granted
    }

    /// The exception that makes a rule silent, if one does: where nobody can tell, none.
    #[cold]
    fn excepted(&mut self, rule: &RuleRecord) -> Option<Granted> {
        let view = self.view;
        let found = view.exceptions(rule).find(|exception| self.is_excepted(rule, exception));
        let reason = view.string(found?.reason);
        Some(Granted { by: "exception".to_owned(), scope: reason.to_owned() })
    }

    fn is_excepted(&mut self, rule: &RuleRecord, exception: &ExceptionRecord) -> bool {
        let is_over = exception.until != NONE
            && self.host.now().is_some_and(|now| now / 1000 >= exception.until.into());
        if is_over {
            return false;
        }
        let (holds, noted) = self.holds_noting(exception);
        holds
            && (noted.is_empty()
                || self.covered_by(&noted).is_some_and(|all| !self.fires_beyond(rule, all))
                || self.holds_without_files(exception))
    }

    /// Whether the condition of an exception holds, and what it is for, as far as that is some files alone.
    fn holds_noting(&mut self, exception: &ExceptionRecord) -> (bool, Vec<AllowedFiles>) {
        let (holds, noted) = self.ask_exception(exception, FilesAlone::Noted(Vec::new()));
        match noted {
            FilesAlone::Noted(noted) => (holds, noted),
            FilesAlone::Answered | FilesAlone::Refused => (holds, Vec::new()),
        }
    }

    fn ask_exception(
        &mut self,
        exception: &ExceptionRecord,
        files_alone: FilesAlone,
    ) -> (bool, FilesAlone) {
        self.answers().excepting = Some(Box::new(Excepting { files_alone, covered: None }));
        let holds = self.run_code(exception.code, exception.code_len, &mut Unobserved);
        let excepting = self.answers().excepting.take().unwrap_or_default();
        (holds == Truth::True, excepting.files_alone)
    }

    /// Whether the condition of an exception holds by what is not about some files alone.
    fn holds_without_files(&mut self, exception: &ExceptionRecord) -> bool {
        self.ask_exception(exception, FilesAlone::Refused).0
    }

    /// Who allowed what a rule stops, if somebody did: the first grant that covers the call is used. Of one for some
    /// files, `covers` says whether it does.
    #[cold]
    fn allowed(
        &mut self,
        rule: &str,
        covers: impl Fn(&mut Self, Covered) -> bool,
    ) -> Option<Granted> {
        let grants = self.host.grants(rule);
        for grant in grants {
            let is_covered = match &grant.paths {
                None => true,
                Some(glob) => {
                    let allowed = [AllowedFiles::Below(glob.clone())];
                    let covered = self.covered_by(&allowed);
                    let all = covered.filter(|covered| covered.files.iter().all(|file| *file));
                    all.is_some_and(|covered| covers(self, covered))
                }
            };
            if is_covered && self.host.use_grant(&grant) {
                return Some(Granted { by: grant.by, scope: grant.scope });
            }
        }
        None
    }

    /// As [`Machine::granted`], for what a rule of a policy forbids, by its number. Of a call to a shell, `forbidden` tells
    /// which commands that are.
    #[cold]
    pub fn allowed_by_policy(
        &mut self,
        rule: u32,
        forbidden: impl Fn(&mut Shell) -> Option<Vec<u32>>,
    ) -> Option<Granted> {
        let record: PermissionRecord = self.view.row(Section::Permissions, rule);
        let id = grant_of_policy(self.view.string(record.name));
        self.allowed(&id, |this, covered| {
            let is_covered = |one: &u32| covered.commands.binary_search(one).is_ok();
            forbidden(&mut this.scratch.shell).is_none_or(|all| all.iter().all(is_covered))
        })
    }

    /// What of the call is allowed, where something is allowed for files; `None` where it touches none.
    fn covered_by(&mut self, allowed: &[AllowedFiles]) -> Option<Covered> {
        let is_covered = |file: &mut LocatedFile, matcher: &mut PathMatcher<'_, '_>| {
            !file.file.is_doubtful && allowed.iter().any(|one| one.cover(file, matcher))
        };
        let mut files: Vec<bool> = self.with_files(|files, mut matcher| {
            files.iter_mut().map(|file| is_covered(file, &mut matcher)).collect()
        });
        // What was moved there is not what the user spoke of.
        let touched: Vec<TouchedFile> =
            self.with_files(|files, _| files.iter().map(|file| file.file.clone()).collect());
        for (is_covered, file) in files.iter_mut().zip(&touched) {
            *is_covered &= file.effect == Some(Effect::Read) || !self.has_arrived(file, &[]);
        }
        let mut by_command = Vec::new();
        if self.context.is_shell {
            self.read_line();
            by_command = self.files_of_programs();
        }
        self.widen_to_repositories(&mut by_command);
        // What a command changes is what it is about, and what it reads where it changes nothing.
        let changes = |(_, file): &&(u32, TouchedFile)| file.effect != Some(Effect::Read);
        let mut changing: Vec<u32> = by_command.iter().filter(changes).map(|(by, _)| *by).collect();
        changing.sort_unstable();
        let mut commands: Vec<(u32, bool)> = Vec::new();
        for (by, file) in by_command {
            let is_read = file.effect == Some(Effect::Read);
            if is_read && changing.binary_search(&by).is_ok() {
                continue;
            }
            let has_arrived = !is_read && self.has_arrived(&file, &[]);
            let mut matcher = self.path_matcher();
            let located = &mut matcher.places.locate(file);
            commands.push((by, !has_arrived && is_covered(located, &mut matcher)));
        }
        commands.sort_unstable();
        // Of each command, one that is not covered comes first.
        commands.dedup_by_key(|(by, _)| *by);
        let covered = commands.into_iter().filter(|(_, is_covered)| *is_covered);
        let commands = covered.map(|(by, _)| by).collect();
        (!files.is_empty()).then_some(Covered { commands, files })
    }

    /// Whether a rule fires on what a call does beyond what is allowed.
    fn fires_beyond(&mut self, rule: &RuleRecord, covered: Covered) -> bool {
        if self.is_all_of_call(&covered) {
            return false;
        }
        // Of other rules nobody can tell which command made them fire.
        if !self.looks_at_acts(rule) {
            return self.context.is_shell;
        }
        let answers = self.answers();
        let all = answers.touched.take().unwrap_or_default();
        let beyond = all.iter().zip(&covered.files).filter(|(_, is_covered)| !**is_covered);
        answers.touched = Some(beyond.map(|(file, _)| file.clone()).collect());
        let (files_alone, covered) = (FilesAlone::Answered, Some(covered.commands));
        answers.excepting = Some(Box::new(Excepting { files_alone, covered }));
        let fires = self.run_code(rule.code, rule.code_len, &mut Unobserved);
        let answers = self.answers();
        (answers.touched, answers.excepting) = (Some(all), None);
        match fires {
            Truth::True => true,
            Truth::False | Truth::Unknown => false,
            Truth::Opaque => {
                self.context.phase != Phase::PreTool || action_in_doubt(rule).is_some()
            }
        }
    }

    /// Whether the condition of a rule asks what a call does, one thing after the other.
    fn looks_at_acts(&self, rule: &RuleRecord) -> bool {
        let asks = |op| {
            matches!(
                op,
                Op::Runs | Op::PushesTo | Op::Reads | Op::Writes | Op::Deletes | Op::Touches
            )
        };
        let mut code = self.view.code(rule).iter().filter_map(|bytes| decoded(bytes));
        code.any(|(op, _): (Op, Instruction)| asks(op))
    }

    /// Whether all that a call does is covered.
    fn is_all_of_call(&self, covered: &Covered) -> bool {
        let commands = match self.context.is_shell {
            true => self.scratch.shell.line().commands().len(),
            false => 0,
        };
        covered.commands.len() == commands && covered.files.iter().all(|file| *file)
    }

    /// The commands of the line that are not looked at.
    #[inline]
    fn covered(&self) -> Option<&[u32]> {
        self.answers.as_ref()?.excepting.as_ref()?.covered.as_deref()
    }

    /// Whether a command of the line is looked at: one that is covered is not.
    pub(super) fn is_open(&self, command: u32) -> bool {
        self.covered().is_none_or(|covered| covered.binary_search(&command).is_err())
    }

    /// Whether all commands of the line in a parameter are looked at.
    #[inline]
    pub(super) fn are_all_open(&self, param: Param) -> bool {
        let is_none = self.covered().is_none();
        is_none || !self.context.is_shell || self.param_name(param) != COMMAND_PARAMS[0]
    }

    /// The whole command line of a call of which an exception asks for a parameter, where several say it: what is allowed
    /// for one is not allowed for what others add.
    #[cold]
    #[inline(never)]
    pub(super) fn whole_line(&self, param: &[u8]) -> Option<ValueRef<'a>> {
        let excepting = self.answers.as_ref()?.excepting.as_ref()?;
        let is_asked = !matches!(excepting.files_alone, FilesAlone::Answered);
        let told = self.context.params.told_line()?;
        (is_asked && param == COMMAND_PARAMS[0].as_bytes()).then_some(ValueRef::Text(told))
    }

    /// Notes that files are among some paths alone, and says whether that counts.
    pub(super) fn note_files_alone(&mut self, effects: &'static [Effect], paths: Paths) -> bool {
        let excepting = self.answers.as_mut().and_then(|answers| answers.excepting.as_mut());
        match excepting.map(|excepting| &mut excepting.files_alone) {
            None | Some(FilesAlone::Answered) => true,
            Some(FilesAlone::Refused) => false,
            Some(FilesAlone::Noted(noted)) => {
                noted.push(AllowedFiles::At(effects, paths));
                true
            }
        }
    }
}
