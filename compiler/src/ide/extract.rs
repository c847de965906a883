//! Rules of a config moved to a profile of their own, which the config then uses in place of the one it used.

use std::ops::Range;

use super::action::{Action, ActionKind};
use super::index::SymbolKind;
use super::insert::{Layout, in_lines_of};
use super::names::text;
use super::navigate::FileEdit;
use super::{Project, RuleFile};
use crate::project::folder_of;
use crate::resolve::FileKind;
use crate::resolve::reference::profile_name;
use crate::source::Span;
use crate::syntax::{Entry, Node};

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
    let state = State::of(file, from..to);
    let tracking = state.text(file);
    let profile = format!("name: {name}\n{extends}rule_definitions:\n{moved}{newline}{tracking}");
    let profile = in_lines_of(file, profile.replace("\r\n", "\n"));
    let is_all = chosen.len() == all.len();
    let cut_from = if is_all { line_start(file, rules.key.span.start) } else { from };
    let edit = |span: Span, text: String| FileEdit { file: file.name().to_owned(), span, text };
    let at = |start: u32, end: u32| Span::new(file.root.span.file, start, end);
    let mut edits = vec![edit(at(cut_from, to), String::new())];
    let cuts = state.cuts(file).into_iter();
    edits.extend(cuts.map(|cut| edit(at(cut.start, cut.end), String::new())));
    match config.entry("profile") {
        Some(entry) => edits.push(edit(entry.value.span, name.clone())),
        None => {
            let top = config.entries()?.first()?.key.span.start;
            let line = in_lines_of(file, format!("profile: {name}\n"));
            edits.push(edit(at(top, top), line));
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

/// The tables of what is remembered.
const TABLES: [(&str, SymbolKind); 3] =
    [("sets", SymbolKind::Set), ("counters", SymbolKind::Counter), ("flags", SymbolKind::Flag)];

/// What rules ask for of what a config remembers: it moves with them, as a profile knows nothing of the configs that
/// use it. The config goes on to have it by the profile.
struct State<'f> {
    /// Of each table that there is, its entry, and which of its declarations are asked for.
    tables: Vec<(&'f Entry, Vec<&'f Entry>)>,
}

impl<'f> State<'f> {
    /// What is asked for in a part of a file, and by what is asked for itself.
    fn of(file: &'f RuleFile, part: Range<u32>) -> Self {
        let tracking = file.config().get("state_tracking");
        let mut tables: Vec<(&Entry, Vec<&Entry>)> = Vec::new();
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            for (key, kind) in TABLES {
                let Some(table) = tracking.and_then(|tracking| tracking.entry(key)) else {
                    continue;
                };
                let is_asked = |entry: &&Entry| {
                    file.index().occurrences.iter().any(|one| {
                        one.kind == kind
                            && part.contains(&one.span.start)
                            && *one.name == *entry.key.text
                    })
                };
                let asked = table.value.entries().unwrap_or_default().iter().filter(is_asked);
                let at = tables.iter().position(|(known, _)| known.key.span == table.key.span);
                let at = at.unwrap_or_else(|| {
                    tables.push((table, Vec::new()));
                    tables.len() - 1
                });
                let Some((_, known)) = tables.get_mut(at) else { continue };
                for entry in asked {
                    if known.iter().all(|other| other.key.span != entry.key.span) {
                        known.push(entry);
                        open.push(entry.value.span.start..entry.value.span.end);
                    }
                }
            }
        }
        Self { tables }
    }

    /// The declarations as a profile has them.
    fn text(&self, file: &RuleFile) -> String {
        let mut out = String::new();
        for (table, asked) in self.tables.iter().filter(|(_, asked)| !asked.is_empty()) {
            if out.is_empty() {
                out.push_str("state_tracking:\n");
            }
            out.push_str(&format!("  {}:\n", table.key.text));
            for entry in asked {
                let indent =
                    (entry.key.span.start - line_start(file, entry.key.span.start)) as usize;
                let span = entry.key.span.start as usize..entry.value.span.end as usize;
                let text = file.text().get(span).unwrap_or_default().trim_end();
                for (at, line) in text.lines().enumerate() {
                    // The first line begins with the key, others with the blanks before it.
                    let blanks = line.len() - line.trim_start_matches(' ').len();
                    let line = line.get(if at == 0 { 0 } else { indent.min(blanks) }..);
                    out.push_str(&format!("    {}\n", line.unwrap_or_default()));
                }
            }
        }
        out
    }

    /// What goes from the config: lines that hold nothing else.
    fn cuts(&self, file: &RuleFile) -> Vec<Range<u32>> {
        let lines = |entry: &Entry| {
            let start = line_start(file, entry.key.span.start);
            let blanks = file.text().get(start as usize..entry.key.span.start as usize)?;
            let end = line_end(file, entry.value.span.end.max(entry.key.span.end));
            blanks.chars().all(|c| c == ' ').then(|| with_comments(file, start)..end)
        };
        let is_whole = |(table, asked): &(&Entry, Vec<&Entry>)| {
            let all = table.value.entries().unwrap_or_default();
            !asked.is_empty() && all.len() == asked.len()
        };
        let tracking = file.config().entry("state_tracking");
        let all = tracking.and_then(|tracking| tracking.value.entries()).unwrap_or_default();
        let are_all = !all.is_empty() && self.tables.len() == all.len();
        if are_all && self.tables.iter().all(is_whole) {
            return tracking.and_then(lines).into_iter().collect();
        }
        let of_table = |table: &(&Entry, Vec<&Entry>)| match is_whole(table) {
            true => lines(table.0).into_iter().collect::<Vec<_>>(),
            false => table.1.iter().filter_map(|entry| lines(entry)).collect(),
        };
        self.tables.iter().flat_map(of_table).collect()
    }
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
