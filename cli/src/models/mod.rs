//! Which language model is asked, and asking it. Opens no socket unless somebody asks, and keeps nothing but a
//! line in the log.
//!
//! A project's model is used only where the user trusts the project: rules that were loaded for a running agent no
//! longer name another; for rules that a command loads, [`Choice::trusts_project`] says it.

pub mod answers;
mod asking;
mod cache;
mod named_models;
pub mod price;
pub mod recorded;
mod settings;

use std::sync::Arc;

use behavior_compiler::closest;
use behavior_compiler::resolve::brain::trouble_with_address;
use behavior_image::code::VerifierMode;
use behavior_runtime::brain::{self, Backend, Brain, BrainSource, Brains};
use behavior_runtime::model::{ModelFailure, Purpose};
use behavior_runtime::{Image, Layer, Layers};

pub use asking::{Asker, ask_for};
pub use named_models::{NamedModels, has_default_brain};
pub use settings::{trouble_with_settings, user_settings};

/// What a brain is chosen from.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The rules; the model that the least trusted layer names goes first, of those that ask.
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

impl Chosen {
    /// Makes one of a brain that whoever asks names.
    #[must_use]
    pub fn by_name(brain: Brain) -> Self {
        Self { brain, source: BrainSource::Named }
    }
}

/// Returns the brain for a purpose; `None` where there is none, or none that may be used.
///
/// A layer that wants something asked names who is asked, else another one does, and then the user. That a layer wants
/// no brain but its own holds for what it wants asked itself: no project silences what its user wants asked.
#[must_use]
pub fn choose(choice: Choice<'_>, purpose: Purpose) -> Option<Chosen> {
    let wish = |(layer, image): (Layer, &Arc<Image>)| Wish {
        brains: image.brains().filter(|_| layer != Layer::Project || choice.trusts_project),
        takes_others: image.brains().is_none_or(|brains| brains.use_agent_brain),
        is_asking: wants_asked(image, purpose),
    };
    choose_among(choice.layers.iter().map(wish).collect(), purpose)
}

/// What a layer says of the models that are asked.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The models that it names and that may be asked.
    pub brains: Option<Brains>,
    /// Whether others may be asked for it.
    pub takes_others: bool,
    /// Whether it wants something asked.
    pub is_asking: bool,
}

/// As [`choose`], from what layers say, the most trusted first.
#[must_use]
pub fn choose_among(mut wishes: Vec<Wish>, purpose: Purpose) -> Option<Chosen> {
    wishes.reverse();
    let named = |wish: &Wish| {
        let (brain, source) = brain::named(wish.brains.as_ref()?, purpose)?;
        Some(Chosen { brain: brain.clone(), source })
    };
    let by_default = || {
        let brain = user_settings().default_brain?;
        Some(Chosen { brain, source: BrainSource::Default })
    };
    let (asking, others): (Vec<_>, Vec<_>) = wishes.into_iter().partition(|wish| wish.is_asking);
    let own = asking.iter().find_map(named);
    let is_open = asking.is_empty() || asking.iter().any(|wish| wish.takes_others);
    own.or_else(|| {
        let brain = is_open.then(|| others.iter().find_map(named).or_else(by_default));
        brain.flatten()
    })
}

/// Whether rules want something asked of a model.
fn wants_asked(image: &Image, purpose: Purpose) -> bool {
    match purpose {
        Purpose::Classify => image.classifier().is_some_and(|table| table.enabled),
        Purpose::Verify => image
            .verifier()
            .is_some_and(|verifier| matches!(verifier.mode, VerifierMode::On | VerifierMode::Auto)),
        // The user asks, by a command, in the place that the rules are for.
        Purpose::Oversee | Purpose::Plan => true,
    }
}

/// Returns the brain that somebody names as `PROVIDER/MODEL`, with `@ADDRESS` behind it where it is elsewhere.
///
/// # Errors
/// What is wrong with the name, for people.
pub fn named(text: &str) -> Result<Brain, String> {
    let wrong =
        || format!("`{text}` names no model: write `PROVIDER/MODEL`, such as `ollama/qwen3:4b`");
    // Names of models may hold an `@`.
    let at = text.find("@http://").or_else(|| text.find("@https://"));
    let (name, address) = match at.and_then(|at| text.split_at_checked(at)) {
        Some((name, address)) => (name, Some(address.trim_start_matches('@'))),
        None => (text, None),
    };
    // What it says is kept, and shown.
    if let Some(trouble) = address.and_then(trouble_with_address) {
        return Err(format!("`{name}` has an address that cannot be asked: {trouble}"));
    }
    let (provider, model) = name.split_once('/').ok_or_else(wrong)?;
    if provider.is_empty() || model.is_empty() {
        return Err(wrong());
    }
    let known = brain::provider(provider);
    let Some(base_url) = address.or(known.and_then(|known| known.base_url)) else {
        let names: Vec<&str> = brain::PROVIDERS.iter().map(|provider| provider.name).collect();
        let near = closest(provider, names.iter().copied()).filter(|_| known.is_none());
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write its address behind it, as in `custom/small@http://127.0.0.1:8080/v1`"
                .to_owned(),
        };
        return Err(format!("nobody knows where `{provider}` is: {hint}"));
    };
    let backend = known.map_or(Backend::OpenAiCompatible, |known| known.backend);
    // What a provider's key is usually called is not sent elsewhere.
    let known = known.filter(|_| address.is_none());
    Ok(Brain {
        model: Some(model.to_owned()),
        base_url: Some(base_url.to_owned()),
        key: known.and_then(|known| known.key).map(str::to_owned),
        needs_key: known.is_some_and(|known| known.needs_key),
        ..Brain::new(provider, backend)
    })
}

/// Returns whether no turn is classified since a layer that has a classifier names no model, and takes none of others.
#[must_use]
pub fn is_refused(layers: &Layers) -> bool {
    let takes_none = |brains: Brains| {
        !brains.use_agent_brain && brain::named(&brains, Purpose::Classify).is_none()
    };
    let mut refusing = layers.iter().filter(|(_, image)| image.brains().is_some_and(takes_none));
    refusing.any(|(_, image)| image.classifier().is_some())
        && !layers.iter().any(|(_, image)| wants_asked(image, Purpose::Classify))
}

/// What is said where [`is_refused`].
pub const REFUSED: &str = "turns are not classified: `use_agent_brain: false` leaves no model to ask; name one under \
                           `brain:`";

/// Returns why there is nobody to ask.
#[must_use]
pub fn missing(choice: Choice<'_>) -> ModelFailure {
    let is_left_out = |image: &Image| image.brains().is_some_and(|brains| brains.is_waiting);
    let named = Choice { trusts_project: true, ..choice };
    let waits = choice.layers.iter().any(|(_, image)| is_left_out(image))
        || !choice.trusts_project
            && Purpose::ALL.iter().any(|purpose| choose(named, *purpose).is_some());
    if waits { ModelFailure::WaitsForTrust } else { ModelFailure::NoBrain }
}

/// Says that there is nobody to ask, and why.
#[must_use]
pub fn nobody(choice: Choice<'_>) -> String {
    match missing(choice) {
        ModelFailure::NoBrain => {
            "there is no model to ask: name one under `brain:`, or as `default_brain` in your own `config.yaml`"
                .to_owned()
        }
        other => other.to_string(),
    }
}
