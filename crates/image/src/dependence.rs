//! Whether what happened before in a session makes a difference to a rule: where a session is lost, the others still
//! decide. Looks at code alone.

use crate::code::PathKind;
use crate::format::{Instruction, Record, Section, ShapeRecord};
use crate::image::View;
use crate::operand::{Operand, Paths, Shapes};
use crate::operation::{Op, SessionUse};
use crate::rules::RuleTable;
use crate::runs::unpack_run;
use crate::shapes::ShapeRun;

impl RuleTable<'_> {
    /// Whether what happened before in a session may make a difference to a rule: its condition asks for it, or one of its
    /// exceptions does.
    #[must_use]
    pub fn depends_on_session(self, rule: u32) -> bool {
        let view = self.image.view();
        let record = view.rule(rule);
        let exceptions = view.exceptions(&record);
        let exceptions = exceptions.map(|one| view.instructions(one.code, one.code_len));
        let mut code = std::iter::once(view.code(&record)).chain(exceptions).flatten();
        code.any(|bytes| asks_of_session(view, &Instruction::read(bytes)))
    }
}

fn asks_of_session(view: View<'_>, instruction: &Instruction) -> bool {
    let Some(op) = Op::from_number(instruction.op) else { return true };
    match op.session_use() {
        SessionUse::Never => false,
        SessionUse::Always => true,
        SessionUse::ByPaths => {
            Paths::read(instruction).is_none_or(|paths| are_of_session(view, paths))
        }
        SessionUse::BySpares => Shapes::read(instruction).is_none_or(|shapes| {
            ShapeRun::of(view, shapes.0).all().any(|shape| {
                let record: ShapeRecord = view.row(Section::Shapes, shape);
                Paths::spared_by(&record).is_some_and(|paths| are_of_session(view, paths))
            })
        }),
    }
}

/// Whether some of the paths are those of files that a session knows.
fn are_of_session(view: View<'_>, paths: Paths) -> bool {
    let some = |paths: Paths| {
        let sets = unpack_run(view.row(Section::Constants, paths.sets()));
        let of_words = [PathKind::Named, PathKind::Mentioned, PathKind::LeftAlone, PathKind::Kept];
        let is_spoken_of = of_words.into_iter().any(|kind| kind.is_in(paths.kinds));
        is_spoken_of || sets.len != 0
    };
    some(paths) || paths.left_out(view).is_some_and(some)
}
