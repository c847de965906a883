//! Commands that other commands run: behind wrappers, in texts that are run, on a shell's input.

use std::ops::Range;

use super::arguments::{Argument, Arguments, Flag};
use super::given::{Input, input};
use super::programs::{Program, Programs, Traits};
use super::reader::{self, Place};
use super::{Command, CommandLine, HOLE, MOST_DEPTH, Opaque, Reach, Word, program_name};
use crate::code::{FlagEffect, Runs};

/// What a command was found to run.
enum Found {
    /// Some of its words.
    Words(Range<u32>),
    /// A text, made of these words.
    Text(Range<u32>),
    /// A text that is a part of a word.
    Part(Word),
    /// What it reads.
    Input,
    /// Something that nobody knows.
    Opaque(Opaque),
}

/// Adds what the commands of a line run, and what those run.
pub(super) fn unwrap(line: &mut CommandLine, programs: Programs<'_>) {
    let mut found = Vec::new();
    let mut index = 0;
    while index < line.commands.len() {
        let Some(command) = line.commands.get(index).cloned() else { break };
        if let Some(program) = line.program(&command).and_then(|name| programs.find(name)) {
            look(line, &command, program, &mut found);
            for found in found.drain(..) {
                add(line, index as u32, &command, program, found);
            }
        }
        index += 1;
    }
}

/// Looks for what a command runs.
fn look(line: &CommandLine, command: &Command, program: Program<'_>, found: &mut Vec<Found>) {
    if command.opaque.is_some() {
        return;
    }
    let words = line.words(command);
    let first = command.words.start;
    let rest = |from: usize| first + from as u32..command.words.end;
    let mut arguments = Arguments::new(line, words, Some(program));
    let mut operands = 0;
    let mut is_script = false;
    let mut reads_input = program.runs() == Runs::Shell;
    loop {
        let at = arguments.position();
        match arguments.next() {
            None => break,
            Some(Argument::Flag(flag)) => {
                let end = flag_words(line, words, arguments.position(), &flag);
                look_at_flag(
                    line,
                    program,
                    &flag,
                    first + arguments.position() as u32..first + end as u32,
                    found,
                );
                is_script |= flag.effect == FlagEffect::Script;
                if flag.effect == FlagEffect::Words {
                    arguments.skip_to(end + 1);
                }
                if matches!(flag.effect, FlagEffect::Line | FlagEffect::Words) {
                    reads_input = false;
                }
            }
            Some(Argument::Operand(word) | Argument::Unknown(word)) => {
                if program.runs() == Runs::Nothing {
                    continue;
                }
                let text = line.text(&word);
                if program.has(Traits::ASSIGNMENTS) && is_assignment(text) {
                    continue;
                }
                if operands < program.skip() {
                    operands += 1;
                    continue;
                }
                reads_input = false;
                found.push(match program.runs() {
                    Runs::Line => Found::Text(rest(at)),
                    Runs::Shell if is_script => {
                        Found::Text(first + at as u32..first + at as u32 + 1)
                    }
                    _ => Found::Words(rest(at)),
                });
                break;
            }
        }
    }
    if reads_input {
        found.push(Found::Input);
    }
}

/// Where the words end that a flag runs, up to `;` or `+`.
fn flag_words(line: &CommandLine, words: &[Word], from: usize, flag: &Flag<'_>) -> usize {
    if flag.effect != FlagEffect::Words {
        return from;
    }
    let ends = |word: &Word| matches!(line.text(word), ";" | "+");
    let behind = words.get(from..).unwrap_or_default();
    from + behind.iter().position(ends).unwrap_or(behind.len())
}

fn look_at_flag(
    line: &CommandLine,
    program: Program<'_>,
    flag: &Flag<'_>,
    words: Range<u32>,
    found: &mut Vec<Found>,
) {
    match flag.effect {
        FlagEffect::Line => found.extend(flag.value.map(Found::Part)),
        FlagEffect::Words if !words.is_empty() => found.push(Found::Words(words)),
        FlagEffect::Input => found.push(Found::Input),
        FlagEffect::Setting => {
            let Some(value) = flag.value else { return };
            let text = line.text(&value);
            let Some((name, set)) = text.split_once('=') else { return };
            let start = value.start + name.len() as u32 + 1;
            if set.starts_with('!') {
                found.push(Found::Part(value.part(start + 1)));
            } else if set.starts_with(HOLE) && name.contains("alias") {
                found.push(Found::Opaque(Opaque::Text));
            } else if program.setting_is_command(name) {
                found.push(Found::Part(value.part(start)));
            }
        }
        _ => {}
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(reader::is_name)
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// Adds one thing that command `index` runs.
fn add(line: &mut CommandLine, index: u32, command: &Command, program: Program<'_>, found: Found) {
    if u32::from(command.depth) >= MOST_DEPTH {
        return line.fail(Opaque::TooDeep);
    }
    if line.is_full() {
        return;
    }
    match found {
        Found::Words(words) => add_words(line, index, command, program, words),
        Found::Text(words) => {
            let texts: Vec<&str> = words
                .filter_map(|word| line.words.get(word as usize))
                .map(|word| line.text(word))
                .collect();
            let text = texts.join(" ");
            run_text(line, index, command, &text, Reach::Text);
        }
        Found::Part(word) => {
            let text = line.text(&word).to_owned();
            run_text(line, index, command, &text, Reach::Text);
        }
        Found::Input => match input(line, command) {
            Input::Nothing => {}
            Input::Known(text) => run_text(line, index, command, &text, Reach::Input),
            Input::Unknown => add_opaque(line, index, command, Opaque::Input, Reach::Input),
        },
        Found::Opaque(reason) => add_opaque(line, index, command, reason, Reach::Text),
    }
}

/// A command that command `index` runs.
fn child(index: u32, command: &Command, reach: Reach) -> Command {
    Command {
        input: command.input.clone(),
        enclosing_input: command.enclosing_input,
        in_loop: command.in_loop,
        span: command.span.clone(),
        ..Command::new(Some(index), reach, command.depth.saturating_add(1))
    }
}

fn add_opaque(line: &mut CommandLine, index: u32, command: &Command, why: Opaque, reach: Reach) {
    line.commands.push(Command { opaque: Some(why), ..child(index, command, reach) });
}

fn add_words(
    line: &mut CommandLine,
    index: u32,
    command: &Command,
    program: Program<'_>,
    words: Range<u32>,
) {
    let mut added = child(index, command, Reach::Wrapper);
    added.words = words.clone();
    if program.has(Traits::MORE_WORDS) {
        added.more = true;
        if let Input::Known(text) = input(line, command) {
            added.words = line.words.len() as u32..line.words.len() as u32;
            let own = line.words.get(super::range(&words)).unwrap_or_default().to_vec();
            line.words.extend(own);
            for text in text.split_whitespace().take(256) {
                let word = line.add_text(text, command.span.clone());
                line.words.push(word);
            }
            added.words.end = line.words.len() as u32;
        }
    }
    let program = line.words(&added).first().map(|word| (word.is_glob(), line.text(word)));
    if let Some((is_glob, name)) = program
        && (is_glob || program_name(name).contains(HOLE))
    {
        added.opaque = Some(Opaque::Program);
    }
    // The place of the words, where they have one of their own.
    let spans = line.words(&added).iter().filter(|word| word.to > word.from);
    if let Some(from) = spans.clone().map(|word| word.from).min() {
        added.span = from..spans.map(|word| word.to).max().unwrap_or(from);
    }
    line.commands.push(added);
}

fn run_text(line: &mut CommandLine, index: u32, command: &Command, text: &str, reach: Reach) {
    let span = (command.span.start, command.span.end);
    let place = Place { parent: index, reach, span, in_loop: command.in_loop };
    let before = line.commands.len();
    reader::read(line, text, Some(place));
    if text.contains(HOLE) && line.commands.get(before..).is_none_or(<[Command]>::is_empty) {
        add_opaque(line, index, command, Opaque::Text, reach);
    }
}
