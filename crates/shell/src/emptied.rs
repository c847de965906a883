//! Files that a command empties by a redirection, because it writes nothing at all, or in a loop or for each that another
//! command finds: written down as the program that does nothing else, so that what is said of that holds for it. Knows what
//! certainly writes nothing.

use super::given::{Input, output_to_file};
use super::keywords::COPIERS;
use super::programs::{Programs, Traits};
use super::runner::child;
use super::{Command, CommandLine, MAX_DEPTH, Reach, RedirectKind, Word};

/// Adds that a command empties files, if it does: `> "$f"`, and of those of which nobody knows the names `: > "$f"`, too.
pub(super) fn run_emptied(line: &mut CommandLine, index: usize, programs: Programs<'_>) {
    let Some(command) = line.commands.get(index) else { return };
    // What a program writes by itself is written down as a redirection, too, and is not empty.
    let is_typed = command.reach != Reach::Text || is_of_shell(line, command);
    let is_bare = is_typed && has_no_output(line, command);
    let varies = |word: &Word| is_bare || word.varies() || word.is_glob();
    let redirected = line
        .redirects(command)
        .iter()
        .filter(|redirect| redirect.kind == RedirectKind::Write)
        .map(|redirect| line.target(redirect));
    let copied = copies(line, command);
    let targets: Vec<Word> = redirected
        .chain(copied.iter().copied())
        .filter(|word| varies(word) && !word.is_process())
        .collect();
    // Most commands write nothing, and stand in no loop.
    if targets.is_empty()
        || command.opaque.is_some()
        || u32::from(command.depth) >= MAX_DEPTH
        || !is_bare && copied.is_empty() && !is_for_each(line, command, programs)
        || !writes_nothing(line, command)
        || line.is_full()
    {
        return;
    }
    let Some(command) = line.commands.get(index).cloned() else { return };
    for target in targets {
        let start = line.words.len() as u32;
        for text in ["truncate", "-s", "0", "--"] {
            let word = line.add_text(text, command.span.clone());
            line.words.push(word);
        }
        line.words.push(target);
        let mut added = child(index as u32, &command, Reach::Wrapper);
        added.words = start..line.words.len() as u32;
        line.commands.push(added);
    }
}

/// The files into which a command writes what it reads, in place of what they hold.
fn copies<'l>(line: &'l CommandLine, command: &Command) -> &'l [Word] {
    let words = line.words(command).get(1..).unwrap_or_default();
    let is_file = |word: &Word| !line.text(word).starts_with('-');
    match line.program(command) {
        Some(name) if COPIERS.contains(&name) && words.iter().all(is_file) => words,
        _ => &[],
    }
}

/// Whether a command stands in a text that a shell was given.
fn is_of_shell(line: &CommandLine, command: &Command) -> bool {
    let above = command.parent.and_then(|parent| line.commands.get(parent as usize));
    let name = above.and_then(|above| line.program(above)).unwrap_or_default();
    matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh" | "eval")
}

/// Whether a command is nothing but its redirections, or says nothing: `> f`, `printf '' > f`.
fn has_no_output(line: &CommandLine, command: &Command) -> bool {
    match line.program(command) {
        None => command.words.is_empty(),
        Some("echo" | "printf") => {
            let words = line.words(command).get(1..).unwrap_or_default();
            words.len() <= 2 && words.iter().all(|word| matches!(line.text(word), "" | "-n"))
        }
        _ => false,
    }
}

/// Whether a command runs in a loop, or for each file that another one finds or is given.
fn is_for_each(line: &CommandLine, command: &Command, programs: Programs<'_>) -> bool {
    let mut above = command.parent;
    let mut steps = 0..MAX_DEPTH;
    while let Some(parent) = above.filter(|_| !command.in_loop && steps.next().is_some()) {
        let Some(parent) = line.commands.get(parent as usize) else { return false };
        let program = parent.known().map(|known| programs.at(known));
        if program.is_some_and(|it| it.has(Traits::MORE_WORDS) || it.has(Traits::CHOOSES_BY_NAME)) {
            return true;
        }
        above = parent.parent;
    }
    command.in_loop
}

/// Whether a command certainly writes nothing.
fn writes_nothing(line: &CommandLine, command: &Command) -> bool {
    let reads = || line.redirects(command).iter().filter(|redirect| redirect.reads());
    let read_last = || reads().next_back().map(|redirect| line.target(redirect));
    let is_nothing = |word: &Word| line.text(word) == "/dev/null";
    match line.program(command) {
        // What a compound command writes, its commands say.
        None => {
            command.words.is_empty() && reads().next().is_none() && !holds_others(line, command)
        }
        Some(":" | "true") => true,
        Some(name) if COPIERS.contains(&name) => match read_last() {
            Some(word) => is_nothing(&word),
            None => {
                let mut before = line.input(command).iter().peekable();
                before.peek().is_some() && before.all(|before| prints_nothing(line, before))
            }
        },
        Some("cat") => {
            let words = line.words(command).get(1..).unwrap_or_default();
            match words.is_empty() {
                true => read_last().is_some_and(|word| is_nothing(&word)),
                false => words.iter().all(is_nothing),
            }
        }
        Some("echo" | "printf") => {
            matches!(output_to_file(line, command), Input::Text(text) if text.is_empty())
        }
        _ => false,
    }
}

/// Whether a command that is read from certainly writes nothing.
fn prints_nothing(line: &CommandLine, command: &Command) -> bool {
    line.program(command).is_some_and(|program| !COPIERS.contains(&program))
        && writes_nothing(line, command)
}

/// Whether other commands stand where a command does.
fn holds_others(line: &CommandLine, command: &Command) -> bool {
    line.commands.iter().any(|other| {
        !std::ptr::eq(other, command)
            && other.parent == command.parent
            && other.span.start >= command.span.start
            && other.span.end <= command.span.end
            && other.runs()
    })
}
