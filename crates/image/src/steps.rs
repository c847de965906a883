//! How long a condition can take: the longest way through its instructions.

use crate::format::{Instruction, Record};
use crate::image::Image;
use crate::operation::Op;
use crate::rules::RuleTable;

impl RuleTable<'_> {
    /// The most instructions that evaluating a rule's condition can take.
    #[must_use]
    pub fn worst_case_steps(self, rule: u32) -> u32 {
        let steps = self.image.steps.get_or_init(|| worst_case_steps(self.image));
        steps.get(rule as usize).copied().unwrap_or(0)
    }
}

/// The longest way through each rule's condition. Jumps only lead forward, so one look back suffices.
fn worst_case_steps(image: &Image) -> Box<[u32]> {
    let view = image.view();
    let mut longest = Vec::new();
    (0..image.rules().len())
        .map(|rule| {
            let code = view.code(&view.rule(rule));
            longest.clear();
            longest.resize(code.len() + 1, 0u32);
            for (pc, bytes) in code.iter().enumerate().rev() {
                let instruction = Instruction::read(bytes);
                let next = longest.get(pc + 1).copied().unwrap_or(0);
                let jump = match Op::from_number(instruction.op) {
                    Some(Op::JumpIfFalse | Op::JumpIfTrue) => {
                        longest.get(pc + 1 + instruction.c as usize).copied().unwrap_or(0)
                    }
                    _ => 0,
                };
                if let Some(slot) = longest.get_mut(pc) {
                    *slot = 1 + next.max(jump);
                }
            }
            longest.first().copied().unwrap_or(0)
        })
        .collect()
}
