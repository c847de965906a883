//! Who fills what sessions remember, and who asks for it.

use std::sync::Arc;

use super::index::{Occurrence, SymbolKind};
use super::navigate::Target;
use super::related::{built_in, related};
use super::{Project, RuleFile, definition};
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// Something that fills state, is state, or asks for it.
#[derive(Clone, Debug)]
pub struct Member {
    /// What it is; `None` for tools.
    pub kind: Option<SymbolKind>,
    /// Its name, for tools what they do.
    pub name: String,
    /// Where it stands.
    pub target: Target,
    /// Where the other one is named, in the file of the one that names it.
    pub places: Vec<Span>,
}

/// What can be asked for its neighbours at an offset: a set, counter, flag or rule, where it is declared.
#[must_use]
pub fn member_at(project: Project<'_>, file: &Arc<RuleFile>, offset: u32) -> Option<Member> {
    let one = file.index().at(offset)?;
    let is_known = matches!(
        one.kind,
        SymbolKind::Set | SymbolKind::Counter | SymbolKind::Flag | SymbolKind::Rule
    );
    let target = definition(project, file, offset).into_iter().next().filter(|_| is_known)?;
    let (kind, name) = (Some(one.kind), one.name.to_string());
    Some(Member { kind, name, target, places: Vec::new() })
}

/// Those that name what is declared or named at an offset: the rules that ask for state, the tests and exceptions
/// that name a rule.
#[must_use]
pub fn named_by(project: Project<'_>, file: &Arc<RuleFile>, offset: u32) -> Vec<Member> {
    let Some(one) = file.index().at(offset) else { return Vec::new() };
    let files = related(project, file);
    let mut found: Vec<Member> = Vec::new();
    for other in files.iter().chain(&built_in(project, &files)) {
        let places = other.index().same_as(one, other.name() == file.name());
        for used in places.filter(|it| it.declares.is_none()) {
            add_use(other, used, &mut found);
        }
    }
    found
}

fn add_use(file: &Arc<RuleFile>, used: &Occurrence, found: &mut Vec<Member>) {
    let Some(holder) = file.index().holder(used) else { return };
    let is_it = |member: &&mut Member| {
        member.target.file.name() == file.name() && member.target.span == holder.span
    };
    if let Some(known) = found.iter_mut().find(is_it) {
        known.places.push(used.span);
        return;
    }
    found.push(Member {
        kind: Some(holder.kind),
        name: holder.name.to_string(),
        target: target(file, holder.span, holder.declares.unwrap_or(holder.span)),
        places: vec![used.span],
    });
}

fn target(file: &Arc<RuleFile>, span: Span, extent: Span) -> Target {
    Target { file: Arc::clone(file), span, extent, is_declaration: true }
}

/// What the declaration at an offset names: the state that a rule asks for, or the tools that fill state.
#[must_use]
pub fn names_what(project: Project<'_>, file: &Arc<RuleFile>, offset: u32) -> Vec<Member> {
    let Some(one) = file.index().at(offset) else { return Vec::new() };
    let Some(extent) = one.declares else { return Vec::new() };
    let mut found: Vec<Member> = Vec::new();
    let is_state = |kind| matches!(kind, SymbolKind::Set | SymbolKind::Counter | SymbolKind::Flag);
    let inside = file.index().occurrences.iter().filter(|it| extent.contains(it.span));
    for used in inside.filter(|it| it.declares.is_none() && is_state(it.kind)) {
        let known = found.iter_mut().find(|it| it.kind == Some(used.kind) && it.name == *used.name);
        if let Some(known) = known {
            known.places.push(used.span);
            continue;
        }
        let declared = definition(project, file, used.span.start).into_iter().next();
        found.extend(declared.map(|target| Member {
            kind: Some(used.kind),
            name: used.name.to_string(),
            target,
            places: vec![used.span],
        }));
    }
    if is_state(one.kind) {
        fillers(file, file.config(), extent, &mut found);
    }
    found
}

/// The fields that say what changes state, and what they say of it.
const FILLED_BY: &[(&str, &str)] = &[
    ("add_on", "added to by"),
    ("add_on_call", "added to by a call of"),
    ("add_on_success", "added to by success of"),
    ("increment_on", "counted up by"),
    ("reset_on", "reset by"),
    ("set_on", "set by"),
    ("unset_on", "unset by"),
];

/// Trees are as deep as the parsers allow, which is little.
fn fillers(file: &Arc<RuleFile>, node: &Node, extent: Span, found: &mut Vec<Member>) {
    match &node.kind {
        Kind::Map(entries) => {
            for entry in entries {
                let says = FILLED_BY.iter().find(|(field, _)| *field == &*entry.key.text);
                if let Some((_, says)) = says.filter(|_| extent.contains(entry.value.span)) {
                    let many = entry.value.items().unwrap_or_default();
                    for tool in std::iter::once(&entry.value).chain(many) {
                        let Some(name) = tool.as_str() else { continue };
                        found.push(Member {
                            kind: None,
                            name: format!("{says} {name}"),
                            target: target(file, tool.span, tool.span),
                            places: vec![tool.span],
                        });
                    }
                } else {
                    fillers(file, &entry.value, extent, found);
                }
            }
        }
        Kind::Seq(items) => items.iter().for_each(|item| fillers(file, item, extent, found)),
        _ => {}
    }
}
