//! The rule files of a project's folder: how they are called, which of them hold together, and what is said of
//! each where all are looked at. Everybody who checks a project goes by this.

use std::collections::BTreeSet;

use crate::Compilation;
use crate::foreign::is_foreign;
use crate::problem::Problem;
use crate::provider::{LIBRARY_PREFIX, SourceProvider};
use crate::resolve::Options;
use crate::resolve::kind::is_trace_policy_name;
use crate::resolve::reference::project_root;
use crate::rule_test::is_test_file;

/// The config of a folder.
pub const CONFIG: &str = "behavior.yaml";
/// The policy of a project, from its folder.
pub const POLICY: &str = "behavior/policy.toml";
/// The folder of profiles and policies.
pub const FOLDER: &str = "behavior";

/// Problems that depend on what a profile is used with: for one that a config uses, the config's
/// compilation knows better than its own.
const OF_THE_WHOLE: &[&str] = &["undeclared-name", "unused-state", "no-fingerprint"];

/// Rule files that are compiled together.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Configs, profiles or policies.
    pub paths: Vec<String>,
    /// Policies that come before those among the paths.
    pub policies: Vec<String>,
    /// Trace policies that come before those among the paths.
    pub trace_policies: Vec<String>,
    /// A preset or profile in place of the config's own.
    pub profile: Option<String>,
    /// Whether it was looked for rather than named.
    pub is_found: bool,
}

impl Entry {
    /// A file that is compiled alone, and was looked for.
    #[must_use]
    pub fn found(path: String) -> Self {
        Self { is_found: true, ..Self::named(path) }
    }

    /// A file that is compiled alone, and was named.
    #[must_use]
    pub fn named(path: String) -> Self {
        Self { paths: vec![path], ..Self::default() }
    }

    /// What the compiler is asked for, with everything else as in `options`.
    #[must_use]
    pub fn options(&self, options: &Options) -> Options {
        Options {
            policies: self.policies.clone(),
            trace_policies: self.trace_policies.clone(),
            profile: self.profile.clone(),
            ..options.clone()
        }
    }
}

/// Finds what there is to check of a folder, which is empty or ends in a slash: its config with the policies
/// that hold with it, each profile alone, as nothing need use it, and rule tests.
#[must_use]
pub fn entries(provider: &dyn SourceProvider, folder: &str) -> Vec<Entry> {
    let inside = provider.list(&format!("{folder}{FOLDER}"));
    let config = has_config(provider, folder).then(|| format!("{folder}{CONFIG}"));
    let policy = inside.iter().any(|name| *name == policy_name());
    let policy = policy.then(|| format!("{folder}{POLICY}"));
    if config.is_none() && policy.is_none() {
        return Vec::new();
    }
    let is_kept = |name: &&String| config.is_some() && is_trace_policy_name(name);
    let trace_policies = inside.iter().filter(is_kept);
    let whole = Entry {
        paths: config.iter().cloned().collect(),
        policies: policy.into_iter().collect(),
        trace_policies: trace_policies.map(|name| format!("{folder}{FOLDER}/{name}")).collect(),
        ..Entry::default()
    };
    let profiles = config.map(|config| profiles_beside(provider, &config)).unwrap_or_default();
    // What cannot be read is nothing to compile.
    let profiles = profiles.into_iter().filter(|path| provider.read(path).is_ok());
    let tests = tests_in(provider, folder);
    std::iter::once(whole).chain(profiles.chain(tests).map(Entry::found)).collect()
}

/// Finds the rule tests of a folder, which is empty or ends in a slash: beside the config and beside profiles.
#[must_use]
pub fn tests_in(provider: &dyn SourceProvider, folder: &str) -> Vec<String> {
    let places = [folder.to_owned(), format!("{folder}{FOLDER}/")];
    let names = places.iter().flat_map(|place| {
        let names = provider.list(place.trim_end_matches('/')).into_iter();
        let tests = names.filter(|name| is_test_name(name));
        tests.map(move |name| format!("{place}{name}")).take(MAX_TESTS)
    });
    let is_one = |name: &String| {
        let bytes = provider.read(name).unwrap_or_default();
        std::str::from_utf8(&bytes)
            .is_ok_and(|text| is_test_file(name, text) && !is_foreign(name, text))
    };
    names.filter(is_one).collect()
}

/// More tests than this are not looked for in one folder.
const MAX_TESTS: usize = 1_000;

fn is_test_name(name: &str) -> bool {
    [".test.yaml", ".test.yml", ".test.json"].iter().any(|ending| name.ends_with(ending))
}

/// Returns whether a folder, which is empty or ends in a slash, has a config.
#[must_use]
pub fn has_config(provider: &dyn SourceProvider, folder: &str) -> bool {
    provider.list(folder.trim_end_matches('/')).iter().any(|name| name == CONFIG)
}

fn policy_name() -> &'static str {
    POLICY.rsplit('/').next().unwrap_or(POLICY)
}

/// Finds the profiles of the project that a config is the root of.
#[must_use]
pub fn profiles_beside(provider: &dyn SourceProvider, config: &str) -> Vec<String> {
    let root = config.rfind('/').and_then(|slash| config.get(..=slash)).unwrap_or_default();
    let names = provider.list(&format!("{root}{FOLDER}"));
    let names = names.iter().filter(|name| is_profile_name(name));
    names.map(|name| format!("{root}{FOLDER}/{name}")).collect()
}

/// Returns whether a file of this name, in the folder of profiles, is one.
#[must_use]
pub fn is_profile_name(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".yaml") else { return false };
    !stem.is_empty() && stem != "agents" && !stem.ends_with(".test") && !stem.ends_with(".policy")
}

/// Returns the folder that a rule file belongs to, empty or with its slash: a profile stands one below.
#[must_use]
pub fn folder_of(file: &str) -> &str {
    project_root(file)
}

/// Which problems of an entry are to be told.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    is_used: bool,
}

impl Told {
    /// Returns whether a problem is.
    #[must_use]
    pub fn includes(self, problem: &Problem) -> bool {
        !self.is_used || !OF_THE_WHOLE.contains(&problem.name)
    }
}

/// The names of the rule files that a compilation read.
pub fn read_by(compilation: &Compilation) -> impl Iterator<Item = &str> {
    let sources = compilation.documents.iter();
    sources.filter_map(|document| Some(&*compilation.sources.get(document.file)?.name))
}

/// The files that were looked at so far, where entries are checked one after another.
#[derive(Clone, Debug, Default)]
pub struct LookedAt(BTreeSet<String>);

impl LookedAt {
    /// Takes note of an entry and of the rule files that it read; answers with which of its problems are to be told.
    /// The entry may have been part of another one before, which knows better what is used.
    pub fn note<'n>(&mut self, entry: &Entry, read: impl Iterator<Item = &'n str>) -> Told {
        let is_used = entry.is_found && entry.paths.iter().all(|path| self.0.contains(path));
        self.0.extend(entry.paths.iter().cloned());
        let own = read.filter(|name| !name.starts_with(LIBRARY_PREFIX));
        self.0.extend(own.map(str::to_owned));
        Told { is_used }
    }

    /// Returns whether a file was looked at.
    #[must_use]
    pub fn contains(&self, file: &str) -> bool {
        self.0.contains(file)
    }

    /// Returns how many files were looked at.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
