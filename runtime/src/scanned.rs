//! Where in an event the scans of an image look for what rules ask for. Knows nothing of how the rules that they find are
//! chosen from.

use crate::decision::Phase;
use crate::eval::Machine;
use behavior_facts::commands;
use behavior_facts::path;
use behavior_facts::value::ValueRef;
use behavior_image::View;
use behavior_image::code::ScanSource;
use behavior_image::format::ScanRecord;
use behavior_image::scan;

/// Whether a rule is one of a phase whose trigger is among the groups.
pub(crate) fn is_triggered(view: View<'_>, index: u32, phase: Phase, groups: &[u32]) -> bool {
    let rule = view.rule(index);
    rule.phase == phase as u8
        && view.list(rule.triggers, rule.triggers_len).any(|group| groups.contains(&group))
}

/// Adds the rules whose literal, or whose program, is in what a scan looks at.
pub(crate) fn add_by_scan(
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
pub(crate) fn each_text(
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
