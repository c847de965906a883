//! What a first look at a command line has to know: the words that make a line worth reading. It is
//! derived from the shapes of conditions and from what is known of programs, so it may only run once
//! both are laid out.

use std::collections::{BTreeMap, BTreeSet};

use behavior_image::Draft;
use behavior_image::format::{Meaning, NONE, ProgramFlag, ProgramRecord, Run, ShapeRecord};
use behavior_image::prefilter::{
    self, MAX_BEGINNINGS, Traits, first_letter, is_plain_letter, is_plain_name,
};
use behavior_image::shapes::NamedShape;
use behavior_shell::keywords::{COPIERS, INPUT_FILES, KEYWORDS, TABLES_OF_PROGRAMS};
use behavior_shell::programs;
use behavior_shell::{FlagEffect, Language, Runs, tasks};

/// Lays out what words mean. Where a first look cannot be enough, none mean anything.
pub(super) fn words(draft: &mut Draft) {
    let mut names = Names::default();
    let mut looks_at_redirects = false;
    let asked = asked(draft, &mut looks_at_redirects);
    let is_enough = asked.is_some_and(|asked| names.add_asked(draft, &asked));
    draft.program.looks_at_redirects = u32::from(looks_at_redirects);
    if !is_enough || draft.programs.is_empty() {
        return;
    }
    draft.program.prefilters_policy = u32::from(names.add_policy(draft));
    names.add_programs(draft);
    names.lay_out_kinds();
    for word in words_beside_programs() {
        names.at(draft.string(&word)).traits |= Traits::KEYWORD;
    }
    let beginnings = draft.list(names.beginnings);
    draft.program.beginnings = beginnings.start;
    draft.program.beginnings_len = beginnings.len;
    let words = names.meanings.iter().map(|(name, meaning)| (draft.text(*name), *meaning));
    (draft.prefilter, draft.meanings) = prefilter::lay_out(words);
}

/// Words that are no programs where a command begins, and those that mean something to a program that
/// runs what it reads: a line that holds one beside such a program has to be read. A first look stops at
/// signs by itself.
fn words_beside_programs() -> impl Iterator<Item = String> {
    let words = KEYWORDS.iter().chain(TABLES_OF_PROGRAMS).chain(INPUT_FILES).chain(COPIERS);
    words.filter(|word| is_plain_name(word)).map(|word| word.to_ascii_lowercase())
}

/// What a condition asks for.
struct Asked {
    /// The program's name, or a pattern for it.
    program: Result<u32, u32>,
    shape: u32,
}

/// Everything that the policy asks of command lines; `None` where it asks for any program.
fn asked_by_policy(draft: &Draft) -> Option<Vec<Asked>> {
    let mut asked = Vec::new();
    for row in &draft.permission_programs {
        let shape = draft.alternatives.get(row.alternative as usize)?.shape;
        let pattern = draft.shapes.get(shape as usize)?.program_pattern;
        match (row.program, pattern) {
            (NONE, NONE) => return None,
            (NONE, pattern) => asked.push(Asked { program: Err(pattern), shape }),
            (program, _) => asked.push(Asked { program: Ok(program), shape }),
        }
    }
    Some(asked)
}

/// Whether a shape asks of any program only for files of the system or the home that it writes by redirection.
fn is_of_redirects(draft: &Draft, shape: &ShapeRecord) -> bool {
    let run = shape.writes as usize..(shape.writes + shape.writes_len) as usize;
    let patterns = draft.lists.get(run).unwrap_or_default();
    let is_absolute = |pattern: &u32| {
        let record = draft.patterns.get(*pattern as usize);
        record.is_some_and(|record| draft.text(record.source).starts_with(['/', '~']))
    };
    !patterns.is_empty() && patterns.iter().all(is_absolute)
}

/// Everything that conditions ask for, but for what [`is_of_redirects`] tells; `None` where one asks for any program.
fn asked(draft: &Draft, looks_at_redirects: &mut bool) -> Option<Vec<Asked>> {
    let mut asked = Vec::new();
    for &Run { start, len } in &draft.shape_runs {
        let run = draft.lists.get(start as usize..(start + len) as usize)?;
        let (&count, rest) = run.split_first()?;
        let (unnamed, named) = rest.split_at_checked(count as usize)?;
        for &shape in unnamed {
            let record = draft.shapes.get(shape as usize)?;
            let pattern = record.program_pattern;
            if pattern == NONE && is_of_redirects(draft, record) {
                *looks_at_redirects = true;
                continue;
            }
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
    /// Subcommands whose flags may run something, by the program; for a program with such flags, none.
    flagged: BTreeMap<u32, Option<BTreeSet<u32>>>,
}

/// Notes an operand of a program, or that it needs none.
fn note(operands: &mut BTreeMap<u32, Option<BTreeSet<u32>>>, program: u32, operand: Option<u32>) {
    let known = operands.entry(program).or_insert_with(|| Some(BTreeSet::new()));
    match operand {
        Some(operand) => known.iter_mut().for_each(|known| _ = known.insert(operand)),
        None => *known = None,
    }
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
            // Its commands have programs of their own, and one takes its place.
            if draft.text(name) == "git" {
                let others = ["git-", "hub"].map(|other| draft.string(other));
                self.beginnings.extend(others);
            }
            let shape = draft.shapes.get(*shape as usize).copied();
            let operand = shape.and_then(|shape| required_operand(draft, &shape));
            let operand = operand.map(|operand| draft.string(&operand));
            note(&mut self.operands, name, operand);
        }
        self.beginnings.sort_unstable();
        self.beginnings.dedup();
        self.beginnings.len() <= MAX_BEGINNINGS
    }

    /// Adds what the policy asks for. Says whether a first look can see all of it; where it cannot, it is as
    /// before.
    fn add_policy(&mut self, draft: &mut Draft) -> bool {
        let Some(asked) = asked_by_policy(draft) else { return false };
        let mut names = Self { beginnings: self.beginnings.clone(), ..Self::default() };
        names.operands.clone_from(&self.operands);
        if !names.add_asked(draft, &asked) {
            return false;
        }
        // A policy is wary of what words may stand for.
        for Asked { program, .. } in asked {
            if let Ok(program) = program {
                names.at(program).traits |= Traits::EXPANDS;
            }
        }
        *self = names;
        true
    }

    /// Gives programs of which the same is asked a kind of their own.
    fn lay_out_kinds(&mut self) {
        let mut kinds: BTreeMap<BTreeSet<u32>, u64> = BTreeMap::new();
        for (program, operands) in std::mem::take(&mut self.operands) {
            let Some(operands) = operands else {
                self.at(program).traits |= Traits::MATTERS;
                continue;
            };
            let next = 1 << (kinds.len() % 64);
            let kind = *kinds.entry(operands.clone()).or_insert(next);
            self.at(program).programs |= kind;
            operands.into_iter().for_each(|operand| self.at(operand).operands |= kind);
        }
        for (index, (program, operands)) in
            std::mem::take(&mut self.flagged).into_iter().enumerate()
        {
            let kind = 1 << (index % 64);
            self.at(program).flagged_programs |= kind;
            let subcommands = operands.unwrap_or_else(|| BTreeSet::from([program]));
            subcommands.into_iter().for_each(|name| self.at(name).flagged_operands |= kind);
        }
    }

    /// Adds the programs that may run something, or of which it may not be known what they run.
    fn add_programs(&mut self, draft: &mut Draft) {
        for at in 0..draft.programs.len() {
            let Some(record) = draft.programs.get(at).copied() else { break };
            let (top, below) = path_of(draft, &record);
            for file in files_of_tasks(&record) {
                let file = draft.string(&file.to_ascii_lowercase());
                note(&mut self.operands, top, Some(file));
            }
            let (draft, record) = (&*draft, &record);
            let is_top = below.is_none();
            let below = below.filter(|name| is_plain_name(draft.text(*name)));
            match running(draft, record) {
                Running::Nothing => match letters(draft, record) {
                    0 => {}
                    letters => {
                        self.at(below.unwrap_or(top)).flags |= letters;
                        note(&mut self.flagged, top, below);
                    }
                },
                Running::Words if is_top => self.at(top).traits |= Traits::RUNS,
                Running::Words | Running::Anything => note(&mut self.operands, top, below),
            }
        }
    }
}

/// The words without which no line holds what a runner of tasks runs: the names of its files, and `pkg`, by which
/// scripts of a package are set one by one.
fn files_of_tasks(record: &ProgramRecord) -> impl Iterator<Item = &'static str> + use<> {
    let language = Language::from_number(record.language).filter(|own| *own != Language::Make);
    let files = language.map_or(&[][..], tasks::files);
    let scripts = (language == Some(Language::Package)).then_some("pkg");
    files.iter().copied().chain(scripts)
}

/// The name of the program that a subcommand belongs to, and of its subcommand that leads there.
fn path_of(draft: &Draft, record: &ProgramRecord) -> (u32, Option<u32>) {
    let (mut top, mut below) = (record, None);
    // Subcommands stand behind their parents, so this ends.
    while let Some(parent) = draft.programs.get(top.parent as usize) {
        below = Some(top.name);
        top = parent;
    }
    (top.name, below)
}

/// What a program runs, whatever its flags.
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
    // Of a set of letters, behind a backslash or beside other letters, a part is no word.
    if source.contains(['[', '{', '\\', '(']) || !source.is_ascii() {
        return None;
    }
    // Beside a star or a question mark there may be more letters.
    let is_whole = |part: &&str| is_plain_name(part);
    let mut parts = source.split(|letter| !is_plain_letter(letter) && !matches!(letter, '*' | '?'));
    parts.find(is_whole).map(str::to_ascii_lowercase)
}

/// The flags of a program that make it run something, with what that is.
fn effects<'d>(
    draft: &'d Draft,
    program: &ProgramRecord,
) -> impl Iterator<Item = (&'d ProgramFlag, FlagEffect)> {
    let flags = program.flags as usize..(program.flags + program.flags_len) as usize;
    let flags = draft.program_flags.get(flags).unwrap_or_default().iter();
    let effect = |flag: &ProgramFlag| FlagEffect::from_number(flag.effect.into());
    flags
        .filter_map(move |flag| effect(flag).map(|effect| (flag, effect)))
        // What is hidden is for allowances only, which have their own reading.
        .filter(|(_, effect)| {
            use FlagEffect::{Hidden, Idle, Instead, Nothing};
            !matches!(effect, Nothing | Hidden | Instead | Idle)
        })
}

/// The letters with which flags begin that make a program run something.
fn letters(draft: &Draft, program: &ProgramRecord) -> u64 {
    let letter = |flag: &ProgramFlag| first_letter(draft.text(flag.spelling).as_bytes());
    effects(draft, program).fold(0, |all, (flag, _)| all | letter(flag))
}

/// What a first look has to know of a program that runs others.
fn running(draft: &Draft, program: &ProgramRecord) -> Running {
    use programs::Traits;
    let has = |bit: u32| program.traits & bit != 0;
    let runs = Runs::from_number(program.runs).unwrap_or(Runs::Shell);
    let runs_words = runs != Runs::Nothing
        || has(Traits::SETTINGS | Traits::ASSIGNMENTS)
        || program.escapes_len > 0;
    let is_read = |effect: FlagEffect| matches!(effect, FlagEffect::Input | FlagEffect::File);
    // In `1erm x`, no letters of a script name what runs.
    let runs_code = program.language != Language::Unknown as u32;
    let reads = runs_code && files_of_tasks(program).next().is_none()
        || has(Traits::MORE_WORDS | Traits::STATEMENTS | Traits::SED)
        || runs == Runs::Shell
        || runs == Runs::Line && program.skip > 0
        || runs_words && effects(draft, program).any(|(_, effect)| is_read(effect));
    match (reads, runs_words) {
        (true, _) => Running::Anything,
        (false, true) => Running::Words,
        (false, false) => Running::Nothing,
    }
}
