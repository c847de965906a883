//! What terminals are told: several commands of one call, `tmux a \; b`, and what is typed into them by pieces. Sources:
//! `man tmux`, of "Command parsing" and of `send-keys`; the manuals of xdotool, ydotool and wtype.

use super::add::{Runner, around, run_given};
use super::given::{Input, input_to_file};
use super::programs::Programs;
use super::stored::Stored;
use super::{Command, CommandLine, MAX_DEPTH, Reach, Word, sources};

/// So many commands of a line are looked at for what they type.
const MAX: usize = 64;

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
    let texts: Vec<String> = match line.program(command) {
        _ if u32::from(command.depth) >= MAX_DEPTH => return,
        Some("tmux") => {
            let typed = typing(line, command).and_then(|_| typed(line, index));
            [behind_separator(line, command), hooked(line, command), typed]
                .into_iter()
                .flatten()
                .collect()
        }
        // What it reads it types into the session.
        Some("dtach") => passed_on(line, command).into_iter().collect(),
        Some("xdotool" | "ydotool" | "wtype") => typed(line, index).into_iter().collect(),
        _ => return,
    };
    let command = command.clone();
    let around = around(line, own, index);
    let runner =
        Runner { index: index as u32, around, programs, program: None, stored: Stored::default() };
    for text in texts {
        run_given(line, &command, runner, &text, Reach::Text, false, None);
    }
}

/// The commands of tmux behind the first one of a call, as a call of their own.
fn behind_separator(line: &CommandLine, command: &Command) -> Option<String> {
    let words = line.words(command);
    let ends = |word: &Word| {
        let text = line.text(word);
        text.ends_with(';') && !text.ends_with("\\;")
    };
    let at = words.iter().position(ends)?;
    let rest = words.get(at + 1..).filter(|rest| !rest.is_empty())?;
    let quoted: Vec<String> = rest.iter().map(|word| sources::quoted(line.text(word))).collect();
    Some(format!("tmux {}", quoted.join(" ")))
}

/// A command of tmux that a hook or a key stands for from then on.
fn hooked(line: &CommandLine, command: &Command) -> Option<String> {
    const HOOKS: [&str; 4] = ["set-hook", "bind-key", "bind", "set-option"];
    let words: Vec<&str> = line.words(command).iter().map(|word| line.text(word)).collect();
    let at = words.iter().position(|word| HOOKS.contains(word))?;
    let mut operands = words.get(at + 1..)?.iter().filter(|word| !word.starts_with('-'));
    operands.next()?;
    let rest: Vec<&str> = operands.copied().collect();
    match rest.as_slice() {
        [] => None,
        [text] => Some(format!("tmux {text}")),
        words => {
            let quoted: Vec<String> = words.iter().map(|word| sources::quoted(word)).collect();
            Some(format!("tmux {}", quoted.join(" ")))
        }
    }
}

/// What `dtach -p` is given to pass on.
fn passed_on(line: &CommandLine, command: &Command) -> Option<String> {
    let passes = line.words(command).iter().any(|word| line.text(word) == "-p");
    match input_to_file(line, command) {
        Input::Text(text) if passes => Some(text),
        _ => None,
    }
}

/// What the commands of a line up to one type together, where it is the last of several, or names keys.
fn typed(line: &CommandLine, index: usize) -> Option<String> {
    let commands = line.commands();
    if commands.len() > MAX {
        return None;
    }
    let follows = commands.iter().skip(index + 1).any(|command| typing(line, command).is_some());
    let before = commands.iter().take(index + 1).filter_map(|command| typing(line, command));
    let pieces: Vec<Vec<&str>> = before.collect();
    let has_keys = pieces.iter().flatten().any(|piece| key(piece).is_some());
    let is_pieced = pieces.len() > 1 || has_keys || pieces.iter().any(|piece| piece.len() > 1);
    let text: String = pieces.iter().flatten().map(|piece| key(piece).unwrap_or(piece)).collect();
    (is_pieced && !follows && !text.trim().is_empty()).then_some(text)
}

/// The pieces that a command types, if it types.
fn typing<'l>(line: &'l CommandLine, command: &Command) -> Option<Vec<&'l str>> {
    let words: Vec<&str> = line.words(command).iter().map(|word| line.text(word)).collect();
    let (program, rest) = (line.program(command)?, words.get(1..)?);
    let at = match program {
        "tmux" => rest.iter().position(|word| matches!(*word, "send-keys" | "send"))? + 1,
        "xdotool" | "ydotool" => rest.iter().position(|word| *word == "type")? + 1,
        "wtype" => 0,
        _ => return None,
    };
    let mut pieces = Vec::new();
    let mut rest = rest.get(at..)?.iter();
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
