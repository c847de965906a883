//! A first look at a command line, at a small part of the cost of reading it: whether it can hold
//! anything that the conditions of an image ask for. The answer errs on one side only. Where there is
//! the least that this does not understand (an expansion, a compound command, a quote within a word),
//! the line has to be read.
//!
//! It rests on this: in a line without expansions, whatever runs is named by letters that stand
//! together in the line. So it is enough to look at each such run of letters, wherever it stands, and
//! to be sure that reading would find nothing that cannot be known.

use std::collections::BTreeMap;

use crate::format::{Meaning, NONE, PrefilterRecord, Program, Record, Section};
use crate::image::{Image, View};
use crate::names::Hash;

/// Bits of [`Meaning::traits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits;

impl Traits {
    /// The line is worth reading.
    pub const MATTERS: u32 = 1;
    /// A program that may run others, given by its words.
    pub const RUNS: u32 = 1 << 1;
    /// Where a command begins, it is no program.
    pub const KEYWORD: u32 = 1 << 2;
    /// Where a word of the line is a pattern for files, it may be one that makes the line worth reading.
    pub const EXPANDS: u32 = 1 << 3;
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 4) - 1;
}

impl Meaning {
    /// Adds what another word means.
    fn add(&mut self, other: &Self) {
        self.traits |= other.traits;
        self.programs |= other.programs;
        self.operands |= other.operands;
        self.flagged_programs |= other.flagged_programs;
        self.flagged_operands |= other.flagged_operands;
        self.flags |= other.flags;
    }
}

/// Lays out words, in lower case, with what they mean: a table whose length is a power of two and which
/// is at most half full, and the meanings that it points at.
///
/// Words of one hash are one word that means all that they mean, so that a first look errs on the side
/// of reading.
#[must_use]
pub fn lay_out<'w>(
    words: impl Iterator<Item = (&'w str, Meaning)>,
) -> (Vec<PrefilterRecord>, Vec<Meaning>) {
    let mut by_hash: BTreeMap<u32, Meaning> = BTreeMap::new();
    for (word, meaning) in words {
        by_hash.entry(hash_of(Hash::of(NONE, word.as_bytes()))).or_default().add(&meaning);
    }
    let slots = (by_hash.len() * 2).next_power_of_two();
    let (mut table, mut meanings) = (vec![PrefilterRecord::default(); slots], Vec::new());
    for (hash, meaning) in by_hash {
        let row = meanings.iter().position(|known| *known == meaning).unwrap_or_else(|| {
            meanings.push(meaning);
            meanings.len() - 1
        });
        let start = hash as usize;
        let mut places = (start..start + slots).map(|at| at & (slots - 1));
        let free = places.find(|&at| table.get(at).is_some_and(|slot| slot.hash == 0));
        if let Some(slot) = free.and_then(|at| table.get_mut(at)) {
            *slot = PrefilterRecord { hash, meaning: row as u32 };
        }
    }
    (table, meanings)
}

/// A hash that is not that of an empty slot.
fn hash_of(hash: Hash) -> u32 {
    hash.0.max(1)
}

/// Longer lines are read. So none has more commands or grows more than a line may.
const MAX_LENGTH: usize = 4 << 10;
/// Programs that run others may be nested; with more of them than this, the line is read.
const MAX_RUNNERS: u32 = 8;
/// How many beginnings of names a first look looks for at most.
pub const MAX_BEGINNINGS: usize = 8;

/// What a byte may be in a line, outside of quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// It may stand in the name of a program.
    Name,
    /// It stands between names within a word.
    Sign,
    Blank,
    /// It makes a pattern of a word.
    Glob,
    Quote,
    Equals,
    Redirect,
    Operator,
    /// Not understood here.
    Odd,
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'+' => Class::Name,
        b'/' | b':' | b',' | b'@' | b'%' | b'^' | b'~' | b'!' => Class::Sign,
        b' ' | b'\t' => Class::Blank,
        b'*' | b'?' | b'[' | b']' => Class::Glob,
        b'\'' | b'"' => Class::Quote,
        b'=' => Class::Equals,
        b'<' | b'>' => Class::Redirect,
        b';' | b'&' | b'|' | b'\n' => Class::Operator,
        // The first byte of the character that stands for what is not known.
        0xEF => Class::Odd,
        0x80.. => Class::Name,
        _ => Class::Odd,
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "in a constant, what is out of bounds does not compile"
)]
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Odd; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

/// The letters of names in lower case; 0 for all other bytes.
#[expect(
    clippy::indexing_slicing,
    reason = "in a constant, what is out of bounds does not compile"
)]
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if matches!(CLASSES[byte], Class::Name) {
            letters[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    letters
};

fn class_of(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Odd)
}

/// Whether a letter may stand in a name that a first look finds.
#[must_use]
pub fn is_plain_letter(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(|byte| byte.is_ascii() && class(byte) == Class::Name)
}

/// Whether a first look finds a name.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain_letter)
}

/// A bit that stands for a letter with which a flag begins; signs and digits share some.
#[must_use]
pub const fn flag_letter(letter: u8) -> u64 {
    let bit = match letter {
        b'a'..=b'z' => letter - b'a',
        b'A'..=b'Z' => letter - b'A' + 26,
        _ => 52 + letter % 12,
    };
    1 << bit
}

/// The bit of the letter with which a flag begins; none of one without letters.
#[must_use]
pub fn first_letter(flag: &[u8]) -> u64 {
    flag.first().map_or(0, |letter| flag_letter(*letter))
}

impl Image {
    /// Whether a condition may ask for something that a command line runs, as far as a first look can
    /// tell. Where it cannot, the line is read, at many times the cost.
    #[must_use]
    pub fn may_matter(&self, line: &str) -> bool {
        let (words, _) = self.section(Section::Prefilter).as_chunks();
        may_matter(self.view(), words, line)
    }

    /// Whether [`Image::may_matter`] also tells what the policy may ask for.
    #[must_use]
    pub fn prefilters_policy(&self) -> bool {
        self.program().prefilters_policy != 0
    }
}

/// Whether a condition may ask for something that a line holds, so that it has to be read. `words` is
/// the table of words.
fn may_matter(view: View<'_>, words: &[[u8; PrefilterRecord::SIZE]], line: &str) -> bool {
    if words.is_empty() || line.len() > MAX_LENGTH {
        return true;
    }
    let program: Program = view.row(Section::Program, 0);
    let mut beginnings = [&b""[..]; MAX_BEGINNINGS];
    let listed = view.list(program.beginnings, program.beginnings_len);
    for (place, beginning) in beginnings.iter_mut().zip(listed) {
        *place = view.string_bytes(beginning);
    }
    let beginnings = beginnings.get(..program.beginnings_len as usize);
    let Some(beginnings) = beginnings else { return true };
    let mut prefilter = Prefilter::new(view, words, line.as_bytes(), beginnings);
    prefilter.line().is_none() || prefilter.found_matters()
}

/// The line is worth reading, or not understood.
type Understood = Option<()>;

struct Prefilter<'a> {
    view: View<'a>,
    /// The table of words.
    words: &'a [[u8; PrefilterRecord::SIZE]],
    beginnings: &'a [&'a [u8]],
    /// The letters with which these begin, great or small.
    beginning_letters: u64,
    line: &'a [u8],
    at: usize,
    /// What the words so far mean, all together.
    found: Meaning,
    runners: u32,
    /// The letters with which flags of the line may begin.
    flags: u64,
    /// Something stands in the line that only matters where a program runs others.
    is_doubtful: bool,
    /// A word is a pattern for files.
    has_glob: bool,
    /// No blank stands between here and where the command began.
    is_first_word: bool,
    /// The command has a word.
    has_word: bool,
    /// A command has to follow.
    needs_command: bool,
    /// A word has to follow.
    needs_target: bool,
    /// Files of the system or the home that redirections write make a line worth reading.
    looks_at_redirects: bool,
}

impl<'a> Prefilter<'a> {
    fn new(
        view: View<'a>,
        words: &'a [[u8; PrefilterRecord::SIZE]],
        line: &'a [u8],
        beginnings: &'a [&'a [u8]],
    ) -> Self {
        let both = |beginning: &&[u8]| match beginning.first() {
            Some(letter) => {
                flag_letter(letter.to_ascii_lowercase()) | flag_letter(letter.to_ascii_uppercase())
            }
            None => u64::MAX,
        };
        Self {
            view,
            words,
            beginnings,
            beginning_letters: beginnings.iter().map(both).fold(0, |all, letters| all | letters),
            line,
            at: 0,
            found: Meaning::default(),
            runners: 0,
            flags: 0,
            is_doubtful: false,
            has_glob: false,
            is_first_word: true,
            has_word: false,
            needs_command: false,
            needs_target: false,
            looks_at_redirects: view.row::<Program>(Section::Program, 0).looks_at_redirects != 0,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Whether what was found has to be read.
    fn found_matters(&self) -> bool {
        let Meaning {
            traits, programs, operands, flagged_programs, flagged_operands, flags, ..
        } = self.found;
        let may_hide =
            self.is_doubtful || traits & Traits::KEYWORD != 0 || self.runners > MAX_RUNNERS;
        programs & operands != 0
            || flagged_programs & flagged_operands != 0 && flags & self.flags != 0
            || traits & Traits::RUNS != 0 && may_hide
            || traits & Traits::EXPANDS != 0 && self.has_glob
    }

    /// What a word means, if anything.
    #[inline]
    fn meaning(&self, hash: Hash) -> Option<Meaning> {
        let hash = hash_of(hash);
        let mask = self.words.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        for _ in 0..self.words.len() {
            let slot = PrefilterRecord::read(self.words.get(at)?);
            if slot.hash == hash {
                return Some(self.view.row(Section::Meanings, slot.meaning));
            }
            if slot.hash == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
        None
    }

    fn line(&mut self) -> Understood {
        while let Some(byte) = self.peek() {
            match class_of(byte) {
                Class::Name => {
                    self.begin_word();
                    self.name()?;
                }
                Class::Blank => {
                    self.is_first_word &= !self.has_word;
                    self.at += 1;
                }
                Class::Sign => {
                    if byte == b'!' && !self.has_word {
                        return None;
                    }
                    self.is_doubtful |= byte == b'!';
                    self.begin_word();
                    self.at += 1;
                }
                Class::Glob => {
                    self.begin_word();
                    self.within_arguments()?;
                    self.is_doubtful = true;
                    self.has_glob = true;
                    self.at += 1;
                }
                Class::Equals => {
                    self.begin_word();
                    self.within_arguments()?;
                    self.at += 1;
                }
                Class::Quote => {
                    self.begin_word();
                    self.within_arguments()?;
                    self.quoted(byte)?;
                }
                Class::Redirect => self.redirect()?,
                Class::Operator => self.operator(byte)?,
                Class::Odd => return None,
            }
        }
        (!self.needs_command && !self.needs_target).then_some(())
    }

    fn begin_word(&mut self) {
        self.has_word = true;
        self.needs_command = false;
        self.needs_target = false;
    }

    fn within_arguments(&self) -> Understood {
        (!self.is_first_word).then_some(())
    }

    /// Letters that may be the name of a program.
    fn name(&mut self) -> Understood {
        let rest = self.line.get(self.at..).unwrap_or_default();
        let mut hash = Hash::under(NONE);
        let mut letters = 0;
        for byte in rest {
            let letter = LETTERS.get(usize::from(*byte)).copied().unwrap_or(0);
            if letter == 0 {
                break;
            }
            hash = hash.with_lower(letter);
            letters += 1;
        }
        self.at += letters;
        let name = rest.get(..letters).unwrap_or_default();
        if let Some(flag) = name.strip_prefix(b"-") {
            match flag.strip_prefix(b"-") {
                Some(long) => self.flags |= first_letter(long),
                None => {
                    // Each letter may be a flag, or the beginning of a value.
                    self.flags |= flag.iter().fold(0, |all, letter| all | flag_letter(*letter));
                    self.is_doubtful |= flag.len() > 1;
                }
            }
            return Some(());
        }
        let may_begin_so = first_letter(name) & self.beginning_letters != 0;
        let beginning = |beginning: &&[u8]| {
            let there = name.get(..beginning.len());
            there.is_some_and(|there| there.eq_ignore_ascii_case(beginning))
        };
        let ends_so = || {
            let ending = name.len().checked_sub(4).and_then(|stem| name.get(stem..));
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case(b".exe"))
        };
        // The first is quick, and most often false.
        if matches!(name.last(), Some(b'e' | b'E')) && ends_so()
            || may_begin_so && self.beginnings.iter().any(beginning)
        {
            return None;
        }
        let Some(meaning) = self.meaning(hash) else { return Some(()) };
        self.found.add(&meaning);
        self.runners += u32::from(meaning.traits & Traits::RUNS != 0);
        let is_keyword = meaning.traits & Traits::KEYWORD != 0 && self.is_first_word;
        (meaning.traits & Traits::MATTERS == 0 && !is_keyword).then_some(())
    }

    /// A text in quotes, which is a word or ends one.
    fn quoted(&mut self, quote: u8) -> Understood {
        let before = self.at.checked_sub(1).and_then(|at| self.line.get(at)).copied();
        let begins = before.is_none_or(|before| {
            matches!(class_of(before), Class::Blank | Class::Sign | Class::Equals | Class::Redirect)
        });
        if !begins {
            return None;
        }
        self.at += 1;
        loop {
            let byte = self.peek()?;
            match (class_of(byte), byte) {
                (_, byte) if byte == quote => break,
                (Class::Name, _) => {
                    self.name()?;
                    continue;
                }
                (Class::Sign, b'!') => self.is_doubtful = true,
                (Class::Blank | Class::Sign | Class::Equals, _) => {}
                (_, b'`' | 0 | 0xEF) => return None,
                (_, b'$' | b'\\') if quote == b'"' => return None,
                (_, b'$') if self.line.get(self.at + 1) == Some(&b'(') => return None,
                _ => self.is_doubtful = true,
            }
            self.at += 1;
        }
        self.at += 1;
        let ends = self.peek().is_none_or(|behind| {
            !matches!(class_of(behind), Class::Name | Class::Quote | Class::Glob | Class::Odd)
        });
        ends.then_some(())
    }

    fn redirect(&mut self) -> Understood {
        if self.is_first_word || self.needs_target {
            return None;
        }
        let sign = self.peek();
        self.at += 1;
        match (sign, self.peek()) {
            // A here-document, or a command in `( … )`.
            (Some(b'<'), Some(b'<' | b'(')) | (_, Some(b'(')) => return None,
            (Some(b'<'), Some(b'>' | b'&')) | (Some(b'>'), Some(b'>' | b'|' | b'&')) => {
                self.at += 1;
            }
            _ => {}
        }
        self.needs_target = true;
        if sign == Some(b'>') { self.written() } else { Some(()) }
    }

    /// The file behind a redirection that writes it, where anybody asks.
    fn written(&self) -> Understood {
        let rest = self.line.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = rest.get(blanks..).unwrap_or_default();
        let is_named = matches!(rest.first(), Some(b'/' | b'~' | b'"' | b'\''));
        if !self.looks_at_redirects || !is_named {
            return Some(());
        }
        let behind = rest.strip_prefix(b"/dev/null")?.first();
        behind.is_none_or(|byte| b" \t\n;&|".contains(byte)).then_some(())
    }

    fn operator(&mut self, byte: u8) -> Understood {
        if self.needs_target {
            return None;
        }
        if byte == b'\n' && !self.has_word {
            self.at += 1;
            return Some(());
        }
        if !self.has_word {
            return None;
        }
        self.at += 1;
        if byte == b'&' && self.take(b'>') {
            self.take(b'>');
            self.needs_target = true;
            self.written()?;
            return self.within_arguments();
        }
        self.needs_command = match byte {
            b'&' => self.take(b'&'),
            b'|' => {
                let _ = self.take(b'|') || self.take(b'&');
                true
            }
            _ => false,
        };
        self.is_first_word = true;
        self.has_word = false;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Meaning, Traits, hash_of, lay_out};
    use crate::format::NONE;
    use crate::names::Hash;

    #[test]
    fn words_of_one_hash_mean_what_each_of_them_means() {
        // Found by trying words in turn.
        let mut seen = std::collections::HashMap::new();
        let words = (0..).map(|number| format!("w{number}"));
        let twins = words.into_iter().find_map(|word: String| {
            let hash = hash_of(Hash::of(NONE, word.as_bytes()));
            seen.insert(hash, word.clone()).map(|other| [other, word])
        });
        let [one, other] = twins.unwrap();
        let runs = Meaning { traits: Traits::RUNS, ..Meaning::default() };
        let matters = Meaning { traits: Traits::MATTERS, ..Meaning::default() };
        let (table, meanings) = lay_out([(&*one, runs), (&*other, matters)].into_iter());
        assert_eq!(table.iter().filter(|slot| slot.hash != 0).count(), 1);
        let both = Meaning { traits: Traits::RUNS | Traits::MATTERS, ..Meaning::default() };
        assert_eq!(meanings, [both]);
    }
}
