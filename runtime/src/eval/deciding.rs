//! Which command of a line a rule is about, for its message.

use behavior_image::format::RuleRecord;
use behavior_image::operand::{Operand, Param, Shapes};
use behavior_image::operation::Op;
use behavior_image::shapes::ShapeRun;

use super::Machine;
use crate::commands::COMMAND_PARAMS;
use crate::prepared_rule::decoded;
use crate::truth::Truth;

impl Machine<'_> {
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
        let found = match self.scratch.shell.has_spares(self.image, shapes) {
            true => self.unspared(shapes),
            false => {
                let met = self.scratch.shell.all_that_have(self.image, shapes).into_iter();
                met.map(|(command, truth, _)| (command, truth)).collect()
            }
        };
        let sure = found.iter().find(|(_, truth)| *truth == Truth::True);
        let (command, _) = sure.or(found.first())?;
        self.scratch.shell.text_of(*command)
    }
}
