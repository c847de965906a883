//! Where the rules of a file stand, for what is said above each of them.

use super::RuleFile;
use super::index::SymbolKind;
use crate::resolve::FileKind;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// A place that is about a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// The id, or of a policy's rule the name.
    pub id: String,
    /// Where that stands.
    pub span: Span,
    /// From its dash or header to its end; of a switch, its line.
    pub extent: Span,
    /// Whether the rule is defined here, and not only switched on.
    pub is_definition: bool,
    /// Whether it is a rule of a policy.
    pub is_policy: bool,
    /// Whether it has examples that `behavior test` runs.
    pub has_examples: bool,
}

/// The rules that a file defines or switches on, in their order.
#[must_use]
pub fn rule_places(file: &RuleFile) -> Vec<RulePlace> {
    if !file.is_rule_file() || file.kind == FileKind::RuleTests {
        return Vec::new();
    }
    let config = file.config();
    let mut found = Vec::new();
    for one in &file.index().occurrences {
        let (SymbolKind::Rule, Some(extent)) = (one.kind, one.declares) else { continue };
        let node = super::outline::find(config, extent);
        found.push(RulePlace {
            id: one.name.to_string(),
            span: one.span,
            extent,
            is_definition: true,
            is_policy: file.kind == FileKind::Policy,
            has_examples: node.is_some_and(|node| node.get("examples").is_some()),
        });
    }
    let switches = config.get("rules").and_then(Node::entries).unwrap_or_default();
    for entry in switches {
        let is_on = match entry.value.kind {
            Kind::Bool(is_on) => is_on,
            Kind::Int(number) => number > 0,
            _ => false,
        };
        if is_on && !found.iter().any(|known| known.span == entry.key.span) {
            found.push(RulePlace {
                id: entry.key.text.to_string(),
                span: entry.key.span,
                extent: Span::new(
                    entry.key.span.file,
                    entry.key.span.start,
                    entry.value.span.end.max(entry.key.span.end),
                ),
                is_definition: false,
                is_policy: false,
                has_examples: false,
            });
        }
    }
    found.sort_by_key(|place| place.span.start);
    found
}

/// What a config or a profile builds on: the name of a preset or profile, and where that stands.
#[must_use]
pub fn base_place(file: &RuleFile) -> Option<(String, Span)> {
    let kinds = [FileKind::Profile, FileKind::BehaviorConfig, FileKind::AppConfig];
    if !file.is_rule_file() || !kinds.contains(&file.kind) {
        return None;
    }
    let field = if file.kind == FileKind::Profile { "extends" } else { "profile" };
    let value = file.config().get(field)?;
    Some((value.as_str()?.to_owned(), value.span))
}

/// Returns whether a file holds rule tests.
#[must_use]
pub fn holds_tests(file: &RuleFile) -> bool {
    file.kind == FileKind::RuleTests && file.is_rule_file()
}

/// The condition of a rule that holds a byte offset: the rule's id, and where the condition stands.
#[must_use]
pub fn condition_at(file: &RuleFile, offset: u32) -> Option<(String, Span)> {
    let config = file.config();
    let places = rule_places(file);
    let place = places.iter().filter(|place| place.is_definition);
    let place = place.rev().find(|place| place.extent.touches(offset))?;
    let node = super::outline::find(config, place.extent)?;
    let span = node.get("condition")?.span;
    span.touches(offset).then(|| (place.id.clone(), span))
}
