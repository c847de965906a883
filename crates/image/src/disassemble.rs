//! Compiled conditions as text, for people.

use crate::format::{Instruction, Record};
use crate::operation::Op;
use crate::rules::RuleTable;

impl RuleTable<'_> {
    /// The instructions of a rule's condition, a line each. Empty for a rule that always fires.
    #[must_use]
    pub fn disassemble(self, rule: u32) -> Vec<String> {
        if rule >= self.len() {
            return Vec::new();
        }
        let view = self.image.view();
        let line = |(pc, bytes): (usize, &[u8; Instruction::SIZE])| {
            let instruction = Instruction::read(bytes);
            let op = Op::from_number(instruction.op);
            let name = op.map_or("?", Op::name);
            let operands = op.map(|op| op.print(&instruction, pc, view)).unwrap_or_default();
            format!("{pc:>4}  {name:<24}{operands}").trim_end().to_owned()
        };
        view.code(&view.rule(rule)).iter().enumerate().map(line).collect()
    }
}
