//! Which rules a command works with: images and configs named on the command line, a profile, what
//! discovery finds, or the built-in `dev` preset.

use std::sync::Arc;

use behavior_compiler::registry::diagnostics::UNKNOWN_CONDITION;
use behavior_compiler::{
    Authority, Compilation, Diagnostic, Options, ReadError, SourceProvider, compile_all,
};
use behavior_image::ImageError;
use behavior_image::format::MAGIC;
use behavior_runtime::{Image, Layer, Layers};

use crate::args::RuleArgs;
use crate::live::trust::Trust;
use crate::live::usual_directory;
use crate::project::{self, LayerFiles};
use crate::workflow::templates::Workspace;

/// What a command without any configuration uses.
pub const DEFAULT_PRESET: &str = "dev";

/// Rules that were loaded.
pub enum Rules {
    /// Compiled rules of every layer, from images or made now.
    Ready {
        /// The rules.
        layers: Layers,
        /// How each layer was compiled: warnings and sources. An image is read as it is.
        compilations: Vec<Option<Compilation>>,
        /// What waits for the user's trust where an agent works, for people.
        waiting: Vec<String>,
    },
    /// Rule files with errors.
    Broken(Box<Compilation>),
}

/// Why rules could not be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable { path: String, reason: String },
    /// An image is named beside other rules.
    #[error(
        "`{0}` is a compiled image and does not compose with other rules: compile them together"
    )]
    ImageAmongOthers(String),
    /// An image cannot be used.
    #[error("`{path}`: {error}")]
    Image { path: String, error: ImageError },
    /// There are no rules at all.
    #[error("there are no rules")]
    Nothing,
}

/// The files that arguments come to, in a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// Each layer's, the most trusted first. There is at least one.
    pub layers: Vec<LayerFiles>,
    /// Whether nobody wrote any rules, so that the last layer is the default preset.
    pub is_preset: bool,
}

impl Found {
    /// Returns whether there is no file of anybody's, and nobody named a profile.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.is_preset && self.layers.iter().flat_map(LayerFiles::files).next().is_none()
    }

    /// Returns the entries of the least trusted layer.
    #[must_use]
    pub fn own_entries(&self) -> &[String] {
        self.layers.last().map(|own| &*own.entries).unwrap_or_default()
    }
}

impl RuleArgs {
    /// Looks for the files.
    #[must_use]
    pub fn find(&self) -> Found {
        let above = project::administrators().into_iter().chain(project::users());
        let chosen = self.users_profile.clone().map(LayerFiles::of_users_profile);
        let above = above.chain(chosen);
        let mut layers: Vec<LayerFiles> = above.chain(self.find_project()).collect();
        let is_chosen = self.profile.is_some() || self.users_profile.is_some();
        let is_preset = self.config.is_empty() && !is_chosen && is_preset(&layers);
        let profile =
            if is_preset { Some(DEFAULT_PRESET.to_owned()) } else { self.profile.clone() };
        if profile.is_some() || layers.is_empty() {
            // A preset or profile is the project's word.
            if layers.last().is_none_or(|last| last.layer != Layer::Project) {
                layers.push(LayerFiles::new(Layer::Project, String::new()));
            }
            if let Some(own) = layers.last_mut() {
                own.profile = profile;
            }
        }
        // What counts as the project's word stays the last.
        if let Some(start) = &self.also_from {
            let first = layers.iter().position(|files| files.layer == Layer::Project);
            let first = first.unwrap_or(layers.len());
            layers.splice(first..first, project::also(start));
        }
        if let Some(profile) = &self.also_profile {
            let first = layers.iter().position(|files| files.layer == Layer::Project);
            let folder = layers.last().map(|last| last.folder.clone()).unwrap_or_default();
            let added = LayerFiles {
                profile: Some(profile.clone()),
                is_added: true,
                ..LayerFiles::new(Layer::Project, folder)
            };
            layers.insert(first.unwrap_or(layers.len()), added);
        }
        Found { layers, is_preset }
    }

    /// Looks for the project's files: those that were named, else what discovery finds.
    fn find_project(&self) -> Vec<LayerFiles> {
        if self.config.is_empty() {
            return project::projects_up_to(self.up_to.as_deref());
        }
        let empty = LayerFiles::new(Layer::Project, String::new());
        vec![LayerFiles { entries: self.config.clone(), is_named: true, ..empty }]
    }

    /// Returns the options for the compiler, for the files of one layer.
    #[must_use]
    pub fn options(&self, files: &LayerFiles) -> Options {
        Options {
            profile: files.profile.clone(),
            allow_unknown_conditions: self.allow_unknown_conditions,
            policies: files.policies.clone(),
            trace_policies: files.trace_policies.clone(),
            ..Options::default()
        }
    }
}

/// Returns whether neither the user nor the project says which rules hold.
fn is_preset(layers: &[LayerFiles]) -> bool {
    let own = layers.iter().filter(|files| files.layer != Layer::Administrator);
    own.flat_map(|files| &files.entries).next().is_none()
}

/// Loads the rules that the arguments ask for. `say` is told once when the default preset is used.
///
/// # Errors
/// When an image or file cannot be read.
pub fn load(args: &RuleArgs, say: impl FnOnce(&str)) -> Result<Rules, LoadError> {
    load_from(&project::provider(), args, say)
}

/// What people are told where nobody wrote any rules.
#[must_use]
pub fn of_preset() -> String {
    format!("no `behavior.yaml` found: using the built-in `{DEFAULT_PRESET}` preset")
}

/// As [`load`], with the files of a provider.
///
/// # Errors
/// When an image or file cannot be read.
pub fn load_from(
    provider: &dyn SourceProvider,
    args: &RuleArgs,
    say: impl FnOnce(&str),
) -> Result<Rules, LoadError> {
    let found = args.find();
    if found.is_preset {
        say(&of_preset());
    }
    let (mut layers, mut compilations, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
    for files in &found.layers {
        // What is named on the command line stands for itself.
        let is_own = files.layer == Layer::Project && args.config.is_empty();
        let may = May { workflows: is_own, ..May::everything() };
        match load_layer(provider, args, files, may, false)? {
            Compiled::Image(image) => {
                layers.push((files.layer, Arc::new(image)));
                compilations.push(None);
            }
            Compiled::Rules { image: Some(image), compilation } => {
                layers.push((files.layer, Arc::new(image)));
                waiting.extend(self::waiting(files, &compilation));
                compilations.push(Some(*compilation));
            }
            Compiled::Rules { image: None, compilation } => {
                return Ok(Rules::Broken(compilation));
            }
        }
    }
    let layers = Layers::new(layers).ok_or(LoadError::Nothing)?;
    Ok(Rules::Ready { layers, compilations, waiting })
}

/// The rules of one layer.
pub enum Compiled {
    /// An image that was named.
    Image(Image),
    /// Rule files, and the image, where they have no errors.
    Rules { image: Option<Image>, compilation: Box<Compilation> },
}

/// What the author of a layer's rules may do with them.
pub struct May {
    pub authority: Authority,
    /// The identities of what they may say all the same.
    pub granted: Vec<String>,
    /// Whether the project's workflows stand beside its rules.
    pub workflows: bool,
}

impl May {
    /// Everything.
    pub fn everything() -> Self {
        Self { authority: Authority::Full, granted: Vec::new(), workflows: false }
    }
}

/// Loads the rules of one layer.
///
/// # Errors
/// When an image or file cannot be read.
pub fn load_layer(
    provider: &dyn SourceProvider,
    args: &RuleArgs,
    files: &LayerFiles,
    may: May,
    skip_comparisons: bool,
) -> Result<Compiled, LoadError> {
    if let Some(image) = only_image(provider, files)? {
        return Ok(Compiled::Image(image));
    }
    for entry in &files.entries {
        read(provider, entry)?;
    }
    let May { authority, granted, workflows } = may;
    let workflows = workflows.then(|| Workspace::find().own()).flatten();
    let options =
        Options { authority, granted, workflows, skip_comparisons, ..args.options(files) };
    let mut compilation = Box::new(compile_all(provider, &files.entries, &options));
    Ok(Compiled::Rules { image: compilation.image.take(), compilation })
}

/// Returns what of a layer's rules waits for the user's trust where an agent works, for people.
#[must_use]
pub fn waiting(files: &LayerFiles, compilation: &Compilation) -> Vec<String> {
    let loosening = &compilation.loosening;
    let state = usual_directory(|name| std::env::var_os(name));
    let trust = Trust::in_state(state.as_deref());
    if files.is_trusted() || loosening.is_empty() || trust.covers(files, loosening) {
        return Vec::new();
    }
    trust.waiting(files, loosening)
}

/// What an older program than the rules were written for does not understand of them: rules with that
/// never fire.
#[must_use]
pub fn not_understood(compilation: &Compilation) -> Vec<String> {
    let is_unknown = |problem: &&Diagnostic| problem.kind.name == UNKNOWN_CONDITION.name;
    let unknown = compilation.diagnostics.iter().filter(is_unknown);
    unknown.map(|problem| problem.message.to_string()).collect()
}

fn read(provider: &dyn SourceProvider, path: &str) -> Result<Vec<u8>, LoadError> {
    provider.read(path).map_err(|error| {
        let reason = match error {
            ReadError::NotFound => "there is no such file".to_owned(),
            ReadError::Failed(reason) => reason,
        };
        LoadError::Unreadable { path: path.to_owned(), reason }
    })
}

/// The image named with `-c`, if that is what it is. Images do not compose with other files.
fn only_image(
    provider: &dyn SourceProvider,
    files: &LayerFiles,
) -> Result<Option<Image>, LoadError> {
    let named = files.entries.iter().filter(|_| files.is_named);
    let Some(path) = named.clone().find(|path| is_image(path)) else {
        return Ok(None);
    };
    if named.count() > 1 || files.profile.is_some() {
        return Err(LoadError::ImageAmongOthers(path.clone()));
    }
    let bytes = read(provider, path)?;
    let image =
        Image::from_bytes(bytes).map_err(|error| LoadError::Image { path: path.clone(), error })?;
    Ok(Some(image))
}

/// Whether a file is a compiled image, by its name or its first bytes.
#[must_use]
pub fn is_image(path: &str) -> bool {
    use std::io::Read;
    if path.ends_with(".bhv") {
        return true;
    }
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        let mut start = [0; MAGIC.len()];
        let mut read = || std::fs::File::open(path)?.read_exact(&mut start);
        return read().is_ok() && start == MAGIC;
    }
    let is_directory = std::path::Path::new(path).is_dir();
    !is_directory && project::read_once(path).is_ok_and(|bytes| bytes.starts_with(&MAGIC))
}
