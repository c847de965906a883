//! Words, and how much is known of each.

use std::ops::Range;

use super::hole::HOLE;

/// A word of a command after expansion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    pub(super) start: u32,
    pub(super) end: u32,
    traits: u16,
    /// What its one hole stands for, as a number of [`LoopWords`]; 0 for none.
    pub(super) stands_for: u16,
    /// Where it stands in the line: the first byte.
    pub from: u32,
    /// The byte behind its last.
    pub to: u32,
}

const HOLED: u16 = 1;
const GLOB: u16 = 1 << 1;
const MAY_BE_FLAG: u16 = 1 << 2;
const MAY_SPLIT: u16 = 1 << 3;
const SYNTAX: u16 = 1 << 4;
const VARIES: u16 = 1 << 5;
const PROCESS: u16 = 1 << 6;
const SLASH: u16 = 1 << 7;
const FILE: u16 = 1 << 8;
const FLAGS: u16 = 1 << 9;
const LETTERS: u16 = 1 << 10;
const BRANCH: u16 = 1 << 11;
const USER: u16 = 1 << 12;
const OTHER: u16 = 1 << 13;
const PARTLY: u16 = 1 << 14;

impl Word {
    pub(super) fn new(text: Range<u32>, span: Range<u32>) -> Self {
        let Range { start, end } = text;
        Self { start, end, traits: 0, stands_for: 0, from: span.start, to: span.end }
    }

    /// Whether a piece of it is not known.
    #[must_use]
    pub fn has_hole(&self) -> bool {
        self.traits & HOLED != 0
    }

    /// Whether it is a pattern for file names.
    #[must_use]
    pub fn is_glob(&self) -> bool {
        self.traits & GLOB != 0
    }

    /// Whether the unknown piece may make it a flag.
    #[must_use]
    pub fn may_be_flag(&self) -> bool {
        self.traits & MAY_BE_FLAG != 0
    }

    /// Whether the unknown piece may be flags, and is called so: `$OPTS`, `"$@"`.
    #[must_use]
    pub fn is_called_flags(&self) -> bool {
        self.traits & FLAGS != 0
    }

    /// Whether the unknown piece may be no word or several.
    #[must_use]
    pub fn may_split(&self) -> bool {
        self.traits & MAY_SPLIT != 0
    }

    /// Whether the unknown piece may hold quotes and other signs of a shell.
    #[must_use]
    pub fn may_hold_syntax(&self) -> bool {
        self.traits & SYNTAX != 0
    }

    /// Whether nobody knows what the unknown piece may be; if not, it is one of several words that
    /// stand in the line.
    #[must_use]
    pub fn varies(&self) -> bool {
        self.traits & VARIES != 0
    }

    /// Whether an unknown piece may hold a slash, and so be more than a part of a name.
    pub(super) fn may_hold_slash(&self) -> bool {
        self.traits & SLASH != 0
    }

    /// Whether its unknown piece is the name of the branch that is checked out.
    #[must_use]
    pub fn is_of_branch(&self) -> bool {
        self.traits & BRANCH != 0
    }

    /// Whether it begins with an unknown piece that is the name or the number of the user whose shell it is.
    #[must_use]
    pub fn begins_with_user(&self) -> bool {
        self.traits & USER != 0
    }

    /// Whether all unknown pieces are out of sequences of numbers, `{1..1000}`.
    pub(super) fn is_of_sequence(&self) -> bool {
        self.traits & (HOLED | LETTERS) == HOLED
    }

    /// Whether it is one of the files that a pattern of the line stands for.
    pub(super) fn is_file(&self) -> bool {
        self.traits & FILE != 0
    }

    /// Whether it is `<( … )`: a file that commands fill.
    pub(super) fn is_process(&self) -> bool {
        self.traits & PROCESS != 0
    }

    /// Whether what it ends with is the value of a variable that may have another one, or none.
    pub(super) fn may_be_other(&self) -> bool {
        self.traits & OTHER != 0
    }

    /// Whether a part of it is the value of a variable that may have another one, or none.
    pub(super) fn is_partly_other(&self) -> bool {
        self.traits & PARTLY != 0
    }

    /// Notes that the word holds a piece that nobody knows.
    pub(super) fn mark_unknown(&mut self, is_unknown: bool) {
        if is_unknown {
            self.traits |= HOLED | SYNTAX | VARIES | SLASH | LETTERS;
        }
    }

    /// Notes that what nobody knows of it is a name, in which no sign means anything to a shell.
    pub(super) fn mark_name(&mut self) {
        self.traits &= !SYNTAX;
    }

    /// A part of this word, with the same doubts.
    pub(super) fn part(&self, start: u32) -> Self {
        Self { start: start.min(self.end), ..*self }
    }

    /// The same word where another one stands in the line.
    pub(super) fn placed_as(self, other: &Self) -> Self {
        Self { from: other.from, to: other.to, ..self }
    }

    /// The part before `end`, with the same doubts.
    pub(super) fn until(&self, end: u32) -> Self {
        Self { end: end.clamp(self.start, self.end), ..*self }
    }
}

/// What holes stand for: one of the words of a loop, or of the values that a variable may have, what a command finds, the
/// file that commands fill.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopWords {
    words: Vec<Word>,
    /// The loops over what a command finds, by number, each with that command.
    finders: Vec<(u16, u32)>,
    /// The commands that fill a file, `<( … )`, by number.
    processes: Vec<(u16, Range<u32>)>,
    /// Where those of each loop begin; the numbers of loops count from 1.
    starts: Vec<u32>,
    /// The numbers under which not all words are known.
    open: Vec<u16>,
    /// Those of them under which all words are that the line itself gives a variable.
    given: Vec<u16>,
    /// Those of them under which there is what a variable stands for that only the environment may set.
    usual: Vec<u16>,
}

/// More words than these are not kept.
const MAX_LOOP_WORDS: usize = 4_096;

impl LoopWords {
    pub fn clear(&mut self) {
        self.words.clear();
        self.finders.clear();
        self.processes.clear();
        self.starts.clear();
        self.open.clear();
        self.given.clear();
        self.usual.clear();
    }

    /// Notes that a loop is over what a command finds, and returns its number; 0 where there are too many.
    pub fn keep_finder(&mut self, command: u32) -> u16 {
        let number = self.next();
        self.finders.extend((number > 0).then_some((number, command)));
        number
    }

    /// Notes which commands fill a file, and returns its number; 0 where there are too many.
    pub fn keep_process(&mut self, commands: Range<u32>) -> u16 {
        let number = self.next();
        self.processes.extend((number > 0).then_some((number, commands)));
        number
    }

    /// A new number without words; 0 where there are too many.
    fn next(&mut self) -> u16 {
        if self.starts.len() >= MAX_LOOP_WORDS {
            return 0;
        }
        self.starts.push(self.words.len() as u32);
        self.starts.len() as u16
    }

    /// The commands that fill a file.
    pub fn process(&self, number: u16) -> Range<u32> {
        let found = self.processes.iter().find(|(known, _)| *known == number);
        found.map(|(_, commands)| commands.clone()).unwrap_or_default()
    }

    /// The command that finds what a loop is over.
    pub fn finder(&self, number: u16) -> Option<u32> {
        let found = self.finders.iter().find(|(known, _)| *known == number);
        found.map(|(_, command)| *command).filter(|_| number > 0)
    }

    /// Keeps the words of a loop, and returns the number under which; 0 where they are too many.
    pub fn keep(&mut self, words: &[Word]) -> u16 {
        if self.words.len() + words.len() > MAX_LOOP_WORDS || words.is_empty() {
            return 0;
        }
        self.starts.push(self.words.len() as u32);
        self.words.extend_from_slice(words);
        self.starts.len() as u16
    }

    /// Keeps some of the words that a hole may stand for, and returns the number under which.
    pub fn keep_some(&mut self, words: &[Word]) -> u16 {
        let number = self.keep(words);
        self.open.extend((number > 0).then_some(number));
        number
    }

    /// Notes that the words under a number are all that the line gives.
    pub fn note_given(&mut self, number: u16) {
        self.given.extend((number > 0).then_some(number));
    }

    /// Notes that a hole stands for the one word under a number unless the environment has another.
    pub fn note_usual(&mut self, number: u16) {
        self.usual.extend((number > 0).then_some(number));
    }

    /// Whether a hole stands for the word under a number unless the environment has another.
    pub fn is_usual(&self, number: u16) -> bool {
        self.usual.contains(&number)
    }

    /// Whether the words under a number are all that the line gives.
    pub fn are_given(&self, number: u16) -> bool {
        number > 0 && (!self.is_open(number) || self.given.contains(&number))
    }

    /// Whether a hole may stand for other words than those under a number.
    pub fn is_open(&self, number: u16) -> bool {
        self.open.contains(&number)
    }

    /// The words that were kept under a number.
    pub fn of(&self, number: u16) -> &[Word] {
        let start = |number: usize| self.starts.get(number).map(|start| *start as usize);
        let Some(first) = usize::from(number).checked_sub(1).and_then(start) else { return &[] };
        let end = start(usize::from(number)).unwrap_or(self.words.len());
        self.words.get(first..end).unwrap_or_default()
    }
}

/// How much is known of a piece that stands for a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    /// It may begin with `-`.
    pub may_be_flag: bool,
    /// It may be no word or several.
    pub may_split: bool,
    /// It has no sign in it that means something to a shell.
    pub is_plain: bool,
    /// It is one of several words that stand in the line.
    pub is_listed: bool,
    /// It is a number, or another text without a slash.
    pub is_number: bool,
    /// It is one of the numbers of a sequence that stands in the line.
    pub is_of_sequence: bool,
    /// It is the name of the branch that is checked out.
    pub is_branch: bool,
    /// It is the name or the number of the user whose shell it is.
    pub is_user: bool,
    /// It is one of the files that a pattern of the line stands for.
    pub is_file: bool,
    /// It is called so that it may be flags.
    pub is_called_flags: bool,
    /// It is one of these words, or may be, as a number of [`LoopWords`]; 0 for none.
    pub stands_for: u16,
}

impl Doubt {
    /// A number.
    pub const NUMBER: Self = Self { is_number: true, ..Self::NAME };
    /// The name of the branch that is checked out.
    pub const BRANCH: Self = Self { is_branch: true, ..Self::NAME };
    /// The name or the number of the user whose shell it is.
    pub const USER: Self = Self { is_user: true, ..Self::NUMBER };
    /// A number out of a sequence.
    pub const OF_SEQUENCE: Self = Self { is_of_sequence: true, ..Self::NUMBER };
    /// A name, or a path.
    pub const NAME: Self = Self {
        may_be_flag: false,
        may_split: false,
        is_plain: true,
        is_listed: false,
        is_number: false,
        is_of_sequence: false,
        is_branch: false,
        is_user: false,
        is_file: false,
        is_called_flags: false,
        stands_for: 0,
    };

    /// What a command finds that a loop is over, by its number.
    pub const fn found(number: u16, may_split: bool) -> Self {
        Self { is_file: true, stands_for: number, may_split, ..Self::NAME }
    }

    /// What is known of the holes of a word.
    pub fn of(word: &Word) -> Self {
        Self {
            is_plain: !word.may_hold_syntax(),
            is_listed: !word.varies(),
            is_number: !word.may_hold_slash(),
            stands_for: word.stands_for,
            ..Self::word(word.may_be_flag(), word.may_split())
        }
    }

    /// Any text.
    pub const fn word(may_be_flag: bool, may_split: bool) -> Self {
        Self { may_be_flag, may_split, is_plain: false, ..Self::NAME }
    }
}

/// A word being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growing {
    /// Where its text starts in the buffer.
    pub base: usize,
    /// Where its brace signs start.
    pub braces: usize,
    /// Whether there is a word at all: `''` is one.
    pub started: bool,
    pub from: usize,
    traits: u16,
    stands_for: u16,
}

impl Growing {
    pub fn new(base: usize, braces: usize, from: usize) -> Self {
        Self { base, braces, started: false, from, traits: 0, stands_for: 0 }
    }

    pub fn mark_glob(&mut self) {
        self.traits |= GLOB;
    }

    /// Notes that it is, or ends with, the value of a variable that may have another one, or none.
    pub fn mark_other(&mut self) {
        self.traits |= OTHER;
    }

    /// Notes that a part of it is such a value.
    pub fn mark_partly_other(&mut self) {
        self.traits |= PARTLY;
    }

    /// Notes that it is a file that commands fill, known under a number of [`LoopWords`].
    pub fn mark_process(&mut self, number: u16) {
        self.traits |= PROCESS;
        self.stands_for = number;
    }

    /// Notes a hole; `at_start` says whether nothing stands before it in the word.
    pub fn mark_hole(&mut self, doubt: Doubt, at_start: bool) {
        self.started = true;
        // Of two pieces nobody knows which values go together.
        self.stands_for = if self.traits & HOLED == 0 { doubt.stands_for } else { 0 };
        let is_branch = self.traits & HOLED == 0 && doubt.is_branch;
        self.traits = if is_branch { self.traits | BRANCH } else { self.traits & !BRANCH };
        self.traits |= HOLED;
        self.traits |= if doubt.is_plain { 0 } else { SYNTAX };
        self.traits |= if doubt.is_listed { 0 } else { VARIES };
        self.traits |= if doubt.is_number { 0 } else { SLASH };
        self.traits |= if doubt.is_of_sequence { 0 } else { LETTERS };
        self.traits |= if doubt.is_file && at_start { FILE } else { 0 };
        self.traits |= if doubt.is_user && at_start { USER } else { 0 };
        if doubt.may_split {
            self.traits |= MAY_SPLIT;
        }
        // What splits may put a flag behind whatever stands before it.
        if doubt.may_be_flag && (at_start || doubt.may_split) {
            self.traits |= MAY_BE_FLAG;
            self.traits |= if doubt.is_called_flags { FLAGS } else { 0 };
        }
    }

    /// The word that it has become: with this text, which stands at this place of the line's.
    pub fn word(&self, grown: &str, place: Range<u32>, to: usize) -> Word {
        let behind_hole = grown.strip_prefix(HOLE).unwrap_or_default();
        let mut traits = self.traits;
        // `$x/y` is a path whatever `x` is.
        if behind_hole.starts_with('/') && traits & MAY_SPLIT == 0 {
            traits &= !MAY_BE_FLAG;
        }
        Word {
            start: place.start,
            end: place.end,
            traits,
            stands_for: self.stands_for,
            from: self.from as u32,
            to: to as u32,
        }
    }
}
