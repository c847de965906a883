//! What a first look at a command line has to know: the words that make a line worth reading. It is
//! derived from the shapes of conditions and from what is known of programs, so it may only run once
//! both are laid out.

use std::collections::{BTreeMap, BTreeSet};

use behavior_runtime::code::{FlagEffect, Runs};
use behavior_runtime::image::Draft;
use behavior_runtime::image::format::{NONE, ProgramRecord, Run, ShapeRecord};
use behavior_runtime::shell::glance::{KEYWORDS, MOST_BEGINNINGS, is_plain_letter, is_plain_name};
use behavior_runtime::shell::names::Traits;
use behavior_runtime::shell::programs;
use behavior_runtime::shell::shape::NamedShape;

/// What a word that is a name means for a first look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meaning {
    pub traits: u32,
    /// Kinds of programs: the name is one of such a kind.
    pub programs: u32,
    /// Kinds of programs: the name is an operand that conditions ask for behind one.
    pub operands: u32,
}

/// The names that mean something: strings in lower case. Where a first look cannot be enough, there
/// are none, and the draft says so.
pub(super) fn meanings(draft: &mut Draft) -> BTreeMap<u32, Meaning> {
    let mut names = Names::default();
    let asked = asked(draft);
    let is_enough = asked.is_some_and(|asked| names.add_asked(draft, &asked));
    if !is_enough || draft.programs.is_empty() {
        return BTreeMap::new();
    }
    names.add_programs(draft);
    names.add_operands();
    for keyword in KEYWORDS {
        names.at(draft.string(keyword)).traits |= Traits::KEYWORD;
    }
    let beginnings = draft.list(names.beginnings);
    draft.program.beginnings = beginnings.start;
    draft.program.beginnings_len = beginnings.len;
    draft.program.can_glance = 1;
    names.meanings
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
    meanings: BTreeMap<u32, Meaning>,
    beginnings: Vec<u32>,
    /// Operands that make a line worth reading, by the program; for a program that does so alone, none.
    operands: BTreeMap<u32, Option<BTreeSet<u32>>>,
}

impl Names {
    fn at(&mut self, name: u32) -> &mut Meaning {
        self.meanings.entry(name).or_default()
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
            let operand = shape.and_then(|shape| required_operand(draft, &shape));
            let operand = operand.map(|operand| draft.string(&operand));
            self.matters(name, operand);
        }
        self.beginnings.sort_unstable();
        self.beginnings.dedup();
        self.beginnings.len() <= MOST_BEGINNINGS
    }

    /// Notes that a program makes a line worth reading, perhaps only with an operand.
    fn matters(&mut self, program: u32, operand: Option<u32>) {
        let known = self.operands.entry(program).or_insert_with(|| Some(BTreeSet::new()));
        match operand {
            Some(operand) => known.iter_mut().for_each(|known| _ = known.insert(operand)),
            None => *known = None,
        }
    }

    fn add_operands(&mut self) {
        // Programs of which the same is asked are of one kind.
        let mut kinds: BTreeMap<BTreeSet<u32>, u32> = BTreeMap::new();
        for (program, operands) in std::mem::take(&mut self.operands) {
            let Some(operands) = operands else {
                self.at(program).traits |= Traits::MATTERS;
                continue;
            };
            let next = 1 << (kinds.len() % 32);
            let kind = *kinds.entry(operands.clone()).or_insert(next);
            self.at(program).programs |= kind;
            operands.into_iter().for_each(|operand| self.at(operand).operands |= kind);
        }
    }

    /// Adds the programs that may run something, or of which it may not be known what they run.
    fn add_programs(&mut self, draft: &Draft) {
        for record in &draft.programs {
            let top = top_of(draft, record);
            match running(draft, record) {
                Running::Nothing => {}
                Running::Words => self.at(top).traits |= Traits::RUNS,
                Running::Anything if record.parent == NONE => self.matters(top, None),
                Running::Anything => {
                    let is_plain = is_plain_name(draft.text(record.name));
                    self.matters(top, is_plain.then_some(record.name));
                }
            }
        }
    }
}

/// The name of the program that a subcommand belongs to.
fn top_of(draft: &Draft, record: &ProgramRecord) -> u32 {
    let mut top = record;
    // Subcommands stand behind their parents, so this ends.
    while let Some(parent) = draft.programs.get(top.parent as usize) {
        top = parent;
    }
    top.name
}

/// What a program runs besides itself.
enum Running {
    Nothing,
    /// What its own words say.
    Words,
    /// What nobody may know.
    Anything,
}

/// The letters with which a pattern for names begins, if those decide.
fn beginning(draft: &Draft, pattern: u32) -> Option<String> {
    let source = draft.text(draft.patterns.get(pattern as usize)?.source);
    let end = source.find(|letter| !is_plain_letter(letter))?;
    let beginning = source.get(..end)?;
    is_plain_name(beginning).then(|| beginning.to_ascii_lowercase())
}

/// A word that has to be in the line for the operands of a shape to be there: of the last one that
/// tells, since that is the one that is rare.
fn required_operand(draft: &Draft, shape: &ShapeRecord) -> Option<String> {
    let operands = shape.operands as usize..(shape.operands + shape.operands_len) as usize;
    let operands = draft.lists.get(operands)?;
    operands.iter().rev().find_map(|pattern| whole_word(draft, *pattern))
}

/// A word that is in every text that a pattern matches.
fn whole_word(draft: &Draft, pattern: u32) -> Option<String> {
    let pattern = draft.patterns.get(pattern as usize)?;
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
fn running(draft: &Draft, program: &ProgramRecord) -> Running {
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
        (true, _) => Running::Anything,
        (false, true) => Running::Words,
        (false, false) => Running::Nothing,
    }
}
