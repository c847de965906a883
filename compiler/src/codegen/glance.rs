//! What a first look at a command line has to know: the words that make a line worth reading. It is
//! derived from the shapes of conditions and from what is known of programs, so it may only run once
//! both are laid out.

use std::collections::BTreeMap;

use behavior_runtime::code::{FlagEffect, Runs};
use behavior_runtime::image::Draft;
use behavior_runtime::image::format::{NONE, ProgramRecord, Run, ShapeRecord};
use behavior_runtime::shell::glance::{
    KEYWORDS, MOST_BEGINNINGS, is_plain_letter, is_plain_name,
};
use behavior_runtime::shell::names::Traits;
use behavior_runtime::shell::programs;
use behavior_runtime::shell::shape::NamedShape;

/// The traits of names: strings in lower case. Where a first look cannot be enough, there are none,
/// and the draft says so.
pub(super) fn traits(draft: &mut Draft) -> BTreeMap<u32, u32> {
    let mut names = Names::default();
    let asked = asked(draft);
    let is_enough = asked.is_some_and(|asked| names.add_asked(draft, &asked));
    if !is_enough || draft.programs.is_empty() {
        return BTreeMap::new();
    }
    names.add_programs(draft);
    for keyword in KEYWORDS {
        names.mark(draft.string(keyword), Traits::KEYWORD);
    }
    let beginnings = draft.list(names.beginnings);
    draft.program.beginnings = beginnings.start;
    draft.program.beginnings_len = beginnings.len;
    draft.program.can_glance = 1;
    names.traits
}

/// What a condition asks for.
struct Asked {
    /// The program's name, or a pattern for it.
    program: Result<u32, u32>,
    shape: u32,
}

/// Everything that conditions ask for; `None` where one asks for any program.
fn asked(draft: &Draft) -> Option<Vec<Asked>> {
    let mut asked = Vec::new();
    for &Run { start, len } in &draft.shape_runs {
        let run = draft.lists.get(start as usize..(start + len) as usize)?;
        let (&count, rest) = run.split_first()?;
        let (unnamed, named) = rest.split_at_checked(count as usize)?;
        for &shape in unnamed {
            let pattern = draft.shapes.get(shape as usize)?.program_pattern;
            if pattern == NONE {
                return None;
            }
            asked.push(Asked { program: Err(pattern), shape });
        }
        for named in named.as_chunks().0 {
            let NamedShape { program, shape, .. } = NamedShape::from_items(*named);
            asked.push(Asked { program: Ok(program), shape });
        }
    }
    Some(asked)
}

#[derive(Default)]
struct Names {
    traits: BTreeMap<u32, u32>,
    beginnings: Vec<u32>,
}

impl Names {
    fn mark(&mut self, name: u32, bits: u32) {
        *self.traits.entry(name).or_default() |= bits;
    }

    /// Adds what conditions ask for. Says whether a first look can see all of it.
    fn add_asked(&mut self, draft: &mut Draft, asked: &[Asked]) -> bool {
        for Asked { program, shape } in asked {
            let name = match program {
                Ok(name) => *name,
                Err(pattern) => match beginning(draft, *pattern) {
                    Some(beginning) => {
                        self.beginnings.push(draft.string(&beginning));
                        continue;
                    }
                    None => return false,
                },
            };
            if !is_plain_name(draft.text(name)) {
                return false;
            }
            let shape = draft.shapes.get(*shape as usize).copied();
            match shape.and_then(|shape| first_operand(draft, &shape)) {
                Some(first) => {
                    let first = draft.string(&first);
                    self.mark(name, Traits::PROGRAM);
                    self.mark(first, Traits::FIRST);
                }
                None => self.mark(name, Traits::MATTERS),
            }
        }
        self.beginnings.sort_unstable();
        self.beginnings.dedup();
        self.beginnings.len() <= MOST_BEGINNINGS
    }

    /// Adds the programs that may run something, or of which it may not be known what they run.
    fn add_programs(&mut self, draft: &Draft) {
        let mut rows: Vec<u32> =
            draft.programs.iter().map(|program| running(draft, program)).collect();
        // Subcommands stand behind their parents.
        for (row, record) in draft.programs.iter().enumerate().rev() {
            let own = rows.get(row).copied().unwrap_or_default();
            if let Some(parent) = rows.get_mut(record.parent as usize) {
                *parent |= own;
            }
        }
        for (record, bits) in draft.programs.iter().zip(rows) {
            if record.parent == NONE && bits != 0 {
                self.mark(record.name, bits);
            }
        }
    }
}

/// The letters with which a pattern for names begins, if those decide.
fn beginning(draft: &Draft, pattern: u32) -> Option<String> {
    let source = draft.text(draft.patterns.get(pattern as usize)?.source);
    let end = source.find(|letter| !is_plain_letter(letter))?;
    let beginning = source.get(..end)?;
    is_plain_name(beginning).then(|| beginning.to_ascii_lowercase())
}

/// A word that has to be in the line for the first operand of a shape to be there.
fn first_operand(draft: &Draft, shape: &ShapeRecord) -> Option<String> {
    let first = (shape.operands_len > 0).then(|| draft.lists.get(shape.operands as usize))??;
    let pattern = draft.patterns.get(*first as usize)?;
    let source = draft.text(pattern.source);
    // Of a set of letters, or behind a backslash, a part is no word.
    if source.contains(['[', '{', '\\', '(']) {
        return None;
    }
    // Beside a star or a question mark there may be more letters.
    let is_whole = |part: &&str| is_plain_name(part);
    let mut parts = source.split(|letter| !is_plain_letter(letter) && !matches!(letter, '*' | '?'));
    parts.find(is_whole).map(str::to_ascii_lowercase)
}

/// What a first look has to know of a program that runs others.
fn running(draft: &Draft, program: &ProgramRecord) -> u32 {
    let flags = program.flags as usize..(program.flags + program.flags_len) as usize;
    let effects = draft.program_flags.get(flags).into_iter().flatten().map(|flag| flag.effect);
    let effects: u32 = effects.fold(0, |all, effect| all | 1 << effect);
    let has_effect = |effect: FlagEffect| effects & 1 << effect as u8 != 0;
    let has = |bit: u32| program.traits & bit != 0;
    let runs = Runs::from_number(program.runs).unwrap_or(Runs::Shell);
    let reads = match runs {
        Runs::Shell => true,
        Runs::Line => program.skip > 0,
        _ => false,
    };
    let reads = reads
        || has(programs::Traits::MORE_WORDS)
        || has(programs::Traits::STATEMENTS)
        || has_effect(FlagEffect::Input)
        || has_effect(FlagEffect::File);
    let runs = runs != Runs::Nothing
        || has(programs::Traits::SETTINGS)
        || program.escapes_len > 0
        || effects & !(1 << FlagEffect::Nothing as u8) != 0;
    match (reads, runs) {
        (true, _) => Traits::MATTERS,
        (false, true) => Traits::RUNS,
        (false, false) => 0,
    }
}
