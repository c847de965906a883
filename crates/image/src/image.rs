//! An image at hand: its bytes, verified, and its tables, read in place.
//!
//! [`Image::from_bytes`] is the only way in for bytes from anywhere, and it verifies: whatever the bytes,
//! reading an image afterwards neither panics nor runs without bound.

use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use crate::brain::{self, Brains};
use crate::classifier::{self, ClassifierTable};
use crate::code::{ShowUser, Verdict};
use crate::error::{ImageError, damaged};
use crate::format::*;
use crate::matchers::Matchers;
use crate::pages::Bytes;
use crate::target::TARGET_PARAMS;
use crate::workflow::WorkflowTable;

/// Compiled rules, ready to run. Share it between sessions and threads with an `Arc`.
pub struct Image {
    pub(crate) bytes: Bytes,
    pub(crate) sections: [Range<usize>; SECTIONS],
    pub(crate) identity: u64,
    /// Decoded once somebody asks for it: most events need none.
    pub(crate) classifier: OnceLock<Option<ClassifierTable>>,
    /// Boxed, since few images have any.
    pub(crate) workflows: Option<Box<WorkflowTable>>,
    /// The strings of an image that is at hand, known to be UTF-8 once and for all.
    pub(crate) strings: Option<Box<str>>,
    pub(crate) matchers: Matchers,
    pub(crate) wanted_params: OnceLock<WantedParams>,
    pub(crate) steps: OnceLock<Box<[u32]>>,
    /// What whoever runs it has worked out.
    pub(crate) kept: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// What has to be known of a rule to test it: little of its record.
#[derive(Clone, Copy, Debug)]
pub struct RuleTest {
    /// Its condition: the first instruction.
    pub code: u32,
    /// How many.
    pub code_len: u32,
    /// Whether it also holds where another agent gave this one its task.
    pub in_subagent: bool,
}

/// The names of the parameters that something may ask for after a call, or `None` for all.
pub(crate) type WantedParams = Option<HashSet<Box<str>, foldhash::fast::RandomState>>;

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("identity", &format_args!("{:016x}", self.identity))
            .field("rules", &self.rows::<RuleRecord>(Section::Rules))
            .finish_non_exhaustive()
    }
}

impl Image {
    /// Whether everything that was asked for so far was there, as it had been written. Only an image
    /// that is read in pages may be unsound.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.bytes.is_sound()
    }

    /// The bytes, as [`Image::from_bytes`] takes them; none where they are read in pages.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Whole(all) => all,
            Bytes::Paged(_) => &[],
        }
    }

    /// A number that two images share only if they hold the same, for logs and caches.
    #[must_use]
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// What whoever runs the image works out of it once, for all sessions; `None` where something of another
    /// type is kept already.
    pub fn kept<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.kept.get_or_init(|| Box::new(make())).downcast_ref()
    }

    /// Each section's name and its size in bytes.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, usize)> {
        Section::ALL
            .iter()
            .zip(&self.sections)
            .map(|(section, range)| (section.name(), range.len()))
    }

    /// The tables, for reading.
    #[inline]
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { image: self }
    }

    /// The names of the sets.
    pub fn sets(&self) -> impl Iterator<Item = &str> {
        let view = self.view();
        (0..self.rows::<SetRecord>(Section::Sets))
            .map(move |set| view.string(view.row::<SetRecord>(Section::Sets, set).name))
    }

    /// The names of the counters.
    pub fn counters(&self) -> impl Iterator<Item = &str> {
        self.names(Section::Counters)
    }

    /// The names of the flags.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.names(Section::Flags)
    }

    fn names(&self, section: Section) -> impl Iterator<Item = &str> {
        let view = self.view();
        (0..self.rows::<u32>(section)).map(move |index| view.string(view.row(section, index)))
    }

    /// The thresholds that the rules were compiled with.
    pub fn thresholds(&self) -> impl Iterator<Item = (&str, i64)> {
        let view = self.view();
        (0..self.rows::<NamedNumber>(Section::Numbers)).map(move |index| {
            let number: NamedNumber = view.row(Section::Numbers, index);
            (view.string(number.name), number.value)
        })
    }

    /// Facts about the whole program.
    #[inline(always)]
    #[must_use]
    pub fn program(&self) -> Program {
        self.view().row(Section::Program, 0)
    }

    /// The name of the profile that the rules come from.
    #[must_use]
    pub fn profile(&self) -> Option<&str> {
        let name = self.program().profile;
        (name != NONE).then(|| self.view().string(name))
    }

    /// The file that the image was compiled from.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        let name = self.program().entry;
        (name != NONE).then(|| self.view().string(name))
    }

    /// What compiled the image: a name and a version.
    #[must_use]
    pub fn producer(&self) -> &str {
        self.view().string(self.program().producer)
    }

    /// The section for the agent's system prompt that tells it the rules.
    #[must_use]
    pub fn prompt(&self) -> &str {
        self.view().string(self.program().prompt)
    }

    /// The classifier, if the config has one that runs.
    #[must_use]
    pub fn classifier(&self) -> Option<&ClassifierTable> {
        let read = || {
            self.read_classifier().unwrap_or_else(|_| {
                self.bytes.spoil();
                None
            })
        };
        self.classifier.get_or_init(read).as_ref()
    }

    /// Decodes the classifier.
    pub(crate) fn read_classifier(&self) -> Result<Option<ClassifierTable>, ImageError> {
        let section = Section::Classifier;
        if self.size(section) == 0 {
            return Ok(None);
        }
        let view = self.view();
        let strings = self.rows::<u32>(Section::StringIndex).saturating_sub(1);
        let words: Vec<u32> =
            (0..self.rows::<u32>(section)).map(|row| view.row(section, row)).collect();
        classifier::decode(&words, |id| (id < strings).then(|| view.string(id).to_owned()))
            .map(Some)
            .ok_or(damaged(section, "it does not decode"))
    }

    /// Returns the language models that the config names; `None` where it speaks of none. They are read each time:
    /// most events need none.
    #[must_use]
    pub fn brains(&self) -> Option<Brains> {
        let section = Section::Brains;
        let rows = self.rows::<u32>(section);
        if rows == 0 {
            return None;
        }
        let view = self.view();
        let strings = self.rows::<u32>(Section::StringIndex).saturating_sub(1);
        let words: Vec<u32> = (0..rows).map(|row| view.row(section, row)).collect();
        brain::decode(&words, |id| (id < strings).then(|| view.string(id).to_owned()))
    }

    /// The workflow templates, if there are any.
    #[must_use]
    pub fn workflows(&self) -> Option<&WorkflowTable> {
        self.workflows.as_deref()
    }

    /// How many rows a section has.
    #[must_use]
    pub fn rows<R: Record>(&self, section: Section) -> u32 {
        (self.size(section) / R::SIZE) as u32
    }

    /// The length of a section in bytes.
    #[inline]
    pub(crate) fn size(&self, section: Section) -> usize {
        self.sections.get(section as usize).map_or(0, ExactSizeIterator::len)
    }

    /// Some bytes of a section; none where it does not hold them.
    #[inline(always)]
    pub(crate) fn part(&self, section: Section, bytes: Range<usize>) -> &[u8] {
        let Some(place) = self.sections.get(section as usize) else { return &[] };
        self.bytes.get(section, place, bytes)
    }

    /// All bytes of a section.
    pub(crate) fn section(&self, section: Section) -> &[u8] {
        self.part(section, 0..self.size(section))
    }

    /// How many warnings and reminders the agent is told in a turn at most.
    #[must_use]
    pub fn max_per_turn(&self) -> u32 {
        self.program().max_per_turn
    }

    /// What of the findings a user is shown.
    #[must_use]
    pub fn show_user(&self) -> ShowUser {
        let number = u8::try_from(self.program().show_user).ok();
        number.and_then(ShowUser::from_number).unwrap_or(ShowUser::Blocks)
    }

    /// What a live agent is answered when deciding fails, where the config says so.
    #[must_use]
    pub fn on_error(&self) -> Option<Verdict> {
        Verdict::from_word(self.program().on_error)
    }

    /// The name of the document that the agent is reminded of on every turn, if the config has one:
    /// a relative path without `..`.
    #[must_use]
    pub fn turn_reminder(&self) -> Option<&str> {
        let name = self.program().turn_reminder;
        (name != NONE).then(|| self.view().string(name))
    }

    /// Whether something may ask for a parameter of this name after a call.
    #[must_use]
    pub fn wants_param(&self, name: &str) -> bool {
        let wanted = self.wanted_params.get_or_init(|| {
            if self.program().keeps_all_params != 0 {
                return None;
            }
            let view = self.view();
            let asked = (0..self.rows::<u32>(Section::Params))
                .map(|index| view.string(view.row(Section::Params, index)));
            Some(asked.chain(TARGET_PARAMS).map(Box::from).collect())
        });
        wanted.as_ref().is_none_or(|wanted| wanted.contains(name))
    }
}

/// The tables of an image.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    image: &'a Image,
}

impl<'a> View<'a> {
    /// How many rows a section has.
    #[must_use]
    pub fn rows<R: Record>(&self, section: Section) -> u32 {
        self.image.rows::<R>(section)
    }

    /// Row `index` of a section; all zero where there is none, which a verified image rules out.
    #[inline(always)]
    pub fn row<R: Record>(&self, section: Section, index: u32) -> R {
        let start = index as usize * R::SIZE;
        R::read(self.image.part(section, start..start + R::SIZE))
    }

    /// A string; empty for none.
    #[inline]
    #[must_use]
    pub fn string(&self, id: u32) -> &'a str {
        match &self.image.strings {
            Some(strings) => strings.get(self.place_of_string(id)).unwrap_or_default(),
            None => std::str::from_utf8(self.string_bytes(id)).unwrap_or_default(),
        }
    }

    /// The bytes of a string, where only they matter; empty for none.
    #[inline]
    #[must_use]
    pub fn string_bytes(&self, id: u32) -> &'a [u8] {
        self.image.part(Section::StringBytes, self.place_of_string(id))
    }

    /// Whether a string has these bytes.
    #[inline]
    #[must_use]
    pub fn is_string(&self, id: u32, bytes: &[u8]) -> bool {
        self.place_of_string(id).len() == bytes.len() && self.string_bytes(id) == bytes
    }

    #[inline]
    fn place_of_string(&self, id: u32) -> Range<usize> {
        const SIZE: usize = size_of::<u32>();
        if id == NONE {
            return 0..0;
        }
        // Where it begins, and where the next one does.
        let at = id as usize * SIZE;
        let both = self.image.part(Section::StringIndex, at..at + 2 * SIZE);
        u32::read_at(both, 0) as usize..u32::read_at(both, SIZE) as usize
    }

    /// A rule.
    #[inline(always)]
    #[must_use]
    pub fn rule(&self, rule: u32) -> RuleRecord {
        self.row(Section::Rules, rule)
    }

    /// What has to be known of a rule to test it.
    #[inline(always)]
    #[must_use]
    pub fn rule_test(&self, rule: u32) -> RuleTest {
        let RuleRecord { code, code_len, in_subagent, .. } = self.rule(rule);
        RuleTest { code, code_len, in_subagent: in_subagent != 0 }
    }

    /// One item of the lists table.
    #[inline]
    #[must_use]
    pub fn item(&self, at: u32) -> u32 {
        self.row(Section::Lists, at)
    }

    /// The bytes of a run of the lists table.
    #[must_use]
    pub fn items(&self, run: Run) -> &'a [u8] {
        const SIZE: usize = size_of::<u32>();
        let start = run.start as usize * SIZE;
        self.image.part(Section::Lists, start..start + run.len as usize * SIZE)
    }

    /// A run of the lists table.
    #[inline]
    pub fn list(
        &self,
        start: u32,
        len: u32,
    ) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone + use<'a> {
        let image = self.image;
        (start..start + len).map(move |index| image.view().row(Section::Lists, index))
    }

    /// The words of a scan's filter.
    #[inline]
    #[must_use]
    pub fn filters(&self, start: u32, len: u32) -> &'a [[u8; 8]] {
        let bytes = start as usize * 8..(start as usize + len as usize) * 8;
        self.image.part(Section::Filters, bytes).as_chunks::<8>().0
    }

    /// A bucket boundary of the scans.
    #[must_use]
    pub fn bucket(&self, index: u32) -> u32 {
        self.row(Section::Buckets, index)
    }

    /// So many literals of the scans.
    #[must_use]
    pub fn literals(&self, start: u32, len: u32) -> &'a [[u8; LiteralRecord::SIZE]] {
        const SIZE: usize = LiteralRecord::SIZE;
        let bytes = start as usize * SIZE..(start as usize + len as usize) * SIZE;
        self.image.part(Section::Literals, bytes).as_chunks().0
    }

    /// So many flags of a program.
    #[must_use]
    pub fn program_flags(&self, start: u32, len: u32) -> &'a [[u8; ProgramFlag::SIZE]] {
        const SIZE: usize = ProgramFlag::SIZE;
        let bytes = start as usize * SIZE..(start as usize + len as usize) * SIZE;
        self.image.part(Section::ProgramFlags, bytes).as_chunks().0
    }

    /// A literal of the scans.
    #[must_use]
    pub fn literal(&self, index: u32) -> LiteralRecord {
        self.row(Section::Literals, index)
    }

    /// The instructions of a rule's condition.
    #[inline]
    pub fn code(&self, rule: &RuleRecord) -> &'a [[u8; Instruction::SIZE]] {
        self.instructions(rule.code, rule.code_len)
    }

    /// So many instructions from one on.
    #[inline]
    #[must_use]
    pub fn instructions(&self, start: u32, len: u32) -> &'a [[u8; Instruction::SIZE]] {
        let start = start as usize * Instruction::SIZE;
        let len = len as usize * Instruction::SIZE;
        self.image.part(Section::Code, start..start + len).as_chunks().0
    }

    /// The exceptions of a rule.
    pub fn exceptions(&self, rule: &RuleRecord) -> impl Iterator<Item = ExceptionRecord> + use<'a> {
        let image = self.image;
        let rows = rule.exceptions..rule.exceptions + u32::from(rule.exceptions_len);
        rows.map(move |row| image.view().row(Section::Exceptions, row))
    }

    /// The pattern as its author wrote it.
    #[must_use]
    pub fn pattern_source(&self, pattern: u32) -> &'a str {
        self.string(self.row::<PatternRecord>(Section::Patterns, pattern).source)
    }
}
