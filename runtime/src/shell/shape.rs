//! Whether a command looks like what a rule describes. The answer has three values: where a word is
//! not known, it may be what the rule is about.

use super::arguments::{Argument, Arguments};
use super::given::{Input, Source, input, source};
use super::programs::{Program, Programs};
use super::{Command, CommandLine, HOLE, Reach, RedirectKind, Word};
use crate::code::FlagEffect;
use crate::eval::Truth;
use crate::image::format::{NONE, Section, ShapeRecord};
use crate::image::{Image, View};

/// Bits of [`ShapeRecord::traits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits;

impl Traits {
    /// Nothing may follow that the shape does not name.
    pub const EXACT: u32 = 1;
    /// It cannot be known what runs.
    pub const OPAQUE: u32 = 1 << 1;
    /// It runs in a loop.
    pub const IN_LOOP: u32 = 1 << 2;
    /// It runs itself in a pipe or in the background.
    pub const CALLS_ITSELF: u32 = 1 << 3;
    /// Some operand is not known.
    pub const UNKNOWN_OPERAND: u32 = 1 << 4;
    /// It has operands only as the shape says, even if that is none.
    pub const OPERANDS: u32 = 1 << 5;
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 6) - 1;
}

/// Buffers that are used again for every command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    operands: Vec<Word>,
    fold: String,
    /// A word with something for its holes.
    filled: String,
    path: String,
    /// Whether a pattern matches what commands of the line read from a place.
    given: Vec<(u32, Source, Truth)>,
}

/// Tests the commands of a line.
pub(crate) struct Matcher<'a> {
    image: &'a Image,
    view: View<'a>,
    programs: Option<Programs<'a>>,
    line: &'a CommandLine,
    buffers: &'a mut Buffers,
}

/// A question about a command, by its place in the line.
type Test<'a> = fn(&mut Matcher<'a>, &ShapeRecord, &'a Command, usize) -> Truth;

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

impl<'a> Matcher<'a> {
    pub fn new(image: &'a Image, line: &'a CommandLine, buffers: &'a mut Buffers) -> Self {
        buffers.given.clear();
        Self { image, view: image.view(), programs: image.programs(), line, buffers }
    }

    /// Whether some command of the line has one of the shapes.
    pub fn some_has(&mut self, shapes: impl Iterator<Item = u32> + Clone) -> Truth {
        let mut result = Truth::False;
        for index in 0..self.line.commands().len() {
            for shape in shapes.clone() {
                result = result.max(self.has(index, shape));
                if result == Truth::True {
                    return result;
                }
            }
        }
        result
    }

    /// Whether a command of the line has a shape.
    pub fn has(&mut self, index: usize, shape: u32) -> Truth {
        let Some(command) = self.line.commands().get(index) else { return Truth::False };
        let shape: ShapeRecord = self.view.row(Section::Shapes, shape);
        if shape.traits & Traits::OPAQUE != 0 {
            return command.opaque.is_some().into();
        }
        if !command.runs() && command.redirects.is_empty() {
            return Truth::False;
        }
        let mut result = self.program(&shape, command);
        let cheap = [
            shape.traits & Traits::IN_LOOP == 0 || command.in_loop,
            shape.traits & Traits::CALLS_ITSELF == 0 || command.calls_itself,
        ];
        if result == Truth::False || cheap.contains(&false) {
            return Truth::False;
        }
        let tests: [Test<'a>; 6] = [
            Self::under,
            Self::redirected,
            Self::arguments,
            Self::piped,
            Self::substituted,
            Self::given,
        ];
        for test in tests {
            result = result.min(test(self, &shape, command, index));
            if result == Truth::False {
                return result;
            }
        }
        result
    }

    fn program(&mut self, shape: &ShapeRecord, command: &Command) -> Truth {
        if shape.programs_len == 0 && shape.program_pattern == NONE {
            return Truth::True;
        }
        if command.opaque.is_some() {
            return Truth::Unknown;
        }
        let Some(name) = self.line.program(command) else { return Truth::False };
        let listed = self.is_listed(name, shape.programs, shape.programs_len);
        let pattern = shape.program_pattern;
        (listed || pattern != NONE && self.pattern(pattern, name)).into()
    }

    fn is_listed(&self, name: &str, start: u32, len: u32) -> bool {
        self.view
            .list(start, len)
            .any(|id| self.view.string_bytes(id).eq_ignore_ascii_case(name.as_bytes()))
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
            return self.pattern(pattern, text).into();
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
        if takes_all { Truth::True } else { Truth::Unknown }
    }

    fn some_word(&mut self, start: u32, len: u32, word: &Word) -> Truth {
        let mut result = Truth::False;
        for pattern in self.view.list(start, len) {
            result = result.max(self.word(pattern, word));
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

    fn under(&mut self, shape: &ShapeRecord, command: &'a Command, _: usize) -> Truth {
        if shape.under_len == 0 {
            return Truth::True;
        }
        let mut next = command.parent;
        while let Some(parent) = next.and_then(|at| self.line.commands().get(at as usize)) {
            let name = self.line.program(parent);
            if name.is_some_and(|name| self.is_listed(name, shape.under, shape.under_len)) {
                return Truth::True;
            }
            next = parent.parent;
        }
        Truth::False
    }

    fn redirected(&mut self, shape: &ShapeRecord, command: &'a Command, _: usize) -> Truth {
        use RedirectKind::{Append, Read, ReadWrite, Write};
        let groups = [
            (shape.writes, shape.writes_len, [Write, Append, ReadWrite]),
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
                    found = found.max(self.some_path(start, len, &word));
                }
            }
            result = result.min(found);
        }
        result
    }

    /// Flags and operands.
    fn arguments(&mut self, shape: &ShapeRecord, command: &'a Command, _: usize) -> Truth {
        let words = self.line.words(command);
        let program = self.line.program(command).and_then(|name| self.programs?.find(name));
        let mut operands = std::mem::take(&mut self.buffers.operands);
        operands.clear();
        let unknown = command.more || command.opaque.is_some();
        let mut flags = Flags { unknown, ..Flags::default() };
        for argument in Arguments::new(self.line, words, program) {
            match argument {
                Argument::Operand(word) => operands.push(word),
                Argument::Unknown(word) => {
                    flags.unknown = true;
                    operands.push(word);
                }
                Argument::Flag(flag) => {
                    self.flag(shape, flag.name, flag.value, flag.is_global, &mut flags)
                }
            }
        }
        let varies = operands.iter().any(Word::has_hole) || command.more;
        let result = self
            .flags(shape, &flags)
            .min((varies || shape.traits & Traits::UNKNOWN_OPERAND == 0).into())
            .min(self.operands(shape, &operands, &flags))
            .min(self.some_operand(shape, &operands, &flags));
        self.buffers.operands = operands;
        result
    }

    fn flag(
        &mut self,
        shape: &ShapeRecord,
        name: &str,
        value: Option<Word>,
        is_global: bool,
        flags: &mut Flags,
    ) {
        let mut named = false;
        for index in 0..shape.flags_len / 2 {
            let fits = self.flag_fits(shape.flags + index * 2, name, value);
            named |= fits != Truth::False;
            let bit = 1u64 << (index & 63);
            flags.seen |= if fits == Truth::True { bit } else { 0 };
            flags.doubtful |= if fits == Truth::Unknown { bit } else { 0 };
        }
        for index in 0..shape.any_flags_len / 2 {
            let fits = self.flag_fits(shape.any_flags + index * 2, name, value);
            named |= fits != Truth::False;
            flags.any = flags.any.max(Some(fits));
        }
        for index in 0..shape.no_flags_len / 2 {
            let fits = self.flag_fits(shape.no_flags + index * 2, name, value);
            flags.forbidden = flags.forbidden.max(Some(fits));
        }
        flags.extra |= !named && !is_global;
    }

    /// Whether a flag is the one in a pair of the lists table.
    fn flag_fits(&mut self, pair: u32, name: &str, value: Option<Word>) -> Truth {
        let mut pair = self.view.list(pair, 2);
        let (Some(expected), Some(pattern)) = (pair.next(), pair.next()) else {
            return Truth::False;
        };
        if self.view.string_bytes(expected) != name.as_bytes() {
            return Truth::False;
        }
        match value {
            _ if pattern == NONE => Truth::True,
            Some(value) => self.word(pattern, &value),
            None => Truth::False,
        }
    }

    fn flags(&self, shape: &ShapeRecord, flags: &Flags) -> Truth {
        let doubt = if flags.unknown { Truth::Unknown } else { Truth::False };
        let wanted = match shape.flags_len / 2 {
            0 => 0,
            count => u64::MAX >> (64 - count.min(64)),
        };
        let required = match (wanted & !flags.seen, wanted & !flags.seen & !flags.doubtful) {
            (0, _) => Truth::True,
            (_, 0) => Truth::Unknown,
            _ => doubt,
        };
        let any = match shape.any_flags_len {
            0 => Truth::True,
            _ => flags.any.unwrap_or(Truth::False).max(doubt),
        };
        // A word that nobody knows does not excuse what is there for all to see.
        let none = match (shape.no_flags_len, flags.forbidden.unwrap_or(Truth::False)) {
            (0, _) | (_, Truth::False) => Truth::True,
            (_, Truth::Unknown) => Truth::Unknown,
            (_, Truth::True) => Truth::False,
        };
        let exact = match (shape.traits & Traits::EXACT != 0, flags.extra, flags.unknown) {
            (true, true, _) => Truth::False,
            (true, false, true) => Truth::Unknown,
            _ => Truth::True,
        };
        required.min(any).min(none).min(exact)
    }

    /// The operands in order.
    fn operands(&mut self, shape: &ShapeRecord, operands: &[Word], flags: &Flags) -> Truth {
        if shape.operands_len == 0 && shape.traits & Traits::OPERANDS == 0 {
            return Truth::True;
        }
        if self.sequence(shape, operands, Truth::True, false) {
            Truth::True
        } else if self.sequence(shape, operands, Truth::Unknown, flags.unknown) {
            Truth::Unknown
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
        let mut result = if flags.unknown { Truth::Unknown } else { Truth::False };
        for word in operands {
            let (start, len) = (shape.some_operand, shape.some_operand_len);
            result = result.max(self.some_word(start, len, word));
        }
        result
    }

    fn piped(&mut self, shape: &ShapeRecord, command: &'a Command, _: usize) -> Truth {
        if shape.piped_from_len == 0 {
            return Truth::True;
        }
        let is_source = |this: &Self, command: &Command| match this.line.program(command) {
            Some(name) => this.is_listed(name, shape.piped_from, shape.piped_from_len).into(),
            None if command.opaque.is_some() => Truth::Unknown,
            None => Truth::False,
        };
        let mut result = Truth::False;
        // What is written into the pipe, and what was written into that one.
        let mut reading = command;
        for _ in 0..super::MOST_DEPTH {
            for source in self.line.input(reading) {
                result = result.max(is_source(self, source));
            }
            match self.line.input(reading).iter().find(|source| source.runs()) {
                Some(source) => reading = source,
                None => break,
            }
        }
        result
    }

    /// What a substitution puts into its words, or into those that it was run from.
    fn substituted(&mut self, shape: &ShapeRecord, _: &'a Command, index: usize) -> Truth {
        if shape.substitutes_len == 0 {
            return Truth::True;
        }
        let commands = self.line.commands();
        let mut result = Truth::False;
        let mut next = Some(index as u32);
        while let Some(at) = next {
            for inner in commands.iter().skip(at as usize + 1) {
                if inner.parent == Some(at) && inner.reach == Reach::Substitution {
                    let name = self.line.program(inner);
                    let (start, len) = (shape.substitutes, shape.substitutes_len);
                    result = result.max(match name {
                        Some(name) => self.is_listed(name, start, len).into(),
                        None if inner.opaque.is_some() => Truth::Unknown,
                        None => Truth::False,
                    });
                }
            }
            next = commands.get(at as usize).and_then(|command| command.parent);
        }
        result
    }

    /// The text that a program is given: in its words, a here-document, a pipe.
    fn given(&mut self, shape: &ShapeRecord, command: &'a Command, _: usize) -> Truth {
        if shape.given == NONE {
            return Truth::True;
        }
        let program = self.line.program(command).and_then(|name| self.programs?.find(name));
        let result = self.given_in_words(shape.given, command, program);
        if result == Truth::True {
            return result;
        }
        result.max(self.given_as_input(shape.given, command))
    }

    /// What a command reads, which may be what many others read.
    fn given_as_input(&mut self, pattern: u32, command: &Command) -> Truth {
        const MOST: usize = 32;
        let source = source(self.line, command);
        let known = self
            .buffers
            .given
            .iter()
            .find(|(of, from, _)| *of == pattern && source.as_ref() == Some(from));
        if let Some((.., truth)) = known {
            return *truth;
        }
        let truth = match input(self.line, command) {
            Input::Nothing => Truth::False,
            Input::Unknown => Truth::Unknown,
            Input::Text(text) if self.pattern(pattern, &text) => Truth::True,
            Input::Text(text) if text.contains(HOLE) => Truth::Unknown,
            Input::Text(_) => Truth::False,
        };
        if let Some(source) = source.filter(|_| self.buffers.given.len() < MOST) {
            self.buffers.given.push((pattern, source, truth));
        }
        truth
    }

    fn given_in_words(
        &mut self,
        pattern: u32,
        command: &'a Command,
        program: Option<Program<'a>>,
    ) -> Truth {
        let is_unknown = command.more || command.opaque.is_some();
        let mut result = if is_unknown { Truth::Unknown } else { Truth::False };
        for argument in Arguments::new(self.line, self.line.words(command), program) {
            let word = match argument {
                Argument::Operand(word) | Argument::Unknown(word) => Some(word),
                Argument::Flag(flag) if flag.effect == FlagEffect::File => {
                    result = result.max(Truth::Unknown);
                    None
                }
                Argument::Flag(flag) => flag.value,
            };
            let Some(word) = word else { continue };
            if self.pattern(pattern, self.line.text(&word)) {
                return Truth::True;
            }
            if word.has_hole() {
                result = result.max(Truth::Unknown);
            }
        }
        result
    }
}
