//! Compiled conditions as text, for people.

use std::fmt::Write;

use crate::code::{Comparison, Op, Place};
use crate::format::{Instruction, Record, Section, SetRecord};
use crate::image::Image;
use crate::rules::RuleTable;
use crate::runs::unpack_run;

impl RuleTable<'_> {
    /// The instructions of a rule's condition, a line each. Empty for a rule that always fires.
    #[must_use]
    pub fn disassemble(self, rule: u32) -> Vec<String> {
        if rule >= self.len() {
            return Vec::new();
        }
        let view = self.image.view();
        let code = view.code(&view.rule(rule));
        code.iter()
            .enumerate()
            .map(|(pc, bytes)| {
                let instruction = Instruction::read(bytes);
                let name = Op::from_number(instruction.op).map_or("?", Op::name);
                let operands = operands(self.image, pc, &instruction).unwrap_or_default();
                format!("{pc:>4}  {name:<24} {operands}").trim_end().to_owned()
            })
            .collect()
    }
}

fn operands(image: &Image, pc: usize, instruction: &Instruction) -> Option<String> {
    let view = image.view();
    let Instruction { op, a, b, c } = *instruction;
    let param = || view.string(view.row(Section::Params, u32::from(b)));
    let set = || view.string(view.row::<SetRecord>(Section::Sets, c).name);
    Some(match Op::from_number(op)? {
        Op::Constant => (a != 0).to_string(),
        Op::JumpIfFalse | Op::JumpIfTrue => format!("-> {}", pc + 1 + c as usize),
        Op::TargetInSet | Op::TargetNotInSet | Op::TargetChangedSince => set().to_owned(),
        Op::CounterAtLeast => {
            let name = view.string(view.row(Section::Counters, u32::from(b)));
            format!("{name} {}", view.row::<u64>(Section::Constants, c) as i64)
        }
        Op::FlagIs => {
            format!("{} {}", view.string(view.row(Section::Flags, c)), a != 0)
        }
        Op::ParamMatches => format!("{} /{}/", param(), view.pattern_source(c)),
        Op::TextMatches | Op::TargetMatches | Op::ResultMatches => {
            format!("/{}/", view.pattern_source(c))
        }
        Op::ParamIn => {
            let run = unpack_run(view.row(Section::Constants, c));
            let mut text = param().to_owned();
            for item in view.list(run.start, run.len) {
                let _ = write!(text, " {:?}", view.string(item));
            }
            text
        }
        Op::ParamCompare => {
            let comparison = Comparison::from_number(a)?.name();
            format!("{} {comparison} {}", param(), view.string(c))
        }
        Op::ConsecutiveAtLeast | Op::TurnCallsEqual => c.to_string(),
        Op::ContainsSecret => match Place::from_number(a)? {
            Place::Param => format!("param {}", view.string(c)),
            place => place.name().to_owned(),
        },
        _ => return None,
    })
}
