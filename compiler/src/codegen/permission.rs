//! The policy as tables: rules in their order, what they are about, and which of that is about a
//! program.

use behavior_image::code::{FactKind, ToolTest as TestKind};
use behavior_image::format::{
    AlternativeRecord, NONE, PermissionFact, PermissionProgram, PermissionRecord,
};

use super::operand::path_lists;
use super::{Generator, command};
use crate::ir::{Permissions, PolicyAlternative, PolicyFact, PolicyRule, ToolTest};

impl Generator<'_> {
    pub(super) fn permissions(&mut self, permissions: &Permissions) {
        self.draft.program.has_policy = 1;
        self.draft.program.mode = permissions.mode.map_or(NONE, |mode| mode as u32);
        let mut programs: Vec<(Option<Box<str>>, u32)> = Vec::new();
        for (number, rule) in (0..).zip(&permissions.rules) {
            self.permission(number, rule, &mut programs);
        }
        // Those about no single program come first.
        programs.sort();
        programs.dedup();
        for (program, alternative) in programs {
            let program = program.map_or(NONE, |name| self.draft.string(&name));
            self.draft.permission_programs.push(PermissionProgram { program, alternative });
        }
    }

    fn permission(
        &mut self,
        number: u32,
        rule: &PolicyRule,
        programs: &mut Vec<(Option<Box<str>>, u32)>,
    ) {
        let first = self.draft.alternatives.len() as u32;
        for alternative in &rule.alternatives {
            let row = self.draft.alternatives.len() as u32;
            if let Some(shape) = &alternative.command {
                let named = shape.programs.iter().map(|name| Some(name.clone()));
                let any = shape.programs.is_empty() || shape.program_pattern.is_some();
                programs.extend(named.chain(any.then_some(None)).map(|program| (program, row)));
            }
            let record = self.alternative(number, alternative);
            self.draft.alternatives.push(record);
        }
        let facts = self.draft.permission_facts.len() as u32;
        for fact in &rule.facts {
            let record = self.fact(fact);
            self.draft.permission_facts.push(record);
        }
        let (file, line, column) = self.place(rule.span);
        let record = PermissionRecord {
            name: self.draft.string(&rule.name),
            action: rule.action as u32,
            priority: rule.priority as u32,
            mode: rule.mode.map_or(NONE, |mode| mode as u32),
            alternatives: first,
            alternatives_len: self.draft.alternatives.len() as u32 - first,
            facts,
            facts_len: rule.facts.len() as u32,
            reason: self.draft.string(&rule.reason),
            pattern: self.draft.string(&rule.pattern),
            file,
            line,
            column,
        };
        self.draft.permissions.push(record);
    }

    fn fact(&mut self, fact: &PolicyFact) -> PermissionFact {
        let (kind, name, pattern) = match fact {
            PolicyFact::Param(name, pattern) => {
                (FactKind::Param, self.draft.string(name), *pattern)
            }
            PolicyFact::Host(pattern) => (FactKind::Host, NONE, *pattern),
            PolicyFact::Files(kind, paths) => {
                (*kind, paths.kinds.into(), path_lists(&mut self.draft, paths))
            }
        };
        PermissionFact { kind: kind as u32, name, pattern }
    }

    fn alternative(&mut self, rule: u32, alternative: &PolicyAlternative) -> AlternativeRecord {
        let (tool_test, tool) = match &alternative.tool {
            ToolTest::Any => (TestKind::Any, NONE),
            ToolTest::Shell => (TestKind::Shell, NONE),
            ToolTest::Named(name) => (TestKind::Named, self.draft.string(name)),
            ToolTest::Pattern(pattern) => (TestKind::Pattern, *pattern),
        };
        let shape = alternative.command.as_ref();
        AlternativeRecord {
            permission: rule,
            tool_test: tool_test as u32,
            tool,
            shape: shape.map_or(NONE, |shape| command::shape(&mut self.draft, shape)),
            argument: alternative.argument.unwrap_or(NONE),
        }
    }
}
