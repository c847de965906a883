//! What is known of programs: which run others, which flags mean the same, which take values. The
//! knowledge is data, compiled into the image; this reads it.

use crate::code::{FlagEffect, FlagValue, Runs};
use crate::image::View;
use crate::image::format::{NONE, ProgramFlag, ProgramRecord, Section};

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
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 5) - 1;

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
    rows: u32,
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
pub struct KnownFlag<'a> {
    /// The spelling that stands for all that mean the same, without dashes.
    pub canonical: &'a str,
    /// Whether it has a value.
    pub value: FlagValue,
    /// What it makes the program run.
    pub effect: FlagEffect,
}

impl<'a> Programs<'a> {
    pub(crate) fn new(view: View<'a>, rows: u32) -> Self {
        Self { view, rows }
    }

    /// A program by its name, whatever its case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Program<'a>> {
        self.find_under(NONE, name)
    }

    fn find_under(&self, parent: u32, name: &str) -> Option<Program<'a>> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let row = low + (high - low) / 2;
            let record: ProgramRecord = self.view.row(Section::Programs, row);
            // None comes first.
            let order =
                record.parent.wrapping_add(1).cmp(&parent.wrapping_add(1)).then_with(|| {
                    compare_ignoring_case(self.view.string_bytes(record.name), name.as_bytes())
                });
            match order {
                std::cmp::Ordering::Equal => {
                    return Some(Program { programs: *self, row, record });
                }
                std::cmp::Ordering::Less => low = row + 1,
                std::cmp::Ordering::Greater => high = row,
            }
        }
        None
    }
}

/// Compares with a name that is in lower case.
fn compare_ignoring_case(name: &[u8], other: &[u8]) -> std::cmp::Ordering {
    name.iter().copied().cmp(other.iter().map(u8::to_ascii_lowercase))
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
        let view = self.programs.view;
        view.list(self.record.settings, self.record.settings_len)
            .any(|setting| view.string(setting).eq_ignore_ascii_case(name))
    }

    /// A flag by its spelling, without dashes.
    #[must_use]
    pub fn flag(&self, spelling: &str) -> Option<KnownFlag<'a>> {
        let flag = self.flag_row(self.lower_bound(spelling))?;
        (self.programs.view.string(flag.spelling) == spelling).then(|| self.known(&flag))
    }

    /// A long flag by the beginning of its spelling.
    #[must_use]
    pub fn abbreviated_flag(&self, start: &str) -> Option<KnownFlag<'a>> {
        let flag = self.flag_row(self.lower_bound(start))?;
        let spelling = self.programs.view.string(flag.spelling);
        (start.len() > 1 && spelling.starts_with(start)).then(|| self.known(&flag))
    }

    fn known(&self, flag: &ProgramFlag) -> KnownFlag<'a> {
        KnownFlag {
            canonical: self.programs.view.string(flag.canonical),
            value: FlagValue::from_number(flag.value).unwrap_or(FlagValue::None),
            effect: FlagEffect::from_number(flag.effect).unwrap_or(FlagEffect::Nothing),
        }
    }

    fn flag_row(&self, index: u32) -> Option<ProgramFlag> {
        let row = self.record.flags + index;
        (index < self.record.flags_len).then(|| self.programs.view.row(Section::ProgramFlags, row))
    }

    /// The first flag whose spelling is not less.
    fn lower_bound(&self, spelling: &str) -> u32 {
        let (mut low, mut high) = (0, self.record.flags_len);
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(flag) = self.flag_row(middle) else { return low };
            let bytes = self.programs.view.string_bytes(flag.spelling);
            if bytes < spelling.as_bytes() { low = middle + 1 } else { high = middle }
        }
        low
    }
}
