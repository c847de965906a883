//! Which files of a project have to do with each other: a config with its profiles and policies, a profile with
//! those that it extends, tests with what they test.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::index::{Occurrence, SymbolKind};
use super::names::base_of;
use super::{Project, RuleFile};
use crate::project::{CONFIG, POLICY, folder_of};
use crate::provider::LIBRARY_PREFIX;
use crate::resolve::FileKind;
use crate::resolve::kind::is_trace_policy_name;
use crate::syntax::Node;

/// More files of a folder than this are not looked at.
const MAX_FILES: usize = 2000;

/// The rules of the standard library, on which every file builds.
const LIBRARY_RULES: &str = "builtin:rules.yaml";

/// The rule files of a folder, which is empty or ends in a slash: its config, what stands in `behavior/`, and
/// rule tests.
#[must_use]
pub fn files_of(project: Project<'_>, folder: &str) -> Vec<Arc<RuleFile>> {
    let list = |directory: &str| project.provider.list(directory.trim_end_matches('/'));
    let at_root = list(folder).into_iter().filter(|name| is_found_at_root(name));
    let below = format!("{folder}behavior/");
    let inside = list(&below).into_iter().filter(|name| is_found_below(name));
    let inside = inside.map(|name| format!("{below}{name}"));
    let names = at_root.map(|name| format!("{folder}{name}")).chain(inside).take(MAX_FILES);
    names.filter_map(|name| project.file(&name)).filter(|file| file.is_rule_file()).collect()
}

fn is_test_name(name: &str) -> bool {
    [".test.yaml", ".test.yml", ".test.json"].iter().any(|ending| name.ends_with(ending))
}

fn is_found_at_root(name: &str) -> bool {
    name == CONFIG || name == "app.yaml" || is_test_name(name) || is_trace_policy_name(name)
}

fn is_found_below(name: &str) -> bool {
    name.ends_with(".yaml") || name.ends_with(".toml") || is_found_at_root(name)
}

/// A file and those that it has to do with, however many steps away; the file first. What is built in is not
/// among them.
#[must_use]
pub fn related(project: Project<'_>, file: &Arc<RuleFile>) -> Vec<Arc<RuleFile>> {
    let mut all = files_of(project, folder_of(file.name()));
    match all.iter_mut().find(|known| known.name() == file.name()) {
        // What is asked about may be newer.
        Some(known) => *known = Arc::clone(file),
        None => all.push(Arc::clone(file)),
    }
    let mut linked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in &all {
        for other in links(project, one) {
            linked.entry(one.name().to_owned()).or_default().insert(other.clone());
            linked.entry(other).or_default().insert(one.name().to_owned());
        }
    }
    let mut reached = BTreeSet::from([file.name().to_owned()]);
    let mut open = vec![file.name().to_owned()];
    while let Some(name) = open.pop() {
        let next = linked.get(&name).into_iter().flatten();
        open.extend(next.filter(|next| reached.insert((*next).clone())).cloned());
    }
    let mut found = vec![Arc::clone(file)];
    let others = all.into_iter().filter(|one| one.name() != file.name());
    found.extend(others.filter(|one| reached.contains(one.name())));
    found
}

/// The files that a file names or stands beside, without the standard library's.
fn links(project: Project<'_>, file: &RuleFile) -> Vec<String> {
    let folder = folder_of(file.name());
    let config = || format!("{folder}{CONFIG}");
    let mut found: Vec<String> = base_of(file, project).into_iter().collect();
    match file.kind {
        FileKind::Policy if file.name() == format!("{folder}{POLICY}") => found.push(config()),
        FileKind::TracePolicy => found.push(config()),
        FileKind::RuleTests => found.extend(tested_by(project, file)),
        _ => {}
    }
    found.retain(|name| !name.starts_with(LIBRARY_PREFIX));
    found
}

/// The rule files that a file of tests is about.
pub(super) fn tested_by(project: Project<'_>, file: &RuleFile) -> Vec<String> {
    let tests = file.config().get("tests").and_then(Node::items).unwrap_or_default();
    let named = tests.iter().filter_map(|test| test.get("config"));
    let many = named.flat_map(|named| match named.items() {
        Some(items) => items.iter().filter_map(Node::as_str).collect(),
        None => named.as_str().into_iter().collect::<Vec<_>>(),
    });
    let directory = file.name().rfind('/').and_then(|at| file.name().get(..=at));
    let directory = directory.unwrap_or_default();
    let mut found: Vec<String> = many.map(|name| joined(directory, name)).collect();
    let stem = file.name().rfind(".test.").and_then(|at| file.name().get(..at));
    let beside = stem.map(|stem| format!("{stem}.yaml"));
    match beside.filter(|name| project.provider.read(name).is_ok()) {
        Some(beside) => found.push(beside),
        None => found.push(format!("{}{CONFIG}", folder_of(file.name()))),
    }
    found
}

/// A path from a folder, `.` and `..` resolved.
pub(super) fn joined(directory: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let root = if directory.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// The files of the standard library that a file builds on, the nearest first.
pub(super) fn built_in(project: Project<'_>, files: &[Arc<RuleFile>]) -> Vec<Arc<RuleFile>> {
    let mut found: Vec<Arc<RuleFile>> = Vec::new();
    let mut open: Vec<String> = files.iter().filter_map(|file| base_of(file, project)).collect();
    open.insert(0, LIBRARY_RULES.to_owned());
    while let Some(name) = open.pop() {
        let is_new = found.iter().all(|known| known.name() != name);
        if !name.starts_with(LIBRARY_PREFIX) || !is_new {
            continue;
        }
        if let Some(file) = project.file(&name) {
            open.extend(base_of(&file, project));
            found.push(file);
        }
    }
    found
}

/// The names that a file and those that it has to do with declare, of those that are wanted; the file's own first.
/// What a test declares for itself is not among them.
pub(super) fn related_names(
    project: Project<'_>,
    file: &RuleFile,
    is_wanted: impl Fn(&Occurrence) -> bool,
) -> Vec<String> {
    let files = related(project, &Arc::new(file.clone()));
    let library = built_in(project, &files);
    let mut found: Vec<String> = Vec::new();
    for file in files.iter().chain(&library) {
        // Rules that are built in are known by other ways.
        let is_library = file.name().starts_with(LIBRARY_PREFIX);
        let is_known = |one: &Occurrence| is_library && one.kind == SymbolKind::Rule;
        let declared = file.index().occurrences.iter();
        let declared = declared.filter(|one| one.declares.is_some() && !one.is_of_test());
        for one in declared.filter(|one| is_wanted(one) && !is_known(one)) {
            if !found.iter().any(|known| **known == *one.name) {
                found.push(one.name.to_string());
            }
        }
    }
    found
}
