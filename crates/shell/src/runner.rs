//! A command that runs others, and what every way of running them shares. Finds and reads nothing.

use std::ops::Range;

use super::programs::{Program, Programs};
use super::stored::Stored;
use super::{Command, CommandLine, Opaque, Reach, fetched, sources};

/// A command that runs others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runner<'p> {
    /// Its place.
    pub index: u32,
    /// The place of the command of the line itself that it comes from.
    pub around: u32,
    pub programs: Programs<'p>,
    /// What is known of its own program.
    pub program: Option<Program<'p>>,
    /// What the line has given a meaning to before.
    pub stored: Stored,
}

/// The place of the command of the line itself that a command comes from, of which there are `own`.
pub(super) fn around(line: &CommandLine, own: usize, index: usize) -> u32 {
    let mut around = index;
    while around >= own {
        let parent = line.commands.get(around).and_then(|command| command.parent);
        around = parent.unwrap_or(0) as usize;
    }
    around as u32
}

/// A command that command `index` runs.
pub(super) fn child(index: u32, command: &Command, reach: Reach) -> Command {
    Command {
        input: command.input.clone(),
        enclosing_input: command.own_input.or(command.enclosing_input),
        in_loop: command.in_loop,
        may_run_more: command.may_run_more,
        input_unknown: command.input_unknown,
        span: command.span.clone(),
        ..Command::new(Some(index), reach, command.depth.saturating_add(1))
    }
}

pub(super) fn add_opaque(
    line: &mut CommandLine,
    index: u32,
    command: &Command,
    why: Opaque,
    reach: Reach,
) {
    let why = fetched::reason(line, index, command, why);
    line.commands.push(Command { opaque: Some(why), ..child(index, command, reach) });
}

/// Puts words behind a text, each as one word of a shell.
pub(super) fn push_quoted(line: &CommandLine, words: &Range<u32>, text: &mut String) {
    for word in line.words.get(super::range(words)).unwrap_or_default() {
        text.push(' ');
        text.push_str(&sources::quoted(line.text(word)));
    }
}
