//! What a command is given to read: a here-document, a here-string, what `echo` writes into a pipe.

use super::{Command, CommandLine, Redirect, RedirectKind};

/// What a command reads from its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Nothing that the line tells of.
    Nothing,
    /// This text.
    Known(String),
    /// Something that the line does not hold.
    Unknown,
}

/// What a command reads from its input.
pub(super) fn input(line: &CommandLine, command: &Command) -> Input {
    let own = line.redirects(command).iter().rev().find_map(|redirect| read(line, redirect));
    if let Some(input) = own {
        return input;
    }
    if !command.input.is_empty() {
        return written(line, line.input(command));
    }
    line.enclosing_input(command)
        .and_then(|redirect| read(line, redirect))
        .unwrap_or(Input::Nothing)
}

/// What a redirection gives to read; `None` when it gives nothing.
fn read(line: &CommandLine, redirect: &Redirect) -> Option<Input> {
    match redirect.kind {
        RedirectKind::HereDocument | RedirectKind::HereString => {
            let word = line.target(redirect);
            Some(if word.has_hole() {
                Input::Unknown
            } else {
                Input::Known(line.text(&word).to_owned())
            })
        }
        RedirectKind::Read | RedirectKind::ReadWrite => {
            Some(match line.text(&line.target(redirect)) {
                "/dev/null" => Input::Nothing,
                _ => Input::Unknown,
            })
        }
        _ => None,
    }
}

/// What commands write, where it is constant.
fn written(line: &CommandLine, commands: &[Command]) -> Input {
    let mut text = String::new();
    for command in commands.iter().filter(|command| command.runs()) {
        let known = match line.program(command) {
            Some("echo") => echo(line, command),
            Some("printf") => printf(line, command),
            Some("cat") if line.words(command).len() == 1 => match input(line, command) {
                Input::Known(text) => Some(text),
                _ => None,
            },
            _ => None,
        };
        match known {
            Some(known) => text.push_str(&known),
            None => return Input::Unknown,
        }
    }
    Input::Known(text)
}

fn operands<'l>(line: &'l CommandLine, command: &Command) -> Option<Vec<&'l str>> {
    let words = line.words(command).get(1..)?;
    let known = words.iter().all(|word| !word.has_hole());
    known.then(|| words.iter().map(|word| line.text(word)).collect())
}

fn echo(line: &CommandLine, command: &Command) -> Option<String> {
    let words = operands(line, command)?;
    let is_flag = |word: &&str| {
        word.strip_prefix('-').is_some_and(|letters| {
            !letters.is_empty() && letters.bytes().all(|byte| matches!(byte, b'n' | b'e' | b'E'))
        })
    };
    let flags = words.iter().take_while(|word| is_flag(word)).count();
    let escapes = words.iter().take(flags).any(|word| word.contains('e'));
    let text = words.get(flags..).unwrap_or_default().join(" ");
    Some(if escapes { unescape(&text)? } else { text + "\n" })
}

fn printf(line: &CommandLine, command: &Command) -> Option<String> {
    let words = operands(line, command)?;
    let (format, values) = words.split_first()?;
    match *format {
        "%s" => Some(values.concat()),
        "%s\\n" => Some(values.iter().map(|value| format!("{value}\n")).collect()),
        format if !format.contains('%') => unescape(format),
        _ => None,
    }
}

/// The few escapes that are common; `None` for others.
fn unescape(text: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        result.push(match characters.next()? {
            'n' => '\n',
            't' => '\t',
            '\\' => '\\',
            '"' => '"',
            _ => return None,
        });
    }
    Some(result)
}
