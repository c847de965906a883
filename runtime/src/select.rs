//! Which rules may fire on an event, found without looking at all the others: those without any
//! requirement that is cheap to look at, those whose number is high enough, and those whose literal is
//! in a text.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::commands;
use crate::decision::Phase;
use crate::eval::{Limit, Machine, TestedRule, number};
use crate::path;
use crate::state::State;
use crate::value::ValueRef;
use behavior_image::code::{ScanSource, Slot};
use behavior_image::format::{LiteralRecord, Record, ScanRecord, Section, Threshold, TriggerGroup};
use behavior_image::literals::Literals;
use behavior_image::scan;
use behavior_image::{Image, PhasePart, View};

/// The rules of one phase whose triggers select a tool.
#[derive(Debug, Default)]
pub(crate) struct PhaseRules {
    /// How often they were looked at, until there is a plan.
    looks: AtomicU32,
    /// The plan, if there can be one.
    plan: OnceLock<Option<Box<Plan>>>,
    /// Those that are always looked at, in order.
    always: Box<[u32]>,
    /// The numbers that others wait for.
    gates: Box<[Gate]>,
    /// The scans whose literals others ask for.
    scans: Box<[ScanRecord]>,
    /// Parts with more rules or numbers than are held for each tool.
    large: Box<[PhasePart]>,
}

/// After so many looks at the rules of a tool, there is a plan: a process that decides on one event has none.
const LOOKS_BEFORE_PLAN: u32 = 4;

/// Rules of one phase whose triggers select a tool, few enough for a bit each, with all that selecting them takes.
#[derive(Debug)]
pub(crate) struct Plan {
    /// All that may be looked at, in order.
    rules: Box<[TestedRule]>,
    /// Those that always are.
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
    source: u32,
    param: u32,
    literals: Literals,
    /// All rules that may be found.
    all: u64,
}

impl Plan {
    fn of(view: View<'_>, rules: &PhaseRules, phase: Phase, groups: &[u32]) -> Option<Self> {
        if !rules.large.is_empty() {
            return None;
        }
        let threshold = |row: u32| view.row::<Threshold>(Section::Thresholds, row);
        let thresholds = || rules.gates.iter().flat_map(|gate| gate.thresholds.clone());
        if thresholds().count() > MAX_PLANNED {
            return None;
        }
        let mut all = rules.always.to_vec();
        all.extend(thresholds().map(|row| threshold(row).rule));
        // Of each scan, the literals that bring in rules of this tool.
        let mut found = Vec::new();
        for scan in &rules.scans {
            let literals = view.literals(scan.literals, scan.literals_len);
            if literals.len() > MAX_LITERALS {
                return None;
            }
            let literals = literals.iter().map(|bytes| LiteralRecord::read(bytes));
            let literals: Vec<LiteralRecord> =
                literals.filter(|one| is_triggered(view, one.rule, phase, groups)).collect();
            all.extend(literals.iter().map(|literal| literal.rule));
            found.push((scan, literals));
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > MAX_PLANNED {
            return None;
        }
        let bit = |rule: u32| all.binary_search(&rule).map_or(0, |at| 1u64 << at);
        let (mut by_place, mut programs) =
            (Vec::<(u32, u32, Vec<LiteralRecord>)>::new(), Vec::new());
        for (scan, literals) in found {
            let known = by_place
                .iter_mut()
                .find(|(source, param, _)| (*source, *param) == (scan.source, scan.param));
            match known {
                _ if scan.source == ScanSource::Programs as u32 => programs.push(*scan),
                Some((.., known)) => known.extend(literals),
                None if literals.is_empty() => {}
                None => by_place.push((scan.source, scan.param, literals)),
            }
        }
        let search = |(source, param, literals): (u32, u32, Vec<LiteralRecord>)| {
            let texts = literals.iter().map(|one| (view.string(one.text), bit(one.rule)));
            let all = texts.clone().fold(0, |all, (_, bits)| all | bits);
            Some(Search { source, param, literals: Literals::new(texts)?, all })
        };
        let rules_of: Box<[TestedRule]> =
            all.iter().map(|rule| TestedRule::of(view, *rule)).collect();
        let mut limits: Vec<(Limit, u64)> = Vec::new();
        for rule in &rules_of {
            for limit in rule.limits(view) {
                match limits.iter_mut().find(|(known, _)| *known == limit) {
                    Some((_, rules)) => *rules |= bit(rule.index),
                    None => limits.push((limit, bit(rule.index))),
                }
            }
        }
        Some(Self {
            limits: limits.into(),
            always: rules.always.iter().fold(0, |always, rule| always | bit(*rule)),
            gates: thresholds()
                .map(threshold)
                .map(|Threshold { slot, least, rule }| {
                    let slot = Slot(slot);
                    let (kind, index) = (slot.kind()?, slot.index());
                    Some((Limit { kind, index, least, most: i64::MAX }, bit(rule)))
                })
                .collect::<Option<_>>()?,
            searches: by_place.into_iter().map(search).collect::<Option<_>>()?,
            programs: programs.into(),
            rules: rules_of,
        })
    }

    /// Those of some rules that the numbers of the state do not keep from firing, a bit for each. `consecutive` is how
    /// often the tool ran in a row.
    #[inline]
    fn within_limits(&self, state: &State, consecutive: u32, mut rules: u64) -> u64 {
        for (limit, limited) in &self.limits {
            if rules & limited != 0 {
                let number = number(state, consecutive, limit.kind, limit.index);
                if number < limit.least || number > limit.most {
                    rules &= !limited;
                }
            }
        }
        rules
    }

    /// The rules that may fire by the numbers of the state, whatever the event holds.
    #[inline]
    pub fn by_numbers(&self, state: &State, consecutive: u32) -> u64 {
        let mut selected = self.always;
        for (gate, rules) in &self.gates {
            if number(state, consecutive, gate.kind, gate.index) >= gate.least {
                selected |= rules;
            }
        }
        self.within_limits(state, consecutive, selected)
    }

    /// Whether no rule waits for a text in the event.
    #[inline]
    pub fn is_by_numbers(&self) -> bool {
        self.searches.is_empty() && self.programs.is_empty()
    }

    /// The rules that may fire by what the event holds, a bit for each, as [`Plan::rule`] takes it.
    #[inline]
    pub fn by_texts(&self, machine: &mut Machine<'_>, groups: &[u32]) -> u64 {
        let mut selected = 0;
        for Search { source, param, literals, all } in &self.searches {
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

    /// The rule of a bit.
    #[inline]
    pub fn rule(&self, bit: u32) -> Option<&TestedRule> {
        self.rules.get(bit as usize)
    }
}

/// How many rules a plan is for at most.
const MAX_PLANNED: usize = 64;

/// In how many literals of a scan those of a plan are looked for at most.
const MAX_LITERALS: usize = 512;

/// A number that rules wait for.
#[derive(Clone, Debug)]
struct Gate {
    slot: Slot,
    /// What the first of them waits for.
    least: i64,
    /// All of them, sorted by what they wait for.
    thresholds: Range<u32>,
}

/// How many rules and numbers of a part are held for each tool.
const MAX_HELD: usize = 32;

impl PhaseRules {
    /// The rules of each phase that some trigger groups have.
    pub fn of(view: View<'_>, groups: &[TriggerGroup]) -> [PhaseRules; 4] {
        let parts: Vec<[PhasePart; 4]> = groups.iter().map(PhasePart::of).collect();
        std::array::from_fn(|phase| {
            let of_phase: Vec<PhasePart> =
                parts.iter().filter_map(|parts| parts.get(phase).copied()).collect();
            PhaseRules::of_parts(view, &of_phase)
        })
    }

    fn of_parts(view: View<'_>, parts: &[PhasePart]) -> Self {
        let (mut always, mut gates, mut large) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match small_gates(view, part) {
                Some(of_part) => {
                    always.extend(view.list(part.always.start, part.always.len));
                    gates.extend(of_part);
                }
                None => large.push(*part),
            }
        }
        always.sort_unstable();
        always.dedup();
        let asked = parts.iter().fold(0, |all, part| all | part.scans);
        let scans = (0..u32::BITS)
            .filter(|scan| asked >> scan & 1 != 0)
            .map(|scan| view.row(Section::Scans, scan));
        PhaseRules {
            always: always.into(),
            gates: gates.into(),
            scans: scans.collect(),
            large: large.into(),
            ..PhaseRules::default()
        }
    }

    /// The plan for them, where they were looked at often enough and are few.
    #[inline]
    pub fn plan(&self, image: &Image, phase: Phase, groups: &[u32]) -> Option<&Plan> {
        match self.plan.get() {
            Some(plan) => plan.as_deref(),
            None => self.make_plan(image.view(), phase, groups),
        }
    }

    #[cold]
    fn make_plan(&self, view: View<'_>, phase: Phase, groups: &[u32]) -> Option<&Plan> {
        if self.looks.fetch_add(1, Ordering::Relaxed) < LOOKS_BEFORE_PLAN {
            return None;
        }
        self.plan.get_or_init(|| Plan::of(view, self, phase, groups).map(Box::new)).as_deref()
    }

    /// Whether there is no rule at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.always.is_empty()
            && self.gates.is_empty()
            && self.scans.is_empty()
            && self.large.is_empty()
    }

    /// Adds those that may fire, in order and once each. `groups` are the trigger groups.
    pub fn select(&self, machine: &mut Machine<'_>, groups: &[u32], candidates: &mut Vec<u32>) {
        candidates.extend_from_slice(&self.always);
        for gate in &self.gates {
            if machine.has_come_to(gate.slot, gate.least) {
                add_reached(machine, gate.thresholds.clone(), candidates);
            }
        }
        for part in &self.large {
            candidates.extend(machine.view.list(part.always.start, part.always.len));
            add_by_threshold(machine, part, candidates);
        }
        for scan in &self.scans {
            add_by_scan(machine, scan, groups, candidates);
        }
        if candidates.len() > self.always.len() {
            candidates.sort_unstable();
            candidates.dedup();
        }
    }
}

/// The numbers that rules of a part wait for, unless it has too many of these or of other rules.
fn small_gates(view: View<'_>, part: &PhasePart) -> Option<Vec<Gate>> {
    let mut gates = Vec::new();
    let mut row = part.thresholds.start;
    let end = row + part.thresholds.len;
    while row < end {
        let Threshold { slot, least, .. } = view.row(Section::Thresholds, row);
        let behind = end_of_slot(view, row, end, slot);
        gates.push(Gate { slot: Slot(slot), least, thresholds: row..behind });
        row = behind;
        if gates.len() > MAX_HELD {
            break;
        }
    }
    (gates.len() <= MAX_HELD && part.always.len as usize <= MAX_HELD).then_some(gates)
}

/// Thresholds are sorted by number and value, so the first that is too high ends those of its number.
fn add_by_threshold(machine: &Machine<'_>, part: &PhasePart, candidates: &mut Vec<u32>) {
    let mut row = part.thresholds.start;
    let end = row + part.thresholds.len;
    while row < end {
        let threshold: Threshold = machine.view.row(Section::Thresholds, row);
        let behind = end_of_slot(machine.view, row, end, threshold.slot);
        add_reached(machine, row..behind, candidates);
        row = behind;
    }
}

/// Adds the rules of one number that it has come to.
fn add_reached(machine: &Machine<'_>, thresholds: Range<u32>, candidates: &mut Vec<u32>) {
    let rows = thresholds.map(|row| machine.view.row::<Threshold>(Section::Thresholds, row));
    let reached = rows.take_while(|row| machine.has_come_to(Slot(row.slot), row.least));
    candidates.extend(reached.map(|row| row.rule));
}

/// The row behind the last threshold of a number.
fn end_of_slot(view: View<'_>, row: u32, end: u32, slot: u32) -> u32 {
    let (mut low, mut high) = (row + 1, end);
    while low < high {
        let middle = low + (high - low) / 2;
        let threshold: Threshold = view.row(Section::Thresholds, middle);
        if threshold.slot <= slot { low = middle + 1 } else { high = middle }
    }
    low
}

/// Whether a rule is one of a phase whose trigger is among the groups.
fn is_triggered(view: View<'_>, index: u32, phase: Phase, groups: &[u32]) -> bool {
    let rule = view.rule(index);
    rule.phase == phase as u8
        && view.list(rule.triggers, rule.triggers_len).any(|group| groups.contains(&group))
}

/// Adds the rules whose literal, or whose program, is in what a scan looks at.
fn add_by_scan(
    machine: &mut Machine<'_>,
    record: &ScanRecord,
    groups: &[u32],
    candidates: &mut Vec<u32>,
) {
    let (view, phase) = (machine.view, machine.context.phase);
    let mut found = |index: u32| {
        if is_triggered(view, index, phase, groups) {
            candidates.push(index);
        }
    };
    if record.source == ScanSource::Programs as u32 {
        let context = machine.context;
        let value = context.params.command_line(view.string(record.param), context.is_shell);
        if let Some(value) = value {
            let shell = &mut machine.scratch.shell;
            if shell.read_if_it_matters(machine.image, value) {
                commands::search_programs(&view, record, shell.line(), &mut found);
            }
        }
        return;
    }
    each_text(machine, record.source, record.param, |text, fold| {
        scan::search(&view, record, text, fold, &mut found);
    });
}

/// Calls `look` with each text that scans of a source look at; not for the programs of command lines.
fn each_text(
    machine: &mut Machine<'_>,
    source: u32,
    param: u32,
    mut look: impl FnMut(&str, &mut String),
) {
    let (view, context) = (machine.view, machine.context);
    let fold = &mut machine.scratch.fold;
    let mut scan_value = |value: ValueRef<'_>| {
        value.any_text(|text| {
            look(text, fold);
            false
        });
    };
    match ScanSource::from_number(source) {
        Some(ScanSource::Param) => {
            if let Some(value) = context.params.get(view.string_bytes(param)) {
                scan_value(value);
            }
        }
        Some(ScanSource::Text) => scan_value(ValueRef::Text(context.text)),
        Some(ScanSource::Target) => {
            if let Some(target) = context.params.target() {
                let mut scratch = std::mem::take(&mut machine.scratch.path);
                let given = path::normalise(target.text, None, &mut scratch);
                scan_value(ValueRef::Text(given));
                if target.is_path && machine.cwd.is_some() {
                    // Its other names: this one, and the end of this one.
                    let full = path::normalise(target.text, machine.cwd, &mut scratch);
                    scan_value(ValueRef::Text(full));
                }
                if target.is_path {
                    if let Some(full) = path::on_drive(target.text, machine.cwd) {
                        scan_value(ValueRef::Text(&full));
                    } else if target.text.contains('\\') {
                        scan_value(ValueRef::Text(&path::slashed(target.text)));
                    }
                }
                machine.scratch.path = scratch;
            }
        }
        Some(ScanSource::Result) => {
            if let Some(result) = context.result {
                scan_value(ValueRef::Text(&result.text()));
            }
        }
        // The one reads commands, the other is the policy's.
        Some(ScanSource::Programs | ScanSource::Arguments) | None => {}
    }
}
