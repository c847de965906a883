//! Which rules may fire on an event, found without looking at all the others: those without any
//! requirement that is cheap to look at, those whose number is high enough, and those whose literal is
//! in a text.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::decision::Phase;
use crate::eval::Machine;
use crate::prepared_rules::{PreparedRules, Sources};
use crate::scanned::add_by_scan;
use behavior_image::code::Slot;
use behavior_image::format::{ScanRecord, Section, Threshold, Transition, TriggerGroup};
use behavior_image::{Image, PhasePart, View};

/// The rules of one phase whose triggers select a tool.
#[derive(Debug, Default)]
pub(crate) struct PhaseRules {
    /// How often they were looked at before they were prepared.
    looks: AtomicU32,
    /// The same, prepared; none where they are too many.
    prepared: OnceLock<Option<Box<PreparedRules>>>,
    /// Those that are always looked at, in order.
    always: Box<[u32]>,
    /// The numbers that others wait for.
    gates: Box<[Gate]>,
    /// The scans whose literals others ask for.
    scans: Box<[ScanRecord]>,
    /// Parts with more rules or numbers than are held for each tool.
    large: Box<[PhasePart]>,
}

/// After so many looks at the rules of a tool they are prepared: a process that decides on one event does without.
const LOOKS_BEFORE_PREPARING: u32 = 4;

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

    /// The same, prepared, where they were looked at often enough and are few. `transitions` are those of the tool.
    #[inline]
    pub fn prepared(
        &self,
        image: &Image,
        phase: Phase,
        groups: &[u32],
        transitions: &[Transition],
    ) -> Option<&PreparedRules> {
        match self.prepared.get() {
            Some(prepared) => prepared.as_deref(),
            None => self.prepare(image.view(), phase, groups, transitions),
        }
    }

    /// The same, if they are prepared.
    #[inline]
    pub fn known(&self) -> Option<&PreparedRules> {
        self.prepared.get()?.as_deref()
    }

    #[cold]
    fn prepare(
        &self,
        view: View<'_>,
        phase: Phase,
        groups: &[u32],
        transitions: &[Transition],
    ) -> Option<&PreparedRules> {
        if self.looks.fetch_add(1, Ordering::Relaxed) < LOOKS_BEFORE_PREPARING {
            return None;
        }
        let prepare = || {
            if !self.large.is_empty() {
                return None;
            }
            let thresholds = self.gates.iter().flat_map(|gate| gate.thresholds.clone());
            let sources = Sources {
                always: &self.always,
                thresholds: thresholds.map(|row| view.row(Section::Thresholds, row)).collect(),
                scans: &self.scans,
                transitions: if phase == Phase::PreTool { transitions } else { &[] },
            };
            PreparedRules::of(view, &sources, phase, groups).map(Box::new)
        };
        self.prepared.get_or_init(prepare).as_deref()
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
