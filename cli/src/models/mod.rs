//! Which language model is asked, and asking it. Opens no socket unless somebody asks, and keeps nothing.
//!
//! A project's model is used only where the user trusts the project: rules that were loaded for a running agent no
//! longer name another; for rules that a command loads, [`Choice::trusts_project`] says it.

use behavior_compiler::user_config::{self, UserSettings};
use behavior_runtime::brain::{self, Brain, BrainSource};
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest, Purpose};
use behavior_runtime::{Layer, Layers};

use crate::project;

/// What a brain is chosen from.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The rules; the model that the least trusted layer names goes first.
    pub layers: &'a Layers,
    /// Whether the models that the project names may be asked.
    pub trusts_project: bool,
}

/// A brain, and who named it.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The brain.
    pub brain: Brain,
    /// Where it is named.
    pub source: BrainSource,
}

/// Returns the brain for a purpose; `None` where there is none, or none that may be used.
#[must_use]
pub fn choose(choice: Choice<'_>, purpose: Purpose) -> Option<Chosen> {
    let may_be_asked = |layer: Layer| layer != Layer::Project || choice.trusts_project;
    let mut layers: Vec<_> = choice.layers.iter().collect();
    layers.reverse();
    for (layer, image) in layers {
        let Some(brains) = image.brains() else { continue };
        if may_be_asked(layer)
            && let Some((brain, source)) = brain::named(&brains, purpose)
        {
            return Some(Chosen { brain: brain.clone(), source });
        }
        if !brains.use_agent_brain {
            return None;
        }
    }
    let brain = user_settings().default_brain?;
    Some(Chosen { brain, source: BrainSource::Default })
}

/// Asks the brain for a purpose.
///
/// # Errors
/// Why there is no answer.
pub fn ask(choice: Choice<'_>, request: &ModelRequest) -> Result<ModelReply, ModelFailure> {
    let chosen = choose(choice, request.purpose).ok_or(ModelFailure::NoBrain)?;
    ask_brain(&chosen.brain, request)
}

/// Asks a brain; its key comes from the environment.
///
/// # Errors
/// Why there is no answer.
pub fn ask_brain(brain: &Brain, request: &ModelRequest) -> Result<ModelReply, ModelFailure> {
    behavior_models::ask(brain, request, &|name| std::env::var(name).ok())
}

/// Returns what the user says in `config.yaml` of their config directory. What cannot be read says nothing:
/// `behavior doctor` tells of it.
#[must_use]
pub fn user_settings() -> UserSettings {
    let Some(directory) = project::users_directory() else { return UserSettings::default() };
    let name = project::display(&directory.join("config.yaml"));
    user_config::read(&project::Disk, &name).unwrap_or_default()
}
