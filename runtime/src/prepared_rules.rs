//! The rules of one tool and phase, prepared for a tool that is met again and again: a bit for each rule, so that those
//! that may fire are found by a few comparisons. Must select what [`PhaseRules`](crate::select::PhaseRules) selects, but
//! for rules whose condition surely does not hold.

use crate::decided_lines::DecidedLines;
use crate::decision::Phase;
use crate::eval::{Machine, number};
use crate::prepared_rule::{Limit, PreparedRule, Requirements, texts_of_pattern, texts_of_test};
use crate::scanned::{add_by_scan, each_text, is_triggered};
use crate::state::State;
use behavior_image::View;
use behavior_image::code::{Change, ScanSource, Slot, SlotKind};
use behavior_image::format::{LiteralRecord, Record, ScanRecord, Threshold, Transition};
use behavior_image::literals::Literals;

/// How many rules can be prepared together: each has a bit.
const MAX_RULES: usize = u64::BITS as usize;

/// In how many literals of a scan those of the rules are looked for at most.
const MAX_LITERALS: usize = 512;

/// Rules, in order, with all that selecting among them takes.
#[derive(Debug)]
pub(crate) struct PreparedRules {
    rules: Box<[PreparedRule]>,
    /// Those that may always fire.
    always: u64,
    /// Those that are [remarks](PreparedRule::remark).
    remarks: u64,
    /// Those whose conditions hold wherever they are selected.
    certain: u64,
    numbers: NumberTests,
    searches: Box<[Search]>,
    /// Scans for the programs of command lines.
    programs: Box<[ScanRecord]>,
    /// Transitions that look for texts where rules do, by their places among those of the tool, each with a bit that no
    /// rule has.
    resets: Box<[(usize, u64)]>,
    /// The bits of all of these.
    all_resets: u64,
}

/// What was found out about an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected {
    /// The rules that may fire, a bit for each.
    pub rules: u64,
    /// The transitions whose texts it holds, by [`PreparedRules::resets`].
    pub resets: u64,
}

/// Where numbers must lie, and what that means for some rules. Those that each call changes stand apart, since they are
/// looked at in each event.
#[derive(Debug, Default)]
struct NumberTests {
    turn_calls: Box<[NumberTest]>,
    consecutive: Box<[NumberTest]>,
    /// Each with the index of its counter.
    counters: Box<[(u32, NumberTest)]>,
    /// Each with what it is about.
    others: Box<[(SlotKind, u32, NumberTest)]>,
}

/// Where a number must lie, and what that means for some rules.
#[derive(Clone, Copy, Debug)]
struct NumberTest {
    least: i64,
    /// How much more it may be.
    span: u64,
    /// The rules that wait for it.
    brings: u64,
    /// The rules that do not fire where it lies elsewhere.
    bars: u64,
}

impl NumberTest {
    #[inline(always)]
    fn add_to(&self, found: &mut ByNumbers, number: i64) {
        if number.wrapping_sub(self.least) as u64 <= self.span {
            found.open |= self.brings;
        } else {
            found.barred |= self.bars;
        }
    }
}

/// What the numbers of a state say of some rules, a bit for each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByNumbers {
    /// Those that may fire, whatever the event holds.
    pub open: u64,
    /// Those that do not fire, whatever the event holds.
    barred: u64,
}

/// Literals that rules ask for in one place of an event.
#[derive(Debug)]
struct Search {
    place: Place,
    literals: Literals,
    /// What was found in parameters that were looked at last: agents run the same commands again and again.
    known: DecidedLines<u64>,
    /// All rules that may be found.
    all: u64,
}

/// A place of an event: the source of a scan, and its parameter.
type Place = (u32, u32);

/// What brings in the rules of a tool in a phase, by their indexes.
pub(crate) struct Sources<'a> {
    pub always: &'a [u32],
    pub thresholds: Vec<Threshold>,
    pub scans: &'a [ScanRecord],
    /// What changes after a call.
    pub transitions: &'a [Transition],
}

/// A scan, and those of its literals that bring in rules of the tool.
type FoundLiterals = (ScanRecord, Vec<LiteralRecord>);

impl PreparedRules {
    /// Prepares the rules of some trigger groups; `None` where they are too many.
    pub fn of(view: View<'_>, sources: &Sources<'_>, phase: Phase, groups: &[u32]) -> Option<Self> {
        let found = literals(view, sources.scans, phase, groups)?;
        let indexes = all_rules(sources, &found)?;
        let bit = |rule: u32| indexes.binary_search(&rule).map_or(0, |at| 1_u64 << at);
        let mut rules: Box<[PreparedRule]> =
            indexes.iter().map(|rule| PreparedRule::of(view, *rule)).collect();
        let gate = |Threshold { slot, least, rule }: &Threshold| {
            let (kind, index) = (Slot(*slot).kind()?, Slot(*slot).index());
            Some((Limit { kind, index, least: *least, most: i64::MAX }, bit(*rule)))
        };
        let gates = sources.thresholds.iter().map(gate).collect::<Option<Vec<_>>>()?;
        let others = gates.iter().fold(0, |all, (_, bit)| all | bit);
        let others = sources.always.iter().fold(others, |all, rule| all | bit(*rule));
        for rule in rules.iter_mut().filter(|rule| others & bit(rule.index) == 0) {
            if is_proven(view, rule, &found) {
                rule.is_certain = true;
            }
        }
        let is_of_programs = |scan: &ScanRecord| scan.source == ScanSource::Programs as u32;
        let mut searched = searched(view, found, bit);
        let resets = resets(view, sources.transitions, rules.len(), &mut searched);
        let all_that = |is: fn(&PreparedRule) -> bool| {
            (0..).zip(&rules).fold(0, |all, (bit, rule)| all | u64::from(is(rule)) << bit)
        };
        Some(Self {
            always: sources.always.iter().fold(0, |always, rule| always | bit(*rule)),
            numbers: number_tests(view, &rules, &gates, bit),
            remarks: all_that(|rule| rule.remark.is_some()),
            certain: all_that(|rule| rule.is_certain),
            programs: sources.scans.iter().copied().filter(is_of_programs).collect(),
            searches: searched.into_iter().map(Search::of).collect::<Option<_>>()?,
            all_resets: resets.iter().fold(0, |all, (_, bit)| all | bit),
            resets,
            rules,
        })
    }

    /// The rule of a bit.
    #[inline]
    pub fn rule(&self, bit: u32) -> Option<&PreparedRule> {
        self.rules.get(bit as usize)
    }

    /// Whether no rule waits for a text in the event.
    #[inline]
    pub fn is_by_numbers(&self) -> bool {
        self.searches.is_empty() && self.programs.is_empty()
    }

    /// Whether some rules are nothing but remarks.
    #[inline]
    pub fn are_remarks(&self, rules: u64) -> bool {
        rules & !self.remarks == 0
    }

    /// Whether the conditions of some rules hold once they are selected, so that nobody has to look at the event for them.
    #[inline]
    pub fn are_certain(&self, rules: u64) -> bool {
        rules & !self.certain == 0
    }

    /// What the numbers of the state say of the rules. `consecutive` is how often the tool ran in a row.
    #[inline]
    pub fn by_numbers(&self, state: &State, consecutive: u32) -> ByNumbers {
        let NumberTests { turn_calls, consecutive: in_a_row, counters, others } = &self.numbers;
        let mut found = ByNumbers { open: self.always, barred: 0 };
        for test in turn_calls {
            test.add_to(&mut found, i64::from(state.turn_calls));
        }
        for test in in_a_row {
            test.add_to(&mut found, i64::from(consecutive));
        }
        for (index, test) in counters {
            test.add_to(&mut found, state.counter(*index));
        }
        for (kind, index, test) in others {
            test.add_to(&mut found, number(state, consecutive, *kind, *index));
        }
        found.open &= !found.barred;
        found
    }

    /// The rules that may fire, a bit for each: by numbers, or by what the event holds.
    #[inline]
    pub fn selected(
        &self,
        by_numbers: ByNumbers,
        machine: &mut Machine<'_>,
        groups: &[u32],
    ) -> Selected {
        let mut found = 0;
        for search in &self.searches {
            // What is found of rules that do not fire anyway is of no use.
            if search.all & !by_numbers.barred != 0 {
                let (source, param) = search.place;
                each_text(machine, source, param, |text, fold| found |= search.find(text, fold));
            }
        }
        if !self.programs.is_empty() {
            found |= self.by_programs(machine, groups);
        }
        let rules = by_numbers.open | found & !by_numbers.barred & !self.all_resets;
        Selected { rules, resets: found & self.all_resets }
    }

    /// Whether a transition is among those that were found in an event; `None` where nobody looked for it.
    #[inline]
    pub fn is_reset(&self, transition: usize, found: u64) -> Option<bool> {
        let (_, bit) = self.resets.iter().find(|(at, _)| *at == transition)?;
        Some(found & bit != 0)
    }

    #[inline(never)]
    fn by_programs(&self, machine: &mut Machine<'_>, groups: &[u32]) -> u64 {
        let mut candidates = Vec::new();
        for scan in &self.programs {
            add_by_scan(machine, scan, groups, &mut candidates);
        }
        let place = |rule: &u32| self.rules.binary_search_by_key(rule, |one| one.index).ok();
        candidates.iter().filter_map(place).fold(0, |all, at| all | 1 << at)
    }
}

/// Of each scan, the literals that bring in rules of these groups; `None` where there are too many to go through.
fn literals(
    view: View<'_>,
    scans: &[ScanRecord],
    phase: Phase,
    groups: &[u32],
) -> Option<Vec<FoundLiterals>> {
    let of_scan = |scan: &ScanRecord| {
        let literals = view.literals(scan.literals, scan.literals_len);
        let read = literals.iter().map(|bytes| LiteralRecord::read(bytes));
        let triggered = read.filter(|one| is_triggered(view, one.rule, phase, groups));
        (literals.len() <= MAX_LITERALS).then(|| (*scan, triggered.collect()))
    };
    scans.iter().map(of_scan).collect()
}

/// Whether the condition of a rule that a scan alone brings in holds where that found one of its literals, and its limits
/// are kept: it looks for just these texts, in the same place.
fn is_proven(view: View<'_>, rule: &PreparedRule, found: &[FoundLiterals]) -> bool {
    let Requirements { others, are_all: true, .. } = rule.requirements(view) else { return false };
    let [test] = &*others else { return false };
    let Some(((source, param), mut texts)) = texts_of_test(view, test) else { return false };
    let is_of_rule = |literal: &&LiteralRecord| literal.rule == rule.index;
    let mut literals = Vec::new();
    for (scan, of_scan) in found {
        let of_rule = of_scan.iter().filter(is_of_rule).map(|literal| view.string(literal.text));
        let before = literals.len();
        literals.extend(of_rule);
        let is_there = scan.source == source && view.string(scan.param) == param;
        if literals.len() > before && !is_there {
            return false;
        }
    }
    for list in [&mut texts, &mut literals] {
        list.sort_unstable();
        list.dedup();
    }
    // A scan finds literals in lower case alone.
    texts == literals
}

/// The indexes of all rules, in order and once each, unless they are too many.
fn all_rules(sources: &Sources<'_>, found: &[FoundLiterals]) -> Option<Vec<u32>> {
    let mut rules = sources.always.to_vec();
    rules.extend(sources.thresholds.iter().map(|threshold| threshold.rule));
    rules.extend(found.iter().flat_map(|(_, literals)| literals).map(|literal| literal.rule));
    rules.sort_unstable();
    rules.dedup();
    (rules.len() <= MAX_RULES).then_some(rules)
}

/// The numbers that rules wait for, by these gates, and that their conditions ask for: each once.
fn number_tests(
    view: View<'_>,
    rules: &[PreparedRule],
    gates: &[(Limit, u64)],
    bit: impl Fn(u32) -> u64,
) -> NumberTests {
    let mut tests: Vec<(Limit, u64, u64)> = Vec::new();
    let mut add = |limit: Limit, brings: u64, bars: u64| match tests
        .iter_mut()
        .find(|(known, ..)| *known == limit)
    {
        Some((_, bring, bar)) => (*bring, *bar) = (*bring | brings, *bar | bars),
        None => tests.push((limit, brings, bars)),
    };
    let asked = |rule: &PreparedRule| (bit(rule.index), rule.requirements(view).limits);
    let asked: Vec<(u64, Vec<Limit>)> = rules.iter().map(asked).collect();
    for (gate, rule) in gates {
        // What its condition asks for anyway brings it in, where that is no more: one number is looked at once.
        let of_rule = asked.iter().filter(|(known, _)| known == rule).flat_map(|(_, all)| all);
        let narrower = of_rule.copied().find(|limit| limit.is_within(gate));
        add(narrower.unwrap_or(*gate), *rule, 0);
    }
    for (rule, limits) in asked {
        limits.into_iter().for_each(|limit| add(limit, 0, rule));
    }
    NumberTests::of(&tests)
}

impl NumberTests {
    fn of(tests: &[(Limit, u64, u64)]) -> Self {
        let test = |(limit, brings, bars): &(Limit, u64, u64)| NumberTest {
            least: limit.least,
            span: limit.most.wrapping_sub(limit.least) as u64,
            brings: *brings,
            bars: *bars,
        };
        let of_kind = |kind: SlotKind| tests.iter().filter(move |(limit, ..)| limit.kind == kind);
        let is_other = |(limit, ..): &&(Limit, u64, u64)| {
            !matches!(limit.kind, SlotKind::TurnCalls | SlotKind::Consecutive | SlotKind::Counter)
        };
        Self {
            turn_calls: of_kind(SlotKind::TurnCalls).map(test).collect(),
            consecutive: of_kind(SlotKind::Consecutive).map(test).collect(),
            counters: of_kind(SlotKind::Counter).map(|one| (one.0.index, test(one))).collect(),
            others: tests
                .iter()
                .filter(is_other)
                .map(|one| (one.0.kind, one.0.index, test(one)))
                .collect(),
        }
    }
}

/// Texts that are looked for in one place of an event, with the bits that they stand for.
type Searched<'v> = (Place, Vec<(&'v str, u64)>);

impl Search {
    /// In a shorter text, they are found as quickly as what is known of it.
    const WORTH_KEEPING: usize = 12;

    fn of((place, texts): Searched<'_>) -> Option<Self> {
        let all = texts.iter().fold(0, |all, (_, bits)| all | bits);
        let literals = Literals::new(texts.into_iter())?;
        Some(Self { place, literals, known: DecidedLines::default(), all })
    }

    /// The bits of the texts that stand in another one.
    fn find(&self, text: &str, fold: &mut String) -> u64 {
        let is_param = self.place.0 == ScanSource::Param as u32;
        if !is_param || text.len() < Self::WORTH_KEEPING {
            return self.literals.search(text, self.all, fold);
        }
        self.known.get_or(text, 0, || self.literals.search(text, self.all, fold))
    }
}

/// For each place of an event in which literals are looked for, these.
fn searched<'v>(
    view: View<'v>,
    found: Vec<FoundLiterals>,
    bit: impl Fn(u32) -> u64,
) -> Vec<Searched<'v>> {
    let mut by_place: Vec<Searched<'v>> = Vec::new();
    for (scan, literals) in found {
        if scan.source == ScanSource::Programs as u32 || literals.is_empty() {
            continue;
        }
        let place = (scan.source, scan.param);
        let texts = literals.iter().map(|one| (view.string(one.text), bit(one.rule)));
        match by_place.iter_mut().find(|(known, _)| *known == place) {
            Some((_, known)) => known.extend(texts),
            None => by_place.push((place, texts.collect())),
        }
    }
    by_place
}

/// Adds the texts that transitions look for where rules do, so that one look finds both, and returns these transitions.
fn resets<'v>(
    view: View<'v>,
    transitions: &[Transition],
    rules: usize,
    searched: &mut [Searched<'v>],
) -> Box<[(usize, u64)]> {
    let mut found = Vec::new();
    let resets = transitions.iter().enumerate();
    for (at, transition) in resets.filter(|(_, one)| one.change == Change::ResetWhen as u32) {
        let is_place = |(source, param): &Place| {
            *source == ScanSource::Param as u32
                && view.string(*param) == view.string(transition.param)
        };
        let Some((_, known)) = searched.iter_mut().find(|(place, _)| is_place(place)) else {
            continue;
        };
        let Some(texts) = texts_of_pattern(view, transition.pattern) else { continue };
        let place = MAX_RULES - 1 - found.len();
        if place < rules || texts.len() > MAX_LITERALS {
            break;
        }
        known.extend(texts.into_iter().map(|text| (text, 1 << place)));
        found.push((at, 1 << place));
    }
    found.into()
}
