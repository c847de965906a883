//! Whether a command looks like what a rule describes. The answer has three values: where a word is
//! not known, it may be what the rule is about.

use std::ops::Range;

use behavior_image::format::{NONE, PatternRecord, Section, ShapeRecord};
use behavior_image::prefilter::first_letter;
use behavior_image::shapes::{NamedShape, ShapeRun, Traits};
use behavior_image::{Image, View};
use behavior_shell::arguments::{
    Argument, Arguments, Flag, FlagName, drop_taken_back, says_nothing, taken_back,
};
use behavior_shell::given::{Input, Source, input, source};
use behavior_shell::sql;
use behavior_shell::{
    Command, CommandLine, FlagEffect, HOLE, MAX_DEPTH, Reach, RedirectKind, Word, globs,
    programs::Programs,
};

use super::ProgramTable;
use crate::truth::Truth;

/// What was found out about the commands of a line, for all that ask, and buffers.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// The words behind the programs of the commands that were asked about.
    read: Vec<Option<ReadWords>>,
    arguments: Vec<Argument>,
    operands: Vec<Word>,
    /// Whether a pattern matches what commands of the line read from a place.
    given: Vec<(Given, Source, Truth)>,
    fold: String,
    /// A word with something for its holes.
    filled: String,
    path: String,
}

impl Buffers {
    /// Forgets what is known of a line.
    pub(crate) fn forget(&mut self) {
        self.read.clear();
        self.arguments.clear();
        self.operands.clear();
        self.given.clear();
    }
}

/// A pattern for what a program is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Given {
    pattern: u32,
    /// Whether it is read as statements of SQL before.
    is_sql: bool,
}

impl Given {
    fn of(shape: &ShapeRecord) -> Self {
        Self { pattern: shape.given, is_sql: shape.traits & Traits::STATEMENTS != 0 }
    }
}

/// The words behind the program of one command.
#[derive(Clone, Debug)]
struct ReadWords {
    /// Places in [`Buffers::arguments`].
    arguments: Range<usize>,
    /// Places in [`Buffers::operands`].
    operands: Range<usize>,
    /// A word may be any flag.
    unknown: bool,
    /// Some operand is not known.
    varies: bool,
    /// The hash of the first operand; of none at all, no operand's. Not known, it may be any.
    first: Option<u32>,
}

/// The words of a command, as far as they are known.
pub(crate) struct NamedWords<'a> {
    /// The program.
    pub program: &'a str,
    pub operands: Vec<Word>,
    /// The flags without dashes, and their values.
    pub flags: Vec<(String, Option<Word>)>,
}

/// Tests the commands of a line.
pub struct Matcher<'a> {
    image: &'a Image,
    view: View<'a>,
    programs: Option<ProgramTable<'a>>,
    line: &'a CommandLine,
    buffers: &'a mut Buffers,
    /// Whether words are looked at for all that they may name.
    is_wary: bool,
}

/// What was found out about the flags of a command.
#[derive(Default)]
struct Flags {
    /// A bit for each required flag.
    seen: u64,
    /// Required flags whose value is not known.
    doubtful: u64,
    any: Option<Truth>,
    forbidden: Option<Truth>,
    /// Flags that the shape does not name.
    extra: bool,
    /// A word that may be any flag.
    unknown: bool,
}

/// The letters of the name of a flag, without dashes.
fn flag_bytes<'t>(name: FlagName, line: &'t CommandLine, view: View<'t>) -> &'t [u8] {
    match name {
        FlagName::Known(id) => view.string_bytes(id),
        FlagName::Written(word) => line.text(&word).as_bytes(),
    }
}

/// Whether the name of a flag is a string of the image.
fn is_flag(name: FlagName, wanted: u32, line: &CommandLine, view: View<'_>) -> bool {
    match name {
        FlagName::Known(id) => id == wanted,
        FlagName::Written(word) => view.is_string(wanted, line.text(&word).as_bytes()),
    }
}

impl<'a> Matcher<'a> {
    /// `buffers` hold nothing of another line.
    #[inline]
    pub fn new(image: &'a Image, line: &'a CommandLine, buffers: &'a mut Buffers) -> Self {
        Self {
            image,
            view: image.view(),
            programs: ProgramTable::of(image),
            line,
            buffers,
            is_wary: false,
        }
    }

    /// From here on, words are looked at for all that they may name, or not: a glob for the files that
    /// it may expand to, a path for its shortest form, a file that is read for an operand.
    #[inline]
    pub fn be_wary(&mut self, is_wary: bool) {
        self.is_wary = is_wary;
    }

    /// Whether a command is all that a shape speaks of: its program is not another one of the same
    /// name, and runs nothing besides. A shape that names no program speaks of any.
    #[must_use]
    pub fn covers(&self, index: usize, shape: u32) -> bool {
        let Some(command) = self.line.commands().get(index) else { return false };
        let shape: ShapeRecord = self.view.row(Section::Shapes, shape);
        if shape.programs_len == 0 && shape.program_pattern == NONE {
            return true;
        }
        if command.may_run_more || self.line.is_from_system(command) {
            return !command.may_run_more;
        }
        let Some(first) = self.line.words(command).first() else { return true };
        let named = match shape.program_path {
            NONE => return false,
            path => self.view.string(path),
        };
        let mut scratch = [String::new(), String::new()];
        let [one, other] = &mut scratch;
        crate::path::normalise(self.line.text(first), None, one)
            == crate::path::normalise(named, None, other)
    }

    /// Whether some command of the line has one of the shapes.
    pub(crate) fn some_has(&mut self, shapes: ShapeRun<'a>) -> Truth {
        let mut result = Truth::False;
        for shape in shapes.unnamed() {
            let shape: ShapeRecord = self.view.row(Section::Shapes, shape);
            for index in 0..self.line.commands().len() {
                result = result.or(self.fits(index, &shape));
                if result == Truth::True {
                    return result;
                }
            }
        }
        for (index, command) in self.line.commands().iter().enumerate() {
            result = result.or(match command.opaque {
                Some(_) => self.first_of(index, shapes.named().map(|named| named.shape)),
                None => self.named(index, shapes),
            });
            if result == Truth::True {
                return result;
            }
        }
        result
    }

    /// How many commands the line has.
    pub(crate) fn commands(&self) -> usize {
        self.line.commands().len()
    }

    /// The text of a word of the line.
    pub(crate) fn text(&self, word: &Word) -> &str {
        self.line.text(word)
    }

    /// What a word is in the rounds of a loop over known words; `None` where nobody knows.
    pub(crate) fn in_rounds(&self, word: &Word) -> Option<Vec<String>> {
        self.line.in_rounds(word)
    }

    /// What a word may be among others.
    pub(crate) fn may_be(&self, word: &Word) -> Vec<String> {
        self.line.may_be(word)
    }

    /// The program of a command, its operands, and its flags without dashes, as far as they are known.
    pub(crate) fn named_words(&mut self, index: usize) -> Option<NamedWords<'a>> {
        let command = self.line.commands().get(index)?;
        let name = self.line.program(command)?;
        let read = self.read_words(command, index);
        let operands = self.buffers.operands.get(read.operands).unwrap_or_default().to_vec();
        let (line, view) = (self.line, self.view);
        let flags = self.buffers.arguments.get(read.arguments).unwrap_or_default();
        let name_of = |argument: &Argument| match argument {
            Argument::Flag(flag) => {
                let name = String::from_utf8_lossy(flag_bytes(flag.name, line, view));
                Some((name.into_owned(), flag.value))
            }
            Argument::Operand(_) | Argument::Unknown(_) => None,
        };
        let flags = flags.iter().filter_map(name_of).collect();
        Some(NamedWords { program: name, operands, flags })
    }

    /// Calls `found` with each command of the line that has, or may have, one of the shapes.
    pub(crate) fn each_that_has(
        &mut self,
        shapes: ShapeRun<'a>,
        mut found: impl FnMut(u32, Truth, u32),
    ) {
        for (index, command) in self.line.commands().iter().enumerate() {
            let named: Vec<u32> = match (command.opaque, command.name()) {
                (Some(_), _) => shapes.named().map(|named| named.shape).collect(),
                (None, Some(name)) => {
                    shapes.of_program(name).iter().map(|row| NamedShape::read(row).shape).collect()
                }
                (None, None) => Vec::new(),
            };
            for shape in shapes.unnamed().chain(named) {
                let truth = self.has(index, shape);
                if truth != Truth::False {
                    found(index as u32, truth, shape);
                }
            }
        }
    }

    /// A command of the line of which nobody can tell whether it has one of the shapes: one that is opaque, if any is.
    pub(crate) fn first_open(&mut self, shapes: ShapeRun<'a>) -> Option<usize> {
        /// So many commands are held against all shapes, where none is opaque.
        const MAX: usize = 64;
        let commands = self.line.commands();
        let opaque = (0..commands.len())
            .filter(|index| commands.get(*index).is_some_and(|one| one.opaque.is_some()));
        let opaque: Vec<usize> = opaque.collect();
        let mut candidates = opaque.into_iter().chain(0..commands.len()).take(MAX);
        candidates.find(|index| self.first_of(*index, shapes.all()).is_open())
    }

    /// Whether a command has one of the shapes that name its program.
    fn named(&mut self, index: usize, shapes: ShapeRun<'a>) -> Truth {
        let Some(command) = self.line.commands().get(index) else { return Truth::False };
        let Some(name) = command.name() else { return Truth::False };
        let of_program = shapes.of_program(name);
        if of_program.is_empty() {
            return Truth::False;
        }
        let read = self.read_words(command, index);
        // Most shapes ask for another subcommand than the one that is there for all to see.
        let may_fit = |first: u32| {
            first == NamedShape::ANY || read.first.is_none_or(|operand| operand == first)
        };
        let mut result = Truth::False;
        for named in of_program.iter().map(NamedShape::read) {
            if may_fit(named.first) {
                let shape: ShapeRecord = self.view.row(Section::Shapes, named.shape);
                result = result.or(self.rest_fits(index, &shape, Truth::True));
            }
            if result == Truth::True {
                break;
            }
        }
        result
    }

    fn first_of(&mut self, index: usize, shapes: impl Iterator<Item = u32>) -> Truth {
        let mut result = Truth::False;
        for shape in shapes {
            result = result.or(self.has(index, shape));
            if result == Truth::True {
                break;
            }
        }
        result
    }

    /// Whether a command of the line has a shape.
    pub fn has(&mut self, index: usize, shape: u32) -> Truth {
        self.fits(index, &self.view.row(Section::Shapes, shape))
    }

    fn fits(&mut self, index: usize, shape: &ShapeRecord) -> Truth {
        let Some(command) = self.line.commands().get(index) else { return Truth::False };
        if shape.traits & Traits::OPAQUE != 0 {
            return command.opaque.is_some().into();
        }
        if !command.runs() && self.line.redirects(command).is_empty() {
            return Truth::False;
        }
        let program = self.program(shape, command);
        self.rest_fits(index, shape, program)
    }

    /// Whether a command has a shape, where it is known whether its program does.
    fn rest_fits(&mut self, index: usize, shape: &ShapeRecord, program: Truth) -> Truth {
        let Some(command) = self.line.commands().get(index) else { return Truth::False };
        let of_redirects = shape.writes_len | shape.reads_len != 0;
        let is_cheaply_refused = of_redirects && self.line.redirects(command).is_empty()
            || shape.traits & Traits::IN_LOOP != 0 && !command.in_loop
            || shape.traits & Traits::CALLS_ITSELF != 0 && !command.calls_itself
            || shape.traits & Traits::STATUS_LOST != 0 && !command.status_lost;
        if is_cheaply_refused {
            return Truth::False;
        }
        let flags = shape.flags_len | shape.any_flags_len | shape.no_flags_len;
        let operands = shape.operands_len | shape.some_operand_len | shape.without_operand_len;
        let of_arguments =
            Traits::EXACT | Traits::UNKNOWN_OPERAND | Traits::PATTERN_OPERAND | Traits::OPERANDS;
        let of_arguments = flags | operands | (shape.traits & of_arguments) != 0;
        let result = program
            .and_if(shape.under_len != 0, || self.under(shape, command))
            .and_if(shape.variables_len != 0, || self.variables(shape, index))
            .and_if(of_redirects, || self.redirected(shape, command))
            .and_if(of_arguments, || self.arguments(shape, command, index))
            .and_if(shape.piped_from_len != 0, || self.piped(shape, command))
            .and_if(shape.substitutes_len != 0, || self.substituted(shape, index))
            .and_if(shape.given != NONE, || self.given(shape, command, index));
        let is_of_class = shape.traits & Traits::OF_CLASS != 0;
        match result {
            Truth::Opaque if is_of_class && !self.hides_more(shape, command, index) => {
                Truth::Unknown
            }
            result => result,
        }
    }

    /// Whether more than what a value is stays open of a command that may have a shape of a class: which program runs,
    /// with what subcommand or flags, or what a text says that it is given.
    fn hides_more(&mut self, shape: &ShapeRecord, command: &'a Command, index: usize) -> bool {
        if command.opaque.is_some() || shape.piped_from_len | shape.substitutes_len != 0 {
            return true;
        }
        let read = self.read_words(command, index);
        let operands = self.buffers.operands.get(read.operands).unwrap_or_default();
        let is_unsaid = |word: &Word| is_unsaid(self.line.text(word));
        // `--$X` is a flag, whichever.
        let is_flag = |word: &Word| word.has_hole() && self.line.text(word).starts_with('-');
        if operands.iter().any(|word| word.is_called_flags() || is_flag(word)) {
            return true;
        }
        let first = operands.first().copied().filter(is_unsaid);
        let subcommand = self.view.list(shape.operands, shape.operands_len.min(1)).next();
        if let (Some(first), Some(subcommand)) = (first, subcommand)
            && subcommand != NONE
            && self.word(subcommand, &first) != Truth::True
        {
            return true;
        }
        shape.given != NONE
            && (shape.traits & Traits::STATEMENTS != 0 || self.is_given_unsaid(command, index))
    }

    /// Whether nothing is known of a text that a command is given.
    fn is_given_unsaid(&mut self, command: &'a Command, index: usize) -> bool {
        let read = self.read_words(command, index);
        let arguments = self.buffers.arguments.get(read.arguments).unwrap_or_default();
        let (line, view) = (self.line, self.view);
        let said = |argument: &Argument| match argument {
            Argument::Flag(flag) => {
                let is_text = STATEMENT_FLAGS.contains(&flag_bytes(flag.name, line, view));
                flag.value.filter(|_| is_text)
            }
            Argument::Operand(_) | Argument::Unknown(_) => None,
        };
        let named = |argument: &Argument| match argument {
            Argument::Operand(word) | Argument::Unknown(word) => Some(*word),
            Argument::Flag(_) => None,
        };
        let is_unsaid = |word: Word| is_unsaid(line.text(&word));
        let in_words = match arguments.iter().any(|argument| said(argument).is_some()) {
            true => arguments.iter().filter_map(said).any(is_unsaid),
            // A file of code has a name, and is given what stands behind it.
            false if self.takes_files_of_code(command) => false,
            false => arguments.iter().filter_map(named).any(is_unsaid),
        };
        in_words || matches!(input(self.line, command), Input::Text(text) if self::is_unsaid(&text))
    }

    /// Whether the operands of a command name a file of code and what that is given.
    fn takes_files_of_code(&self, command: &Command) -> bool {
        let known = self.programs.as_ref().zip(command.known());
        known.is_some_and(|(table, program)| Programs::new(table).at(program).takes_files_of_code())
    }

    /// Whether operands of a command may be files of commands of its program's own.
    fn runs_files(&self, command: &Command) -> bool {
        let known = self.programs.as_ref().zip(command.known());
        known.is_some_and(|(table, program)| {
            Programs::new(table).at(program).has(behavior_shell::programs::Traits::RUNS_FILES)
        })
    }

    fn program(&mut self, shape: &ShapeRecord, command: &Command) -> Truth {
        if shape.programs_len == 0 && shape.program_pattern == NONE {
            return Truth::True;
        }
        if command.opaque.is_some() {
            return Truth::Opaque;
        }
        if self.is_listed(command, shape.programs, shape.programs_len) {
            return Truth::True;
        }
        if shape.program_pattern == NONE {
            return Truth::False;
        }
        let name = self.line.program(command);
        name.is_some_and(|name| self.pattern(shape.program_pattern, name)).into()
    }

    /// Whether the program of a command is in a list of names.
    fn is_listed(&self, command: &Command, start: u32, len: u32) -> bool {
        command.name().is_some_and(|named| self.view.list(start, len).any(|name| name == named))
    }

    /// Whether the program of a command is in a list of names, which nobody may know.
    fn may_be_listed(&self, command: &Command, start: u32, len: u32) -> Truth {
        match self.line.program(command) {
            Some(_) => self.is_listed(command, start, len).into(),
            None if command.opaque.is_some() => Truth::Opaque,
            None => Truth::False,
        }
    }

    fn pattern(&mut self, pattern: u32, text: &str) -> bool {
        self.image.matches(pattern, text, &mut self.buffers.fold)
    }

    /// Whether a word matches a pattern; `NONE` takes everything.
    fn word(&mut self, pattern: u32, word: &Word) -> Truth {
        if pattern == NONE {
            return Truth::True;
        }
        let text = self.line.text(word);
        if !word.has_hole() {
            let fits = self.pattern(pattern, text) || self.is_wary && self.path(pattern, text);
            if fits || !self.is_wary || !word.is_glob() {
                return fits.into();
            }
            let record: PatternRecord = self.view.row(Section::Patterns, pattern);
            return match globs::meet(text, self.view.string(record.source)) {
                true => Truth::Opaque,
                false => Truth::False,
            };
        }
        // A pattern that takes the hole whatever its length takes whatever it is.
        let lengths = ["", "\u{FDD0}", "\u{FDD0}\u{FDD0}"];
        let mut filled = std::mem::take(&mut self.buffers.filled);
        let takes_all = lengths.iter().all(|piece| {
            filled.clear();
            for (index, part) in text.split(HOLE).enumerate() {
                filled.push_str(if index == 0 { "" } else { piece });
                filled.push_str(part);
            }
            self.pattern(pattern, &filled)
        });
        self.buffers.filled = filled;
        if takes_all { Truth::True } else { Truth::Opaque }
    }

    /// Whether a path in its shortest form matches.
    fn path(&mut self, pattern: u32, text: &str) -> bool {
        if !text.contains('/') {
            return false;
        }
        let mut scratch = std::mem::take(&mut self.buffers.path);
        let path = crate::path::normalise(text, None, &mut scratch);
        let fits = path != text && self.pattern(pattern, path);
        self.buffers.path = scratch;
        fits
    }

    fn some_word(&mut self, start: u32, len: u32, word: &Word) -> Truth {
        let mut result = Truth::False;
        for pattern in self.view.list(start, len) {
            result = result.or(self.word(pattern, word));
        }
        result
    }

    /// Whether a path, in its shortest form, matches one of the patterns.
    fn some_path(&mut self, start: u32, len: u32, word: &Word) -> Truth {
        let text = self.line.text(word);
        let mut scratch = std::mem::take(&mut self.buffers.path);
        let path = crate::path::normalise(text, None, &mut scratch);
        let result = if word.has_hole() || path == text {
            self.some_word(start, len, word)
        } else {
            self.view.list(start, len).any(|pattern| self.pattern(pattern, path)).into()
        };
        self.buffers.path = scratch;
        result
    }

    fn under(&self, shape: &ShapeRecord, command: &Command) -> Truth {
        let mut next = command.parent;
        while let Some(parent) = next.and_then(|at| self.line.commands().get(at as usize)) {
            if self.is_listed(parent, shape.under, shape.under_len) {
                return Truth::True;
            }
            next = parent.parent;
        }
        Truth::False
    }

    /// Whether one of the variables is set for a command.
    fn variables(&mut self, shape: &ShapeRecord, index: usize) -> Truth {
        let Some(set) = self.line.variables_for(index) else { return Truth::Opaque };
        let mut result = Truth::False;
        for pair in (0..shape.variables_len / 2).map(|at| shape.variables + at * 2) {
            let name = self.view.item(pair);
            let own = set.iter().filter(|set| self.view.is_string(name, set.name.as_bytes()));
            for set in own.copied().collect::<Vec<_>>() {
                let pattern = self.view.item(pair + 1);
                result = result.or(self.word(pattern, &set.value));
            }
        }
        result
    }

    fn redirected(&mut self, shape: &ShapeRecord, command: &Command) -> Truth {
        use RedirectKind::{Append, Read, ReadWrite, Write};
        let other = if shape.traits & Traits::OVERWRITES == 0 { Append } else { Write };
        let groups = [
            (shape.writes, shape.writes_len, [Write, other, ReadWrite]),
            (shape.reads, shape.reads_len, [Read, Read, ReadWrite]),
        ];
        let mut result = Truth::True;
        for (start, len, kinds) in groups {
            if len == 0 {
                continue;
            }
            let mut found = Truth::False;
            for redirect in self.line.redirects(command) {
                if kinds.contains(&redirect.kind) {
                    let word = self.line.target(redirect);
                    found = found.or(self.some_path(start, len, &word));
                }
            }
            result = result.and(found);
        }
        result
    }

    /// Flags and operands.
    fn arguments(&mut self, shape: &ShapeRecord, command: &'a Command, index: usize) -> Truth {
        let read = self.read_words(command, index);
        let mut flags = Flags { unknown: read.unknown, ..Flags::default() };
        for at in read.arguments {
            if let Some(Argument::Flag(flag)) = self.buffers.arguments.get(at).copied() {
                self.flag(shape, &flag, &mut flags);
            }
        }
        let all = std::mem::take(&mut self.buffers.operands);
        let operands = all.get(read.operands).unwrap_or_default();
        let has_pattern = || operands.iter().any(|word| self.line.is_of_files(word));
        let lacks_pattern = shape.traits & Traits::PATTERN_OPERAND != 0 && !has_pattern();
        let result = self
            .flags(shape, &flags)
            .and((!lacks_pattern).into())
            .and((read.varies || shape.traits & Traits::UNKNOWN_OPERAND == 0).into())
            .and(self.operands_or_files(shape, command, operands, &flags))
            .and(self.some_operand(shape, operands, &flags))
            .and(self.without_operand(shape, operands));
        self.buffers.operands = all;
        result
    }

    /// The words behind the program of a command; they are read once.
    fn read_words(&mut self, command: &'a Command, index: usize) -> ReadWords {
        let buffers = &mut *self.buffers;
        if let Some(Some(read)) = buffers.read.get(index) {
            return read.clone();
        }
        let words = self.line.words(command);
        let known = self.line.arguments(command);
        let table = self.programs;
        let program = table.as_ref().zip(command.known());
        let program = program.map(|(table, program)| Programs::new(table).at(program));
        let unread = known.is_none().then(|| Arguments::new(self.line, words, program));
        let all = known.into_iter().flatten().copied().chain(unread.into_iter().flatten());
        let (arguments, operands) = (buffers.arguments.len(), buffers.operands.len());
        let mut unknown = command.more || command.opaque.is_some();
        let mut takes_back = false;
        for argument in all {
            match argument {
                Argument::Operand(word) => buffers.operands.push(word),
                Argument::Unknown(word) => {
                    unknown = true;
                    buffers.operands.push(word);
                }
                Argument::Flag(flag) if says_nothing(self.line, words, &flag, command.more) => {
                    continue;
                }
                Argument::Flag(_) => takes_back |= taken_back(self.line, &argument).is_some(),
            }
            buffers.arguments.push(argument);
        }
        if takes_back {
            let mut own = buffers.arguments.split_off(arguments);
            drop_taken_back(self.line, words, program, &mut own);
            buffers.arguments.append(&mut own);
        }
        let behind = buffers.operands.get(operands..).unwrap_or_default();
        let first = match behind.first() {
            Some(first) => (!first.has_hole()).then(|| NamedShape::hash(self.line.text(first))),
            None => (!unknown).then_some(NamedShape::ANY),
        };
        let read = ReadWords {
            first,
            varies: behind.iter().any(Word::varies) || command.more,
            arguments: arguments..buffers.arguments.len(),
            operands: operands..buffers.operands.len(),
            unknown,
        };
        if buffers.read.len() <= index {
            buffers.read.resize(index + 1, None);
        }
        if let Some(slot) = buffers.read.get_mut(index) {
            *slot = Some(read.clone());
        }
        read
    }

    fn flag(&mut self, shape: &ShapeRecord, flag: &Flag, flags: &mut Flags) {
        let letter = first_letter(flag_bytes(flag.name, self.line, self.view));
        if shape.flag_letters & letter == 0 {
            // Most flags do not even look like one that is asked for.
            flags.extra |= !flag.is_global;
            return;
        }
        let mut named = false;
        for index in 0..shape.flags_len / 2 {
            let fits = self.flag_fits(shape.flags + index * 2, flag);
            named |= fits != Truth::False;
            let bit = 1u64 << (index & 63);
            flags.seen |= if fits == Truth::True { bit } else { 0 };
            flags.doubtful |= if fits == Truth::Opaque { bit } else { 0 };
        }
        for index in 0..shape.any_flags_len / 2 {
            let fits = self.flag_fits(shape.any_flags + index * 2, flag);
            named |= fits != Truth::False;
            flags.any = Some(flags.any.unwrap_or(Truth::False).or(fits));
        }
        for index in 0..shape.no_flags_len / 2 {
            let fits = self.flag_fits(shape.no_flags + index * 2, flag);
            flags.forbidden = Some(flags.forbidden.unwrap_or(Truth::False).or(fits));
        }
        flags.extra |= !named && !flag.is_global;
    }

    /// Whether a flag is the one in a pair of the lists table.
    fn flag_fits(&mut self, pair: u32, flag: &Flag) -> Truth {
        if !is_flag(flag.name, self.view.item(pair), self.line, self.view) {
            return Truth::False;
        }
        let pattern = self.view.item(pair + 1);
        match flag.value {
            Some(value) if pattern == NONE => (!self.says_no(&value)).into(),
            None if pattern == NONE => Truth::True,
            Some(value) => self.word(pattern, &value),
            None => Truth::False,
        }
    }

    /// Whether the value of a flag switches it off, as in `--dry-run=false`.
    fn says_no(&self, value: &Word) -> bool {
        let text = self.line.text(value);
        !value.has_hole() && ["false", "none"].iter().any(|no| text.eq_ignore_ascii_case(no))
    }

    fn flags(&self, shape: &ShapeRecord, flags: &Flags) -> Truth {
        let doubt = if flags.unknown { Truth::Opaque } else { Truth::False };
        let wanted = match shape.flags_len / 2 {
            0 => 0,
            count => u64::MAX >> (64 - count.min(64)),
        };
        let required = match (wanted & !flags.seen, wanted & !flags.seen & !flags.doubtful) {
            (0, _) => Truth::True,
            (_, 0) => Truth::Opaque,
            _ => doubt,
        };
        let any = match shape.any_flags_len {
            0 => Truth::True,
            _ => flags.any.unwrap_or(Truth::False).or(doubt),
        };
        // A word that nobody knows does not excuse what is there for all to see.
        let none = match (shape.no_flags_len, flags.forbidden.unwrap_or(Truth::False)) {
            (0, _) | (_, Truth::False) => Truth::True,
            (_, Truth::True) => Truth::False,
            (_, open) => open,
        };
        let exact = match (shape.traits & Traits::EXACT != 0, flags.extra, flags.unknown) {
            (true, true, _) => Truth::False,
            (true, false, true) => Truth::Opaque,
            _ => Truth::True,
        };
        required.and(any).and(none).and(exact)
    }

    /// The operands in order; if need be, with the files that are read as the last of them.
    fn operands_or_files(
        &mut self,
        shape: &ShapeRecord,
        command: &Command,
        operands: &[Word],
        flags: &Flags,
    ) -> Truth {
        let result = self.operands(shape, operands, flags);
        let reads = |redirect: &&behavior_shell::Redirect| redirect.kind == RedirectKind::Read;
        let line = self.line;
        let mut files = line.redirects(command).iter().filter(reads).peekable();
        if !self.is_wary || result == Truth::True || files.peek().is_none() {
            return result;
        }
        let files = files.map(|redirect| line.target(redirect));
        let all: Vec<Word> = operands.iter().copied().chain(files).collect();
        result.or(self.operands(shape, &all, flags))
    }

    /// The operands in order.
    fn operands(&mut self, shape: &ShapeRecord, operands: &[Word], flags: &Flags) -> Truth {
        if shape.operands_len == 0 && shape.traits & Traits::OPERANDS == 0 {
            return Truth::True;
        }
        if self.sequence(shape, operands, Truth::True, false) {
            Truth::True
        } else if self.sequence(shape, operands, Truth::Opaque, flags.unknown) {
            Truth::Opaque
        } else {
            Truth::False
        }
    }

    /// Whether the operands fit the items at least so surely. `more` says that there may be others.
    fn sequence(
        &mut self,
        shape: &ShapeRecord,
        operands: &[Word],
        least: Truth,
        more: bool,
    ) -> bool {
        let items = shape.operands_len;
        let item = |view: View<'_>, index: u32| view.list(shape.operands + index, 1).next();
        let (mut at_item, mut at) = (0u32, 0usize);
        // Where to go on if what follows the last "any number" does not fit.
        let mut retry: Option<(u32, usize)> = None;
        loop {
            let pattern = if at_item < items { item(self.view, at_item) } else { None };
            if pattern == Some(NONE) {
                at_item += 1;
                retry = Some((at_item, at));
                continue;
            }
            let word = operands.get(at).copied();
            match (pattern, word) {
                (None, None) => return true,
                (Some(pattern), Some(word)) if self.word(pattern, &word) >= least => {
                    at_item += 1;
                    at += 1;
                    continue;
                }
                // What is not known may go on, or be no word at all.
                (Some(_), None) if more => return true,
                (_, Some(word)) if more && word.may_split() => {
                    at += 1;
                    retry = Some((at_item, at));
                    continue;
                }
                _ => {}
            }
            match retry {
                Some((item, from)) if from < operands.len() => {
                    (at_item, at) = (item, from + 1);
                    retry = Some((item, from + 1));
                }
                _ => return false,
            }
        }
    }

    fn some_operand(&mut self, shape: &ShapeRecord, operands: &[Word], flags: &Flags) -> Truth {
        if shape.some_operand_len == 0 {
            return Truth::True;
        }
        let mut result = if flags.unknown { Truth::Opaque } else { Truth::False };
        for word in operands {
            let (start, len) = (shape.some_operand, shape.some_operand_len);
            result = result.or(self.some_word(start, len, word));
        }
        result
    }

    /// Whether no operand is one that is not to be there. One that nobody knows does not excuse the others.
    fn without_operand(&mut self, shape: &ShapeRecord, operands: &[Word]) -> Truth {
        let (start, len) = (shape.without_operand, shape.without_operand_len);
        let is_there = operands.iter().any(|word| self.some_word(start, len, word) == Truth::True);
        (!is_there).into()
    }

    fn piped(&mut self, shape: &ShapeRecord, command: &'a Command) -> Truth {
        let mut result = Truth::False;
        // What is written into the pipe, and what was written into that one.
        let mut reading = command;
        for _ in 0..MAX_DEPTH {
            for source in self.line.input(reading) {
                let (start, len) = (shape.piped_from, shape.piped_from_len);
                result = result.or(self.may_be_listed(source, start, len));
            }
            match self.line.input(reading).iter().find(|source| source.runs()) {
                Some(source) => reading = source,
                None => break,
            }
        }
        result
    }

    /// What a substitution puts into its words, or into those that it was run from.
    fn substituted(&mut self, shape: &ShapeRecord, index: usize) -> Truth {
        let commands = self.line.commands();
        let mut result = Truth::False;
        let mut next = Some(index as u32);
        while let Some(at) = next {
            for inner in commands.iter().skip(at as usize + 1) {
                if inner.parent == Some(at) && inner.reach == Reach::Substitution {
                    let (start, len) = (shape.substitutes, shape.substitutes_len);
                    result = result.or(self.may_be_listed(inner, start, len));
                }
            }
            // What stands in a substitution is not made of it.
            let is_run = |command: &&Command| {
                matches!(command.reach, Reach::Wrapper | Reach::Text | Reach::Input)
            };
            let command = commands.get(at as usize).filter(is_run);
            next = command.and_then(|command| command.parent);
        }
        result
    }

    /// The text that a program is given: in its words, a here-document, a pipe.
    fn given(&mut self, shape: &ShapeRecord, command: &'a Command, index: usize) -> Truth {
        let given = Given::of(shape);
        let result = self.given_in_words(given, command, index);
        if result == Truth::True {
            return result;
        }
        result.or(self.given_as_input(given, command))
    }

    /// What a command reads, which may be what many others read.
    fn given_as_input(&mut self, given: Given, command: &Command) -> Truth {
        const MAX: usize = 32;
        let source = source(self.line, command);
        let known = self
            .buffers
            .given
            .iter()
            .find(|(of, from, _)| *of == given && source.as_ref() == Some(from));
        if let Some((.., truth)) = known {
            return *truth;
        }
        let truth = match input(self.line, command) {
            Input::Nothing => Truth::False,
            Input::Unknown if self.reads_script(given, command) => Truth::True,
            // What a file holds, or another program writes, is a fact that nobody looked up.
            Input::Unknown => Truth::Unknown,
            Input::Text(text) if self.mentions(given, &text) => Truth::True,
            Input::Text(text) if hides(given, &text) => Truth::Opaque,
            Input::Text(_) => Truth::False,
        };
        if let Some(source) = source.filter(|_| self.buffers.given.len() < MAX) {
            self.buffers.given.push((given, source, truth));
        }
        truth
    }

    /// Whether a script that a command reads, and that somebody looked up, matches.
    fn reads_script(&mut self, given: Given, command: &Command) -> bool {
        let line = self.line;
        line.scripts_read(command).any(|text| self.mentions(given, text))
    }

    /// Whether a text that a program is given matches.
    fn mentions(&mut self, given: Given, text: &str) -> bool {
        match given.is_sql {
            true => self.pattern(given.pattern, &sql::statements(text)),
            false => self.pattern(given.pattern, text),
        }
    }

    fn given_in_words(&mut self, given: Given, command: &'a Command, index: usize) -> Truth {
        let may_follow = command.more && !self.line.takes_names_alone(command);
        let is_unknown = may_follow || command.opaque.is_some();
        let mut result = if is_unknown { Truth::Opaque } else { Truth::False };
        let mut is_first = true;
        for at in self.read_words(command, index).arguments {
            let (mut may_be_given, mut is_file) = (true, false);
            let word = match self.buffers.arguments.get(at).copied() {
                Some(Argument::Operand(word) | Argument::Unknown(word)) => {
                    // The first word that a client is given names the database.
                    may_be_given = !(given.is_sql && is_first) || word.may_split();
                    is_file = (is_first || self.runs_files(command))
                        && !given.is_sql
                        && is_name_of_file(self.line.text(&word));
                    is_first = false;
                    Some(word)
                }
                Some(Argument::Flag(flag)) if flag.effect == FlagEffect::File => {
                    let written = flag.value.and_then(|path| self.line.written_text(&path, index));
                    if written.as_ref().is_some_and(|text| self.mentions(given, text)) {
                        return Truth::True;
                    }
                    if written.is_none() {
                        result = result.or(Truth::Unknown);
                    }
                    None
                }
                Some(Argument::Flag(flag)) => {
                    let name = flag_bytes(flag.name, self.line, self.view);
                    may_be_given = !given.is_sql || STATEMENT_FLAGS.contains(&name);
                    flag.value
                }
                None => None,
            };
            let Some(word) = word else { continue };
            if self.mentions(given, self.line.text(&word)) {
                return Truth::True;
            }
            // A file of code that the line wrote.
            let written = is_file.then(|| self.line.written_text(&word, index)).flatten();
            if written.is_some_and(|text| self.mentions(given, &text)) {
                return Truth::True;
            }
            let text = self.line.text(&word);
            let is_value = given.is_sql && text.contains(HOLE) && !sql::is_open(text);
            if word.has_hole() && may_be_given && !is_value {
                result = result.or(Truth::Opaque);
            }
        }
        result
    }
}

/// Whether a text looks like the name of a file with an ending.
fn is_name_of_file(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+~".contains(&byte);
    text.contains('.') && text.bytes().all(is_part)
}

/// Whether there is nothing in a text but what nobody knows.
fn is_unsaid(text: &str) -> bool {
    text.contains(HOLE) && !text.contains(|sign: char| sign.is_alphanumeric() || sign == '/')
}

/// Whether what is not known of a text that a program is given may be what is asked about.
fn hides(given: Given, text: &str) -> bool {
    match given.is_sql {
        true => sql::is_open(text),
        false => text.contains(HOLE),
    }
}

/// The flags with which clients of databases are given statements.
const STATEMENT_FLAGS: [&[u8]; 9] =
    [b"c", b"command", b"e", b"execute", b"q", b"Q", b"query", b"cmd", b"eval"];
