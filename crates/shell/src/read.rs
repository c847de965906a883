//! Reads a line from its beginning to its end: what stands in it, and then what its commands run.

use super::command::{Command, Opaque, Reach};
use super::limits::MAX_LENGTH;
use super::line::CommandLine;
use super::programs::{Knowledge, Programs};
use super::{hole, reader, unwrap};

impl CommandLine {
    /// Reads a command line. Takes time in proportion to its length.
    ///
    /// Without a table of programs, no program is known to run others.
    pub fn read(&mut self, line: &str, knowledge: Option<&dyn Knowledge>) {
        self.clear();
        self.set_limits(line.len() + self.size_of_scripts());
        if line.len() > MAX_LENGTH {
            self.fail(Opaque::TooLarge);
            return self.report_problem(0);
        }
        // What a shell makes of such signs is its own affair.
        if line.as_bytes().contains(&0) || !line.is_ascii() && line.contains(hole::MADE) {
            self.fail(Opaque::Syntax);
        }
        reader::read(self, line, None);
        self.mark_all();
        if let Some(knowledge) = knowledge {
            self.unwrap(knowledge);
            self.mark_all();
        }
        self.carry_lost_status();
        self.report_problem(line.len());
    }

    /// Takes words that are run as they are, without a shell.
    pub fn read_words<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        knowledge: Option<&dyn Knowledge>,
    ) {
        self.clear();
        for text in words {
            let word = self.add_text(text, 0..0);
            self.words.push(word);
        }
        self.set_limits(self.text.len() + self.size_of_scripts());
        let words = 0..self.words.len() as u32;
        self.commands.push(Command { words, ..Command::new(None, Reach::List, 0) });
        if let Some(knowledge) = knowledge {
            self.unwrap(knowledge);
        }
        self.report_problem(0);
    }

    /// Takes a command of which nothing is known.
    pub fn read_nothing(&mut self) {
        self.clear();
        self.fail(Opaque::Text);
        self.report_problem(0);
    }

    /// Adds what the commands run.
    fn unwrap(&mut self, knowledge: &dyn Knowledge) {
        unwrap::unwrap(self, Programs::new(knowledge));
        self.settle_scripts();
    }

    /// Marks every command where something may run beside any of them.
    fn mark_all(&mut self) {
        if self.all_may_run_more {
            for command in &mut self.commands {
                command.may_run_more = true;
            }
        }
    }

    /// A line that does not parse, or is too large, has a command of which nothing else is known. Of the files that it runs
    /// that is not said: they are told only of a line without a problem.
    fn report_problem(&mut self, end: usize) {
        if let Some(problem) = self.problem.filter(|_| !self.knows_scripts()) {
            let command = Command::new(None, Reach::List, 0);
            self.commands.push(Command { opaque: Some(problem), span: 0..end as u32, ..command });
        }
    }
}
