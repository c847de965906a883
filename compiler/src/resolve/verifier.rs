//! The verifier: what the config and its profiles say of it, nearest first.

use behavior_image::code::VerifierMode;

use super::{Layer, Resolver};
use crate::ir::Verifier;

/// How many turns evidence counts where nothing says.
const WINDOW_TURNS: u32 = 4;

/// How many flags in a row make the agent go on where nothing says.
const MAX_ROUNDS: u32 = 2;

impl Resolver<'_> {
    /// The verifier, where anything speaks of it.
    pub(super) fn verifier(&mut self, layers: &[Layer]) -> Option<Verifier> {
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
        Some(Verifier {
            mode: records
                .iter()
                .find_map(|record| record.enabled)
                .map_or(VerifierMode::Auto, |switch| switch.0),
            window_turns: window.map_or(WINDOW_TURNS, |window| window.0 as u32),
            max_rounds: rounds.map_or(MAX_ROUNDS, |rounds| rounds.0 as u32),
            system_prompt,
            headless: records.iter().find_map(|record| record.headless).unwrap_or(false),
        })
    }
}
