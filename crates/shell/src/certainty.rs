//! What is not certain of the commands of a line for those behind them: that they ran at all, that they ran in the same
//! shell, that they did not fail. Kept only where it tells in which
//! directory commands run.

use super::variables;
use super::{CommandLine, MAX_COMMANDS};

/// What is not certain of some commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uncertainty {
    /// They ran in another shell: a subshell, a part of a pipe, in the background.
    Apart,
    /// They may not have run.
    Skipped,
    /// They have not run where one of those from this one on, up to them, has failed: behind `&&`.
    Unless(u32),
    /// One of them may have failed, and the line goes on.
    Failed(Behind),
}

/// What stands between commands that may have failed and what runs then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// A `||`: what follows runs only then.
    Or,
    /// The end of a list of `&&`, or of one of `||` and `&&`.
    List,
    /// The end of a command that stands alone.
    Alone,
    /// The end of a list of which the last command stands behind `||`.
    LastOr,
}

/// What is not certain of the commands in a range, for those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Uncertain {
    pub from: u32,
    pub to: u32,
    pub doubt: Uncertainty,
}

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
        self.variables.doubt(mark.variables);
        self.note_doubt(mark, Uncertainty::Skipped);
    }

    /// Notes that what was read since has not run where something has failed that was read since `start`.
    pub(super) fn doubt_behind(&mut self, mark: Mark, start: Mark) {
        self.variables.doubt(mark.variables);
        self.note_doubt(mark, Uncertainty::Unless(start.commands as u32));
    }

    /// Notes what is not certain of the commands that were read since.
    pub(super) fn note_doubt(&mut self, mark: Mark, doubt: Uncertainty) {
        let (from, to) = (mark.commands as u32, self.commands.len() as u32);
        let may_note = self.directory_changes != mark.changes && from < to;
        if may_note && self.uncertain.len() < MAX_COMMANDS {
            self.uncertain.push(Uncertain { from, to, doubt });
        } else if may_note {
            self.fail(super::Opaque::TooLarge);
        }
    }

    /// Counts a command, if the directory of those behind it may depend on it.
    pub(super) fn count_change(&mut self, index: usize) {
        let program = self.commands.get(index).and_then(|command| self.program(command));
        let counts = |program| changes_directory(program) || ends(program);
        self.directory_changes += u32::from(program.is_some_and(counts));
    }

    /// Forgets what was noted of commands from `first` on.
    pub(super) fn forget_doubts(&mut self, first: usize) {
        while self.uncertain.last().is_some_and(|last| last.to as usize > first) {
            self.uncertain.pop();
        }
    }
}

/// Whether a program changes the directory of the shell.
pub(super) fn changes_directory(program: &str) -> bool {
    matches!(program, "cd" | "chdir" | "pushd" | "popd" | "Set-Location" | "sl")
}

/// Whether nothing of a list, a loop or a function runs behind a program.
pub(super) fn ends(program: &str) -> bool {
    matches!(program, "exit" | "return" | "break" | "continue")
}
