//! Conditions as instructions: straight-line code with jumps that only lead forward.

use behavior_runtime::code::{Op, Place};
use behavior_runtime::image::format::{ConditionNotes, Instruction};
use behavior_runtime::image::pack_run;

use super::Generator;
use crate::ir::{Condition, Test};
use crate::source::Span;

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

/// A condition as it was written, and the instruction that tests it.
pub(super) struct Written {
    at: u32,
    text: Box<str>,
    span: Span,
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

    fn test(&mut self, test: &Test) {
        match test {
            Test::Constant(value) => self.emit(Op::Constant, u8::from(*value), 0, 0),
            Test::TargetInSet(set) => self.emit(Op::TargetInSet, 0, 0, *set),
            Test::TargetNotInSet(set) => self.emit(Op::TargetNotInSet, 0, 0, *set),
            Test::CounterAtLeast(counter, least) => {
                let constant = self.draft.constant(*least as u64);
                self.emit(Op::CounterAtLeast, 0, narrow(*counter), constant);
            }
            Test::FlagIs(flag, value) => self.emit(Op::FlagIs, u8::from(*value), 0, *flag),
            Test::ParamMatches(param, pattern) => {
                let param = self.param(param);
                self.emit(Op::ParamMatches, 0, narrow(param), *pattern);
            }
            Test::ParamIn(param, values) => {
                let param = self.param(param);
                let values: Vec<u32> =
                    values.iter().map(|value| self.draft.string(value)).collect();
                let run = self.draft.list(values);
                let constant = self.draft.constant(pack_run(run));
                self.emit(Op::ParamIn, 0, narrow(param), constant);
            }
            Test::ParamCompare(param, comparison, value) => {
                let param = self.param(param);
                let value = self.draft.string(value);
                self.emit(Op::ParamCompare, *comparison as u8, narrow(param), value);
            }
            Test::NoTextBeforeTools => self.emit(Op::NoTextBeforeTools, 0, 0, 0),
            Test::FirstToolThisTurn => self.emit(Op::FirstToolThisTurn, 0, 0, 0),
            Test::ConsecutiveAtLeast(least) => self.emit(Op::ConsecutiveAtLeast, 0, 0, *least),
            Test::TurnCallsEqual(count) => self.emit(Op::TurnCallsEqual, 0, 0, *count),
            Test::TargetExists => self.emit(Op::TargetExists, 0, 0, 0),
            Test::TextMatches(pattern) => self.emit(Op::TextMatches, 0, 0, *pattern),
            Test::ResultHasLintErrors => self.emit(Op::ResultHasLintErrors, 0, 0, 0),
            Test::TargetMatches(pattern) => self.emit(Op::TargetMatches, 0, 0, *pattern),
            Test::ResultMatches(pattern) => self.emit(Op::ResultMatches, 0, 0, *pattern),
            Test::ResultFailed => self.emit(Op::ResultFailed, 0, 0, 0),
            Test::ContainsSecret(place, param) => {
                let name = param.as_deref().unwrap_or_default();
                if *place == Place::Param {
                    self.param(name);
                }
                let name = self.draft.string(name);
                self.emit(Op::ContainsSecret, *place as u8, 0, name);
            }
            Test::TargetChangedSince(set) => self.emit(Op::TargetChangedSince, 0, 0, *set),
            Test::Runs(param, shapes) => {
                let param = self.param(param);
                let shapes = super::command::shapes(&mut self.draft, shapes);
                self.emit(Op::Runs, 0, narrow(param), shapes);
            }
        }
    }
}

/// Indexes beyond 65,535 are reported before the image is used.
fn narrow(index: u32) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

fn can_be_unknown(condition: &Condition) -> bool {
    match condition {
        Condition::Always => false,
        Condition::All(items) | Condition::Any(items) => items.iter().any(can_be_unknown),
        Condition::Not(inner) => can_be_unknown(inner),
        Condition::Test { test, .. } => {
            matches!(test, Test::TargetExists | Test::TargetChangedSince(_) | Test::Runs(..))
        }
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
