//! Lists of files that a command is told to take from a file: `xargs -a list rm`, `while read f; do rm "$f"; done < list`. What
//! stands in one is believed where nothing that the line runs before may have changed it unseen.

use super::hole::HOLE;
use super::{Command, CommandLine, Word};

/// So many commands of a line are looked at.
const MAX: usize = 64;

/// Programs that change no file but those that they are seen to write. None of them changes the directory, in which the
/// same name would be that of another list.
const PLAIN: [&str; 22] = [
    ":", "[", "[[", "basename", "cat", "cut", "date", "dirname", "echo", "false", "grep", "head",
    "ls", "mkdir", "printf", "read", "rm", "set", "tail", "test", "true", "wc",
];

/// Programs that take what they read for names.
const TAKING: [&str; 3] = ["xargs", "gxargs", "read"];

/// The file that `xargs` is told to read in place of its input.
pub(super) fn told(line: &CommandLine, command: &Command) -> Option<Word> {
    flags(line, command)?.0
}

/// Whether each word that a command reads is one of the names that it takes: none is put into another word, and blanks stand
/// between them.
fn takes_words(line: &CommandLine, command: &Command) -> bool {
    !matches!(line.program(command), Some("xargs" | "gxargs"))
        || flags(line, command).is_some_and(|(_, are_plain)| are_plain)
}

/// What the flags of `xargs` say: the file that it is to read, and whether nothing else changes what it takes; `None` for
/// other programs.
fn flags(line: &CommandLine, command: &Command) -> Option<(Option<Word>, bool)> {
    const ALONE: [&str; 4] = ["-r", "-t", "-x", "--no-run-if-empty"];
    const COUNTS: [&str; 4] = ["-n", "-P", "--max-args=", "--max-procs="];
    if !matches!(line.program(command), Some("xargs" | "gxargs")) {
        return None;
    }
    let mut words = line.words(command).iter().skip(1);
    let (mut list, mut are_plain) = (None, true);
    while let Some(word) = words.next().filter(|word| line.text(word).starts_with('-')) {
        let text = line.text(word);
        let behind = |flag: &str| {
            let rest = text.strip_prefix(flag).filter(|rest| !rest.is_empty())?;
            Some(word.part(word.start + (text.len() - rest.len()) as u32))
        };
        let is_count = |flag: &&str| {
            text.strip_prefix(flag)
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|it| it.is_ascii_digit()))
        };
        match text {
            "-a" | "--arg-file" => list = words.next().copied(),
            "-n" | "-P" => drop(words.next()),
            _ if ALONE.contains(&text) || COUNTS.iter().any(is_count) => {}
            _ => match behind("--arg-file=").or_else(|| behind("-a")) {
                Some(file) if !text.starts_with("--") || text.contains('=') => list = Some(file),
                _ => are_plain = false,
            },
        }
    }
    Some((list, are_plain))
}

/// Whether a file that a command takes names from holds what it was seen to hold: nothing before may have changed it.
pub(super) fn holds_still(line: &CommandLine, command: &Command, list: &Word) -> bool {
    let text = line.text(list);
    let before = |other: &&Command| other.span.end <= command.span.start;
    let is_plain = |other: &Command| {
        !other.runs()
            || other.opaque.is_none()
                && line.program(other).is_some_and(|name| PLAIN.contains(&name))
    };
    !text.contains(HOLE)
        && !list.is_glob()
        && takes_words(line, command)
        && line.commands().len() <= MAX
        && !line.changes_path()
        && line.commands().iter().filter(before).all(is_plain)
}

impl CommandLine {
    /// Notes that somebody may ask what stands in the lists that a command takes names from.
    pub(super) fn look_up_list(&mut self, index: u32) {
        if !self.looks_for_scripts() {
            return;
        }
        let Some(command) = self.commands.get(index as usize) else { return };
        if !self.program(command).is_some_and(|name| TAKING.contains(&name)) {
            return;
        }
        let command = command.clone();
        match told(self, &command) {
            Some(list) => self.look_up_word(index, list),
            None => self.look_up_input(&command),
        }
    }

    /// Whether what a command takes names from is a list that is known and may have been changed since.
    pub(super) fn may_be_changed_list(&self, command: &Command) -> bool {
        let takes = self.program(command).is_some_and(|name| TAKING.contains(&name));
        takes
            && self.knows_scripts()
            && self.files_read(command).iter().any(|(_, file)| {
                self.script(self.text(file)).is_some() && !holds_still(self, command, file)
            })
    }
}
