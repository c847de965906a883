//! Notes what is not certain of the commands of a line, while these are read.

use super::certainty::{Uncertain, Uncertainty, changes_directory, ends, runs_in_shell};
use super::command::{Command, Opaque};
use super::hole::HOLE;
use super::limits::MAX_COMMANDS;
use super::line::CommandLine;
use super::variables::{self, Given};
use super::word::Word;

/// A place of a line to look back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    variables: variables::Mark,
    commands: usize,
    /// How many commands before it were counted.
    changes: u32,
}

impl CommandLine {
    /// The place where the reader is.
    pub(super) fn here(&self) -> Mark {
        let (commands, changes) = (self.commands.len(), self.directory_changes);
        Mark { variables: self.variables.here(), commands, changes }
    }

    /// Takes back what was set since: it was set in another shell.
    pub(super) fn roll_back(&mut self, mark: Mark) {
        self.variables.roll_back(mark.variables);
        self.note_doubt(mark, Uncertainty::Apart);
    }

    /// Notes that what was read since may not have run.
    pub(super) fn doubt(&mut self, mark: Mark) {
        self.doubt_values(mark);
        self.note_doubt(mark, Uncertainty::Skipped);
    }

    /// Notes that variables may have the values that they had, or those that they were given since.
    fn doubt_values(&mut self, mark: Mark) {
        let mut given = std::mem::take(&mut self.given);
        given.clear();
        self.variables.given_since(mark.variables, &mut given);
        self.variables.doubt(mark.variables);
        given.sort_unstable_by_key(|(index, _)| *index);
        for group in given.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((index, _)) =
                group.first().filter(|(index, _)| self.variables.is_lost(*index))
            else {
                continue;
            };
            let number = self.keep_given(group);
            self.variables.set_stands_for(*index, number);
        }
        self.given = given;
    }

    /// Keeps what a variable was given as what it may stand for, and returns the number of that.
    fn keep_given(&mut self, given: &[(u32, Given)]) -> u16 {
        let mut words = std::mem::take(&mut self.values_given);
        words.clear();
        let (mut are_all, mut are_given) = (true, true);
        for (_, value) in given {
            match *value {
                Given::Text(text) => {
                    let CommandLine { variables, text: own, .. } = &mut *self;
                    let word = (own.len() as u32, variables.kept(text));
                    own.push_str(word.1);
                    let word = Word::new(word.0..own.len() as u32, 0..0);
                    // What a shell would cut, or look for among files, is more than one word.
                    let text = self.text(&word);
                    let is_word = !text.is_empty()
                        && !text.contains([' ', '\t', '\n', '*', '?', '[', '~', HOLE]);
                    (are_all, are_given) = (are_all && is_word, are_given && is_word);
                    words.push(word);
                }
                Given::OneOf(number) => {
                    let own = self.loop_words.of(number);
                    are_all &= !own.is_empty() && !self.loop_words.is_open(number);
                    are_given &= !own.is_empty() && self.loop_words.are_given(number);
                    words.extend_from_slice(own);
                }
                Given::Nothing => are_all = false,
                Given::Unknown => (are_all, are_given) = (false, false),
            }
        }
        words.sort_unstable_by(|one, other| self.text(one).cmp(self.text(other)));
        words.dedup_by(|one, other| self.text(one) == self.text(other));
        let number = self.keep_words(&words, are_all);
        if are_given && !are_all {
            self.loop_words.note_given(number);
        }
        self.values_given = words;
        number
    }

    /// Notes that what was read since has not run where something has failed that was read since `start`.
    pub(super) fn doubt_behind(&mut self, mark: Mark, start: Mark) {
        self.doubt_values(mark);
        self.note_doubt(mark, Uncertainty::Unless(start.commands as u32));
    }

    /// Notes what is not certain of the commands that were read since.
    pub(super) fn note_doubt(&mut self, mark: Mark, doubt: Uncertainty) {
        let (from, to) = (mark.commands as u32, self.commands.len() as u32);
        let may_note = self.directory_changes != mark.changes && from < to;
        if may_note && self.uncertain.len() < MAX_COMMANDS {
            self.uncertain.push(Uncertain { from, to, doubt });
        } else if may_note {
            self.fail(Opaque::TooLarge);
        }
    }

    /// Notes the chain of a pipeline of which the first command is `first`: that of one command, and the one around others,
    /// which only run after what stands before them in it has succeeded.
    pub(super) fn note_chain(&mut self, first: usize, number: u32) {
        let own = self.commands.get_mut(first..).unwrap_or_default();
        let Some((head, rest)) = own.split_first_mut() else { return };
        let is_inside =
            |other: &Command| other.parent.is_some_and(|parent| parent as usize >= first);
        if rest.iter().all(is_inside) {
            head.chain = number;
            return;
        }
        for command in own.iter_mut().filter(|command| command.chain_around == 0) {
            command.chain_around = number;
        }
    }

    /// Counts a command, if the directory of those behind it may depend on it.
    pub(super) fn count_change(&mut self, index: usize) {
        let program = self.commands.get(index).and_then(|command| self.program(command));
        let counts =
            |program| changes_directory(program) || ends(program) || runs_in_shell(program);
        self.directory_changes += u32::from(program.is_some_and(counts));
    }

    /// Forgets what was noted of commands from `first` on.
    pub(super) fn forget_doubts(&mut self, first: usize) {
        while self.uncertain.last().is_some_and(|last| last.to as usize > first) {
            self.uncertain.pop();
        }
    }
}
