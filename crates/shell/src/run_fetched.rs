//! Programs that run code of a language which nobody reads here, as they read it: whether that comes from the network.

use super::fetched::{MAX, loads};
use super::runner::child;
use super::{Command, CommandLine, Opaque, Reach, Word};

/// Programs that run code of which no more is known, as they read it where no file is named.
const READERS: [&str; 13] = [
    "rscript",
    "r",
    "julia",
    "elixir",
    "iex",
    "invoke-expression",
    "groovy",
    "scala",
    "jshell",
    "racket",
    "guile",
    "octave",
    "ghci",
];

/// Adds what a command runs that reads code, where that comes from the network.
pub(super) fn run_fetched(line: &mut CommandLine, index: usize) {
    let Some(command) = line.commands.get(index).filter(|command| command.opaque.is_none()) else {
        return;
    };
    let is_reader = |program: &str| READERS.iter().any(|one| program.eq_ignore_ascii_case(one));
    let names_file = |word: &Word| !line.text(word).starts_with('-');
    if !line.program(command).is_some_and(is_reader)
        || line.words(command).iter().skip(1).any(names_file)
        || !line.input(command).iter().take(MAX).any(|input| loads(line, input))
    {
        return;
    }
    let added = child(index as u32, command, Reach::Input);
    line.commands.push(Command { opaque: Some(Opaque::Fetched), ..added });
}
