//! What one source of rules says. Only data.

use behavior_runtime::decision::Origin;

use crate::ast::{
    ClassifierConfig, DeliveryConfig, ProgramConfig, RuleDefinition, RuleSwitches, StateTracking,
    VerifierRecord,
};
use crate::decode::{Named, Spanned};
use crate::syntax::Node;

/// One source of rules, in the order of precedence of findings.
pub(super) struct Layer {
    pub origin: Origin,
    pub definitions: Vec<Spanned<RuleDefinition>>,
    pub custom: Vec<Spanned<RuleDefinition>>,
    pub switches: Option<RuleSwitches>,
    pub tracking: Option<StateTracking>,
    pub programs: Option<Named<ProgramConfig>>,
    pub classes: Option<Named<Vec<Node>>>,
    pub classifier: Option<ClassifierConfig>,
    pub verifier: Option<VerifierRecord>,
    pub turn_reminder: Option<Spanned<Box<str>>>,
    pub delivery: DeliveryConfig,
    pub description: Option<Box<str>>,
    pub name: Option<Box<str>>,
    pub prompt: Option<Box<str>>,
}
