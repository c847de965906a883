//! The rules for a live event: from the cache where nothing has changed, else compiled now.

use std::sync::Arc;

use behavior_compiler::{Compilation, Severity};
use behavior_runtime::{Image, Verdict};

use super::cache::{Cache, Entry, Recorder};
use crate::args::RuleArgs;
use crate::project;
use crate::rules::{self, Rules};

/// Rules for an event.
pub struct Loaded {
    /// The image.
    pub image: Arc<Image>,
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
    /// What the files say to do, as far as they could be understood.
    pub on_error: Option<Verdict>,
}

/// Loads the rules of the project that is the working directory. `before_compiling` is called if they
/// have to be compiled, which takes a while.
///
/// # Errors
/// When rule files cannot be read, or have errors.
#[inline(never)]
pub fn load(
    asked: &RuleArgs,
    cache: Option<&Cache>,
    before_compiling: impl FnOnce(),
) -> Result<Loaded, Box<Broken>> {
    let entry = cache.map(|cache| entry(asked, cache));
    if let Some(image) = entry.as_ref().and_then(Entry::load) {
        return Ok(Loaded { image: Arc::new(image), note: None });
    }
    before_compiling();
    compiled(asked, entry)
}

/// Compiles the rules, and keeps them in an entry. Apart from the usual way, which would have to touch
/// the stack that this takes.
#[cold]
#[inline(never)]
fn compiled(asked: &RuleArgs, entry: Option<Entry>) -> Result<Loaded, Box<Broken>> {
    let provider = Recorder::new(project::provider());
    match rules::load_from(&provider, asked, |_| {}) {
        // An image that was named is kept, too: so it need not be verified as a whole again.
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
            Ok(Loaded { image: Arc::from(image), note })
        }
        Ok(Rules::Broken(compilation)) => Err(Box::new(Broken {
            message: first_error(&compilation),
            last: entry.and_then(|entry| entry.last()),
            on_error: compilation.program.on_error,
        })),
        Err(error) => Err(Box::new(Broken {
            message: error.0,
            last: entry.and_then(|entry| entry.last()),
            on_error: None,
        })),
    }
}

/// What the rules say is answered to an event that cannot be decided on, as far as they can be
/// understood.
pub fn on_error(
    asked: &RuleArgs,
    cache: Option<&Cache>,
    before_compiling: impl FnOnce(),
) -> Option<Verdict> {
    match load(asked, cache, before_compiling) {
        Ok(loaded) => loaded.image.on_error(),
        Err(broken) => broken.on_error.or_else(|| broken.last?.on_error()),
    }
}

/// Drops what the cache has, so that the rules are compiled anew.
pub fn forget(asked: &RuleArgs, cache: Option<&Cache>) {
    if let Some(cache) = cache {
        entry(asked, cache).remove();
    }
}

/// The entry of the cache for rules that are asked for in this directory.
fn entry(asked: &RuleArgs, cache: &Cache) -> Entry {
    let directory = std::env::current_dir().ok();
    cache.entry(&(directory, &asked.config, &asked.profile, asked.find()))
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
