//! What commands must look like, and what is known of programs, as tables.

use std::collections::HashMap;

use behavior_runtime::image::format::{NONE, ProgramFlag, ProgramRecord, Run, ShapeRecord};
use behavior_runtime::image::{Draft, pack_run};
use behavior_runtime::shell::shape::Traits;

use crate::ir::{FlagTest, KnownFlag, ProgramKnowledge, Shape};

/// Lays out what is known of programs: the rows sorted by parent and name, as they are looked up.
pub(super) fn programs(draft: &mut Draft, programs: &[ProgramKnowledge]) {
    let mut ordered: Vec<&ProgramKnowledge> = programs.iter().collect();
    // By depth first, so that a parent's row is known before those below it.
    ordered.sort_by(|a, b| (a.path.len(), &a.path).cmp(&(b.path.len(), &b.path)));
    let mut rows: HashMap<&[Box<str>], u32> = HashMap::new();
    // Names of one program share its flags.
    let mut laid_out: HashMap<&[KnownFlag], u32> = HashMap::new();
    for program in ordered {
        let Some((name, above)) = program.path.split_last() else { continue };
        let parent = rows.get(above).copied().unwrap_or(NONE);
        if parent == NONE && !above.is_empty() {
            continue;
        }
        rows.insert(&program.path, draft.programs.len() as u32);
        let flags = *laid_out.entry(&program.flags).or_insert_with(|| flags(draft, &program.flags));
        let settings: Vec<u32> =
            program.settings.iter().map(|setting| draft.string(setting)).collect();
        let settings = draft.list(settings);
        let record = ProgramRecord {
            name: draft.string(name),
            parent,
            flags,
            flags_len: program.flags.len() as u32,
            runs: program.runs as u32,
            skip: program.skip,
            traits: program.traits,
            settings: settings.start,
            settings_len: settings.len,
        };
        draft.programs.push(record);
    }
}

/// Lays out the flags of a program; answers with the first row.
fn flags(draft: &mut Draft, flags: &[KnownFlag]) -> u32 {
    let start = draft.program_flags.len() as u32;
    for flag in flags {
        let record = ProgramFlag {
            spelling: draft.string(&flag.spelling),
            canonical: draft.string(&flag.canonical),
            value: flag.value as u32,
            effect: flag.effect as u32,
        };
        draft.program_flags.push(record);
    }
    start
}

/// Lays out shapes; answers with the constant that describes the list of them.
pub(super) fn shapes(draft: &mut Draft, shapes: &[Shape]) -> u32 {
    let rows: Vec<u32> = shapes.iter().map(|one| shape(draft, one)).collect();
    let run = draft.list(rows);
    draft.constant(pack_run(run))
}

/// Lays out a shape; answers with its row.
pub(super) fn shape(draft: &mut Draft, shape: &Shape) -> u32 {
    let programs = names(draft, &shape.programs);
    let operands = draft.list(shape.operands.iter().flatten().map(|item| item.unwrap_or(NONE)));
    let flags = pairs(draft, &shape.flags);
    let any_flags = pairs(draft, &shape.any_flags);
    let no_flags = pairs(draft, &shape.no_flags);
    let some_operand = draft.list(shape.some_operand.iter().copied());
    let writes = draft.list(shape.writes.iter().copied());
    let reads = draft.list(shape.reads.iter().copied());
    let piped_from = names(draft, &shape.piped_from);
    let substitutes = names(draft, &shape.substitutes);
    let under = names(draft, &shape.under);
    let traits = [
        (shape.exact, Traits::EXACT),
        (shape.opaque, Traits::OPAQUE),
        (shape.in_loop, Traits::IN_LOOP),
        (shape.calls_itself, Traits::CALLS_ITSELF),
        (shape.unknown_operand, Traits::UNKNOWN_OPERAND),
        (shape.operands.is_some(), Traits::OPERANDS),
    ];
    let traits = traits.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, bit)| all | bit);
    draft.shapes.push(ShapeRecord {
        programs: programs.start,
        programs_len: programs.len,
        program_pattern: shape.program_pattern.unwrap_or(NONE),
        operands: operands.start,
        operands_len: operands.len,
        flags: flags.start,
        flags_len: flags.len,
        any_flags: any_flags.start,
        any_flags_len: any_flags.len,
        no_flags: no_flags.start,
        no_flags_len: no_flags.len,
        some_operand: some_operand.start,
        some_operand_len: some_operand.len,
        writes: writes.start,
        writes_len: writes.len,
        reads: reads.start,
        reads_len: reads.len,
        given: shape.given.unwrap_or(NONE),
        piped_from: piped_from.start,
        piped_from_len: piped_from.len,
        substitutes: substitutes.start,
        substitutes_len: substitutes.len,
        under: under.start,
        under_len: under.len,
        traits,
    });
    draft.shapes.len() as u32 - 1
}

fn names(draft: &mut Draft, names: &[Box<str>]) -> Run {
    let ids: Vec<u32> = names.iter().map(|name| draft.string(name)).collect();
    draft.list(ids)
}

fn pairs(draft: &mut Draft, flags: &[FlagTest]) -> Run {
    let mut rows = Vec::with_capacity(flags.len() * 2);
    for flag in flags {
        rows.push(draft.string(&flag.name));
        rows.push(flag.value.unwrap_or(NONE));
    }
    draft.list(rows)
}
