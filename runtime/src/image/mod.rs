//! The compiled, verified form of everything that decides.
//!
//! [`Image::from_bytes`] is the only way in, and it verifies: whatever the bytes, reading an image
//! afterwards neither panics nor runs without bound. Tables are read in place.

mod checksum;
mod error;
pub mod format;
mod open;
pub mod operand;
pub mod operation;
mod pages;
pub mod trace_rule;
mod verify;
mod write;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use regex_automata::dfa::sparse;
use regex_automata::{Input, meta};

use crate::classifier::Classifier;
use crate::code::Matching;
use crate::decision::{Action, Origin, Phase, Verdict};
use crate::permission::PermissionInfo;
use crate::scene::TARGET_PARAMS;
pub use checksum::checksum;
pub use error::ImageError;
use format::*;
use pages::Bytes;
pub use pages::{PAGE, PageSource, page_sums};
pub use verify::pack_run;
pub(crate) use verify::{PhasePart, unpack_run};
pub use write::{Draft, StringId};

/// Compiled rules, ready to run. Share it between sessions and threads with an `Arc`.
pub struct Image {
    bytes: Bytes,
    sections: [Range<usize>; SECTIONS],
    identity: u64,
    classifier: Option<Classifier>,
    /// The strings of an image that is at hand, known to be UTF-8 once and for all.
    strings: Option<Box<str>>,
    matchers: OnceLock<Box<[OnceLock<Box<Matcher>>]>>,
    wanted_params: OnceLock<WantedParams>,
    steps: OnceLock<Box<[u32]>>,
}

/// A pattern made ready to search. The automaton of the image is ready at once; the engine that is
/// built from the pattern is several times faster, and worth building for one that is searched often.
#[derive(Debug)]
struct Matcher {
    automaton: Option<sparse::DFA<Vec<u8>>>,
    searches: AtomicU32,
    regex: OnceLock<Option<Box<meta::Regex>>>,
}

/// After so many searches with the automaton, the faster engine is built.
const SEARCHES_BEFORE_BUILDING: u32 = 64;

/// The names of the parameters that something may ask for after a call, or `None` for all.
type WantedParams = Option<HashSet<Box<str>, foldhash::fast::RandomState>>;

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleInfo<'a> {
    /// Its id.
    pub id: &'a str,
    /// When it is looked at.
    pub phase: Phase,
    /// What it does.
    pub action: Action,
    /// Where it comes from.
    pub origin: Origin,
    /// What it is for.
    pub description: &'a str,
    /// Its triggers, separated by commas.
    pub trigger: &'a str,
    /// Its condition as an expression; empty when it always fires.
    pub condition: &'a str,
    /// Where it stands.
    pub place: Place<'a>,
}

/// A place in a rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("identity", &format_args!("{:016x}", self.identity))
            .field("rules", &self.rule_count())
            .finish_non_exhaustive()
    }
}

impl Image {
    /// Verifies `bytes` and takes them as an image.
    ///
    /// # Errors
    /// When the bytes are no image, were written for another version, or are damaged.
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Result<Self, ImageError> {
        open::open(bytes.into())
    }

    /// Takes up an image whose bytes were verified before they were kept, and reads them when
    /// something asks for them. `head` is how they begin, up to the first section at least, and `sums`
    /// are their [`page_sums`].
    ///
    /// Pages are held against their sums as they are read. What is not as it was written reads as
    /// nothing; [`Image::is_sound`] says whether that happened, and no decision counts then.
    ///
    /// # Errors
    /// When the head is none of an image, was written for another version, or is damaged.
    pub fn from_pages(
        source: Box<dyn PageSource>,
        head: &[u8],
        sums: Box<[u32]>,
    ) -> Result<Self, ImageError> {
        open::open_pages(source, head, sums)
    }

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

    /// How many rules are in force.
    #[must_use]
    pub fn rule_count(&self) -> u32 {
        self.rows::<RuleRecord>(Section::Rules)
    }

    /// What is known of a rule, by its number in findings.
    #[must_use]
    pub fn rule(&self, rule: u32) -> Option<RuleInfo<'_>> {
        if rule >= self.rule_count() {
            return None;
        }
        let view = self.view();
        let record = view.rule(rule);
        let notes: RuleNotes = view.row(Section::RuleNotes, rule);
        Some(RuleInfo {
            id: view.string(record.id),
            phase: Phase::from_number(record.phase)?,
            action: Action::from_number(record.action)?,
            origin: Origin::from_number(record.origin)?,
            description: view.string(notes.description),
            trigger: view.string(notes.trigger),
            condition: view.string(notes.condition),
            place: Place { file: view.string(notes.file), line: notes.line, column: notes.column },
        })
    }

    /// The id of a rule; empty where there is none of that number.
    pub(crate) fn rule_id(&self, rule: u32) -> &str {
        if rule < self.rule_count() { self.view().string(self.view().rule(rule).id) } else { "" }
    }

    /// The number of the rule called `id`.
    #[must_use]
    pub fn find_rule(&self, id: &str) -> Option<u32> {
        (0..self.rule_count()).find(|&rule| self.view().string(self.view().rule(rule).id) == id)
    }

    /// The rules in force, in the order in which findings are reported.
    pub fn rules(&self) -> impl Iterator<Item = RuleInfo<'_>> {
        (0..self.rule_count()).filter_map(|rule| self.rule(rule))
    }

    /// The most instructions that evaluating a rule's condition can take.
    #[must_use]
    pub fn worst_case_steps(&self, rule: u32) -> u32 {
        let steps = self.steps.get_or_init(|| verify::worst_case_steps(self));
        steps.get(rule as usize).copied().unwrap_or(0)
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

    pub(crate) fn program(&self) -> Program {
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
    pub fn classifier(&self) -> Option<&Classifier> {
        self.classifier.as_ref()
    }

    pub(crate) fn rows<R: Record>(&self, section: Section) -> u32 {
        (self.size(section) / R::SIZE) as u32
    }

    /// The length of a section in bytes.
    #[inline]
    fn size(&self, section: Section) -> usize {
        self.sections.get(section as usize).map_or(0, ExactSizeIterator::len)
    }

    /// Some bytes of a section; none where it does not hold them.
    #[inline(always)]
    fn part(&self, section: Section, bytes: Range<usize>) -> &[u8] {
        let Some(place) = self.sections.get(section as usize) else { return &[] };
        self.bytes.get(section, place, bytes)
    }

    /// All bytes of a section.
    fn section(&self, section: Section) -> &[u8] {
        self.part(section, 0..self.size(section))
    }

    /// What the image knows of programs, if anything.
    #[must_use]
    pub fn programs(&self) -> Option<crate::shell::programs::Programs<'_>> {
        let names = self.rows::<NameRecord>(Section::Names);
        (names > 0).then(|| crate::shell::programs::Programs::new(self.view(), names))
    }

    /// Whether a condition may ask for something that a command line runs, as far as a first look can
    /// tell. Where it cannot, the line is read, at many times the cost.
    #[must_use]
    pub fn may_matter(&self, line: &str) -> bool {
        let (words, _) = self.section(Section::Glance).as_chunks();
        crate::shell::glance::may_matter(self.view(), words, line)
    }

    /// Whether a policy is in force.
    #[must_use]
    pub fn has_policy(&self) -> bool {
        self.program().has_policy != 0
    }

    /// The approval mode that the policy sets, if it does.
    #[must_use]
    pub fn approval_mode(&self) -> Option<crate::code::ApprovalMode> {
        crate::code::ApprovalMode::from_number(self.program().mode)
    }

    /// What a live agent is answered when deciding fails, where the config says so.
    #[must_use]
    pub fn on_error(&self) -> Option<Verdict> {
        verify::verdict(self.program().on_error)
    }

    /// The name of the document that the agent is reminded of on every turn, if the config has one:
    /// a relative path without `..`.
    #[must_use]
    pub fn turn_reminder(&self) -> Option<&str> {
        let name = self.program().turn_reminder;
        (name != NONE).then(|| self.view().string(name))
    }

    /// What is known of a rule of the policy, by its place in the order in which they are looked at.
    #[must_use]
    pub fn permission(&self, rule: u32) -> Option<PermissionInfo<'_>> {
        if rule >= self.rows::<PermissionRecord>(Section::Permissions) {
            return None;
        }
        let view = self.view();
        let record: PermissionRecord = view.row(Section::Permissions, rule);
        Some(PermissionInfo {
            name: view.string(record.name),
            action: crate::code::PermissionAction::from_number(record.action)?,
            priority: crate::code::Priority::from_number(record.priority)?,
            mode: crate::code::ApprovalMode::from_number(record.mode),
            pattern: view.string(record.pattern),
            reason: view.string(record.reason),
            place: Place {
                file: view.string(record.file),
                line: record.line,
                column: record.column,
            },
        })
    }

    /// The rules of the policy, in the order in which they are looked at.
    pub fn permissions(&self) -> impl Iterator<Item = PermissionInfo<'_>> {
        (0..self.rows::<PermissionRecord>(Section::Permissions))
            .filter_map(|rule| self.permission(rule))
    }

    /// Whether pattern `pattern` is found in `text`.
    pub(crate) fn matches(&self, pattern: u32, text: &str, scratch: &mut String) -> bool {
        let view = self.view();
        let record: PatternRecord = view.row(Section::Patterns, pattern);
        if record.matching == Matching::Whole as u32 {
            return view.string_bytes(record.text) == text.as_bytes();
        }
        if record.matching == Matching::Beginning as u32 {
            return text.as_bytes().starts_with(view.string_bytes(record.text));
        }
        if record.matching == Matching::Literal as u32 {
            return crate::scan::contains_literal(text, view.string(record.text), scratch);
        }
        let all = self.matchers.get_or_init(|| {
            (0..self.rows::<PatternRecord>(Section::Patterns)).map(|_| OnceLock::new()).collect()
        });
        let Some(cell) = all.get(pattern as usize) else { return false };
        let matcher = cell.get_or_init(|| {
            Box::new(Matcher {
                automaton: self.automaton(&record).map(|automaton| automaton.to_owned()),
                searches: AtomicU32::new(0),
                regex: OnceLock::new(),
            })
        });
        self.search(matcher, &record, text)
    }

    fn search(&self, matcher: &Matcher, record: &PatternRecord, text: &str) -> bool {
        use regex_automata::dfa::Automaton;
        // Once the engine is there, nothing shared is written any more.
        if let Some(Some(regex)) = matcher.regex.get() {
            return regex.is_match(text);
        }
        if let Some(automaton) = &matcher.automaton
            && (matcher.regex.get().is_some()
                || matcher.searches.fetch_add(1, Ordering::Relaxed) < SEARCHES_BEFORE_BUILDING)
        {
            let input = Input::new(text).earliest(true);
            return matches!(automaton.try_search_fwd(&input), Ok(Some(_)));
        }
        let build = || build_regex(self.view().string(record.text)).map(Box::new);
        let built = matcher.regex.get_or_init(build);
        built.as_ref().is_some_and(|regex| regex.is_match(text))
    }

    /// Whether something may ask for a parameter of this name after a call.
    pub(crate) fn wants_param(&self, name: &str) -> bool {
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

    fn automaton(&self, record: &PatternRecord) -> Option<sparse::DFA<&[u8]>> {
        let start = record.automaton as usize;
        let end = start.checked_add(record.automaton_len as usize)?;
        let bytes = self.part(Section::Automata, start..end);
        let (automaton, _) = sparse::DFA::from_bytes(bytes).ok()?;
        Some(automaton)
    }
}

/// Compiles a translated pattern, within limits that keep memory small.
fn build_regex(pattern: &str) -> Option<meta::Regex> {
    meta::Regex::builder()
        .configure(
            meta::Config::new()
                .nfa_size_limit(Some(4 << 20))
                .onepass(false)
                .hybrid_cache_capacity(1 << 20),
        )
        .build(pattern)
        .ok()
}

/// The tables of an image.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    image: &'a Image,
}

impl<'a> View<'a> {
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
    pub(crate) fn string_bytes(&self, id: u32) -> &'a [u8] {
        self.image.part(Section::StringBytes, self.place_of_string(id))
    }

    /// Whether a string has these bytes.
    #[inline]
    pub(crate) fn is_string(&self, id: u32, bytes: &[u8]) -> bool {
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

    /// One item of the lists table.
    #[inline]
    pub(crate) fn item(&self, at: u32) -> u32 {
        self.row(Section::Lists, at)
    }

    /// The bytes of a run of the lists table.
    pub(crate) fn items(&self, run: format::Run) -> &'a [u8] {
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
    ) -> impl DoubleEndedIterator<Item = u32> + Clone + use<'a> {
        let image = self.image;
        (start..start + len).map(move |index| image.view().row(Section::Lists, index))
    }

    /// The words of a scan's filter.
    #[inline]
    pub(crate) fn filters(&self, start: u32, len: u32) -> &'a [[u8; 8]] {
        let bytes = start as usize * 8..(start as usize + len as usize) * 8;
        self.image.part(Section::Filters, bytes).as_chunks::<8>().0
    }

    pub(crate) fn bucket(&self, index: u32) -> u32 {
        self.row(Section::Buckets, index)
    }

    /// So many literals of the scans.
    pub(crate) fn literals(&self, start: u32, len: u32) -> &'a [[u8; LiteralRecord::SIZE]] {
        const SIZE: usize = LiteralRecord::SIZE;
        let bytes = start as usize * SIZE..(start as usize + len as usize) * SIZE;
        self.image.part(Section::Literals, bytes).as_chunks().0
    }

    /// So many flags of a program.
    pub(crate) fn program_flags(&self, start: u32, len: u32) -> &'a [[u8; ProgramFlag::SIZE]] {
        const SIZE: usize = ProgramFlag::SIZE;
        let bytes = start as usize * SIZE..(start as usize + len as usize) * SIZE;
        self.image.part(Section::ProgramFlags, bytes).as_chunks().0
    }

    pub(crate) fn literal(&self, index: u32) -> LiteralRecord {
        self.row(Section::Literals, index)
    }

    /// The instructions of a rule's condition.
    #[inline]
    pub fn code(&self, rule: &RuleRecord) -> &'a [[u8; Instruction::SIZE]] {
        let start = rule.code as usize * Instruction::SIZE;
        let len = rule.code_len as usize * Instruction::SIZE;
        self.image.part(Section::Code, start..start + len).as_chunks().0
    }

    /// The condition that an instruction was compiled from.
    #[must_use]
    pub fn condition(&self, at: u32) -> Option<ConditionNotes> {
        let rows = self.image.rows::<ConditionNotes>(Section::ConditionNotes);
        let (mut low, mut high) = (0, rows);
        while low < high {
            let middle = low + (high - low) / 2;
            let notes: ConditionNotes = self.row(Section::ConditionNotes, middle);
            match notes.at.cmp(&at) {
                std::cmp::Ordering::Equal => return Some(notes),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The place that notes of a condition name.
    #[must_use]
    pub fn place(&self, notes: &ConditionNotes) -> Place<'a> {
        Place { file: self.string(notes.file), line: notes.line, column: notes.column }
    }

    /// The pattern as its author wrote it.
    #[must_use]
    pub fn pattern_source(&self, pattern: u32) -> &'a str {
        self.string(self.row::<PatternRecord>(Section::Patterns, pattern).source)
    }
}
