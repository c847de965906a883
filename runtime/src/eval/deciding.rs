//! What a rule is about, for its message: a command of a line, a file.

use behavior_image::format::RuleRecord;
use behavior_image::operand::{Operand, Param, Paths, Shapes};
use behavior_image::operation::Op;
use behavior_image::shapes::ShapeRun;
use behavior_shell::HOLE;
use behavior_shell::touched::Effect;

use super::Machine;
use crate::commands::COMMAND_PARAMS;
use crate::prepared_rule::decoded;
use crate::truth::Truth;

impl Machine<'_> {
    /// The first file that a test of the rule's condition holds for, or may; the command where there is none, and the
    /// target of a tool that is no shell.
    pub fn cause(&mut self, rule: &RuleRecord) -> String {
        if let Some(file) = self.deciding_file(rule).filter(|file| !says_nothing(file)) {
            return file;
        }
        match self.deciding_command(rule) {
            command if command.is_empty() => {
                let target = self.context.params.target();
                target.map(|target| target.text.to_owned()).unwrap_or_default()
            }
            command => command,
        }
    }

    fn deciding_file(&mut self, rule: &RuleRecord) -> Option<String> {
        let tests = self.view.code(rule).iter().filter_map(|bytes| {
            let (op, test) = decoded(bytes)?;
            let effects: &'static [Effect] = match op {
                Op::Reads => &[Effect::Read],
                Op::Writes => &[Effect::Write],
                Op::Deletes => &[Effect::Delete],
                Op::Touches => Effect::ALL,
                _ => return None,
            };
            Some((effects, Paths::read(&test)?))
        });
        let tests: Vec<(&'static [Effect], Paths)> = tests.collect();
        tests.into_iter().find_map(|(effects, paths)| self.file_of(effects, paths))
    }

    /// The first file that is touched so and has one of the paths, else of those that may have.
    fn file_of(&mut self, effects: &[Effect], paths: Paths) -> Option<String> {
        self.with_files(|files, mut matcher| {
            let mut doubtful = None;
            for file in files {
                if file.file.effect.is_some_and(|effect| !effects.contains(&effect)) {
                    continue;
                }
                let is_meant = file.file.effect.is_some() || effects == Effect::ALL;
                let is_sure = is_meant && !file.file.is_doubtful;
                match matcher.is_among(file, paths) {
                    Truth::False => continue,
                    Truth::True if is_sure => return Some(named(&file.file.path)),
                    _ if doubtful.as_deref().is_none_or(says_nothing) => {
                        doubtful = Some(named(&file.file.path));
                    }
                    _ => {}
                }
            }
            doubtful
        })
    }

    /// The first command that a test of the rule's condition holds for, or may; the whole line where there is none.
    pub fn deciding_command(&mut self, rule: &RuleRecord) -> String {
        let view = self.view;
        let tests = view.code(rule).iter().filter_map(|bytes| match decoded(bytes)? {
            (Op::Runs, test) => Some((Param::read(&test)?, Shapes::read(&test)?)),
            _ => None,
        });
        let tests: Vec<(Param, Shapes)> = tests.collect();
        let found = tests.into_iter().find_map(|(param, shapes)| self.command_of(param, shapes));
        found.unwrap_or_else(|| {
            let line = self.context.params.get(COMMAND_PARAMS[0]);
            line.map(|line| line.text().into_owned()).unwrap_or_default()
        })
    }

    /// The first command of the line that a test holds for, else of those that it may hold for.
    fn command_of(&mut self, param: Param, shapes: Shapes) -> Option<String> {
        // The line is looked at once more, and nothing is said anew of what nobody can tell.
        let name = self.param_name(param);
        let value = self.context.params.command_line(name, self.context.is_shell)?;
        if !self.scratch.shell.read_if_it_matters(self.image, value) {
            return None;
        }
        let shapes = ShapeRun::of(self.view, shapes.0);
        let found = self.all_unspared(shapes);
        let sure = found.iter().find(|(_, truth)| *truth == Truth::True);
        let (command, _) = sure.or(found.first())?;
        self.scratch.shell.text_of(*command)
    }
}

/// Whether nothing of a path for people is known.
fn says_nothing(path: &str) -> bool {
    path.chars().all(|sign| sign == '…')
}

/// A path for people, of which not all may be known.
fn named(path: &str) -> String {
    path.replace(HOLE, "…")
}
