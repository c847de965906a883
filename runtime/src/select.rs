//! Which rules may fire on an event, found without looking at all the others: those without any
//! requirement that is cheap to look at, those whose number is high enough, and those whose literal is
//! in a text.

use std::ops::Range;

use crate::commands;
use crate::eval::Machine;
use crate::path;
use crate::value::ValueRef;
use behavior_image::code::{ScanSource, Slot};
use behavior_image::format::{ScanRecord, Section, Threshold, TriggerGroup};
use behavior_image::scan;
use behavior_image::{PhasePart, View};

/// The rules of one phase whose triggers select a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct PhaseRules {
    /// Those that are always looked at, in order.
    always: Box<[u32]>,
    /// The numbers that others wait for.
    gates: Box<[Gate]>,
    /// The scans whose literals others ask for.
    scans: Box<[ScanRecord]>,
    /// Parts with more rules or numbers than are held for each tool.
    large: Box<[PhasePart]>,
}

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
        }
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

/// Adds the rules whose literal, or whose program, is in what a scan looks at.
fn add_by_scan(
    machine: &mut Machine<'_>,
    record: &ScanRecord,
    groups: &[u32],
    candidates: &mut Vec<u32>,
) {
    let view = machine.view;
    let context = machine.context;
    let fold = &mut machine.scratch.fold;
    let mut found = |index: u32| {
        let rule = view.rule(index);
        let is_triggered =
            || view.list(rule.triggers, rule.triggers_len).any(|group| groups.contains(&group));
        if rule.phase == context.phase as u8 && is_triggered() {
            candidates.push(index);
        }
    };
    let mut scan_value = |value: ValueRef<'_>| {
        value.any_text(|text| {
            scan::search(&view, record, text, fold, &mut found);
            false
        });
    };
    match ScanSource::from_number(record.source) {
        Some(ScanSource::Programs) => {
            let value = context.params.command_line(view.string(record.param), context.is_shell);
            if let Some(value) = value {
                let shell = &mut machine.scratch.shell;
                if shell.read_if_it_matters(machine.image, value) {
                    commands::search_programs(&view, record, shell.line(), &mut found);
                }
            }
        }
        Some(ScanSource::Param) => {
            if let Some(value) = context.params.get(view.string_bytes(record.param)) {
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
        // That one is the policy's.
        Some(ScanSource::Arguments) | None => {}
    }
}
