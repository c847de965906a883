//! The names of a rule file: where each is declared and where it is used, with their places. Made once for a text,
//! by one walk over the tree with what the registry expects at each place.

use std::collections::BTreeSet;
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
use crate::syntax::items::Change;
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

/// Which of the things of one kind and name a name can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Which list of rules a rule stands in.
    list: RuleList,
    /// Where the test begins whose own config declares the name: nothing outside of that test knows it.
    test: Option<u32>,
}

/// The lists that rules stand in. A name is another's only within one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RuleList {
    /// Those of configs and profiles; everything that is no rule, too.
    #[default]
    Config,
    /// Those of trace policies.
    Trace,
    /// Those of policies.
    Policy,
    /// Those that a test may expect to fire: of configs, profiles and trace policies.
    Firing,
}

impl Scope {
    /// Whether a name of this scope can be one of another.
    fn meets(self, other: Self, is_same_file: bool) -> bool {
        let lists = [self.list, other.list];
        let is_firing = |list| !matches!(list, RuleList::Policy);
        let is_same_list = self.list == other.list
            || lists.contains(&RuleList::Firing) && lists.into_iter().all(is_firing);
        let is_same_test = self.test == other.test && (is_same_file || self.test.is_none());
        is_same_list && is_same_test
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
    /// Which of the things of that name it can be.
    pub scope: Scope,
}

impl Occurrence {
    /// Whether a test's own config declares it, which nothing outside of the test knows.
    #[must_use]
    pub fn is_of_test(&self) -> bool {
        self.scope.test.is_some()
    }

    /// Whether it can be the name of a rule of a policy.
    #[must_use]
    pub fn is_of_policy(&self) -> bool {
        self.scope.list == RuleList::Policy
    }

    /// The same with another name.
    #[must_use]
    pub fn renamed(&self, name: &str) -> Self {
        Self { name: name.into(), ..self.clone() }
    }
}

/// The names of a file, by their places.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The places where names stand.
    pub occurrences: Vec<Occurrence>,
}

impl Index {
    /// Reads the names of a file.
    #[must_use]
    pub fn of(file: &RuleFile) -> Self {
        let mut walk = Walk { text: file.text(), found: Vec::new(), within: None, test: None };
        if file.is_rule_file() {
            walk.node(file.config(), CursorPlace::root(file.kind), None);
        }
        let mut found = walk.found;
        known_outside(&mut found);
        Self { occurrences: sorted(found) }
    }

    /// Reads the names in some items of a list that a key of a config leads to.
    pub(super) fn of_items(file: &RuleFile, list: &str, items: &[Node]) -> Self {
        let mut walk = Walk { text: file.text(), found: Vec::new(), within: None, test: None };
        let place = CursorPlace::root(file.kind).key(list);
        if let Some((Meaning::Field(record, field), behind)) = place
            && let Some(place) = behind.item()
        {
            items.iter().for_each(|item| walk.node(item, place, Some((record, field.name))));
        }
        Self { occurrences: sorted(walk.found) }
    }

    /// Puts the names that a change brings in the place of those that it takes; `None` where that is not all, and the
    /// names are to be read again.
    pub(super) fn edit(&mut self, change: &Change, fresh: Self) -> Option<()> {
        let all = &mut self.occurrences;
        let first = all.partition_point(|one| one.span.start < change.old_text.start);
        let behind = all.partition_point(|one| one.span.start < change.old_text.end);
        let added = fresh.occurrences.len();
        let by = change.shift();
        for one in all.iter_mut().take(first) {
            if let Some(extent) = &mut one.declares {
                let range = change.moved(extent.start..extent.end)?;
                (extent.start, extent.end) = (range.start, range.end);
            }
        }
        for one in all.iter_mut().skip(behind) {
            one.span = one.span.shifted(by);
            one.declares = one.declares.map(|extent| extent.shifted(by));
            if let Some(within) = one.within.as_mut().filter(|within| **within >= behind) {
                *within = (*within + first + added).checked_sub(behind)?;
            }
        }
        let fresh = fresh
            .occurrences
            .into_iter()
            .map(|one| Occurrence { within: one.within.map(|within| within + first), ..one });
        all.splice(first..behind, fresh);
        Some(())
    }

    /// The name at an offset.
    #[must_use]
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let mut touching = self.occurrences.iter().filter(|one| one.span.touches(offset));
        // Of names side by side, the one that begins here.
        touching.next_back()
    }

    /// The names that only the test around an offset knows, as its own config declares them.
    pub fn of_test_at(&self, offset: u32) -> impl Iterator<Item = &Occurrence> {
        let mut tests = self.occurrences.iter().filter(|one| one.kind == SymbolKind::Test);
        let around = |one: &&Occurrence| one.declares.is_some_and(|test| test.touches(offset));
        let test = tests.rfind(around).and_then(|one| one.declares).map(|test| test.start);
        let is_own = move |one: &&Occurrence| one.is_of_test() && one.scope.test == test;
        self.occurrences.iter().filter(is_own)
    }

    /// The places of what a name stands for; `is_here` says whether that name stands in this file.
    pub fn same_as<'i>(
        &'i self,
        wanted: &'i Occurrence,
        is_here: bool,
    ) -> impl Iterator<Item = &'i Occurrence> {
        self.occurrences.iter().filter(move |one| {
            one.kind == wanted.kind
                && one.name == wanted.name
                && one.scope.meets(wanted.scope, is_here)
        })
    }

    /// The declaration in whose extent a name is used.
    #[must_use]
    pub fn holder(&self, of: &Occurrence) -> Option<&Occurrence> {
        self.occurrences.get(of.within?)
    }
}

/// Lets names in a test with a config of its own be those of the outside where that config does not declare them.
fn known_outside(found: &mut [Occurrence]) {
    let declared = found.iter().filter(|one| one.declares.is_some() && one.is_of_test());
    let declared: BTreeSet<(SymbolKind, Box<str>, Option<u32>)> =
        declared.map(|one| (one.kind, one.name.clone(), one.scope.test)).collect();
    for one in found {
        if !declared.contains(&(one.kind, one.name.clone(), one.scope.test)) {
            one.scope.test = None;
        }
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
    /// Where the test begins that is walked through, where it has a config of its own.
    test: Option<u32>,
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
        let is_of_test = is_record(place, RuleTest::RECORD);
        let test = self.test;
        let has_own = || {
            let config = node.get("config").and_then(Node::entries);
            node.get("rules").is_some() || config.is_some()
        };
        if is_of_test && has_own() {
            self.test = Some(node.span.start);
        }
        if let Some(level) = owner.and_then(level_kind)
            && let Some(name) = node.get("name")
        {
            self.declared_value(level, name, node.span);
        }
        if let Some((kind, name, list)) = self.declared_by_field(node, place) {
            self.declared_value(kind, name, node.span);
            self.in_list(list);
            self.within = Some(self.found.len().saturating_sub(1));
        }
        for entry in entries {
            self.entry(entry, place);
        }
        self.within = before;
        self.test = test;
    }

    /// Says which list of rules the name belongs to that was found last.
    fn in_list(&mut self, list: RuleList) {
        if let Some(last) = self.found.last_mut() {
            last.scope.list = list;
        }
    }

    /// What a mapping declares by one of its fields: a rule by its id.
    fn declared_by_field<'n>(
        &self,
        node: &'n Node,
        place: CursorPlace,
    ) -> Option<(SymbolKind, &'n Node, RuleList)> {
        let CursorPlace::Shape(shape) = place else { return None };
        let named = alternatives(shape).into_iter().find_map(|shape| {
            let Shape::Record(record) = shape else { return None };
            NAMED.iter().find(|(name, ..)| *name == record.name)
        })?;
        let (_, field, kind, list) = named;
        let name = node.get(field)?;
        name.as_str().is_some().then_some((*kind, name, *list))
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
            if let Some(list) = names_a_rule(owner) {
                self.used_value(SymbolKind::Rule, node);
                return self.in_list(list);
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
        let scope = Scope { list: RuleList::Config, test: self.test };
        self.found.push(Occurrence { kind, name, span, is_exact, declares, within, scope });
    }
}

/// The records that have a name, the field that holds it, what that names, and the list that it stands in.
static NAMED: &[(&str, &str, SymbolKind, RuleList)] = &[
    (RuleDefinition::RECORD.name, "id", SymbolKind::Rule, RuleList::Config),
    (CustomRule::RECORD.name, "id", SymbolKind::Rule, RuleList::Config),
    (TraceRule::RECORD.name, "id", SymbolKind::Rule, RuleList::Trace),
    (PolicyRule::RECORD.name, "name", SymbolKind::Rule, RuleList::Policy),
    (RuleTest::RECORD.name, "name", SymbolKind::Test, RuleList::Config),
];

/// Which rules the ids that a field holds are of, if it holds any.
fn names_a_rule((record, field): Owner) -> Option<RuleList> {
    let is = |wanted: &Record| record.name == wanted.name;
    match field {
        "rule" if is(ExceptionConfig::RECORD) => Some(RuleList::Config),
        "rules" | "undecided" if is(Expectation::RECORD) => Some(RuleList::Firing),
        "last_violation" if is(ExpectedState::RECORD) => Some(RuleList::Firing),
        "permission_rule" if is(Expectation::RECORD) => Some(RuleList::Policy),
        _ => None,
    }
}

fn is_record(place: CursorPlace, wanted: &Record) -> bool {
    let CursorPlace::Shape(shape) = place else { return false };
    let is_it = |shape: Shape| matches!(shape, Shape::Record(record) if record.name == wanted.name);
    alternatives(shape).into_iter().any(is_it)
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
