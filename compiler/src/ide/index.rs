//! The names of a rule file: where each is declared and where it is used, with their places. Made once for a text,
//! by one walk over the tree with what the registry expects at each place.

use std::ops::Range;

use super::RuleFile;
use super::place::{CursorPlace, Meaning, alternatives};
use crate::ast::{BehaviorConfig, ClassifierConfig, CustomRule, ExceptionConfig, PolicyRule};
use crate::ast::{Profile, RuleDefinition};
use crate::expression;
use crate::registry::schema::{NameKind, Record, Shape};
use crate::resolve::reference::profile_name;
use crate::resolve::switches::{SETTINGS, THRESHOLDS};
use crate::rule_test::{Expectation, ExpectedState, RuleTest};
use crate::source::Span;
use crate::syntax::{Entry, Key, Kind, Node, locate, locate_exactly};
use crate::template::{self, Argument, Part};
use crate::trace_policy::TraceRule;

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A tracked set.
    Set,
    /// A counter.
    Counter,
    /// A flag.
    Flag,
    /// A rule, of whatever kind of file.
    Rule,
    /// A preset or a profile of the project.
    Profile,
    /// A complexity of the classifier.
    Complexity,
    /// An approach of the classifier.
    Approach,
    /// A risk level of the classifier.
    Risk,
    /// A class of commands.
    Class,
    /// A rule test.
    Test,
}

impl SymbolKind {
    /// The kind, as people call it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Counter => "counter",
            Self::Flag => "flag",
            Self::Rule => "rule",
            Self::Profile => "profile",
            Self::Complexity => "complexity",
            Self::Approach => "approach",
            Self::Risk => "risk level",
            Self::Class => "class of commands",
            Self::Test => "rule test",
        }
    }

    fn of(kind: NameKind) -> Option<Self> {
        match kind {
            NameKind::Set => Some(Self::Set),
            NameKind::Counter => Some(Self::Counter),
            NameKind::Flag => Some(Self::Flag),
            NameKind::Profile => Some(Self::Profile),
            NameKind::RiskLevel => Some(Self::Risk),
            NameKind::Param => None,
        }
    }
}

/// A place where a name stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// What it names.
    pub kind: SymbolKind,
    /// The name.
    pub name: Box<str>,
    /// Where the name stands, without quotes.
    pub span: Span,
    /// Whether the text there is the name and nothing else, so that another can take its place.
    pub is_exact: bool,
    /// What is declared here, from its name or dash to its end; `None` where the name is used.
    pub declares: Option<Span>,
    /// The number of the declaration in whose extent it is used.
    pub within: Option<usize>,
}

/// The names of a file, by their places.
#[derive(Debug, Default)]
pub struct Index {
    /// The places where names stand.
    pub occurrences: Vec<Occurrence>,
}

impl Index {
    /// Reads the names of a file.
    #[must_use]
    pub fn of(file: &RuleFile) -> Self {
        let mut walk = Walk { text: file.text(), found: Vec::new(), within: None };
        if file.is_rule_file() {
            walk.node(file.config(), CursorPlace::root(file.kind), None);
        }
        Self { occurrences: sorted(walk.found) }
    }

    /// The name at an offset.
    #[must_use]
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let mut touching = self.occurrences.iter().filter(|one| one.span.touches(offset));
        // Of names side by side, the one that begins here.
        touching.next_back()
    }

    /// The places of a name.
    pub fn of_name<'i>(
        &'i self,
        kind: SymbolKind,
        name: &'i str,
    ) -> impl Iterator<Item = &'i Occurrence> {
        self.occurrences.iter().filter(move |one| one.kind == kind && *one.name == *name)
    }

    /// The declaration in whose extent a name is used.
    #[must_use]
    pub fn holder(&self, of: &Occurrence) -> Option<&Occurrence> {
        self.occurrences.get(of.within?)
    }
}

/// By their places, each once: what stands behind an anchor is seen once for each alias.
fn sorted(found: Vec<Occurrence>) -> Vec<Occurrence> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    let key = |at: &usize| found.get(*at).map(|one| (one.span.start, one.span.end, one.kind));
    order.sort_by_key(key);
    order.dedup_by_key(|at| key(at));
    let mut moved = vec![None; found.len()];
    for (new, old) in order.iter().enumerate() {
        if let Some(slot) = moved.get_mut(*old) {
            *slot = Some(new);
        }
    }
    let mut all: Vec<Occurrence> = order.iter().filter_map(|at| found.get(*at).cloned()).collect();
    for one in &mut all {
        one.within = one.within.and_then(|old| moved.get(old).copied().flatten());
    }
    all
}

/// A field and the record that it is one of.
type Owner = (&'static Record, &'static str);

struct Walk<'t> {
    text: &'t str,
    found: Vec<Occurrence>,
    within: Option<usize>,
}

impl Walk<'_> {
    /// Trees are as deep as the parsers allow, which is little.
    fn node(&mut self, node: &Node, place: CursorPlace, owner: Option<Owner>) {
        match &node.kind {
            Kind::Map(entries) => self.mapping(node, entries, place, owner),
            Kind::Seq(items) => {
                let Some(place) = place.item() else { return };
                for item in items {
                    let before = self.within;
                    self.node(item, place, owner);
                    self.within = before;
                }
            }
            _ => self.scalar(node, place, owner),
        }
    }

    fn mapping(
        &mut self,
        node: &Node,
        entries: &[Entry],
        place: CursorPlace,
        owner: Option<Owner>,
    ) {
        let before = self.within;
        if let Some(level) = owner.and_then(level_kind)
            && let Some(name) = node.get("name")
        {
            self.declared_value(level, name, node.span);
        }
        if let Some((kind, name)) = self.declared_by_field(node, place) {
            self.declared_value(kind, name, node.span);
            self.within = Some(self.found.len().saturating_sub(1));
        }
        for entry in entries {
            self.entry(entry, place);
        }
        self.within = before;
    }

    /// What a mapping declares by one of its fields: a rule by its id.
    fn declared_by_field<'n>(
        &self,
        node: &'n Node,
        place: CursorPlace,
    ) -> Option<(SymbolKind, &'n Node)> {
        let CursorPlace::Shape(shape) = place else { return None };
        let named = alternatives(shape).into_iter().find_map(|shape| {
            let Shape::Record(record) = shape else { return None };
            NAMED.iter().find(|(name, ..)| *name == record.name)
        })?;
        let (_, field, kind) = named;
        let name = node.get(field)?;
        name.as_str().is_some().then_some((*kind, name))
    }

    fn entry(&mut self, entry: &Entry, place: CursorPlace) {
        let Some((meaning, behind)) = place.key(&entry.key.text) else { return };
        let owner = match meaning {
            Meaning::Field(record, field) => Some((record, field.name)),
            _ => None,
        };
        let before = self.within;
        match meaning {
            Meaning::Declaration(kind) => {
                if let Some(kind) = SymbolKind::of(kind) {
                    self.declared_key(kind, entry);
                    self.within = Some(self.found.len().saturating_sub(1));
                }
            }
            Meaning::Switch if is_rule_switch(&entry.key.text) => {
                self.used_key(SymbolKind::Rule, &entry.key);
            }
            Meaning::Field(record, field)
                if field.name == "command_classes" && is_layer(record) =>
            {
                for class in entry.value.entries().unwrap_or_default() {
                    self.declared_key(SymbolKind::Class, class);
                }
            }
            Meaning::Field(record, field) if record.name == ExpectedState::RECORD.name => {
                let kinds = [
                    ("sets", SymbolKind::Set),
                    ("counters", SymbolKind::Counter),
                    ("flags", SymbolKind::Flag),
                ];
                let kind = kinds.into_iter().find(|(name, _)| *name == field.name);
                if let Some((_, kind)) = kind {
                    let keys = entry.value.entries().unwrap_or_default();
                    keys.iter().for_each(|entry| self.used_key(kind, &entry.key));
                }
            }
            Meaning::Condition(kind) if kind.name == "runs" => self.class_of(&entry.value),
            _ => {}
        }
        self.node(&entry.value, behind, owner);
        self.within = before;
    }

    /// The class that a `runs` asks for.
    fn class_of(&mut self, runs: &Node) {
        if let Some(class) = runs.get("class") {
            let many = class.items().unwrap_or_default();
            for name in std::iter::once(class).chain(many).filter(|it| it.as_str().is_some()) {
                self.used_value(SymbolKind::Class, name);
            }
        }
    }

    fn scalar(&mut self, node: &Node, place: CursorPlace, owner: Option<Owner>) {
        let Some(text) = node.as_str() else { return };
        if let Some(owner) = owner {
            if let Some(level) = level_kind(owner) {
                return self.declared_value(level, node, node.span);
            }
            if names_a_rule(owner) {
                return self.used_value(SymbolKind::Rule, node);
            }
        }
        let CursorPlace::Shape(shape) = place else { return };
        for shape in alternatives(shape) {
            match shape {
                Shape::Name(kind) => {
                    if let Some(kind) = SymbolKind::of(kind) {
                        self.used_value(kind, node);
                    }
                }
                Shape::Message => self.placeholders(node, text),
                Shape::Condition => {
                    let (parsed, _) = expression::parse(text);
                    let source = self.text;
                    let map = |range| locate(source, node, range);
                    if let Some(parsed) = parsed {
                        let mapping = expression::to_node(&parsed, &map);
                        self.node(&mapping, CursorPlace::Shape(Shape::Condition), None);
                    }
                }
                _ => {}
            }
        }
    }

    fn placeholders(&mut self, node: &Node, text: &str) {
        let (template, _) = template::split(text);
        for part in &template.parts {
            let Part::Placeholder { name, argument: Some(argument), .. } = part else { continue };
            let known = template::find(template::PLACEHOLDERS, name.value);
            let kind = match known.and_then(|known| known.argument) {
                Some(Argument::Counter) => SymbolKind::Counter,
                Some(Argument::Set) => SymbolKind::Set,
                Some(Argument::Flag) => SymbolKind::Flag,
                Some(Argument::Param | Argument::Document) | None => continue,
            };
            if let Some(span) = locate_exactly(self.text, node, argument.range.clone()) {
                self.push(kind, argument.value, span, None);
            }
        }
    }

    fn used_value(&mut self, kind: SymbolKind, node: &Node) {
        let Some(text) = node.as_str() else { return };
        let name = if kind == SymbolKind::Profile { profile_name(text) } else { text };
        let start = text.find(name).unwrap_or_default();
        let span = self.content(node, text, start..start + name.len());
        self.push(kind, name, span, None);
    }

    fn declared_value(&mut self, kind: SymbolKind, name: &Node, extent: Span) {
        let Some(text) = name.as_str() else { return };
        let span = self.content(name, text, 0..text.len());
        self.push(kind, text, span, Some(extent));
    }

    /// Where a part of a string stands, without its quotes.
    fn content(&self, node: &Node, text: &str, range: Range<usize>) -> Span {
        let whole = slice(self.text, node.span);
        if range.len() == text.len() && whole == text {
            return node.span;
        }
        locate_exactly(self.text, node, range).unwrap_or(node.span)
    }

    fn declared_key(&mut self, kind: SymbolKind, entry: &Entry) {
        let end = entry.value.span.end.max(entry.key.span.end);
        let extent = Span::new(entry.key.span.file, entry.key.span.start, end);
        self.push(kind, &entry.key.text, self.inside(&entry.key), Some(extent));
    }

    fn used_key(&mut self, kind: SymbolKind, key: &Key) {
        self.push(kind, &key.text, self.inside(key), None);
    }

    /// Where a key stands, without its quotes.
    fn inside(&self, key: &Key) -> Span {
        let Span { file, start, end } = key.span;
        let inner = Span::new(file, start + 1, end.saturating_sub(1).max(start + 1));
        let is_quoted = end > start + 1 && slice(self.text, inner) == &*key.text;
        if is_quoted { inner } else { key.span }
    }

    fn push(&mut self, kind: SymbolKind, name: &str, span: Span, declares: Option<Span>) {
        let is_exact = slice(self.text, span) == name;
        let (name, within) = (name.into(), self.within);
        self.found.push(Occurrence { kind, name, span, is_exact, declares, within });
    }
}

/// The records that have a name, the field that holds it, and what that names.
static NAMED: &[(&str, &str, SymbolKind)] = &[
    (RuleDefinition::RECORD.name, "id", SymbolKind::Rule),
    (CustomRule::RECORD.name, "id", SymbolKind::Rule),
    (TraceRule::RECORD.name, "id", SymbolKind::Rule),
    (PolicyRule::RECORD.name, "name", SymbolKind::Rule),
    (RuleTest::RECORD.name, "name", SymbolKind::Test),
];

/// Whether a field holds ids of rules.
fn names_a_rule((record, field): Owner) -> bool {
    let fields: &[&str] = match record.name {
        name if name == ExceptionConfig::RECORD.name => &["rule"],
        name if name == Expectation::RECORD.name => &["rules", "undecided", "permission_rule"],
        name if name == ExpectedState::RECORD.name => &["last_violation"],
        _ => &[],
    };
    fields.contains(&field)
}

/// Which vocabulary a field holds.
fn level_kind((record, field): Owner) -> Option<SymbolKind> {
    if record.name != ClassifierConfig::RECORD.name {
        return None;
    }
    match field {
        "complexity_levels" => Some(SymbolKind::Complexity),
        "approaches" => Some(SymbolKind::Approach),
        "risk_levels" => Some(SymbolKind::Risk),
        _ => None,
    }
}

fn is_layer(record: &Record) -> bool {
    [BehaviorConfig::RECORD.name, Profile::RECORD.name].contains(&record.name)
}

/// Whether a key of `rules` is the id of a rule rather than a number or a setting.
fn is_rule_switch(key: &str) -> bool {
    let is_rule = |name| THRESHOLDS.iter().any(|threshold| threshold.rule == name);
    let is_threshold = THRESHOLDS.iter().any(|threshold| threshold.name == key);
    !SETTINGS.iter().any(|(name, _)| *name == key) && (!is_threshold || is_rule(key))
}

pub(super) fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}
