//! Programs that run code of a language which nobody reads here, as they read it, or what an address names: whether that comes
//! from the network.

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
    if names_address(line, command) {
        let added = child(index as u32, command, Reach::Text);
        return line.commands.push(Command { opaque: Some(Opaque::Fetched), ..added });
    }
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

/// Whether a command runs what an address names: `deno run https://…`, `npx github:…`.
fn names_address(line: &CommandLine, command: &Command) -> bool {
    /// With the word behind which the address stands.
    const RUNNERS: [(&str, &str); 6] =
        [("deno", "run"), ("bun", "run"), ("uv", "run"), ("npx", ""), ("bunx", ""), ("pnpx", "")];
    /// Libraries that come with a runtime.
    const KNOWN: [&str; 2] = ["https://deno.land/std", "https://jsr.io/@std"];
    let runner =
        line.program(command).and_then(|name| RUNNERS.iter().find(|(own, _)| *own == name));
    let Some((_, subcommand)) = runner else { return false };
    let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
    let mut operands = words.by_ref().filter(|word| !word.starts_with('-'));
    let first = operands.next();
    let address = if subcommand.is_empty() {
        first
    } else {
        first.filter(|own| own == subcommand).and(operands.next())
    };
    address.is_some_and(|address| {
        let is_far = ["http://", "https://", "github:", "gitlab:", "gist:", "git+"];
        is_far.iter().any(|begin| address.starts_with(begin))
            && !KNOWN.iter().any(|known| address.starts_with(known))
    })
}
