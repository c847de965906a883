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
    /// Numbers, and the rules that wait for them.
    gates: Box<[(Limit, u64)]>,
    /// Numbers, and the rules that do not fire where these lie elsewhere.
    limits: Box<[(Limit, u64)]>,
    searches: Box<[Search]>,
    /// Scans for the programs of command lines.
    programs: Box<[ScanRecord]>,
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
        let is_of_programs = |scan: &ScanRecord| scan.source == ScanSource::Programs as u32;
        Some(Self {
            always: sources.always.iter().fold(0, |always, rule| always | bit(*rule)),
            gates: sources.thresholds.iter().map(gate).collect::<Option<_>>()?,
            limits: limits(view, &rules, bit),
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

    /// The rules that may fire by the numbers of the state, whatever the event holds: a bit for each. `consecutive` is
    /// how often the tool ran in a row.
    #[inline]
    pub fn by_numbers(&self, state: &State, consecutive: u32) -> u64 {
        let mut selected = self.always;
        for (gate, rules) in &self.gates {
            if gate.admits(number(state, consecutive, gate.kind, gate.index)) {
                selected |= rules;
            }
        }
        self.within_limits(state, consecutive, selected)
    }

    /// The rules that may fire by what the event holds, a bit for each.
    #[inline]
    pub fn by_texts(&self, machine: &mut Machine<'_>, groups: &[u32]) -> u64 {
        let mut selected = 0;
        for Search { place: (source, param), literals, all } in &self.searches {
            each_text(machine, *source, *param, |text, fold| {
                selected |= literals.search(text, *all, fold);
            });
        }
        if !self.programs.is_empty() {
            selected |= self.by_programs(machine, groups);
        }
        self.within_limits(machine.state, machine.context.consecutive, selected)
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

    /// Those of some rules that the numbers of the state do not keep from firing.
    #[inline]
    fn within_limits(&self, state: &State, consecutive: u32, mut rules: u64) -> u64 {
        if rules == 0 {
            return 0;
        }
        for (limit, limited) in &self.limits {
            if rules & limited != 0
                && !limit.admits(number(state, consecutive, limit.kind, limit.index))
            {
                rules &= !limited;
            }
        }
        rules
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

/// The numbers that rules' conditions ask for, each once.
fn limits(view: View<'_>, rules: &[PreparedRule], bit: impl Fn(u32) -> u64) -> Box<[(Limit, u64)]> {
    let mut limits: Vec<(Limit, u64)> = Vec::new();
    for rule in rules {
        for limit in rule.limits(view) {
            match limits.iter_mut().find(|(known, _)| *known == limit) {
                Some((_, rules)) => *rules |= bit(rule.index),
                None => limits.push((limit, bit(rule.index))),
            }
        }
    }
    limits.into()
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
