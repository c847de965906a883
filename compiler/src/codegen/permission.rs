//! The policy as tables: rules in their order, what they are about, and which of that is about a
//! program.

use std::collections::BTreeMap;

use behavior_image::code::{FactKind, ScanSource, ToolTest as TestKind};
use behavior_image::format::{
    AlternativeRecord, NONE, PermissionFact, PermissionProgram, PermissionRecord,
};
use behavior_image::{Draft, pieces, scan};

use super::command;
use super::generator::Generator;
use super::paths::path_lists;
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
        self.argument_scans();
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
            is_scanned: 0,
        }
    }

    /// Lays out what finds the alternatives whose texts the arguments of a call hold. Few are quicker looked
    /// at one by one.
    fn argument_scans(&mut self) {
        const FEW: usize = 16;
        let draft = &mut self.draft;
        let mut by_gram: BTreeMap<usize, Vec<(Box<str>, u32)>> = BTreeMap::new();
        for (row, alternative) in (0..).zip(&draft.alternatives) {
            let key = key_of(draft, alternative.argument).filter(|key| key.is_ascii());
            let key = key.map(str::to_ascii_lowercase);
            if let Some((gram, key)) = key.and_then(|key| Some((scan::gram_of(&key)?, key))) {
                by_gram.entry(gram).or_default().push((key.into(), row));
            }
        }
        let first = draft.scans() as u32;
        by_gram.retain(|_, literals| literals.len() > FEW);
        for (gram, literals) in by_gram {
            for (_, row) in &literals {
                if let Some(alternative) = draft.alternatives.get_mut(*row as usize) {
                    alternative.is_scanned = 1;
                }
            }
            draft.scan(ScanSource::Arguments as u32, NONE, scan::build(gram, literals));
        }
        draft.program.argument_scans = first;
        draft.program.argument_scans_len = draft.scans() as u32 - first;
    }
}

/// A text that stands in some argument of every call that a pattern matches; `None` where there is none.
fn key_of(draft: &Draft, pattern: u32) -> Option<&str> {
    let record = draft.patterns.get(pattern as usize)?;
    let listed = record.pieces as usize..(record.pieces + record.pieces_len) as usize;
    let listed = draft.lists.get(listed).unwrap_or_default();
    let texts = pieces::texts(record, listed.iter().copied());
    pieces::key(texts.into_iter().map(|text| draft.text(text)))
}
