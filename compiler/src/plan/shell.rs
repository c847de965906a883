//! Which tool of plans is for what a command line does: a hint, so that what is not sure is nothing.

use behavior_shell::{Command, CommandLine, Reach, RedirectKind};

/// Programs that show files, and that read their input where they are given none.
const VIEWERS: &[&str] = &["cat", "bat", "batcat", "less", "more", "head", "tail", "nl", "tac"];
/// Programs that look for a text.
const SEARCHERS: &[&str] = &["grep", "egrep", "fgrep", "rg", "ag", "ack"];
/// Programs that print what they are given.
const PRINTERS: &[&str] = &["echo", "printf", "cat", "tee"];

/// Returns the first program of a line that does what a tool of plans is for, and the tool.
pub(super) fn file_tool(line: &str) -> Option<(String, &'static str)> {
    let mut read = CommandLine::default();
    read.read(line, None);
    read.commands().iter().filter(|command| command.runs()).find_map(|command| {
        let path = read.program(command)?;
        let program = path.rsplit('/').next().unwrap_or(path);
        Some((program.to_owned(), tool_of(program, command, &read)?))
    })
}

fn tool_of(program: &str, command: &Command, line: &CommandLine) -> Option<&'static str> {
    let words = line.words(command).iter().skip(1).map(|word| line.text(word));
    let operands = words.clone().filter(|word| !word.starts_with('-')).count();
    let has_flag = |letter: char| {
        words
            .clone()
            .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    let is_piped = command.reach == Reach::Pipe;
    if PRINTERS.contains(&program) && writes_a_file(program, operands, command, line) {
        return Some("write");
    }
    match program {
        "sed" | "gsed" if has_flag('i') => Some("edit"),
        "perl" if has_flag('i') => Some("edit"),
        "sed" | "gsed" if operands > 1 => Some("read"),
        "ls" | "tree" | "dir" => Some("ls"),
        "find" | "fd" => Some("glob"),
        _ if SEARCHERS.contains(&program) && (!is_piped || operands > 1) => Some("grep"),
        _ if VIEWERS.contains(&program) && operands > 0 && !is_piped => Some("read"),
        _ => None,
    }
}

fn writes_a_file(program: &str, operands: usize, command: &Command, line: &CommandLine) -> bool {
    let is_file = |path: &str| !path.starts_with("/dev/");
    let mut redirects = line.redirects(command).iter();
    let is_written = redirects.any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            && is_file(line.text(&line.target(redirect)))
    });
    is_written || program == "tee" && operands > 0
}
