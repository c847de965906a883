//! What terminals are told: several commands of one call, `tmux a \; b`, and what is typed into them by pieces. Sources:
//! `man tmux`, of "Command parsing" and of `send-keys`; the manuals of xdotool, ydotool and wtype.

use super::given::{Input, input_to_file};
use super::programs::Programs;
use super::run_text::run_given;
use super::runner::{Runner, around};
use super::stored::Stored;
use super::{Command, CommandLine, Reach, sources};

/// Adds what a command tells a terminal besides what its words say by themselves.
pub(super) fn run_in_terminal(
    line: &mut CommandLine,
    index: usize,
    own: usize,
    programs: Programs<'_>,
) {
    let Some(command) = line.commands().get(index).filter(|command| command.opaque.is_none())
    else {
        return;
    };
    let mut texts = match line.program(command) {
        Some("tmux") => calls(line, command),
        // What it reads it types into the session.
        Some("dtach") => passed_on(line, command).into_iter().collect(),
        Some("xdotool" | "ydotool" | "wtype") => Vec::new(),
        _ => return,
    };
    texts.extend(typed(line, index));
    let command = command.clone();
    let around = around(line, own, index);
    let runner =
        Runner { index: index as u32, around, programs, program: None, stored: Stored::default() };
    for text in texts {
        run_given(line, &command, runner, &text, Reach::Text, false, None);
    }
}

/// The words behind a program.
fn words<'l>(line: &'l CommandLine, command: &Command) -> Vec<&'l str> {
    line.words(command).iter().skip(1).map(|word| line.text(word)).collect()
}

/// The calls that one of tmux stands for besides its own: what is behind signs that part commands, and what a hook or a
/// key stands for from then on.
fn calls(line: &CommandLine, command: &Command) -> Vec<String> {
    let words = words(line, command);
    let ends = |word: &&str| word.ends_with(';') && !word.ends_with("\\;");
    let mut parts = words.split_inclusive(ends);
    let first = parts.next().unwrap_or_default();
    let behind = parts.map(call);
    behind.chain(hooked(first)).collect()
}

/// A call of tmux with words, of which the last may end with the sign that parts commands.
fn call(words: &[&str]) -> String {
    let plain = words.iter().map(|word| word.strip_suffix(';').unwrap_or(word));
    let quoted: Vec<String> = plain.filter(|word| !word.is_empty()).map(sources::quoted).collect();
    format!("tmux {}", quoted.join(" "))
}

/// The command that a hook or a key stands for from then on: a text, or words.
fn hooked(words: &[&str]) -> Option<String> {
    const HOOKS: [&str; 4] = ["set-hook", "bind-key", "bind", "set-option"];
    let at = words.iter().position(|word| HOOKS.contains(word))?;
    let mut operands = words.get(at + 1..)?.iter().filter(|word| !word.starts_with('-'));
    operands.next()?;
    let rest: Vec<&str> = operands.copied().collect();
    match rest.as_slice() {
        [] => None,
        [text] => Some(format!("tmux {text}")),
        words => Some(call(words)),
    }
}

/// What `dtach -p` is given to pass on.
fn passed_on(line: &CommandLine, command: &Command) -> Option<String> {
    match input_to_file(line, command) {
        Input::Text(text) if words(line, command).contains(&"-p") => Some(text),
        _ => None,
    }
}

/// What the commands of a line up to one type together, where it is the last of them and there are several pieces, or names
/// of keys.
fn typed(line: &CommandLine, index: usize) -> Option<String> {
    let commands = line.commands();
    let types = |command: &Command| typing(line, command).is_some();
    if commands.iter().rposition(types) != Some(index) {
        return None;
    }
    let pieces: Vec<&str> =
        commands.iter().filter_map(|command| typing(line, command)).flatten().collect();
    let is_pieced = pieces.len() > 1 || pieces.iter().any(|piece| key(piece).is_some());
    let text: String = pieces.iter().map(|piece| key(piece).unwrap_or(piece)).collect();
    (is_pieced && !text.trim().is_empty()).then_some(text)
}

/// The pieces that a command types, if it types.
fn typing<'l>(line: &'l CommandLine, command: &Command) -> Option<Vec<&'l str>> {
    let program = line.program(command)?;
    let verbs: &[&str] = match program {
        "tmux" => &["send-keys", "send"],
        "xdotool" | "ydotool" => &["type"],
        "wtype" => &[],
        _ => return None,
    };
    let words = words(line, command);
    let at = match verbs {
        [] => 0,
        verbs => words.iter().position(|word| verbs.contains(word))? + 1,
    };
    let mut pieces = Vec::new();
    let mut rest = words.get(at..)?.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-t" | "-N" | "-c" | "--delay" | "--window" | "--key-delay" => drop(rest.next()),
            "--" => {}
            flag if flag.starts_with('-') && pieces.is_empty() => {}
            word if word.ends_with(';') && program == "tmux" => {
                pieces.extend(word.strip_suffix(';').filter(|word| !word.is_empty()));
                break;
            }
            word => pieces.push(word),
        }
    }
    Some(pieces)
}

/// What a key types, by its name.
fn key(name: &str) -> Option<&'static str> {
    match name {
        "Enter" | "C-m" | "C-j" | "KPEnter" | "Return" => Some("\n"),
        "Space" => Some(" "),
        "Tab" => Some("\t"),
        _ => None,
    }
}
