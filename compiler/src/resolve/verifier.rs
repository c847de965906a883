//! The verifier: what the config and its profiles say of it, nearest first.

use behavior_image::code::VerifierMode;
use behavior_runtime::brain::{self, Brains};
use behavior_runtime::model::Purpose;

use super::{Layer, Resolver};
use crate::diagnostic::Diagnostic;
use crate::ir::Verifier;
use crate::registry::diagnostics as d;
use crate::source::Span;

/// How many turns evidence counts where nothing says.
const WINDOW_TURNS: u32 = 4;

/// How many flags in a row make the agent go on where nothing says.
const MAX_ROUNDS: u32 = 2;

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
        Some(Verifier {
            mode: enabled.map_or(VerifierMode::Auto, |switch| switch.value.0),
            window_turns: window.map_or(WINDOW_TURNS, |window| window.0 as u32),
            max_rounds: rounds.map_or(MAX_ROUNDS, |rounds| rounds.0 as u32),
            system_prompt,
            headless: records.iter().find_map(|record| record.headless).unwrap_or(false),
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
