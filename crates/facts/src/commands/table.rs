//! What an image knows of programs, as whoever reads command lines asks for it.

use behavior_image::format::{
    self, FILE_EFFECTS, FILE_PLACES, FLAG_EFFECTS, FLAG_VALUES, LANGUAGES, NONE, NameRecord,
    PROGRAM_TRAITS, ProgramFlag, ProgramRecord, RUNS, Record, Section,
};
use behavior_image::{Image, View, names};
use behavior_shell::{Facts, FlagEffect, FlagValue, Knowledge, KnownFlag, KnownName, Runs, Traits};
use behavior_shell::{FileEffect, FilePlace, FileUse, Language};

// What an image is verified to hold, and what is made of it, are one.
const _: () = assert!(Runs::ALL.len() == RUNS as usize);
const _: () = assert!(FlagValue::ALL.len() == FLAG_VALUES as usize);
const _: () = assert!(FlagEffect::ALL.len() == FLAG_EFFECTS as usize);
const _: () = assert!(Language::ALL.len() == LANGUAGES as usize);
const _: () = assert!(FileEffect::ALL.len() == FILE_EFFECTS as usize);
const _: () = assert!(FilePlace::ALL.len() == FILE_PLACES as usize);
const _: () = assert!(Traits::ALL == PROGRAM_TRAITS);

/// The programs that an image knows.
#[derive(Clone, Copy, Debug)]
pub struct ProgramTable<'a> {
    view: View<'a>,
    /// How long the table of names is.
    names: u32,
}

impl<'a> ProgramTable<'a> {
    /// Those of an image; `None` where it knows none.
    #[must_use]
    pub fn of(image: &'a Image) -> Option<Self> {
        let names = image.rows::<NameRecord>(Section::Names);
        (names > 0).then(|| Self { view: image.view(), names })
    }

    /// The spellings of the flags of a program.
    pub fn flags(&self, program: u32) -> impl Iterator<Item = &'a str> + use<'a> {
        let view = self.view;
        let record = self.program(program);
        let rows = record.flags..record.flags.saturating_add(record.flags_len);
        rows.map(move |row| {
            view.string(view.row::<ProgramFlag>(Section::ProgramFlags, row).spelling)
        })
    }

    fn program(&self, row: u32) -> ProgramRecord {
        self.view.row(Section::Programs, row)
    }

    fn file_use_record(&self, program: u32, number: u32) -> Option<format::FileUse> {
        let record = self.program(program);
        let is_there = number < record.uses_len;
        is_there.then(|| self.view.row(Section::FileUses, record.uses + number))
    }

    /// Whether a name is in a list, in which `*` at the end stands for any ending.
    fn is_in_list(&self, start: u32, len: u32, name: &str) -> bool {
        let view = self.view;
        let name = name.as_bytes();
        view.list(start, len).any(|listed| {
            let listed = view.string_bytes(listed);
            let Some(at) = listed.iter().position(|byte| *byte == b'*') else {
                return listed.eq_ignore_ascii_case(name);
            };
            // One sign stands for whatever is between a beginning and an end.
            let (beginning, end) = listed.split_at(at);
            let end = end.get(1..).unwrap_or_default();
            let behind = name.len().checked_sub(end.len()).filter(|behind| *behind >= at);
            let first = name.get(..at).is_some_and(|name| name.eq_ignore_ascii_case(beginning));
            let last = behind.and_then(|behind| name.get(behind..));
            first && last.is_some_and(|name| name.eq_ignore_ascii_case(end))
        })
    }

    /// The first flag of a program whose spelling is not less.
    fn first_flag(&self, program: u32, spelling: &str) -> Option<ProgramFlag> {
        let view = self.view;
        let wanted = names::flag_key(spelling);
        let ProgramRecord { flags, flags_len, .. } = self.program(program);
        let flags = view.program_flags(flags, flags_len);
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

fn optional(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

fn known(flag: &ProgramFlag) -> KnownFlag {
    KnownFlag {
        canonical: flag.canonical,
        value: FlagValue::from_number(flag.value.into()).unwrap_or(FlagValue::None),
        effect: FlagEffect::from_number(flag.effect.into()).unwrap_or(FlagEffect::Nothing),
    }
}

impl Knowledge for ProgramTable<'_> {
    fn name(&self, parent: Option<u32>, name: &str) -> Option<KnownName> {
        let record = names::find(self.view, self.names, parent.unwrap_or(NONE), name)?;
        Some(KnownName { name: record.name, program: optional(record.program) })
    }

    fn facts(&self, program: u32) -> Facts {
        let record = self.program(program);
        Facts {
            name: record.name,
            runs: Runs::from_number(record.runs).unwrap_or(Runs::Nothing),
            skip: record.skip,
            traits: Traits(record.traits),
            plus: optional(record.plus),
            language: Language::from_number(record.language).unwrap_or(Language::Unknown),
            has_escapes: record.escapes_len > 0,
        }
    }

    fn text(&self, id: u32) -> &str {
        self.view.string(id)
    }

    fn setting_is_command(&self, program: u32, name: &str) -> bool {
        let record = self.program(program);
        self.is_in_list(record.settings, record.settings_len, name)
    }

    fn setting_is_harmless(&self, program: u32, name: &str) -> bool {
        let record = self.program(program);
        record.harmless_len == 0 || self.is_in_list(record.harmless, record.harmless_len, name)
    }

    fn escape(&self, program: u32, number: u32) -> Option<&str> {
        let record = self.program(program);
        let is_there = number < record.escapes_len;
        is_there.then(|| self.view.string(self.view.item(record.escapes + number)))
    }

    fn flag(&self, program: u32, spelling: &str) -> Option<KnownFlag> {
        let flag = self.first_flag(program, spelling)?;
        self.view.is_string(flag.spelling, spelling.as_bytes()).then(|| known(&flag))
    }

    fn file_use(&self, program: u32, number: u32) -> Option<FileUse> {
        let record = self.file_use_record(program, number)?;
        Some(FileUse {
            effect: FileEffect::from_number(record.effect.into())?,
            place: FilePlace::from_number(record.place.into())?,
            name: optional(record.name),
        })
    }

    fn file_use_flag(
        &self,
        program: u32,
        use_number: u32,
        absent: bool,
        number: u32,
    ) -> Option<u32> {
        let record = self.file_use_record(program, use_number)?;
        let (start, len) = match absent {
            false => (record.with, record.with_len),
            true => (record.without, record.without_len),
        };
        (number < len).then(|| self.view.item(start + number))
    }

    fn abbreviated_flag(&self, program: u32, start: &str) -> Option<KnownFlag> {
        let flag = self.first_flag(program, start)?;
        let spelling = self.view.string_bytes(flag.spelling);
        let begins_so = start.len() > 1 && spelling.starts_with(start.as_bytes());
        begins_so.then(|| known(&flag))
    }
}
