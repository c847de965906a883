//! Which rules a command works with: images and configs named on the command line, a profile, what
//! discovery finds, or the built-in `dev` preset.

use behavior_compiler::{Compilation, Options, ReadError, SourceProvider, compile_all};
use behavior_runtime::Image;
use behavior_runtime::image::format::MAGIC;

use crate::args::RuleArgs;
use crate::project;

/// What a command without any configuration uses.
pub const DEFAULT_PRESET: &str = "dev";

/// Rules that were loaded.
pub enum Rules {
    /// A compiled image, from a file or made now.
    Ready {
        /// The image.
        image: Box<Image>,
        /// The compilation, where there was one: warnings and sources.
        compilation: Option<Box<Compilation>>,
    },
    /// Rule files with errors.
    Broken(Box<Compilation>),
}

/// Why rules could not be loaded at all.
#[derive(Debug)]
pub struct LoadError(pub String);

impl RuleArgs {
    /// The options for the compiler.
    #[must_use]
    pub fn options(&self, tools: Option<Vec<String>>) -> Options {
        Options {
            profile: self.profile.clone(),
            allow_unknown_conditions: self.allow_unknown_conditions,
            policies: self.policies(),
            tools,
        }
    }

    /// The policies that hold whatever is named, in the order in which they come: the
    /// administrator's always, the user's and the project's where discovery is asked.
    pub fn policies(&self) -> Vec<String> {
        let administrators = project::administrators_policy();
        let found = || {
            let config = project::discover();
            [project::users_policy(), project::projects_policy(config.as_deref())]
        };
        let discovered = self.config.is_empty().then(found);
        administrators.into_iter().chain(discovered.into_iter().flatten().flatten()).collect()
    }

    /// The rule files to compile: those named, else what discovery finds; with `--profile` alone,
    /// none are needed.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        if !self.config.is_empty() {
            return self.config.clone();
        }
        project::discover().into_iter().collect()
    }
}

/// Loads the rules that the arguments ask for. `say` is told once when the default preset is used.
///
/// # Errors
/// When an image or file cannot be read.
pub fn load(args: &RuleArgs, say: impl FnOnce(&str)) -> Result<Rules, LoadError> {
    load_from(&project::provider(), args, say)
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
    if let Some(image) = only_image(args)? {
        return Ok(Rules::Ready { image: Box::new(image), compilation: None });
    }
    let mut options = args.options(None);
    let entries = args.entries();
    if entries.is_empty() && options.profile.is_none() {
        say(&format!("no `behavior.yaml` found: using the built-in `{DEFAULT_PRESET}` preset"));
        options.profile = Some(DEFAULT_PRESET.to_owned());
    }
    for entry in &entries {
        if let Err(error) = provider.read(entry) {
            let reason = match error {
                ReadError::NotFound => "there is no such file".to_owned(),
                ReadError::Failed(reason) => reason,
            };
            return Err(LoadError(format!("cannot read `{entry}`: {reason}")));
        }
    }
    let mut compilation = compile_all(provider, &entries, &options);
    match compilation.image.take() {
        Some(image) => {
            Ok(Rules::Ready { image: Box::new(image), compilation: Some(Box::new(compilation)) })
        }
        None => Ok(Rules::Broken(Box::new(compilation))),
    }
}

/// The image named with `-c`, if that is what it is. Images do not compose with other files.
fn only_image(args: &RuleArgs) -> Result<Option<Image>, LoadError> {
    let Some(path) = args.config.iter().find(|path| is_image(path)) else {
        return Ok(None);
    };
    if args.config.len() > 1 || args.profile.is_some() {
        let message = format!(
            "`{path}` is a compiled image and does not compose with other rules: compile them together"
        );
        return Err(LoadError(message));
    }
    let bytes = project::read_once(path).map_err(|error| {
        LoadError(format!("cannot read `{path}`: {}", project::describe(&error)))
    })?;
    Image::from_bytes(bytes).map(Some).map_err(|error| LoadError(format!("`{path}`: {error}")))
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
