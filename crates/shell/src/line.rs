//! A command line that was read, and what is kept of it meanwhile. Holds it and gives access: what fills it stands above,
//! in `read.rs` and in the files that this drives.

use std::ops::Range;

use super::argument::Argument;
use super::certainty::Uncertain;
use super::command::{Command, Opaque, Redirect, RedirectKind, Target};
use super::environment::Run;
use super::found::Found;
use super::functions::Function;
use super::hole::HOLE;
use super::keywords;
use super::limits::{MAX_COMMANDS, MAX_TEXT};
use super::pending::Pending;
use super::program_name::{is_system_path, program_name};
use super::script::Scripts;
use super::variables::{Given, Variables};
use super::word::{LoopWords, Word};

/// Of so many values a variable may have one.
const MAX_VALUES: usize = 64;

/// A command line that was read. Its buffers are used again by the next [`CommandLine::read`].
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    pub(super) text: String,
    pub(super) words: Vec<Word>,
    pub(super) commands: Vec<Command>,
    pub(super) redirects: Vec<Redirect>,
    pub(super) here_documents: Vec<Word>,
    pub(super) variables: Variables,
    /// What is not certain of the commands before, where they change the directory.
    /// The commands that set a handler which a later one takes back.
    pub(super) taken_back: Vec<u32>,
    pub(super) uncertain: Vec<Uncertain>,
    /// How many commands were read on which the directory of others may depend.
    pub(super) directory_changes: u32,
    pub(super) pending: Pending,
    /// The words that variables of loops stand for.
    pub(super) loop_words: LoopWords,
    /// What variables were given that may not have been, while it is looked at.
    pub(super) given: Vec<(u32, Given)>,
    /// The words of what one of them was given.
    pub(super) values_given: Vec<Word>,
    /// The value of a variable while it is put into a word.
    pub(super) value: String,
    /// A text that is run while it is read.
    pub(super) run_text: String,
    /// What a command was found to run.
    pub(super) found: Vec<Found>,
    /// Variables that are set for one command alone: that command, their names and values.
    pub(super) set_for: Vec<(u32, Word, Word)>,
    /// Values of variables that programs run, each with the command that sets it.
    pub(super) values: Vec<(u32, Run, Word)>,
    /// Functions that use positional parameters.
    pub(super) functions: Vec<Function>,
    /// The arguments of commands that were looked into.
    pub(super) arguments: Vec<Argument>,
    /// The files that commands run and that the line does not write.
    pub(super) scripts: Scripts,
    pub(super) problem: Option<Opaque>,
    /// Whether what follows reads what the line does not tell of.
    pub(super) input_replaced: bool,
    /// Whether what follows runs in another environment.
    pub(super) environment_changed: bool,
    /// Whether any command may run something besides what is listed.
    pub(super) all_may_run_more: bool,
    /// Whether a command so far may have given a name another meaning, and how many were asked for that.
    pub(super) renames: bool,
    pub(super) names_seen: usize,
    /// How much of the text of its words was.
    pub(super) text_seen: usize,
    /// How many chains of pipelines were read.
    pub(super) chains: u32,
    /// How much text may come of the line.
    pub(super) limit: usize,
    /// How many bytes of texts that commands run may still be read.
    pub(super) to_read: usize,
}

impl CommandLine {
    pub(super) fn set_limits(&mut self, length: usize) {
        self.limit = length * 4 + MAX_TEXT;
        self.to_read = length * 16 + MAX_TEXT;
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
        self.commands.clear();
        self.redirects.clear();
        self.here_documents.clear();
        self.values.clear();
        self.set_for.clear();
        (self.renames, self.names_seen, self.text_seen) = (false, 0, 0);
        self.functions.clear();
        self.taken_back.clear();
        self.arguments.clear();
        self.variables.clear();
        self.uncertain.clear();
        self.directory_changes = 0;
        self.pending.clear();
        self.loop_words.clear();
        self.chains = 0;
        self.clear_scripts();
        self.problem = None;
        self.input_replaced = false;
        self.environment_changed = false;
        self.all_may_run_more = false;
    }

    /// The commands: those of the line in its order, then those that they run.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The words of a command, its program first.
    #[must_use]
    pub fn words(&self, command: &Command) -> &[Word] {
        self.words.get(range(&command.words)).unwrap_or_default()
    }

    /// The words behind a command's program, where they were all looked into when the line was read.
    #[must_use]
    pub fn arguments(&self, command: &Command) -> Option<&[Argument]> {
        self.arguments.get(range(command.arguments.as_ref()?))
    }

    /// The redirections of a command.
    #[must_use]
    pub fn redirects(&self, command: &Command) -> &[Redirect] {
        self.redirects.get(range(&command.redirects)).unwrap_or_default()
    }

    /// The text of a word, with a [`HOLE`] for each piece that is not known.
    #[must_use]
    pub fn text(&self, word: &Word) -> &str {
        self.text.get(word.start as usize..word.end as usize).unwrap_or_default()
    }

    /// What a word is in the rounds of a loop over known words; `None` where nobody knows.
    #[must_use]
    pub fn in_rounds(&self, word: &Word) -> Option<Vec<String>> {
        let is_known = |value: &Word| !value.has_hole() && !value.is_glob();
        let is_whole = self.stands_for(word).iter().all(is_known);
        let filled = self.may_be(word);
        (is_whole && !filled.is_empty() && !self.may_be_another(word)).then_some(filled)
    }

    /// What a word may be among others: each value that the line gives a variable that has one of several, or that stands
    /// there for one that is not set.
    #[must_use]
    pub fn may_be(&self, word: &Word) -> Vec<String> {
        let text = self.text(word);
        let values = self.stands_for(word).iter().filter(|value| !value.has_hole());
        match text.matches(HOLE).count() {
            1 => values.map(|value| text.replace(HOLE, self.text(value))).collect(),
            _ => Vec::new(),
        }
    }

    /// The words that the one hole of a word stands for; none where nobody knows.
    pub(super) fn stands_for(&self, word: &Word) -> &[Word] {
        self.loop_words.of(word.stands_for)
    }

    /// The programs that a word stands for, where the line names all that it gives: none of a shell's own, and none that
    /// the line defines.
    pub(super) fn given_programs(&self, word: &Word) -> Vec<Word> {
        let is_program = |value: &Word| {
            let text = self.text(value);
            !value.has_hole() && !text.starts_with('-') && !keywords::is_own(text)
        };
        let values = self.stands_for(word);
        let are_known = self.loop_words.are_given(word.stands_for)
            && self.functions.is_empty()
            && values.iter().all(is_program);
        if are_known { values.to_vec() } else { Vec::new() }
    }

    /// Whether a word may be another one than those that its hole stands for.
    pub(super) fn may_be_another(&self, word: &Word) -> bool {
        self.loop_words.is_open(word.stands_for)
    }

    /// Whether the hole of a word stands for one that the line gives, unless the environment has another.
    pub(super) fn is_usual(&self, word: &Word) -> bool {
        self.loop_words.is_usual(word.stands_for)
    }

    /// Keeps texts as some of those that a hole may stand for, or as all of them, and returns their number; 0 where they
    /// are too many.
    pub(super) fn keep_values(&mut self, texts: &[String], are_all: bool) -> u16 {
        let size = texts.iter().map(String::len).sum();
        if texts.is_empty() || texts.len() > MAX_VALUES || !self.has_room(size) {
            return 0;
        }
        let words: Vec<Word> = texts.iter().map(|text| self.add_text(text, 0..0)).collect();
        self.keep_words(&words, are_all)
    }

    /// The same of words that stand in the line's text.
    pub(super) fn keep_words(&mut self, words: &[Word], are_all: bool) -> u16 {
        match are_all {
            _ if words.len() > MAX_VALUES || !self.has_room(0) => 0,
            true => self.loop_words.keep(words),
            false => self.loop_words.keep_some(words),
        }
    }

    /// Whether a word stands for files that it does not name: it is a pattern, or what a command prints that finds them.
    #[must_use]
    pub fn is_of_files(&self, word: &Word) -> bool {
        word.is_glob() || self.found_by(word).is_some()
    }

    /// The command that finds what the one hole of a word stands for, where a loop is over that.
    pub(super) fn found_by(&self, word: &Word) -> Option<u32> {
        self.loop_words.finder(word.stands_for)
    }

    /// Whether a redirection of a command writes a file that keeps what is written.
    #[must_use]
    pub fn writes_files(&self, command: &Command) -> bool {
        use RedirectKind::{Append, ReadWrite, Write};
        self.redirects(command).iter().any(|redirect| {
            let target = self.target(redirect);
            let is_device = matches!(
                self.text(&target),
                "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"
            );
            matches!(redirect.kind, Write | Append | ReadWrite) && !is_device
        })
    }

    /// The word behind a redirection; for a here-document its body.
    #[must_use]
    pub fn target(&self, redirect: &Redirect) -> Word {
        match redirect.target {
            Target::Word(word) => word,
            Target::HereDocument(index) => {
                self.here_documents.get(index as usize).copied().unwrap_or_default()
            }
        }
    }

    /// The name of a command's program, without the directory; `None` when it has none or it is not
    /// known.
    #[must_use]
    pub fn program(&self, command: &Command) -> Option<&str> {
        if command.opaque == Some(Opaque::Program) {
            return None;
        }
        let first = self.words(command).first()?;
        Some(program_name(self.text(first)))
    }

    /// Whether a command's program is the one that its bare name stands for.
    #[must_use]
    pub fn is_from_system(&self, command: &Command) -> bool {
        self.words(command).first().is_none_or(|first| is_system_path(self.text(first)))
    }

    /// Whether a command runs only after another one has succeeded: `other && … && command`, `other && { …; command; }`.
    #[must_use]
    pub fn runs_after(&self, command: u32, other: u32) -> bool {
        let chain = |at: u32| self.commands.get(at as usize).map_or(0, |command| command.chain);
        let around = self.commands.get(command as usize).map_or(0, |command| command.chain_around);
        let number = chain(other);
        other < command && number != 0 && (number == chain(command) || number == around)
    }

    /// The names of the variables that are set for single commands.
    pub(super) fn sets_for_commands(&self) -> impl Iterator<Item = &str> {
        self.set_for.iter().map(|(_, name, _)| self.text(name))
    }

    /// The commands before a place, the last first: not more of them than are worth a look.
    pub(super) fn before(&self, index: usize) -> impl Iterator<Item = &Command> {
        const MAX: usize = 256;
        self.commands.get(..index).unwrap_or_default().iter().rev().take(MAX)
    }

    /// Whether the line says where programs are looked for.
    pub(super) fn changes_path(&self) -> bool {
        self.variables.is_seen_set("PATH") || self.sets_for_commands().any(|name| name == "PATH")
    }

    /// The commands that a command reads from through a pipe.
    #[must_use]
    pub fn input(&self, command: &Command) -> &[Command] {
        self.commands.get(range(&command.input)).unwrap_or_default()
    }

    pub(super) fn enclosing_input(&self, command: &Command) -> Option<&Redirect> {
        self.redirects.get(command.enclosing_input? as usize)
    }

    pub(super) fn add_text(&mut self, text: &str, span: Range<u32>) -> Word {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let mut word = Word::new(start..self.text.len() as u32, span);
        word.mark_unknown(text.contains(HOLE));
        word
    }

    /// Words as the items of a list, where each is known and stays one word.
    pub(super) fn constant_list(&mut self, words: Range<usize>) -> Option<String> {
        let words = self.words.get(words)?;
        let is_constant = |word: &Word| !word.has_hole() && !word.is_glob() && !word.may_be_other();
        let size: usize = words.iter().map(|word| (word.end - word.start) as usize + 1).sum();
        if !words.iter().all(is_constant) {
            return None;
        }
        let items = words.iter().flat_map(|word| [self.text(word), "\0"]).collect();
        self.has_room(size).then_some(items)
    }

    pub(super) fn fail(&mut self, problem: Opaque) {
        self.problem.get_or_insert(problem);
    }

    /// Whether so much more text may be added; if not, says so in the line.
    pub(super) fn has_room(&mut self, more: usize) -> bool {
        let held = self.text.len() + self.pending.buffer.len() + self.variables.size();
        let has_room = held.saturating_add(more) <= self.limit;
        if !has_room {
            self.fail(Opaque::TooLarge);
        }
        has_room
    }

    /// Whether so many more bytes that commands run or read may be looked at; if not, says so.
    pub(super) fn may_read(&mut self, length: usize) -> bool {
        match self.to_read.checked_sub(length) {
            Some(left) => self.to_read = left,
            None => self.fail(Opaque::TooLarge),
        }
        self.problem != Some(Opaque::TooLarge)
    }

    /// Whether no more may be added; says so in the line.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.commands.len() >= MAX_COMMANDS
            || self.text.len() > self.limit
            || self.words.len() > self.limit;
        if full {
            self.fail(Opaque::TooLarge);
        }
        full
    }
}

/// A range of numbers as one of places.
pub(super) fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
