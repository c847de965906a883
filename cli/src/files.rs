//! Finds rule files in directories, by their names and places. Reads a file only where its name does
//! not tell.

use std::path::{Path, PathBuf};

use behavior_compiler::foreign;
use behavior_compiler::ide;
use behavior_compiler::project::is_profile_name;
use behavior_compiler::rule_test;
use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Format, decode_utf8, parse};
use behavior_compiler::workflow::{is_agents_file, is_template_file};
use behavior_compiler::{ReadError, SourceProvider};

use crate::project;

/// Directories that hold what others wrote, or what was built.
const SKIPPED: &[&str] = &[".git", "target", "node_modules"];
/// Deeper directories are not looked into.
const MAX_DEPTH: u32 = 24;
/// How many directories are looked into at most.
const MAX_DIRECTORIES: usize = 20_000;

/// Why a file cannot be read, for people; nothing where it can.
#[must_use]
pub fn unreadable(path: &str) -> Option<String> {
    let reason = match project::provider().read(path) {
        Ok(_) => return None,
        Err(ReadError::NotFound) => "there is no such file".to_owned(),
        Err(ReadError::Failed(reason)) => reason,
    };
    Some(format!("cannot read `{path}`: {reason}"))
}

/// The rule files of a directory and below, each group by name.
#[derive(Debug, Default)]
pub struct Found {
    /// Behaviour and app configs.
    pub configs: Vec<String>,
    /// Profiles.
    pub profiles: Vec<String>,
    /// Policies.
    pub policies: Vec<String>,
    /// Workflow templates, and the agents of workflows.
    pub workflows: Vec<String>,
    /// Trace policies.
    pub trace_policies: Vec<String>,
    /// Rule tests.
    pub tests: Vec<String>,
}

impl Found {
    /// Returns whether there is no rule file.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let Self { configs, profiles, policies, workflows, trace_policies, tests } = self;
        let all = [configs, profiles, policies, workflows, trace_policies, tests];
        all.into_iter().all(Vec::is_empty)
    }

    /// Keeps the files that are wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(&String) -> bool) {
        let Self { configs, profiles, policies, workflows, trace_policies, tests } = self;
        for group in [configs, profiles, policies, workflows, trace_policies, tests] {
            group.retain(&is_wanted);
        }
    }
}

/// The rule files in a directory and below.
#[must_use]
pub fn in_directory(directory: &str) -> Found {
    let root = match directory.trim_end_matches('/') {
        "" if directory.starts_with('/') => "/",
        "." | "" => "",
        root => root,
    };
    let mut walk = Walk::default();
    walk.visit(root, is_rule_folder(directory), 0);
    walk.found
}

/// The profiles of the project that a config is the root of.
#[must_use]
pub fn profiles_beside(config: &str) -> Vec<String> {
    let mut found = behavior_compiler::project::profiles_beside(&project::Disk, config);
    found.retain(|path| Path::new(path).is_file());
    found
}

#[derive(Default)]
struct Walk {
    found: Found,
    visited: usize,
}

impl Walk {
    fn visit(&mut self, directory: &str, is_rule_folder: bool, depth: u32) {
        self.visited += 1;
        if depth > MAX_DEPTH || self.visited > MAX_DIRECTORIES {
            return;
        }
        // `list` sorts, so that the same tree always gives the same order.
        for name in project::Disk.list(directory) {
            let path = join(directory, &name);
            let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
            // Links to directories are not followed: they can lead in circles.
            if metadata.is_dir() {
                if !SKIPPED.contains(&name.as_str()) {
                    self.visit(&path, name == "behavior", depth + 1);
                }
            } else if name == "behavior.yaml" || name == "app.yaml" && !is_foreign(&path) {
                self.found.configs.push(path);
            } else if is_template_file(&path) || is_agents_file(&path) {
                self.found.workflows.extend(Some(path).filter(|path| !is_foreign(path)));
            } else if is_trace_policy_name(&name) {
                self.found.trace_policies.extend(Some(path).filter(|path| !is_foreign(path)));
            } else if is_rule_folder && is_profile_name(&name) && Path::new(&path).is_file() {
                self.found.profiles.push(path);
            } else if is_policy(&path, &name, is_rule_folder) {
                self.found.policies.push(path);
            } else if is_test_name(&name) && holds_tests(&path) {
                self.found.tests.push(path);
            }
        }
    }
}

fn join(directory: &str, name: &str) -> String {
    match directory {
        "" => name.to_owned(),
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}

fn is_trace_policy_name(name: &str) -> bool {
    [".policy.yaml", ".policy.yml", ".policy.json"].iter().any(|ending| name.ends_with(ending))
}

fn is_test_name(name: &str) -> bool {
    [".test.yaml", ".test.yml", ".test.json"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file that is called like rule tests holds some: other programs call their tests so, too.
fn holds_tests(path: &str) -> bool {
    text_of(path).is_some_and(|text| rule_test::is_test_file(path, &text)) && !is_foreign(path)
}

/// Returns whether a file is another program's, though it is called or stands as one of ours. One that cannot be read is
/// taken for ours.
#[must_use]
pub fn is_foreign(path: &str) -> bool {
    text_of(path).is_some_and(|text| foreign::is_foreign(path, &text))
}

/// The path of a file without links and steps up, by which it is known again under another name.
#[must_use]
pub fn real(path: &str) -> PathBuf {
    let path = Path::new(path);
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The text of a file, where it can be read.
fn text_of(path: &str) -> Option<String> {
    let bytes = project::Disk.read(path).ok()?;
    decode_utf8(FileId(0), path, &bytes).ok()
}

/// Whether a directory is one of profiles and policies, however it is written.
fn is_rule_folder(directory: &str) -> bool {
    let path = Path::new(directory);
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    full.file_name().is_some_and(|name| name == "behavior")
}

/// Whether a file is a policy: by its name and place, and where these leave it open, by its content.
fn is_policy(path: &str, name: &str, is_rule_folder: bool) -> bool {
    let is_policy_name = name == "policy.toml";
    if !(is_policy_name || is_rule_folder && name.ends_with(".toml")) {
        return false;
    }
    if is_policy_name && is_rule_folder {
        return true;
    }
    // The folder that was asked for need not say by its name what it is.
    let called = if is_rule_folder { join("behavior", name) } else { path.to_owned() };
    reads_as_policy(path, &called)
}

/// Whether there is a file that holds a policy, by its content.
#[must_use]
pub fn holds_policy(path: &str) -> bool {
    Path::new(path).is_file() && reads_as_policy(path, path)
}

/// Whether what a file holds is a policy under the name that it is `called`.
fn reads_as_policy(path: &str, called: &str) -> bool {
    let Some(text) = text_of(path) else { return false };
    ide::may_be_rule_file(called, &text)
        && ide::is_rule_file(called, &text, &parse(FileId(0), &text, Format::Toml).root)
}
