//! Where the rules are that a test is about. Nothing is compiled here.

use super::inline::{InlineConfig, inline_config};
use super::records::{OwnConfig, RuleTest};
use crate::Options;
use crate::provider::{ReadError, SourceProvider};
use crate::source::Source;

/// The files that the rules of a test are compiled from.
#[derive(Debug)]
pub enum Origin {
    /// Rule files that compose.
    Files {
        /// The files.
        entries: Vec<String>,
        /// The paths that a test names them by.
        named: Vec<String>,
        /// How they are compiled.
        options: Box<Options>,
    },
    /// A config that stands in the test.
    Inline(InlineConfig),
}

impl Origin {
    /// Returns what tells rules apart for the tests of a folder.
    #[must_use]
    pub fn key(&self, folder: &str) -> (String, String) {
        match self {
            Origin::Files { entries, options, .. } => {
                let beside = options.policies.iter().chain(&options.trace_policies);
                let profile = options.profile.clone().unwrap_or_default();
                let files: Vec<&str> = entries.iter().chain(beside).map(String::as_str).collect();
                (profile, files.join("\n"))
            }
            Origin::Inline(inline) => (format!("{folder}/"), inline.key.clone()),
        }
    }
}

/// Finds where the rules of a test of a file are. `fallback` is the project's config.
///
/// # Errors
/// When there are none, with the reason.
pub fn origin(
    provider: &dyn SourceProvider,
    file: &Source,
    test: &RuleTest,
    fallback: Option<&str>,
) -> Result<Origin, String> {
    if let Some(inline) = inline_config(file, test) {
        return Ok(Origin::Inline(inline));
    }
    let folder = folder_of(&file.name);
    let Some(OwnConfig(config)) = &test.config else {
        return beside(provider, &file.name, fallback);
    };
    let paths: Vec<&str> = match config.items() {
        Some(items) => items.iter().filter_map(|item| item.as_str()).collect(),
        None => config.as_str().into_iter().collect(),
    };
    if paths.is_empty() {
        let what = config.describe();
        return Err(format!("`config` is the path of a rule file, or a mapping, found {what}"));
    }
    let entries = paths.iter().map(|path| join(folder, path)).collect();
    let named = paths.iter().map(ToString::to_string).collect();
    Ok(Origin::Files { entries, named, options: Box::default() })
}

/// The file that a test file is named after, else the nearest `behavior.yaml`, with what holds beside it.
fn beside(
    provider: &dyn SourceProvider,
    test_file: &str,
    fallback: Option<&str>,
) -> Result<Origin, String> {
    let stem = [".test.yaml", ".test.yml", ".test.json"]
        .iter()
        .find_map(|ending| test_file.strip_suffix(ending));
    let namesakes = [".yaml", ".toml"].map(|ending| stem.map(|stem| format!("{stem}{ending}")));
    let mut above = Some(folder_of(test_file));
    let mut candidates: Vec<String> = namesakes.into_iter().flatten().collect();
    while let Some(folder) = above {
        candidates.push(join(folder, CONFIG));
        above = (!folder.is_empty() && folder != "/").then(|| folder_of(folder));
    }
    candidates.extend(fallback.map(str::to_owned));
    let there = |name: &&String| !matches!(provider.read(name), Err(ReadError::NotFound));
    match candidates.iter().find(there) {
        Some(entry) => Ok(project(provider, entry)),
        None => Err(
            "there is no rule file of the test's name beside it, and no `behavior.yaml` above: write the rules into \
             the test, or name their file in `config`"
                .to_owned(),
        ),
    }
}

const CONFIG: &str = "behavior.yaml";

/// A rule file, with the policies that hold beside a project's config.
#[must_use]
pub fn project(provider: &dyn SourceProvider, entry: &str) -> Origin {
    let mut options = Options::default();
    if entry == CONFIG || entry.ends_with("/behavior.yaml") {
        let folder = join(folder_of(entry), "behavior");
        let names = provider.list(&folder);
        let is_trace_policy = |name: &&String| {
            [".policy.yaml", ".policy.yml", ".policy.json"].iter().any(|end| name.ends_with(end))
        };
        let policies = names.iter().filter(|name| *name == "policy.toml");
        options.policies = policies.map(|name| join(&folder, name)).collect();
        let trace_policies = names.iter().filter(is_trace_policy);
        options.trace_policies = trace_policies.map(|name| join(&folder, name)).collect();
    }
    Origin::Files { entries: vec![entry.to_owned()], named: Vec::new(), options: Box::new(options) }
}

/// The folder of a file, empty for the working directory.
#[must_use]
pub fn folder_of(name: &str) -> &str {
    match name.rfind('/') {
        Some(0) => "/",
        Some(slash) => name.get(..slash).unwrap_or_default(),
        None => "",
    }
}

/// The path of a file that is named from a folder.
#[must_use]
pub fn join(folder: &str, path: &str) -> String {
    match folder {
        "" => path.to_owned(),
        _ if path.starts_with('/') => path.to_owned(),
        "/" => format!("/{path}"),
        _ => format!("{folder}/{path}"),
    }
}
