//! What is known of programs: which run others, which flags mean the same, which take values. The
//! knowledge is data, compiled into the image; this reads it.

use super::names;
use crate::code::{FlagEffect, FlagValue, Runs};
use crate::image::View;
use crate::image::format::{NONE, NameRecord, ProgramFlag, ProgramRecord, Record, Section};

/// Bits of [`ProgramRecord::traits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits(pub u32);

impl Traits {
    /// What it runs is all that it does: an allowance for that is enough.
    pub const TRANSPARENT: u32 = 1;
    /// A word such as `-name` is one flag.
    pub const SINGLE_DASH: u32 = 1 << 1;
    /// Operands such as `NAME=value` stand before what it runs.
    pub const ASSIGNMENTS: u32 = 1 << 2;
    /// It adds words from its input to what it runs.
    pub const MORE_WORDS: u32 = 1 << 3;
    /// Its first operand selects a program of its own.
    pub const SUBCOMMANDS: u32 = 1 << 4;
    /// It runs the statements that it reads.
    pub const STATEMENTS: u32 = 1 << 5;
    /// Nothing makes it run anything, and none of its subcommands either.
    pub const INERT: u32 = 1 << 6;
    /// Its operands may be settings.
    pub const SETTINGS: u32 = 1 << 7;
    /// What it prints are commands that do no harm.
    pub const PRINTS_COMMANDS: u32 = 1 << 8;
    /// Some flag makes it run something.
    pub const FLAGS_RUN: u32 = 1 << 9;
    /// Operands behind `:::` are what it puts into what it runs.
    pub const SOURCES: u32 = 1 << 10;
    /// Its first operand, or the values of `e`, are scripts of `sed`.
    pub const SED: u32 = 1 << 11;
    /// Its words may make it run something, whatever its flags do.
    pub const RUNNING: u32 = Self::STATEMENTS | Self::SETTINGS | Self::ASSIGNMENTS | Self::SED;
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 12) - 1;

    /// Whether a bit is set.
    #[must_use]
    pub fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

/// The programs that an image knows.
#[derive(Clone, Copy, Debug)]
pub struct Programs<'a> {
    view: View<'a>,
    /// How long the table of names is.
    names: u32,
}

/// A program that is known.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    programs: Programs<'a>,
    row: u32,
    record: ProgramRecord,
}

/// A flag that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFlag {
    /// The spelling that stands for all that mean the same, without dashes: a string of the image.
    pub(crate) canonical: u32,
    /// Whether it has a value.
    pub value: FlagValue,
    /// What it makes the program run.
    pub effect: FlagEffect,
}

impl<'a> Programs<'a> {
    pub(crate) fn new(view: View<'a>, names: u32) -> Self {
        Self { view, names }
    }

    /// A program by its name, whatever its case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Program<'a>> {
        self.find_under(NONE, name)
    }

    fn find_under(&self, parent: u32, name: &str) -> Option<Program<'a>> {
        self.at(self.name_under(parent, name)?.program)
    }

    /// A name that the image knows, whatever its case.
    #[inline]
    pub(super) fn name(&self, name: &str) -> Option<NameRecord> {
        self.name_under(NONE, name)
    }

    fn name_under(&self, parent: u32, name: &str) -> Option<NameRecord> {
        names::find(self.view, self.names, parent, name)
    }

    /// The program in a row; `None` stands for none.
    pub(super) fn at(&self, row: u32) -> Option<Program<'a>> {
        let record = || self.view.row(Section::Programs, row);
        (row != NONE).then(|| Program { programs: *self, row, record: record() })
    }
}

/// The first four bytes of a flag's spelling as a number that sorts as the spelling does.
#[must_use]
pub fn flag_key(spelling: &str) -> u32 {
    let mut key = [0; 4];
    key.iter_mut().zip(spelling.bytes()).for_each(|(place, byte)| *place = byte);
    u32::from_be_bytes(key)
}

impl<'a> Program<'a> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.programs.view.string(self.record.name)
    }

    /// A program of its own that an operand selects.
    #[must_use]
    pub fn subcommand(&self, name: &str) -> Option<Program<'a>> {
        self.has(Traits::SUBCOMMANDS).then(|| self.programs.find_under(self.row, name)).flatten()
    }

    /// The tables of the image that knows it.
    pub(super) fn view(&self) -> View<'a> {
        self.programs.view
    }

    /// Whether this is the same row.
    #[must_use]
    pub fn is(&self, other: &Program<'_>) -> bool {
        self.row == other.row
    }

    /// What it does with its operands.
    #[must_use]
    pub fn runs(&self) -> Runs {
        Runs::from_number(self.record.runs).unwrap_or(Runs::Nothing)
    }

    /// How many operands stand before what it runs.
    #[must_use]
    pub fn skip(&self) -> u32 {
        self.record.skip
    }

    /// Whether it has a trait of [`Traits`].
    #[must_use]
    pub fn has(&self, bit: u32) -> bool {
        Traits(self.record.traits).has(bit)
    }

    /// Whether a setting of it names a command.
    #[must_use]
    pub fn setting_is_command(&self, name: &str) -> bool {
        self.is_in_list(self.record.settings, self.record.settings_len, name)
    }

    /// Whether a setting of it runs nothing.
    #[must_use]
    pub fn setting_is_harmless(&self, name: &str) -> bool {
        self.record.harmless_len == 0
            || self.is_in_list(self.record.harmless, self.record.harmless_len, name)
    }

    /// Whether a name is in a list, in which `*` at the end stands for any ending.
    fn is_in_list(&self, start: u32, len: u32, name: &str) -> bool {
        let view = self.programs.view;
        let name = name.as_bytes();
        view.list(start, len).any(|listed| {
            let listed = view.string_bytes(listed);
            match listed.strip_suffix(b"*") {
                Some(beginning) => name
                    .get(..beginning.len())
                    .is_some_and(|name| name.eq_ignore_ascii_case(beginning)),
                None => listed.eq_ignore_ascii_case(name),
            }
        })
    }

    /// The flag that an operand with `+` before it means too: a string of the image.
    pub(super) fn plus(&self) -> Option<u32> {
        (self.record.plus != NONE).then_some(self.record.plus)
    }

    /// The texts behind which a command line stands.
    pub(super) fn escapes(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let view = self.programs.view;
        let (start, len) = (self.record.escapes, self.record.escapes_len);
        view.list(start, len).map(move |escape| view.string(escape))
    }

    /// Whether there are any.
    pub(super) fn has_escapes(&self) -> bool {
        self.record.escapes_len > 0
    }

    /// A flag by its spelling, without dashes.
    #[must_use]
    pub fn flag(&self, spelling: &str) -> Option<KnownFlag> {
        let flag = self.first_flag(spelling)?;
        self.programs
            .view
            .is_string(flag.spelling, spelling.as_bytes())
            .then(|| KnownFlag::new(&flag))
    }

    /// A long flag by the beginning of its spelling.
    #[must_use]
    pub fn abbreviated_flag(&self, start: &str) -> Option<KnownFlag> {
        let flag = self.first_flag(start)?;
        let spelling = self.programs.view.string_bytes(flag.spelling);
        let begins_so = start.len() > 1 && spelling.starts_with(start.as_bytes());
        begins_so.then(|| KnownFlag::new(&flag))
    }

    /// The first flag whose spelling is not less.
    fn first_flag(&self, spelling: &str) -> Option<ProgramFlag> {
        let view = self.programs.view;
        let wanted = flag_key(spelling);
        let flags = view.program_flags(self.record.flags, self.record.flags_len);
        let (mut low, mut high) = (0, flags.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let flag = ProgramFlag::read(flags.get(middle)?);
            let is_less = match flag.key == wanted {
                true => view.string_bytes(flag.spelling) < spelling.as_bytes(),
                false => flag.key < wanted,
            };
            if is_less { low = middle + 1 } else { high = middle }
        }
        flags.get(low).map(|bytes| ProgramFlag::read(bytes))
    }
}

impl KnownFlag {
    fn new(flag: &ProgramFlag) -> Self {
        Self {
            canonical: flag.canonical,
            value: FlagValue::from_number(flag.value.into()).unwrap_or(FlagValue::None),
            effect: FlagEffect::from_number(flag.effect.into()).unwrap_or(FlagEffect::Nothing),
        }
    }
}
