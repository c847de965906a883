//! What stands at a place, explained: keys, values, names, placeholders, and the words of
//! expressions, all from the tree.

use std::sync::Arc;

use super::index::SymbolKind;
use super::names::Surroundings;
use super::place::{CursorPlace, Meaning, alternatives};
use super::{Project, RuleFile, definition, describe, outline};
use crate::expression;
use crate::provider::LIBRARY_PREFIX;
use crate::registry::schema::{NameKind, Shape};
use crate::resolve::FileKind;
use crate::source::Span;
use crate::syntax::{Entry, Key, Kind, Node, locate};
use crate::template::{self, Argument, Part, Placeholder};

/// An explanation of a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub span: Span,
    /// The explanation, in Markdown.
    pub markdown: String,
}

/// Explains what stands at a byte offset of a rule file.
#[must_use]
pub fn hover(file: &RuleFile, project: Project<'_>, offset: u32) -> Option<Hover> {
    if file.kind == FileKind::AppConfig && !file.is_rule_file() {
        return None;
    }
    let surroundings = Surroundings::new(file, project);
    if let Some(found) = named(file, project, &surroundings, offset) {
        return Some(found);
    }
    let finder = Finder { file, surroundings: &surroundings, offset };
    finder.node(file.config(), CursorPlace::root(file.kind), None)
}

/// A rule or a word of the classifier that is named here: what it is, wherever it is declared. Sets and their kin
/// are explained where conditions and messages are.
fn named(
    file: &RuleFile,
    project: Project<'_>,
    surroundings: &Surroundings<'_>,
    offset: u32,
) -> Option<Hover> {
    let one = file.index().at(offset)?;
    let shared = Arc::new(file.clone());
    let target = definition(project, &shared, offset).into_iter().next();
    let declared = target.as_ref().and_then(|it| outline::find(it.file.config(), it.extent));
    let markdown = match (one.kind, &target, declared) {
        // What `rules` switches has thresholds, too.
        (SymbolKind::Rule, Some(target), Some(_))
            if target.file.name().starts_with(LIBRARY_PREFIX) =>
        {
            describe::switch(&one.name, surroundings)?
        }
        (SymbolKind::Rule, Some(target), Some(node)) => {
            let mut text = describe::rule(&one.name, target.file.kind, node);
            text.push_str(&state_of(&target.file, target.extent, surroundings));
            text
        }
        (SymbolKind::Complexity | SymbolKind::Approach | SymbolKind::Risk, _, node) => {
            describe::level(one.kind.describe(), &one.name, node)
        }
        (SymbolKind::Class, Some(target), _) => describe::class(&one.name, target.file.name()),
        _ => return None,
    };
    Some(Hover { span: one.span, markdown })
}

/// What fills the state that a rule asks for.
fn state_of(file: &RuleFile, extent: Span, surroundings: &Surroundings<'_>) -> String {
    let mut told: Vec<String> = Vec::new();
    for one in file.index().occurrences.iter().filter(|one| extent.contains(one.span)) {
        let kind = match one.kind {
            SymbolKind::Set => NameKind::Set,
            SymbolKind::Counter => NameKind::Counter,
            SymbolKind::Flag => NameKind::Flag,
            _ => continue,
        };
        let text = surroundings.find(kind, &one.name).map(|it| describe::declared(kind, it));
        told.extend(text.filter(|text| !told.contains(text)));
    }
    told.iter().map(|text| format!("\n\n{text}")).collect()
}

struct Finder<'f> {
    file: &'f RuleFile,
    surroundings: &'f Surroundings<'f>,
    offset: u32,
}

impl Finder<'_> {
    /// Looks for the offset below a node. `owner` is the key that the node belongs to. Trees are as
    /// deep as the parsers allow, which is little.
    fn node(
        &self,
        node: &Node,
        place: CursorPlace,
        owner: Option<(&Key, Meaning)>,
    ) -> Option<Hover> {
        match &node.kind {
            Kind::Map(entries) => entries.iter().find_map(|entry| self.entry(entry, place)),
            Kind::Seq(items) => {
                let item = items.iter().find(|item| item.span.touches(self.offset))?;
                self.node(item, place.item()?, owner)
            }
            _ if !node.span.touches(self.offset) => None,
            _ => self.scalar(node, place).or_else(|| {
                let (key, meaning) = owner?;
                let markdown = self.meaning(key, meaning)?;
                Some(Hover { span: node.span, markdown })
            }),
        }
    }

    fn entry(&self, entry: &Entry, place: CursorPlace) -> Option<Hover> {
        let is_key = entry.key.span.touches(self.offset);
        let is_value = entry.value.span.touches(self.offset);
        if !is_key && !is_value {
            return None;
        }
        let (meaning, behind) = place.key(&entry.key.text)?;
        // In an expression, the key stands around its value.
        let is_around = entry.key.span.contains(entry.value.span);
        if is_value && (!is_key || is_around) {
            let found = self.node(&entry.value, behind, Some((&entry.key, meaning)));
            if found.is_some() {
                return found;
            }
        }
        if !is_key {
            return None;
        }
        Some(Hover { span: entry.key.span, markdown: self.meaning(&entry.key, meaning)? })
    }

    fn meaning(&self, key: &Key, meaning: Meaning) -> Option<String> {
        match meaning {
            Meaning::Field(_, field) => Some(describe::field(field)),
            Meaning::Condition(kind) => Some(describe::condition(kind)),
            Meaning::Composite(composite) => Some(describe::composite(composite)),
            Meaning::Switch => describe::switch(&key.text, self.surroundings),
            Meaning::Declaration(kind) => self.name(kind, &key.text),
            Meaning::Name => None,
        }
    }

    fn scalar(&self, node: &Node, place: CursorPlace) -> Option<Hover> {
        let CursorPlace::Shape(shape) = place else { return None };
        let text = node.as_str()?;
        alternatives(shape).into_iter().find_map(|shape| self.text(node, text, shape))
    }

    fn text(&self, node: &Node, text: &str, shape: Shape) -> Option<Hover> {
        let whole = |markdown| Hover { span: node.span, markdown };
        match shape {
            Shape::Choice(choices) => {
                let choice = choices.iter().find(|choice| choice.name == text)?;
                Some(whole(describe::choice(choice)))
            }
            Shape::Tool => Some(whole(describe::tool(text))),
            Shape::Name(NameKind::Profile) => describe::profile(text, self.surroundings).map(whole),
            Shape::Name(kind) => self.name(kind, text).map(whole),
            Shape::Message => self.placeholder(node, text, template::PLACEHOLDERS),
            Shape::Directive => self.placeholder(node, text, template::DIRECTIVE_PLACEHOLDERS),
            Shape::Condition => {
                let (parsed, _) = expression::parse(text);
                let map = |range| locate(self.file.text(), node, range);
                let mapping = expression::to_node(&parsed?, &map);
                self.node(&mapping, CursorPlace::Shape(Shape::Condition), None)
            }
            _ => None,
        }
    }

    fn name(&self, kind: NameKind, name: &str) -> Option<String> {
        let declared = self.surroundings.find(kind, name)?;
        Some(describe::declared(kind, declared))
    }

    fn placeholder(&self, node: &Node, text: &str, known: &[Placeholder]) -> Option<Hover> {
        let (template, _) = template::split(text);
        let here = |range: &std::ops::Range<usize>| {
            let span = locate(self.file.text(), node, range.clone());
            (span != node.span || range.len() == text.len())
                .then_some(span)
                .filter(|span| span.touches(self.offset))
        };
        template.parts.iter().find_map(|part| {
            let Part::Placeholder { name, argument, range } = part else { return None };
            let span = here(range)?;
            let placeholder = template::find(known, name.value)?;
            let named = argument.as_ref().and_then(|argument| {
                let span = here(&argument.range)?;
                let markdown = self.name(name_kind(placeholder.argument?)?, argument.value)?;
                Some(Hover { span, markdown })
            });
            let about = || Hover { span, markdown: describe::placeholder(placeholder) };
            Some(named.unwrap_or_else(about))
        })
    }
}

/// The kind of name that a placeholder's argument is, where something declares it.
pub(super) fn name_kind(argument: Argument) -> Option<NameKind> {
    match argument {
        Argument::Param | Argument::Document => None,
        Argument::Counter => Some(NameKind::Counter),
        Argument::Set => Some(NameKind::Set),
        Argument::Flag => Some(NameKind::Flag),
    }
}
