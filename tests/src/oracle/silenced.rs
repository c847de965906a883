//! Exceptions, asked the plain way: one that is for some files alone is asked once as it stands, once as if it had nothing to say
//! of files, and the rule once more about what is left of the call.

use behavior_compiler::ir::{Condition, Exception, Paths, Rule, Test};
use behavior_facts::commands::ProgramTable;
use behavior_facts::touched::TouchedFile;
use behavior_runtime::decision::Phase;
use behavior_shell::touched::{Effect, files_of_programs};
use behavior_shell::{CommandLine, Knowledge};

use super::aside::Aside;
use super::condition::Question;
use super::truth::Truth;
use super::{command, in_doubt, paths};

impl<'a> Question<'a> {
    fn with(&self, aside: Aside) -> Question<'a> {
        Question { world: self.world, session: self.session, context: self.context, aside }
    }

    /// Whether an exception makes a rule silent that fires.
    pub(super) fn is_excepted(&self, rule: &Rule, exception: &Exception) -> Truth {
        let noted = self.with(Aside { is_of_exception: true, ..Aside::default() });
        let truth = noted.holds(&exception.condition);
        let held = noted.aside.held.into_inner();
        if truth != Truth::Yes || held.is_empty() {
            return truth;
        }
        let silent =
            Aside { says_nothing_of_files: true, is_of_exception: true, ..Aside::default() };
        let holds_anyhow = self.with(silent).holds(&exception.condition) == Truth::Yes;
        (holds_anyhow || !self.fires_beyond(rule, &held)).into()
    }

    fn fires_beyond(&self, rule: &Rule, held: &[(&'static [Effect], Paths)]) -> bool {
        let Some(call) = self.context.call else { return false };
        let is_allowed = |file: &TouchedFile| {
            held.iter().any(|(effects, paths)| {
                let is_meant = match file.effect {
                    Some(effect) => effects.contains(&effect),
                    None => effects.len() > 1,
                };
                is_meant && self.asked(paths).is_all_in(file) == Truth::Yes
            })
        };
        let all = paths::touched(self.world, call);
        let files: Vec<_> = all.iter().filter(|file| is_allowed(file)).cloned().collect();
        let mut line = CommandLine::default();
        let mut commands = Vec::new();
        if command::runs_commands(call) {
            command::read(self.world, call, &mut line);
            let table = ProgramTable::of(&self.world.programs);
            let own = table.map(|table| files_of_programs(&line, &table as &dyn Knowledge));
            let own = own.unwrap_or_default();
            for index in 0..line.commands().len() {
                let of_command = own.iter().filter(|file| file.command as usize == index);
                let (read, changed): (Vec<_>, Vec<_>) =
                    of_command.partition(|file| file.effect == Effect::Read);
                let acts = if changed.is_empty() { read } else { changed };
                let acts: Vec<TouchedFile> = acts
                    .into_iter()
                    .map(|file| TouchedFile::from(file.clone()).run_in(paths::directory(call)))
                    .collect();
                if !acts.is_empty() && acts.iter().all(is_allowed) {
                    commands.push(index);
                }
            }
        }
        if commands.len() == line.commands().len() && files.len() == all.len() {
            return false;
        }
        if !asks_of_acts(&rule.condition) {
            return command::runs_commands(call);
        }
        let rest = self.with(Aside { commands, files, ..Aside::default() });
        match rest.holds(&rule.condition) {
            Truth::Yes => true,
            Truth::No | Truth::Missing => false,
            Truth::Hidden => self.context.phase != Phase::PreTool || in_doubt(rule).is_some(),
        }
    }
}

/// Whether a condition asks what a call does, one thing after the other.
fn asks_of_acts(condition: &Condition) -> bool {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().any(asks_of_acts),
        Condition::Not(part) => asks_of_acts(part),
        Condition::Test { test, .. } => matches!(
            test,
            Test::Runs(..)
                | Test::PushesTo(_)
                | Test::Reads(_)
                | Test::Writes(_)
                | Test::Deletes(_)
                | Test::Touches(_)
        ),
        Condition::Always => false,
    }
}
