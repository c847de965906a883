//! What an image says of the verifier: whether a model is asked if an agent's answers are grounded, and how.
//! What it is asked stands elsewhere.

use crate::code::VerifierMode;
use crate::format::NONE;
use crate::image::Image;

/// The verifier of a config.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifierConfig<'a> {
    /// Whether answers are verified.
    pub mode: VerifierMode,
    /// How many turns what was looked at counts as evidence.
    pub window_turns: u32,
    /// How many flags in a row make the agent go on.
    pub max_rounds: u32,
    /// The author's rubric, in place of the built-in one.
    pub system_prompt: Option<&'a str>,
    /// Whether answers are verified where nobody is there, too.
    pub headless: bool,
    /// Whether the config names a model that verifies.
    pub has_brain: bool,
}

impl VerifierConfig<'_> {
    /// What holds where a config says no more than that there is a verifier.
    pub const STANDARD: VerifierConfig<'static> = VerifierConfig {
        mode: VerifierMode::Auto,
        window_turns: 4,
        max_rounds: 2,
        system_prompt: None,
        headless: false,
        has_brain: false,
    };
}

impl VerifierMode {
    /// The one with this number, as images hold it.
    #[must_use]
    pub fn from_word(number: u32) -> Option<Self> {
        u8::try_from(number).ok().and_then(Self::from_number)
    }
}

impl Image {
    /// The verifier, where the config speaks of one.
    #[must_use]
    pub fn verifier(&self) -> Option<VerifierConfig<'_>> {
        let program = self.program();
        let mode = VerifierMode::from_word(program.verifier)?;
        if mode == VerifierMode::Absent {
            return None;
        }
        let prompt = program.verifier_prompt;
        Some(VerifierConfig {
            mode,
            window_turns: program.verifier_window,
            max_rounds: program.verifier_rounds,
            system_prompt: (prompt != NONE).then(|| self.view().string(prompt)),
            headless: program.verifier_headless != 0,
            has_brain: program.verifier_has_brain != 0,
        })
    }

    /// Whether a condition asks for what answers claim without ground.
    #[must_use]
    pub fn checks_claims(&self) -> bool {
        self.program().checks_claims != 0
    }
}
