//! What rules are lowered on: all that a rule may depend on besides its own text. Once it is known, a rule can be lowered
//! by itself.

use std::collections::HashMap;
use std::sync::Arc;

use behavior_image::code::Verdict;
use behavior_runtime::decision::Phase;

use super::switches::Settings;
use crate::decode::Reports;
use crate::lower::{Lowering, Names, Patterns, RuleDefaults};
use crate::programs::{Classes, Table};
use crate::source::SourceMap;

/// What rules are lowered on.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(super) names: Names,
    pub(super) programs: Arc<Table>,
    pub(super) classes: Classes,
    pub(super) settings: Settings,
    pub(super) when_undecided: Verdict,
    pub(super) when_unanswered: Verdict,
    pub(super) protected_branches: Vec<Box<str>>,
    pub(super) allow_unknown_conditions: bool,
}

impl Ground {
    /// Everything that lowering rules needs.
    pub fn lowering<'a>(
        &'a self,
        sources: &'a SourceMap,
        patterns: &'a mut Patterns,
        reports: &'a mut Reports,
    ) -> Lowering<'a> {
        Lowering {
            reports,
            sources,
            names: &self.names,
            patterns,
            programs: &self.programs,
            classes: &self.classes,
            read_classes: HashMap::default(),
            thresholds: &self.settings.thresholds,
            defaults: RuleDefaults {
                when_undecided: self.when_undecided,
                when_unanswered: self.when_unanswered,
                protected_branches: &self.protected_branches,
            },
            allow_unknown_conditions: self.allow_unknown_conditions,
            phase: Phase::PreTool,
            not_understood: 0,
        }
    }

    /// Whether a layer nearer than the one that defines a rule switches it off.
    pub fn is_off(&self, rule: &str, layer: usize) -> bool {
        self.settings.is_off(rule, layer)
    }
}
