//! Language models that can be asked: what a config says of them, and what is known of those who run them.
//! Asks nothing.

mod providers;

pub use behavior_image::brain::{Backend, Brain, Brains, Trouble, is_this_machine};
pub use providers::{PROVIDERS, Provider, provider};

use crate::model::Purpose;

/// Where a model that is asked is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrainSource {
    /// With the part of the config that asks: `classifier.brain`, `verifier.brain`.
    Purpose(Purpose),
    /// As the config's `brain`.
    General,
    /// With the application's coordinator.
    Coordinator,
    /// As `default_brain`, by the user.
    Default,
    /// By whoever asks.
    Named,
}

impl BrainSource {
    /// Returns where that is, for people.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            BrainSource::Purpose(Purpose::Classify) => "`classifier.brain`",
            BrainSource::Purpose(Purpose::Verify) => "`verifier.brain`",
            BrainSource::Purpose(_) | BrainSource::General => "`brain`",
            BrainSource::Coordinator => "the coordinator's `brain`",
            BrainSource::Default => "`default_brain` of the user's `config.yaml`",
            BrainSource::Named => "the command line",
        }
    }
}

/// Returns the model that a config names for a purpose, and where; `None` where it names none.
#[must_use]
pub fn named(brains: &Brains, purpose: Purpose) -> Option<(&Brain, BrainSource)> {
    let own = match purpose {
        Purpose::Classify => brains.classifier.as_ref(),
        Purpose::Verify => brains.verifier.as_ref(),
        Purpose::Oversee | Purpose::Plan => None,
    };
    let own = own.map(|brain| (brain, BrainSource::Purpose(purpose)));
    let general = || brains.general.as_ref().map(|brain| (brain, BrainSource::General));
    let coordinator = brains.coordinator.as_ref().filter(|_| brains.use_agent_brain);
    own.or_else(general).or_else(|| coordinator.map(|brain| (brain, BrainSource::Coordinator)))
}
