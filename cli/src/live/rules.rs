//! The rules for a live event, layer by layer: from the cache where nothing has changed, else compiled now.
//! What is wrong with one layer keeps no other from deciding.

use std::sync::Arc;

use behavior_compiler::{Authority, Compilation, Severity};
use behavior_runtime::{Image, Layer, Layers, Verdict};

use super::cache::{Cache, Entry, Recorder};
use super::trust::Trust;
use crate::args::RuleArgs;
use crate::project::{self, LayerFiles};
use crate::rules::{self, Compiled, May};

/// Rules for an event.
#[derive(Default)]
pub struct Loaded {
    /// The layers that can decide, the most trusted first.
    pub layers: Vec<LoadedLayer>,
    /// Those that cannot.
    pub broken: Vec<Broken>,
    /// Whether nobody wrote any rules, so that they are those of a preset.
    is_preset: bool,
    /// What waits for the user's trust, for people.
    pub waiting: Vec<String>,
    /// What is not understood in the rules, where they were compiled now.
    not_understood: Vec<String>,
    /// What is wrong besides, for the log: rules work without it, but not all of them, or slower.
    pub notes: Vec<String>,
}

/// The rules of a layer.
#[derive(Clone)]
pub struct LoadedLayer {
    /// Whose they are.
    pub layer: Layer,
    /// The name under which the layer keeps its state.
    pub name: String,
    /// The rules.
    pub image: Arc<Image>,
}

/// Why a layer has no rules that could decide.
#[derive(Debug)]
pub struct Broken {
    /// Whose they are.
    pub layer: Layer,
    /// What is wrong, for people.
    pub message: String,
    /// The image of when the same rules were last valid.
    pub last: Option<Image>,
    /// What the files say to do, as far as they could be understood.
    pub on_error: Option<Verdict>,
}

impl Loaded {
    /// Returns what people are told on standard error; of the preset only once in a session.
    #[must_use]
    pub fn remarks(&self, is_first: bool) -> String {
        let preset = (is_first && self.is_preset).then(rules::of_preset);
        let preset = preset.iter().map(|note| format!("note: {note}\n"));
        preset.chain(self.not_understood.iter().map(|line| format!("{line}\n"))).collect()
    }

    /// Returns what the layers say is done with what cannot be decided on; nothing if one does not say.
    #[must_use]
    pub fn on_error(&self) -> Option<Verdict> {
        let of_broken =
            |broken: &Broken| broken.on_error.or_else(|| broken.last.as_ref()?.on_error());
        let sound = self.layers.iter().map(|layer| layer.image.on_error());
        let all = sound.chain(self.broken.iter().map(of_broken));
        // Whoever does not say, leaves it to the strictest.
        all.reduce(|one, other| one.zip(other).map(|(one, other)| one.max(other))).flatten()
    }

    /// Returns the layers that can decide, as the runtime takes them; `None` if none can.
    #[must_use]
    pub fn decisive(&self) -> Option<Layers> {
        Layers::new(self.layers.iter().map(|one| (one.layer, Arc::clone(&one.image))).collect())
    }
}

/// Which layers an event is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// Only the administrator's: the others are switched off.
    Administrators,
}

/// Loads the rules for the working directory. Where some have to be compiled, that takes a while.
#[inline(never)]
pub fn load(asked: &RuleArgs, which: Which, cache: Option<&Cache>, trust: Trust<'_>) -> Loaded {
    let found = match which {
        Which::All => asked.find(),
        Which::Administrators => {
            let layers = project::administrators().into_iter().collect();
            rules::Found { layers, is_preset: false }
        }
    };
    let mut loaded = Loaded { is_preset: found.is_preset, ..Loaded::default() };
    for files in &found.layers {
        let entry = cache.map(|cache| entry(asked, files, cache));
        let name = state_name(files, &found.layers);
        match entry.as_ref().and_then(Entry::load) {
            Some((image, waiting)) => {
                loaded.waiting.extend(waiting);
                loaded.layers.push(LoadedLayer {
                    layer: files.layer,
                    name,
                    image: Arc::new(image),
                });
            }
            None => compile(asked, files, entry, name, trust, &mut loaded),
        }
    }
    loaded
}

/// The name under which a layer keeps its state. Of several in one project, each has its folder's.
fn state_name(files: &LayerFiles, all: &[LayerFiles]) -> String {
    let name = files.layer.name();
    if files.is_added {
        return format!("{name} profile {}", files.profile.as_deref().unwrap_or_default());
    }
    let same = |other: &&LayerFiles| other.layer == files.layer && !other.is_added;
    let are_several = all.iter().filter(same).nth(1).is_some();
    match std::path::absolute(&files.folder) {
        Ok(folder) if are_several => format!("{name} {}", folder.display()),
        _ => name.to_owned(),
    }
}

/// Compiles the rules of a layer, and keeps them in an entry. Apart from the usual way, which would have to
/// touch the stack that this takes.
#[cold]
#[inline(never)]
fn compile(
    asked: &RuleArgs,
    files: &LayerFiles,
    entry: Option<Entry>,
    name: String,
    trust: Trust<'_>,
    loaded: &mut Loaded,
) {
    let provider = Recorder::new(project::of_layer(files));
    let compiled = project::refuse_foreign(files)
        .map_err(|message| (message, None))
        .and_then(|()| with_trust(asked, files, trust, &provider));
    match compiled {
        Ok(Trusted { image, compilation, waiting }) => {
            let kept = entry.map(|entry| entry.keep(&provider.inputs(), &waiting, &image));
            let slow = match kept {
                None => Some("nothing says where compiled rules are kept".to_owned()),
                Some(Err(error)) => {
                    let reason = project::describe(&error);
                    Some(format!("the compiled rules cannot be kept: {reason}"))
                }
                Some(Ok(())) => None,
            };
            let unknown = compilation.as_ref().map(rules::not_understood).unwrap_or_default();
            loaded.notes.extend(unknown.iter().cloned().chain(slow));
            loaded.not_understood.extend(unknown);
            loaded.waiting.extend(waiting);
            loaded.layers.push(LoadedLayer { layer: files.layer, name, image: Arc::new(image) });
        }
        Err((message, on_error)) => loaded.broken.push(Broken {
            layer: files.layer,
            message,
            last: entry.and_then(|entry| entry.last()),
            on_error,
        }),
    }
}

/// The rules of a layer, with no more authority than the user gave them.
struct Trusted {
    image: Image,
    compilation: Option<Compilation>,
    /// What waits for trust, for people.
    waiting: Vec<String>,
}

/// Compiles the rules of a layer as far as they are trusted. Says what is wrong, and what the files say to do
/// then.
fn with_trust(
    asked: &RuleArgs,
    files: &LayerFiles,
    trust: Trust<'_>,
    provider: &Recorder<impl behavior_compiler::SourceProvider>,
) -> Result<Trusted, (String, Option<Verdict>)> {
    let load = |authority, granted| {
        let may = May { authority, granted, workflows: false };
        let compiled = rules::load_layer(provider, asked, files, may, true);
        compiled.map_err(|error| (error.to_string(), None))
    };
    let mut waiting = Vec::new();
    let authority = if files.is_added { Authority::TightenOnly } else { Authority::Full };
    let mut compiled = load(authority, Vec::new())?;
    if let Compiled::Rules { compilation, .. } = &compiled
        && !files.is_trusted()
        && compilation.program.permissions.is_some() | !compilation.loosening.is_empty()
    {
        provider.note(&trust.file(files));
        if !trust.covers(files, &compilation.loosening) {
            waiting = trust.waiting(files, &compilation.loosening);
            let granted = trust.granted(files, &compilation.loosening);
            compiled = load(Authority::TightenOnly, granted)?;
        }
    }
    match compiled {
        Compiled::Image(image) => Ok(Trusted { image, compilation: None, waiting }),
        Compiled::Rules { image: Some(image), compilation } => {
            Ok(Trusted { image, compilation: Some(*compilation), waiting })
        }
        Compiled::Rules { image: None, compilation } => {
            Err((first_error(&compilation), compilation.program.on_error))
        }
    }
}

/// Drops what the cache has, so that the rules are compiled anew.
pub fn forget(asked: &RuleArgs, cache: Option<&Cache>) {
    if let Some(cache) = cache {
        asked.find().layers.iter().for_each(|files| entry(asked, files, cache).remove());
    }
}

/// The entry of the cache for rules that are asked for in this directory.
fn entry(asked: &RuleArgs, files: &LayerFiles, cache: &Cache) -> Entry {
    let directory = std::env::current_dir().ok();
    cache.entry(&(directory, files, asked.allow_unknown_conditions))
}

/// The first error of a compilation, on one line, and how many more there are.
fn first_error(compilation: &Compilation) -> String {
    let mut errors =
        compilation.diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
    let Some(first) = errors.next() else { return "the rules do not compile".to_owned() };
    let place = compilation.sources.get(first.span.file).map(|source| {
        let place = source.position(first.span.start);
        format!("{}:{}:{}: ", source.name, place.line, place.column)
    });
    let more = match errors.count() {
        0 => String::new(),
        count => format!(" (and {count} more; `behavior check` shows them)"),
    };
    format!("{}{}{more}", place.unwrap_or_default(), first.message)
}
