//! The parts of a file: what it declares by its sections, what can be folded, and what encloses a place.

use std::sync::Arc;

use super::index::{Occurrence, SymbolKind};
use super::names::text;
use super::related::files_of;
use super::{Project, RuleFile};
use crate::resolve::FileKind;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called.
    pub name: String,
    /// What more there is to say of it, in a few words.
    pub detail: String,
    /// What it is; `None` for a section.
    pub kind: Option<SymbolKind>,
    /// Where its name stands.
    pub span: Span,
    /// All of it.
    pub extent: Span,
    /// Its parts.
    pub children: Vec<Symbol>,
}

/// Lines that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From the line of this offset on.
    pub start: u32,
    /// To the line of this offset.
    pub end: u32,
    /// Whether these are comments.
    pub is_comment: bool,
}

/// The sections of a file, each with what it declares.
#[must_use]
pub fn outline(file: &RuleFile) -> Vec<Symbol> {
    if !file.is_rule_file() {
        return Vec::new();
    }
    let config = file.config();
    let declared: Vec<&Occurrence> =
        file.index().occurrences.iter().filter(|one| one.declares.is_some()).collect();
    let mut sections = Vec::new();
    let mut placed = 0;
    for entry in config.entries().unwrap_or_default() {
        let end = entry.value.span.end.max(entry.key.span.end);
        let extent = Span::new(entry.key.span.file, entry.key.span.start, end);
        let inside = declared.iter().filter(|one| extent.contains(one.span));
        let children: Vec<Symbol> = inside.map(|one| symbol(file, one)).collect();
        placed += children.len();
        sections.push(Symbol {
            name: entry.key.text.to_string(),
            detail: entry.value.as_str().map(first_line).unwrap_or_default(),
            kind: None,
            span: entry.key.span,
            extent,
            children,
        });
    }
    // The tables of a policy stand apart, each with a header of its own; a bare list has no sections.
    if file.kind == FileKind::Policy || placed < declared.len() {
        let is_rest = |one: &&&Occurrence| {
            !sections.iter().any(|section| section.extent.contains(one.span))
                || file.kind == FileKind::Policy
        };
        let rest: Vec<Symbol> =
            declared.iter().filter(is_rest).map(|one| symbol(file, one)).collect();
        if file.kind == FileKind::Policy {
            sections.retain(|section| section.name != "rules");
        }
        sections.extend(rest);
    }
    sections.sort_by_key(|section| section.extent.start);
    sections
}

fn symbol(file: &RuleFile, one: &Occurrence) -> Symbol {
    let extent = one.declares.unwrap_or(one.span);
    let node = find(file.config(), extent);
    let extent =
        Span::new(extent.file, extent.start.min(one.span.start), extent.end.max(one.span.end));
    let detail = match (one.kind, node) {
        (SymbolKind::Rule, Some(node)) => rule_detail(file.kind, node),
        _ => one.kind.describe().to_owned(),
    };
    Symbol {
        name: one.name.to_string(),
        detail,
        kind: Some(one.kind),
        span: one.span,
        extent,
        children: Vec::new(),
    }
}

fn rule_detail(kind: FileKind, rule: &Node) -> String {
    let said = |field: &str, default: &str| text(rule, field).unwrap_or(default).to_owned();
    match kind {
        FileKind::Policy => said("action", ""),
        FileKind::TracePolicy => said("kind", ""),
        _ => format!("{} · {}", said("action", "warn"), said("when", "pre_tool")),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(60).collect()
}

/// The mapping of exactly this extent.
pub(super) fn find(node: &Node, extent: Span) -> Option<&Node> {
    if node.span == extent && node.entries().is_some() {
        return Some(node);
    }
    // What an alias stands for lies elsewhere, and is found there.
    if !node.span.contains(extent) {
        return None;
    }
    match &node.kind {
        Kind::Map(entries) => entries.iter().find_map(|entry| find(&entry.value, extent)),
        Kind::Seq(items) => {
            // In order, but for what aliases stand for.
            let at = items.partition_point(|item| item.span.end < extent.end);
            let near = items.get(at).and_then(|item| find(item, extent));
            near.or_else(|| items.iter().find_map(|item| find(item, extent)))
        }
        _ => None,
    }
}

/// A name that a file declares.
#[derive(Clone, Debug)]
pub struct WorkspaceSymbol {
    /// The file.
    pub file: Arc<RuleFile>,
    /// What is declared.
    pub kind: SymbolKind,
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
}

/// More symbols than this are not listed.
const MAX_SYMBOLS: usize = 1000;

/// The names that the files of folders declare and that have the letters of the query in their order.
#[must_use]
pub fn workspace_symbols(
    project: Project<'_>,
    folders: impl IntoIterator<Item = String>,
    query: &str,
) -> Vec<WorkspaceSymbol> {
    let query: Vec<char> = query.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let files = folders.into_iter().flat_map(|folder| files_of(project, &folder));
    let all = files.flat_map(|file| {
        let declared = file.index().occurrences.iter().filter(|one| one.declares.is_some());
        let fits = declared.filter(|one| is_subsequence(&query, &one.name));
        fits.map(|one| WorkspaceSymbol {
            file: Arc::clone(&file),
            kind: one.kind,
            name: one.name.to_string(),
            span: one.span,
        })
        .collect::<Vec<_>>()
    });
    all.take(MAX_SYMBOLS).collect()
}

fn is_subsequence(query: &[char], name: &str) -> bool {
    let mut left = query.iter().peekable();
    for character in name.to_lowercase().chars() {
        left.next_if(|next| **next == character);
    }
    left.peek().is_none()
}

/// What can be folded: collections and texts of several lines, and comments that follow each other.
#[must_use]
pub fn folds(file: &RuleFile) -> Vec<Fold> {
    let mut found = Vec::new();
    collect_folds(&file.root, &mut found);
    let mut comments = file.comments.iter().peekable();
    while let Some(first) = comments.next() {
        let mut last = first;
        while let Some(next) =
            comments.peek().filter(|next| follows(file.text(), last.span, next.span))
        {
            last = next;
            comments.next();
        }
        if last.span != first.span {
            found.push(Fold { start: first.span.start, end: last.span.end, is_comment: true });
        }
    }
    let lines = |fold: &Fold| {
        let folded = file.text().get(fold.start as usize..fold.end as usize);
        folded.is_some_and(|text| text.trim_end().contains('\n'))
    };
    found.retain(lines);
    found
}

/// Whether nothing but one end of a line lies between two comments.
fn follows(text: &str, first: Span, second: Span) -> bool {
    let between = text.get(first.end as usize..second.start as usize).unwrap_or("x");
    between.trim().is_empty() && between.matches('\n').count() == 1
}

/// Trees are as deep as the parsers allow, which is little.
fn collect_folds(node: &Node, found: &mut Vec<Fold>) {
    match &node.kind {
        Kind::Map(entries) => {
            for entry in entries {
                let (start, end) = (entry.key.span.start, entry.value.span.end);
                found.push(Fold { start, end, is_comment: false });
                collect_folds(&entry.value, found);
            }
        }
        Kind::Seq(items) => {
            for item in items {
                let (start, end) = (item.span.start, item.span.end);
                found.push(Fold { start, end, is_comment: false });
                collect_folds(item, found);
            }
        }
        _ => {}
    }
}

/// What encloses an offset, the innermost first: a name, a scalar, an entry, an item, and so on.
#[must_use]
pub fn enclosing(file: &RuleFile, offset: u32) -> Vec<Span> {
    let mut found = vec![Span::new(file.root.span.file, 0, file.text().len() as u32)];
    let mut node = Some(&*file.root);
    while let Some(here) = node {
        found.push(here.span);
        node = match &here.kind {
            Kind::Map(entries) => entries.iter().find_map(|entry| {
                let is_key = entry.key.span.touches(offset);
                if !is_key && !entry.value.span.touches(offset) {
                    return None;
                }
                let end = entry.value.span.end.max(entry.key.span.end);
                found.push(Span::new(here.span.file, entry.key.span.start, end));
                if is_key {
                    found.push(entry.key.span);
                    return None;
                }
                Some(&entry.value)
            }),
            Kind::Seq(items) => items.iter().find(|item| item.span.touches(offset)),
            _ => None,
        };
    }
    found.extend(file.index().at(offset).map(|one| one.span));
    found.extend(word_at(file, offset));
    found.reverse();
    // Each one lies in the next.
    let mut chain: Vec<Span> = Vec::new();
    for span in found {
        if chain.last().is_none_or(|last| span.contains(*last) && span != *last) {
            chain.push(span);
        }
    }
    chain
}

fn word_at(file: &RuleFile, offset: u32) -> Option<Span> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let text = file.text();
    let (before, behind) = text.split_at_checked(offset as usize)?;
    let start = before.trim_end_matches(is_word).len();
    let end = text.len() - behind.trim_start_matches(is_word).len();
    (start < end).then(|| Span::new(file.root.span.file, start as u32, end as u32))
}
