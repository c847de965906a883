//! Rules of a config moved to a profile of their own, which the config then uses in place of the one it used.

use super::action::{Action, ActionKind};
use super::insert::Layout;
use super::names::text;
use super::navigate::FileEdit;
use super::{Project, RuleFile};
use crate::project::folder_of;
use crate::resolve::FileKind;
use crate::resolve::reference::profile_name;
use crate::source::Span;
use crate::syntax::Node;

/// The move of the rules that stand wholly between two offsets; one rule where nothing is selected does not ask
/// for that.
pub(super) fn extract(
    project: Project<'_>,
    file: &RuleFile,
    start: u32,
    end: u32,
) -> Option<Action> {
    if file.kind != FileKind::BehaviorConfig || start == end || Layout::of(file).is_none() {
        return None;
    }
    let config = file.config();
    let rules = config.entry("rule_definitions")?;
    let all = rules.value.items()?;
    let inside = |rule: &&Node| {
        line_start(file, rule.span.start) >= line_start(file, start) && rule.span.start < end
    };
    let chosen: Vec<&Node> = all.iter().filter(inside).collect();
    let (first, last) = (*chosen.first()?, *chosen.last()?);
    let from = with_comments(file, line_start(file, first.span.start));
    let to = line_end(file, last.span.end);
    let moved = file.text().get(from as usize..to as usize)?;
    // Only whole items of a block list are lines that can be moved.
    let item = file.text().get(line_start(file, first.span.start) as usize..)?;
    if !item.trim_start().starts_with('-') {
        return None;
    }
    let name = free_name(project, file)?;
    let path = format!("{}behavior/{name}.yaml", folder_of(file.name()));
    let base = text(config, "profile").map(profile_name);
    let extends = base.map(|base| format!("extends: {base}\n")).unwrap_or_default();
    let newline = if moved.ends_with('\n') { "" } else { "\n" };
    let profile = format!("name: {name}\n{extends}rule_definitions:\n{moved}{newline}");
    let is_all = chosen.len() == all.len();
    let cut_from = if is_all { line_start(file, rules.key.span.start) } else { from };
    let edit = |span: Span, text: String| FileEdit { file: file.name().to_owned(), span, text };
    let at = |start: u32, end: u32| Span::new(file.root.span.file, start, end);
    let mut edits = vec![edit(at(cut_from, to), String::new())];
    match config.entry("profile") {
        Some(entry) => edits.push(edit(entry.value.span, name.clone())),
        None => {
            let top = config.entries()?.first()?.key.span.start;
            edits.push(edit(at(top, top), format!("profile: {name}\n")));
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    let title = match chosen.len() {
        1 => format!("move this rule to the profile `{path}`"),
        count => format!("move these {count} rules to the profile `{path}`"),
    };
    let action = Action::new(title, ActionKind::Extract, edits);
    Some(Action { creates: vec![(path, profile)], ..action })
}

fn line_start(file: &RuleFile, offset: u32) -> u32 {
    let before = file.text().get(..offset as usize).unwrap_or_default();
    before.rfind('\n').map_or(0, |at| at as u32 + 1)
}

/// Where the comments begin that stand right above a line: they are about what they stand above.
fn with_comments(file: &RuleFile, line: u32) -> u32 {
    let before = file.text().get(..line as usize).unwrap_or_default();
    let lines = before.split_inclusive('\n').rev();
    let comments = lines.take_while(|line| line.trim_start().starts_with('#'));
    line - comments.map(str::len).sum::<usize>() as u32
}

fn line_end(file: &RuleFile, offset: u32) -> u32 {
    let (before, behind) = file.text().split_at_checked(offset as usize).unwrap_or(("", ""));
    if before.ends_with('\n') {
        return offset;
    }
    offset + behind.find('\n').map_or(behind.len(), |at| at + 1) as u32
}

/// A name that no profile has.
fn free_name(project: Project<'_>, file: &RuleFile) -> Option<String> {
    let there = project.provider.list(&format!("{}behavior", folder_of(file.name())));
    let names = std::iter::once("extracted".to_owned());
    let mut names = names.chain((2..100).map(|number| format!("extracted_{number}")));
    names.find(|name| !there.contains(&format!("{name}.yaml")))
}
