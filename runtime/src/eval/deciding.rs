//! What a rule is about, for its message: a command of a line, a file.

use behavior_image::format::{Instruction, RuleRecord};
use behavior_image::operand::{Operand, Param, Paths, Shapes};
use behavior_image::operation::Op;
use behavior_image::shapes::ShapeRun;
use behavior_shell::HOLE;
use behavior_shell::touched::Effect;

use super::Machine;
use crate::prepared_rule::decoded;
use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::truth::Truth;

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

    /// The commands that the rule is about: those that the first test of its condition holds for, or may, which nothing
    /// negates; where there are none, that of the other tests. The whole line where these have none either.
    pub fn deciding_command(&mut self, rule: &RuleRecord) -> String {
        let code: Vec<(Op, Instruction)> =
            self.view.code(rule).iter().filter_map(|bytes| decoded(bytes)).collect();
        let negated = negated(&code);
        let test_at = |at: &usize| match code.get(*at)? {
            (Op::Runs, test) => Some((Param::read(test)?, Shapes::read(test)?)),
            _ => None,
        };
        let (others, meant): (Vec<usize>, Vec<usize>) =
            (0..code.len()).partition(|at| negated.get(*at).copied().unwrap_or_default());
        let tests: Vec<(Param, Shapes)> = meant.iter().chain(&others).filter_map(test_at).collect();
        let found = tests.into_iter().find_map(|(param, shapes)| {
            Some(together(&self.commands_of(param, shapes))).filter(|found| !found.is_empty())
        });
        found.unwrap_or_else(|| {
            let line = self.context.params.get(COMMAND_PARAMS[0]);
            line.map(|line| line.text().into_owned()).unwrap_or_default()
        })
    }

    /// The commands of the line that a test holds for, else the first that it may hold for.
    fn commands_of(&mut self, param: Param, shapes: Shapes) -> Vec<String> {
        // The line is looked at once more, and nothing is said anew of what nobody can tell.
        let name = self.param_name(param);
        let value = self.context.params.command_line(name, self.context.is_shell);
        if !value.is_some_and(|value| self.scratch.shell.read_if_it_matters(self.image, value)) {
            return Vec::new();
        }
        let shapes = ShapeRun::of(self.view, shapes.0);
        let found = self.all_unspared(shapes);
        let sure = found.iter().filter(|(_, truth)| *truth == Truth::True);
        let mut meant: Vec<u32> = sure.map(|(command, _)| *command).collect();
        if meant.is_empty() {
            meant.extend(found.first().map(|(command, _)| *command));
        }
        meant.into_iter().filter_map(|command| self.scratch.shell.text_of(command)).collect()
    }
}

/// Of each instruction of a condition whether its result counts the other way round.
fn negated(code: &[(Op, Instruction)]) -> Vec<bool> {
    // Where each result begins that is still to be used, and where the meaning turns.
    let (mut begins, mut turns) = (Vec::new(), vec![false; code.len()]);
    for (at, (op, _)) in code.iter().enumerate() {
        match op {
            Op::And | Op::Or => {
                begins.pop();
            }
            Op::Push | Op::JumpIfFalse | Op::JumpIfTrue => {}
            Op::Not => {
                for place in begins.last().into_iter().copied().chain([at]) {
                    turns.get_mut(place).into_iter().for_each(|turn: &mut bool| *turn = !*turn);
                }
            }
            _ => begins.push(at),
        }
    }
    let turned = |is_negated: &mut bool, turn: bool| {
        *is_negated ^= turn;
        Some(*is_negated)
    };
    turns.into_iter().scan(false, turned).collect()
}

/// Some commands as one line: none twice, and none that stands in another one.
fn together(commands: &[String]) -> String {
    /// More are not told.
    const MAX: usize = 3;
    let mut shown: Vec<&str> = Vec::new();
    for command in commands {
        if shown.iter().any(|other| other.contains(command.as_str())) {
            continue;
        }
        shown.retain(|other| !command.contains(other));
        if shown.len() < MAX {
            shown.push(command);
        }
    }
    shown.join("; ")
}

/// Whether nothing of a path for people is known.
fn says_nothing(path: &str) -> bool {
    path.chars().all(|sign| sign == '…')
}

/// A path for people, of which not all may be known.
fn named(path: &str) -> String {
    path.replace(HOLE, "…")
}
