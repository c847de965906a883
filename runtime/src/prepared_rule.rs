//! A rule that was taken out of its image once, since events ask for it again and again, and what can be said of it
//! without an event. Runs nothing and asks nobody: the evaluator does.

use behavior_image::View;
use behavior_image::code::{Action, Matching, Phase, Placeholder, Repeat, ScanSource, SlotKind};
use behavior_image::format::{
    Instruction, MessagePart, PatternRecord, Record, RuleRecord, Section,
};
use behavior_image::operand::{Bool, Count, Counter, Flag, Integer, Operand, Param, Pattern};
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
    /// What it does, where nothing but its condition decides on that: it stops nothing, is told each time in the same
    /// words, and nobody is excepted.
    pub remark: Option<Action>,
}

/// An instruction; the verifier admits known ones only.
#[inline(always)]
pub(crate) fn decoded(bytes: &[u8]) -> Option<(Op, Instruction)> {
    let instruction = Instruction::read(bytes);
    Some((Op::from_number(instruction.op)?, instruction))
}

/// What a condition that is one test, or of which all of some must hold, asks for, as far as that is cheap to find out.
#[derive(Debug)]
pub(crate) struct Requirements {
    /// Numbers that must lie between two others, or the condition does not hold.
    pub limits: Vec<Limit>,
    /// The other tests, each with its instruction.
    pub others: Vec<(Op, Instruction)>,
    /// Whether that is all it asks for.
    pub are_all: bool,
}

impl PreparedRule {
    pub fn of(view: View<'_>, index: u32) -> Self {
        let record = view.rule(index);
        let instructions = view.code(&record).iter().map_while(|bytes| decoded(bytes));
        let message = fixed_message(view, &record).map(Box::from);
        let code = instructions.collect();
        let remark = remark(&record).filter(|_| message.is_some());
        let mut rule = Self { index, record, code, is_certain: false, message, remark };
        let Requirements { others, are_all, .. } = rule.requirements(view);
        rule.is_certain = are_all && others.is_empty();
        rule
    }

    /// What its condition asks for.
    pub fn requirements(&self, view: View<'_>) -> Requirements {
        let mut found = Requirements { limits: Vec::new(), others: Vec::new(), are_all: true };
        let (mut at, end) = (0, self.code.len());
        let op = |at: usize| self.code.get(at).map(|(op, _)| *op);
        loop {
            let is_put_together = op(at) == Some(Op::Push);
            at += usize::from(is_put_together);
            let Some((test, instruction)) = self.code.get(at) else { return found };
            at += 1;
            // Where it is false, all of it is.
            let decides = (!is_put_together || op(at) == Some(Op::And)) && {
                at += usize::from(is_put_together);
                match self.code.get(at) {
                    None => at == end,
                    Some((jump, to)) => *jump == Op::JumpIfFalse && at + 1 + to.c as usize == end,
                }
            };
            if !decides {
                found.are_all = false;
                return found;
            }
            match Limit::of(view, *test, instruction) {
                Some(limit) => found.limits.push(limit),
                None => found.others.push((*test, *instruction)),
            }
            at += 1;
        }
    }
}

/// What a rule does, where it stops nothing, is told each time, and nobody is excepted.
fn remark(record: &RuleRecord) -> Option<Action> {
    let is_plain = record.exceptions_len == 0
        && record.repeat == Repeat::Always as u8
        && record.phase != Phase::TurnEnd as u8;
    let action = Action::from_number(record.action).filter(|_| is_plain)?;
    matches!(action, Action::Warn | Action::Remind).then_some(action)
}

/// The texts one of which a test looks for, whatever the case of their letters, and where: the source of a scan, and the
/// name of its parameter. `None` of a test that looks for anything else.
pub(crate) fn texts_of_test<'v>(
    view: View<'v>,
    (test, instruction): &(Op, Instruction),
) -> Option<((u32, &'v str), Vec<&'v str>)> {
    let (source, param) = match test {
        Op::ParamMatches => {
            let param = Param::read(instruction)?;
            (ScanSource::Param, view.string(view.row(Section::Params, param.0.into())))
        }
        Op::TextMatches => (ScanSource::Text, ""),
        _ => return None,
    };
    let texts = texts_of_pattern(view, Pattern::read(instruction)?.0)?;
    Some(((source as u32, param), texts))
}

/// The texts one of which a pattern looks for, whatever the case of their letters, if it looks for nothing else.
pub(crate) fn texts_of_pattern<'v>(view: View<'v>, pattern: u32) -> Option<Vec<&'v str>> {
    let record: PatternRecord = view.row(Section::Patterns, pattern);
    match Matching::from_number(record.matching)? {
        Matching::Literal => Some(vec![view.string(record.text)]),
        Matching::OneOf => {
            let pieces = view.list(record.pieces, record.pieces_len);
            Some(pieces.map(|piece| view.string(piece)).collect())
        }
        _ => None,
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
    /// Whether it admits no number that another one does not.
    pub fn is_within(&self, other: &Self) -> bool {
        (self.kind, self.index) == (other.kind, other.index)
            && other.least <= self.least
            && self.most <= other.most
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
