//! What is in a plan that can be run and was probably not meant.

use std::collections::HashSet;

use behavior_facts::path::normalise;

use super::step::{Plan, Step};
use super::{shell, tools};
use crate::decode::{Reports, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::nearest::closest;
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// The states of a to-do.
const STATES: &[&str] = &["pending", "in_progress", "completed"];

/// `explains_elsewhere`: some unknown field most likely stands for `explain`.
pub(super) fn lint(plan: &Plan, root: &Node, explains_elsewhere: bool, reports: &mut Reports) {
    if let Kind::Map(entries) = &root.kind
        && plan.explain.as_ref().is_none_or(|text| text.trim().is_empty())
        && root.get("explain").is_none_or(|node| matches!(node.kind, Kind::Null | Kind::String(_)))
        && !entries.is_empty()
        && !explains_elsewhere
    {
        let span = root.entry("explain").map_or(root.span, |entry| entry.value.span);
        reports.push(
            Diagnostic::new(&d::NO_EXPLANATION, span, "the plan does not say what it is for")
                .help("say in `explain`, in one sentence, what the user will see before it runs"),
        );
    }
    let items = root.get("steps").and_then(Node::items).unwrap_or_default();
    let mut known = HashSet::new();
    for step in &plan.steps {
        let Some(node) = items.get(step.number) else { continue };
        unknown_tool(step, node, reports);
        options_in_args(step, node, reports);
        edit_without_read(step, node, &mut known, reports);
        shell_for_files(step, node, reports);
        todo_states(step, node, reports);
    }
}

fn unknown_tool(step: &Step, node: &Node, reports: &mut Reports) {
    if step.tool.is_some() {
        return;
    }
    let span = node.get("tool").map_or(step.span, |tool| tool.span);
    let name = step.name.trim();
    let message = format!("a plan has no tool `{name}`");
    let diagnostic = Diagnostic::new(&d::UNKNOWN_TOOL, span, message);
    let names = || tools::TOOLS.iter().map(|tool| tool.name);
    let mut diagnostic = did_you_mean(diagnostic, name, names(), "tools");
    // The quotes stay.
    diagnostic.fixes.clear();
    if let Some(near) = closest(name, names()) {
        let quoted = format!("\"{near}\"");
        diagnostic = diagnostic.replace(span, quoted, crate::diagnostic::Applicability::Unsafe);
    }
    reports.push(diagnostic);
}

/// An object at the end of `args`, which some tools read and others do not.
fn options_in_args(step: &Step, node: &Node, reports: &mut Reports) {
    let Some(last) = node.get("args").and_then(Node::items).and_then(<[Node]>::last) else {
        return;
    };
    let is_todo =
        step.tool.is_some_and(|tool| tool.name == "todo_write") && last.entry("content").is_some();
    if last.entries().is_none() || is_todo {
        return;
    }
    let message = "options stand at the end of `args`, where they are easily overlooked";
    let help = match step.arguments().problem {
        Some(problem) if problem.ends_with("only in `kwargs`") => {
            format!("move them to `kwargs`: {problem}")
        }
        _ => "move them to `kwargs`".to_owned(),
    };
    reports.push(Diagnostic::new(&d::OPTIONS_IN_ARGS, last.span, message).help(help));
}

fn edit_without_read(step: &Step, node: &Node, known: &mut HashSet<String>, reports: &mut Reports) {
    let Some(path) = step.text("file_path") else { return };
    let mut scratch = String::new();
    let path = normalise(&path, None, &mut scratch).to_owned();
    match step.tool.map(|tool| tool.name) {
        // What the plan itself wrote is known to it.
        Some("read" | "write") => {
            known.insert(path);
        }
        Some("edit" | "multi_edit") if !known.contains(&path) => {
            let span = place_of_file(node).unwrap_or(step.span);
            reports.push(
                Diagnostic::new(
                    &d::EDIT_WITHOUT_READ,
                    span,
                    format!("no step before this one reads `{path}`"),
                )
                .help("read the file first, so that the edit fits what is really there"),
            );
            // One word a file is enough.
            known.insert(path);
        }
        _ => {}
    }
}

/// Where the path of a step stands.
fn place_of_file(node: &Node) -> Option<Span> {
    let by_place = node.get("args").and_then(Node::items).and_then(<[Node]>::first);
    let kwargs = node.get("kwargs");
    let by_name =
        ["file_path", "path", "file", "filename"].into_iter().find_map(|name| kwargs?.get(name));
    let is_text = |node: &&Node| matches!(node.kind, Kind::String(_));
    by_place.filter(is_text).or(by_name).map(|node| node.span)
}

fn shell_for_files(step: &Step, node: &Node, reports: &mut Reports) {
    if step.tool.is_none_or(|tool| tool.name != "bash") {
        return;
    }
    let Some(line) = step.text("command") else { return };
    let Some((program, tool)) = shell::file_tool(&line) else { return };
    let by_place = node.get("args").and_then(Node::items).and_then(<[Node]>::first);
    let kwargs = node.get("kwargs");
    let by_name = ["command", "cmd"].into_iter().find_map(|name| kwargs?.get(name));
    let span = by_place.or(by_name).map_or(step.span, |node| node.span);
    let message = format!("`{program}` in the shell does what the tool `{tool}` is for");
    reports.push(
        Diagnostic::new(&d::SHELL_FOR_FILES, span, message)
            .help(format!("use `{tool}`, which cannot leave the workspace")),
    );
}

fn todo_states(step: &Step, node: &Node, reports: &mut Reports) {
    if step.tool.is_none_or(|tool| tool.name != "todo_write") {
        return;
    }
    for todo in todos(node) {
        let Some(status) = todo.get("status") else { continue };
        let written = match &status.kind {
            Kind::String(text) if STATES.contains(&text.value()) => continue,
            Kind::String(text) => text.value(),
            Kind::Broken => continue,
            _ => status.describe(),
        };
        let message = format!("a to-do cannot be `{written}`");
        let states = STATES.iter().copied();
        let mut diagnostic = did_you_mean(
            Diagnostic::new(&d::UNKNOWN_TODO_STATE, status.span, message),
            written,
            states,
            "states",
        );
        diagnostic.fixes.clear();
        reports.push(diagnostic);
    }
}

/// The to-dos of a step, wherever they stand.
fn todos(node: &Node) -> Vec<&Node> {
    let kwargs = node.get("kwargs");
    let by_name = ["todos", "items"].into_iter().find_map(|name| kwargs?.get(name));
    let args = node.get("args").and_then(Node::items).unwrap_or_default();
    let of_list = |node: &'_ Node| matches!(node.kind, Kind::Seq(_));
    let listed = by_name.or_else(|| args.first().filter(|first| of_list(first)));
    match listed {
        Some(list) => list.items().unwrap_or_default().iter().collect(),
        None => args.iter().flat_map(of_object).collect(),
    }
}

/// A to-do by itself, or those in an object of options.
fn of_object(node: &Node) -> Vec<&Node> {
    match node.get("todos").and_then(Node::items) {
        Some(items) => items.iter().collect(),
        None => vec![node],
    }
}
