//! Files beside those that discovery finds, under names that are nearly theirs: nothing reads them, and
//! who wrote them thinks that they hold. Looks at names, and into a file only where its name does not
//! tell; says what it found, and changes nothing.

use std::path::{Path, PathBuf};

use behavior_compiler::SourceProvider;
use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Format, decode_utf8, parse};

use crate::{files, project};

/// Names under which nobody looks for the config.
const CONFIGS: &[&str] =
    &["behavior.yml", "behaviour.yaml", "behaviour.yml", ".behavior.yaml", ".behavior.yml"];

/// Names under which nobody looks for the config either, and which files of other programs may have.
const JSON_CONFIGS: &[&str] = &["behavior.json", "behaviour.json"];

/// What stands where discovery looks and is not read, a sentence each: in the working directory and
/// those above, up to the project's.
#[must_use]
pub fn passed_over() -> Vec<String> {
    let Ok(start) = std::env::current_dir() else { return Vec::new() };
    let mut notes = Vec::new();
    let mut up = PathBuf::new();
    for directory in start.ancestors() {
        notes.extend(of_directory(&up));
        if project::has_config(directory) || directory.join(".git").exists() {
            break;
        }
        up.push("..");
    }
    notes
}

/// What is not read of one directory, which is the root of a project.
#[must_use]
pub fn of_directory(root: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    for name in CONFIGS {
        if root.join(name).is_file() {
            let path = shown(root, name);
            notes.push(format!(
                "`{path}` is not read: the config is called `behavior.yaml`; rename it"
            ));
        }
    }
    for path in JSON_CONFIGS.iter().map(|name| shown(root, name)) {
        if holds_config(&path) {
            notes.push(format!(
                "`{path}` is not read: the config is called `behavior.yaml`; rename it, JSON may stand there"
            ));
        }
    }
    let top = shown(root, "policy.toml");
    if files::holds_policy(&top) {
        notes.push(format!(
            "`{top}` is not read: move it to `{}`",
            shown(root, "behavior/policy.toml")
        ));
    }
    hidden_folder(root, &mut notes);
    rule_folder(root, &mut notes);
    notes
}

/// Whether a JSON file has a key that hardly anything but a config has.
fn holds_config(path: &str) -> bool {
    if !Path::new(path).is_file() {
        return false;
    }
    let Ok(bytes) = project::Disk.read(path) else { return false };
    let Ok(text) = decode_utf8(FileId(0), path, &bytes) else { return false };
    let root = parse(FileId(0), &text, Format::Json).root;
    ["rule_definitions", "profile", "state_tracking"].iter().any(|key| root.get(key).is_some())
}

/// `.behavior/` is where programs keep what they remember, and no rules.
fn hidden_folder(root: &Path, notes: &mut Vec<String>) {
    let folder = shown(root, ".behavior");
    for name in project::Disk.list(&folder) {
        let is_rules = ["yaml", "yml", "toml"].iter().any(|ending| has_ending(&name, ending));
        if is_rules && root.join(".behavior").join(&name).is_file() {
            notes
                .push(format!("`{folder}/{name}` is not read: the folder of rules is `behavior/`"));
        }
    }
}

fn rule_folder(root: &Path, notes: &mut Vec<String>) {
    let folder = shown(root, "behavior");
    for name in project::Disk.list(&folder) {
        let path = format!("{folder}/{name}");
        let stem = name.split('.').next().unwrap_or_default();
        let is_tests = name.contains(".test.") || name.contains(".policy.");
        if name == "policy.toml" {
            if Path::new(&path).is_dir() {
                notes.push(format!("`{path}` is a directory and not read: a policy is one file"));
            }
        } else if !Path::new(&path).is_file() || is_tests {
            continue;
        } else if has_ending(&name, "toml") {
            if files::holds_policy(&path) {
                notes.push(format!(
                    "`{path}` is not read: the project's policy is `{folder}/policy.toml`; others \
                     are named with `-c`"
                ));
            }
        } else if matches!(stem, "policy" | "policies") && holds_rules(&path) {
            notes.push(format!(
                "`{path}` is not read as a policy: policies are TOML, in `{folder}/policy.toml`"
            ));
        } else if has_ending(&name, "yml") {
            notes.push(format!(
                "`{path}` is not read: profiles are called `{folder}/NAME.yaml`; rename it"
            ));
        }
    }
}

fn has_ending(name: &str, ending: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, found)| !stem.is_empty() && found == ending)
}

/// Whether a YAML or JSON file has a list of rules, as policies have.
fn holds_rules(path: &str) -> bool {
    let Ok(bytes) = project::Disk.read(path) else { return false };
    let Ok(text) = decode_utf8(FileId(0), path, &bytes) else { return false };
    let root = parse(FileId(0), &text, Format::Yaml).root;
    root.get("rules").is_some_and(|rules| rules.items().is_some())
}

fn shown(root: &Path, name: &str) -> String {
    let path = root.join(name);
    project::display(path.strip_prefix(".").unwrap_or(&path))
}
