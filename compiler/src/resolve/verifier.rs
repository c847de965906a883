//! The verifier: what the config and its profiles say of it, nearest first.

use behavior_image::VerifierConfig;
use behavior_image::code::VerifierMode;
use behavior_runtime::brain::{self, Brains};
use behavior_runtime::model::Purpose;

use super::{Layer, Resolver};
use crate::diagnostic::Diagnostic;
use crate::ir::Verifier;
use crate::registry::diagnostics as d;
use crate::source::Span;

impl Resolver<'_> {
    /// The verifier, where anything speaks of it.
    pub(super) fn verifier(&mut self, layers: &[Layer], brains: &Brains) -> Option<Verifier> {
        let records: Vec<_> = layers.iter().filter_map(|layer| layer.verifier.as_ref()).collect();
        if records.is_empty() {
            return None;
        }
        let window = records.iter().find_map(|record| record.window_turns);
        let rounds = records.iter().find_map(|record| record.max_rounds);
        let prompt = records.iter().find_map(|record| record.system_prompt.as_ref());
        let system_prompt = prompt
            .and_then(|prompt| self.prompt_text(&prompt.value, prompt.span))
            .filter(|text| !text.trim().is_empty());
        let enabled = records.iter().find_map(|record| record.enabled.as_ref());
        if let Some(on) = enabled.filter(|switch| switch.value.0 == VerifierMode::On) {
            self.check_that_somebody_verifies(on.span, brains);
        }
        let usual = VerifierConfig::STANDARD;
        let headless = records.iter().find_map(|record| record.headless);
        Some(Verifier {
            mode: enabled.map_or(usual.mode, |switch| switch.value.0),
            window_turns: window.map_or(usual.window_turns, |window| window.0 as u32),
            max_rounds: rounds.map_or(usual.max_rounds, |rounds| rounds.0 as u32),
            system_prompt,
            headless: headless.unwrap_or(usual.headless),
        })
    }
    /// Reports a verifier that is on where nobody could ever answer: the user is told so in each response.
    fn check_that_somebody_verifies(&mut self, span: Span, brains: &Brains) {
        let is_named = brain::named(brains, Purpose::Verify).is_some();
        if is_named || brains.use_agent_brain && !self.nobody_names_a_brain() {
            return;
        }
        let message = "answers are to be verified, and there is no model to ask: the user is told so \
                       after each answer";
        let help = "name one under `verifier.brain` or `brain`, or write `enabled: auto`";
        self.report(Diagnostic::new(&d::VERIFIER_WITHOUT_BRAIN, span, message).help(help));
    }
}
