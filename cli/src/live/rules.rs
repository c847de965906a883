//! The rules for a live event: from the cache where nothing has changed, else compiled now.

use std::sync::Arc;

use behavior_compiler::{Compilation, Severity};
use behavior_runtime::{Image, Verdict};

use super::cache::{Cache, Entry, Recorder};
use crate::args::RuleArgs;
use crate::project;
use crate::rules::{self, Found, Rules};

/// Rules for an event.
pub struct Loaded {
    /// The image.
    pub image: Arc<Image>,
    /// Whether nobody wrote any rules, so that they are those of a preset.
    is_preset: bool,
    /// What is not understood in the rules, where they were compiled now.
    not_understood: Vec<String>,
    /// What is wrong besides, for the log: rules work without it, but not all of them, or slower.
    pub notes: Vec<String>,
}

impl Loaded {
    /// What people are told on standard error; of the preset only once in a session.
    #[must_use]
    pub fn remarks(&self, is_first: bool) -> String {
        let preset = (is_first && self.is_preset).then(rules::of_preset);
        let preset = preset.iter().map(|note| format!("note: {note}\n"));
        preset.chain(self.not_understood.iter().map(|line| format!("{line}\n"))).collect()
    }
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
    let found = asked.find();
    let is_preset = found.entries.is_empty() && asked.profile.is_none();
    let entry = cache.map(|cache| entry(asked, found, cache));
    if let Some(image) = entry.as_ref().and_then(Entry::load) {
        let (not_understood, notes) = (Vec::new(), Vec::new());
        return Ok(Loaded { image: Arc::new(image), is_preset, not_understood, notes });
    }
    before_compiling();
    compiled(asked, entry, is_preset)
}

/// Compiles the rules, and keeps them in an entry. Apart from the usual way, which would have to touch
/// the stack that this takes.
#[cold]
#[inline(never)]
fn compiled(
    asked: &RuleArgs,
    entry: Option<Entry>,
    is_preset: bool,
) -> Result<Loaded, Box<Broken>> {
    let provider = Recorder::new(project::provider());
    match rules::load_from(&provider, asked, |_| {}) {
        // An image that was named is kept, too: so it need not be verified as a whole again.
        Ok(Rules::Ready { image, compilation }) => {
            let inputs = provider.inputs();
            let kept = entry.map(|entry| entry.keep(&inputs, &image));
            let slow = match kept {
                None => Some("nothing says where compiled rules are kept".to_owned()),
                Some(Err(error)) => {
                    let reason = project::describe(&error);
                    Some(format!("the compiled rules cannot be kept: {reason}"))
                }
                Some(Ok(())) => None,
            };
            let not_understood =
                compilation.as_deref().map(rules::not_understood).unwrap_or_default();
            let notes = not_understood.iter().cloned().chain(slow).collect();
            Ok(Loaded { image: Arc::from(image), is_preset, not_understood, notes })
        }
        Ok(Rules::Broken(compilation)) => Err(Box::new(Broken {
            message: first_error(&compilation),
            last: entry.and_then(|entry| entry.last()),
            on_error: compilation.program.on_error,
        })),
        Err(error) => Err(Box::new(Broken {
            message: error.to_string(),
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
        entry(asked, asked.find(), cache).remove();
    }
}

/// The entry of the cache for rules that are asked for in this directory.
fn entry(asked: &RuleArgs, found: Found, cache: &Cache) -> Entry {
    let directory = std::env::current_dir().ok();
    cache.entry(&(directory, &asked.config, &asked.profile, found))
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
