//! Conditions as instructions: straight-line code with jumps that only lead forward.

use behavior_image::format::{ConditionNotes, Instruction};
use behavior_image::operand::{self, Operand};
use behavior_image::operation::Op;
use behavior_image::operations;

use super::generator::{Generator, Written};
use super::operand::Encode;
use crate::ir::{Condition, Test};

/// Which of the two lists of conditions is being emitted.
#[derive(Clone, Copy)]
enum Junction {
    All,
    Any,
}

impl Junction {
    fn jump(self) -> Op {
        match self {
            Junction::All => Op::JumpIfFalse,
            Junction::Any => Op::JumpIfTrue,
        }
    }

    fn combine(self) -> Op {
        match self {
            Junction::All => Op::And,
            Junction::Any => Op::Or,
        }
    }
}

impl Generator<'_> {
    /// Lays out where conditions come from.
    pub(super) fn condition_notes(&mut self) {
        for Written { at, text, span } in std::mem::take(&mut self.written) {
            let (file, line, column) = self.place(span);
            let text = self.draft.string(&text);
            self.draft.condition_notes.push(ConditionNotes { at, text, file, line, column });
        }
    }

    /// Emits a condition; `start` is where the rule's code starts.
    pub(super) fn condition(&mut self, condition: &Condition, start: u32) {
        match condition {
            Condition::Always => self.emit(Op::Constant, 1, 0, 0),
            Condition::All(items) if items.is_empty() => self.emit(Op::Constant, 1, 0, 0),
            Condition::Any(items) if items.is_empty() => self.emit(Op::Constant, 0, 0, 0),
            Condition::All(items) => self.junction(Junction::All, items, start),
            Condition::Any(items) => self.junction(Junction::Any, items, start),
            Condition::Not(inner) => {
                self.condition(inner, start);
                self.emit(Op::Not, 0, 0, 0);
            }
            Condition::Test { test, text, span } => {
                let at = self.draft.code.len() as u32;
                self.written.push(Written { at, text: text.clone(), span: *span });
                self.test(test);
            }
        }
    }

    /// The first condition that decides ends it. As long as no condition before can be unknown, the
    /// last value alone is the result; otherwise values are put together on the stack.
    fn junction(&mut self, junction: Junction, items: &[Condition], start: u32) {
        let mut jumps = Vec::new();
        let mut may_be_unknown = false;
        for (index, item) in items.iter().enumerate() {
            if may_be_unknown {
                self.emit(Op::Push, 0, 0, 0);
            }
            self.condition(item, start);
            if may_be_unknown {
                self.emit(junction.combine(), 0, 0, 0);
            }
            may_be_unknown |= can_be_unknown(item);
            if index + 1 < items.len() {
                jumps.push(self.draft.code.len());
                self.emit(junction.jump(), 0, 0, 0);
            }
        }
        let end = self.draft.code.len();
        for jump in jumps {
            if let Some(instruction) = self.draft.code.get_mut(jump) {
                instruction.c = (end - jump - 1) as u32;
            }
        }
    }

    fn emit(&mut self, op: Op, a: u8, b: u16, c: u32) {
        self.draft.code.push(Instruction { op: op as u8, a, b, c });
    }
}

/// Emits tests as the rows of the table of operations say.
macro_rules! declare_code {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident $(($(
            $(#[doc = $operand_docs:literal])*
            $operand:ident: $kind:ident $(= $default:literal)?
        ),+ $(,)?))? -> $logic:ident $columns:tt
    )*) => {
        impl Generator<'_> {
            fn test(&mut self, test: &Test) {
                let op = test.op() as u8;
                let mut instruction = Instruction { op, ..Instruction::default() };
                match test {
                    Test::Constant(value) => operand::Bool(*value).write(&mut instruction),
                    $(Test::$name $(($($operand),+))? => {
                        $($(operand::$kind::encode($operand, self).write(&mut instruction);)+)?
                    })*
                }
                self.draft.code.push(instruction);
            }
        }
    };
}

operations!(declare_code);

fn can_be_unknown(condition: &Condition) -> bool {
    match condition {
        Condition::Always => false,
        Condition::All(items) | Condition::Any(items) => items.iter().any(can_be_unknown),
        Condition::Not(inner) => can_be_unknown(inner),
        Condition::Test { test, .. } => test.op().can_be_unknown(),
    }
}

/// A condition as an expression; empty when it always holds.
pub(super) fn text(condition: &Condition) -> String {
    let join =
        |items: &[Condition], word: &str| items.iter().map(part).collect::<Vec<_>>().join(word);
    match condition {
        Condition::Always => String::new(),
        Condition::All(items) if items.is_empty() => "true".to_owned(),
        Condition::Any(items) if items.is_empty() => "false".to_owned(),
        Condition::All(items) => join(items, " and "),
        Condition::Any(items) => join(items, " or "),
        Condition::Not(inner) => format!("not {}", part(inner)),
        Condition::Test { text, .. } => text.to_string(),
    }
}

fn part(condition: &Condition) -> String {
    match condition {
        Condition::All(items) | Condition::Any(items) if items.len() > 1 => {
            format!("({})", text(condition))
        }
        _ => text(condition),
    }
}
