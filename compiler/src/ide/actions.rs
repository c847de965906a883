//! What can be changed at a place for the author: the fixes of problems, all safe ones of a file at once, a
//! condition in its other form, what is missing created, a rule silenced for a reason, a call that shows a problem kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use behavior_facts::tool_catalogue::is_shell;

use super::action::{Action, ActionKind};
use super::extract::extract;
use super::forms::other_form;
use super::index::{Occurrence, SymbolKind};
use super::insert::{Layout, add_entry, add_item};
use super::names::{Surroundings, text};
use super::navigate::FileEdit;
use super::witness::shown;
use super::{Project, RuleFile};
use crate::parameters;
use crate::problem::{Fix, Problem};
use crate::project::folder_of;
use crate::provider::LIBRARY_PREFIX;
use crate::resolve::FileKind;
use crate::source::Span;
use crate::syntax::Node;

/// Finds what can be changed between two offsets of a file. `problems` are those of the file.
#[must_use]
pub fn actions(
    project: Project<'_>,
    file: &Arc<RuleFile>,
    problems: &[Problem],
    start: u32,
    end: u32,
) -> Vec<Action> {
    let mut found = Vec::new();
    for (number, problem) in problems.iter().enumerate() {
        if problem.place.start > end || problem.place.end < start {
            continue;
        }
        found.extend(problem.fixes.iter().filter_map(mended).map(|fix| fix.mending(number)));
        found.extend(created(project, file, problem).map(|action| action.mending(number)));
        found.extend(shown(project, file, problem).into_iter().map(|it| it.mending(number)));
    }
    found.extend(all_fixed(problems));
    if file.name().starts_with(LIBRARY_PREFIX) || !file.is_rule_file() {
        return Vec::new();
    }
    found.extend(other_form(file, start));
    found.extend(silenced(project, file, start));
    found.extend(extract(project, file, start, end));
    found
}

/// The edits of a fix; none where it would change what is built in.
fn edits_of(fix: &Fix) -> Option<Vec<FileEdit>> {
    let edits = fix.edits.iter().map(|(place, text)| {
        let file = place.source.name.clone();
        let is_own = !file.starts_with(LIBRARY_PREFIX);
        // Numbers of files are those of a compilation, and mean nothing here.
        let span = Span::new(crate::source::FileId(0), place.start, place.end);
        is_own.then(|| FileEdit { file, span, text: text.clone() })
    });
    edits.collect()
}

fn mended(fix: &Fix) -> Option<Action> {
    let title = match fix.is_safe {
        true => fix.message.clone(),
        false => format!("{} (look at it: this may change the meaning)", fix.message),
    };
    let action = Action::new(title, ActionKind::Fix, edits_of(fix)?);
    Some(Action { is_preferred: fix.is_safe, ..action })
}

/// All safe fixes of a file that do not touch each other.
fn all_fixed(problems: &[Problem]) -> Option<Action> {
    let mut taken: BTreeSet<(String, u32, u32, String)> = BTreeSet::new();
    let mut count = 0;
    for fix in problems.iter().filter_map(|problem| problem.fixes.iter().find(|it| it.is_safe)) {
        let Some(edits) = edits_of(fix) else { continue };
        let is_free = edits.iter().all(|edit| {
            let FileEdit { file, span, text } = edit;
            taken.iter().filter(|(other, ..)| other == file).all(|(_, from, to, new)| {
                (*from, *to, new) == (span.start, span.end, text)
                    || *to < span.start
                    || span.end < *from
            })
        });
        if is_free && !edits.is_empty() {
            count += 1;
            let keyed = |it: FileEdit| (it.file, it.span.start, it.span.end, it.text);
            taken.extend(edits.into_iter().map(keyed));
        }
    }
    let edits = taken.into_iter().map(|(file, start, end, text)| FileEdit {
        file,
        span: Span::new(crate::source::FileId(0), start, end),
        text,
    });
    let title = match count {
        1 => "apply the one safe fix of this file".to_owned(),
        _ => format!("apply all {count} safe fixes of this file"),
    };
    (count > 0).then(|| Action::new(title, ActionKind::FixAll, edits.collect()))
}

/// Creates what a problem says is not there.
fn created(project: Project<'_>, file: &RuleFile, problem: &Problem) -> Option<Action> {
    let folder = folder_of(file.name());
    match problem.name {
        "undeclared-name" => {
            let one = file.index().at(problem.place.start)?;
            let (table, value) = match one.kind {
                SymbolKind::Set => ("sets", "{ add_on: read }"),
                SymbolKind::Counter => ("counters", "{ increment_on: edit }"),
                SymbolKind::Flag => ("flags", "{ set_on: ask_user }"),
                _ => return None,
            };
            let edit =
                add_entry(file, &["state_tracking", table], &format!("{}: {value}", one.name))?;
            let title = format!("declare the {} `{}`", one.kind.describe(), one.name);
            Some(Action::new(title, ActionKind::Fix, vec![edit]))
        }
        "unknown-profile" => {
            // A reference has braces around its name, and quotes around these.
            let place = problem.place.start..=problem.place.end;
            let is_there = |one: &&Occurrence| {
                one.kind == SymbolKind::Profile && place.contains(&one.span.start)
            };
            let one = file.index().occurrences.iter().find(is_there)?;
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            if !one.name.chars().all(is_plain) {
                return None;
            }
            let path = format!("{folder}behavior/{}.yaml", one.name);
            let title = format!("create the profile `{path}`");
            let text = format!("name: {}\nextends: dev\n", one.name);
            let action = Action::new(title, ActionKind::Fix, Vec::new());
            Some(Action { creates: vec![(path, text)], ..action })
        }
        "unknown-reference" => {
            let text = problem.place.source.text.get(problem.place.start as usize..)?;
            let inside = text.split_once("{{prompt.")?.1.split_once("}}")?.0.trim();
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            let path = format!("{folder}prompts/{inside}.md");
            let is_there = project.provider.read(&path).is_ok();
            if inside.is_empty() || !inside.chars().all(is_plain) || is_there {
                return None;
            }
            let title = format!("create the prompt `{path}`");
            let action = Action::new(title, ActionKind::Fix, Vec::new());
            Some(Action {
                creates: vec![(path, "Instructions for the agent.\n".to_owned())],
                ..action
            })
        }
        _ => None,
    }
}

/// An exception for the rule that is named here, to be filled in.
fn silenced(project: Project<'_>, file: &RuleFile, offset: u32) -> Option<Action> {
    let one = file.index().at(offset).filter(|one| one.kind == SymbolKind::Rule)?;
    let is_config = matches!(file.kind, FileKind::BehaviorConfig | FileKind::AppConfig);
    if !is_config || Layout::of(file).is_none() {
        return None;
    }
    let when = somewhere(project, file, &one.name);
    let edit = add_exception(file, &one.name, when, "say why")?;
    let title = format!("silence `{}` somewhere, with a reason", one.name);
    Some(Action::new(title, ActionKind::Rewrite, vec![edit]))
}

/// A condition that can hold where a rule fires: on files for what has some, on commands for a shell.
fn somewhere(project: Project<'_>, file: &RuleFile, rule: &str) -> &'static str {
    let surroundings = Surroundings::new(file, project);
    let own =
        surroundings.files().filter_map(|file| file.config().get("rule_definitions")?.items());
    let mut rules = own.flatten().chain(surroundings.builtin_rules());
    let definition = rules.find(|node| text(node, "id") == Some(rule));
    let is_of_calls = match definition.and_then(|node| text(node, "when")) {
        None => definition.is_some(),
        Some(when) => matches!(when, "pre_tool" | "post_tool"),
    };
    let trigger = definition.and_then(|node| node.get("trigger"));
    let names: Vec<&str> = match trigger.map(|node| (node.items(), node.as_str())) {
        Some((Some(items), _)) => items.iter().filter_map(Node::as_str).collect(),
        Some((None, Some(names))) => names.split(',').map(str::trim).collect(),
        _ => Vec::new(),
    };
    let has_files = |name: &&str| {
        let params = parameters::of(&name.to_lowercase());
        params.is_none_or(|params| params.iter().any(|param| FILES.contains(param)))
    };
    let runs_lines = names.iter().all(|name| is_shell(&name.to_lowercase()));
    match is_of_calls {
        true if runs_lines && !names.is_empty() => "'runs \"make test\"'",
        true if names.is_empty() || names.iter().any(has_files) => {
            "{ target_matches: \"docs/**\" }"
        }
        _ => "{ branch: \"wip/*\" }",
    }
}

/// The parameters that are the target of a tool which is about files.
const FILES: &[&str] = &["file_path", "path", "notebook_path"];

/// Returns the edit that adds an exception to a config, or `None` where the file is none or its exceptions are not
/// written in blocks. `when` is a condition in one line, `rule` an id.
#[must_use]
pub fn add_exception(file: &RuleFile, rule: &str, when: &str, reason: &str) -> Option<FileEdit> {
    let is_config = matches!(file.kind, FileKind::BehaviorConfig | FileKind::AppConfig);
    let reason = serde_json::Value::from(reason);
    let item = format!("{{ rule: {rule}, when: {when}, reason: {reason} }}");
    add_item(file, "exceptions", &item).filter(|_| is_config)
}
