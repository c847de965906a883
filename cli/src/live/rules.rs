//! The rules for a live event: from the cache where nothing has changed, else compiled now.

use behavior_compiler::{Compilation, Severity};
use behavior_runtime::Image;

use super::cache::{Cache, Entry, Recorder};
use crate::args::RuleArgs;
use crate::project;
use crate::rules::{self, Rules};

/// What a hook was told to go by, besides what stands in the project.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The files and the profile.
    pub rules: RuleArgs,
}

/// Rules for an event.
pub struct Loaded {
    /// The image.
    pub image: Image,
    /// What is wrong besides, for the log: rules work without it, but slower.
    pub note: Option<String>,
}

/// Why there are no rules.
#[derive(Debug)]
pub struct Broken {
    /// What is wrong, for people.
    pub message: String,
    /// The image of when the same rules were last valid.
    pub last: Option<Image>,
}

/// Loads the rules of the project that is the working directory.
///
/// # Errors
/// When rule files cannot be read, or have errors.
pub fn load(asked: &Asked, cache: Option<&Cache>) -> Result<Loaded, Broken> {
    let directory = std::env::current_dir().ok();
    let entry = cache.map(|cache| {
        let args = &asked.rules;
        cache.entry(&(&directory, &args.config, &args.profile, args.entries(), args.policies()))
    });
    if let Some(image) = entry.as_ref().and_then(Entry::load) {
        return Ok(Loaded { image, note: None });
    }
    let provider = Recorder::new(project::provider());
    match rules::load_from(&provider, &asked.rules, |_| {}) {
        Ok(Rules::Ready { image, .. }) => {
            let inputs = provider.inputs();
            let kept = entry.map(|entry| entry.keep(&inputs, &image));
            let note = match kept {
                None => Some("nothing says where compiled rules are kept".to_owned()),
                Some(Err(error)) => {
                    let reason = project::describe(&error);
                    Some(format!("the compiled rules cannot be kept: {reason}"))
                }
                Some(Ok(())) => None,
            };
            Ok(Loaded { image: *image, note })
        }
        Ok(Rules::Broken(compilation)) => Err(Broken {
            message: first_error(&compilation),
            last: entry.and_then(|entry| entry.last()),
        }),
        Err(error) => Err(Broken { message: error.0, last: entry.and_then(|entry| entry.last()) }),
    }
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
