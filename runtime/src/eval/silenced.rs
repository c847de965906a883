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
use crate::commands::COMMAND_PARAMS;
use crate::decision::{Granted, Phase, action_in_doubt};
use crate::host::grant_of_policy;
use crate::path_match::{LocatedFile, PathMatcher};
use crate::prepared_rule::decoded;
use crate::touched::TouchedFile;
use crate::truth::Truth;

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

/// What a call does that is allowed: nothing of it makes a rule fire.
#[derive(Debug)]
pub(super) struct Covered {
    /// The commands of its line, in order, that touch only files for which that is allowed.
    commands: Vec<u32>,
    /// Of each file that it touches, whether that is allowed.
    files: Vec<bool>,
}

impl Machine<'_> {
    /// Why what a rule says has no effect, if that is so: an exception of it holds, or somebody allowed what it
    /// stops.
    pub fn granted(&mut self, rule: &RuleRecord, stops: bool) -> Option<Granted> {
        let is_grantable = stops && rule.grantable != 0 && self.takes_grants;
        if rule.exceptions_len == 0 && !is_grantable {
            return None;
        }
        // Nothing of what follows is said to be missing.
        let missing = self.take_missing();
        let granted = self.excepted(rule).or_else(|| {
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
        self.answers().files_alone = FilesAlone::Noted(Vec::new());
        let holds = self.run_code(exception.code, exception.code_len, &mut Unobserved);
        let noted = match std::mem::take(&mut self.answers().files_alone) {
            FilesAlone::Noted(noted) => noted,
            FilesAlone::Answered | FilesAlone::Refused => Vec::new(),
        };
        (holds == Truth::True, noted)
    }

    /// Whether the condition of an exception holds by what is not about some files alone.
    fn holds_without_files(&mut self, exception: &ExceptionRecord) -> bool {
        self.answers().files_alone = FilesAlone::Refused;
        let holds = self.run_code(exception.code, exception.code_len, &mut Unobserved);
        self.answers().files_alone = FilesAlone::Answered;
        holds == Truth::True
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

    /// As [`Machine::granted`], for what a rule of a policy forbids, by its number, and the commands of the line that it
    /// forbids; `None` where the call is none of a shell.
    #[cold]
    pub fn allowed_by_policy(&mut self, rule: u32, forbidden: Option<&[u32]>) -> Option<Granted> {
        let record: PermissionRecord = self.view.row(Section::Permissions, rule);
        let id = grant_of_policy(self.view.string(record.name));
        self.allowed(&id, |_, covered| {
            forbidden
                .is_none_or(|all| all.iter().all(|one| covered.commands.binary_search(one).is_ok()))
        })
    }

    /// What of the call is allowed, where something is allowed for files; `None` where it touches none.
    fn covered_by(&mut self, allowed: &[AllowedFiles]) -> Option<Covered> {
        let is_covered = |file: &mut LocatedFile, matcher: &mut PathMatcher<'_, '_>| {
            !file.file.is_doubtful && allowed.iter().any(|one| one.cover(file, matcher))
        };
        let files: Vec<bool> = self.with_files(|files, mut matcher| {
            files.iter_mut().map(|file| is_covered(file, &mut matcher)).collect()
        });
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
        let mut matcher = self.path_matcher();
        for (by, file) in by_command {
            if file.effect == Some(Effect::Read) && changing.binary_search(&by).is_ok() {
                continue;
            }
            let file_is_covered = is_covered(&mut matcher.places.locate(file), &mut matcher);
            commands.push((by, file_is_covered));
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
        if !self.looks_at_acts(rule) || self.is_all_of_call(&covered) {
            return false;
        }
        let answers = self.answers();
        let all = answers.touched.take().unwrap_or_default();
        let beyond = all.iter().zip(&covered.files).filter(|(_, is_covered)| !**is_covered);
        answers.touched = Some(beyond.map(|(file, _)| file.clone()).collect());
        answers.covered = Some(covered.commands);
        let fires = self.run_code(rule.code, rule.code_len, &mut Unobserved);
        let answers = self.answers();
        (answers.touched, answers.covered) = (Some(all), None);
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

    /// Whether a command of the line is looked at: one that is covered is not.
    #[inline]
    pub(super) fn is_open(&self, command: u32) -> bool {
        let covered = self.answers.as_ref().and_then(|answers| answers.covered.as_ref());
        covered.is_none_or(|covered| covered.binary_search(&command).is_err())
    }

    /// Whether all commands of the line in a parameter are looked at.
    #[inline]
    pub(super) fn are_all_open(&self, param: Param) -> bool {
        let is_some = self.answers.as_ref().is_some_and(|answers| answers.covered.is_some());
        !is_some || !self.context.is_shell || self.param_name(param) != COMMAND_PARAMS[0]
    }

    /// Whether the condition of an exception is asked.
    pub(super) fn is_excepting(&self) -> bool {
        let answers = self.answers.as_ref();
        answers.is_some_and(|one| !matches!(one.files_alone, FilesAlone::Answered))
    }

    /// Notes that files are among some paths alone, and says whether that counts.
    pub(super) fn note_files_alone(&mut self, effects: &'static [Effect], paths: Paths) -> bool {
        match &mut self.answers().files_alone {
            FilesAlone::Answered => true,
            FilesAlone::Refused => false,
            FilesAlone::Noted(noted) => {
                noted.push(AllowedFiles::At(effects, paths));
                true
            }
        }
    }
}
