//! The rules of one tool and phase, prepared for a tool that is met again and again: a bit for each rule, so that those
//! that may fire are found by a few comparisons. Must select what [`PhaseRules`](crate::select::PhaseRules) selects, but
//! for rules whose condition surely does not hold.

use crate::decision::Phase;
use crate::eval::{Machine, number};
use crate::prepared_rule::{Limit, PreparedRule};
use crate::scanned::{add_by_scan, each_text, is_triggered};
use crate::state::State;
use behavior_image::View;
use behavior_image::code::{ScanSource, Slot};
use behavior_image::format::{LiteralRecord, Record, ScanRecord, Threshold};
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
    numbers: Box<[NumberTest]>,
    searches: Box<[Search]>,
    /// Scans for the programs of command lines.
    programs: Box<[ScanRecord]>,
}

/// Where a number must lie, and what that means for some rules.
#[derive(Debug)]
struct NumberTest {
    limit: Limit,
    /// The rules that wait for it.
    brings: u64,
    /// The rules that do not fire where it lies elsewhere.
    bars: u64,
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
}

/// A scan, and those of its literals that bring in rules of the tool.
type FoundLiterals = (ScanRecord, Vec<LiteralRecord>);

impl PreparedRules {
    /// Prepares the rules of some trigger groups; `None` where they are too many.
    pub fn of(view: View<'_>, sources: &Sources<'_>, phase: Phase, groups: &[u32]) -> Option<Self> {
        let found = literals(view, sources.scans, phase, groups)?;
        let indexes = all_rules(sources, &found)?;
        let bit = |rule: u32| indexes.binary_search(&rule).map_or(0, |at| 1_u64 << at);
        let rules: Box<[PreparedRule]> =
            indexes.iter().map(|rule| PreparedRule::of(view, *rule)).collect();
        let gate = |Threshold { slot, least, rule }: &Threshold| {
            let (kind, index) = (Slot(*slot).kind()?, Slot(*slot).index());
            Some((Limit { kind, index, least: *least, most: i64::MAX }, bit(*rule)))
        };
        let gates = sources.thresholds.iter().map(gate).collect::<Option<Vec<_>>>()?;
        let is_of_programs = |scan: &ScanRecord| scan.source == ScanSource::Programs as u32;
        Some(Self {
            always: sources.always.iter().fold(0, |always, rule| always | bit(*rule)),
            numbers: number_tests(view, &rules, &gates, bit),
            programs: sources.scans.iter().copied().filter(is_of_programs).collect(),
            searches: searches(view, found, bit)?,
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

    /// What the numbers of the state say of the rules. `consecutive` is how often the tool ran in a row.
    #[inline]
    pub fn by_numbers(&self, state: &State, consecutive: u32) -> ByNumbers {
        let (mut open, mut barred) = (self.always, 0);
        for NumberTest { limit, brings, bars } in &self.numbers {
            if limit.admits(number(state, consecutive, limit.kind, limit.index)) {
                open |= brings;
            } else {
                barred |= bars;
            }
        }
        ByNumbers { open: open & !barred, barred }
    }

    /// The rules that may fire, a bit for each: by numbers, or by what the event holds.
    #[inline]
    pub fn selected(
        &self,
        by_numbers: ByNumbers,
        machine: &mut Machine<'_>,
        groups: &[u32],
    ) -> u64 {
        let mut found = 0;
        for Search { place: (source, param), literals, all } in &self.searches {
            each_text(machine, *source, *param, |text, fold| {
                found |= literals.search(text, *all, fold);
            });
        }
        if !self.programs.is_empty() {
            found |= self.by_programs(machine, groups);
        }
        by_numbers.open | found & !by_numbers.barred
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
) -> Box<[NumberTest]> {
    let mut tests: Vec<NumberTest> = Vec::new();
    let mut add = |limit: Limit, brings: u64, bars: u64| match tests
        .iter_mut()
        .find(|known| known.limit == limit)
    {
        Some(known) => (known.brings, known.bars) = (known.brings | brings, known.bars | bars),
        None => tests.push(NumberTest { limit, brings, bars }),
    };
    gates.iter().for_each(|(limit, rules)| add(*limit, *rules, 0));
    for rule in rules {
        rule.limits(view).0.into_iter().for_each(|limit| add(limit, 0, bit(rule.index)));
    }
    tests.into()
}

/// An automaton for each place of an event in which literals are looked for.
fn searches(
    view: View<'_>,
    found: Vec<FoundLiterals>,
    bit: impl Fn(u32) -> u64,
) -> Option<Box<[Search]>> {
    let mut by_place: Vec<(Place, Vec<LiteralRecord>)> = Vec::new();
    for (scan, literals) in found {
        if scan.source == ScanSource::Programs as u32 || literals.is_empty() {
            continue;
        }
        let place = (scan.source, scan.param);
        match by_place.iter_mut().find(|(known, _)| *known == place) {
            Some((_, known)) => known.extend(literals),
            None => by_place.push((place, literals)),
        }
    }
    let search = |(place, literals): (Place, Vec<LiteralRecord>)| {
        let texts = literals.iter().map(|one| (view.string(one.text), bit(one.rule)));
        let all = texts.clone().fold(0, |all, (_, bits)| all | bits);
        Some(Search { place, literals: Literals::new(texts)?, all })
    };
    by_place.into_iter().map(search).collect()
}
