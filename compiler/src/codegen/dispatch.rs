//! Dispatch tables: which rules and which changes of state a tool name selects, and under which
//! guard each rule is looked at.

use std::collections::{BTreeMap, HashMap, HashSet};

use behavior_facts::tools::last_part;
use behavior_image::Draft;
use behavior_image::code::{Change, ScanSource};
use behavior_image::format::{NONE, Run, Threshold, Transition, TriggerGroup};
use behavior_image::scan;
use behavior_runtime::decision::Phase;

use super::guard::{Alternative, Guard, Source};
use crate::ir::{Index, Program, ResetTest, ResetWhen, Rule, Trigger};

/// Scans are numbered by the bits of a word.
const MAX_SCANS: usize = 32;

/// What one trigger selects, before it is laid out.
#[derive(Default)]
struct Group {
    phases: [PhaseRules; 4],
    transitions: Vec<Transition>,
}

#[derive(Default)]
struct PhaseRules {
    always: Vec<u32>,
    thresholds: Vec<Threshold>,
    scans: u32,
}

/// Literals of one scan, and the rules that they bring in.
type ScanKey<'g> = (u8, &'g Source, usize);

/// Lays out the tables. `conditions` are the runs of [`Program::state_conditions`], in their order.
pub(super) fn generate(draft: &mut Draft, program: &Program, conditions: &[Run]) {
    let names = group_names(program);
    let indexes: Indexes<'_> =
        names.iter().enumerate().map(|(index, name)| (*name, index as u32)).collect();
    let mut groups: Vec<Group> = names.iter().map(|_| Group::default()).collect();
    let guards: Vec<Guard> =
        program.rules.iter().map(|rule| Guard::of(program, &rule.condition)).collect();
    let scans = scans(draft, program, &guards);
    for (rule, (ir, guard)) in program.rules.iter().zip(&guards).enumerate() {
        let selected = rule_groups(ir, &indexes);
        let run = draft.list(selected.iter().copied());
        if let Some(record) = draft.rules.get_mut(rule) {
            (record.triggers, record.triggers_len) = (run.start, run.len);
        }
        let guard = if is_usable(guard, ir.phase, &scans) { guard } else { &Guard::Open };
        for group in selected {
            if let Some(rules) = phase_rules(&mut groups, group, ir.phase) {
                add_rule(rules, rule as u32, guard, ir.phase, &scans);
            }
        }
    }
    add_transitions(draft, program, conditions, &indexes, &mut groups);
    for (name, group) in names.iter().zip(groups) {
        lay_out(draft, name, group);
    }
}

/// The groups by name.
type Indexes<'p> = HashMap<&'p str, u32, foldhash::fast::RandomState>;

/// `*`, then all names that anything is triggered by, sorted by last part and full name.
fn group_names(program: &Program) -> Vec<&str> {
    let mut names: HashSet<&str, foldhash::fast::RandomState> =
        program.rules.iter().flat_map(Rule::trigger_names).collect();
    for set in &program.sets {
        let all = set.add_on.iter().chain(&set.add_on_call).chain(&set.add_on_success);
        names.extend(all.map(|name| &**name));
    }
    for counter in &program.counters {
        let reset = counter.reset_when.iter().flat_map(|reset| &reset.tools);
        let all = counter.increment_on.iter().chain(&counter.reset_on).chain(reset);
        names.extend(all.map(|name| &**name));
    }
    for flag in &program.flags {
        names.extend(flag.set_on.iter().chain(&flag.unset_on).map(|name| &**name));
    }
    names.remove("*");
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable_by_key(|name| (last_part(name), *name));
    names.insert(0, "*");
    names
}

/// The groups of a rule; one with `*` needs no other.
fn rule_groups(rule: &Rule, indexes: &Indexes<'_>) -> Vec<u32> {
    if rule.triggers.iter().any(Trigger::selects_all) {
        return vec![0];
    }
    rule.trigger_names().filter_map(|trigger| indexes.get(trigger).copied()).collect()
}

fn phase_rules(groups: &mut [Group], group: u32, phase: Phase) -> Option<&mut PhaseRules> {
    groups.get_mut(group as usize)?.phases.get_mut(phase as usize)
}

fn add_rule(
    rules: &mut PhaseRules,
    rule: u32,
    guard: &Guard,
    phase: Phase,
    scans: &BTreeMap<ScanKey<'_>, u32>,
) {
    let Guard::AnyOf(alternatives) = guard else {
        rules.always.push(rule);
        return;
    };
    for alternative in alternatives {
        match alternative {
            Alternative::AtLeast(slot, least) => {
                rules.thresholds.push(Threshold { slot: slot.0, rule, least: *least });
            }
            Alternative::Program(source, _) => {
                let scan = scans.get(&(phase as u8, source, 0)).copied().unwrap_or(0);
                rules.scans |= 1 << scan;
            }
            Alternative::Literal(source, text) => {
                let scan = scans.get(&scan_key(phase, source, text)).copied().unwrap_or(0);
                rules.scans |= 1 << scan;
            }
        }
    }
}

fn scan_key<'g>(phase: Phase, source: &'g Source, literal: &str) -> ScanKey<'g> {
    (phase as u8, source, scan::gram_of(literal).unwrap_or(0))
}

/// Whether all texts of a guard are scanned; otherwise the rule is always looked at.
fn is_usable(guard: &Guard, phase: Phase, scans: &BTreeMap<ScanKey<'_>, u32>) -> bool {
    let Guard::AnyOf(alternatives) = guard else { return true };
    let is_scanned = |alternative: &Alternative| match alternative {
        Alternative::Literal(source, text) => scans.contains_key(&scan_key(phase, source, text)),
        Alternative::Program(source, _) => scans.contains_key(&(phase as u8, source, 0)),
        Alternative::AtLeast(..) => true,
    };
    alternatives.iter().all(is_scanned)
}

/// Builds a scan for every phase and text that rules require literals of, the busiest first where
/// there are too many.
fn scans<'g>(
    draft: &mut Draft,
    program: &Program,
    guards: &'g [Guard],
) -> BTreeMap<ScanKey<'g>, u32> {
    let mut wanted: BTreeMap<ScanKey<'g>, Vec<(Box<str>, u32)>> = BTreeMap::new();
    for (rule, (ir, guard)) in program.rules.iter().zip(guards).enumerate() {
        let Guard::AnyOf(alternatives) = guard else { continue };
        for alternative in alternatives {
            let (key, text) = match alternative {
                Alternative::Literal(source, text) => (scan_key(ir.phase, source, text), text),
                Alternative::Program(source, name) => ((ir.phase as u8, source, 0), name),
                Alternative::AtLeast(..) => continue,
            };
            wanted.entry(key).or_default().push((text.clone(), rule as u32));
        }
    }
    let merged = merge_small(&mut wanted);
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort_by_key(|(_, literals)| std::cmp::Reverse(literals.len()));
    wanted.truncate(MAX_SCANS);
    let mut scans = BTreeMap::new();
    for (key, literals) in wanted {
        let param = match key.1.kind {
            ScanSource::Param | ScanSource::Programs => draft.string(&key.1.param),
            _ => NONE,
        };
        let tables = match key.1.kind {
            ScanSource::Programs => scan::of_programs(literals),
            _ => scan::build(key.2, literals),
        };
        let scan = draft.scan(key.1.kind as u32, param, tables);
        scans.insert(key, scan);
    }
    for (long, short) in merged {
        if let Some(&scan) = scans.get(&short) {
            scans.insert(long, scan);
        }
    }
    scans
}

/// A text with few literals is scanned once, for three bytes, rather than once for each length.
/// Returns the keys that went into others.
fn merge_small<'g>(
    wanted: &mut BTreeMap<ScanKey<'g>, Vec<(Box<str>, u32)>>,
) -> Vec<(ScanKey<'g>, ScanKey<'g>)> {
    const FEW: usize = 256;
    let [least, most] = scan::GRAMS;
    let keys: Vec<ScanKey<'_>> = wanted.keys().filter(|key| key.2 == most).copied().collect();
    let mut merged = Vec::new();
    for long in keys {
        let short = (long.0, long.1, least);
        let count = |key: &ScanKey<'_>| wanted.get(key).map_or(0, Vec::len);
        if count(&short) == 0 || count(&short) + count(&long) > FEW {
            continue;
        }
        let literals = wanted.remove(&long).unwrap_or_default();
        wanted.entry(short).or_default().extend(literals);
        merged.push((long, short));
    }
    merged
}

fn add_transitions(
    draft: &mut Draft,
    program: &Program,
    conditions: &[Run],
    indexes: &Indexes<'_>,
    groups: &mut [Group],
) {
    let mut add = |tools: &[Box<str>], transition: Transition| {
        for tool in tools {
            let group = indexes.get(&**tool).and_then(|index| groups.get_mut(*index as usize));
            if let Some(group) = group {
                group.transitions.push(transition);
            }
        }
    };
    let plain = |change: Change, target: usize| Transition {
        change: change as u32,
        target: target as u32,
        param: NONE,
        pattern: NONE,
        scan: NONE,
        ..Transition::default()
    };
    let mut conditions = conditions.iter().copied();
    let mut condition = || conditions.next().unwrap_or_default();
    let conditional = |change: Change, target: usize, Run { start, len }: Run| Transition {
        code: start,
        code_len: len,
        ..plain(change, target)
    };
    let all_tools = [Box::from("*")];
    for (index, set) in program.sets.iter().enumerate() {
        let when = condition();
        add(&set.add_on, conditional(Change::Add, index, when));
        add(&set.add_on_call, plain(Change::AddOnCall, index));
        add(&set.add_on_success, conditional(Change::AddOnSuccess, index, when));
    }
    for (index, counter) in program.counters.iter().enumerate() {
        let change =
            if counter.counts_started { Change::IncrementOnCall } else { Change::Increment };
        add(&counter.increment_on, conditional(change, index, condition()));
        add(&counter.reset_on, plain(Change::Reset, index));
        let when = condition();
        if counter.reset_if.is_some() {
            add(&all_tools, conditional(Change::Reset, index, when));
        }
        if let Some(reset) = &counter.reset_when {
            let param = draft.string(&reset.param);
            let transition = match &reset.test {
                ResetTest::Matches(pattern) => Transition {
                    param,
                    pattern: *pattern,
                    scan: reset_scan(draft, program, reset, *pattern),
                    ..plain(Change::ResetWhen, index)
                },
                ResetTest::Runs(shapes) => Transition {
                    param,
                    pattern: super::command::shapes(draft, shapes),
                    ..plain(Change::ResetWhenRuns, index)
                },
            };
            add(&reset.tools, transition);
        }
    }
    for (index, flag) in program.flags.iter().enumerate() {
        add(&flag.set_on, conditional(Change::Set, index, condition()));
        add(&flag.unset_on, plain(Change::Unset, index));
        let when = condition();
        if flag.unset_when.is_some() {
            add(&all_tools, conditional(Change::Unset, index, when));
        }
    }
}

/// A scan for the literals that a reset's pattern requires, while scans last.
fn reset_scan(draft: &mut Draft, program: &Program, reset: &ResetWhen, pattern: Index) -> u32 {
    let Some(literals) = program.patterns.get(pattern as usize).and_then(|p| p.literals.clone())
    else {
        return NONE;
    };
    let shortest = literals.iter().map(|literal| scan::gram_of(literal).unwrap_or(0)).min();
    match shortest {
        Some(gram) if gram > 0 && draft.scans() < MAX_SCANS => {
            let literals = literals.into_iter().map(|literal| (literal, 0)).collect();
            let param = draft.string(&reset.param);
            draft.scan(ScanSource::Param as u32, param, scan::build(gram, literals))
        }
        _ => NONE,
    }
}

fn lay_out(draft: &mut Draft, name: &str, group: Group) {
    let full = draft.string(name);
    let last = draft.string(last_part(name));
    let [pre, post, text, end] = group.phases.map(|mut rules| {
        rules.thresholds.sort_by_key(|row| (row.slot, row.least, row.rule));
        let start = draft.thresholds.len() as u32;
        let len = rules.thresholds.len() as u32;
        draft.thresholds.append(&mut rules.thresholds);
        (draft.list(rules.always), Run { start, len }, rules.scans)
    });
    let transitions = draft.transitions.len() as u32;
    let transitions_len = group.transitions.len() as u32;
    draft.transitions.extend(group.transitions);
    draft.triggers.push(TriggerGroup {
        full,
        last,
        pre: pre.0.start,
        pre_len: pre.0.len,
        pre_thresholds: pre.1.start,
        pre_thresholds_len: pre.1.len,
        pre_scans: pre.2,
        post: post.0.start,
        post_len: post.0.len,
        post_thresholds: post.1.start,
        post_thresholds_len: post.1.len,
        post_scans: post.2,
        text: text.0.start,
        text_len: text.0.len,
        text_thresholds: text.1.start,
        text_thresholds_len: text.1.len,
        text_scans: text.2,
        end: end.0.start,
        end_len: end.0.len,
        end_thresholds: end.1.start,
        end_thresholds_len: end.1.len,
        end_scans: end.2,
        transitions,
        transitions_len,
    });
}
