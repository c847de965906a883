//! The rules that a test is about, compiled once for all tests that say the same.

use std::sync::Arc;

use behavior_compiler::asked::{Asked, Noting};
use behavior_compiler::provider::SourceProvider;
use behavior_compiler::rule_test::{
    InTest, InlineConfig, OwnConfig, RuleTest, Suite, inline_config,
};
use behavior_compiler::source::FileId;
use behavior_compiler::{Compilation, Options, ReadError, compile_all};
use behavior_runtime::Layers;

/// Compiled rules.
#[derive(Debug)]
pub struct Rules {
    /// The rules.
    pub layers: Arc<Layers>,
    /// How they were compiled.
    pub compilation: Compilation,
    /// The files that this depends on.
    pub asked: Vec<Asked>,
}

/// Why there are no rules to test.
#[derive(Debug)]
pub enum NoRules {
    /// They have errors.
    Broken(Box<Compilation>),
    /// There are none, for this reason.
    Missing(String),
}

/// What tells rules apart.
pub(crate) type Key = (String, String);

/// The files that rules are compiled from.
pub(crate) enum Origin {
    /// Rule files that compose.
    Files {
        entries: Vec<String>,
        /// The paths that a test names them by.
        named: Vec<String>,
        options: Box<Options>,
    },
    /// A config that stands in the test.
    Inline(InlineConfig),
}

impl Origin {
    pub(crate) fn key(&self, folder: &str) -> Key {
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

    /// Compiles the rules. Many tests are run under them in this very process, which makes no use of automata.
    pub(crate) fn compile(&self, provider: &dyn SourceProvider) -> Result<Rules, NoRules> {
        let provider = &Noting::new(provider);
        let mut compilation = match self {
            Origin::Files { entries, named, options } => {
                for (entry, path) in entries.iter().zip(named) {
                    if let Err(error) = provider.read(entry) {
                        return Err(NoRules::Missing(format!("cannot read `{path}`: {error}")));
                    }
                }
                let options = Options { without_automata: true, ..Options::clone(options) };
                compile_all(provider, entries, &options)
            }
            Origin::Inline(inline) => {
                let provider = InTest { below: provider, inline };
                let options = Options { without_automata: true, ..Options::default() };
                compile_all(&provider, std::slice::from_ref(&inline.name), &options)
            }
        };
        match compilation.image.take() {
            Some(image) => {
                let layers = Arc::new(Layers::from(Arc::new(image)));
                Ok(Rules { layers, compilation, asked: provider.take() })
            }
            None => Err(NoRules::Broken(Box::new(compilation))),
        }
    }
}

/// Finds where the rules of a test are. `fallback` is the project's config.
pub(crate) fn origin(
    provider: &dyn SourceProvider,
    suite: &Suite,
    test: &RuleTest,
    fallback: Option<&str>,
) -> Result<Origin, NoRules> {
    let Some(file) = suite.sources.get(FileId(0)) else {
        return Err(NoRules::Missing("the test file is empty".to_owned()));
    };
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
        let message = format!("`config` is the path of a rule file, or a mapping, found {what}");
        return Err(NoRules::Missing(message));
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
) -> Result<Origin, NoRules> {
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
        None => Err(NoRules::Missing(
            "there is no rule file of the test's name beside it, and no `behavior.yaml` above: write the rules into \
             the test, or name their file in `config`"
                .to_owned(),
        )),
    }
}

const CONFIG: &str = "behavior.yaml";

/// A rule file, with the policies that hold beside a project's config.
pub(crate) fn project(provider: &dyn SourceProvider, entry: &str) -> Origin {
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
pub(crate) fn folder_of(name: &str) -> &str {
    match name.rfind('/') {
        Some(0) => "/",
        Some(slash) => name.get(..slash).unwrap_or_default(),
        None => "",
    }
}

pub(crate) fn join(folder: &str, path: &str) -> String {
    match folder {
        "" => path.to_owned(),
        _ if path.starts_with('/') => path.to_owned(),
        "/" => format!("/{path}"),
        _ => format!("{folder}/{path}"),
    }
}
