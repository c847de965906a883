//! A rule that was taken out of its image once, since events ask for it again and again, and what can be said of it
//! without an event. Runs nothing and asks nobody: the evaluator does.

use behavior_image::View;
use behavior_image::code::{Placeholder, SlotKind};
use behavior_image::format::{Instruction, MessagePart, Record, RuleRecord, Section};
use behavior_image::operand::{Bool, Count, Counter, Flag, Integer, Operand};
use behavior_image::operation::Op;

/// A rule whose condition is decoded.
#[derive(Debug)]
pub(crate) struct PreparedRule {
    pub index: u32,
    pub record: RuleRecord,
    pub code: Box<[(Op, Instruction)]>,
    /// Whether its condition holds wherever its limits are kept.
    pub is_certain: bool,
    /// Its message, where that is the same each time.
    pub message: Option<Box<str>>,
}

/// An instruction; the verifier admits known ones only.
#[inline(always)]
pub(crate) fn decoded(bytes: &[u8]) -> Option<(Op, Instruction)> {
    let instruction = Instruction::read(bytes);
    Some((Op::from_number(instruction.op)?, instruction))
}

impl PreparedRule {
    pub fn of(view: View<'_>, index: u32) -> Self {
        let record = view.rule(index);
        let instructions = view.code(&record).iter().map_while(|bytes| decoded(bytes));
        let message = fixed_message(view, &record).map(Box::from);
        let code = instructions.collect();
        let mut rule = Self { index, record, code, is_certain: false, message };
        rule.is_certain = rule.limits(view).1;
        rule
    }

    /// Numbers that must lie between two others, or the condition does not hold: of a condition that is one test, or
    /// of which all of some must hold. With them comes whether the condition asks for nothing else.
    pub fn limits(&self, view: View<'_>) -> (Vec<Limit>, bool) {
        let (mut limits, mut is_all) = (Vec::new(), true);
        let (mut at, end) = (0, self.code.len());
        let op = |at: usize| self.code.get(at).map(|(op, _)| *op);
        loop {
            let is_put_together = op(at) == Some(Op::Push);
            at += usize::from(is_put_together);
            let Some((test, instruction)) = self.code.get(at) else { return (limits, is_all) };
            at += 1;
            if is_put_together && op(at) != Some(Op::And) {
                return (limits, false);
            }
            at += usize::from(is_put_together);
            // Where it is false, all of it is.
            let decides = match self.code.get(at) {
                None => at == end,
                Some((jump, to)) => *jump == Op::JumpIfFalse && at + 1 + to.c as usize == end,
            };
            if !decides {
                return (limits, false);
            }
            let limit = Limit::of(view, *test, instruction);
            is_all &= limit.is_some();
            limits.extend(limit);
            at += 1;
        }
    }
}

/// Between which values a number lies where a test of it does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub kind: SlotKind,
    pub index: u32,
    pub least: i64,
    pub most: i64,
}

impl Limit {
    /// Whether a number is one of those.
    #[inline]
    pub fn admits(&self, number: i64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// That of a test, if it is one of a number.
    fn of(view: View<'_>, test: Op, instruction: &Instruction) -> Option<Self> {
        let count = || Some(i64::from(Count::read(instruction)?.0));
        let (kind, index, least, most) = match test {
            Op::CounterAtLeast => {
                let value = Integer::read(instruction)?;
                let least = view.row::<u64>(Section::Constants, value.0) as i64;
                (SlotKind::Counter, Counter::read(instruction)?.0.into(), least, i64::MAX)
            }
            Op::FlagIs => {
                let value = i64::from(Bool::read(instruction)?.0);
                (SlotKind::Flag, Flag::read(instruction)?.0, value, value)
            }
            Op::FirstToolThisTurn => (SlotKind::TurnCalls, 0, 0, 0),
            Op::TurnCallsEqual => (SlotKind::TurnCalls, 0, count()?, count()?),
            Op::ConsecutiveAtLeast => (SlotKind::Consecutive, 0, count()?, i64::MAX),
            _ => return None,
        };
        Some(Self { kind, index, least, most })
    }
}

/// A rule's message, where it is the same each time.
pub(crate) fn fixed_message<'a>(view: View<'a>, rule: &RuleRecord) -> Option<&'a str> {
    if rule.message_len != 1 {
        return None;
    }
    let part: MessagePart = view.row(Section::Messages, rule.message);
    (part.kind == Placeholder::Literal as u32).then(|| view.string(part.argument))
}
