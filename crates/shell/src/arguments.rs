//! The words behind a program as it would read them: flags, their values, operands.

use std::ops::Range;

pub use super::argument::{Argument, Flag, FlagName};
use super::hole::HOLE;
use super::line::CommandLine;
use super::programs::{FlagEffect, FlagValue, KnownFlag, Program, Runs, Traits};
use super::word::Word;

impl FlagName {
    /// Its letters, without dashes. `program` is the one that it is a flag of.
    pub(crate) fn text<'t>(self, line: &'t CommandLine, program: Program<'t>) -> &'t str {
        match self {
            FlagName::Known(id) => program.text(id),
            FlagName::Written(word) => line.text(&word),
        }
    }
}

/// Reads the words behind a program.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    line: &'a CommandLine,
    words: &'a [Word],
    program: Option<Program<'a>>,
    next: usize,
    /// The rest of a word that holds several flags.
    cluster: Option<Word>,
    only_operands: bool,
    operands: u32,
    in_subcommand: bool,
    /// The words that the last flag runs.
    taken: Range<usize>,
    /// A flag that the last operand means too.
    implied: Option<u32>,
    /// Whether the flags of the cluster have their values in the next words: `tar xfC FILE FOLDER`.
    is_bundle: bool,
}

impl<'a> Arguments<'a> {
    /// The arguments of a command's words, the program being the first.
    #[must_use]
    pub fn new(line: &'a CommandLine, words: &'a [Word], program: Option<Program<'a>>) -> Self {
        Self {
            line,
            words,
            program,
            next: 1,
            cluster: None,
            only_operands: false,
            operands: 0,
            in_subcommand: false,
            taken: 0..0,
            implied: None,
            is_bundle: false,
        }
    }

    /// The index of the word that comes next.
    #[must_use]
    pub fn position(&self) -> usize {
        self.next
    }

    /// The program, or the subcommand that was selected so far.
    #[must_use]
    pub fn program(&self) -> Option<Program<'a>> {
        self.program
    }

    /// The words that the last flag runs, by their indexes.
    #[must_use]
    pub fn taken(&self) -> Range<usize> {
        self.taken.clone()
    }

    fn is_global(&self) -> bool {
        !self.in_subcommand && self.program.is_some_and(|program| program.has(Traits::SUBCOMMANDS))
    }

    fn flag(&mut self, name: Word, known: Option<KnownFlag>, attached: Option<Word>) -> Argument {
        let is_global = self.is_global();
        let Some(known) = known else {
            let effect = FlagEffect::Nothing;
            let name = FlagName::Written(name);
            return Argument::Flag(Flag { name, value: attached, effect, is_global });
        };
        let value = attached.or_else(|| {
            let wants = match known.value {
                FlagValue::None | FlagValue::Optional => 0,
                FlagValue::Required => 1,
                FlagValue::Two => 2,
            };
            let next = (wants > 0).then(|| self.words.get(self.next).copied()).flatten();
            self.next = (self.next + wants).min(self.words.len());
            next
        });
        match known.effect {
            FlagEffect::Words => self.take_command(),
            FlagEffect::Instead => {
                self.operands = self.program.map_or(0, |program| program.skip());
            }
            _ => {}
        }
        let name = FlagName::Known(known.canonical);
        Argument::Flag(Flag { name, value, effect: known.effect, is_global })
    }

    /// The words that a flag runs, up to `;` or `+`.
    fn take_command(&mut self) {
        let ends = |word: &Word| matches!(self.line.text(word), ";" | "+");
        let behind = self.words.get(self.next..).unwrap_or_default();
        let end = self.next + behind.iter().position(ends).unwrap_or(behind.len());
        self.taken = self.next..end;
        self.next = end + 1;
    }

    /// A sign that is no operand: `-` for standard input, or what shells and `env` take for flags.
    fn sign(&mut self, word: Word) -> Argument {
        let (name, effect) = (FlagName::Written(word), FlagEffect::Nothing);
        // `bash +o posix`
        let text = self.line.text(&word);
        let is_shell = self.program.is_some_and(|program| program.runs() == Runs::Shell);
        let has_value = is_shell && text.starts_with('+') && text.ends_with(['o', 'O']);
        let value = has_value.then(|| self.words.get(self.next).copied()).flatten();
        self.next += usize::from(value.is_some());
        Argument::Flag(Flag { name, value, effect, is_global: self.is_global() })
    }

    /// The next flag of `-abc`.
    fn clustered(&mut self, rest: Word) -> Option<Argument> {
        let text = self.line.text(&rest);
        let first = text.chars().next()?;
        let (name, behind) = text.split_at_checked(first.len_utf8())?;
        let known = self.program.and_then(|program| program.flag(name));
        if first == HOLE {
            return Some(Argument::Unknown(rest));
        }
        let takes = known.is_some_and(|known| known.value != FlagValue::None) && !self.is_bundle;
        let tail = (!behind.is_empty()).then(|| rest.part(rest.start + name.len() as u32));
        let attached = tail.filter(|_| takes);
        self.cluster = tail.filter(|_| !takes);
        let name = rest.until(rest.start + name.len() as u32);
        Some(self.flag(name, known, attached))
    }

    fn long(&mut self, word: Word, text: &'a str, dashes: usize) -> Argument {
        let body = text.get(dashes..).unwrap_or_default();
        let (name, attached) = match body.split_once('=') {
            Some((name, _)) => {
                let start = word.start + (dashes + name.len() + 1) as u32;
                (name, Some(word.part(start)))
            }
            None => (body, None),
        };
        let known = self.program.and_then(|program| {
            program
                .flag(name)
                .filter(|_| name.len() > 1 || dashes == 1)
                .or_else(|| (dashes == 2).then(|| program.abbreviated_flag(name)).flatten())
        });
        let start = word.start + dashes as u32;
        let name = word.part(start).until(start + name.len() as u32);
        self.flag(name, known, attached)
    }

    fn operand(&mut self, word: Word) -> Argument {
        let text = self.line.text(&word);
        let Some(program) = self.program else { return Argument::Operand(word) };
        // Only the first operand selects.
        self.operands += 1;
        let subcommand = if self.operands == 1 { program.subcommand(text) } else { None };
        self.in_subcommand = true;
        if subcommand.is_some() {
            self.program = subcommand;
            self.operands = 0;
        } else if program.runs() != Runs::Nothing && self.operands > program.skip() {
            // What a wrapper runs has flags of its own.
            self.only_operands = true;
        } else if text.len() > 1 && text.starts_with('+') {
            self.implied = program.plus();
        }
        Argument::Operand(word)
    }

    /// Whether the word that was read last is made of flags without a dash.
    fn is_bundle_at(&self, text: &str) -> bool {
        let Some(program) = self.program.filter(|program| program.has(Traits::BUNDLED)) else {
            return false;
        };
        let is_flag = |letter: char| program.flag(letter.encode_utf8(&mut [0; 4])).is_some();
        self.next == 2 && !self.only_operands && !text.is_empty() && text.chars().all(is_flag)
    }

    /// Whether `-abc` is three flags.
    fn is_cluster(&self, body: &str) -> bool {
        if body.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        match self.program {
            Some(program) if program.has(Traits::SINGLE_DASH) => {
                program.flag(body).is_none() && body.chars().count() == 1
            }
            // With a sign in it that is no flag, it is refused as a whole.
            Some(program) => body
                .chars()
                .take_while(|letter| {
                    let mut bytes = [0; 4];
                    let known = program.flag(letter.encode_utf8(&mut bytes));
                    known.is_none_or(|known| known.value == FlagValue::None)
                })
                .all(|letter| letter.is_alphanumeric() || letter == HOLE),
            None => body.len() <= 3 && body.bytes().all(|byte| byte.is_ascii_alphabetic()),
        }
    }
}

impl<'a> Iterator for Arguments<'a> {
    type Item = Argument;

    fn next(&mut self) -> Option<Argument> {
        if let Some(rest) = self.cluster.take() {
            return self.clustered(rest);
        }
        if let Some(name) = self.implied.take() {
            // It is not written, so that nothing has to allow it.
            let (name, effect) = (FlagName::Known(name), FlagEffect::Nothing);
            return Some(Argument::Flag(Flag { name, value: None, effect, is_global: true }));
        }
        let word = *self.words.get(self.next)?;
        self.next += 1;
        let text = self.line.text(&word);
        if word.may_be_flag() && !text.starts_with('-') {
            return Some(Argument::Unknown(word));
        }
        // `bash +e`, `cargo +nightly test`
        let is_shell = self.program.is_some_and(|program| program.runs() == Runs::Shell);
        let takes_plus = is_shell || self.is_global();
        if !self.only_operands && (text == "-" || takes_plus && text.starts_with('+')) {
            return Some(self.sign(word));
        }
        let body = text.strip_prefix('-').filter(|body| !body.is_empty() && !self.only_operands);
        let Some(body) = body else {
            if self.is_bundle_at(text) {
                self.is_bundle = true;
                return self.clustered(word);
            }
            return Some(self.operand(word));
        };
        if body == "-" {
            self.only_operands = true;
            // It is no flag that anything would have to allow.
            let effect = FlagEffect::Nothing;
            let name = FlagName::Written(word);
            return Some(Argument::Flag(Flag { name, value: None, effect, is_global: true }));
        }
        let is_cluster = !body.starts_with('-') && self.is_cluster(body);
        if word.has_hole() && !is_cluster && !body.contains('=') {
            return Some(Argument::Unknown(word));
        }
        Some(match body.strip_prefix('-') {
            Some(_) => self.long(word, text, 2),
            None if is_cluster => return self.clustered(word.part(word.start + 1)),
            None => self.long(word, text, 1),
        })
    }
}

/// Whether a flag is a `--` with nothing behind it, which says nothing. With `more`, words may follow
/// that nobody sees.
#[must_use]
pub fn says_nothing(line: &CommandLine, words: &[Word], flag: &Flag, more: bool) -> bool {
    let FlagName::Written(name) = flag.name else { return false };
    let is_last = words.last().is_some_and(|last| (last.start, last.end) == (name.start, name.end));
    is_last && !more && line.text(&name) == "--"
}

/// The name of the flag that an argument takes back, where its own is not known: `dry-run` of `--no-dry-run`.
#[must_use]
pub fn taken_back<'l>(line: &'l CommandLine, argument: &Argument) -> Option<&'l str> {
    let Argument::Flag(Flag { name: FlagName::Written(name), value: None, .. }) = argument else {
        return None;
    };
    line.text(name).strip_prefix("no-")
}

/// Takes out the flags that a later one takes back. `arguments` are those of a command, whose words `words` are.
pub fn drop_taken_back(
    line: &CommandLine,
    words: &[Word],
    program: Option<Program<'_>>,
    arguments: &mut Vec<Argument>,
) {
    let program = selected(line, words, program);
    let taken: Vec<(usize, &str)> = arguments
        .iter()
        .enumerate()
        .filter_map(|(at, argument)| Some((at, taken_back(line, argument)?)))
        .collect();
    for (before, name) in taken.into_iter().rev() {
        let known = program.and_then(|program| program.flag(name)).map(|flag| flag.canonical);
        let is_it = |argument: &Argument| match argument {
            Argument::Flag(Flag { name: FlagName::Known(id), .. }) => Some(*id) == known,
            Argument::Flag(Flag { name: FlagName::Written(word), .. }) => line.text(word) == name,
            _ => false,
        };
        let mut at = 0;
        arguments.retain(|argument| {
            at += 1;
            at > before || !is_it(argument)
        });
    }
}

/// The program of a command, or the subcommand that its words select.
#[must_use]
pub fn selected<'a>(
    line: &'a CommandLine,
    words: &'a [Word],
    program: Option<Program<'a>>,
) -> Option<Program<'a>> {
    let mut arguments = Arguments::new(line, words, program);
    while arguments.next().is_some() && !arguments.only_operands {}
    arguments.program()
}
