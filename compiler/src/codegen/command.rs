//! What commands must look like, and what is known of programs, as tables.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use behavior_image::code::Matching;
use behavior_image::format;
use behavior_image::format::{NONE, NameRecord, ProgramFlag, ProgramRecord, Run, ShapeRecord};
use behavior_image::names::flag_key;
use behavior_image::shapes::{NamedShape, Traits};
use behavior_image::{Draft, pack_run};
use behavior_image::{names, prefilter};
use behavior_shell::programs;
use behavior_shell::{FlagEffect, Language, Runs};
use foldhash::fast::RandomState;

use super::paths::path_lists;
use crate::ir::{
    FileUse, FlagTest, KnownFlag, KnownPrograms, ProgramFacts, ProgramKnowledge, Shape,
};

/// What is known of programs, laid out.
struct LaidOut {
    /// What it is made of.
    of: Arc<[ProgramKnowledge]>,
    draft: Draft,
    rows: Rows,
}

/// What was laid out in this process.
static KEPT: Mutex<VecDeque<Arc<LaidOut>>> = Mutex::new(VecDeque::new());

/// More are not kept. There are two of the library's.
const MAX_KEPT: usize = 4;

/// Begins an image with what is known of programs.
pub(super) fn programs(known: &KnownPrograms) -> Draft {
    let base = base(&known.base);
    let mut draft = base.draft.clone();
    lay_out(&mut draft, &known.own, &base.rows);
    mark_inert(&mut draft);
    draft
}

/// What is of use in every image, laid out once.
fn base(programs: &Arc<[ProgramKnowledge]>) -> Arc<LaidOut> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.iter().find(|known| Arc::ptr_eq(&known.of, programs)) {
        return Arc::clone(known);
    }
    let mut draft = Draft::default();
    // The text that is there where none is asked for.
    draft.string("");
    let rows = lay_out(&mut draft, programs, &HashMap::default());
    let made = Arc::new(LaidOut { of: Arc::clone(programs), draft, rows });
    if kept.len() >= MAX_KEPT {
        kept.pop_front();
    }
    kept.push_back(Arc::clone(&made));
    made
}

/// The rows of programs by path.
type Rows = HashMap<Arc<[Box<str>]>, u32, RandomState>;

/// Lays out programs, in the places of those that have a row already or behind all others, each behind what it is a
/// subcommand of. Returns the rows of those that are new.
fn lay_out(draft: &mut Draft, programs: &[ProgramKnowledge], there: &Rows) -> Rows {
    let mut ordered: Vec<&ProgramKnowledge> = programs.iter().collect();
    // They are sorted by path. By depth first, a parent's row is known before those below it.
    ordered.sort_by_key(|program| program.path.len());
    let mut rows = Rows::default();
    // Names of one program share its flags.
    let mut laid_out: HashMap<FlagsKey<'_>, Vec<(&[KnownFlag], u32)>, RandomState> =
        HashMap::default();
    for ProgramKnowledge { path, facts } in ordered {
        let Some((name, above)) = path.split_last() else { continue };
        let parent = rows.get(above).or_else(|| there.get(above)).copied().unwrap_or(NONE);
        if parent == NONE && !above.is_empty() {
            continue;
        }
        let alike = laid_out.entry(flags_key(&facts.flags)).or_default();
        let flags = match alike.iter().find(|(known, _)| **known == *facts.flags) {
            Some((_, row)) => *row,
            None => {
                let row = flags(draft, &facts.flags);
                alike.push((&facts.flags, row));
                row
            }
        };
        let record = program(draft, facts, flags);
        let record = ProgramRecord { name: draft.string(name), parent, ..record };
        let own = there.get(path).copied();
        match own.and_then(|row| draft.programs.get_mut(row as usize)) {
            Some(slot) => *slot = record,
            None => {
                rows.insert(Arc::clone(path), draft.programs.len() as u32);
                draft.programs.push(record);
            }
        }
    }
    rows
}

/// Lays out what is known of a program, whose flags stand from a row on.
fn program(draft: &mut Draft, program: &ProgramFacts, flags: u32) -> ProgramRecord {
    let settings = names(draft, &program.settings);
    let harmless = names(draft, &program.harmless);
    let escapes = names(draft, &program.escapes);
    let uses = draft.file_uses.len() as u32;
    file_uses(draft, &program.uses);
    ProgramRecord {
        name: NONE,
        parent: NONE,
        flags,
        flags_len: program.flags.len() as u32,
        runs: program.runs as u32,
        skip: program.skip,
        traits: program.traits,
        settings: settings.start,
        settings_len: settings.len,
        harmless: harmless.start,
        harmless_len: harmless.len,
        escapes: escapes.start,
        escapes_len: escapes.len,
        language: program.language as u32,
        plus: program.plus.as_ref().map_or(NONE, |flag| draft.string(flag)),
        uses,
        uses_len: program.uses.len() as u32,
    }
}

/// How many flags there are, the first one and the last one. To compare lists that agree in this is quicker than to
/// hash whole lists.
type FlagsKey<'f> = (usize, Option<&'f str>, Option<&'f str>);

fn flags_key(flags: &[KnownFlag]) -> FlagsKey<'_> {
    let [first, last] = [flags.first(), flags.last()].map(|flag| flag.map(|flag| &*flag.spelling));
    (flags.len(), first, last)
}

/// Lays out what a program does with files.
fn file_uses(draft: &mut Draft, uses: &[Arc<FileUse>]) {
    for file in uses {
        let (with, without) = (names(draft, &file.with), names(draft, &file.without));
        let record = format::FileUse {
            effect: file.effect as u8,
            place: file.place as u8,
            reserved: 0,
            name: file.name.as_ref().map_or(NONE, |name| draft.string(name)),
            with: with.start,
            with_len: with.len,
            without: without.start,
            without_len: without.len,
        };
        draft.file_uses.push(record);
    }
}

/// Marks the programs that run nothing, whatever their words.
fn mark_inert(draft: &mut Draft) {
    use programs::Traits;
    let flags = &draft.program_flags;
    let is_inert = |record: &ProgramRecord| {
        let own = record.flags as usize..(record.flags + record.flags_len) as usize;
        let mut effects = flags.get(own).into_iter().flatten().map(|flag| flag.effect);
        record.runs == Runs::Nothing as u32
            && record.escapes_len == 0
            && record.language == Language::Unknown as u32
            && record.traits & (Traits::RUNNING | Traits::RUNS_FILES) == 0
            && effects.all(|effect| effect == FlagEffect::Nothing as u8)
    };
    let mut inert: Vec<bool> = draft.programs.iter().map(is_inert).collect();
    // Subcommands stand behind their parents.
    for (row, record) in draft.programs.iter().enumerate().rev() {
        if !inert.get(row).copied().unwrap_or(false)
            && let Some(parent) = inert.get_mut(record.parent as usize)
        {
            *parent = false;
        }
    }
    for (record, is_inert) in draft.programs.iter_mut().zip(inert) {
        record.traits |= if is_inert { Traits::INERT } else { 0 };
    }
}

/// Lays out the flags of a program; returns the first row.
fn flags(draft: &mut Draft, flags: &[KnownFlag]) -> u32 {
    let start = draft.program_flags.len() as u32;
    for flag in flags {
        let record = ProgramFlag {
            spelling: draft.string(&flag.spelling),
            canonical: draft.string(&flag.canonical),
            key: flag_key(&flag.spelling),
            value: flag.value as u8,
            effect: flag.effect as u8,
            reserved: 0,
        };
        draft.program_flags.push(record);
    }
    start
}

/// Lays out the names of programs that anything knows or asks about, once everything else is there.
pub(super) fn program_names(draft: &mut Draft) {
    let known = (0..).zip(&draft.programs).map(|(program, record)| NameRecord {
        name: record.name,
        parent: record.parent,
        program,
        ..NameRecord::default()
    });
    let mut known: Vec<NameRecord> = known.collect();
    let top: HashSet<u32> =
        known.iter().filter(|name| name.parent == NONE).map(|name| name.name).collect();
    let asked = draft.shapes.iter().flat_map(|shape| {
        let lists = [
            (shape.programs, shape.programs_len),
            (shape.piped_from, shape.piped_from_len),
            (shape.substitutes, shape.substitutes_len),
            (shape.under, shape.under_len),
        ];
        lists.map(|(start, len)| start as usize..(start + len) as usize)
    });
    let asked: BTreeSet<u32> =
        asked.filter_map(|run| draft.lists.get(run)).flatten().copied().collect();
    let others = asked.into_iter().filter(|name| !top.contains(name));
    known.extend(others.map(|name| NameRecord {
        name,
        parent: NONE,
        program: NONE,
        ..NameRecord::default()
    }));
    let texts = known.iter().map(|record| (draft.text(record.name), *record));
    draft.names = names::table(texts);
}

/// Lays out shapes; returns the constant that describes the list of them.
pub(crate) fn shapes(draft: &mut Draft, shapes: &[Shape]) -> u32 {
    let mut unnamed = Vec::new();
    let mut named = Vec::new();
    for one in shapes {
        let row = shape(draft, one);
        if one.programs.is_empty() || one.program_pattern.is_some() {
            unnamed.push(row);
        } else {
            let first = one.operands.as_ref().and_then(|operands| operands.first());
            let first = first.copied().flatten().and_then(|pattern| exact_text(draft, pattern));
            let first = first.map_or(NamedShape::ANY, NamedShape::hash);
            named.extend(one.programs.iter().map(|name| NamedShape {
                program: draft.string(name),
                first,
                shape: row,
            }));
        }
    }
    named.sort_unstable();
    named.dedup();
    let named = named.into_iter().flat_map(NamedShape::items);
    let run = draft.list([unnamed.len() as u32].into_iter().chain(unnamed).chain(named));
    draft.shape_runs.push(run);
    draft.constant(pack_run(run))
}

/// The one text that a pattern matches, if it is so simple.
fn exact_text(draft: &Draft, pattern: u32) -> Option<&str> {
    let record = draft.patterns.get(pattern as usize)?;
    (record.matching == Matching::Whole as u32).then(|| draft.text(record.text))
}

/// Lays out a shape; answers with its row.
pub(super) fn shape(draft: &mut Draft, shape: &Shape) -> u32 {
    let programs = names(draft, &shape.programs);
    let operands = draft.list(shape.operands.iter().flatten().map(|item| item.unwrap_or(NONE)));
    let flags = pairs(draft, &shape.flags);
    let any_flags = pairs(draft, &shape.any_flags);
    let no_flags = pairs(draft, &shape.no_flags);
    let some_operand = draft.list(shape.some_operand.iter().copied());
    let without_operand = draft.list(shape.without_operand.iter().copied());
    let writes = draft.list(shape.writes.iter().copied());
    let reads = draft.list(shape.reads.iter().copied());
    let piped_from = names(draft, &shape.piped_from);
    let substitutes = names(draft, &shape.substitutes);
    let under = names(draft, &shape.under);
    let variables = pairs(draft, &shape.variables);
    let traits = [
        (shape.exact, Traits::EXACT),
        (shape.opaque, Traits::OPAQUE),
        (shape.in_loop, Traits::IN_LOOP),
        (shape.calls_itself, Traits::CALLS_ITSELF),
        (shape.status_lost, Traits::STATUS_LOST),
        (shape.unknown_operand, Traits::UNKNOWN_OPERAND),
        (shape.pattern_operand, Traits::PATTERN_OPERAND),
        (shape.operands.is_some(), Traits::OPERANDS),
        (shape.reads_statements, Traits::STATEMENTS),
        (shape.of_class, Traits::OF_CLASS),
        (shape.overwrites, Traits::OVERWRITES),
    ];
    let traits = traits.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, bit)| all | bit);
    let spares = shape.spares.as_ref().map(|paths| (paths.kinds, path_lists(draft, paths)));
    let (spares_kinds, spares) = spares.unwrap_or((0, NONE));
    let program_path = shape.program_path.as_ref().map_or(NONE, |path| draft.string(path));
    draft.shapes.push(ShapeRecord {
        programs: programs.start,
        programs_len: programs.len,
        program_pattern: shape.program_pattern.unwrap_or(NONE),
        program_path,
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
        without_operand: without_operand.start,
        without_operand_len: without_operand.len,
        variables: variables.start,
        variables_len: variables.len,
        spares_kinds: spares_kinds.into(),
        spares,
        traits,
        flag_letters: flag_letters(shape),
    });
    draft.shapes.len() as u32 - 1
}

fn names(draft: &mut Draft, names: &[Box<str>]) -> Run {
    if names.is_empty() {
        return draft.list([]);
    }
    let ids: Vec<u32> = names.iter().map(|name| draft.string(name)).collect();
    draft.list(ids)
}

/// The letters with which the flags begin that a shape asks for.
fn flag_letters(shape: &Shape) -> u64 {
    let flags = shape.flags.iter().chain(&shape.any_flags).chain(&shape.no_flags);
    flags.fold(0, |all, flag| all | prefilter::first_letter(flag.name.as_bytes()))
}

fn pairs(draft: &mut Draft, flags: &[FlagTest]) -> Run {
    let mut rows = Vec::with_capacity(flags.len() * 2);
    for flag in flags {
        rows.push(draft.string(&flag.name));
        rows.push(flag.value.unwrap_or(NONE));
    }
    draft.list(rows)
}
