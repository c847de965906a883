//! Checks rule files again after an edit that concerns nothing but some rules of a list: these are read, lowered and
//! linted by themselves, on what all rules are lowered on; what was found elsewhere stays, and moves. What is said of
//! several rules together is kept up by counting: what of the state is asked for, which ids there are.
//!
//! Whatever it answers is what a whole check would say. Where that is not certain, it answers nothing, and everything
//! is checked anew.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use behavior_runtime::decision::Origin;

use crate::Compilation;
use crate::ast::RuleDefinition;
use crate::decode::{Decode, Reports, Spanned};
use crate::diagnostic::Diagnostic;
use crate::ir::{Program, Rule};
use crate::lint;
use crate::lower::Patterns;
use crate::path::{path_below, path_of};
use crate::problem::{Place, Problem, named_by, problem_at};
use crate::provider::LIBRARY_PREFIX;
use crate::registry::diagnostics as d;
use crate::resolve::{Document, FileKind, Ground, Origins, asks_for_files};
use crate::source::{FileId, Source, SourceMap, Span};
use crate::syntax::items::{Change, Layout};
use crate::syntax::{Node, written_at};
use crate::uses::{self, State};

/// The field that is gone into.
const LIST: &str = "rule_definitions";

/// What is known of a check that has ended, and all that it takes to go on from there.
#[derive(Debug)]
pub(crate) struct Ongoing {
    ground: Ground,
    /// What is declared of state, and the policy. The rules are left out.
    program: Program,
    sources: SourceMap,
    lists: Vec<RuleList>,
    /// How often each id stands in the lists.
    ids: Counts<Box<str>>,
    /// The ids of other rules.
    other_ids: HashSet<Box<str>>,
    has_switches: bool,
    /// How many rules of the lists are in force.
    in_force: usize,
    /// How often each piece of state is asked for.
    uses: Counts<State>,
    /// What was said, each at the place of its problem.
    diagnostics: Vec<Diagnostic>,
    /// Where in its document each piece of state is declared.
    declared: HashMap<State, String>,
}

type Counts<T> = HashMap<T, u32, foldhash::fast::RandomState>;

/// A list of rules.
#[derive(Debug)]
struct RuleList {
    file: FileId,
    layer: usize,
    origin: Origin,
    layout: Layout,
    rules: Vec<Known>,
}

/// What is known of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    id: Option<Box<str>>,
    uses: Vec<State>,
    is_in_force: bool,
    asks_for_files: bool,
}

impl Known {
    fn of(node: &Node, rule: Option<&Rule>) -> Self {
        let mut uses = Vec::new();
        if let Some(rule) = rule {
            uses::of_rule(rule, &mut |state| uses.push(state));
        }
        Self {
            id: node.get("id").and_then(Node::as_str).map(Box::from),
            uses,
            is_in_force: rule.is_some(),
            asks_for_files: rule.is_some_and(|rule| rule.conditions().any(asks_for_files)),
        }
    }
}

/// What became of the rules that an edit concerns.
struct Fresh {
    rules: Vec<Known>,
    diagnostics: Vec<Diagnostic>,
}

impl Ongoing {
    /// What is known after a check without options; `None` where an edit of a rule may change anything.
    pub fn new(compilation: Compilation, ground: Ground, origins: Origins) -> Option<Self> {
        let Compilation { mut program, diagnostics, sources, documents, .. } = compilation;
        let depends =
            |one: &Diagnostic| [d::UNKNOWN_PROFILE.name, d::NO_RULES.name].contains(&one.kind.name);
        if origins.has_exceptions || diagnostics.iter().any(depends) {
            return None;
        }
        let mut other_ids = origins.other_ids;
        let mut lists = Vec::new();
        for (file, layer, origin) in &origins.definitions {
            let document = documents.iter().find(|document| document.file == *file)?;
            let is_once = origins.definitions.iter().filter(|(it, ..)| it == file).count() == 1;
            match RuleList::of(document, &sources, &program).filter(|_| is_once) {
                Some((layout, rules)) => {
                    let (file, layer, origin) = (*file, *layer, *origin);
                    lists.push(RuleList { file, layer, origin, layout, rules });
                }
                None => other_ids.extend(ids_in(document)),
            }
        }
        let mut uses = Counts::default();
        uses::each_use(&program, &mut |state| *uses.entry(state).or_default() += 1);
        let mut ids: Counts<Box<str>> = Counts::default();
        let rules = lists.iter().flat_map(|list| &list.rules);
        rules.filter_map(|rule| rule.id.clone()).for_each(|id| *ids.entry(id).or_default() += 1);
        let in_force = lists.iter().flat_map(|list| &list.rules).filter(|it| it.is_in_force);
        let in_force = in_force.count();
        let declared = declared(&program, &documents);
        program.rules = Vec::new();
        let has_switches = origins.has_switches;
        (!lists.is_empty()).then_some(Self {
            ground,
            program,
            sources,
            lists,
            ids,
            other_ids,
            has_switches,
            in_force,
            uses,
            diagnostics,
            declared,
        })
    }

    /// Brings problems up to date with another text of a file; they are those that were found, in their order. Where the
    /// answer is `None`, nothing is known any more.
    pub fn edit(&mut self, name: &str, text: String, problems: &mut Vec<Problem>) -> Option<()> {
        let is_it =
            |list: &RuleList| self.sources.get(list.file).is_some_and(|source| source.name == name);
        let at = self.lists.iter().position(is_it)?;
        let list = self.lists.get(at)?;
        let source = Arc::clone(self.sources.get(list.file)?);
        let file = list.file;
        let change = list.layout.change(file, &source.text, &text)?;
        let source = source.edited(text, change.old_text.clone(), change.new_text.clone());
        let source = Arc::new(source);
        self.sources.replace(file, Arc::clone(&source));
        self.move_state(file, &change)?;
        let fresh = self.fresh(at, &change)?;
        self.take_over(at, &change, fresh.rules)?;
        self.move_on(file, &change, &source, problems)?;
        let place = |span: Span| Place {
            source: self.sources.get(span.file).cloned().unwrap_or_default(),
            start: span.start,
            end: span.end.max(span.start),
        };
        let is_last = change.old.end == self.lists.get(at)?.layout.len();
        let list_end = if is_last { change.items.end } else { u32::MAX };
        for diagnostic in &fresh.diagnostics {
            problems.push(problem_in(&change, list_end, diagnostic, &place));
        }
        self.diagnostics.extend(fresh.diagnostics);
        self.say_what_is_unused(problems);
        self.lists.get_mut(at)?.layout.apply(&change);
        Some(())
    }

    /// Moves the places at which state is declared.
    fn move_state(&mut self, file: FileId, change: &Change) -> Option<()> {
        let program = &mut self.program;
        let sets = program.sets.iter_mut().map(|set| &mut set.span);
        let counters = program.counters.iter_mut().map(|counter| &mut counter.span);
        let flags = program.flags.iter_mut().map(|flag| &mut flag.span);
        for span in sets.chain(counters).chain(flags) {
            *span = moved(change, file, *span)?;
        }
        Some(())
    }

    /// Reads, lowers and lints the rules that an edit has put in the place of others.
    fn fresh(&self, list: usize, change: &Change) -> Option<Fresh> {
        let RuleList { origin, layer, .. } = *self.lists.get(list)?;
        let mut reports = Reports { diagnostics: change.items.diagnostics.clone() };
        let nodes = &change.items.nodes;
        let decode = |node| Spanned::<RuleDefinition>::decode(node, &mut reports);
        let definitions: Vec<_> = nodes.iter().map(decode).collect();
        let mut patterns = Patterns::without_automata();
        let mut lowering = self.ground.lowering(&self.sources, &mut patterns, &mut reports);
        let mut rules = Vec::new();
        for definition in definitions {
            let rule = definition.and_then(|it| lowering.rule(&it.value, it.span, origin));
            rules.push(rule.filter(|rule| !self.ground.is_off(&rule.id, layer)));
        }
        for rule in rules.iter().flatten() {
            lint::lint_alone(&self.program, rule, &self.sources, &mut reports);
        }
        let known = nodes.iter().zip(&rules).map(|(node, rule)| Known::of(node, rule.as_ref()));
        let mut diagnostics = reports.diagnostics;
        let mut seen = HashSet::new();
        diagnostics.retain(|one| seen.insert((one.kind.name, one.span, one.message.clone())));
        let is_here =
            |span: Span| span.start >= change.new_text.start && span.end <= change.new_text.end;
        let is_own = |one: &Diagnostic| {
            let mut edits = one.fixes.iter().flat_map(|fix| &fix.edits);
            is_here(one.span) && edits.all(|edit| is_here(edit.span))
        };
        diagnostics.iter().all(is_own).then_some(Fresh { rules: known.collect(), diagnostics })
    }

    /// Puts what is known of rules in the place of what was known of others. That has to concern nobody else.
    fn take_over(&mut self, list: usize, change: &Change, new: Vec<Known>) -> Option<()> {
        let list = self.lists.get_mut(list)?;
        let old: Vec<Known> = list.rules.splice(change.old.clone(), new.iter().cloned()).collect();
        let ids = |rules: &[Known]| -> Vec<Box<str>> {
            rules.iter().filter_map(|rule| rule.id.clone()).collect()
        };
        let (old_ids, new_ids) = (ids(&old), ids(&new));
        if old_ids != new_ids && self.has_switches && list.origin == Origin::Profile {
            return None;
        }
        // Rules of one name have to do with each other.
        let is_alone = |counts: &Counts<Box<str>>, ids: &[Box<str>]| {
            ids.iter().all(|id| counts.get(id) == Some(&1) && !self.other_ids.contains(id))
        };
        if !is_alone(&self.ids, &old_ids) {
            return None;
        }
        old_ids.iter().for_each(|id| _ = self.ids.remove(id));
        new_ids.iter().for_each(|id| *self.ids.entry(id.clone()).or_default() += 1);
        if !is_alone(&self.ids, &new_ids) {
            return None;
        }
        // Lints of a policy go by whether any rule asks for files.
        let asks = |rules: &[Known]| rules.iter().any(|rule| rule.asks_for_files);
        if self.program.permissions.is_some() && asks(&old) != asks(&new) {
            return None;
        }
        let in_force = |rules: &[Known]| rules.iter().filter(|rule| rule.is_in_force).count();
        self.in_force = (self.in_force + in_force(&new)).checked_sub(in_force(&old))?;
        for state in old.iter().flat_map(|rule| &rule.uses) {
            let count = self.uses.get_mut(state)?;
            *count = count.checked_sub(1)?;
        }
        for state in new.iter().flat_map(|rule| &rule.uses) {
            *self.uses.entry(*state).or_default() += 1;
        }
        // Where there is none, that is said.
        (self.in_force > 0).then_some(())
    }

    /// Moves what was said elsewhere, and forgets what was said of the rules that are there no more.
    fn move_on(
        &mut self,
        file: FileId,
        change: &Change,
        source: &Arc<Source>,
        problems: &mut Vec<Problem>,
    ) -> Option<()> {
        let before = std::mem::take(&mut self.diagnostics);
        if before.len() != problems.len() {
            return None;
        }
        let old = std::mem::take(problems);
        let is_at_end = change.new_text.end as usize == source.text.len();
        for (mut diagnostic, mut problem) in before.into_iter().zip(old) {
            let Span { file: of, start, .. } = diagnostic.span;
            let is_inside =
                start >= change.old_text.start && (start < change.old_text.end || is_at_end);
            if of == file && is_inside || diagnostic.kind.name == d::UNUSED_STATE.name {
                continue;
            }
            let is_moved = |span: Span| moved(change, file, span).is_some();
            if !diagnostic.places().all(is_moved) {
                return None;
            }
            diagnostic.place(|span| moved(change, file, span).unwrap_or(span));
            if of == file {
                renumber(&mut problem.path, change);
            }
            for place in problem.places_mut().filter(|place| place.source.name == source.name) {
                let moved = change.moved(place.start..place.end)?;
                *place = Place { source: Arc::clone(source), start: moved.start, end: moved.end };
            }
            self.diagnostics.push(diagnostic);
            problems.push(problem);
        }
        Some(())
    }

    /// Says anew what of the state nobody asks for.
    fn say_what_is_unused(&mut self, problems: &mut Vec<Problem>) {
        let mut reports = Reports { diagnostics: std::mem::take(&mut self.diagnostics) };
        let is_used = |state| self.uses.get(&state).is_some_and(|count| *count > 0);
        let before = reports.diagnostics.len();
        lint::unused_state(&self.program, is_used, &self.sources, &mut reports);
        self.diagnostics = reports.diagnostics;
        let place = |span: Span| Place {
            source: self.sources.get(span.file).cloned().unwrap_or_default(),
            start: span.start,
            end: span.end,
        };
        for diagnostic in self.diagnostics.iter().skip(before) {
            let mut declared = lint::declared_state(&self.program);
            let state = declared.find(|(.., span)| *span == diagnostic.span);
            let path = state.and_then(|(state, ..)| self.declared.get(&state)).cloned();
            let written = |edit: &crate::diagnostic::Edit| edit.text.clone();
            problems.push(problem_at(path.unwrap_or_default(), diagnostic, &place, &written));
        }
    }
}

impl RuleList {
    /// The layout of the rules of a document, with what is known of each.
    fn of(
        document: &Document,
        sources: &SourceMap,
        program: &Program,
    ) -> Option<(Layout, Vec<Known>)> {
        let source = sources.get(document.file)?;
        let is_of_rules = matches!(document.kind, FileKind::BehaviorConfig | FileKind::Profile);
        if !document.is_regular || !is_of_rules || source.name.starts_with(LIBRARY_PREFIX) {
            return None;
        }
        let layout = Layout::of(&document.root, &[LIST], &source.text)?;
        let own = program.rules.iter().filter(|rule| rule.span.file == document.file);
        let own: HashMap<u32, &Rule> = own.map(|rule| (rule.span.start, rule)).collect();
        let nodes = document.root.get(LIST)?.items()?;
        let known = |node: &Node| Known::of(node, own.get(&node.span.start).copied());
        Some((layout, nodes.iter().map(known).collect()))
    }
}

/// The ids of the rules of a document.
fn ids_in(document: &Document) -> impl Iterator<Item = Box<str>> {
    let rules = document.config.get(LIST).and_then(Node::items).unwrap_or_default();
    rules.iter().filter_map(|rule| rule.get("id")?.as_str().map(Box::from))
}

/// Where in its document each piece of state is declared.
fn declared(program: &Program, documents: &[Document]) -> HashMap<State, String> {
    let path = |(state, _, span): (State, &str, Span)| {
        let document = documents.iter().find(|document| document.file == span.file)?;
        Some((state, path_of(&document.config, span)))
    };
    lint::declared_state(program).filter_map(path).collect()
}

/// Where a place is after a change of a file.
fn moved(change: &Change, file: FileId, span: Span) -> Option<Span> {
    if span.file != file {
        return Some(span);
    }
    let range = change.moved(span.start..span.end)?;
    Some(Span::new(file, range.start, range.end))
}

/// Counts rules behind a change as they now are in a path.
fn renumber(path: &mut String, change: &Change) {
    let by = change.items.nodes.len() as isize - change.old.len() as isize;
    let number = |path: &str| {
        let rest = path.strip_prefix(LIST)?.strip_prefix('[')?;
        let (number, behind) = rest.split_once(']')?;
        let number = number.parse::<usize>().ok().filter(|number| *number >= change.old.end)?;
        Some(format!("{LIST}[{}]{behind}", number.checked_add_signed(by)?))
    };
    if by != 0
        && let Some(new) = number(path)
    {
        *path = new;
    }
}

/// What was said of a rule that an edit concerns, or of what does not parse behind it, as a problem.
fn problem_in(
    change: &Change,
    list_end: u32,
    diagnostic: &Diagnostic,
    place: &dyn Fn(Span) -> Place,
) -> Problem {
    let nodes = &change.items.nodes;
    let place_of = named_by(diagnostic);
    let at = nodes.iter().position(|node| node.span.contains(place_of));
    let path = match at.and_then(|at| Some((at, nodes.get(at)?))) {
        Some((at, node)) => {
            path_below(format!("{LIST}[{}]", change.old.start + at), node, place_of)
        }
        None if place_of.end <= list_end => LIST.to_owned(),
        // What stands behind the last rule is no part of the list.
        None => String::new(),
    };
    let written = |edit: &crate::diagnostic::Edit| {
        let node = nodes.iter().find(|node| node.span.contains(edit.span));
        node.map_or_else(|| edit.text.clone(), |node| written_at(node, edit.span, &edit.text))
    };
    problem_at(path, diagnostic, place, &written)
}
